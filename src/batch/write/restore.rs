//! Originals that come back: what `rewrite -i --backup` has saved takes its place again.
//!
//! A file that was edited since the run is left. Whether it was is told by the record that the run set
//! on the backup, or by the mark on the file itself (`write::record`). Where the file system has no extended attributes, a file counts as
//! edited that was written after its backup was made, which is when the backup was last changed in any
//! way (ctime). Where it has them, a backup without a record is another program's: patch writes `.orig`
//! too, and so does `wget -K`. On systems other than Unix nothing can be told, so every one needs
//! [`Restore::force`].

use std::ffi::{OsStr, OsString};
use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};

use super::record::{self, Record};
use super::{Folder as _, FolderHere, Folders, PublishError};
use crate::batch::plan::Fsync;
use crate::batch::read::Original;
use crate::batch::{path, temporary};

/// Which originals come back, for [`restore`].
///
/// # Examples
/// ```
/// use abslink::batch::{Restore, Restored, restore};
///
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("a.html"), "new")?;
/// std::fs::write(folder.path().join("a.html.orig"), "old")?;
/// // No run of abslink has made this backup.
/// let options = Restore { suffix: ".orig".into(), force: true, dry_run: false };
/// let mut back = 0;
/// restore(&[folder.path().into()], &options, &mut |_, became| {
///     back += usize::from(matches!(became, Restored::Back));
/// });
/// assert_eq!(back, 1);
/// assert_eq!(std::fs::read(folder.path().join("a.html"))?, b"old");
/// assert!(!folder.path().join("a.html.orig").exists());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Restore {
    /// What the names of backups end with.
    pub suffix: OsString,
    /// Whether edits are replaced too, and backups of other programs are taken.
    pub force: bool,
    /// Whether nothing is written.
    pub dry_run: bool,
}

/// What became of one file.
#[derive(Debug)]
pub enum Restored {
    /// The original is back, and its backup is gone.
    Back,
    /// It was edited since the run, and is left.
    Edited,
    /// It was removed since the run, and stays so.
    Gone,
    /// The backup is that of another program, and is left.
    NotOurs,
    /// It could not be done.
    Failed(io::Error),
}

/// Puts originals back, each in one step: those of the files and of all files below the directories
/// that `paths` name. `each` gets the path of each file that has a backup, and what became of it.
pub fn restore(paths: &[PathBuf], options: &Restore, each: &mut dyn FnMut(&Path, Restored)) {
    let mut folders: Folders<'_> = Folders::new(None, Fsync::Never);
    for root in paths {
        if root.is_dir() {
            in_directory(root, options, &mut folders, each);
        } else {
            let (path, became) = of_file(root, options, &mut folders);
            each(&path, became.unwrap_or_else(Restored::Failed));
        }
    }
}

fn in_directory(
    root: &Path,
    options: &Restore,
    folders: &mut Folders<'_>,
    each: &mut dyn FnMut(&Path, Restored),
) {
    for entry in walkdir::WalkDir::new(root).sort_by_file_name() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let path = error.path().unwrap_or(root).to_owned();
                each(&path, Restored::Failed(error.into()));
                continue;
            }
        };
        let Some((parent, name)) = path::split(path::below(root, entry.path())) else {
            continue;
        };
        if !entry.file_type().is_file() {
            continue;
        }
        if temporary::is_temporary(name.as_encoded_bytes()) {
            // What a killed run left is in the way of nothing, but was not there before.
            if let Ok(folder) = folders.open(root, parent) {
                folder.clear(name, !options.dry_run);
            }
            continue;
        }
        let Some(original) = without(name, &options.suffix) else {
            continue;
        };
        let became =
            (folders.open(root, parent)).and_then(|folder| one(folder, &original, name, options));
        let path = entry.path().with_file_name(&original);
        each(&path, became.unwrap_or_else(Restored::Failed));
    }
}

