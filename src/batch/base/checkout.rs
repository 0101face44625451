//! The repository that a tree is in: where it begins, which of its names are directories, and what Git LFS stores.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::batch::path;
use crate::batch::read::{self, windows_names};
use abslink_html::base::retrieval::repo::RepoFiles;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// At most this much is read of a file of patterns: they take hundreds of times their length.
const MOST: usize = 64 << 10;

/// The nearest directory above a path, or that path, in which a repository begins.
#[cfg(feature = "cli")]
pub(crate) fn root_of(path: &Path) -> Option<PathBuf> {
    let path = Path::new(".").join(path).canonicalize().ok()?;
    let begins = |directory: &&Path| directory.join(".git").symlink_metadata().is_ok();
    path.ancestors().find(begins).map(Path::to_owned)
}

/// What is below the root of a repository.
#[derive(Debug)]
pub(crate) struct CheckedOut {
    root: PathBuf,
    /// The patterns of each directory, once they are asked for.
    attributes: Mutex<HashMap<PathBuf, Arc<Gitignore>>>,
}

impl CheckedOut {
    pub(crate) fn new(root: PathBuf) -> CheckedOut {
        CheckedOut {
            root,
            attributes: Mutex::default(),
        }
    }

    fn attributes(&self, directory: &Path) -> Arc<Gitignore> {
        let mut known = (self.attributes.lock()).unwrap_or_else(PoisonError::into_inner);
        let patterns = known.entry(directory.to_owned());
        Arc::clone(patterns.or_insert_with(|| Arc::new(lfs_patterns(&self.root.join(directory)))))
    }
}

impl RepoFiles for CheckedOut {
    fn has_directory(&self, path: &[u8]) -> bool {
        let found = inside(path).and_then(|path| self.root.join(path).symlink_metadata().ok());
        found.is_some_and(|found| found.is_dir())
    }

    fn is_stored(&self, path: &[u8]) -> bool {
        let Some(path) = inside(path) else {
            return false;
        };
        let directories = path.ancestors().skip(1);
        let said = directories.map(|directory| {
            let attributes = self.attributes(directory);
            attributes.matched(self.root.join(path), false).map(|_| ())
        });
        // The nearest file counts that says something.
        said.reduce(Match::or).is_some_and(|said| said.is_ignore())
    }
}

/// A path below the root.
fn inside(path: &[u8]) -> Option<&Path> {
    let is_name = |it: Component<'_>| matches!(it, Component::Normal(_));
    path::native(path)
        .filter(|path| path.components().all(is_name) && windows_names::refuse(path).is_ok())
}

/// What `.gitattributes` in a directory leaves to Git LFS: its patterns are those of `.gitignore`, but that a directory
/// does not stand for what is in it.
fn lfs_patterns(directory: &Path) -> Gitignore {
    let path = directory.join(".gitattributes");
    let mut builder = GitignoreBuilder::new(directory);
    let text = read::open(&path).map_or_else(|_| Vec::new(), |it| read::head(&it.file, MOST));
    for line in String::from_utf8_lossy(&text).lines() {
        let line = line.trim();
        let (pattern, attributes) =
            match line.strip_prefix('"').and_then(|line| line.split_once('"')) {
                Some((pattern, rest)) => (pattern.replace(' ', "\\ "), rest),
                None => match line.split_once([' ', '\t']) {
                    Some((pattern, rest)) => (pattern.replace("[[:space:]]", "\\ "), rest),
                    None => continue,
                },
            };
        let mut said = attributes.split_ascii_whitespace().rev();
        let said =
            said.find(|it| it.trim_start_matches(['-', '!']).split('=').next() == Some("filter"));
        let _ = match said {
            Some("filter=lfs") => builder.add_line(None, &pattern),
            Some(_) => builder.add_line(None, &format!("!{pattern}")),
            None => continue,
        };
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}
