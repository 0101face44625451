//! Replacing a file without losing what another program writes to it at the last moment.
//!
//! Checking that a file is still the one that was read, and then renaming another one over it,
//! leaves a moment in which an edit is lost. So the two exchange their names, and the replaced file
//! is checked: if it is what was read, it is removed; if not, the names are exchanged again.
//!
//! | step | in its place | under the temporary name | what the next run does, if this one is killed here |
//! |---|---|---|---|
//! | the new file gets a temporary name | as read, or an edit | new | it removes the new file |
//! | the names are exchanged | new | as read | it removes the old file |
//! | | new | an edit | it keeps the edit and says so |
//! | the one as read is removed | new | | |
//! | or: the names are exchanged again | the edit | new | it removes the new file |
//! | the new file is removed | the edit | | |
//!
//! The temporary name contains the numbers ([`FileIdentity::number`]) of the new file and of the one
//! that was read; the next run removes only these two. If an edit comes between the two exchanges as
//! well, there are two edits for one place: one stays there, and the other gets a visible name,
//! which the run reports.
//!
//! Two things are beyond this. A program that opened the file before the exchange may write to it
//! after the last check, into a file without a name; that is so with every program that replaces
//! files. And where names cannot be exchanged (file systems over a network, FAT of older kernels,
//! systems other than Linux), checking and then renaming is all that can be done.

use std::ffi::{OsStr, OsString};
use std::io;
use std::rc::Rc;

use rustix::fs::{self, AtFlags, RenameFlags};
use rustix::io::Errno;

use super::{FileIdentity, Folder, Temporary};
use crate::batch::read::Original;
use crate::batch::temporary;
use crate::batch::write::PublishError;
use crate::batch::write::system::Folder as _;

impl Temporary {
    /// Makes this file the one that `name` stands for. If that is not `original` any more, it stays
    /// or comes back.
    pub(super) fn exchange(
        mut self,
        name: &OsStr,
        original: &Original,
    ) -> Result<(), PublishError> {
        self.settle()?;
        let folder = Rc::clone(&self.folder);
        let new = FileIdentity::from(&self.file.metadata()?);
        let old = FileIdentity::from(&original.metadata);
        let temporary = self.take_name(|| temporary::exchange_name(new.number(), old.number()))?;
        match folder.rename(&temporary, name, RenameFlags::EXCHANGE) {
            // What has the temporary name now is not ours to remove.
            Ok(()) => self.name = None,
            Err(Errno::NOENT) => return Err(PublishError::Changed),
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
                folder.exchanges.set(false);
                return Ok(self.rename(&temporary, name)?);
            }
            Err(error) => return Err(PublishError::Io(error.into())),
        }
        let removed = match folder.is_as_read(&temporary, original) {
            Ok(true) => folder.remove(&temporary).map_err(PublishError::from),
            Ok(false) => Err(PublishError::Changed),
            Err(error) => Err(error.into()),
        };
        if let Err(refused) = removed {
            return Err(match folder.undo(&temporary, name, &new) {
                None => refused,
                Some(edit) => PublishError::ChangedTwice(edit),
            });
        }
        Ok(())
    }
}

impl Folder {
    fn rename(&self, from: &OsStr, to: &OsStr, how: RenameFlags) -> rustix::io::Result<()> {
        fs::renameat_with(&self.directory, from, &self.directory, to, how)
    }

