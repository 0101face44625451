//! No two inputs get one output.
//!
//! Files keep their names, so two can only meet where a rule has changed one, or where the file system ignores case. Only
//! such files are remembered, by their numbers in the file system: it alone knows which names are one.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::system::{FileKey, Folder};
use crate::batch::path;

/// What a run has put into its output directory.
#[derive(Debug, Default)]
pub(crate) struct Outputs {
    hasher: RandomState,
    /// Nothing has to be looked up: the file system respects case, and no name was changed.
    is_plain: AtomicBool,
    known: Mutex<KnownFiles>,
}

#[derive(Debug, Default)]
struct KnownFiles {
    /// `None` until a name with a letter was tried.
    ignores_case: Option<bool>,
    /// Each with the hash of its input's path.
    files: HashMap<FileKey, u64>,
}

/// One input's right to a name in the output directory.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    outputs: Arc<Outputs>,
    input: PathBuf,
    is_renamed: bool,
}

impl Outputs {
    /// `is_renamed`: a rule has changed the name of the input.
    pub(crate) fn claim(self: &Arc<Self>, input: &Path, is_renamed: bool) -> Claim {
        Claim {
            outputs: Arc::clone(self),
            input: input.to_owned(),
            is_renamed,
        }
    }
}

impl Claim {
    /// Puts a file in its place by `publish`, unless another input's file is there.
    pub(super) fn publish(
        &self,
        folder: &impl Folder,
        name: &OsStr,
        publish: impl FnOnce() -> io::Result<()>,
    ) -> io::Result<()> {
        let outputs = &self.outputs;
        if !self.is_renamed && outputs.is_plain.load(Ordering::Relaxed) {
            return publish();
        }
        let mut known = outputs.known.lock().unwrap_or_else(PoisonError::into_inner);
        let there = folder.key(name).ok();
        if let Some(input) = there.and_then(|there| known.files.get(&there)) {
            return self.check(*input);
        }
        publish()?;
        let Ok(now) = folder.key(name) else {
            // Another program was faster to take it away.
            return Ok(());
        };
        if known.ignores_case.is_none()
            && let Some(other) = in_other_case(name)
        {
            known.ignores_case = Some(folder.key(&other).ok() == Some(now));
        }
        if self.is_renamed || known.ignores_case != Some(false) {
            known.files.insert(now, self.hash(&self.input));
        }
        let is_plain = known.files.is_empty() && known.ignores_case == Some(false);
        outputs.is_plain.store(is_plain, Ordering::Relaxed);
        Ok(())
    }

    /// The same where nothing is written, for a path below the output directory.
    pub(crate) fn try_publish(&self, below: &Path) -> io::Result<()> {
        if !self.is_renamed {
            return Ok(());
        }
        let key = FileKey(u64::MAX, self.outputs.hasher.hash_one(below));
        let mut known = (self.outputs.known.lock()).unwrap_or_else(PoisonError::into_inner);
        self.check(*known.files.entry(key).or_insert(self.hash(&self.input)))
    }

    fn hash(&self, input: &Path) -> u64 {
        self.outputs.hasher.hash_one(input)
    }

    fn check(&self, input: u64) -> io::Result<()> {
        if input == self.hash(&self.input) {
            return Ok(());
        }
        // It is named where it can be found.
        let directory = self.input.parent().unwrap_or(Path::new(""));
        let siblings = path::or_here(directory)
            .read_dir()
            .into_iter()
            .flatten()
            .flatten();
        let mut siblings = siblings.map(|entry| directory.join(entry.file_name()));
        let other = siblings.find(|other| self.hash(other) == input);
        Err(taken(other.as_deref()))
    }
}

/// Why a file is not written.
pub(crate) fn taken(other: Option<&Path>) -> io::Error {
    let other = other.map_or("another input".to_owned(), |it| it.display().to_string());
    let text = format!("{other} has this name in the output directory");
    io::Error::new(io::ErrorKind::AlreadyExists, text)
}

/// A name that is another one only where case counts.
fn in_other_case(name: &OsStr) -> Option<OsString> {
    let mut bytes = name.as_encoded_bytes().to_vec();
    let letter = bytes.iter().rposition(u8::is_ascii_alphabetic)?;
    bytes[letter] ^= 0x20;
    Some(path::native(&bytes)?.as_os_str().to_owned())
}
