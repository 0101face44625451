//! What a file is, by its name and its first bytes.

pub(crate) mod extension;
pub(crate) mod format;
pub(crate) mod magic;
