//! Files that wait to be put in their places together.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use crate::batch::read::Original;
use crate::batch::report::{FileError, NoteKind};
use crate::batch::write::{self, Replaced};

/// A file whose new contents are written, and wait to be put in their place together with others.
#[derive(Debug)]
pub(crate) struct WaitingFile {
    pub(crate) write: write::Prepared,
    pub(super) original: Original,
    pub(super) place: FinalPlace,
}

/// Where a file goes.
#[derive(Debug)]
pub(super) enum FinalPlace {
    /// To this path in the output directory.
    New(PathBuf),
    /// Where it was; the name of its backup.
    Own(Option<OsString>),
}

pub(crate) struct Placed {
    pub(crate) is_placed: bool,
    pub(crate) notes: Vec<NoteKind>,
}

impl WaitingFile {
    /// Puts the file in its place, if its contents are on the disk. `path` is its own.
    pub(crate) fn publish(self, path: &Path, synced: io::Result<()>) -> Result<Placed, FileError> {
        let published = match synced {
            Ok(()) => self.write.publish(&self.original),
            Err(error) => Err(error.into()),
        };
        match (published, &self.place) {
            (Ok(replaced), place) => Ok(Placed {
                is_placed: matches!(place, FinalPlace::New(_)),
                notes: place.notes(&replaced),
            }),
            (Err(refused), FinalPlace::New(path)) => Err(refused.of(path)),
            (Err(refused), FinalPlace::Own(_)) => Err(refused.of(path)),
        }
    }
}

impl FinalPlace {
    pub(super) fn notes(&self, replaced: &Replaced) -> Vec<NoteKind> {
        let mut notes = Vec::new();
        if let FinalPlace::Own(Some(backup)) = self
            && !replaced.backed_up
        {
            notes.push(NoteKind::BackupKept(backup.into()));
        }
        if !replaced.owner_kept {
            notes.push(NoteKind::OwnerChanged);
        }
        notes
    }
}
