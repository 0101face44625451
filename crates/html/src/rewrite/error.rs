//! Why a document has no new one.

use std::io;

use crate::settings::second_reader::Disagreement;
use abslink_url::UnsuitableBase;

/// Why a document has no new one.
///
/// # Examples
/// ```
/// use abslink_html::RewriteError;
///
/// let error = abslink_html::rewrite("<a href=x>", "mailto:x").unwrap_err();
/// assert!(matches!(error, RewriteError::Base(_)), "{error}");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RewriteError {
    /// What was given as base URL cannot be one.
    #[error("the base URL cannot be used: {0}")]
    Base(#[from] UnsuitableBase),
    /// The document has to be left as it is, or, where it came in pieces, what was not written yet.
    #[error("unchanged: {0}")]
    Left(&'static str),
    /// The second reader does not agree with what would be written next ([`Settings::verify`](crate::Settings::verify)).
    #[error(transparent)]
    Disagreement(#[from] Disagreement),
    /// What counts for the whole document came late: [`Rewriter::hold`](crate::Rewriter::hold).
    #[error(
        "{what} came after {held} bytes, and no more may be held back: allow more, or read the \
         document twice"
    )]
    Late {
        /// What came.
        what: &'static str,
        /// How many bytes may be held back.
        held: usize,
    },
    /// The new document cannot be written.
    #[error("cannot write the document: {0}")]
    Output(#[from] io::Error),
}
