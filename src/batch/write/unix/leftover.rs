//! What killed runs left behind.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use rustix::fs::{self, AtFlags, Mode, OFlags};

use super::{FileIdentity, Folder};
use crate::batch::temporary;

impl Folder {
    /// What has a temporary file's name.
    pub(super) fn list_leftovers(&self) -> Vec<OsString> {
        // A failure here is harmless: whoever next reads the directory sees it too.
        let Ok(entries) = super::readable(&self.directory).and_then(fs::Dir::new) else {
            return Vec::new();
        };
        let names = entries.flatten();
        let names = names.filter(|entry| temporary::is_temporary(entry.file_name().to_bytes()));
        names
            .map(|entry| OsString::from_vec(entry.file_name().to_bytes().to_vec()))
            .collect()
    }

    /// Removes a leftover file, if they are to be removed, unless a process works on it, or it may
    /// be what another program wrote: then this returns `true`.
    pub(super) fn remove_leftover(&self, leftover: &OsStr, removes: bool) -> bool {
        let Ok(now) = self.look(leftover) else {
            return false;
        };
        let is_regular = now.is_regular();
        let is_ours = is_ours(leftover, &now);
        if !removes {
            return is_regular && !is_ours;
        }
        if !is_regular {
            // A link cannot be locked: a run that still needs it makes it again.
            if temporary::is_unpublished(leftover.as_bytes())
                && fs::readlinkat(&self.directory, leftover, Vec::new()).is_ok()
            {
                let _ = fs::unlinkat(&self.directory, leftover, AtFlags::empty());
            }
            return false;
        }
        if is_ours && let Some(_lock) = self.lock_leftover(leftover) {
            let _ = fs::unlinkat(&self.directory, leftover, AtFlags::empty());
        }
        !is_ours
    }

    /// Locks a leftover file that may be removed. After that no process renames it or gives its
    /// name to another file, except for a run that takes back an exchange; and then the file here
    /// has the new contents, which are in no place any more.
    fn lock_leftover(&self, leftover: &OsStr) -> Option<File> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = File::from(fs::openat(&self.directory, leftover, flags, Mode::empty()).ok()?);
        file.try_lock().ok()?;
        // Only now: before the lock, it could still have been exchanged, or become another file.
        let locked = FileIdentity::from(&file.metadata().ok()?);
        let now = self.look(leftover).ok()?;
        (is_ours(leftover, &locked) && now.is_file(&locked)).then_some(file)
    }
}

/// Whether a leftover is known to be a file that no run needs and no other program wrote: contents
/// that are in no place yet, or those that were read and then replaced.
fn is_ours(leftover: &OsStr, file: &FileIdentity) -> bool {
    file.is_regular()
        && temporary::exchanged(leftover.as_bytes())
            .is_none_or(|(new, old)| [new, old].contains(&file.number()))
}
