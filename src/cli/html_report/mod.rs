//! `--format html=FILE`: what a run did, as one HTML page with pictures.
//!
//! ```text
//! reference (workers, any order) -> frames -> take -\
//! document, failed (path order) --------------------+-> ReportState -> page (askama) -> FILE
//! ```
//! The page is self-contained: it has no script and no other file, and its policy allows neither.
//! Nothing in it depends on the time, the working directory or the number of jobs. What is
//! held ([`ReportState`]) does not grow with the tree, and what is written is bounded: each list is cut, and so
//! is each value in it ([`text`]).

mod bases;
mod directories;
mod examples;
mod hosts;
mod outcomes;
mod page;
mod rows;
mod text;
mod treemap;

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::batch::{Located, Moment, quoted};
use crate::cli::format::target::Sink;
use crate::cli::format::{Mode, frame};
use crate::cli::run::end::RunEnd;
use crate::cli::run::exit::Remaining;
use crate::cli::terminal::passwords::masked;
use abslink_html::{Examined, Outcome};
use bases::Bases;
use directories::{Counts, Directories};
use examples::{ExampleCounts, Examples};
use hosts::Hosts;

/// At most this many files that could not be processed are named.
const TROUBLES: usize = 200;

/// Makes the page.
pub(crate) struct HtmlReport {
    command: Mode,
    /// The command line, for `sh`.
    typed: String,
    /// The date that the page shows.
    date: Option<Moment>,
    known: ExampleCounts,
    state: Mutex<ReportState>,
}

/// Everything known so far, in path order.
struct ReportState {
    sink: Sink,
    directories: Directories,
    hosts: Hosts,
    bases: Bases,
    examples: Examples,
    /// Files that could not be processed, and why.
    troubles: Vec<(String, String)>,
    failed: u64,
    /// The directory that the command was started in; its name is not shown.
    here: Option<PathBuf>,
}

/// The first byte of a frame with the host of a reference. A frame with any other first byte is an
/// [`examples::Example`].
const HOST: u8 = b'h';

impl HtmlReport {
    /// Text near the beginning of each page.
    pub(crate) const MARK: &str = "<meta name=\"generator\" content=\"abslink ";

    /// `typed` is the command line. [`HtmlReport::end`] reports problems with the file that show only
    /// later.
    pub(crate) fn new(
        command: Mode,
        typed: &[OsString],
        date: Option<Moment>,
        sink: Sink,
    ) -> HtmlReport {
        let arguments = typed.iter().skip(1);
        let arguments = arguments.map(|argument| {
            let argument = argument.to_string_lossy();
            format!(" {}", quoted(&masked(&argument)))
        });
        HtmlReport {
            command,
            typed: format!("abslink{}", arguments.collect::<String>()),
            date,
            known: ExampleCounts::default(),
            state: Mutex::new(ReportState {
                sink,
                directories: Directories::default(),
                hosts: Hosts::default(),
                bases: Bases::default(),
                examples: Examples::default(),
                troubles: Vec::new(),
                failed: 0,
                here: std::env::current_dir().ok(),
            }),
        }
    }

    fn state(&self) -> MutexGuard<'_, ReportState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A worker found a reference.
    pub(crate) fn reference(&self, reader: u8, located: &Located<'_>, out: &mut Vec<u8>) {
        let reference = located.reference;
        if let (Outcome::Relative | Outcome::Absolute, Some(absolute)) =
            (reference.outcome, reference.absolute)
        {
            frame::push(reader, out, |out| {
                out.push(HOST);
                out.extend_from_slice(hosts::host(absolute).as_bytes());
            });
        }
        let examples = [
            self.known.change(located),
            self.known.left(located, self.left()),
            self.known.divergent(located),
        ];
        for example in examples.into_iter().flatten() {
            // Neither writing to a Vec nor serialising text and numbers fails.
            frame::push(reader, out, |out| {
                let _ = serde_json::to_writer(out, &example);
            });
        }
    }

    /// Takes what [`HtmlReport::reference`] appended, in path order.
    pub(crate) fn take(&self, frame: &[u8]) -> io::Result<()> {
        let mut state = self.state();
        match frame {
            [HOST, host @ ..] => state.hosts.count(&String::from_utf8_lossy(host)),
            example => {
                let example = serde_json::from_slice(example)?;
                state.examples.take(example, &self.known);
            }
        }
        Ok(())
    }

    /// A document was read; in path order.
    pub(crate) fn document(&self, path: &Path, examined: &Examined) {
        if examined.left.is_some() || examined.disagreement.is_some() {
            return;
        }
        let tally = &examined.tally;
        let left = match self.left() {
            Remaining::Relative => tally.rewritten + tally.unresolved,
            _ => tally.unresolved,
        };
        let counts = Counts {
            documents: 1,
            references: tally.references,
            left,
            divergent: tally.divergent,
            failed: 0,
        };
        let mut state = self.state();
        state.directories.count(path, &counts);
        (state.bases).count(path, &examined.document_base, tally.unresolved);
    }

    /// A file could not be processed; in path order.
    pub(crate) fn failed(&self, path: &Path, reason: &str) {
        let mut state = self.state();
        state.failed += 1;
        let failed = Counts {
            failed: 1,
            ..Counts::default()
        };
        state.directories.count(path, &failed);
        if state.troubles.len() < TROUBLES {
            let reason = match &state.here {
                Some(here) if here.parent().is_some() => {
                    reason.replace(&format!(" {}/", here.display()), " ")
                }
                _ => reason.to_owned(),
            };
            let path = text::shown(&path.to_string_lossy(), text::LONGEST);
            let reason = text::shown(&reason, text::LONGEST_SENTENCE);
            state.troubles.push((path, reason));
        }
    }

    /// Writes the page, even if a signal has ended the run.
    pub(crate) fn end(&self, end: &RunEnd) -> io::Result<()> {
        let mut state = self.state();
        page::write(self, &mut state, end)?;
        state.sink.finish()
    }

    fn left(&self) -> Remaining {
        match self.command {
            Mode::Check { .. } => Remaining::Relative,
            Mode::Rewrite { .. } => Remaining::Unresolved,
        }
    }
}
