//! `abslink check`: lists the relative references that are there.

use std::ffi::OsString;

use crate::batch::Report;

use super::args::Check;
use super::exit::{Exit, Left};
use super::print::Count;
use super::summary::Words;
use super::{Error, plan, session};

pub(crate) fn run(args: &Check, typed: &[OsString]) -> Result<Exit, Error> {
    let (plan, listing) = plan::check(args, typed)?;
    let (running, strict) = (&args.common.running, args.strict.strict);
    session::run(&plan, &listing, running, Left::Relative, strict, |report| {
        Words {
            lead: lead(report),
            others: true,
            hint: (report.tally.rewritten > 0)
                .then(|| "abslink rewrite makes them absolute".to_owned()),
        }
    })
}

fn lead(report: &Report) -> String {
    let documents = Count(report.files, "document");
    match Left::Relative.count(report) {
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
