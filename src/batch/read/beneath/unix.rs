//! Unix: directories held open.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{self, AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;

use super::{LinkPolicy, swapped};
use crate::batch::path::or_here;

#[cfg(target_os = "linux")]
const HELD: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
#[cfg(not(target_os = "linux"))]
const HELD: OFlags = OFlags::DIRECTORY.union(OFlags::CLOEXEC);

/// How a file is opened for reading: without waiting if it is a FIFO.
fn flags(links: LinkPolicy) -> OFlags {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOCTTY | OFlags::NONBLOCK;
    match links {
        LinkPolicy::Refuse => flags | OFlags::NOFOLLOW,
        LinkPolicy::Follow => flags,
    }
}

/// Opens a path for reading, whatever it is. The user gave it, so its links are followed.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    Ok(fs::open(path, flags(LinkPolicy::Follow), Mode::empty())?.into())
}

/// A directory held open.
#[derive(Debug)]
pub(crate) struct Directory(OwnedFd);

impl AsFd for Directory {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl Directory {
    /// The directory at a path that the user gave, so its links are followed. An empty path means the
    /// working directory.
    pub(crate) fn by_path(path: &Path) -> io::Result<Directory> {
        Ok(Directory(fs::open(or_here(path), HELD, Mode::empty())?))
    }

    /// The directory at `below` this one.
    pub(crate) fn enter(&self, below: &Path) -> io::Result<Directory> {
        self.reach(below, &|above, name, _| above.step(name))
    }

    /// The directory at `below` this one. From the last one that is there, it goes on by such steps: from a directory to
    /// the one with this name in it, whose path from the start of the way is given too.
    pub(crate) fn reach(
        &self,
        below: &Path,
        step: &dyn Fn(&Directory, &OsStr, &Path) -> io::Result<Directory>,
    ) -> io::Result<Directory> {
        self.reach_by(below, Directory::leap, step)
    }

    fn reach_by(
        &self,
        below: &Path,
        leap: fn(&Directory, &Path) -> Option<Directory>,
        step: &dyn Fn(&Directory, &OsStr, &Path) -> io::Result<Directory>,
    ) -> io::Result<Directory> {
        if let Some(reached) = leap(self, below) {
            return Ok(reached);
        }
        let mut components = below.components();
        let Some(last) = components.next_back() else {
            return self.step(OsStr::new("."));
        };
        let above = self.reach_by(components.as_path(), leap, step)?;
        match last {
            Component::Normal(name) => step(&above, name, below),
            Component::CurDir => Ok(above),
            _ => Err(io::ErrorKind::InvalidInput.into()),
        }
    }

    /// The directory at `below`, reached at once. `None` if that does not work, for whatever
    /// reason; going step by step will show it.
    #[cfg(target_os = "linux")]
    fn leap(&self, below: &Path) -> Option<Directory> {
        use rustix::fs::ResolveFlags;
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
        let is_there = !below.as_os_str().is_empty();
        let reach = || fs::openat2(&self.0, below, HELD, Mode::empty(), resolve).ok();
        is_there.then(reach).flatten().map(Directory)
    }

    #[cfg(not(target_os = "linux"))]
    fn leap(&self, _: &Path) -> Option<Directory> {
        None
    }

    pub(crate) fn step(&self, name: &OsStr) -> io::Result<Directory> {
        let reached = fs::openat(&self.0, name, HELD | OFlags::NOFOLLOW, Mode::empty());
        reached
            .map(Directory)
            .map_err(|error| self.reason(name, error))
    }

    /// Opens what the name stands for, for reading, whatever it is.
    pub(crate) fn open(&self, name: &OsStr, links: LinkPolicy) -> io::Result<File> {
        match fs::openat(&self.0, name, flags(links), Mode::empty()) {
            Ok(file) => Ok(file.into()),
            Err(error) if links == LinkPolicy::Refuse => Err(self.reason(name, error)),
            Err(error) => Err(error.into()),
        }
    }

    /// Why a name could not be opened. The system's error for a link does not say what happened.
    fn reason(&self, name: &OsStr, error: Errno) -> io::Error {
        match self.file_type(name) {
            Ok(FileType::Symlink) => swapped(),
            _ => error.into(),
        }
    }

    /// What the name stands for, even if it is a link.
    pub(crate) fn file_type(&self, name: &OsStr) -> io::Result<FileType> {
        let stat = fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok(FileType::from_raw_mode(stat.st_mode))
    }

