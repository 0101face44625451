//! `abslink check`: lists the relative references that are there.

use std::ffi::OsString;

use super::Error;
use crate::batch::Input;
use crate::cli::args::hints::new_directory;
use crate::cli::args::{CheckArgs, Fact};
use crate::cli::run::end::RunEnd;
use crate::cli::run::exit::{Exit, Remaining};
use crate::cli::summary::{CommandSummary, documents};
use crate::cli::terminal::print::{Count, Number};
use crate::cli::{plan, session};

pub(crate) fn run(args: &CheckArgs, typed: &[OsString]) -> Result<Exit, Error> {
    let (plan, listing) = plan::check(args, typed)?;
    let (running, strict) = (&args.common.running, args.strict.strict);
    Ok(session::run(&plan, &listing, running, strict, |end| {
        CommandSummary {
            left: Remaining::Relative,
            lead: lead(end, plan.html.has_forms()),
            hint: (end.report.tally.rewritten > end.known()).then(|| match plan.inputs[..] {
                [Input::Stdin] => Fact::RelativeInPipe.hint(),
                _ => Fact::Relative.hint_with(&[&new_directory(&plan.inputs)]),
            }),
            ..CommandSummary::default()
        }
    })?)
}

/// `forms` says whether references get another form than the absolute one.
fn lead(end: &RunEnd, forms: bool) -> String {
    let files = documents(&end.report);
    let noun = match end.known() {
        0 => "relative link",
        _ => "new relative link",
    };
    let lead = match (end.new_remaining(Remaining::Relative), forms) {
        (0, false) => format!("no {noun}s in {files}"),
        (found, false) => format!("{} in {files}", Count(found, noun)),
        (0, true) => format!("nothing to change in {files}"),
        (found, true) => format!("{} to change in {files}", Count(found, "link")),
    };
    match end.known() {
        0 => lead,
        known => format!("{lead}, {} in the baseline", Number(known)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::Report;

    #[test]
    fn unresolved_references_are_relative_too() {
        let mut report = Report {
            files: 2,
            ..Report::default()
        };
        let lead = |report: &Report, forms| lead(&RunEnd::of(report.clone()), forms);
        assert_eq!(lead(&report, false), "no relative links in 2 files");
        report.tally.rewritten = 1;
        report.tally.unresolved = 1_000;
        assert_eq!(lead(&report, false), "1,001 relative links in 2 files");
        assert_eq!(lead(&report, true), "1,001 links to change in 2 files");
    }
}
