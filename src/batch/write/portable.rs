//! Systems with nothing but the standard library: paths, and temporary files with a name.

use std::cell::Cell;
use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Component, Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

use super::super::read::Original;
use super::system;
use super::temporary::{is_temporary, lock, name};

/// A directory, by its path.
#[derive(Debug)]
pub(in crate::batch) struct Folder {
    path: PathBuf,
    /// Whether the contents of what is published in it are to survive a power failure. The names
    /// cannot be made to here.
    durable: bool,
    swept: Cell<bool>,
}

impl Folder {
    fn reach(root: &Path, below: &Path, durable: bool, make: bool) -> io::Result<Folder> {
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
        Ok(Folder {
            path,
            durable,
            swept: Cell::new(false),
        })
    }

    /// Removes the temporary files that runs left behind which were killed. One that a living
    /// process works on is locked.
    fn sweep(&self) {
        if self.swept.replace(true) {
            return;
        }
        // Whatever fails here harms nobody but the next one who looks into the directory.
        let Ok(entries) = fs::read_dir(&self.path) else {
            return;
        };
        for entry in entries.flatten() {
            let is_stray = is_temporary(entry.file_name().as_encoded_bytes())
                && entry.file_type().is_ok_and(|file_type| file_type.is_file())
                && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok());
            if is_stray {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

impl system::Folder for Folder {
    type Temporary<'f> = Temporary<'f>;

    fn open(root: &Path, below: &Path, durable: bool) -> io::Result<Folder> {
        Folder::reach(root, below, durable, false)
    }

    fn make(root: &Path, below: &Path, durable: bool) -> io::Result<Folder> {
        Folder::reach(root, below, durable, true)
    }

    fn swept(&self) -> &Cell<bool> {
        &self.swept
    }

    fn check_writable(&self, name: &OsStr) -> io::Result<()> {
        if self.path.join(name).metadata()?.permissions().readonly() {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        Ok(())
    }

    fn holds(&self, name: &OsStr, before: &Metadata) -> io::Result<bool> {
        match self.path.join(name).symlink_metadata() {
            Ok(now) => Ok(now.is_file() && same(before, &now)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn link(&self, name: &OsStr, second: &OsStr) -> io::Result<()> {
        fs::hard_link(self.path.join(name), self.path.join(second))
    }

    /// It has the permissions that the system gives new files.
    fn temporary(&self, _like: &Metadata) -> io::Result<Temporary<'_>> {
        self.sweep();
        let path = self.path.join(name());
        let file = File::create_new(&path)?;
        let file = NamedTempFile::from_parts(file, TempPath::try_from_path(path)?);
        lock(file.as_file());
        Ok(Temporary { folder: self, file })
    }
}

/// Whether two looks at a file saw the same contents, as far as can be told without reading.
fn same(before: &Metadata, now: &Metadata) -> bool {
    before.len() == now.len() && before.modified().ok() == now.modified().ok()
}

/// A file with a name that nobody else uses.
#[derive(Debug)]
pub(in crate::batch) struct Temporary<'f> {
    folder: &'f Folder,
    file: NamedTempFile,
}

impl Temporary<'_> {
    /// Its contents reach the disk.
    fn sync_if_durable(&self) -> io::Result<()> {
        if self.folder.durable {
            self.file.as_file().sync_all()?;
        }
        Ok(())
    }
}

impl system::Temporary for Temporary<'_> {
    fn file(&self) -> &File {
        self.file.as_file()
    }

    /// There is nothing that the standard library could give it.
    fn keep_attributes(&self, _of: &Original) -> io::Result<()> {
        Ok(())
    }

    fn publish(self, name: &OsStr) -> io::Result<()> {
        self.sync_if_durable()?;
        self.file.persist(self.folder.path.join(name))?;
        Ok(())
    }

    fn publish_new(self, name: &OsStr) -> io::Result<()> {
        self.sync_if_durable()?;
        self.file.persist_noclobber(self.folder.path.join(name))?;
        Ok(())
    }
}
