//! Where a file's new contents go.

mod mail;

use std::collections::{BTreeSet, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use super::outputs::{Claim, Outputs};
use super::{Contents, Folder as _, FolderHere, Folders, Lock, PublishError};
use crate::batch::find::source::Source;
use crate::batch::find::walk::Item;
use crate::batch::plan::{Fsync, Input, Output, Plan, Task};
use crate::batch::read::beneath::Directory;
use crate::batch::read::{Original, windows_names};
use crate::batch::report::{FileError, Note, NoteKind};
use crate::batch::{path, write};

/// Makes the output directory, unless it is there. If it takes the contents of one directory, it
/// gets the mode of a copy.
pub(crate) fn make_output(directory: &Path, sources: &[Source<'_>]) -> io::Result<()> {
    #[cfg(unix)]
    if let [source] = sources
        && let Input::Directory(path) = source.input
        && let Ok(like) = Directory::by_path(path)
    {
        use std::os::unix::fs::DirBuilderExt;
        let directory = directory.components().as_path();
        if let Some(above) = directory.parent() {
            fs::create_dir_all(above)?;
        }
        let made = fs::DirBuilder::new()
            .mode(like.mode_of_copy()?)
            .create(directory);
        return match made {
            Err(_) if directory.is_dir() => Ok(()),
            made => made,
        };
    }
    #[cfg(not(unix))]
    let _ = sources;
    fs::create_dir_all(directory)
}

/// Where the files of a run go.
#[derive(Debug)]
pub(crate) struct Destination<'p> {
    plan: &'p Plan,
    /// Nothing is written; it is only checked what could be.
    tries: bool,
    folders: Folders<'p>,
    /// The file that waits to be put in its place together with others.
    pub(crate) prepared: Option<WaitingFile>,
    /// All inputs of the run.
    sources: &'p [Source<'p>],
    outputs: Arc<Outputs>,
    /// Another name for the item in the output directory.
    renamed: Option<OsString>,
    /// The directory whose messages were renamed last, and the names there that several would get.
    contested: Option<(PathBuf, HashSet<OsString>)>,
    /// Keeps other programs from the item. It does not wait then.
    lock: Option<Lock>,
    /// The Maildir below the output directory whose directories were made last.
    maildir: Option<PathBuf>,
    /// The directory in which compressed copies were looked for last, and the compressed files there.
    packed: Option<(PathBuf, HashSet<OsString>)>,
    /// How many files of this run there are in the output directory, or how many would be replaced
    /// there.
    pub(crate) placed: u64,
}

