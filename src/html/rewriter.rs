//! A document that comes in pieces, and goes out as one.

use crate::resolver::UnsuitableBase;

/// Why a document has no new one.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RewriteError {
    /// What was given as base URL cannot be one.
    #[error("the base URL cannot be used: {0}")]
    Base(#[from] UnsuitableBase),
    /// The document has to be left as it is: [`Examined::left`](super::Examined::left).
    #[error("left as it is: {0}")]
    Left(&'static str),
}
