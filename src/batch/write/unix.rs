//! Unix: directories held open, files without a name on Linux.

mod temporary;

use std::cell::{Cell, OnceCell};
use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path};

use rustix::fs::{self, Access, AtFlags, CWD, Mode, OFlags};
use rustix::io::Errno;

use super::system;
use super::temporary::is_temporary;
pub(super) use temporary::Temporary;

#[cfg(target_os = "linux")]
const FOLDER: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
#[cfg(not(target_os = "linux"))]
const FOLDER: OFlags = OFlags::DIRECTORY.union(OFlags::CLOEXEC);

/// A directory held open.
#[derive(Debug)]
pub(in crate::batch) struct Folder {
    fd: OwnedFd,
    /// Whether what is published in it is to survive a power failure.
    durable: bool,
    swept: Cell<bool>,
    /// Whether what is written in it goes over a network, once somebody has asked.
    remote: OnceCell<bool>,
}

impl Folder {
    fn reach(
        root: &Path,
        below: &Path,
        durable: bool,
        enter: impl Fn(&Folder, &OsStr) -> rustix::io::Result<Folder>,
    ) -> io::Result<Folder> {
        // An empty path means the directory that the process is in.
        let root = root.components().as_path();
        let root = if root.as_os_str().is_empty() {
            Path::new(".")
        } else {
            root
        };
        let root = Folder {
            fd: fs::openat(CWD, root, FOLDER, Mode::empty())?,
            durable,
            swept: Cell::new(false),
            remote: OnceCell::new(),
        };
        root.descend(below, &enter)
    }

    /// The folder at `below`, step by step from the last one that is there.
    fn descend(
        self,
        below: &Path,
        enter: &impl Fn(&Folder, &OsStr) -> rustix::io::Result<Folder>,
    ) -> io::Result<Folder> {
        let mut components = below.components();
        let Some(step) = components.next_back() else {
            return Ok(self);
        };
        if let Some(fd) = self.leap(below) {
            return Ok(Folder { fd, ..self });
        }
        let above = self.descend(components.as_path(), enter)?;
        match step {
            Component::Normal(name) => Ok(enter(&above, name)?),
            Component::CurDir => Ok(above),
            _ => Err(io::ErrorKind::InvalidInput.into()),
        }
    }

    /// The directory at `below`, reached at once. `None` where that does not work, for whatever
    /// reason; the way step by step will tell.
    #[cfg(target_os = "linux")]
    fn leap(&self, below: &Path) -> Option<OwnedFd> {
        use rustix::fs::ResolveFlags;
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
        fs::openat2(&self.fd, below, FOLDER, Mode::empty(), resolve).ok()
    }

    #[cfg(not(target_os = "linux"))]
    fn leap(&self, _: &Path) -> Option<OwnedFd> {
        None
    }

    fn enter(&self, name: &OsStr) -> rustix::io::Result<Folder> {
        let flags = FOLDER | OFlags::NOFOLLOW;
        Ok(Folder {
            fd: fs::openat(&self.fd, name, flags, Mode::empty())?,
            durable: self.durable,
            swept: Cell::new(false),
            remote: OnceCell::new(),
        })
    }

    /// Removes the temporary files that runs left behind which were killed. One that a living
    /// process works on is locked.
    fn sweep(&self) {
        if self.swept.replace(true) {
            return;
        }
        // Whatever fails here harms nobody but the next one who looks into the directory.
        let Ok(entries) = self.readable().and_then(fs::Dir::new) else {
            return;
        };
        for entry in entries.flatten() {
            let name = entry.file_name();
            if !is_temporary(name.to_bytes()) {
                continue;
            }
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
            let Ok(file) = fs::openat(&self.fd, name, flags, Mode::empty()).map(File::from) else {
                continue;
            };
            let is_file = file.metadata().is_ok_and(|metadata| metadata.is_file());
            if is_file && file.try_lock().is_ok() {
                let _ = fs::unlinkat(&self.fd, name, AtFlags::empty());
            }
        }
    }

    /// The names in it reach the disk.
    fn sync_if_durable(&self) -> rustix::io::Result<()> {
        if self.durable {
            fs::fsync(self.readable()?)?;
        }
        Ok(())
    }

    /// It again, for more than finding files in it.
    fn readable(&self) -> rustix::io::Result<OwnedFd> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        fs::openat(&self.fd, ".", flags, Mode::empty())
    }

    /// Whether what is written in it goes over a network.
    fn is_remote(&self) -> bool {
        #[cfg(target_os = "linux")]
        {
            // NFS, SMB, CIFS, SMB 2, Ceph, AFS and FUSE.
            const REMOTE: [u32; 7] = [
                0x6969,
                0x517b,
                0xff53_4d42,
                0xfe53_4d42,
                0x00c3_6400,
                0x5346_414f,
                0x6573_5546,
            ];
            // Its type, and with that its sign, differs from system to system.
            fs::fstatfs(&self.fd).is_ok_and(|system| REMOTE.contains(&(system.f_type as u32)))
        }
        #[cfg(not(target_os = "linux"))]
        false
    }
}

impl system::Folder for Folder {
    type Temporary<'f> = Temporary<'f>;

    fn open(root: &Path, below: &Path, durable: bool) -> io::Result<Folder> {
        Folder::reach(root, below, durable, |folder, name| folder.enter(name))
    }

    fn make(root: &Path, below: &Path, durable: bool) -> io::Result<Folder> {
        Folder::reach(root, below, durable, |folder, name| {
            match folder.enter(name) {
                Err(Errno::NOENT) => {}
                result => return result,
            }
            match fs::mkdirat(&folder.fd, name, Mode::from_raw_mode(0o777)) {
                // Another worker was faster.
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(error),
            }
            folder.sync_if_durable()?;
            folder.enter(name)
        })
    }

    fn swept(&self) -> &Cell<bool> {
        &self.swept
    }

    fn check_writable(&self, name: &OsStr) -> io::Result<()> {
        Ok(fs::accessat(
            &self.fd,
            name,
            Access::WRITE_OK,
            AtFlags::EACCESS,
        )?)
    }

    fn holds(&self, name: &OsStr, before: &Metadata) -> io::Result<bool> {
        let now = match fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => return Ok(false),
            now => now?,
        };
        // The types of the fields differ from system to system.
        #[allow(clippy::unnecessary_cast, clippy::cast_lossless)]
        Ok(now.st_dev as u64 == before.dev()
            && now.st_ino as u64 == before.ino()
            && now.st_size as u64 == before.size()
            && now.st_mtime as i64 == before.mtime()
            && now.st_mtime_nsec as i64 == before.mtime_nsec())
    }

    fn link(&self, name: &OsStr, second: &OsStr) -> io::Result<()> {
        Ok(fs::linkat(
            &self.fd,
            name,
            &self.fd,
            second,
            AtFlags::empty(),
        )?)
    }

    fn temporary(&self, like: &Metadata) -> io::Result<Temporary<'_>> {
        Temporary::new(self, Mode::from_raw_mode((like.mode() & 0o777) as _))
    }
}
