//! Mailboxes: they are locked while they are replaced, and those of a directory have names and folders of their own.

use std::collections::HashSet;
use std::ffi::OsString;
use std::io;
use std::path::Path;

use super::{Destination, mode};
use crate::batch::find::maildir;
use crate::batch::find::walk::Item;
use crate::batch::path;
use crate::batch::plan::Input;
use crate::batch::read::Original;
use crate::batch::report::{FileError, NoteKind};
use crate::batch::write::{self, outputs};

impl Destination<'_> {
    /// Keeps other programs from a mailbox that is replaced, until [`Destination::finish`]. Returns a note about
    /// what a killed program has left.
    pub(crate) fn lock(
        &mut self,
        item: &Item<'_>,
        original: &Original,
    ) -> Result<Option<NoteKind>, FileError> {
        let locked = self.own_folder(item, |folder, name| write::lock(folder, name, original));
        let (lock, stale) = locked.map_err(|refused| refused.of(&item.path))?;
        self.lock = Some(lock);
        Ok(stale.map(|stale| NoteKind::LockRemoved(stale.into())))
    }

    /// Gives a message without its sizes the name `free`, unless another input would get that too; then one with its new
    /// sizes. Returns whether that may be another's as well.
    pub(crate) fn rename_message(
        &mut self,
        item: &Item<'_>,
        free: OsString,
        message: &[u8],
    ) -> Result<bool, FileError> {
        let directory = path::or_here(item.path.parent().unwrap_or(Path::new("")));
        self.contested.take_if(|(last, _)| last != directory);
        if self.contested.is_none() {
            let contested = self.contested_in(directory).map_err(FileError::Read)?;
            self.contested = Some((directory.to_owned(), contested));
        }
        let is_contested = (self.contested.as_ref()).is_some_and(|(_, it)| it.contains(&free));
        let name = item.path.file_name().unwrap_or_default();
        let renamed = if is_contested {
            maildir::with_sizes(name, Some(maildir::sizes(message))).unwrap_or(free)
        } else {
            free
        };
        // The message that has the name now may keep it.
        let is_of_another =
            is_contested && renamed != name && directory.join(&renamed).symlink_metadata().is_ok();
        let other = item.path.with_file_name(&renamed);
        self.renamed = Some(renamed);
        if is_of_another {
            let below = self.below(item);
            return Err(self.not_written(&below, outputs::taken(Some(&other))));
        }
        Ok(is_contested)
    }

    /// The names that several messages would get without their sizes: of a directory, and of files that go to the same place.
    fn contested_in(&self, directory: &Path) -> io::Result<HashSet<OsString>> {
        let mut names: HashSet<OsString> = (self.sources.iter())
            .map(|source| source.below_output.as_os_str().to_owned())
            .collect();
        for entry in directory.read_dir()? {
            names.insert(entry?.file_name());
        }
        let (mut without_sizes, mut contested) = (HashSet::new(), HashSet::new());
        for name in names {
            let free = maildir::with_sizes(&name, None).unwrap_or(name);
            if let Some(free) = without_sizes.replace(free) {
                contested.insert(free);
            }
        }
        Ok(contested)
    }

    /// Makes the directories of a Maildir, of which those without messages would be missing: no program would take it
    /// for one.
    pub(crate) fn make_maildir(&mut self, item: &Item<'_>) -> Result<(), FileError> {
        if !item.is_in_maildir || !matches!(item.source.input, Input::Directory(_)) {
            return Ok(());
        }
        let below = self.below(item);
        let maildir = below.ancestors().nth(2).unwrap_or(&below);
        if self.maildir.as_deref() != Some(maildir) {
            for name in maildir::DIRECTORIES {
                let directory = maildir.join(name);
                let made = self.folders.make(&directory, &|below| mode(item, below));
                made.map(drop)
                    .map_err(|source| self.not_written(&directory, source))?;
            }
            self.maildir = Some(maildir.to_owned());
        }
        Ok(())
    }
}
