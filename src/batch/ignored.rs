//! `.gitignore` and `.ignore`: what they leave out of a directory, by the rules of git and ripgrep.
//!
//! Only files that are beside the documents or above them count, so that every machine leaves out the
//! same: what one person has in `.git/info/exclude` or in a configuration is not read. `.gitignore` counts
//! below a `.git` only, up to there; `.ignore` counts everywhere, and wins.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// The names of the files that have patterns: git's, and everybody's.
pub(crate) const FILES: [&str; 2] = [".gitignore", ".ignore"];

/// What counts in the directory that a walk is in.
#[derive(Default)]
pub(super) struct Ignored {
    /// PATH, without symbolic links.
    root: PathBuf,
    /// Each directory from the root of the file system to the one that the walk is in.
    levels: Vec<Level>,
    /// How many of them there are up to PATH.
    above: usize,
    /// How many files and directories were left out.
    pub(super) count: u64,
}

/// What counts in a directory and below it.
struct Level {
    gitignore: Gitignore,
    ignore: Gitignore,
    /// Whether a repository begins here.
    has_git: bool,
}

impl Ignored {
    /// Begins with a directory PATH.
    pub(super) fn begin(&mut self, path: &Path) -> io::Result<()> {
        self.root = path.canonicalize()?;
        let above: Vec<&Path> = self.root.ancestors().collect();
        self.levels = above.into_iter().rev().map(Level::of).collect();
        self.above = self.levels.len();
        Ok(())
    }

    /// Enters a directory at this depth below PATH.
    pub(super) fn enter(&mut self, depth: usize, relative: &Path) {
        if depth > 0 {
            self.levels.truncate(self.above + depth - 1);
            self.levels.push(Level::of(&self.root.join(relative)));
        }
    }

    /// Whether something at this depth below PATH is left out; then it is counted.
    pub(super) fn is_match(&mut self, depth: usize, relative: &Path, is_directory: bool) -> bool {
        self.levels.truncate(self.above + depth - 1);
        let path = self.root.join(relative);
        // The nearest file counts that says something.
        let (mut by_git, mut by_ignore) = (Match::None, Match::None);
        let mut is_inside = self.levels.iter().any(|level| level.has_git);
        for level in self.levels.iter().rev() {
            if by_ignore.is_none() {
                by_ignore = level.ignore.matched(&path, is_directory);
            }
            if is_inside && by_git.is_none() {
                by_git = level.gitignore.matched(&path, is_directory);
            }
            is_inside &= !level.has_git;
        }
        let is_match = by_ignore.or(by_git).is_ignore();
        self.count += u64::from(is_match);
        is_match
    }
}

impl Level {
    fn of(directory: &Path) -> Level {
        Level {
            gitignore: patterns(directory, ".gitignore"),
            ignore: patterns(directory, ".ignore"),
            has_git: directory.join(".git").symlink_metadata().is_ok(),
        }
    }
}

/// The patterns of a file. What cannot be read has none, and so has a line that is not a pattern, as with
/// git.
fn patterns(directory: &Path, name: &str) -> Gitignore {
    /// At most this much is read, since patterns take many times their length.
    const MOST: u64 = 1 << 20;
    let path = directory.join(name);
    let mut text = Vec::new();
    // A named pipe is not opened: it may never get a writer.
    let is_file = path.metadata().is_ok_and(|found| found.is_file());
    let read = |text| File::open(&path).and_then(|file| file.take(MOST).read_to_end(text));
    if !is_file || read(&mut text).is_err() {
        return Gitignore::empty();
    }
    let mut builder = GitignoreBuilder::new(directory);
    let text = String::from_utf8_lossy(&text);
    for line in text.trim_start_matches('\u{feff}').lines() {
        let _ = builder.add_line(None, line);
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}
