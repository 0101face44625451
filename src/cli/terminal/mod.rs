//! Streams and terminals: how lines for people are written, coloured and masked.

mod by_line;
pub(super) mod ci_log;
pub(super) mod color;
pub(super) mod panic;
pub(super) mod passwords;
pub(super) mod pipe;
pub(super) mod print;
pub(super) mod progress;
