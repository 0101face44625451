//! Files that are not in their places yet: without a name on Linux.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;
#[cfg(target_os = "linux")]
use std::path::Path;

use rustix::fs::{self, AtFlags, CWD, Mode, OFlags};
use rustix::io::Errno;
use xattr::FileExt;

use super::super::super::read::Original;
use super::super::system;
use super::super::temporary::{lock, name as temporary_name};
use super::Folder;

/// A file that has a name only where the system has no others.
#[derive(Debug)]
pub(in crate::batch) struct Temporary<'f> {
    folder: &'f Folder,
    file: File,
    /// None where it has no name yet.
    name: Option<OsString>,
}

impl<'f> Temporary<'f> {
    pub(super) fn new(folder: &'f Folder, mode: Mode) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        match unnamed(folder, mode) {
            Ok(file) => {
                return Ok(Temporary {
                    folder,
                    file,
                    name: None,
                });
            }
            // What file systems and kernels without such files answer.
            Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::NOENT | Errno::INVAL) => {}
            Err(error) => return Err(error.into()),
        }
        Temporary::named(folder, mode)
    }

    /// What a file system without files that have no name leads to.
    pub(in crate::batch::write) fn named(folder: &'f Folder, mode: Mode) -> io::Result<Self> {
        folder.sweep();
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        loop {
            let name = temporary_name();
            match fs::openat(&folder.fd, &name, flags, mode) {
                Ok(fd) => {
                    let file = File::from(fd);
                    lock(&file);
                    return Ok(Temporary {
                        folder,
                        file,
                        name: Some(name),
                    });
                }
                Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Its contents reach the disk. Over a network they do so in any case when a file is closed, and
    /// that there is no room is said no earlier: too late for a file that is in its place.
    fn sync(&self) -> io::Result<()> {
        if self.folder.durable || *self.folder.remote.get_or_init(|| self.folder.is_remote()) {
            self.file.sync_all()?;
        }
        Ok(())
    }

    /// Gives a file without a name one that nobody uses. A process that is killed before it takes
    /// the name away again leaves a stray.
    fn give_temporary_name(&self) -> rustix::io::Result<OsString> {
        self.folder.sweep();
        lock(&self.file);
        loop {
            let name = temporary_name();
            match self.give_name(&name) {
                Err(Errno::EXIST) => {}
                result => return result.map(|()| name),
            }
        }
    }

    /// Gives a file without a name one that must be free.
    #[cfg(target_os = "linux")]
    fn give_name(&self, name: &OsStr) -> rustix::io::Result<()> {
        use std::os::fd::AsRawFd;
        use std::sync::atomic::{AtomicBool, Ordering};
        /// The direct way needs a capability, or Linux 6.10; who lacks both need not ask again.
        static DIRECTLY: AtomicBool = AtomicBool::new(true);
        if DIRECTLY.load(Ordering::Relaxed) {
            match fs::linkat(&self.file, "", &self.folder.fd, name, AtFlags::EMPTY_PATH) {
                Err(Errno::NOENT | Errno::PERM | Errno::INVAL) => {
                    DIRECTLY.store(false, Ordering::Relaxed);
                }
                result => return result,
            }
        }
        let path = format!("/proc/self/fd/{}", self.file.as_raw_fd());
        fs::linkat(CWD, path, &self.folder.fd, name, AtFlags::SYMLINK_FOLLOW)
    }

    /// Every file has a name here.
    #[cfg(not(target_os = "linux"))]
    fn give_name(&self, _: &OsStr) -> rustix::io::Result<()> {
        Err(Errno::OPNOTSUPP)
    }
}

impl system::Temporary for Temporary<'_> {
    fn file(&self) -> &File {
        &self.file
    }

    fn publish(mut self, name: &OsStr) -> io::Result<()> {
        self.sync()?;
        let temporary = match self.name.take() {
            Some(temporary) => temporary,
            None => match self.give_name(name) {
                // Linking cannot replace, but renaming can.
                Err(Errno::EXIST) => self.give_temporary_name()?,
                result => {
                    result?;
                    return Ok(self.folder.sync_if_durable()?);
                }
            },
        };
        let result = fs::renameat(&self.folder.fd, &temporary, &self.folder.fd, name);
        if result.is_err() {
            self.name = Some(temporary);
        }
        result?;
        Ok(self.folder.sync_if_durable()?)
    }

    fn publish_new(mut self, name: &OsStr) -> io::Result<()> {
        self.sync()?;
        let Some(temporary) = &self.name else {
            return Ok(self.give_name(name)?);
        };
        match fs::statat(&self.folder.fd, name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => {}
            Err(error) => return Err(error.into()),
            Ok(_) => return Err(Errno::EXIST.into()),
        }
        fs::renameat(&self.folder.fd, temporary, &self.folder.fd, name)?;
        self.name = None;
        Ok(())
    }

    fn keep_attributes(&self, of: &Original) -> io::Result<()> {
        use std::os::unix::fs::fchown;
        let Original { file, metadata } = of;
        let owner_kept = fchown(&self.file, Some(metadata.uid()), Some(metadata.gid())).is_ok();
        if !owner_kept {
            // Only the superuser gives files away; a group of one's own is allowed more often.
            let _ = fchown(&self.file, None, Some(metadata.gid()));
        }
        if xattr::SUPPORTED_PLATFORM {
            keep_extended_attributes(file, &self.file)?;
        }
        // After the owner, whose change takes bits away, and after an ACL, which changes them.
        let kept = if owner_kept { 0o7777 } else { 0o1777 };
        let mode = Mode::from_raw_mode((metadata.mode() & kept) as _);
        Ok(fs::fchmod(&self.file, mode)?)
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if let Some(name) = &self.name {
            // There is nobody left to tell that even this failed.
            let _ = fs::unlinkat(&self.folder.fd, name, AtFlags::empty());
        }
    }
}

/// A file without a name, if the system can give it one later.
#[cfg(target_os = "linux")]
fn unnamed(folder: &Folder, mode: Mode) -> rustix::io::Result<File> {
    use std::sync::LazyLock;
    static CAN_BE_NAMED: LazyLock<bool> = LazyLock::new(|| Path::new("/proc/self/fd").exists());
    if !*CAN_BE_NAMED {
        return Err(Errno::OPNOTSUPP);
    }
    let flags = OFlags::WRONLY | OFlags::TMPFILE | OFlags::CLOEXEC;
    fs::openat(&folder.fd, ".", flags, mode).map(File::from)
}

fn keep_extended_attributes(from: &File, to: &File) -> io::Result<()> {
    let names = match from.list_xattr() {
        // The file system has none.
        Err(error) if error.kind() == io::ErrorKind::Unsupported => return Ok(()),
        names => names?,
    };
    for name in names {
        let Some(value) = from.get_xattr(&name)? else {
            continue;
        };
        let result = to.set_xattr(&name, &value);
        // The others belong to the system, which gives every file its own.
        if name.as_encoded_bytes().starts_with(b"user.") {
            result?;
        }
    }
    Ok(())
}
