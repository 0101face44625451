//! Errors that many files or rows share: the first of each kind are printed, and the rest are counted.

use std::io;
use std::mem::{Discriminant, discriminant};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::batch::{FileError, NoteKind, Problem};

use crate::cli::terminal::print::Number;

/// How many of a kind are printed.
const SHOWN: u64 = 10;

#[derive(Clone, Debug, PartialEq)]
struct ErrorGroup {
    error: Discriminant<FileError>,
    system: Option<io::ErrorKind>,
    /// Why a file was left, of the few reasons that there are.
    reason: Option<String>,
    /// The file, if these are errors of its rows or records.
    file: Option<PathBuf>,
}

impl ErrorGroup {
    fn of(problem: &Problem) -> ErrorGroup {
        let system = match &problem.error {
            FileError::Read(error) | FileError::Walk(error) => Some(error.kind()),
            FileError::Write { source, .. } => Some(source.kind()),
            _ => None,
        };
        ErrorGroup {
            error: discriminant(&problem.error),
            system,
            reason: match &problem.error {
                FileError::Left(_) | FileError::NotRead(_) | FileError::NotRegular(_) => {
                    Some(problem.error.to_string())
                }
                _ => None,
            },
            file: of_part(&problem.path),
        }
    }
}

/// The file that a row or a record is in, which its number follows.
fn of_part(path: &Path) -> Option<PathBuf> {
    let (file, number) = path.to_str()?.rsplit_once('#')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| file.into())
}

/// The errors of a run, by kind.
#[derive(Default)]
pub(crate) struct ErrorCounts(Mutex<Vec<(ErrorGroup, u64)>>);

impl ErrorCounts {
    /// Counts an error. Returns whether it is printed, and what is to be said before of the rows and records of another file.
    pub(crate) fn count(&self, problem: &Problem) -> (bool, Option<String>) {
        let kind = ErrorGroup::of(problem);
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_done = |it: &ErrorGroup| it.file.is_some() && it.file != kind.file;
        let done = counts.iter().filter(|(it, _)| is_done(it));
        let more = more(done.map(|(_, count)| *count));
        counts.retain(|(it, _)| !is_done(it));
        let place = counts.iter().position(|(it, _)| *it == kind);
        let place = place.unwrap_or_else(|| {
            counts.push((kind, 0));
            counts.len() - 1
        });
        counts[place].1 += 1;
        (counts[place].1 <= SHOWN, more)
    }

    /// A line for the run's end.
    pub(crate) fn rest(&self) -> Option<String> {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        more(counts.iter().map(|(_, count)| *count))
    }
}

/// The notes of a run, by kind, likewise.
#[derive(Default)]
pub(crate) struct NoteCounts(Mutex<Vec<(Discriminant<NoteKind>, u64)>>);

impl NoteCounts {
    /// Counts a note. Returns whether it is printed.
    pub(crate) fn is_shown(&self, note: &NoteKind) -> bool {
        let kind = discriminant(note);
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = counts.iter().position(|(it, _)| *it == kind);
        let place = place.unwrap_or_else(|| {
            counts.push((kind, 0));
            counts.len() - 1
        });
        counts[place].1 += 1;
        counts[place].1 <= SHOWN
    }

    /// A line for the run's end.
    pub(crate) fn rest(&self) -> Option<String> {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let more = more(counts.iter().map(|(_, count)| *count))?;
        Some(format!("{more} of these notes"))
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

    #[test]
    fn ten_of_each_kind_are_printed() {
        let errors = ErrorCounts::default();
        let problem = |path: &str, error| Problem {
            path: path.into(),
            error,
        };
        let count = |path: &str, error| errors.count(&problem(path, error));
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
        let notes = NoteCounts::default();
        for number in 1..=12 {
            assert_eq!(notes.is_shown(&NoteKind::LinkInside), number <= 10);
        }
        assert!(notes.is_shown(&NoteKind::OwnerChanged));
        assert_eq!(notes.rest().as_deref(), Some("… and 2 more of these notes"));
    }
}