impl<'p> Destination<'p> {
    /// `output` is the output directory, if there is one.
    pub(crate) fn new(
        plan: &'p Plan,
        sources: &'p [Source<'p>],
        output: Option<&'p write::Root>,
        outputs: Arc<Outputs>,
    ) -> Self {
        Destination {
            plan,
            sources,
            outputs,
            tries: tries(plan),
            folders: Folders::new(output, plan.fsync),
            prepared: None,
            renamed: None,
            contested: None,
            lock: None,
            maildir: None,
            packed: None,
            placed: 0,
        }
    }

    /// Puts the new contents of a file where they belong, or checks whether that could be done.
    /// Returns what is worth a note. With [`Fsync::Batch`] the file only waits for that:
    /// [`Destination::prepared`].
    pub(crate) fn put(
        &mut self,
        item: &Item<'_>,
        contents: Contents<'_>,
        original: &Original,
    ) -> Result<Vec<NoteKind>, FileError> {
        match self.plan.output() {
            Some(Output::Directory { .. }) => {
                let places = if self.tries {
                    self.look_for(item)?
                } else {
                    self.create(item, contents, original)?
                };
                self.placed += u64::from(places);
                Ok(Vec::new())
            }
            Some(Output::InPlace { backup }) => {
                // In place, nothing outside PATH is written to.
                if let Some(target) = behind_link(self.plan, item) {
                    return Err(FileError::LinkOutside(target));
                }
                let replaced = if self.tries {
                    self.own_folder(item, |folder, name| {
                        folder.check_writable(name)?;
                        folder.check_writable(OsStr::new("."))?;
                        if let Some(suffix) = backup {
                            let backup = with_suffix(name, suffix);
                            write::check_backup(&**folder, &backup, original)?;
                        }
                        Ok(Vec::new())
                    })
                } else {
                    self.replace(item, contents, original, backup.as_deref())
                };
                replaced.map_err(|refused| refused.of(&item.path))
            }
            Some(Output::Stdout) | None => Ok(Vec::new()),
        }
    }

    /// The same for a file that goes along with the one that was put before: it waits for no other.
    pub(crate) fn put_along(
        &mut self,
        item: &Item<'_>,
        contents: Contents<'_>,
        original: &Original,
    ) -> Result<(), FileError> {
        let waiting = self.prepared.take();
        let put = self.put(item, contents, original);
        let Some(own) = std::mem::replace(&mut self.prepared, waiting) else {
            return put.map(drop);
        };
        let synced = write::sync::contents(std::iter::once(&own.write));
        let is_placed = own.new.is_some();
        own.publish(&item.path, synced.into_iter().collect())?;
        self.placed += u64::from(is_placed);
        Ok(())
    }

    /// Ends what [`Destination::put`] began, now that the item's file is closed.
    pub(crate) fn finish(&mut self, item: &Item<'_>) -> Result<(), FileError> {
        let finished = self.folders.finish();
        (self.renamed, self.lock) = (None, None);
        finished.map_err(|refused| refused.of(&item.path))
    }

    /// Where an item goes below the output directory.
    fn below(&self, item: &Item<'_>) -> PathBuf {
        let below = item.source.destination(item.relative());
        match &self.renamed {
            Some(name) => below.with_file_name(name),
            None => below.into_owned(),
        }
    }

    /// How many compressed copies of a file there are beside the place where it was or would be changed: those
    /// in its own directory, which are copied with it or stay there.
    pub(crate) fn compressed_copies(&mut self, item: &Item<'_>) -> u64 {
        let stays = self.plan.is_in_place();
        if !stays && !self.plan.copies_others() {
            return 0;
        }
        let (Some(directory), Some(name)) = (item.path.parent(), item.path.file_name()) else {
            return 0;
        };
        let is_known = (self.packed.as_ref())
            .is_some_and(|(last, _)| last.as_os_str() == directory.as_os_str());
        if !is_known {
            self.packed = Some((directory.to_owned(), packed_in(directory)));
        }
        // Most directories have none.
        let Some((_, packed)) = self.packed.as_ref().filter(|(_, it)| !it.is_empty()) else {
            return 0;
        };
        let is_there = |ending: &&&str| {
            let mut copy = name.to_owned();
            copy.push(".");
            copy.push(ending);
            packed.contains(&copy)
        };
        COPIES.iter().filter(is_there).count() as u64
    }

    /// Makes a symbolic link at its place below the output directory, or checks whether that could be
    /// done. It has the text of the original; whether that leads anywhere from its new place is not
    /// checked.
    pub(crate) fn link(&mut self, item: &Item<'_>, text: &Path) -> Result<(), FileError> {
        if self.tries {
            return self.look_for(item).map(drop);
        }
        let claim = self.claim(item);
        self.make(item, |folder, name| {
            Ok(claim.publish(&**folder, name, || folder.symlink(name, text))?)
        })
    }

    fn holds_back(&self) -> bool {
        self.plan.fsync == Fsync::Batch && !FolderHere::WAITS && self.lock.is_none()
    }

    /// Writes a file in the output directory. Returns whether it is there, and does not wait.
    fn create(
        &mut self,
        item: &Item<'_>,
        contents: Contents<'_>,
        original: &Original,
    ) -> Result<bool, FileError> {
        self.make_maildir(item)?;
        let claim = self.claim(item);
        let prepared = self.make(item, |folder, name| {
            write::creation(folder, name, contents, original, claim)
        })?;
        let path = self.in_output(&self.below(item));
        if self.holds_back() {
            let original = original.try_clone().map_err(FileError::Read)?;
            self.prepared = Some(WaitingFile {
                write: prepared,
                original,
                new: Some(path),
            });
            return Ok(false);
        }
        let published = prepared.publish(original).map(|_| true);
        published.map_err(|refused| refused.of(&path))
    }

    /// Does something in the folder that an item goes to; it gets the item's name there. The folder
    /// is made if it is missing.
    fn make<T>(
        &mut self,
        item: &Item<'_>,
        act: impl FnOnce(&Rc<FolderHere>, &OsStr) -> Result<T, PublishError>,
    ) -> Result<T, FileError> {
        let below = self.below(item);
        let result = split_plain(&below).and_then(|(parent, name)| {
            let folder = self.folders.make(parent, &|below| mode(item, below))?;
            Ok((folder, name))
        });
        let result = result.map_err(PublishError::Io);
        let result = result.and_then(|(folder, name)| act(folder, name));
        result.map_err(|refused| refused.of(&self.in_output(&below)))
    }

    fn claim(&self, item: &Item<'_>) -> Claim {
        let is_listed = self.sources.iter().any(|it| it.input == item.source.input);
        let is_renamed = self.renamed.is_some() || !is_listed;
        self.outputs.claim(&item.path, is_renamed)
    }

    /// Where a directory PATH is that has this place in the output directory.
    pub(crate) fn listed(&self, below: &Path) -> Option<&'p Source<'p>> {
        self.sources.iter().find(|it| it.below_output == below)
    }

    pub(crate) fn in_output(&self, below: &Path) -> PathBuf {
        let directory = self.plan.output_directory().unwrap_or(Path::new(""));
        directory.join(below)
    }

    fn not_written(&self, below: &Path, source: io::Error) -> FileError {
        let path = self.in_output(below);
        FileError::Write { path, source }
    }

    /// Looks for a file at an item's destination, whose folder would be made in the nearest one
    /// that is there. Returns whether a file would be replaced.
    fn look_for(&mut self, item: &Item<'_>) -> Result<bool, FileError> {
        let below = self.below(item);
        let result = split_plain(&below).and_then(|(parent, name)| {
            self.claim(item).try_publish(&below)?;
            for folder in parent.ancestors() {
                match self.folders.find(folder) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    found => {
                        let found = found?;
                        found.check_writable(OsStr::new("."))?;
                        return if folder == parent {
                            found.look_for(name)
                        } else {
                            Ok(false)
                        };
                    }
                }
            }
            Ok(false)
        });
        result.map_err(|source| self.not_written(&below, source))
    }

    /// Does something in the folder that an item is in; it gets the item's name there.
    fn own_folder<T>(
        &mut self,
        item: &Item<'_>,
        act: impl FnOnce(&Rc<FolderHere>, &OsStr) -> Result<T, PublishError>,
    ) -> Result<T, PublishError> {
        match item.source.input {
            Input::Directory(root) => {
                let (parent, name) = split(item.relative())?;
                act(self.folders.open(root, parent)?, name)
            }
            // A link that the user named stays a link: what it leads to is replaced.
            Input::File(_) | Input::Stdin => {
                let resolved = item.path.canonicalize()?;
                let (parent, name) = split(&resolved)?;
                act(self.folders.open(parent, Path::new(""))?, name)
            }
        }
    }

    /// Replaces a file where it is. Returns what is worth a note.
    fn replace(
        &mut self,
        item: &Item<'_>,
        contents: Contents<'_>,
        original: &Original,
        suffix: Option<&OsStr>,
    ) -> Result<Vec<NoteKind>, PublishError> {
        let holds_back = self.holds_back();
        let mut prepared = None;
        let notes = self.own_folder(item, |folder, name| {
            let backup = suffix.map(|suffix| with_suffix(name, suffix));
            let write = write::replacement(folder, name, contents, original, backup.as_deref())?;
            if holds_back {
                prepared = Some(WaitingFile {
                    write,
                    original: original.try_clone()?,
                    new: None,
                });
                return Ok(Vec::new());
            }
            write.publish(original)
        });
        self.prepared = prepared;
        notes
    }

    /// Removes a temporary file of a run that was killed, if files are replaced. Returns a note
    /// about one that stays because it holds what another program wrote.
    pub(crate) fn clear(&mut self, source: &Source<'_>, leftover: &Path) -> Option<NoteKind> {
        let (parent, name) = path::split(path::below(source.path(), leftover))?;
        // In a directory that cannot be opened now, nothing is replaced either.
        let folder = self.folders.open(source.path(), parent).ok()?;
        let removes = matches!(self.plan.task, Task::Rewrite(Output::InPlace { .. }));
        folder
            .clear(name, removes)
            .then(|| NoteKind::EditLeft(name.into()))
    }
}

