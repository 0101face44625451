//! `--report`, and what is so for every file that a run writes besides documents.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use super::super::args::{FormatTo, Page};
use super::super::format::{Command, Listing, Report, Sink};
use super::super::print::{OneLine, PathLine};
use super::{Findings, Moment, Plan};

/// Why there can be no report, or nothing that has a date.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReportError {
    #[error("--report {}: cannot be written: {error}", PathLine(path))]
    File { path: PathBuf, error: io::Error },
    #[error(
        "SOURCE_DATE_EPOCH is `{}`, which is no number of seconds; unset it",
        OneLine(.0)
    )]
    SourceDateEpoch(String),
}

/// The date that everything is to have which is made.
pub(super) fn source_date() -> Result<Option<Moment>, ReportError> {
    let seconds = env::var("SOURCE_DATE_EPOCH").unwrap_or_default();
    if seconds.is_empty() {
        return Ok(None);
    }
    match seconds.parse() {
        Ok(seconds) => Ok(Some(Moment::at(seconds))),
        Err(_) => Err(ReportError::SourceDateEpoch(seconds)),
    }
}

/// Adds the report to what a run shows, if there is to be one, and names the run's own files, which are
/// no documents.
pub(super) fn add(
    page: &Page,
    formats: &[FormatTo],
    command: Command,
    typed: &[OsString],
    plan: &mut Plan,
    listing: &mut Listing,
) -> Result<(), ReportError> {
    let files = formats.iter().filter_map(|format| format.file.as_deref());
    let files = files.chain(page.report.as_deref());
    plan.selection.own_files = files.filter_map(|file| file.canonicalize().ok()).collect();
    let Some(path) = &page.report else {
        return Ok(());
    };
    let sink = Sink::file(path).map_err(|error| ReportError::File {
        path: path.clone(),
        error,
    })?;
    // It is about all references, and about evidence that did not count.
    plan.findings = Findings::All;
    plan.retrieval.complete = true;
    listing.report = Some(Report::new(command, typed, source_date()?, sink));
    Ok(())
}
