//! Systems with nothing but the standard library: paths, and temporary files with a name.

use std::cell::{Cell, RefCell};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;
use std::thread;
use std::time::Duration;

use tempfile::{NamedTempFile, TempPath};

use super::system::{FileKey, Folder as _};
use super::{PublishError, system};
use crate::batch::plan::Fsync;
use crate::batch::read::{self, Original};
use crate::batch::temporary;

#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    /// When the contents of what is published in it reach the disk; with [`Fsync::Batch`] before each is
    /// published, too. For the names that is not possible here.
    fsync: Fsync,
    cleaned: Cell<bool>,
    /// What takes its place when the originals are closed.
    waiting: RefCell<Vec<Waiting>>,
}

/// A new file whose original is still open.
#[derive(Debug)]
struct Waiting {
    file: NamedTempFile,
    name: OsString,
    original: Metadata,
    backup: Option<(OsString, Metadata)>,
}

impl Folder {
    fn reach(root: &Path, below: &Path, fsync: Fsync, make: bool) -> io::Result<Folder> {
        let mut path = root.to_owned();
        for component in below.components() {
            match component {
                Component::Normal(name) => path.push(name),
                Component::CurDir => continue,
                _ => return Err(io::ErrorKind::InvalidInput.into()),
            }
            match path.symlink_metadata() {
                Ok(metadata) if metadata.is_dir() => {}
                Ok(found) if found.is_symlink() => return Err(super::behind_link(&path)),
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
            fsync,
            cleaned: Cell::new(false),
            waiting: RefCell::default(),
        })
    }

    /// It was checked just before, and that is all that can be done here.
    fn replace(&self, waiting: Waiting) -> Result<(), PublishError> {
        let name = &waiting.name;
        let replaced = match self.holds(name, &waiting.original) {
            Ok(true) => persist(waiting.file, &self.path.join(name)).map_err(PublishError::Io),
            Ok(false) => Err(PublishError::Changed),
            Err(error) => Err(PublishError::Io(error)),
        };
        if replaced.is_err()
            && let Some((backup, of)) = waiting.backup
        {
            self.take_back(&backup, &of);
        }
        replaced
    }
}

impl system::Folder for Folder {
    /// By its path as well: whatever takes its name meanwhile takes its place.
    type Root = PathBuf;
    type Temporary = Temporary;

    fn root(path: &Path) -> io::Result<PathBuf> {
        Ok(path.to_owned())
    }

    fn open(root: &PathBuf, below: &Path, fsync: Fsync) -> io::Result<Folder> {
        Folder::reach(root, below, fsync, false)
    }

    /// They have the permissions that the system gives new directories.
    fn make(
        root: &PathBuf,
        below: &Path,
        fsync: Fsync,
        _mode: &dyn Fn(&Path) -> u32,
    ) -> io::Result<Folder> {
        Folder::reach(root, below, fsync, true)
    }

    fn cleaned(&self) -> &Cell<bool> {
        &self.cleaned
    }

