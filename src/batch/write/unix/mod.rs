//! Unix: directories held open, files without a name on Linux.

#[cfg(target_os = "linux")]
mod exchange;
mod file_system;
mod identity;
mod temporary;

use std::cell::{Cell, OnceCell};
use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::rc::Rc;

use rustix::fs::{self, Access, AtFlags, FileType, FlockOperation, Mode, OFlags};
use rustix::io::Errno;

use super::system::FileKey;
use super::{PublishError, system};
use crate::batch::plan::Fsync;
use crate::batch::read::beneath::{Directory, LinkPolicy};
use crate::batch::read::{self, Original};
use crate::batch::temporary::{exchanged, is_temporary, is_unpublished};
use file_system::FileSystem;
use identity::FileIdentity;
pub(super) use temporary::Temporary;

/// A directory held open.
#[derive(Debug)]
pub(crate) struct Folder {
    directory: Directory,
    /// When what is published in it reaches the disk.
    fsync: Fsync,
    cleaned: Cell<bool>,
    /// Whether names in it can be exchanged, as far as is known.
    #[cfg(target_os = "linux")]
    exchanges: Cell<bool>,
    /// The file system, once it was asked for.
    file_system: OnceCell<FileSystem>,
}

impl Folder {
    fn new(directory: Directory, fsync: Fsync) -> Folder {
        Folder {
            directory,
            fsync,
            cleaned: Cell::new(false),
            #[cfg(target_os = "linux")]
            exchanges: Cell::new(true),
            file_system: OnceCell::new(),
        }
    }

    /// What a name stands for now; a symbolic link stands for itself.
    fn look(&self, name: &OsStr) -> rustix::io::Result<FileIdentity> {
        let now = fs::statat(&self.directory, name, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok(FileIdentity::from(&now))
    }

    /// Gives a file another name, whatever has that name so far.
    fn rename_over(&self, from: &OsStr, to: &OsStr) -> rustix::io::Result<()> {
        fs::renameat(&self.directory, from, &self.directory, to)
    }

    /// What kind of file system it is in.
    fn file_system(&self) -> FileSystem {
        *(self.file_system).get_or_init(|| FileSystem::of(&self.directory))
    }

    /// Locks a leftover file that may be removed. After that no process renames it or gives its
    /// name to another file, except for a run that takes back an exchange; and then the file here
    /// has the new contents, which are in no place any more.
    fn lock_leftover(&self, leftover: &OsStr) -> Option<File> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = File::from(fs::openat(&self.directory, leftover, flags, Mode::empty()).ok()?);
        file.try_lock().ok()?;
        // Only now: before the lock, it could still have been exchanged, or become another file.
        let locked = FileIdentity::from(&file.metadata().ok()?);
        let now = self.look(leftover).ok()?;
        (is_ours(leftover, &locked) && now.is_file(&locked)).then_some(file)
    }
}

impl system::Folder for Folder {
    type Root = Directory;
    type Temporary = Temporary;

    fn root(path: &Path) -> io::Result<Directory> {
        Directory::by_path(path)
    }

    fn open(root: &Directory, below: &Path, fsync: Fsync) -> io::Result<Folder> {
        Ok(Folder::new(root.reach(below, &step)?, fsync))
    }

    fn make(
        root: &Directory,
        below: &Path,
        fsync: Fsync,
        mode: &dyn Fn(&Path) -> u32,
    ) -> io::Result<Folder> {
        let made = root.reach(below, &|above, name, below| {
            match step(above, name, below) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                result => return result,
            }
            match fs::mkdirat(above, name, Mode::from_raw_mode(mode(below) as _)) {
                // Another worker was faster.
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
            if fsync == Fsync::Always
                || fsync == Fsync::Batch && FileSystem::of(above).synced_at_once.is_none()
            {
                sync(above)?;
            }
            step(above, name, below)
        });
        Ok(Folder::new(made?, fsync))
    }

    fn cleaned(&self) -> &Cell<bool> {
        &self.cleaned
    }

