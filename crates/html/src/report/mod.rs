//! What is told of a document.

pub(crate) mod examined;
pub(crate) mod growth;
pub(crate) mod outcome;
pub(crate) mod reference;
#[cfg(feature = "serde")]
mod serialize;
pub(crate) mod tally;
