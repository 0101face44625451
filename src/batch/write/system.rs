//! What each system does in its own way to replace files safely.

use std::cell::Cell;
use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io;
use std::path::Path;
use std::rc::Rc;

use super::PublishError;
use crate::batch::plan::Fsync;
use crate::batch::read::Original;

/// Which file it is, whatever its name: on Unix its device and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FileKey(pub(super) u64, pub(super) u64);

/// A directory that files are put into.
pub(crate) trait Folder: Sized {
    /// A directory that folders are reached from. If the system can hold directories open, it stays
    /// the same one, whatever takes its name meanwhile.
    type Root: std::fmt::Debug;

    /// A file in it that is not in its place yet.
    type Temporary: Temporary;

    /// The directory at `path`, wherever links in it lead.
    fn root(path: &Path) -> io::Result<Self::Root>;

    /// The folder at `below` under `root`, reached from there without following a link.
    fn open(root: &Self::Root, below: &Path, fsync: Fsync) -> io::Result<Self>;

    /// Like [`Folder::open`]; what is missing below `root` is made. `mode` says who may do what with
    /// the folder at a path below `root`, less what the system takes away from new ones.
    fn make(
        root: &Self::Root,
        below: &Path,
        fsync: Fsync,
        mode: &dyn Fn(&Path) -> u32,
    ) -> io::Result<Self>;

    /// Leftovers of killed runs were looked for in it.
    fn cleaned(&self) -> &Cell<bool>;

    /// What has a temporary file's name.
    fn leftovers(&self) -> Vec<OsString>;

    /// Removes a temporary file that a killed run left behind. One that a living process works on
    /// is locked, and stays. So does one that holds what another program wrote: then this returns
    /// `true`. Unless it `removes`, all stay, and the result is the same.
    fn clear(&self, leftover: &OsStr, removes: bool) -> bool;

    /// Clears what has a temporary file's name, if that was not done before. Returns what
    /// stays because it holds what another program wrote.
    fn clean(&self, removes: bool) -> Vec<OsString> {
        if self.cleaned().replace(true) {
            return Vec::new();
        }
        let mut leftovers = self.leftovers();
        leftovers.retain(|leftover| self.clear(leftover, removes));
        leftovers
    }

    /// Fails if no file can have this name because a directory has it. Returns whether a file
    /// has it.
    fn look_for(&self, name: &OsStr) -> io::Result<bool>;

    /// Which file a name stands for.
    fn key(&self, name: &OsStr) -> io::Result<FileKey>;

    /// Fails if the user has no right to write to a file, or to the folder, which is `.`.
    fn check_writable(&self, name: &OsStr) -> io::Result<()>;

    /// Whether the file at `name` is still the one that was read, with the same contents and
    /// permissions.
    fn holds(&self, name: &OsStr, before: &Metadata) -> io::Result<bool>;

    /// Gives a file a second name, which must be free; returns what [`Folder::take_back`] needs.
    /// `None`, and no second name, if by now it does not hold what was read.
    fn link(&self, name: &OsStr, second: &OsStr, of: &Original) -> io::Result<Option<Metadata>>;

    /// Whether another user's file could be given a second name that could not be taken away again.
    fn keeps_links(&self) -> bool;

    /// Takes away a name that this run gave to this file, unless another file has got it since.
    fn take_back(&self, name: &OsStr, file: &Metadata);

    /// Opens a file in it for reading, if it is regular and no link.
    fn read(&self, name: &OsStr) -> io::Result<Original>;

    /// Makes an empty file, whose name must be free.
    fn create(&self, name: &OsStr) -> io::Result<File>;

    /// Locks a file that was opened as `original` against other programs, until the result is closed; `None` if the system
    /// has no such lock.
    fn hold(&self, name: &OsStr, original: &Original) -> Result<Option<File>, PublishError>;

    /// Gives the file `backup` the name of another one, which is gone then, in one step: `now`, or none,
    /// if that has the name until then, as far as the system can tell.
    fn put_back(
        &self,
        backup: &OsStr,
        name: &OsStr,
        now: Option<Original>,
    ) -> Result<(), PublishError>;

    /// When what is published in it reaches the disk. With [`Fsync::Batch`] the caller sees to that
    /// (`sync`).
    fn fsync(&self) -> Fsync;

    /// The number of the file system, if one call writes all that is new there to the disk, and says
    /// whether that failed.
    fn synced_at_once(&self) -> Option<u64> {
        None
    }

    /// Whether [`Temporary::publish_over`] leaves a file to wait for [`Folder::finish`]: some systems
    /// replace no file that is open, and the original is until everything about it is known.
    const WAITS: bool = false;

    /// Puts what waits in its place, now that its original is closed. If that fails, `backup` of
    /// [`Temporary::publish_over`] is taken back.
    fn finish(&self) -> Result<(), PublishError> {
        Ok(())
    }

    /// The names that were given in it reach the disk, with [`Fsync::Always`].
    fn settle(&self) -> io::Result<()> {
        match self.fsync() {
            Fsync::Always => self.sync_names(),
            Fsync::Batch | Fsync::Never => Ok(()),
        }
    }

    /// The names that were given in it reach the disk.
    fn sync_names(&self) -> io::Result<()>;

    /// All that is new in its file system reaches the disk, where that is
    /// [`synced_at_once`](Folder::synced_at_once).
    fn sync_file_system(&self) -> io::Result<()>;

    /// Makes `name` a symbolic link, in one step. A link that has this text already
    /// stays.
    fn symlink(&self, name: &OsStr, text: &Path) -> io::Result<()>;

    /// Makes an empty file with the permissions of another one, or those that files usually have, less
    /// those that the system takes away from new files.
    fn temporary(self: &Rc<Self>, like: Option<&Metadata>) -> io::Result<Self::Temporary>;
}

/// A file that no one reads until it is published. Dropped before that, it leaves nothing behind.
pub(crate) trait Temporary {
    /// The file, to be written to.
    fn file(&self) -> &File;

    /// Gives it the attributes of a file; returns whether that includes the owner.
    fn keep_attributes(&self, of: &Original) -> io::Result<bool>;

    /// All that is new in its file system since it was made reaches the disk, where that is
    /// [`synced_at_once`](Folder::synced_at_once).
    fn sync_file_system(&self) -> io::Result<()>;

    /// Makes this file the one that `name` stands for, in one step.
    fn publish(self, name: &OsStr) -> io::Result<()>;

    /// Makes this file the one that `name` stands for, if it does not stand for any yet.
    fn publish_new(self, name: &OsStr) -> io::Result<()>;

    /// Makes this file the one that `name` stands for, in one step, if it stood for `original`
    /// until then, as far as the system can tell; or has it wait for that. `backup` is what was made
    /// of the original just before.
    fn publish_over(
        self,
        name: &OsStr,
        original: &Original,
        backup: Option<(&OsStr, &Metadata)>,
    ) -> Result<(), PublishError>;
}
