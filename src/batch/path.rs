//! Paths of files, as the walk makes them: names, one behind the other.
//!
//! They are taken apart several times for each file. By their components that takes thousands of
//! instructions; on Unix a look at the last slash does.

use std::ffi::OsStr;
use std::path::Path;

/// What of `path` lies below `root`, which it begins with; all of it where it does not.
pub(super) fn below<'a>(root: &Path, path: &'a Path) -> &'a Path {
    #[cfg(unix)]
    {
        let rest = unix::bytes(path).strip_prefix(unix::bytes(root));
        rest.map_or(path, |rest| {
            let slashes = rest.iter().take_while(|&&byte| byte == b'/').count();
            unix::path(&rest[slashes..])
        })
    }
    #[cfg(not(unix))]
    path.strip_prefix(root).unwrap_or(path)
}

/// The directory and the name of a file; `None` where the path ends in none.
pub(super) fn split(path: &Path) -> Option<(&Path, &OsStr)> {
    #[cfg(unix)]
    {
        let bytes = unix::bytes(path);
        let slash = memchr::memrchr(b'/', bytes);
        let (directory, name) = bytes.split_at(slash.map_or(0, |slash| slash + 1));
        let is_name = !matches!(name, b"" | b"." | b"..");
        is_name.then(|| (unix::path(directory), unix::path(name).as_os_str()))
    }
    #[cfg(not(unix))]
    path.parent().zip(path.file_name())
}

/// The name of a file, in the file system's bytes; empty where the path ends in none.
pub(super) fn name(path: &Path) -> &[u8] {
    split(path).map_or(b"", |(_, name)| name.as_encoded_bytes())
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;

    pub(super) fn bytes(path: &Path) -> &[u8] {
        path.as_os_str().as_bytes()
    }

    pub(super) fn path(bytes: &[u8]) -> &Path {
        Path::new(OsStr::from_bytes(bytes))
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
}