/// The file of a PATH, which may be its backup.
fn of_file(
    path: &Path,
    options: &Restore,
    folders: &mut Folders<'_>,
) -> (PathBuf, io::Result<Restored>) {
    let name = path::split(path).map(|(_, name)| name);
    let original = name.and_then(|name| without(name, &options.suffix));
    let path = match original.filter(|_| path.is_file()) {
        Some(original) => path.with_file_name(original),
        None => path.to_owned(),
    };
    let mut became = || {
        let parent = path.parent().unwrap_or(Path::new(""));
        let parent = path::or_here(parent).canonicalize()?;
        let (_, name) = path::split(&path).ok_or(io::ErrorKind::InvalidInput)?;
        let mut backup = name.to_owned();
        backup.push(&options.suffix);
        let folder = folders.open(&parent, Path::new(""))?;
        one(folder, name, &backup, options)
    };
    let became = became();
    (path, became)
}

/// The name of the file whose backup has this name.
fn without(name: &OsStr, suffix: &OsStr) -> Option<OsString> {
    let original = name
        .as_encoded_bytes()
        .strip_suffix(suffix.as_encoded_bytes())?;
    let original = path::native(original).filter(|_| !original.is_empty())?;
    Some(original.as_os_str().to_owned())
}

/// Puts back one original, if it may be.
fn one(
    folder: &FolderHere,
    name: &OsStr,
    backup: &OsStr,
    options: &Restore,
) -> io::Result<Restored> {
    let saved = folder.read(backup)?;
    let now = match folder.read(name) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        now => Some(now?),
    };
    let original = match (judge(&saved, now.as_ref())?, now) {
        (Some(stays @ (Restored::Edited | Restored::Gone | Restored::NotOurs)), _)
            if !options.force =>
        {
            return Ok(stays);
        }
        _ if options.dry_run => return Ok(Restored::Back),
        // All that is left to do is to remove the backup.
        (Some(Restored::Back), Some(now)) => {
            folder.take_back(backup, &saved.metadata);
            now
        }
        (_, now) => match folder.put_back(backup, name, now) {
            Ok(()) => saved,
            Err(PublishError::Io(error)) => return Err(error),
            Err(_) => return Ok(Restored::Edited),
        },
    };
    record::take_off(&original.file)?;
    folder.settle()?;
    Ok(Restored::Back)
}

/// Judges a file by its backup: `None` if it is as a run wrote it. It may be [`Restored::Back`] already: the run was killed
/// before it replaced it, or `restore` before it removed what it had replaced.
fn judge(saved: &Original, now: Option<&Original>) -> io::Result<Option<Restored>> {
    let record = record::of(&saved.file)?;
    let Some(now) = now else {
        return Ok(Some(match record {
            Record::Missing => Restored::NotOurs,
            _ => Restored::Gone,
        }));
    };
    if path::is_same_file(&saved.metadata, &now.metadata) {
        return Ok(Some(Restored::Back));
    }
    if record == Record::Impossible {
        let is_written = is_older(&now.metadata, &saved.metadata);
        return Ok((!is_written).then_some(Restored::Edited));
    }
    let of_backup = record::checksum(&saved.file)?;
    if record::of(&now.file)?.has(&of_backup) {
        return Ok(Some(Restored::Back));
    }
    if record == Record::Missing {
        return Ok(Some(Restored::NotOurs));
    }
    let of_file = record::checksum(&now.file)?;
    let is_written = record.has(&of_file) || record::is_marked(&now.file, &of_file);
    Ok((!is_written && of_file != of_backup).then_some(Restored::Edited))
}

#[cfg(unix)]
fn is_older(file: &Metadata, backup: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (file.mtime(), file.mtime_nsec()) <= (backup.ctime(), backup.ctime_nsec())
}

#[cfg(not(unix))]
fn is_older(_: &Metadata, _: &Metadata) -> bool {
    false
}
