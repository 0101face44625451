//! `--report`.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use crate::batch::{Findings, Moment, Plan, Task};

use crate::cli::args::ReportArgs;
use crate::cli::format::{Mode, Sink};
use crate::cli::html_report::HtmlReport;
use crate::cli::session::Listing;
use crate::cli::terminal::print::{OneLine, PathLine};

/// Why there can be no report, or no date.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReportError {
    #[error("--report {}: cannot be written: {error}", PathLine(path))]
    File { path: PathBuf, error: io::Error },
    #[error(
        "SOURCE_DATE_EPOCH is `{}`, which is not a number of seconds; unset it",
        OneLine(.0)
    )]
    SourceDateEpoch(String),
}

/// The date for everything that is made.
pub(super) fn source_date() -> Result<Option<Moment>, ReportError> {
    let seconds = env::var("SOURCE_DATE_EPOCH").unwrap_or_default();
    if seconds.is_empty() {
        return Ok(None);
    }
    // A date with more digits in its year is not one.
    let moment = seconds.parse().ok().map(Moment::at);
    match moment.filter(|moment| moment.as_str().parse() == Ok(moment.clone())) {
        Some(moment) => Ok(Some(moment)),
        None => Err(ReportError::SourceDateEpoch(seconds)),
    }
}

/// Adds the report to what a run shows, if there is to be one.
pub(super) fn add(
    page: &ReportArgs,
    command: Mode,
    typed: &[OsString],
    plan: &mut Plan,
    listing: &mut Listing,
) -> Result<(), ReportError> {
    let Some(path) = &page.report else {
        return Ok(());
    };
    let sink = Sink::file(path).map_err(|error| ReportError::File {
        path: path.clone(),
        error,
    })?;
    // It covers all references, and evidence that did not count.
    plan.findings = Findings::All;
    plan.retrieval.complete = true;
    let mut report = HtmlReport::new(command, typed, source_date()?, sink);
    report.tries = matches!(plan.task, Task::Try { .. });
    report.form = plan.html.has_forms().then_some(plan.html.to);
    listing.report = Some(report);
    Ok(())
}
