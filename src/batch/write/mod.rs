//! Puts files in their places: the old file or the new one, whole, whatever happens.
//!
//! This is the only module that writes to a user's files, and [`Temporary::publish_over`] and
//! [`Temporary::publish`] the only steps that replace one; Unix has its own way, other systems use
//! `portable`. New contents go into a temporary file first, without a name if the system supports
//! that: when the program is killed, the file is gone. It needs a name for the moment in which it
//! takes the place of another file; one that is left over is removed by the next run
//! ([`Folder::clean`]), unless it may hold what another program wrote in that moment (`unix::exchange`).
//! Everything happens relative to a [`Folder`] that is held open and was reached without following a
//! symbolic link below its root, so nothing is written elsewhere, even if a directory is swapped for
//! a link meanwhile. A root is opened once: that of the output before anything is
//! read, that of an input by each worker when it first replaces a file there.
//!
//! What [`replacement`] keeps: permissions, owner and group where that is allowed, extended attributes
//! (the origin URL lives there) and with them ACLs. What it does not keep: the inode, so other
//! hard links to the file keep the old contents (writing through them could tear the file); and the
//! times, since the contents are new.
//!
//! A power failure is another matter: the system may write the new name to the disk before the new
//! contents. With [`Fsync::Always`], the contents are written first, and then the name; with
//! [`Fsync::Batch`] that is done for many files at once, between [`replacement`] and
//! [`Prepared::publish`] (`sync`).

pub(crate) mod destination;
pub(crate) mod diff;
pub(crate) mod restore;
pub(crate) mod unplaced;

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io::{self, Seek, Write};
use std::path::Path;
use std::rc::Rc;

#[cfg(feature = "cli")]
use crate::batch::path;
use crate::batch::plan::Fsync;
use crate::batch::read::Original;
use crate::batch::report::{FileError, NoteKind};
use outputs::Claim;
use record::{ChecksumWriter, Record};
use sha2::{Digest as _, Sha256};

mod folders;
mod lock;
pub(crate) mod outputs;
#[cfg(any(not(unix), test))]
mod portable;
pub(super) mod record;
pub(super) mod sync;
mod system;
#[cfg(unix)]
mod unix;

pub(super) use folders::Folders;
pub(super) use lock::{Lock, lock};
#[cfg(not(unix))]
pub(super) use portable::Folder as FolderHere;
pub(super) use system::Folder;
use system::Temporary;
#[cfg(unix)]
pub(super) use unix::Folder as FolderHere;

/// A directory that folders are reached from, held open.
pub(super) type Root = <FolderHere as Folder>::Root;

/// The new contents of a file.
pub(super) enum Contents<'a> {
    /// These bytes.
    Bytes(&'a [u8]),
    /// The contents of another file; copied by the system if it can, and without copying on file
    /// systems that share blocks.
    File(&'a File),
    /// What this function writes.
    Written(&'a mut dyn FnMut(&mut dyn Write) -> Result<(), PublishError>),
}

impl Contents<'_> {
    /// Writes them to a file, and returns their checksum.
    fn write_summed(self, file: &File) -> Result<String, PublishError> {
        let sum = Sha256::new();
        let mut summed = ChecksumWriter { file, sum };
        self.write_to(&mut summed)?;
        Ok(record::spelled(summed.sum))
    }

    fn write_to(self, to: &mut impl Write) -> Result<(), PublishError> {
        match self {
            Contents::Bytes(bytes) => to.write_all(bytes)?,
            Contents::File(from) => copy_all(from, to)?,
            Contents::Written(write) => write(to)?,
        }
        Ok(())
    }
}

fn copy_all(mut from: &File, to: &mut impl Write) -> io::Result<()> {
    from.rewind()?;
    io::copy(&mut from, to).map(drop)
}

/// Why a file was left as it was.
#[derive(Debug)]
pub(super) enum PublishError {
    /// The file is not the one that was read.
    Changed,
    /// It was changed twice at the moment of its replacement. One of the two versions is in its
    /// place, and the other one has this name.
    #[cfg_attr(
        not(target_os = "linux"),
        allow(dead_code, reason = "only Linux exchanges two files in one step")
    )]
    ChangedTwice(OsString),
    /// Another program has locked it, by the file of this name if there is one.
    Locked(Option<OsString>),
    /// A file of this name is there that should be its backup, and is another program's.
    ForeignBackup(OsString),
    /// There is no whole new file, for this reason.
    NotMade(FileError),
    /// The system refused.
    Io(io::Error),
}

impl PublishError {
    /// The error for the file that was to be at `path`.
    pub(crate) fn of(self, path: &Path) -> FileError {
        match self {
            PublishError::Changed => FileError::Changed,
            PublishError::Locked(lock) => FileError::Locked(lock.map(Into::into)),
            PublishError::ChangedTwice(edit) => FileError::ChangedTwice(edit.into()),
            PublishError::ForeignBackup(backup) => FileError::ForeignBackup(backup.into()),
            PublishError::NotMade(error) => error,
            PublishError::Io(source) => FileError::Write {
                path: path.to_owned(),
                source,
            },
        }
    }
}

