//! Warnings and notes at the end of a run, each with the option that helps.

use super::super::finished::Finished;
use super::super::print::{Level, counted};

/// A line of the summary.
pub(crate) struct Notice {
    pub(crate) level: Level,
    pub(crate) text: String,
    /// What to type, on a line of its own.
    pub(crate) hint: Option<String>,
}

/// Warnings first, then notes; each function gives at most one.
pub(crate) fn notices(finished: &Finished) -> Vec<Notice> {
    let all: [fn(&Finished) -> Option<Notice>; 1] = [broken_signatures];
    all.into_iter()
        .filter_map(|notice| notice(finished))
        .collect()
}

fn broken_signatures(finished: &Finished) -> Option<Notice> {
    let text = counted(
        finished.report.broken_signatures,
        "1 DKIM signature is no longer valid",
        "# DKIM signatures are no longer valid",
    )?;
    Some(Notice {
        level: Level::Note,
        text,
        hint: None,
    })
}
