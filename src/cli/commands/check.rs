//! `abslink check`: lists the relative references that are there.

use std::ffi::OsString;

use super::Error;
use crate::cli::args::CheckArgs;
use crate::cli::run::end::RunEnd;
use crate::cli::run::exit::{Exit, Remaining};
use crate::cli::summary::CommandSummary;
use crate::cli::terminal::print::{Count, Number};
use crate::cli::{plan, session};

pub(crate) fn run(args: &CheckArgs, typed: &[OsString]) -> Result<Exit, Error> {
    let (plan, listing) = plan::check(args, typed)?;
    let (running, strict) = (&args.common.running, args.strict.strict);
    Ok(session::run(&plan, &listing, running, strict, |end| {
        CommandSummary {
            left: Remaining::Relative,
            lead: lead(end, plan.html.has_forms()),
            others: true,
            on_bases: false,
            hint: (end.report.tally.rewritten > end.known()).then(|| {
                if plan.html.has_forms() {
                    "abslink rewrite with the same options changes them".to_owned()
                } else {
                    "abslink rewrite makes them absolute".to_owned()
                }
            }),
        }
    })?)
}

/// `forms` says whether references get another form than the absolute one.
fn lead(end: &RunEnd, forms: bool) -> String {
    let documents = Count(end.report.files, "document");
    let lead = match (end.new_remaining(Remaining::Relative), forms) {
        (0, false) => format!("no relative reference in {documents}"),
        (found, false) => format!("{} in {documents}", Count(found, "relative reference")),
        (0, true) => format!("each reference has its form in {documents}"),
        (found, true) => format!("{} to be changed in {documents}", Count(found, "reference")),
    };
    match end.known() {
        0 => lead,
        known => format!("{lead}, besides {} in the baseline", Number(known)),
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
        assert_eq!(lead(&report, false), "no relative reference in 2 documents");
        report.tally.rewritten = 1;
        report.tally.unresolved = 1_000;
        assert_eq!(
            lead(&report, false),
            "1,001 relative references in 2 documents"
        );
        assert_eq!(
            lead(&report, true),
            "1,001 references to be changed in 2 documents"
        );
    }
}
