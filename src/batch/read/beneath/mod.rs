//! Directories held open, and what lies below them, reached without following a symbolic link.
//!
//! A run opens each directory PATH once. What the walk lists below it is opened from there, so a
//! link that is put in the place of a directory meanwhile leads nowhere. If links are to
//! be followed, files are opened by their paths. What is written goes below held directories too.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use crate::batch::path;

#[cfg(not(unix))]
mod portable;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub(crate) use portable::{Directory, open};
#[cfg(unix)]
pub(crate) use unix::{Directory, open};

/// Whether symbolic links below a PATH are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LinkPolicy {
    Follow,
    /// Opening fails. The walk saw no link, so this one was put there during the run.
    Refuse,
}

impl Directory {
    /// Reaches for `below` this directory: `ask` gets the directory that it is in, and
    /// its name there.
    pub(crate) fn at<T>(
        &self,
        below: &Path,
        ask: impl FnOnce(&Directory, &OsStr) -> io::Result<T>,
    ) -> io::Result<T> {
        let (parent, name) = path::split(below).ok_or(io::ErrorKind::InvalidInput)?;
        if parent.as_os_str().is_empty() {
            ask(self, name)
        } else {
            ask(&self.enter(parent)?, name)
        }
    }
}

/// The error for a link that the walk did not see.
fn swapped() -> io::Error {
    io::Error::other("the path became a symbolic link while abslink was running")
}
