//! Systems with nothing but the standard library: directories by their paths.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::{LinkPolicy, swapped};
use crate::batch::path::or_here;
use crate::batch::read::windows_names;

/// Opens a path for reading, whatever it is. The user gave it, so its links are followed.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

#[derive(Debug)]
pub(crate) struct Directory(PathBuf);

impl Directory {
    /// The directory at a path that the user gave, so its links are followed. An empty path means the
    /// working directory.
    pub(crate) fn by_path(path: &Path) -> io::Result<Directory> {
        let path = or_here(path);
        if path.metadata()?.is_dir() {
            Ok(Directory(path.to_owned()))
        } else {
            Err(io::ErrorKind::NotADirectory.into())
        }
    }

    /// The directory at `below` this one.
    pub(crate) fn enter(&self, below: &Path) -> io::Result<Directory> {
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
        Directory::by_path(&path)
    }

    /// Opens what the name stands for, for reading.
    pub(crate) fn open(&self, name: &OsStr, links: LinkPolicy) -> io::Result<File> {
        windows_names::refuse(Path::new(name))?;
        let path = self.0.join(name);
        if links == LinkPolicy::Refuse && path.symlink_metadata()?.is_symlink() {
            return Err(swapped());
        }
        File::open(path)
    }

    pub(crate) fn is_file(&self, name: &OsStr) -> io::Result<bool> {
        Ok(self.0.join(name).symlink_metadata()?.is_file())
    }

    /// The names of the directories in it.
    pub(crate) fn directories(&self) -> io::Result<Vec<OsString>> {
        let entries = self.0.read_dir()?.flatten();
        let directories = entries.filter(|entry| entry.file_type().is_ok_and(|it| it.is_dir()));
        Ok(directories.map(|entry| entry.file_name()).collect())
    }

    /// The text of a symbolic link.
    pub(crate) fn read_link(&self, name: &OsStr) -> io::Result<PathBuf> {
        self.0.join(name).read_link()
    }

    /// There are no modes.
    pub(crate) fn mode_of_copy(&self) -> io::Result<u32> {
        Ok(0)
    }
}
