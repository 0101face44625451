//! A line of the summary.

use crate::cli::terminal::print::MessageLevel;

/// A warning, note or hint.
pub(crate) struct Notice {
    pub(crate) level: MessageLevel,
    pub(crate) text: String,
    pub(crate) hint: Option<String>,
}
