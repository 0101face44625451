//! Bytes and characters, and edits.

pub(crate) mod chunk;
pub(crate) mod encoding;
pub(crate) mod entity;
pub(crate) mod json_scanner;
pub(crate) mod json_string;
#[doc(hidden)]
pub mod line_column;
pub(crate) mod markdown;
#[doc(hidden)]
pub mod sniff;
pub(crate) mod splice;
pub(crate) mod unquoted;
pub(crate) mod value;
