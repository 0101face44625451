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

use crate::batch::report::{FileError, Problem};

/// The names of the files that have patterns: git's, and everybody's.
pub(crate) const FILES: [&str; 2] = [".gitignore", ".ignore"];

/// What counts in the directory that a walk is in.
#[derive(Default)]
pub(crate) struct Ignored {
    /// PATH, without symbolic links.
    root: PathBuf,
    /// Each directory from the root of the file system to the one that the walk is in.
    levels: Vec<IgnoreRules>,
    /// How many of them there are up to PATH.
    above: usize,
    /// How many files and directories were left out.
    pub(crate) count: u64,
}

/// At most this much is read of a file of patterns: they take hundreds of times their length.
const MOST: usize = 64 << 10;

/// The same for all files that count at one place.
const MOST_TOGETHER: usize = 4 * MOST;

const TOO_LONG: &str =
    "more than 64 KiB of patterns, or 256 KiB with those of the directories above it";

/// What counts in a directory and below it.
struct IgnoreRules {
    directory: PathBuf,
    /// How long the patterns are.
    length: usize,
    gitignore: Gitignore,
    ignore: Gitignore,
    /// Whether a repository begins here.
    has_git: bool,
}

impl Ignored {
    /// Begins with a directory PATH.
    pub(crate) fn begin(&mut self, path: &Path) -> Result<(), Problem> {
        let root = path.canonicalize();
        self.root = root.map_err(|error| unknown(path, error))?;
        let above: Vec<PathBuf> = self.root.ancestors().map(Path::to_owned).collect();
        self.above = above.len();
        // Two PATHs have most of these in common.
        let is_common = |(level, above): &(&IgnoreRules, &PathBuf)| level.directory == **above;
        let common = self.levels.iter().zip(above.iter().rev());
        let common = common.take_while(is_common).count();
        self.levels.truncate(common);
        let below = above.iter().rev().skip(common);
        below.into_iter().try_for_each(|above| self.push(above))
    }

    /// Enters a directory at this depth below PATH.
    pub(crate) fn enter(&mut self, depth: usize, relative: &Path) -> Result<(), Problem> {
        if depth == 0 {
            return Ok(());
        }
        self.levels.truncate(self.above + depth - 1);
        self.push(&self.root.join(relative))
    }

    fn push(&mut self, directory: &Path) -> Result<(), Problem> {
        let has_git = directory.join(".git").symlink_metadata().is_ok();
        let is_inside = has_git || self.levels.iter().any(|level| level.has_git);
        let before = self.levels.iter().map(|level| level.length).sum();
        let mut length = before;
        let [gitignore, ignore] = FILES;
        let gitignore = if is_inside {
            patterns(directory, gitignore, &mut length)?
        } else {
            Gitignore::empty()
        };
        let ignore = patterns(directory, ignore, &mut length)?;
        self.levels.push(IgnoreRules {
            directory: directory.to_owned(),
            length: length - before,
            gitignore,
            ignore,
            has_git,
        });
        Ok(())
    }

    /// Whether something at this depth below PATH is left out; then it is counted.
    pub(crate) fn is_match(&mut self, depth: usize, relative: &Path, is_directory: bool) -> bool {
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

/// What keeps it unknown what is left out.
fn unknown(path: &Path, error: io::Error) -> Problem {
    let (path, error) = (path.to_owned(), FileError::Walk(error));
    Problem { path, error }
}

/// The patterns of a file; `length` counts all that count together. What cannot be read has none, and so has a
/// line that is not a pattern, as with git.
fn patterns(directory: &Path, name: &str, length: &mut usize) -> Result<Gitignore, Problem> {
    let path = directory.join(name);
    let mut text = Vec::new();
    // A named pipe is not opened: it may never get a writer.
    let is_file = path.metadata().is_ok_and(|found| found.is_file());
    let read =
        |text| File::open(&path).and_then(|file| file.take(MOST as u64 + 1).read_to_end(text));
    if !is_file || read(&mut text).is_err() {
        return Ok(Gitignore::empty());
    }
    *length += text.len();
    if text.len() > MOST || *length > MOST_TOGETHER {
        return Err(unknown(&path, io::Error::other(TOO_LONG)));
    }
    let mut builder = GitignoreBuilder::new(directory);
    let text = String::from_utf8_lossy(&text);
    for line in text.trim_start_matches('\u{feff}').lines() {
        let _ = builder.add_line(None, line);
    }
    Ok(builder.build().unwrap_or_else(|_| Gitignore::empty()))
}
