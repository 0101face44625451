//! One file: read, rewritten or examined, and put where it belongs.

mod archive;
mod chunked;
mod content;
mod document;
mod mail;
mod pieces;
pub(crate) mod run;
mod saved;
mod stream;
mod wacz;
mod worker;