impl From<io::Error> for PublishError {
    fn from(error: io::Error) -> Self {
        PublishError::Io(error)
    }
}

impl From<FileError> for PublishError {
    fn from(error: FileError) -> Self {
        PublishError::NotMade(error)
    }
}

/// The error for a symbolic link on the way to a folder; the link has this path below the
/// root.
fn behind_link(below: &Path) -> io::Error {
    io::Error::other(format!(
        "{} is a symbolic link, and nothing is written through one; remove it and run again",
        below.components().as_path().display()
    ))
}

/// A file's new contents, under no name of its own yet. Dropped, it leaves nothing behind.
#[derive(Debug)]
pub(super) struct Prepared<F: Folder = FolderHere> {
    pub(super) folder: Rc<F>,
    temporary: F::Temporary,
    name: OsString,
    purpose: Purpose,
}

#[derive(Debug)]
enum Purpose {
    /// One in the output directory.
    Creation(Claim),
    /// That of a file, before it is replaced.
    Replacement {
        backup: Option<NewBackup>,
        /// Whether the new file has the owner of the old one.
        has_owner: bool,
    },
}

/// The backup of a file that is replaced.
#[derive(Debug)]
struct NewBackup {
    name: OsString,
    /// The checksum of what takes the place of the file.
    written: String,
}

/// Prepares a file `name` for `folder`, with the permissions of `original`, less those that the
/// umask takes away, like `cp`.
pub(super) fn creation<F: Folder>(
    folder: &Rc<F>,
    name: &OsStr,
    contents: Contents<'_>,
    original: &Original,
    claim: Claim,
) -> Result<Prepared<F>, PublishError> {
    let temporary = folder.temporary(Some(&original.metadata))?;
    contents.write_to(&mut temporary.file())?;
    Ok(Prepared {
        folder: Rc::clone(folder),
        temporary,
        name: name.to_owned(),
        purpose: Purpose::Creation(claim),
    })
}

/// Prepares the replacement of `name` in `folder`, which was read as `original`; the file keeps its
/// attributes. With `backup`, the original stays under that name, unless there is a file already.
///
/// # Errors
/// If the file is read-only, although its directory might let it be replaced: it is not meant to be
/// written to.
pub(super) fn replacement<F: Folder>(
    folder: &Rc<F>,
    name: &OsStr,
    contents: Contents<'_>,
    original: &Original,
    backup: Option<&OsStr>,
) -> Result<Prepared<F>, PublishError> {
    folder.check_writable(name)?;
    let temporary = folder.temporary(Some(&original.metadata))?;
    let backup = match backup {
        Some(name) => Some(NewBackup {
            name: name.to_owned(),
            written: contents.write_summed(temporary.file())?,
        }),
        None => {
            contents.write_to(&mut temporary.file())?;
            None
        }
    };
    let has_owner = temporary.keep_attributes(original)?;
    Ok(Prepared {
        folder: Rc::clone(folder),
        temporary,
        name: name.to_owned(),
        purpose: Purpose::Replacement { backup, has_owner },
    })
}

impl<F: Folder> Prepared<F> {
    /// Puts the file in its place. Where the folder [`WAITS`](Folder::WAITS), a new file takes another's
    /// place only when the caller has closed the original and calls [`Folder::finish`]. Returns what is worth a note.
    ///
    /// # Errors
    /// If the file was changed since it was opened. Then no new backup is left.
    pub(super) fn publish(self, original: &Original) -> Result<Vec<NoteKind>, PublishError> {
        let (folder, temporary, name) = (self.folder, self.temporary, self.name);
        let (backup, has_owner) = match &self.purpose {
            Purpose::Creation(claim) => {
                claim.publish(&*folder, &name, || temporary.publish(&name))?;
                folder.settle()?;
                return Ok(Vec::new());
            }
            Purpose::Replacement { backup, has_owner } => (backup.as_ref(), *has_owner),
        };
        // 1. It is still the file that was read.
        if !folder.holds(&name, &original.metadata)? {
            return Err(PublishError::Changed);
        }
        // 2. Its backup is made, unless an older one stays.
        let made = match backup {
            Some(backup) => back_up(&folder, &name, backup, original, has_owner)?,
            None => None,
        };
        if let Some(backup) = backup.filter(|_| made.is_none()) {
            check_backup(&*folder, &backup.name, original)?;
        }
        // 3. The backup records what takes the place of the file.
        let recorded = backup.map_or(Ok(()), |NewBackup { name, written }| {
            if record::add(&*folder, name, original, written, made.is_some())? {
                record::mark(temporary.file(), written);
            }
            Ok(())
        });
        // 4. The file takes its place, or the new backup goes.
        let backed_up = backup.map(|backup| &*backup.name).zip(made.as_ref());
        let published = recorded
            .map_err(PublishError::Io)
            .and_then(|()| temporary.publish_over(&name, original, backed_up));
        if let (Err(error), Some((backup, file))) = (&published, backed_up)
            && !(matches!(error, PublishError::Changed | PublishError::ChangedTwice(_))
                && is_of_another_run(&*folder, &name))
        {
            folder.take_back(backup, file);
        }
        published?;
        folder.settle()?;
        let older = backup.filter(|_| made.is_none());
        let older = older.map(|backup| NoteKind::OlderBackup((&backup.name).into()));
        let owner = (!has_owner).then_some(NoteKind::OwnerChanged);
        Ok(older.into_iter().chain(owner).collect())
    }
}

