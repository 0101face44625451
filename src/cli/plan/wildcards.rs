//! `*` and `?` in PATHs. On Windows no shell replaces them by the names of files, and no file can have
//! them in its name.
//!
//! The crate wild replaces them in the whole command line, the values of options too: after `-i --exclude *.bak` the
//! second name that matches would be a PATH, and rewritten.

use std::ffi::OsStr;
use std::io;
use std::path::{Component, Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};

/// The paths that a PATH stands for on Windows, in order; itself if it has no wildcard.
pub(super) fn expanded(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !path.components().any(|part| is_wildcard(part.as_os_str())) {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = vec![PathBuf::new()];
    for component in path.components() {
        match component {
            Component::Normal(name) if is_wildcard(name) => {
                let pattern = pattern(name)?;
                let mut below = Vec::new();
                for directory in &found {
                    below.extend(matching(directory, &pattern));
                }
                found = below;
            }
            other => found.iter_mut().for_each(|path| path.push(other)),
        }
    }
    found.retain(|path| path.symlink_metadata().is_ok());
    Ok(found)
}

fn is_wildcard(name: &OsStr) -> bool {
    let bytes = name.as_encoded_bytes();
    // `\\?\C:\` is a component too.
    !bytes.contains(&b'\\') && bytes.iter().any(|byte| b"*?".contains(byte))
}

/// Upper and lower case are the same, as they are for the system. Brackets and braces are letters.
fn pattern(name: &OsStr) -> io::Result<GlobMatcher> {
    let mut pattern = String::new();
    for character in name.to_string_lossy().chars() {
        match character {
            '[' | ']' | '{' | '}' | '!' => pattern.extend(['[', character, ']']),
            other => pattern.push(other),
        }
    }
    let glob = GlobBuilder::new(&pattern).case_insensitive(true).build();
    glob.map(|glob| glob.compile_matcher())
        .map_err(io::Error::other)
}

/// What matches in a directory, sorted. One that cannot be read has nothing.
fn matching(directory: &Path, pattern: &GlobMatcher) -> Vec<PathBuf> {
    let listed = if directory.as_os_str().is_empty() {
        Path::new(".")
    } else {
        directory
    };
    let entries = listed.read_dir().into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name());
    let mut names: Vec<_> = names.filter(|name| pattern.is_match(name)).collect();
    names.sort();
    names.iter().map(|name| directory.join(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_match() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for name in ["a/x.html", "a/Y.HTML", "b/[z].html", "b/z.txt", "c.html"] {
            std::fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
            std::fs::write(root.join(name), "").unwrap();
        }
        let names = |path: &str| -> Vec<String> {
            let found = expanded(&root.join(path)).unwrap();
            let below = found.iter().map(|path| path.strip_prefix(root).unwrap());
            below
                .map(|path| path.to_string_lossy().replace('\\', "/"))
                .collect()
        };
        assert_eq!(names("*/*.html"), ["a/Y.HTML", "a/x.html", "b/[z].html"]);
        assert_eq!(names("?/[Z]*"), ["b/[z].html"]);
        assert_eq!(names("*/x.html"), ["a/x.html"]);
        assert_eq!(names("*"), ["a", "b", "c.html"]);
        assert!(names("*.xml").is_empty());
        // What has no wildcard need not be there.
        assert_eq!(names("d/x.html"), ["d/x.html"]);
    }
}
