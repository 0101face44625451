//! Paths of files, as the walk makes them: names, one after the other.
//!
//! They are split several times for each file. By components that takes thousands of instructions;
//! on Unix, looking for the last slash is enough.

use std::ffi::{OsStr, OsString};
use std::fmt::{self, Write as _};
use std::fs::Metadata;
use std::path::{Path, PathBuf};

/// The part of `path` below `root`, with which it begins; all of it if it does not.
pub(super) fn below<'a>(root: &Path, path: &'a Path) -> &'a Path {
    #[cfg(unix)]
    {
        let bytes = path.as_os_str().as_encoded_bytes();
        let rest = bytes.strip_prefix(root.as_os_str().as_encoded_bytes());
        let below = rest.and_then(|rest| {
            let slashes = rest.iter().take_while(|&&byte| byte == b'/').count();
            native(&rest[slashes..])
        });
        below.unwrap_or(path)
    }
    #[cfg(not(unix))]
    path.strip_prefix(root).unwrap_or(path)
}

/// The directory and the name of a file; `None` if the path does not end in a name.
pub(super) fn split(path: &Path) -> Option<(&Path, &OsStr)> {
    #[cfg(unix)]
    {
        let bytes = path.as_os_str().as_encoded_bytes();
        let slash = memchr::memrchr(b'/', bytes);
        let (directory, name) = bytes.split_at(slash.map_or(0, |slash| slash + 1));
        let is_name = !matches!(name, b"" | b"." | b"..");
        is_name.then_some((native(directory)?, native(name)?.as_os_str()))
    }
    #[cfg(not(unix))]
    {
        let last = path.as_os_str().as_encoded_bytes().last();
        let is_name = !last.is_some_and(|&last| std::path::is_separator(last.into()));
        path.parent().zip(path.file_name()).filter(|_| is_name)
    }
}

/// A directory, which is the one that the process is in if its path is empty.
pub(super) fn or_here(directory: &Path) -> &Path {
    if directory.as_os_str().is_empty() {
        Path::new(".")
    } else {
        directory
    }
}

/// Whether two are one file, where the system tells that.
pub(super) fn is_same_file(one: &Metadata, other: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        (one.dev(), one.ino()) == (other.dev(), other.ino())
    }
    #[cfg(not(unix))]
    {
        _ = (one, other);
        false
    }
}

/// Whether what is at one path is a directory, or lies in it. Without links in them, paths of one file may differ
/// where letter case counts for nothing.
pub(super) fn is_in(path: &Path, directory: &Path) -> bool {
    let is_above = || {
        let directory = directory.metadata().ok()?;
        let is_it =
            |above: &Path| (above.metadata()).is_ok_and(|above| is_same_file(&above, &directory));
        path.ancestors().find(|above| is_it(above))
    };
    path.starts_with(directory) || is_above().is_some()
}

/// The name of a file, in the file system's bytes; empty if the path does not end in a name.
pub(super) fn name(path: &Path) -> &[u8] {
    split(path).map_or(b"", |(_, name)| name.as_encoded_bytes())
}

/// The name of a document in a file, by its number there or by where it begins.
pub(super) fn numbered(file: &Path, number: impl fmt::Display) -> PathBuf {
    let mut name = OsString::with_capacity(file.as_os_str().len() + "#".len() + 20);
    name.push(file);
    // Writing to memory does not fail.
    let _ = write!(name, "#{number}");
    name.into()
}

/// A path in the file system's bytes, as the system's own type; `None` if the system allows no such
/// path.
pub(super) fn native(path: &[u8]) -> Option<&Path> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        Some(Path::new(OsStr::from_bytes(path)))
    }
    #[cfg(not(unix))]
    std::str::from_utf8(path).ok().map(Path::new)
}

/// An argument as `sh` wants it. The shells of Windows know no escape by `\`, which is in every path there.
pub(crate) fn quoted(argument: &str) -> String {
    let others = if cfg!(windows) {
        r"_@%+=:,./-\"
    } else {
        "_@%+=:,./-"
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || others.contains(c);
    if !argument.is_empty() && argument.chars().all(is_plain) {
        argument.to_owned()
    } else {
        format!("'{}'", argument.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_a_root_as_it_was_given() {
        for (root, path, expected) in [
            ("d", "d/a/b", "a/b"),
            ("d/", "d/a/b", "a/b"),
            ("d//", "d//a", "a"),
            (".", "./a", "a"),
            ("/", "/a/b", "a/b"),
            ("../x", "../x/a", "a"),
            ("a.html", "a.html", ""),
            ("elsewhere", "d/a", "d/a"),
        ] {
            assert_eq!(
                below(root.as_ref(), path.as_ref()),
                Path::new(expected),
                "{root}"
            );
        }
    }

    #[test]
    fn directory_and_name() {
        for (path, expected) in [
            ("a/b/c.html", Some(("a/b", "c.html"))),
            ("c.html", Some(("", "c.html"))),
            ("/c", Some(("/", "c"))),
            ("a/..", None),
            ("/", None),
            ("", None),
        ] {
            let expected =
                expected.map(|(directory, name)| (Path::new(directory), OsStr::new(name)));
            assert_eq!(split(path.as_ref()), expected, "{path}");
        }
        assert_eq!(name("a/b.html".as_ref()), b"b.html");
        assert_eq!(name("/".as_ref()), b"");
    }

    #[test]
    fn arguments_are_quoted_for_sh() {
        for (argument, expected) in [
            ("--base-url=https://h/", "--base-url=https://h/"),
            ("", "''"),
            ("a b", "'a b'"),
            ("it's $x", r"'it'\''s $x'"),
            ("https://u:***@h/", "'https://u:***@h/'"),
        ] {
            assert_eq!(quoted(argument), expected);
        }
    }
}