/// Whether another run was faster to replace a file: then the backup that this one has made is that one's
/// too, and the only copy of the original.
fn is_of_another_run(folder: &impl Folder, name: &OsStr) -> bool {
    let is_marked = |now: Original| {
        let sum = record::checksum(&now.file);
        sum.is_ok_and(|sum| record::is_marked(&now.file, &sum))
    };
    folder.read(name).is_ok_and(is_marked)
}

/// Checks that a file that has the name of a backup is one that a run has made, as far as the file system can
/// tell: restoring another program's would not bring back what is replaced now.
pub(super) fn check_backup(
    folder: &impl Folder,
    backup: &OsStr,
    original: &Original,
) -> Result<(), PublishError> {
    let is_foreign = match folder.read(backup) {
        Ok(backup) => record::of(&backup.file)? == Record::Missing && !is_same(&backup, original)?,
        // A run would have given it the rights of the original.
        Err(error) => error.kind() == io::ErrorKind::PermissionDenied,
    };
    if is_foreign {
        Err(PublishError::ForeignBackup(backup.to_owned()))
    } else {
        Ok(())
    }
}

/// Whether a file is the original under a second name: so a run leaves it that is killed before it sets the
/// record. On an overlay each of the two names may show its own number, so that does not tell.
fn is_same(backup: &Original, original: &Original) -> io::Result<bool> {
    let (backup_at, original_at) = (backup.metadata.modified()?, original.metadata.modified()?);
    Ok(backup_at == original_at
        && backup.metadata.len() == original.metadata.len()
        && record::checksum(&backup.file)? == record::checksum(&original.file)?)
}

/// Gives the original a second name; returns the file that then has it, or `None` if that
/// name is taken.
fn back_up(
    folder: &Rc<impl Folder>,
    name: &OsStr,
    backup: &NewBackup,
    original: &Original,
    has_owner: bool,
) -> Result<Option<Metadata>, PublishError> {
    let linked = if has_owner || !folder.keeps_links() {
        folder.link(name, &backup.name, original)
    } else {
        Err(io::ErrorKind::Unsupported.into())
    };
    let made = match linked {
        Ok(Some(linked)) => Ok(linked),
        Ok(None) => return Err(PublishError::Changed),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // A file system without hard links.
        Err(_) => copy(folder, backup, original),
    };
    match made {
        Ok(made) => Ok(Some(made)),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            match folder.look_for(&backup.name) {
                Ok(true) => Ok(None),
                // Nothing of the original would be left.
                _ => Err(PublishError::Io(io::Error::other(format!(
                    "{} should be its backup, but is a directory or a link; move that, or give --backup another suffix",
                    backup.name.display()
                )))),
            }
        }
        Err(error) => Err(error.into()),
    }
}

/// Copies the original to a name that must be free. The copy is recorded as one before it has that: after a
/// kill, nothing else would tell it from another program's.
fn copy(folder: &Rc<impl Folder>, backup: &NewBackup, original: &Original) -> io::Result<Metadata> {
    let temporary = folder.temporary(Some(&original.metadata))?;
    copy_all(&original.file, &mut temporary.file())?;
    temporary.keep_attributes(original)?;
    record::set(temporary.file(), &[&backup.written])?;
    if folder.fsync() == Fsync::Batch {
        // It gets its name between two steps that are taken for many files.
        temporary.file().sync_all()?;
    }
    let made = temporary.file().metadata()?;
    temporary.publish_new(&backup.name)?;
    Ok(made)
}

/// Replaces a file that is not a document as a whole, or makes it, and removes what killed runs left beside it.
/// A file that is replaced keeps its permissions.
#[cfg(feature = "cli")]
pub(crate) fn put(path: &Path, contents: &mut impl io::Read) -> io::Result<()> {
    let (parent, name) = path::split(path).ok_or(io::ErrorKind::InvalidInput)?;
    let root = FolderHere::root(path::or_here(parent))?;
    let folder = Rc::new(FolderHere::open(&root, Path::new(""), Fsync::Never)?);
    folder.clean(true);
    let temporary = folder.temporary(None)?;
    io::copy(contents, &mut temporary.file())?;
    if let Ok(old) = path.metadata() {
        temporary.file().set_permissions(old.permissions())?;
    }
    temporary.publish(name)
}

#[cfg(test)]
mod tests;
