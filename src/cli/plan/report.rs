//! `--format html=FILE`.

use std::env;
use std::ffi::OsString;

use crate::batch::{Findings, Moment, Plan};

use super::formats;
use crate::cli::args::{FormatName, FormatTo, UsageError};
use crate::cli::format::Mode;
use crate::cli::html_report::HtmlReport;
use crate::cli::session::Listing;
use crate::cli::terminal::print::OneLine;

/// The date for everything that is made.
pub(super) fn source_date() -> Result<Option<Moment>, UsageError> {
    let seconds = env::var("SOURCE_DATE_EPOCH").unwrap_or_default();
    if seconds.is_empty() {
        return Ok(None);
    }
    // A date with more digits in its year is not one.
    let moment = seconds.parse().ok().map(Moment::at);
    match moment.filter(|moment| moment.as_str().parse() == Ok(moment.clone())) {
        Some(moment) => Ok(Some(moment)),
        None => Err(UsageError::new(format_args!(
            "SOURCE_DATE_EPOCH is `{}`: not a number of seconds",
            OneLine(seconds)
        ))),
    }
}

/// Adds the page to what a run shows, if there is to be one.
pub(super) fn add(
    given: &[FormatTo],
    command: Mode,
    typed: &[OsString],
    plan: &mut Plan,
    listing: &mut Listing,
) -> Result<(), UsageError> {
    let mut pages = given.iter().filter(|to| to.name == FormatName::Html);
    let Some(path) = pages.next().and_then(|to| to.file.as_deref()) else {
        return Ok(());
    };
    if pages.next().is_some() {
        return Err(UsageError::new("--format html can be given once"));
    }
    let sink = formats::sink(FormatName::Html, path)?;
    // It covers all references, and evidence that did not count.
    plan.findings = Findings::All;
    plan.retrieval.complete = true;
    let report = HtmlReport::new(command, typed, source_date()?, sink);
    listing.report = Some(report);
    Ok(())
}
