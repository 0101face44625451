//! Systems with nothing but the standard library: paths, and temporary files with a name.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Component, Path, PathBuf};

use tempfile::NamedTempFile;

use super::super::read::Original;

/// A directory, by its path.
#[derive(Debug)]
pub(in crate::batch) struct Folder(PathBuf);

impl Folder {
    /// The folder at `below` under `root`, reached from there without following a link.
    pub(super) fn open(root: &Path, below: &Path) -> io::Result<Folder> {
        Folder::reach(root, below, false)
    }

    /// Like [`Folder::open`]; what is missing below `root` is made.
    pub(super) fn make(root: &Path, below: &Path) -> io::Result<Folder> {
        Folder::reach(root, below, true)
    }

    fn reach(root: &Path, below: &Path, make: bool) -> io::Result<Folder> {
        let mut path = root.to_owned();
        for component in below.components() {
            match component {
                Component::Normal(name) => path.push(name),
                Component::CurDir => continue,
                _ => return Err(io::ErrorKind::InvalidInput.into()),
            }
            match path.symlink_metadata() {
                Ok(metadata) if metadata.is_dir() => {}
                Ok(_) => return Err(io::ErrorKind::NotADirectory.into()),
                Err(error) if make && error.kind() == io::ErrorKind::NotFound => {
                    match fs::create_dir(&path) {
                        // Another worker was faster.
                        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                        result => result?,
                    }
                }
                Err(error) => return Err(error),
            }
        }
        Ok(Folder(path))
    }

    /// Fails where the user has no right to write to a file.
    pub(super) fn check_writable(&self, name: &OsStr) -> io::Result<()> {
        if self.0.join(name).metadata()?.permissions().readonly() {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        Ok(())
    }

    /// Whether the file at `name` is still the one that was read.
    pub(super) fn holds(&self, name: &OsStr, before: &Metadata) -> io::Result<bool> {
        match self.0.join(name).symlink_metadata() {
            Ok(now) => Ok(now.is_file() && same(before, &now)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Gives a file a second name, which must be free.
    pub(super) fn link(&self, name: &OsStr, second: &OsStr) -> io::Result<()> {
        fs::hard_link(self.0.join(name), self.0.join(second))
    }
}

/// Whether two looks at a file saw the same contents, as far as can be told without reading.
fn same(before: &Metadata, now: &Metadata) -> bool {
    before.len() == now.len() && before.modified().ok() == now.modified().ok()
}

/// A file that nobody reads until it is [published](Temporary::publish). Dropped before that, it
/// is removed.
#[derive(Debug)]
pub(super) struct Temporary<'f> {
    folder: &'f Folder,
    file: NamedTempFile,
}

impl<'f> Temporary<'f> {
    /// Makes an empty one, with the permissions that the system gives new files.
    pub(super) fn new(folder: &'f Folder, _like: &Metadata) -> io::Result<Self> {
        let file = tempfile::Builder::new()
            .prefix(".abslink-")
            .tempfile_in(&folder.0)?;
        Ok(Temporary { folder, file })
    }

    /// The file, to be written to.
    pub(super) fn file(&self) -> &File {
        self.file.as_file()
    }

    /// Makes this file the one that `name` stands for, in one step.
    pub(super) fn publish(self, name: &OsStr) -> io::Result<()> {
        self.file.persist(self.folder.0.join(name))?;
        Ok(())
    }

    /// Makes this file the one that `name` stands for, if it does not stand for any.
    pub(super) fn publish_new(self, name: &OsStr) -> io::Result<()> {
        self.file.persist_noclobber(self.folder.0.join(name))?;
        Ok(())
    }
}

/// Gives `file` what `original` has besides its contents: nothing that the standard library could
/// give it.
pub(super) fn keep_attributes(_original: &Original, _file: &File) -> io::Result<()> {
    Ok(())
}
