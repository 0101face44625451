//! What a system has to do in its own way, for files to be replaced safely.

use std::cell::Cell;
use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

use super::super::read::Original;

/// A directory that files are put into.
pub(in crate::batch) trait Folder: Sized {
    /// A file in it that is not in its place yet.
    type Temporary<'f>: Temporary
    where
        Self: 'f;

    /// The folder at `below` under `root`, reached from there without following a link. If it is
    /// `durable`, what is published in it is to survive a power failure.
    fn open(root: &Path, below: &Path, durable: bool) -> io::Result<Self>;

    /// Like [`Folder::open`]; what is missing below `root` is made.
    fn make(root: &Path, below: &Path, durable: bool) -> io::Result<Self>;

    /// Whether strays were looked for in it.
    fn swept(&self) -> &Cell<bool>;

    /// Fails where the user has no right to write to a file.
    fn check_writable(&self, name: &OsStr) -> io::Result<()>;

    /// Whether the file at `name` is still the one that was read.
    fn holds(&self, name: &OsStr, before: &Metadata) -> io::Result<bool>;

    /// Gives a file a second name, which must be free.
    fn link(&self, name: &OsStr, second: &OsStr) -> io::Result<()>;

    /// Makes an empty file with the permissions of another one, less those that the system takes
    /// away from new files.
    fn temporary(&self, like: &Metadata) -> io::Result<Self::Temporary<'_>>;
}

/// A file that nobody reads until it is published. Dropped before that, it leaves nothing behind.
pub(in crate::batch) trait Temporary {
    /// The file, to be written to.
    fn file(&self) -> &File;

    /// Gives it what a file has besides its contents.
    fn keep_attributes(&self, of: &Original) -> io::Result<()>;

    /// Makes this file the one that `name` stands for, in one step.
    fn publish(self, name: &OsStr) -> io::Result<()>;

    /// Makes this file the one that `name` stands for, if it does not stand for any.
    fn publish_new(self, name: &OsStr) -> io::Result<()>;
}
