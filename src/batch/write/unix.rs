//! Unix: directories held open, files without a name on Linux.

#[cfg(target_os = "linux")]
mod exchange;
mod identity;
mod stray;
mod temporary;

use std::cell::{Cell, OnceCell};
use std::ffi::{OsStr, OsString};
use std::fs::Metadata;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path};

use rustix::fs::{self, Access, AtFlags, CWD, Mode, OFlags};
use rustix::io::Errno;

use super::super::read::Original;
use super::system;
use identity::Identity;
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
    /// Whether names in it can be exchanged, as far as is known.
    #[cfg(target_os = "linux")]
    exchanges: Cell<bool>,
    /// Whether what is written in it goes over a network, once somebody has asked.
    remote: OnceCell<bool>,
}

impl Folder {
    fn new(fd: OwnedFd, durable: bool) -> Folder {
        Folder {
            fd,
            durable,
            swept: Cell::new(false),
            #[cfg(target_os = "linux")]
            exchanges: Cell::new(true),
            remote: OnceCell::new(),
        }
    }

    /// The folder at `below`, step by step from the last one that is there. `enter` takes a step: to a
    /// name, by which the path below the root becomes that.
    fn reach(
        root: &OwnedFd,
        below: &Path,
        durable: bool,
        enter: impl Fn(&Folder, &OsStr, &Path) -> rustix::io::Result<Folder> + Copy,
    ) -> io::Result<Folder> {
        if let Some(fd) = leap(root, below) {
            return Ok(Folder::new(fd, durable));
        }
        let mut components = below.components();
        let Some(step) = components.next_back() else {
            let fd = fs::openat(root, ".", FOLDER, Mode::empty())?;
            return Ok(Folder::new(fd, durable));
        };
        let above = Folder::reach(root, components.as_path(), durable, enter)?;
        match step {
            Component::Normal(name) => Ok(enter(&above, name, below)?),
            Component::CurDir => Ok(above),
            _ => Err(io::ErrorKind::InvalidInput.into()),
        }
    }

    fn enter(&self, name: &OsStr) -> rustix::io::Result<Folder> {
        let flags = FOLDER | OFlags::NOFOLLOW;
        let fd = fs::openat(&self.fd, name, flags, Mode::empty())?;
        Ok(Folder::new(fd, self.durable))
    }

    /// What a name stands for now; a symbolic link stands for itself.
    fn look(&self, name: &OsStr) -> rustix::io::Result<Identity> {
        let now = fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok(Identity::from(&now))
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
    type Root = OwnedFd;
    type Temporary<'f> = Temporary<'f>;

    fn root(path: &Path) -> io::Result<OwnedFd> {
        // An empty path means the directory that the process is in.
        let path = path.components().as_path();
        let path = if path.as_os_str().is_empty() {
            Path::new(".")
        } else {
            path
        };
        Ok(fs::openat(CWD, path, FOLDER, Mode::empty())?)
    }

    fn open(root: &OwnedFd, below: &Path, durable: bool) -> io::Result<Folder> {
        Folder::reach(root, below, durable, |folder, name, _| folder.enter(name))
    }

    fn make(
        root: &OwnedFd,
        below: &Path,
        durable: bool,
        mode: &dyn Fn(&Path) -> u32,
    ) -> io::Result<Folder> {
        Folder::reach(root, below, durable, |folder, name, below| {
            match folder.enter(name) {
                Err(Errno::NOENT) => {}
                result => return result,
            }
            match fs::mkdirat(&folder.fd, name, Mode::from_raw_mode(mode(below) as _)) {
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

    fn strays(&self) -> Vec<OsString> {
        self.list_strays()
    }

    fn clear(&self, stray: &OsStr) -> bool {
        self.clear_stray(stray)
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
        let changed = (now.st_ctime as i64, now.st_ctime_nsec as i64);
        // Replacing a file under one of several names changes the ctime that the others show.
        let is_untouched = changed == (before.ctime(), before.ctime_nsec()) || before.nlink() > 1;
        Ok(is_untouched && Identity::from(&now) == Identity::from(before))
    }

    fn link(&self, name: &OsStr, second: &OsStr, of: &Original) -> io::Result<Option<Metadata>> {
        fs::linkat(&self.fd, name, &self.fd, second, AtFlags::empty())?;
        let read = Identity::from(&of.metadata);
        // Not whether it is the same file: on an overlay each of the two names may show a number of
        // its own. An edit with the same time and length is seen when the file is replaced.
        let linked = self.look(second);
        let is_it = linked.map(|linked| linked.is_like(&read));
        if is_it != Ok(true) {
            let _ = fs::unlinkat(&self.fd, second, AtFlags::empty());
        }
        Ok(is_it?.then(|| of.metadata.clone()))
    }

    fn keeps_links(&self) -> bool {
        // In a sticky directory only the owner of a file takes a name from it.
        fs::fstat(&self.fd).is_ok_and(|folder| folder.st_mode & Mode::SVTX.bits() != 0)
    }

    fn take_back(&self, name: &OsStr, file: &Metadata) {
        let file = Identity::from(file);
        let is_it = |now: Identity| now.is_file(&file) || now.is_like(&file);
        if self.look(name).is_ok_and(is_it) {
            let _ = fs::unlinkat(&self.fd, name, AtFlags::empty());
        }
    }

    fn settle(&self) -> io::Result<()> {
        Ok(self.sync_if_durable()?)
    }

    fn symlink(&self, name: &OsStr, text: &Path) -> io::Result<()> {
        match fs::symlinkat(text, &self.fd, name) {
            Err(Errno::EXIST) => {}
            result => {
                result?;
                return Ok(self.sync_if_durable()?);
            }
        }
        let now = fs::readlinkat(&self.fd, name, Vec::new());
        if now.is_ok_and(|now| now.as_bytes() == text.as_os_str().as_bytes()) {
            return Ok(());
        }
        self.sweep();
        loop {
            let temporary = super::temporary::name();
            match fs::symlinkat(text, &self.fd, &temporary) {
                Err(Errno::EXIST) => continue,
                result => result?,
            }
            match fs::renameat(&self.fd, &temporary, &self.fd, name) {
                Ok(()) => return Ok(self.sync_if_durable()?),
                // Another run took it for a stray: a link cannot be locked.
                Err(Errno::NOENT) => {}
                Err(error) => {
                    let _ = fs::unlinkat(&self.fd, &temporary, AtFlags::empty());
                    return Err(error.into());
                }
            }
        }
    }

    fn temporary(&self, like: &Metadata) -> io::Result<Temporary<'_>> {
        Temporary::new(self, Mode::from_raw_mode((like.mode() & 0o777) as _))
    }
}

/// The directory at `below`, reached at once. `None` where that does not work, for whatever reason;
/// the way step by step will tell.
#[cfg(target_os = "linux")]
fn leap(root: &OwnedFd, below: &Path) -> Option<OwnedFd> {
    use rustix::fs::ResolveFlags;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
    let is_there = !below.as_os_str().is_empty();
    let reach = || fs::openat2(root, below, FOLDER, Mode::empty(), resolve).ok();
    is_there.then(reach).flatten()
}

#[cfg(not(target_os = "linux"))]
fn leap(_: &OwnedFd, _: &Path) -> Option<OwnedFd> {
    None
}
