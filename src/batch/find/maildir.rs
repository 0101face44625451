//! Maildir: a directory with `cur` and `new`, in which each file is a message.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::batch::path;

/// The directories that hold the mail.
const HOLD_MAIL: [&str; 2] = ["cur", "new"];

/// All that a mail reader expects. `tmp` is empty, and gets lost in copies.
pub(crate) const DIRECTORIES: [&str; 3] = ["cur", "new", "tmp"];

/// Knows of the last directory whether it is one of those that hold mail.
#[derive(Debug, Default)]
pub(crate) struct MailFolders(Option<(PathBuf, bool)>);

impl MailFolders {
    /// Whether a file is directly in a directory of a Maildir that holds mail.
    pub(crate) fn hold(&mut self, file: &Path, follow_links: bool) -> bool {
        let names = HOLD_MAIL.map(str::as_bytes);
        let directory = file.parent().filter(|it| names.contains(&path::name(it)));
        let Some(directory) = directory else {
            return false;
        };
        let is_other = |(last, _): &mut (PathBuf, bool)| last.as_os_str() != directory.as_os_str();
        self.0.take_if(is_other);
        let look = || (directory.to_owned(), hold_mail(directory, follow_links));
        self.0.get_or_insert_with(look).1
    }
}

fn hold_mail(directory: &Path, follow_links: bool) -> bool {
    let is_directory = |name: &str| {
        let path = directory.with_file_name(name);
        let metadata = if follow_links {
            path.metadata()
        } else {
            path.symlink_metadata()
        };
        metadata.is_ok_and(|metadata| metadata.is_dir())
    };
    HOLD_MAIL.into_iter().all(is_directory)
}

/// The name of a message with other numbers in the fields `S=` and `W=`, which say how long it is as a file and with
/// line ends of two bytes; with `None` the fields go. `None` if it has neither.
pub(crate) fn with_sizes(name: &OsStr, sizes: Option<[usize; 2]>) -> Option<OsString> {
    let mut rest = name.as_encoded_bytes();
    let (mut new, mut has_size) = (Vec::with_capacity(rest.len()), false);
    while let [first, after @ ..] = rest {
        let digits = match rest {
            [b',', b'S' | b'W', b'=', digits @ ..] => digits
                .iter()
                .take_while(|digit| digit.is_ascii_digit())
                .count(),
            _ => 0,
        };
        if digits > 0 {
            let (field, more) = rest.split_at(",S=".len());
            if let Some([size, with_pairs]) = sizes {
                let size = if field == b",S=" { size } else { with_pairs };
                new.extend_from_slice(field);
                new.extend_from_slice(size.to_string().as_bytes());
            }
            (rest, has_size) = (&more[digits..], true);
        } else {
            new.push(*first);
            rest = after;
        }
    }
    let new = path::native(&new).filter(|_| has_size)?;
    Some(new.as_os_str().to_owned())
}

/// The sizes of a message, for its name.
pub(crate) fn sizes(message: &[u8]) -> [usize; 2] {
    let feeds = memchr::memchr_iter(b'\n', message).count();
    let pairs = memchr::memmem::find_iter(message, b"\r\n").count();
    [message.len(), message.len() + feeds - pairs]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_without_sizes() {
        for (name, expected) in [
            ("1700.M1P2.host,S=12,W=13:2,S", "1700.M1P2.host:2,S"),
            ("1700.M1P2.host,W=13,S=12", "1700.M1P2.host"),
            (
                "1700.M1P2.host,U=5,S=12,FMD5=abc:2,RS",
                "1700.M1P2.host,U=5,FMD5=abc:2,RS",
            ),
        ] {
            assert_eq!(with_sizes(name.as_ref(), None).unwrap(), expected);
        }
        for name in ["1700.M1P2.host:2,S", "1700,S=:2,", "S=12", "a,s=12"] {
            assert_eq!(with_sizes(name.as_ref(), None), None, "{name}");
        }
    }

    #[test]
    fn names_with_other_sizes() {
        assert_eq!(sizes(b"a\nb\r\n\n"), [6, 8]);
        let new = with_sizes("1.h,S=12,U=5,W=13:2,S".as_ref(), Some([6, 8]));
        assert_eq!(new.unwrap(), "1.h,S=6,U=5,W=8:2,S");
    }
}
