//! What a run did in each directory.
//!
//! Only a limited number of directories is held: if there are more, the smallest ones that contain no
//! others join the directories that contain them. Documents come in path order, so the same tree
//! gives the same picture.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ffi::OsString;
use std::path::{Component, Path};

/// At most this many directories are held.
const MOST: usize = 4096;
/// Anything deeper than that counts for the directory that contains it.
const DEEPEST: usize = 64;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) documents: u64,
    pub(super) references: u64,
    /// References that are relative, and should not be.
    pub(super) left: u64,
    pub(super) divergent: u64,
    /// Files that could not be processed.
    pub(super) failed: u64,
}

impl Counts {
    /// The area of a directory: its references. A file that could not be processed counts as one, or
    /// it would not be seen.
    pub(super) fn area(&self) -> u64 {
        self.references + self.failed
    }

    /// That of the worst outcome in a directory.
    pub(super) fn paint(&self) -> &'static str {
        match self {
            Counts { failed: 1.., .. } => "failed",
            Counts { left: 1.., .. } => "left",
            Counts { divergent: 1.., .. } => "divergent",
            _ => "done",
        }
    }

    pub(super) fn add(&mut self, other: &Counts) {
        self.documents += other.documents;
        self.references += other.references;
        self.left += other.left;
        self.divergent += other.divergent;
        self.failed += other.failed;
    }
}

#[derive(Default)]
pub(super) struct DirectoryNode {
    /// The documents in it, and those in directories that have joined it.
    pub(super) own: Counts,
    pub(super) below: BTreeMap<OsString, DirectoryNode>,
}

impl DirectoryNode {
    /// All documents below it.
    pub(super) fn all(&self) -> Counts {
        let mut all = self.own;
        for below in self.below.values() {
            all.add(&below.all());
        }
        all
    }

    /// Absorbs the directories that contain no others and have a smaller area than this. Returns how many are left.
    fn join(&mut self, least: u64) -> usize {
        let (own, mut left) = (&mut self.own, 0);
        self.below.retain(|_, below| {
            left += below.join(least);
            let stays = !below.below.is_empty() || below.own.area() >= least;
            if stays {
                left += 1;
            } else {
                own.add(&below.own);
            }
            stays
        });
        left
    }
}

/// All directories, as far as they are held.
#[derive(Default)]
pub(super) struct Directories {
    pub(super) top: DirectoryNode,
    held: usize,
}

impl Directories {
    /// Counts what came of the file at `path`.
    pub(super) fn count(&mut self, path: &Path, counts: &Counts) {
        let directory = path.parent().unwrap_or(Path::new(""));
        let names = directory
            .components()
            .filter_map(|component| match component {
                Component::CurDir => None,
                other => Some(other.as_os_str()),
            });
        let mut directory = &mut self.top;
        for name in names.take(DEEPEST) {
            let below = directory.below.entry(name.to_owned());
            self.held += usize::from(matches!(below, Entry::Vacant(_)));
            directory = below.or_default();
        }
        directory.own.add(counts);
        let mut least = 1;
        while self.held > MOST {
            least *= 2;
            self.held = self.top.join(least);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;

    fn references(references: u64) -> Counts {
        Counts {
            documents: 1,
            references,
            ..Counts::default()
        }
    }

    fn held(directory: &DirectoryNode) -> usize {
        let below = directory.below.values();
        below.map(|below| 1 + held(below)).sum()
    }

    #[test]
    fn the_smallest_join_those_they_are_in() {
        let mut directories = Directories::default();
        for number in 0..MOST as u64 * 4 {
            // Every eighth is large: there is room for these.
            let size = if number % 8 == 0 { 1_000 } else { 1 };
            let path = format!("./top/{:03}/{number:05}/p.html", number / 100);
            directories.count(Path::new(&path), &references(size));
            assert!(directories.held <= MOST);
        }
        assert_eq!(held(&directories.top), directories.held);
        let all = directories.top.all();
        assert_eq!(all.documents, MOST as u64 * 4);
        assert_eq!(all.references, MOST as u64 / 2 * 1_007);
        let top = &directories.top.below[OsStr::new("top")];
        let first = &top.below[OsStr::new("000")];
        assert!(first.own.documents > 0, "small ones have joined");
        assert!(
            first.below.contains_key(OsStr::new("00000")),
            "large ones stay"
        );
    }

    #[test]
    fn no_depth_is_too_deep() {
        let mut directories = Directories::default();
        for length in 1..3 {
            let path = "d/".repeat(2_000 * length) + "p.html";
            directories.count(Path::new(&path), &references(1));
        }
        assert_eq!(directories.held, DEEPEST);
        assert_eq!(directories.top.all(), {
            let mut both = references(1);
            both.add(&references(1));
            both
        });
    }

    #[test]
    fn the_worst_counts() {
        let mut counts = references(3);
        assert_eq!(counts.paint(), "done");
        counts.divergent = 1;
        assert_eq!(counts.paint(), "divergent");
        counts.left = 1;
        assert_eq!(counts.paint(), "left");
        counts.failed = 1;
        assert_eq!((counts.paint(), counts.area()), ("failed", 4));
    }
}
