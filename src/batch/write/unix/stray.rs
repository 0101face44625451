//! What runs that were killed left behind.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use rustix::fs::{self, AtFlags, Mode, OFlags};

use super::super::temporary;
use super::{Folder, Identity};

impl Folder {
    /// What has a temporary file's name.
    pub(super) fn list_strays(&self) -> Vec<OsString> {
        // Whatever fails here harms nobody but the next one who looks into the directory.
        let Ok(entries) = super::readable(&self.directory).and_then(fs::Dir::new) else {
            return Vec::new();
        };
        let names = entries.flatten();
        let names = names.filter(|entry| temporary::is_temporary(entry.file_name().to_bytes()));
        names
            .map(|entry| OsString::from_vec(entry.file_name().to_bytes().to_vec()))
            .collect()
    }

    /// Removes a stray, if strays are to be removed, unless somebody works on it, or it may be what
    /// another program wrote: then the answer is `true`.
    pub(super) fn clear_stray(&self, stray: &OsStr, removes: bool) -> bool {
        let Ok(now) = self.look(stray) else {
            return false;
        };
        let is_regular = now.is_regular();
        let is_ours = is_ours(stray, &now);
        if !removes {
            return is_regular && !is_ours;
        }
        if !is_regular {
            // A link cannot be locked: whoever still wants it makes it once more.
            if temporary::is_unpublished(stray.as_bytes())
                && fs::readlinkat(&self.directory, stray, Vec::new()).is_ok()
            {
                let _ = fs::unlinkat(&self.directory, stray, AtFlags::empty());
            }
            return false;
        }
        if is_ours && let Some(_lock) = self.lock_stray(stray) {
            let _ = fs::unlinkat(&self.directory, stray, AtFlags::empty());
        }
        !is_ours
    }

    /// Locks a stray that may be removed. Nobody gives it another name or its name to another file
    /// after that, but for a run that puts back what came out of an exchange; and then it is the
    /// new contents that lie here, which are in no place any more.
    fn lock_stray(&self, stray: &OsStr) -> Option<File> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = File::from(fs::openat(&self.directory, stray, flags, Mode::empty()).ok()?);
        file.try_lock().ok()?;
        // Only now: before, it could still have been exchanged, or become another file.
        let locked = Identity::from(&file.metadata().ok()?);
        let now = self.look(stray).ok()?;
        (is_ours(stray, &locked) && now.is_file(&locked)).then_some(file)
    }
}

/// Whether a stray is known to be a file that no run needs and nobody else wrote: contents that are
/// in no place yet, or those that were read and that new ones have replaced.
fn is_ours(stray: &OsStr, file: &Identity) -> bool {
    file.is_regular()
        && temporary::exchanged(stray.as_bytes())
            .is_none_or(|(new, old)| [new, old].contains(&file.number()))
}
