//! A document from bytes to bytes.
//!
//! Four words for a part of one: what comes from a reader is a *piece*; the pieces that are not done yet are in the
//! *window* ([`Window`](crate::locate::window::Window)); what of them is processed at once is a *chunk*
//! ([`Chunk`](crate::text::chunk::Chunk)). A document in memory is one chunk, unless it is *long*: then it is taken
//! piece by piece too, so that the list of its places stays short.

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
pub(crate) mod texts;
pub(crate) mod write_back;

#[cfg(test)]
mod tests;
