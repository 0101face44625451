//! Mailboxes: they are locked while they are replaced, and those of a directory have names and folders of their own.

use super::{Destination, mode};
use crate::batch::find::maildir;
use crate::batch::find::walk::Item;
use crate::batch::plan::Input;
use crate::batch::read::Original;
use crate::batch::report::{FileError, NoteKind};
use crate::batch::write;

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