    fn leftovers(&self) -> Vec<OsString> {
        // A failure here is harmless: whoever next reads the directory sees it too.
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name());
        names
            .filter(|name| temporary::is_temporary(name.as_encoded_bytes()))
            .collect()
    }

    /// What took part in an exchange stays: only other systems can tell whose it is.
    fn clear(&self, leftover: &OsStr, removes: bool) -> bool {
        let path = self.path.join(leftover);
        let is_dead = || match path.symlink_metadata() {
            Ok(metadata) if metadata.is_file() => {
                File::open(&path).is_ok_and(|file| file.try_lock().is_ok())
            }
            // It cannot be locked: a run that still needs it makes it again.
            Ok(metadata) => metadata.is_symlink(),
            Err(_) => false,
        };
        if removes && temporary::is_unpublished(leftover.as_encoded_bytes()) && is_dead() {
            let _ = fs::remove_file(&path);
        }
        false
    }

    fn look_for(&self, name: &OsStr) -> io::Result<bool> {
        match self.path.join(name).symlink_metadata() {
            Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(found) => Ok(found.is_file()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// By its name: most of these systems ignore case, and none says which file it is.
    fn key(&self, name: &OsStr) -> io::Result<FileKey> {
        let path = self.path.join(name);
        path.symlink_metadata()?;
        let mut hasher = DefaultHasher::new();
        path.to_string_lossy().to_lowercase().hash(&mut hasher);
        Ok(FileKey(0, hasher.finish()))
    }

    fn check_writable(&self, name: &OsStr) -> io::Result<()> {
        let path = self.path.join(name);
        let metadata = path.metadata()?;
        // On Windows the attribute says nothing of the kind about a directory: it has an icon of its own.
        let is_free = metadata.is_dir() && cfg!(windows);
        if metadata.permissions().readonly() && !is_free {
            Err(io::ErrorKind::PermissionDenied.into())
        } else if metadata.is_dir() {
            Ok(())
        } else {
            check_released(&path)
        }
    }

    fn holds(&self, name: &OsStr, before: &Metadata) -> io::Result<bool> {
        match self.path.join(name).symlink_metadata() {
            Ok(now) => Ok(now.is_file() && same(before, &now)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn link(&self, name: &OsStr, second: &OsStr, of: &Original) -> io::Result<Option<Metadata>> {
        fs::hard_link(self.path.join(name), self.path.join(second))?;
        let is_it = self.holds(second, &of.metadata);
        if !matches!(is_it, Ok(true)) {
            let _ = fs::remove_file(self.path.join(second));
        }
        Ok(is_it?.then(|| of.metadata.clone()))
    }

    fn keeps_links(&self) -> bool {
        false
    }

    fn take_back(&self, name: &OsStr, file: &Metadata) {
        if matches!(self.holds(name, file), Ok(true)) {
            let _ = fs::remove_file(self.path.join(name));
        }
    }

    fn read(&self, name: &OsStr) -> io::Result<Original> {
        let path = self.path.join(name);
        if path.symlink_metadata()?.is_symlink() {
            return Err(super::behind_link(&path));
        }
        read::regular_file(File::open(path)?)
    }

    fn create(&self, name: &OsStr) -> io::Result<File> {
        File::create_new(self.path.join(name))
    }

    fn hold(&self, _: &OsStr, _: &Original) -> Result<Option<File>, PublishError> {
        Ok(None)
    }

    fn put_back(
        &self,
        backup: &OsStr,
        name: &OsStr,
        now: Option<Original>,
    ) -> Result<(), PublishError> {
        let holds = match now {
            Some(Original { file, metadata }) => {
                // An open file could not be replaced; bound by `..` it would be open until the end.
                drop(file);
                self.holds(name, &metadata)?
            }
            None => !self.path.join(name).try_exists()?,
        };
        if holds {
            Ok(fs::rename(self.path.join(backup), self.path.join(name))?)
        } else {
            Err(PublishError::Changed)
        }
    }

    fn fsync(&self) -> Fsync {
        self.fsync
    }

    const WAITS: bool = true;

    fn finish(&self) -> Result<(), PublishError> {
        let mut waiting = self.waiting.take().into_iter();
        waiting.try_for_each(|waiting| self.replace(waiting))
    }

    fn sync_names(&self) -> io::Result<()> {
        Ok(())
    }

    fn sync_file_system(&self) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn symlink(&self, name: &OsStr, text: &Path) -> io::Result<()> {
        let path = self.path.join(name);
        if fs::read_link(&path).is_ok_and(|now| now == text) {
            return Ok(());
        }
        self.clean(true);
        loop {
            let temporary = self.path.join(temporary::name());
            make_link(text, &temporary)?;
            match fs::rename(&temporary, &path) {
                // Another run took it for a leftover.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                result => {
                    return result.inspect_err(|_| drop(fs::remove_file(&temporary)));
                }
            }
        }
    }

    /// It has the permissions that the system gives new files.
    fn temporary(self: &Rc<Self>, _like: Option<&Metadata>) -> io::Result<Temporary> {
        self.clean(true);
        // A run that is cleaning up may remove some before they are locked, but not for ever.
        for _ in 0..100 {
            let path = self.path.join(temporary::name());
            let file = File::create_new(&path)?;
            let file = NamedTempFile::from_parts(file, TempPath::try_from_path(path)?);
            if temporary::lock(file.as_file()) && file.path().try_exists()? {
                let folder = Rc::clone(self);
                return Ok(Temporary { folder, file });
            }
        }
        Err(io::Error::other("a temporary file cannot be locked"))
    }
}

/// Makes a symbolic link, where the system has such.
fn make_link(text: &Path, path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::symlink(text, path);
    #[cfg(windows)]
    {
        // There are two kinds. What the link leads to, if that exists, decides which one it is.
        use std::os::windows::fs::{symlink_dir, symlink_file};
        if path.with_file_name(text).is_dir() {
            symlink_dir(text, path)
        } else {
            symlink_file(text, path)
        }
    }
    #[cfg(not(any(unix, windows)))]
    Err(io::ErrorKind::Unsupported.into())
}

/// Fails if another program holds a file so that it cannot be replaced. It is asked before a backup is made,
/// which could not be removed again either.
fn check_released(path: &Path) -> io::Result<()> {
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt as _;
        const DELETE: u32 = 0x1_0000;
        File::options().access_mode(DELETE).open(path)?;
    }
    let _ = path;
    Ok(())
}

/// Gives a file its name, whatever has that so far. On Windows that fails while anybody reads the old file:
/// another worker that looks for its URL, an indexer, a virus scanner. They are done soon.
fn persist(mut file: NamedTempFile, path: &Path) -> io::Result<()> {
    let is_passing = |kind| cfg!(windows) && kind == io::ErrorKind::PermissionDenied;
    let mut pause = Duration::from_millis(1);
    loop {
        match file.persist(path) {
            Ok(_) => return Ok(()),
            // As `look_for` says it: Windows calls it a matter of permissions.
            Err(_) if path.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Err(refused) if is_passing(refused.error.kind()) && pause < LONGEST_PAUSE => {
                file = refused.file;
                thread::sleep(pause);
                pause *= 2;
            }
            Err(refused) => return Err(refused.error),
        }
    }
}

/// How long the last pause is; all together are as long again.
const LONGEST_PAUSE: Duration = Duration::from_millis(512);

/// Whether a file had the same contents both times, as far as can be told without reading.
fn same(before: &Metadata, now: &Metadata) -> bool {
    before.len() == now.len() && before.modified().ok() == now.modified().ok()
}

/// A file with a name that nobody else uses.
#[derive(Debug)]
pub(crate) struct Temporary {
    folder: Rc<Folder>,
    file: NamedTempFile,
}

impl Temporary {
    /// Its contents reach the disk, if they are to.
    fn settle(&self) -> io::Result<()> {
        match self.folder.fsync {
            Fsync::Never => Ok(()),
            Fsync::Batch | Fsync::Always => self.file.as_file().sync_all(),
        }
    }
}

impl system::Temporary for Temporary {
    fn file(&self) -> &File {
        self.file.as_file()
    }

    /// The standard library can set none of them.
    fn keep_attributes(&self, _of: &Original) -> io::Result<bool> {
        Ok(true)
    }

    fn sync_file_system(&self) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn publish(self, name: &OsStr) -> io::Result<()> {
        self.settle()?;
        persist(self.file, &self.folder.path.join(name))
    }

    fn publish_new(self, name: &OsStr) -> io::Result<()> {
        self.settle()?;
        self.file.persist_noclobber(self.folder.path.join(name))?;
        Ok(())
    }

    fn publish_over(
        self,
        name: &OsStr,
        original: &Original,
        backup: Option<(&OsStr, &Metadata)>,
    ) -> Result<(), PublishError> {
        self.settle()?;
        self.folder.waiting.borrow_mut().push(Waiting {
            file: self.file,
            name: name.to_owned(),
            original: original.metadata.clone(),
            backup: backup.map(|(name, of)| (name.to_owned(), of.clone())),
        });
        Ok(())
    }
}
