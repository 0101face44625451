//! What a run wrote in place of a file is recorded with the backup of that file, so that
//! [`restore`](super::restore::restore()) can tell an edit.
//!
//! The record is an extended attribute: the SHA-256 of the new contents, and if the backup is older than
//! the run, that of the contents before, which stand in the file until it is replaced. It is set before
//! that: whenever a run is killed, the file is the backup itself, or one of those recorded.
//!
//! Two runs at once may record in one order and replace in another, so the new file carries the sum of
//! its own contents too, as a mark under another name. A mark says nothing about backups.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Seek, Write};

use sha2::{Digest as _, Sha256};

use super::system::Folder;
use crate::batch::find::backup::MARK;
use crate::batch::plan::Fsync;
use crate::batch::read::Original;
use crate::batch::read::attributes;

/// The mark of a file that a run has written.
const WRITTEN: &str = "user.abslink.written";

/// Whether an extended attribute is one of ours, which is about one file and not copied to the next.
#[cfg(unix)]
pub(super) fn is_ours(name: &OsStr) -> bool {
    name == MARK || name == WRITTEN
}

/// What the record in a backup says about the file beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Record {
    /// The file system has no attributes.
    Impossible,
    /// No run has set one.
    Missing,
    /// The contents that runs have written.
    Of(Vec<String>),
}

impl Record {
    /// Whether the contents with this checksum are those of a run.
    pub(crate) fn has(&self, checksum: &str) -> bool {
        matches!(self, Record::Of(written) if written.iter().any(|it| it == checksum))
    }
}

/// Writes to a file, and takes the checksum of what is written.
pub(super) struct ChecksumWriter<'f> {
    pub(super) file: &'f File,
    pub(super) sum: Sha256,
}

impl Write for ChecksumWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.sum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A checksum as it is recorded.
pub(super) fn spelled(sum: Sha256) -> String {
    sum.finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// The checksum of a file's contents.
pub(crate) fn checksum(mut file: &File) -> io::Result<String> {
    let mut sum = Sha256::new();
    let mut piece = vec![0; 64 << 10];
    file.rewind()?;
    loop {
        match file.read(&mut piece) {
            Ok(0) => return Ok(spelled(sum)),
            Ok(length) => sum.update(&piece[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Records on a backup what takes the place of the original. On one that an earlier run made, only if
/// nobody has edited since what that wrote. Returns whether that is so.
pub(super) fn add(
    folder: &impl Folder,
    backup: &OsStr,
    original: &Original,
    written: &str,
    is_new: bool,
) -> io::Result<bool> {
    let file = match folder.read(backup) {
        Err(_) if !is_new => return Ok(false),
        backup => backup?.file,
    };
    if is_new {
        set(&file, &[written])?;
    } else {
        let before = checksum(&original.file)?;
        match of(&file)? {
            record if record.has(&before) => set(&file, &[written, &before])?,
            // Killed before it replaced the file, a run leaves the two alike.
            _ if checksum(&file)? == before => set(&file, &[written])?,
            Record::Of(_) if is_marked(&original.file, &before) => {
                set(&file, &[written, &before])?;
            }
            _ => return Ok(false),
        }
    }
    // Otherwise file systems with a journal write it before the exchange of names that follows it.
    if folder.fsync() == Fsync::Always {
        file.sync_all()?;
    }
    Ok(true)
}

/// The record of a backup.
pub(crate) fn of(backup: &File) -> io::Result<Record> {
    match attributes::get(backup, MARK) {
        Ok(None) => Ok(Record::Missing),
        Ok(Some(value)) => {
            let text = String::from_utf8_lossy(&value);
            Ok(Record::Of(text.split(' ').map(str::to_owned).collect()))
        }
        Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(Record::Impossible),
        Err(error) => Err(error),
    }
}

/// Sets the record of a backup. Where the file system has none, or the user has no right to set it, the
/// backup stays without.
pub(super) fn set(backup: &File, written: &[&str]) -> io::Result<()> {
    use std::io::ErrorKind::{PermissionDenied, Unsupported};
    match attributes::set(backup, MARK, written.join(" ").as_bytes()) {
        Err(error) if matches!(error.kind(), Unsupported | PermissionDenied) => Ok(()),
        result => result,
    }
}

/// Marks a file as written by a run. Where that fails, the backup's record is all there is.
pub(super) fn mark(file: &File, written: &str) {
    let _ = attributes::set(file, WRITTEN, written.as_bytes());
}

/// Whether a file with this checksum is as the run left it that has marked it.
pub(crate) fn is_marked(file: &File, checksum: &str) -> bool {
    let mark = attributes::get(file, WRITTEN).ok().flatten();
    mark.is_some_and(|mark| mark == checksum.as_bytes())
}

/// Takes the record off a file that is no backup any more.
pub(crate) fn take_off(file: &File) -> io::Result<()> {
    match of(file)? {
        Record::Of(_) => attributes::remove(file, MARK),
        Record::Impossible | Record::Missing => Ok(()),
    }
}