    pub(crate) fn is_file(&self, name: &OsStr) -> io::Result<bool> {
        Ok(self.file_type(name)?.is_file())
    }

    /// The directory opened again, to do more than find files in it.
    pub(crate) fn readable(&self) -> rustix::io::Result<OwnedFd> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        fs::openat(&self.0, ".", flags, Mode::empty())
    }

    /// The names of the directories in it.
    pub(crate) fn directories(&self) -> io::Result<Vec<OsString>> {
        let entries = fs::Dir::new(self.readable()?)?.flatten();
        let named = entries.map(|entry| {
            let name = OsString::from_vec(entry.file_name().to_bytes().to_vec());
            (name, entry.file_type())
        });
        // Not every file system tells.
        let is_directory = |name: &OsStr, told| match told {
            FileType::Unknown => self.file_type(name).is_ok_and(|it| it.is_dir()),
            told => told.is_dir(),
        };
        let directories =
            named.filter(|(name, told)| name != "." && name != ".." && is_directory(name, *told));
        Ok(directories.map(|(name, _)| name).collect())
    }

    /// The text of a symbolic link.
    pub(crate) fn read_link(&self, name: &OsStr) -> io::Result<PathBuf> {
        let text = fs::readlinkat(&self.0, name, Vec::new())?;
        Ok(OsString::from_vec(text.into_bytes()).into())
    }

    /// The mode for a copy of this directory: its own, as with `cp -r`, less what the umask takes
    /// away. But the owner may always write to the copy: nothing could be put into a copy of a
    /// read-only directory, in this run or the next.
    pub(crate) fn mode_of_copy(&self) -> io::Result<u32> {
        // The type differs from system to system.
        #[allow(clippy::useless_conversion)]
        let mode = u32::from(fs::fstat(&self.0)?.st_mode);
        Ok(mode & 0o1777 | 0o700)
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{create_dir_all, write};
    use std::io::Read;
    use std::os::unix::fs::symlink;

    use super::*;

    /// At once and step by step, as on a system that has nothing better.
    #[test]
    fn no_link_on_the_way_is_followed() {
        let temporary = tempfile::tempdir().unwrap();
        let here = temporary.path();
        create_dir_all(here.join("d/e")).unwrap();
        write(here.join("d/e/f"), "f").unwrap();
        for (text, link) in [("e", "d/to_e"), ("d", "to_d"), ("e/f", "d/to_f")] {
            symlink(text, here.join(link)).unwrap();
        }
        let root = Directory::by_path(here).unwrap();
        let swapped = swapped().to_string();
        let never: fn(&Directory, &Path) -> Option<Directory> = |_, _| None;
        for leap in [Directory::leap, never] {
            let reached = |below: &str| {
                root.reach_by(below.as_ref(), leap, &|above, name, _| above.step(name))
            };
            let reason = |below| reached(below).unwrap_err().to_string();
            for below in ["to_d", "to_d/", "to_d/e", "d/to_e", "d/to_e/", "d/to_f"] {
                assert_eq!(reason(below), swapped, "{below}");
            }
            for below in ["none", "d/e/f", "d/e/f/g", "..", "/", "d/../.."] {
                assert_ne!(reason(below), swapped, "{below}");
            }
            for below in ["d/e", "d/e/", "d/./e"] {
                let mut text = String::new();
                let opened = reached(below)
                    .unwrap()
                    .open("f".as_ref(), LinkPolicy::Refuse);
                opened.unwrap().read_to_string(&mut text).unwrap();
                assert_eq!(text, "f", "{below}");
            }
        }
        let d = root.enter("d".as_ref()).unwrap();
        let link = "to_f".as_ref();
        assert_eq!(
            d.open(link, LinkPolicy::Refuse).unwrap_err().to_string(),
            swapped
        );
        assert!(d.open(link, LinkPolicy::Follow).is_ok());
        assert!(!d.is_file(link).unwrap() && !d.is_file("e".as_ref()).unwrap());
        assert_eq!(d.read_link(link).unwrap(), Path::new("e/f"));
        assert!(root.at("d/e/f".as_ref(), Directory::is_file).unwrap());
        assert!(root.at("to_d/e/f".as_ref(), Directory::is_file).is_err());
    }
}
