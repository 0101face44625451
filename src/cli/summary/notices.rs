//! Warnings and notes at the end of a run, each with the option that helps.

use super::super::finished::Finished;
use super::super::print::Level;

/// A line of the summary.
pub(crate) struct Notice {
    pub(crate) level: Level,
    pub(crate) text: String,
    /// What to type, on a line of its own.
    pub(crate) hint: Option<String>,
}

/// Warnings first, then notes; each function gives at most one.
pub(crate) fn notices(finished: &Finished) -> Vec<Notice> {
    let all: [fn(&Finished) -> Option<Notice>; 0] = [];
    all.into_iter()
        .filter_map(|notice| notice(finished))
        .collect()
}
