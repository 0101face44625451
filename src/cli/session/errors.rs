//! Errors that many files or rows share: the first of each kind are printed, and the rest are counted.

use std::mem::{Discriminant, discriminant};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::batch::{FileError, Problem};

use crate::cli::terminal::lock;
use crate::cli::terminal::print::Number;

/// How many of a kind are printed.
const SHOWN: u64 = 10;

#[derive(PartialEq)]
pub(super) struct ErrorGroup {
    error: Discriminant<FileError>,
    /// The system's reason, or why a file was left, of the few reasons that there are.
    reason: Option<String>,
    /// The file, if these are errors of its rows or records.
    file: Option<PathBuf>,
}

impl ErrorGroup {
    pub(super) fn of(problem: &Problem) -> ErrorGroup {
        ErrorGroup {
            error: discriminant(&problem.error),
            reason: match &problem.error {
                FileError::Read(error) | FileError::Walk(error) => Some(error.kind().to_string()),
                FileError::Write { source, .. } => Some(source.kind().to_string()),
                FileError::Left(_) | FileError::NotRead(_) | FileError::NotRegular(_) => {
                    Some(problem.error.to_string())
                }
                _ => None,
            },
            file: of_part(&problem.path),
        }
    }

    /// These are errors of the rows or records of a file that is done when there is one of another.
    pub(super) fn is_done_before(&self, other: &ErrorGroup) -> bool {
        self.file.is_some() && self.file != other.file
    }
}

/// The file that a row or a record is in, which its number follows.
fn of_part(path: &Path) -> Option<PathBuf> {
    let (file, number) = path.to_str()?.rsplit_once('#')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| file.into())
}

/// How often each kind of error or note came up in a run.
pub(super) struct Counts<K>(Mutex<Vec<(K, u64)>>);

impl<K: PartialEq> Counts<K> {
    pub(super) fn new() -> Counts<K> {
        Counts(Mutex::default())
    }

    /// Counts one. Returns whether it is printed, and what is to be said before of kinds that do not come up again.
    pub(super) fn count(
        &self,
        kind: K,
        is_done_before: impl Fn(&K, &K) -> bool,
    ) -> (bool, Option<String>) {
        let mut counts = lock(&self.0);
        let done = counts.extract_if(.., |(it, _)| is_done_before(it, &kind));
        let more = more(done.map(|(_, count)| count));
        let place = counts.iter().position(|(it, _)| *it == kind);
        let place = place.unwrap_or_else(|| {
            counts.push((kind, 0));
            counts.len() - 1
        });
        counts[place].1 += 1;
        (counts[place].1 <= SHOWN, more)
    }

    /// A line for the run's end.
    pub(super) fn rest(&self) -> Option<String> {
        let counts = lock(&self.0);
        more(counts.iter().map(|(_, count)| *count))
    }
}

/// How many were not printed.
fn more(counts: impl Iterator<Item = u64>) -> Option<String> {
    let rest: u64 = counts.map(|count| count.saturating_sub(SHOWN)).sum();
    (rest > 0).then(|| format!("… and {} more", Number(rest)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::NoteKind;

    #[test]
    fn ten_of_each_kind_are_printed() {
        let errors = Counts::new();
        let problem = |path: &str, error| Problem {
            path: path.into(),
            error,
        };
        let group = |path: &str, error| ErrorGroup::of(&problem(path, error));
        let count =
            |path: &str, error| errors.count(group(path, error), ErrorGroup::is_done_before);
        for number in 1..=12 {
            let (is_shown, more) = count(&format!("a.csv#{number}"), FileError::Left("x"));
            assert_eq!((is_shown, more), (number <= 10, None));
        }
        assert_eq!(
            count("b.html", FileError::Changed),
            (true, Some("… and 2 more".to_owned()))
        );
        for _ in 0..1_500 {
            count("c.html", FileError::Changed);
        }
        assert_eq!(count("d#", FileError::Left("x")), (true, None));
        assert_eq!(errors.rest().as_deref(), Some("… and 1,491 more"));
        for _ in 0..10 {
            count("e.html", FileError::Left("x"));
        }
        assert_eq!(count("e.html", FileError::Left("y")), (true, None));
        let notes = Counts::new();
        let is_shown = |note| notes.count(discriminant(&note), |_, _| false).0;
        for number in 1..=12 {
            assert_eq!(is_shown(NoteKind::LinkInside), number <= 10);
        }
        assert!(is_shown(NoteKind::OwnerChanged));
        assert_eq!(notes.rest().as_deref(), Some("… and 2 more"));
    }
}