    fn leftovers(&self) -> Vec<OsString> {
        // A failure here is harmless: whoever next reads the directory sees it too.
        let Ok(entries) = self.directory.readable().and_then(fs::Dir::new) else {
            return Vec::new();
        };
        let names = entries.flatten();
        let names = names.filter(|entry| is_temporary(entry.file_name().to_bytes()));
        names
            .map(|entry| OsString::from_vec(entry.file_name().to_bytes().to_vec()))
            .collect()
    }

    fn clear(&self, leftover: &OsStr, removes: bool) -> bool {
        let Ok(now) = self.look(leftover) else {
            return false;
        };
        let is_regular = now.is_regular();
        let is_ours = is_ours(leftover, &now);
        if !removes {
            return is_regular && !is_ours;
        }
        if !is_regular {
            // A link cannot be locked: a run that still needs it makes it again.
            if is_unpublished(leftover.as_bytes())
                && fs::readlinkat(&self.directory, leftover, Vec::new()).is_ok()
            {
                let _ = fs::unlinkat(&self.directory, leftover, AtFlags::empty());
            }
            return false;
        }
        if is_ours && let Some(_lock) = self.lock_leftover(leftover) {
            let _ = fs::unlinkat(&self.directory, leftover, AtFlags::empty());
        }
        !is_ours
    }

    fn look_for(&self, name: &OsStr) -> io::Result<bool> {
        match self.directory.file_type(name) {
            Ok(FileType::Directory) => Err(Errno::ISDIR.into()),
            Ok(file_type) => Ok(file_type.is_file()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn key(&self, name: &OsStr) -> io::Result<FileKey> {
        Ok(self.look(name)?.key())
    }

    fn check_writable(&self, name: &OsStr) -> io::Result<()> {
        let (directory, flags) = (&self.directory, AtFlags::EACCESS);
        Ok(fs::accessat(directory, name, Access::WRITE_OK, flags)?)
    }

    fn holds(&self, name: &OsStr, before: &Metadata) -> io::Result<bool> {
        let now = match fs::statat(&self.directory, name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => return Ok(false),
            now => now?,
        };
        // The types of the fields differ from system to system.
        #[allow(clippy::unnecessary_cast, clippy::cast_lossless)]
        let changed = (now.st_ctime as i64, now.st_ctime_nsec as i64);
        // Replacing a file under one of several names changes the ctime that the others show.
        let is_untouched = changed == (before.ctime(), before.ctime_nsec()) || before.nlink() > 1;
        Ok(is_untouched && FileIdentity::from(&now) == FileIdentity::from(before))
    }

    fn link(&self, name: &OsStr, second: &OsStr, of: &Original) -> io::Result<Option<Metadata>> {
        let directory = &self.directory;
        fs::linkat(directory, name, directory, second, AtFlags::empty())?;
        let read = FileIdentity::from(&of.metadata);
        // It is not checked whether it is the same file: on an overlay each of the two names may
        // show its own number. An edit with the same time and length is seen when the file is
        // replaced.
        let linked = self.look(second);
        let is_it = linked.map(|linked| linked.is_like(&read));
        if is_it != Ok(true) {
            let _ = fs::unlinkat(&self.directory, second, AtFlags::empty());
        }
        Ok(is_it?.then(|| of.metadata.clone()))
    }

    fn keeps_links(&self) -> bool {
        // In a sticky directory only the owner of a file can take a name from it.
        fs::fstat(&self.directory).is_ok_and(|folder| folder.st_mode & Mode::SVTX.bits() != 0)
    }

    fn take_back(&self, name: &OsStr, file: &Metadata) {
        let file = FileIdentity::from(file);
        let is_it = |now: FileIdentity| now.is_file(&file) || now.is_like(&file);
        if self.look(name).is_ok_and(is_it) {
            let _ = fs::unlinkat(&self.directory, name, AtFlags::empty());
        }
    }

    fn read(&self, name: &OsStr) -> io::Result<Original> {
        read::regular_file(self.directory.open(name, LinkPolicy::Refuse)?)
    }

    fn create(&self, name: &OsStr) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let mode = Mode::RUSR | Mode::WUSR | Mode::RGRP | Mode::ROTH;
        Ok(fs::openat(&self.directory, name, flags, mode)?.into())
    }

    fn hold(&self, name: &OsStr, original: &Original) -> Result<Option<File>, PublishError> {
        let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = fs::openat(&self.directory, name, flags, Mode::empty());
        let file = File::from(file.map_err(io::Error::from)?);
        let now = FileIdentity::from(&file.metadata()?);
        if !now.is_file(&FileIdentity::from(&original.metadata)) {
            return Err(PublishError::Changed);
        }
        match fs::fcntl_lock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Some(file)),
            Err(Errno::AGAIN | Errno::ACCESS) => Err(PublishError::Locked(None)),
            // A file system without locks.
            Err(_) => Ok(None),
        }
    }

