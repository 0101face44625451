//! A document from bytes to bytes.

pub(crate) mod chunked;
pub(crate) mod document;
pub(crate) mod error;
#[doc(hidden)]
pub mod given_places;
pub(crate) mod long;
pub(crate) mod pass;
pub(crate) mod prescan;
pub(crate) mod remove_base;
pub(crate) mod rewriter;
pub mod sheet;
pub(crate) mod sink;
pub(crate) mod write_back;

#[cfg(test)]
mod tests;
