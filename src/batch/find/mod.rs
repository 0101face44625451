//! Finds the files of a run.

pub(crate) mod backup;
pub(crate) mod classify;
pub(crate) mod ignored;
pub(crate) mod maildir;
pub(crate) mod saved;
pub(crate) mod source;
pub(crate) mod walk;
