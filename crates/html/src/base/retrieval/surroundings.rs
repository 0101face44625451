//! What is asked about the tree around a document, for what is said at the end of a run.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use super::mirror::Files;
use super::neighbours::Neighbours;
use abslink_url::percent;

/// A tree below a base URL that has a path: links from the root lead out of it.
#[derive(Clone, Debug)]
pub struct Surroundings {
    files: Arc<dyn Files>,
    /// The path of the base URL, with a slash at its end.
    directory: Arc<str>,
    /// Names that stand for the URL of their directory.
    index: Arc<[String]>,
}

impl Surroundings {
    /// The tree with these files, below a base URL with this path.
    pub fn new(files: Arc<dyn Files>, directory: &str, index: &[String]) -> Surroundings {
        Surroundings {
            files,
            directory: directory.into(),
            index: index.into(),
        }
    }

    /// For a link from the root that leads to a page or file with a name: whether the tree would have what it
    /// leads to, if the tree were at the root. `None` for any other reference.
    pub(crate) fn would_have(&self, reference: &str) -> Option<bool> {
        let end = reference.find(['?', '#']).unwrap_or(reference.len());
        let path = reference[..end].strip_prefix('/')?;
        let is_index = self.index.iter().any(|name| name == path);
        // Each site has a root, and it is often meant.
        if path.is_empty() || path.starts_with('/') || is_index {
            return None;
        }
        if reference.starts_with(&*self.directory) {
            return Some(false);
        }
        let path = percent::decode(path);
        let has = |path: &[u8]| self.files.is_still_file(path);
        let is_page = |name: &String| {
            let directory = path.strip_suffix(b"/").unwrap_or(&path);
            has(&[directory, b"/", name.as_bytes()].concat())
        };
        Some(!path.ends_with(b"/") && has(&path) || self.index.iter().any(is_page))
    }
}

/// The files around a document, and those of them whose bytes some page names by a hash.
#[derive(Clone, Debug)]
pub struct Pins {
    /// The files around the document.
    pub neighbours: Neighbours,
    /// Where what is found goes.
    pub pinned: Arc<Pinned>,
}

/// Paths of files below the root of the tree.
#[derive(Debug, Default)]
pub struct Pinned(Mutex<HashSet<Box<[u8]>>>);

impl Pinned {
    /// More are not held.
    const MOST: usize = 1_000_000;

    /// Holds one more, if there is room.
    pub fn add(&self, path: Vec<u8>) {
        let mut paths = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if paths.len() < Pinned::MOST {
            paths.insert(path.into());
        }
    }

    /// Whether it is one of them.
    pub fn holds(&self, path: &[u8]) -> bool {
        let paths = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        paths.contains(path)
    }

    /// All of them, in order.
    pub fn take(&self) -> Vec<Box<[u8]>> {
        let mut paths = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut paths: Vec<_> = std::mem::take(&mut *paths).into_iter().collect();
        paths.sort();
        paths
    }
}

impl Pins {
    /// Notes the file of a URL, if the tree has one.
    pub(crate) fn pin(&self, url: &str) {
        if let Some(path) = self.neighbours.path(url) {
            self.pinned.add(path);
        }
    }
}
