//! The names of temporary files, for those systems and moments in which they need one.
//!
//! A process that is killed may leave one behind. Whoever next needs such a name in the same
//! directory removes it: a living process holds a lock on its own ones, and the system takes that
//! away from a dead one, whatever machine it ran on.

use std::ffi::OsString;
use std::fs::File;
use std::sync::atomic::{AtomicU64, Ordering};

const PREFIX: &str = ".abslink-";
const SUFFIX: &str = ".tmp";

/// A name that no other run on this machine and no other thread uses.
pub(super) fn name() -> OsString {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let next = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("{PREFIX}{:x}-{next:x}{SUFFIX}", std::process::id()).into()
}

/// Whether a file has a name that [`name`] gives.
pub(in crate::batch) fn is_temporary(name: &[u8]) -> bool {
    let numbers = name
        .strip_prefix(PREFIX.as_bytes())
        .and_then(|rest| rest.strip_suffix(SUFFIX.as_bytes()))
        .and_then(|rest| std::str::from_utf8(rest).ok())
        .and_then(|rest| rest.split_once('-'));
    let is_number = |number: &str| {
        let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        !number.is_empty() && number.bytes().all(digit)
    };
    numbers.is_some_and(|(process, next)| is_number(process) && is_number(next))
}

/// Marks a temporary file as one that somebody works on.
pub(super) fn lock(file: &File) {
    // Where files cannot be locked, nobody can lock this one in order to remove it either.
    let _ = file.try_lock();
}

#[cfg(test)]
mod tests {
    use super::{is_temporary, name};

    #[test]
    fn only_names_of_ours_are_temporary() {
        assert!(is_temporary(name().as_encoded_bytes()));
        for other in [
            "",
            ".abslink",
            ".abslink-",
            ".abslink-.tmp",
            ".abslink--.tmp",
            ".abslink-backup.tmp",
            ".abslink-1-.tmp",
            ".abslink-1-2",
            ".abslink-1-2.tmp.html",
            "x.abslink-1-2.tmp",
        ] {
            assert!(!is_temporary(other.as_bytes()), "{other}");
        }
    }
}
