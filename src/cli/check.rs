//! `abslink check`: lists the relative references that are there.

use crate::batch::Report;

use super::args::Check;
use super::exit::Exit;
use super::listing::References;
use super::print::Count;
use super::summary::Words;
use super::{Error, plan, session, summary};

pub(crate) fn run(args: &Check) -> Result<Exit, Error> {
    let plan = plan::examine(
        &args.documents,
        &args.location,
        &args.reading,
        &args.running,
    )?;
    let listing = References {
        format: args.format,
        only_relative: true,
    };
    let finished = session::run(&plan, &listing, &args.running)?;
    let found = relative(&finished.report);
    let words = Words {
        lead: lead(&finished.report),
        others: true,
        hint: (finished.report.tally.rewritten > 0)
            .then(|| "abslink rewrite makes them absolute".to_owned()),
        strict: args.strict.strict,
    };
    summary::print(&finished, &args.running, &words);
    let exit = finished.exit(found > 0);
    Ok(exit.max(summary::held_to(&args.strict, &finished.report)))
}

/// The references that `check` is about: those that `rewrite` would change, and those that it could
/// not.
fn relative(report: &Report) -> u64 {
    report.tally.rewritten + report.tally.unresolved
}

fn lead(report: &Report) -> String {
    let documents = Count(report.files, "document");
    match relative(report) {
        0 => format!("no relative reference in {documents}"),
        found => format!("{} in {documents}", Count(found, "relative reference")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unresolved_references_are_relative_too() {
        let mut report = Report {
            files: 2,
            ..Report::default()
        };
        assert_eq!(lead(&report), "no relative reference in 2 documents");
        report.tally.rewritten = 1;
        report.tally.unresolved = 1_000;
        assert_eq!(lead(&report), "1,001 relative references in 2 documents");
    }
}
