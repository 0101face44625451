//! Puts files in their places: the old one or the new one, whole, whatever happens.
//!
//! This is the only module that writes to a user's files, and [`Temporary::publish`] the only step
//! that replaces one; Unix has its own way for it, other systems that of `portable`. New contents go
//! into a temporary file first, one without a name where the system has such: when the program is
//! killed, it is gone. It needs a name for the moment in which it takes the place of another one; a
//! stray of that kind is removed by the next run that replaces a file in the same directory
//! (`temporary`). Everything happens relative to a [`Folder`] that is held open and was reached
//! without following a symbolic link below its root, so that nothing is written elsewhere, even if
//! somebody swaps a directory for a link meanwhile.
//!
//! What [`replace`] keeps: permissions, owner and group where that is allowed, extended attributes
//! (the origin URL lives there) and with them ACLs. What it does not: the inode, so that other
//! hard links to the file keep the old contents (writing through them could tear the file); and the
//! times, since the contents are new.
//!
//! A power failure is another matter: the system may write the new name to the disk before the new
//! contents. Folders that are `durable` have the contents written first, and then the name.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

use super::read::Original;

#[cfg(any(not(unix), test))]
mod portable;
mod system;
mod temporary;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
use portable::Folder as FolderHere;
use system::{Folder, Temporary};
pub(super) use temporary::is_temporary;
#[cfg(unix)]
use unix::Folder as FolderHere;

/// What a file is to hold.
pub(super) enum Contents<'a> {
    /// These bytes.
    Bytes(&'a [u8]),
    /// What another file holds; copied by the system where it can, without copying on file
    /// systems that share blocks.
    File(&'a File),
    /// What this writes.
    Written(&'a mut dyn FnMut(&mut dyn Write) -> io::Result<()>),
}

impl Contents<'_> {
    fn write_to(self, mut file: &File) -> io::Result<()> {
        match self {
            Contents::Bytes(bytes) => file.write_all(bytes),
            Contents::File(mut from) => {
                from.rewind()?;
                io::copy(&mut from, &mut file).map(drop)
            }
            Contents::Written(write) => write(&mut file),
        }
    }
}

/// Why [`replace`] left a file as it was.
#[derive(Debug)]
pub(super) enum Refused {
    /// The file is not the one that was read.
    Changed,
    /// The system said no.
    Io(io::Error),
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Self {
        Refused::Io(error)
    }
}

/// Writes `name` into `folder` with the permissions of `original`, less those that the user's
/// umask takes away, like `cp`.
pub(super) fn create(
    folder: &impl Folder,
    name: &OsStr,
    contents: Contents<'_>,
    original: &Original,
) -> io::Result<()> {
    let temporary = folder.temporary(&original.metadata)?;
    contents.write_to(temporary.file())?;
    temporary.publish(name)
}

/// Replaces `name` in `folder`, which was read as `original`, and keeps what the file has besides
/// its contents. With `backup`, the original keeps existing under that name, unless there is one
/// already: then the answer is `false`.
///
/// # Errors
/// Where the file is read-only, although its directory might let it be replaced: somebody does not
/// want it to be written to. Where it was changed since it was opened.
pub(super) fn replace(
    folder: &impl Folder,
    name: &OsStr,
    contents: Contents<'_>,
    original: &Original,
    backup: Option<&OsStr>,
) -> Result<bool, Refused> {
    folder.check_writable(name)?;
    let temporary = folder.temporary(&original.metadata)?;
    contents.write_to(temporary.file())?;
    temporary.keep_attributes(original)?;
    if !folder.holds(name, &original.metadata)? {
        return Err(Refused::Changed);
    }
    let backed_up = match backup {
        Some(backup) => back_up(folder, name, backup, original)?,
        None => true,
    };
    temporary.publish(name)?;
    Ok(backed_up)
}

/// Gives the original a second name; `false` if that is taken.
fn back_up(
    folder: &impl Folder,
    name: &OsStr,
    backup: &OsStr,
    original: &Original,
) -> io::Result<bool> {
    let result = folder.link(name, backup).or_else(|error| {
        if error.kind() == io::ErrorKind::AlreadyExists {
            return Err(error);
        }
        // A file system without hard links.
        let temporary = folder.temporary(&original.metadata)?;
        Contents::File(&original.file).write_to(temporary.file())?;
        temporary.keep_attributes(original)?;
        temporary.publish_new(backup)
    });
    match result {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

/// The folder that was used last, which is most often the one that is used next.
#[derive(Debug)]
pub(super) struct Folders<F = FolderHere> {
    durable: bool,
    last: Option<(PathBuf, PathBuf, F)>,
    /// Folders above the last one in which strays were looked for.
    swept: Vec<PathBuf>,
}

impl<F: Folder> Folders<F> {
    /// `durable`: what is written survives a power failure.
    pub(super) fn new(durable: bool) -> Self {
        Folders {
            durable,
            last: None,
            swept: Vec::new(),
        }
    }

    /// The folder at `below` under `root`, which is there; what is missing below it is made.
    pub(super) fn make(&mut self, root: &Path, below: &Path) -> io::Result<&F> {
        self.get(root, below, F::make)
    }

    /// The folder at `below` under `root`.
    pub(super) fn open(&mut self, root: &Path, below: &Path) -> io::Result<&F> {
        self.get(root, below, F::open)
    }

    fn get(
        &mut self,
        root: &Path,
        below: &Path,
        open: fn(&Path, &Path, bool) -> io::Result<F>,
    ) -> io::Result<&F> {
        let last = match self.last.take() {
            Some(last) if is_spelled(&last.1, below) && is_spelled(&last.0, root) => last,
            last => {
                if let Some((root, below, _)) = last.filter(|(_, _, folder)| folder.swept().get()) {
                    self.swept.push(root.join(below));
                }
                let path = root.join(below);
                self.swept.retain(|above| path.starts_with(above));
                let folder = open(root, below, self.durable)?;
                folder.swept().set(self.swept.contains(&path));
                (root.to_owned(), below.to_owned(), folder)
            }
        };
        Ok(&self.last.insert(last).2)
    }
}

/// Whether a path is another one to the letter; comparing their components takes far longer.
fn is_spelled(path: &Path, other: &Path) -> bool {
    path.as_os_str() == other.as_os_str()
}

#[cfg(test)]
mod tests;
