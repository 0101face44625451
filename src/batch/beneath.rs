//! Directories held open, and what lies below them, reached without following a symbolic link.
//!
//! A run opens each directory PATH once. What the walk lists below it is opened from there, so that
//! a link that somebody puts in the place of a directory meanwhile leads nowhere. Where links are to
//! be followed, files are opened by their paths.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use super::path;
use super::read::Links;

#[cfg(not(unix))]
pub(super) use portable::Directory;
#[cfg(unix)]
pub(super) use unix::Directory;

impl Directory {
    /// Asks for what lies at `below` this directory: `ask` gets the directory that it lies in, and
    /// its name there.
    pub(super) fn at<T>(
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

/// What is said where a link is met that the walk did not see.
fn swapped() -> io::Error {
    io::Error::other("a symbolic link was put into this path during the run")
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsString;
    use std::fs::File;
    use std::os::fd::OwnedFd;
    use std::os::unix::ffi::OsStringExt;
    use std::path::Component;

    use rustix::fs::{self, AtFlags, FileType, Mode, OFlags};
    use rustix::io::Errno;

    use super::super::read::flags;
    use super::{Links, OsStr, Path, PathBuf, io, swapped};

    #[cfg(target_os = "linux")]
    const HELD: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
    #[cfg(not(target_os = "linux"))]
    const HELD: OFlags = OFlags::DIRECTORY.union(OFlags::CLOEXEC);

    /// A directory held open.
    #[derive(Debug)]
    pub(in crate::batch) struct Directory(OwnedFd);

    impl Directory {
        /// The directory at a path whose links are the user's will.
        pub(in crate::batch) fn named(path: &Path) -> io::Result<Directory> {
            Ok(Directory(fs::open(path, HELD, Mode::empty())?))
        }

        /// The directory at `below` this one.
        pub(in crate::batch) fn enter(&self, below: &Path) -> io::Result<Directory> {
            match self.leap(below) {
                Some(directory) => Ok(directory),
                None => self.descend(below),
            }
        }

        /// The directory at `below`, step by step.
        fn descend(&self, below: &Path) -> io::Result<Directory> {
            let mut reached = None;
            for component in below.components() {
                let above: &Directory = reached.as_ref().unwrap_or(self);
                reached = Some(match component {
                    Component::Normal(name) => above.step(name)?,
                    Component::CurDir => above.step(OsStr::new("."))?,
                    _ => return Err(io::ErrorKind::InvalidInput.into()),
                });
            }
            reached.ok_or_else(|| io::ErrorKind::InvalidInput.into())
        }

        /// The directory at `below`, reached at once. `None` where that does not work, for whatever
        /// reason; the way step by step will tell.
        #[cfg(target_os = "linux")]
        fn leap(&self, below: &Path) -> Option<Directory> {
            use rustix::fs::ResolveFlags;
            let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
            let reached = fs::openat2(&self.0, below, HELD, Mode::empty(), resolve);
            reached.ok().map(Directory)
        }

        #[cfg(not(target_os = "linux"))]
        fn leap(&self, _: &Path) -> Option<Directory> {
            None
        }

        fn step(&self, name: &OsStr) -> io::Result<Directory> {
            let reached = fs::openat(&self.0, name, HELD | OFlags::NOFOLLOW, Mode::empty());
            reached
                .map(Directory)
                .map_err(|error| self.told(name, error))
        }

        /// Opens what the name stands for to be read, whatever it is.
        pub(in crate::batch) fn open(&self, name: &OsStr, links: Links) -> io::Result<File> {
            match fs::openat(&self.0, name, flags(links), Mode::empty()) {
                Ok(file) => Ok(file.into()),
                Err(error) if links == Links::Refuse => Err(self.told(name, error)),
                Err(error) => Err(error.into()),
            }
        }

        /// Why a name could not be opened. What the system says of a link tells nobody what happened.
        fn told(&self, name: &OsStr, error: Errno) -> io::Error {
            match self.file_type(name) {
                Ok(FileType::Symlink) => swapped(),
                _ => error.into(),
            }
        }

        /// What the name stands for, be it a link.
        fn file_type(&self, name: &OsStr) -> io::Result<FileType> {
            let stat = fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?;
            Ok(FileType::from_raw_mode(stat.st_mode))
        }

        pub(in crate::batch) fn is_file(&self, name: &OsStr) -> io::Result<bool> {
            Ok(self.file_type(name)?.is_file())
        }

        /// The text of a symbolic link.
        pub(in crate::batch) fn read_link(&self, name: &OsStr) -> io::Result<PathBuf> {
            let text = fs::readlinkat(&self.0, name, Vec::new())?;
            Ok(OsString::from_vec(text.into_bytes()).into())
        }

        /// The mode of a directory that is made as a copy of it: its own, as with `cp -r`, less what
        /// the umask takes away. But the owner of a copy may always write to it: nothing could be
        /// put into the copy of a read-only one, in this run or the next.
        pub(in crate::batch) fn mode_of_copy(&self) -> io::Result<u32> {
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

        /// At once and step by step, as where the system has nothing better.
        #[test]
        fn no_link_on_the_way_is_followed() {
            let temporary = tempfile::tempdir().unwrap();
            let here = temporary.path();
            create_dir_all(here.join("d/e")).unwrap();
            write(here.join("d/e/f"), "f").unwrap();
            for (text, link) in [("e", "d/to_e"), ("d", "to_d"), ("e/f", "d/to_f")] {
                symlink(text, here.join(link)).unwrap();
            }
            let root = Directory::named(here).unwrap();
            let swapped = swapped().to_string();
            for reach in [Directory::enter, Directory::descend] {
                let reached = |below: &str| reach(&root, below.as_ref());
                let told = |below| reached(below).unwrap_err().to_string();
                for below in ["to_d", "to_d/", "to_d/e", "d/to_e", "d/to_e/", "d/to_f"] {
                    assert_eq!(told(below), swapped, "{below}");
                }
                for below in ["none", "d/e/f", "d/e/f/g", "..", "/", "d/../.."] {
                    assert_ne!(told(below), swapped, "{below}");
                }
                for below in ["d/e", "d/e/", "d/./e"] {
                    let mut text = String::new();
                    let opened = reached(below).unwrap().open("f".as_ref(), Links::Refuse);
                    opened.unwrap().read_to_string(&mut text).unwrap();
                    assert_eq!(text, "f", "{below}");
                }
            }
            let d = root.enter("d".as_ref()).unwrap();
            let link = "to_f".as_ref();
            assert_eq!(
                d.open(link, Links::Refuse).unwrap_err().to_string(),
                swapped
            );
            assert!(d.open(link, Links::Follow).is_ok());
            assert!(!d.is_file(link).unwrap() && !d.is_file("e".as_ref()).unwrap());
            assert_eq!(d.read_link(link).unwrap(), Path::new("e/f"));
            assert!(root.at("d/e/f".as_ref(), Directory::is_file).unwrap());
            assert!(root.at("to_d/e/f".as_ref(), Directory::is_file).is_err());
        }
    }
}

#[cfg(not(unix))]
mod portable {
    use std::fs::File;
    use std::path::Component;

    use super::{Links, OsStr, Path, PathBuf, io, swapped};

    /// A directory, by its path.
    #[derive(Debug)]
    pub(in crate::batch) struct Directory(PathBuf);

    impl Directory {
        /// The directory at a path whose links are the user's will.
        pub(in crate::batch) fn named(path: &Path) -> io::Result<Directory> {
            if path.metadata()?.is_dir() {
                Ok(Directory(path.to_owned()))
            } else {
                Err(io::ErrorKind::NotADirectory.into())
            }
        }

        /// The directory at `below` this one.
        pub(in crate::batch) fn enter(&self, below: &Path) -> io::Result<Directory> {
            let mut path = self.0.clone();
            for component in below.components() {
                if !matches!(component, Component::Normal(_) | Component::CurDir) {
                    return Err(io::ErrorKind::InvalidInput.into());
                }
                path.push(component);
                if path.symlink_metadata()?.is_symlink() {
                    return Err(swapped());
                }
            }
            Directory::named(&path)
        }

        /// Opens what the name stands for to be read.
        pub(in crate::batch) fn open(&self, name: &OsStr, links: Links) -> io::Result<File> {
            let path = self.0.join(name);
            if links == Links::Refuse && path.symlink_metadata()?.is_symlink() {
                return Err(swapped());
            }
            File::open(path)
        }

        pub(in crate::batch) fn is_file(&self, name: &OsStr) -> io::Result<bool> {
            Ok(self.0.join(name).symlink_metadata()?.is_file())
        }

        /// The text of a symbolic link.
        pub(in crate::batch) fn read_link(&self, name: &OsStr) -> io::Result<PathBuf> {
            self.0.join(name).read_link()
        }

        /// There are no modes.
        pub(in crate::batch) fn mode_of_copy(&self) -> io::Result<u32> {
            Ok(0)
        }
    }
}
