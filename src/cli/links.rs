//! `abslink links`: lists every reference, relative or not.

use super::args::Links;
use super::exit::Exit;
use super::listing::References;
use super::print::{Count, Number};
use super::summary::Words;
use super::{Error, plan, session, summary};

pub(crate) fn run(args: &Links) -> Result<Exit, Error> {
    let plan = plan::examine(
        &args.documents,
        &args.location,
        &args.reading,
        &args.running,
    )?;
    let listing = References {
        format: args.format,
        only_relative: false,
    };
    let finished = session::run(&plan, &listing, &args.running)?;
    let report = &finished.report;
    let words = Words {
        lead: format!(
            "{} in {}, {} of them relative",
            Count(report.tally.references, "reference"),
            Count(report.files, "document"),
            Number(report.tally.rewritten + report.tally.unresolved),
        ),
        others: true,
        hint: None,
        strict: false,
    };
    summary::print(&finished, &args.running, &words);
    // Listing was all that was asked for: that relative ones are there is no failure.
    Ok(finished.exit(false))
}