    fn put_back(
        &self,
        backup: &OsStr,
        name: &OsStr,
        now: Option<Original>,
    ) -> Result<(), PublishError> {
        #[cfg(target_os = "linux")]
        let now = match now {
            Some(now) if self.exchanges.get() => return self.exchange_back(backup, name, now),
            now => now,
        };
        let holds = match now {
            Some(now) => self.holds(name, &now.metadata)?,
            None => self.look(name) == Err(Errno::NOENT),
        };
        if holds {
            Ok(self.rename_over(backup, name).map_err(io::Error::from)?)
        } else {
            Err(PublishError::Changed)
        }
    }

    fn fsync(&self) -> Fsync {
        self.fsync
    }

    fn synced_at_once(&self) -> Option<u64> {
        self.file_system().synced_at_once
    }

    fn sync_names(&self) -> io::Result<()> {
        Ok(sync(&self.directory)?)
    }

    fn sync_file_system(&self) -> io::Result<()> {
        Ok(file_system::sync(&self.directory.readable()?)?)
    }

    fn symlink(&self, name: &OsStr, text: &Path) -> io::Result<()> {
        match fs::symlinkat(text, &self.directory, name) {
            Err(Errno::EXIST) => {}
            result => {
                result?;
                return self.settle();
            }
        }
        let now = fs::readlinkat(&self.directory, name, Vec::new());
        if now.is_ok_and(|now| now.as_bytes() == text.as_os_str().as_bytes()) {
            return Ok(());
        }
        self.clean(true);
        loop {
            let temporary = crate::batch::temporary::name();
            match fs::symlinkat(text, &self.directory, &temporary) {
                Err(Errno::EXIST) => continue,
                result => result?,
            }
            match self.rename_over(&temporary, name) {
                Ok(()) => return self.settle(),
                // Another run took it for a leftover: a link cannot be locked.
                Err(Errno::NOENT) => {}
                Err(error) => {
                    let _ = fs::unlinkat(&self.directory, &temporary, AtFlags::empty());
                    return Err(error.into());
                }
            }
        }
    }

    fn temporary(self: &Rc<Self>, like: Option<&Metadata>) -> io::Result<Temporary> {
        let mode = like.map_or(0o666, |like| like.mode() & 0o777);
        Temporary::new(self, Mode::from_raw_mode(mode as _))
    }
}

/// Whether a leftover is known to be a file that no run needs and no other program wrote: contents
/// that are in no place yet, or those that were read and then replaced.
fn is_ours(leftover: &OsStr, file: &FileIdentity) -> bool {
    file.is_regular()
        && exchanged(leftover.as_bytes())
            .is_none_or(|(new, old)| [new, old].contains(&file.number()))
}

/// Takes a step to a directory; the error for a link there names it.
fn step(above: &Directory, name: &OsStr, below: &Path) -> io::Result<Directory> {
    above
        .step(name)
        .map_err(|error| match above.file_type(name) {
            Ok(FileType::Symlink) => super::behind_link(below),
            _ => error,
        })
}

/// The names in a directory reach the disk.
fn sync(directory: &Directory) -> rustix::io::Result<()> {
    fs::fsync(directory.readable()?)
}
