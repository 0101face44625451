//! `abslink rewrite`: writes the documents with absolute URLs.

use abslink::batch::{Output, Report, Task};

use super::args::{Format, Rewrite};
use super::exit::Exit;
use super::listing::Listing;
use super::print::{Count, Number};
use super::summary::Words;
use super::{Error, plan, session, summary};

/// Standard output carries documents, a diff or nothing; there is nothing to list.
struct Nothing;

impl Listing for Nothing {}

pub(crate) fn run(args: &Rewrite) -> Result<Exit, Error> {
    let plan = plan::rewrite(args)?;
    let finished = session::run(&plan, &Nothing, &args.running)?;
    match args.format {
        Format::Text => {
            let words = Words {
                lead: lead(&plan.task, &finished.report),
                others: true,
                hint: None,
                strict: args.strict.strict,
            };
            summary::print(&finished, &args.running, &words);
        }
        Format::Json => summary::print_json(&finished, plan.html.only_missing)?,
    }
    let exit = finished.exit(finished.report.tally.unresolved > 0);
    Ok(exit.max(summary::held_to(&args.strict, &finished.report)))
}

fn lead(task: &Task, report: &Report) -> String {
    let verb = match task {
        Task::Rewrite(Output::DryRun | Output::Diff) => "nothing written; would make",
        Task::Rewrite(_) | Task::Examine => "made",
    };
    format!(
        "{verb} {} absolute in {} of {}",
        Count(report.tally.rewritten, "reference"),
        Number(report.files_changed),
        Count(report.files, "document"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lead_says_what_was_done() {
        let mut report = Report {
            files: 1_030,
            files_changed: 28,
            ..Report::default()
        };
        report.tally.rewritten = 1_204;
        assert_eq!(
            lead(&Task::Rewrite(Output::Stdout), &report),
            "made 1,204 references absolute in 28 of 1,030 documents"
        );
        assert_eq!(
            lead(
                &Task::Rewrite(Output::DryRun),
                &Report {
                    files: 1,
                    ..Report::default()
                }
            ),
            "nothing written; would make 0 references absolute in 0 of 1 document"
        );
    }
}