    /// Puts a backup in the place of a file, which is removed then. Killed between the two steps, both are
    /// there under each other's name; the record of the backup tells the next run so.
    pub(super) fn exchange_back(
        &self,
        backup: &OsStr,
        name: &OsStr,
        now: Original,
    ) -> Result<(), PublishError> {
        match self.rename(backup, name, RenameFlags::EXCHANGE) {
            Ok(()) => {}
            Err(Errno::NOENT) => return Err(PublishError::Changed),
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
                self.exchanges.set(false);
                return self.put_back(backup, name, Some(now));
            }
            Err(error) => return Err(PublishError::Io(error.into())),
        }
        if self.is_as_read(backup, &now)? {
            return Ok(self.remove(backup)?);
        }
        self.rename(backup, name, RenameFlags::EXCHANGE)
            .map_err(io::Error::from)?;
        Err(PublishError::Changed)
    }

    /// Whether the replaced file is the one that was read. The exchange itself has changed its
    /// ctime, so a change of only extended attributes at this very moment is missed.
    fn is_as_read(&self, temporary: &OsStr, original: &Original) -> io::Result<bool> {
        let read = FileIdentity::from(&original.metadata);
        let out = match self.look(temporary) {
            // Another run has removed it, which it does only to the file that was read.
            Err(Errno::NOENT) => return Ok(true),
            out => out?,
        };
        if out == read {
            return Ok(true);
        }
        // An overlay may give a file another number at its first change.
        let now = FileIdentity::from(&original.file.metadata()?);
        Ok(out.is_file(&now) && out.is_like(&read))
    }

    /// Removes a file that may have been removed by the next run already.
    fn remove(&self, name: &OsStr) -> io::Result<()> {
        match fs::unlinkat(&self.directory, name, AtFlags::empty()) {
            Err(Errno::NOENT) => Ok(()),
            result => Ok(result?),
        }
    }

    /// Takes an exchange back. Returns where one of two edits was left.
    fn undo(&self, temporary: &OsStr, name: &OsStr, new: &FileIdentity) -> Option<OsString> {
        let is_new = |name| self.look(name).is_ok_and(|now| now == *new);
        let is_back = is_new(name)
            && (self.rename(temporary, name, RenameFlags::EXCHANGE)).is_ok()
            && is_new(temporary);
        if is_back {
            // If this fails, the next run will do it.
            let _ = self.remove(temporary);
            return None;
        }
        let mut seen = name.to_owned();
        seen.push(format!(".abslink-{:x}", temporary::random()));
        // It keeps its name if this one is too long.
        let moved = self.rename(temporary, &seen, RenameFlags::NOREPLACE);
        Some(moved.map_or_else(|_| temporary.to_owned(), |()| seen))
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::io::Write;
    use std::os::unix::fs::PermissionsExt;
    use std::path::{Path, PathBuf};

    use tempfile::TempDir;

    use super::*;
    use crate::batch::plan::Fsync;
    use crate::batch::read;
    use crate::batch::write::system::Temporary as _;

    /// A directory with a file `a` that holds `old`, was read, and will be exchanged.
    struct Scene {
        directory: TempDir,
        folder: Rc<Folder>,
        original: Original,
    }

    impl Scene {
        fn new() -> Scene {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("a");
            fs::write(&path, "old").unwrap();
            Scene {
                folder: folder(&directory),
                original: read::open(&path).unwrap(),
                directory,
            }
        }

        fn path(&self) -> PathBuf {
            self.directory.path().join("a")
        }

        /// The new file under its temporary name, up to where the process is killed.
        fn temporary(&self) -> (OsString, FileIdentity) {
            let mut temporary = self
                .folder
                .temporary(Some(&self.original.metadata))
                .unwrap();
            temporary.file().write_all(b"new").unwrap();
            let new = FileIdentity::from(&temporary.file().metadata().unwrap());
            let old = FileIdentity::from(&self.original.metadata);
            let name = || temporary::exchange_name(new.number(), old.number());
            let name = temporary.take_name(name).unwrap();
            // A killed process removes nothing, and has no lock any more.
            temporary.name = None;
            (name, new)
        }

        fn exchange(&self, temporary: &OsStr) {
            let exchanged = self
                .folder
                .rename(temporary, "a".as_ref(), RenameFlags::EXCHANGE);
            exchanged.unwrap();
        }

        /// What the next run keeps, and the contents of every file afterwards.
        fn next_run(&self) -> (usize, Vec<String>) {
            let left = folder(&self.directory).clean(true);
            let entries = fs::read_dir(&self.directory).unwrap();
            let paths = entries.map(|entry| entry.unwrap().path());
            let mut contents: Vec<_> = paths
                .map(|path| fs::read_to_string(path).unwrap())
                .collect();
            contents.sort();
            (left.len(), contents)
        }
    }

    fn folder(directory: &TempDir) -> Rc<Folder> {
        let root = Folder::root(directory.path()).unwrap();
        Rc::new(Folder::open(&root, Path::new(""), Fsync::Never).unwrap())
    }

    #[test]
    fn killed_before_the_exchange() {
        let scene = Scene::new();
        scene.temporary();
        assert_eq!(scene.next_run(), (0, vec!["old".into()]));
    }

    #[test]
    fn killed_after_the_exchange() {
        let scene = Scene::new();
        let (temporary, _) = scene.temporary();
        scene.exchange(&temporary);
        assert_eq!(scene.next_run(), (0, vec!["new".into()]));
    }

    #[test]
    fn killed_after_the_exchange_with_an_edit() {
        let edits: [fn(&Path); 3] = [
            |path| fs::write(path, "ed.").unwrap(),
            |path| {
                fs::remove_file(path).unwrap();
                fs::write(path, "old").unwrap();
            },
            |path| fs::set_permissions(path, Permissions::from_mode(0o400)).unwrap(),
        ];
        for edit in edits {
            let scene = Scene::new();
            let (temporary, _) = scene.temporary();
            edit(&scene.path());
            let edited = fs::read_to_string(scene.path()).unwrap();
            scene.exchange(&temporary);
            let mut both = vec![edited, "new".into()];
            both.sort();
            for _ in 0..2 {
                assert_eq!(scene.next_run(), (1, both.clone()));
            }
        }
    }

    #[test]
    fn killed_after_an_edit_was_put_back() {
        let scene = Scene::new();
        let (temporary, _) = scene.temporary();
        fs::write(scene.path(), "edit").unwrap();
        scene.exchange(&temporary);
        scene.exchange(&temporary);
        assert_eq!(scene.next_run(), (0, vec!["edit".into()]));
    }

    /// A run that lives holds a lock.
    #[test]
    fn another_run_removes_nothing_before_the_exchange() {
        let scene = Scene::new();
        let mut alive = scene
            .folder
            .temporary(Some(&scene.original.metadata))
            .unwrap();
        let new = FileIdentity::from(&alive.file().metadata().unwrap());
        alive
            .take_name(|| temporary::exchange_name(new.number(), 0))
            .unwrap();
        assert_eq!(scene.next_run(), (0, vec![String::new(), "old".into()]));
    }

    #[test]
    fn two_edits_for_one_place_both_stay() {
        let edits: [fn(&Path); 2] = [
            |path| fs::write(path, "edit 2").unwrap(),
            |path| {
                let other = path.with_file_name("b");
                fs::write(&other, "edit 2").unwrap();
                fs::rename(other, path).unwrap();
            },
        ];
        for edit in edits {
            let scene = Scene::new();
            let (temporary, new) = scene.temporary();
            fs::write(scene.path(), "edit 1").unwrap();
            scene.exchange(&temporary);
            edit(&scene.path());
            let left = scene.folder.undo(&temporary, "a".as_ref(), &new).unwrap();
            assert!(left.to_string_lossy().starts_with("a.abslink-"), "{left:?}");
            let left = fs::read_to_string(scene.directory.path().join(left)).unwrap();
            assert_eq!(left, "edit 1");
            assert_eq!(
                scene.next_run(),
                (0, vec!["edit 1".into(), "edit 2".into()])
            );
        }
    }

    /// A name of 255 bytes has no room for more.
    #[test]
    fn an_edit_that_gets_no_other_name_is_named_all_the_same() {
        let scene = Scene::new();
        let long = OsString::from("n".repeat(255));
        fs::rename(scene.path(), scene.directory.path().join(&long)).unwrap();
        let (temporary, new) = scene.temporary();
        fs::write(scene.directory.path().join(&long), "edit").unwrap();
        let exchanged = scene
            .folder
            .rename(&temporary, &long, RenameFlags::EXCHANGE);
        exchanged.unwrap();
        fs::remove_file(scene.directory.path().join(&long)).unwrap();
        assert_eq!(scene.folder.undo(&temporary, &long, &new), Some(temporary));
        assert_eq!(scene.next_run(), (1, vec!["edit".into()]));
    }
}
