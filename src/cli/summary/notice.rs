//! A line of the summary.

use crate::cli::terminal::print::MessageLevel;

/// A warning, note or hint.
pub(crate) struct Notice {
    pub(crate) level: MessageLevel,
    pub(crate) text: String,
    /// What to type, on a line of its own.
    pub(crate) hint: Option<String>,
}
