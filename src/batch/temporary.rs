//! The names of temporary files, for systems on which, and moments in which, they need one.
//!
//! A process that is killed may leave one behind. The next one that needs such a name in the same
//! directory removes it: a living process holds a lock on its files, and the system releases the
//! locks of a dead one, whatever machine it ran on. There are two kinds:
//!
//! - `.abslink-*-*.tmp` is a file that never took another's place;
//! - `.abslink-*-*-*.old` takes part in an exchange of two names, and holds the new contents before
//!   it and the replaced ones after it. It is removed only if it is known to be one of the two
//!   files that the last two numbers stand for, since what was replaced may be somebody's edit.
//!
//! Names are random: process ids are not enough, since two machines or containers that share a
//! directory may use the same ones.

use std::collections::hash_map::RandomState;
use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::hash::{BuildHasher, Hasher};

const PREFIX: &str = ".abslink-";
const SUFFIX: &str = ".tmp";
const EXCHANGE_SUFFIX: &str = ".old";

/// A name that nobody else uses.
pub(super) fn name() -> OsString {
    format!("{PREFIX}{:016x}-{:016x}{SUFFIX}", random(), random()).into()
}

/// A name that nobody else uses, for the exchange of two files. It contains the numbers by which
/// they are known.
#[cfg(any(target_os = "linux", all(unix, test)))]
pub(super) fn exchange_name(new: u64, old: u64) -> OsString {
    format!("{PREFIX}{:016x}-{new:x}-{old:x}{EXCHANGE_SUFFIX}", random()).into()
}

/// A number that cannot be guessed: the standard library takes its seeds from the system.
pub(super) fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// Whether a file has a name that [`name`] or [`exchange_name`] gives.
pub(crate) fn is_temporary(name: &[u8]) -> bool {
    is_unpublished(name) || numbers::<3>(name, EXCHANGE_SUFFIX).is_some()
}

/// Whether a file has a name that [`name`] gives.
pub(super) fn is_unpublished(name: &[u8]) -> bool {
    numbers::<2>(name, SUFFIX).is_some()
}

/// The numbers by which the two files of an exchange are known, if a file has a name that
/// [`exchange_name`] gives.
#[cfg(unix)]
pub(super) fn exchanged(name: &[u8]) -> Option<(u64, u64)> {
    let [_, new, old] = numbers(name, EXCHANGE_SUFFIX)?;
    Some((new, old))
}

/// The numbers of a name.
fn numbers<const COUNT: usize>(name: &[u8], suffix: &str) -> Option<[u64; COUNT]> {
    let name = name.strip_prefix(PREFIX.as_bytes())?;
    let name = std::str::from_utf8(name.strip_suffix(suffix.as_bytes())?).ok()?;
    let mut numbers = name.split('-').map(|number| {
        let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        let number = Some(number).filter(|number| number.bytes().all(digit));
        number.and_then(|number| u64::from_str_radix(number, 16).ok())
    });
    let mut found = [0; COUNT];
    for place in &mut found {
        *place = numbers.next()??;
    }
    numbers.next().is_none().then_some(found)
}

/// Marks a temporary file as in use. `false` if another process uses it, which is
/// about to remove it.
pub(super) fn lock(file: &File) -> bool {
    // If files cannot be locked, no process can lock this one to remove it either.
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
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
            ".abslink-1-2.old",
            ".abslink-1-2-3.tmp",
            ".abslink-1-2-+3.old",
            ".abslink-1-2-3-4.old",
            "x.abslink-1-2.tmp",
        ] {
            assert!(!is_temporary(other.as_bytes()), "{other}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn names_of_exchanges_say_what_they_are_between() {
        use super::{exchange_name, exchanged, is_unpublished};
        for (new, old) in [(0, 1), (7, u64::MAX)] {
            let name = exchange_name(new, old);
            let name = name.as_encoded_bytes();
            assert!(is_temporary(name) && !is_unpublished(name));
            assert_eq!(exchanged(name), Some((new, old)));
        }
    }

    #[test]
    fn no_name_is_given_twice() {
        let mut names: Vec<_> = (0..10_000).map(|_| name()).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 10_000);
        // Nor by another process with the same number.
        let process = format!("-{:x}-", std::process::id());
        assert!(!name().to_string_lossy().contains(&process));
    }
}
