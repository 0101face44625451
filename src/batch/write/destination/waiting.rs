//! Files that wait to be put in their places together.

use std::io;
use std::path::{Path, PathBuf};

use crate::batch::read::Original;
use crate::batch::report::{FileError, NoteKind};
use crate::batch::write;

/// A file whose new contents are written, and wait to be put in their place together with others.
#[derive(Debug)]
pub(crate) struct WaitingFile {
    pub(crate) write: write::Prepared,
    pub(super) original: Original,
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
