//! What a browser has saved with a page is copied with that.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use walkdir::WalkDir;

use super::worker::Worker;
use crate::batch::find::saved;
use crate::batch::find::source::Source;
use crate::batch::find::walk::{FileKind, Item};
use crate::batch::plan::Input;
use crate::batch::read::beneath::Directory;
use crate::batch::report::FileError;
use crate::batch::write::{Contents, outputs};

impl Worker<'_> {
    /// Copies what a browser has saved with a file PATH. In a directory PATH, the walk comes to that.
    pub(super) fn copy_saved(&mut self, item: &Item<'_>) -> Result<(), FileError> {
        for folder in saved::folders_of(item.source.input) {
            let below_output = match folder.file_name() {
                Some(name) => item.source.below_output.with_file_name(name),
                None => continue,
            };
            if let Some(listed) = self.destination.listed(&below_output) {
                if listed.canonical.is_some() && listed.canonical == folder.canonicalize().ok() {
                    // The walk comes to it.
                    continue;
                }
                let path = self.destination.in_output(&below_output);
                let source = outputs::taken(Some(listed.path()));
                return Err(FileError::Write { path, source });
            }
            let input = Input::Directory(folder.clone());
            let source = Source {
                input: &input,
                canonical: None,
                below_output,
                below_root: Vec::new(),
                has_document: AtomicBool::default(),
            };
            let root = Directory::by_path(&folder).map_err(FileError::Read)?;
            let root = Some(Arc::new(root));
            for entry in WalkDir::new(&folder).sort_by_file_name() {
                let entry = entry.map_err(|error| FileError::Read(error.into()))?;
                let file = Item {
                    source: &source,
                    root: root.clone(),
                    path: entry.path().to_owned(),
                    kind: FileKind::Other,
                    is_in_maildir: false,
                    goes_along: true,
                };
                if entry.file_type().is_file() {
                    let original = file.open(&mut self.opener)?;
                    let contents = Contents::File(&original.file);
                    self.destination.put_along(&file, contents, &original)?;
                    self.report.files_copied += 1;
                }
            }
        }
        Ok(())
    }
}
