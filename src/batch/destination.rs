//! Where a file's new contents go.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::beneath::Directory;
use super::path;
use super::plan::{Input, Output, Plan, Task};
use super::read::Original;
use super::report::{FileError, Note, NoteKind};
use super::source::Source;
use super::walk::Item;
use super::write::{self, Contents, FolderHere, Folders, Refused};

/// Makes the output directory, unless it is there. If it takes the contents of one directory, it is
/// a copy of that.
pub(super) fn make_output(directory: &Path, sources: &[Source<'_>]) -> io::Result<()> {
    #[cfg(unix)]
    if let [source] = sources
        && let Input::Directory(path) = source.input
        && let Ok(like) = Directory::named(path)
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

/// Writes a file to its place below the output directory.
pub(super) fn create(
    folders: &mut Folders<'_>,
    directory: &Path,
    item: &Item<'_>,
    contents: Contents<'_>,
    original: &Original,
) -> Result<(), FileError> {
    below_output(folders, directory, item, |folder, name| {
        write::create(folder, name, contents, original)
    })
}

/// Makes a symbolic link at its place below the output directory. It has the text of the one that it
/// is a copy of: whether that leads anywhere from there is not looked at.
pub(super) fn link(
    folders: &mut Folders,
    directory: &Path,
    item: &Item<'_>,
    text: &Path,
) -> Result<(), FileError> {
    below_output(folders, directory, item, |folder, name| {
        write::link(folder, name, text)
    })
}

/// Does something in the folder that an item goes to, which gets its name there.
fn below_output(
    folders: &mut Folders,
    directory: &Path,
    item: &Item<'_>,
    act: impl FnOnce(&FolderHere, &OsStr) -> io::Result<()>,
) -> Result<(), FileError> {
    let below = item.source.destination(item.relative());
    let result = split(&below).and_then(|(parent, name)| {
        let folder = folders.make(parent, &|below| mode(item, below))?;
        act(folder, name)
    });
    result.map_err(|source| FileError::Write {
        path: directory.join(below),
        source,
    })
}

/// The mode of a new directory at `below` the output directory: that of the one which it is a copy
/// of.
fn mode(item: &Item<'_>, below: &Path) -> u32 {
    let source = item.source;
    let relative = below.strip_prefix(&source.below_output).unwrap_or(below);
    let mode = match &item.root {
        Some(root) => root.enter(relative).and_then(|like| like.mode_of_copy()),
        None => {
            Directory::named(&source.path().join(relative)).and_then(|like| like.mode_of_copy())
        }
    };
    // If it is gone, nobody but the owner gets in.
    mode.unwrap_or(0o700)
}

/// Replaces a file where it is. The answer is what is worth a word.
pub(super) fn replace(
    folders: &mut Folders<'_>,
    plan: &Plan,
    item: &Item<'_>,
    contents: Contents<'_>,
    original: &Original,
    backup: Option<&OsStr>,
) -> Result<Vec<NoteKind>, FileError> {
    check_reach(plan, item)?;
    let result = replace_in_folder(folders, item, contents, original, backup);
    result.map_err(|refused| match refused {
        Refused::Changed => FileError::Changed,
        Refused::ChangedTwice(edit) => FileError::ChangedTwice(edit.into()),
        Refused::Io(source) => FileError::Write {
            path: item.path.clone(),
            source,
        },
    })
}

/// Looks at what would be written to, and writes nothing. The answer is whether a file would be
/// replaced in the output directory.
pub(super) fn try_out(plan: &Plan, item: &Item<'_>) -> Result<bool, FileError> {
    match plan.output() {
        Some(Output::Directory { directory, .. }) => {
            let target = directory.join(item.source.destination(item.relative()));
            Ok(target.symlink_metadata().is_ok_and(|found| found.is_file()))
        }
        Some(Output::InPlace { .. }) => check_reach(plan, item).map(|()| false),
        Some(Output::Stdout) | None => Ok(false),
    }
}

/// In place, nothing outside PATH is written to.
fn check_reach(plan: &Plan, item: &Item<'_>) -> Result<(), FileError> {
    match reach(plan, item) {
        Reach::Outside(target) => Err(FileError::LinkOutside(target)),
        Reach::Own | Reach::Inside => Ok(()),
    }
}

fn replace_in_folder(
    folders: &mut Folders<'_>,
    item: &Item<'_>,
    contents: Contents<'_>,
    original: &Original,
    backup: Option<&OsStr>,
) -> Result<Vec<NoteKind>, Refused> {
    let resolved;
    let (folder, name) = match item.source.input {
        Input::Directory(root) => {
            let (parent, name) = split(item.relative())?;
            (folders.open(root, parent)?, name)
        }
        // A link that the user named stays one: what it leads to is replaced.
        Input::File(_) | Input::Stdin => {
            resolved = item.path.canonicalize()?;
            let (parent, name) = split(&resolved)?;
            (folders.open(parent, Path::new(""))?, name)
        }
    };
    let backup = backup.map(|suffix| {
        let mut backup = name.to_owned();
        backup.push(suffix);
        backup
    });
    let replaced = write::replace(folder, name, contents, original, backup.as_deref())?;
    let mut notes = Vec::new();
    if let Some(backup) = backup.filter(|_| !replaced.backed_up) {
        notes.push(NoteKind::BackupKept(backup.into()));
    }
    if !replaced.owner_kept {
        notes.push(NoteKind::OwnerChanged);
    }
    Ok(notes)
}

/// Removes a temporary file of a run that was killed. The answer is a word about one that stays,
/// because it holds what another program wrote.
pub(super) fn clear(
    folders: &mut Folders<'_>,
    source: &Source<'_>,
    stray: &Path,
) -> Option<NoteKind> {
    let (parent, name) = path::split(path::below(source.path(), stray))?;
    // A directory that cannot be opened now has nothing replaced in it either.
    let folder = folders.open(source.path(), parent).ok()?;
    write::clear(folder, name).then(|| NoteKind::EditKept(name.into()))
}

/// Does the same for what lies beside files that were named and are to be rewritten in place, once
/// and before any of them is; in a directory that was named, the walk comes upon it.
pub(super) fn clear_beside(plan: &Plan, sources: &[Source<'_>]) -> Vec<Note> {
    let mut kept = Vec::new();
    if !matches!(plan.task, Task::Rewrite(Output::InPlace { .. })) {
        return kept;
    }
    let mut folders: Folders<'_> = Folders::new(None, plan.durable);
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
            kept.extend(write::sweep(folder).into_iter().map(|name| Note {
                path: parent.to_owned(),
                what: NoteKind::EditKept(name.into()),
            }));
        }
    }
    kept
}

fn split(path: &Path) -> io::Result<(&Path, &OsStr)> {
    path::split(path).ok_or_else(|| io::ErrorKind::InvalidInput.into())
}

/// How the walk got to a file that may be replaced.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Under its own name, or nothing is replaced.
    Own,
    /// Through a symbolic link within the same tree.
    Inside,
    /// Through a symbolic link that leads out of the tree, to this path.
    Outside(PathBuf),
}

/// How the walk got to a file that may be replaced. Only that of [`Reach::Own`] is: nothing
/// outside PATH is written to, and nothing twice.
pub(super) fn reach(plan: &Plan, item: &Item<'_>) -> Reach {
    let in_place = matches!(plan.output(), Some(Output::InPlace { .. }));
    if !(in_place
        && plan.selection.follow_links
        && matches!(item.source.input, Input::Directory(_)))
    {
        return Reach::Own;
    }
    match (&item.source.canonical, item.path.canonicalize()) {
        (Some(root), Ok(path)) if path == root.join(item.relative()) => Reach::Own,
        (Some(root), Ok(path)) if path.starts_with(root) => Reach::Inside,
        (Some(_), Ok(path)) => Reach::Outside(path),
        // It is gone, and opening it will say so.
        _ => Reach::Own,
    }
}