/// A file whose new contents are written, and wait to be put in their place together with others.
#[derive(Debug)]
pub(crate) struct WaitingFile {
    pub(crate) write: write::Prepared,
    original: Original,
    /// Its path in the output directory; `None` if it takes the place of the original.
    pub(crate) new: Option<PathBuf>,
}

impl WaitingFile {
    /// Puts the file in its place, if its contents are on the disk. `path` is that of the original. Returns what is worth
    /// a note.
    pub(crate) fn publish(
        self,
        path: &Path,
        synced: io::Result<()>,
    ) -> Result<Vec<NoteKind>, FileError> {
        let published = match synced {
            Ok(()) => self.write.publish(&self.original),
            Err(error) => Err(error.into()),
        };
        published.map_err(|refused| refused.of(self.new.as_deref().unwrap_or(path)))
    }
}

fn with_suffix(name: &OsStr, suffix: &OsStr) -> OsString {
    let mut backup = name.to_owned();
    backup.push(suffix);
    backup
}

fn tries(plan: &Plan) -> bool {
    matches!(plan.task, Task::Try { .. })
}

/// Removes what such runs left beside files that were named and will be rewritten in place, once
/// and before any of them is; in a directory that was named, the walk finds it. Returns notes about
/// what stays, or would.
pub(crate) fn clear_beside(plan: &Plan, sources: &[Source<'_>]) -> Vec<Note> {
    let mut notes = Vec::new();
    if !plan.is_in_place() {
        return notes;
    }
    let mut folders: Folders<'_> = Folders::new(None, plan.fsync);
    let mut cleared = BTreeSet::new();
    for source in sources {
        let Input::File(path) = source.input else {
            continue;
        };
        let Ok(resolved) = path.canonicalize() else {
            continue;
        };
        if let Some((parent, _)) = path::split(&resolved)
            && cleared.insert(parent.to_owned())
            && let Ok(folder) = folders.open(parent, Path::new(""))
        {
            notes.extend(folder.clean(!tries(plan)).into_iter().map(|name| Note {
                path: parent.to_owned(),
                what: NoteKind::EditLeft(name.into()),
            }));
        }
    }
    notes
}

/// The endings of compressed copies, as servers send them in a page's place.
const COPIES: [&str; 3] = ["gz", "br", "zst"];

/// The names of compressed files in a directory.
fn packed_in(directory: &Path) -> HashSet<OsString> {
    let entries = Path::new(".").join(directory).read_dir();
    let entries = entries.into_iter().flatten().flatten();
    let is_packed = |entry: &fs::DirEntry| {
        let name = entry.file_name();
        let ending = Path::new(&name).extension();
        ending.is_some_and(|ending| COPIES.iter().any(|copy| ending == *copy))
            && entry.file_type().is_ok_and(|it| it.is_file())
    };
    let packed = entries.filter(is_packed);
    packed.map(|entry| entry.file_name()).collect()
}

/// The mode of a new directory at `below` the output directory: that of its original.
fn mode(item: &Item<'_>, below: &Path) -> u32 {
    let source = item.source;
    let relative = below.strip_prefix(&source.below_output).unwrap_or(below);
    let like = match &item.root {
        Some(root) => root.enter(relative),
        None => Directory::by_path(&source.path().join(relative)),
    };
    // If that is gone, only the owner gets in.
    like.and_then(|like| like.mode_of_copy()).unwrap_or(0o700)
}

fn split(path: &Path) -> io::Result<(&Path, &OsStr)> {
    path::split(path).ok_or_else(|| io::ErrorKind::InvalidInput.into())
}

/// The same of a file that is to be made.
fn split_plain(path: &Path) -> io::Result<(&Path, &OsStr)> {
    windows_names::refuse(path)?;
    split(path)
}

/// Where a file is that the walk got to through a symbolic link, if files are replaced. It is not: nothing outside PATH
/// is written to, and nothing is written twice.
pub(crate) fn behind_link(plan: &Plan, item: &Item<'_>) -> Option<PathBuf> {
    let is_found = matches!(item.source.input, Input::Directory(_));
    if !(plan.is_in_place() && plan.selection.follow_links && is_found) {
        return None;
    }
    let own = item.source.canonical.as_ref()?.join(item.relative());
    // If it is gone, opening it will say so.
    (item.path.canonicalize().ok()).filter(|path| *path != own)
}
