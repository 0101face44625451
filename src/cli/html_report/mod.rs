//! `--format html=FILE`: what a run did, as one HTML page with pictures.
//!
//! ```text
//! reference (workers, any order) -> in_order -------\
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

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::batch::{Located, Moment, quoted};
use crate::cli::format::{Mode, Printer};
use crate::cli::run::end::RunEnd;
use crate::cli::run::exit::Remaining;
use crate::cli::terminal::lock;
use crate::cli::terminal::passwords::masked;
use abslink_html::{Examined, Outcome};
use bases::Bases;
use directories::{Counts, Directories};
use examples::{Example, ExampleCounts, Examples};
use hosts::Hosts;
use serde::{Deserialize, Serialize};
use serde_json::Deserializer;

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

/// What is shown of a reference: the host that it leads to, and examples.
#[derive(Serialize, Deserialize)]
struct ShownReference<'h> {
    host: Option<Cow<'h, str>>,
    examples: Vec<Example>,
}

impl HtmlReport {
    /// Text near the beginning of each page.
    pub(crate) const MARK: &str = "<meta name=\"generator\" content=\"abslink ";

    /// `typed` is the command line.
    pub(crate) fn new(command: Mode, typed: &[OsString], date: Option<Moment>) -> HtmlReport {
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

    fn left(&self) -> Remaining {
        match self.command {
            Mode::Check { .. } => Remaining::Relative,
            Mode::Rewrite { .. } => Remaining::Unresolved,
        }
    }
}

impl Printer for HtmlReport {
    fn reference(&self, located: &Located<'_>, out: &mut Vec<u8>) {
        let reference = located.reference;
        let leads = matches!(reference.outcome, Outcome::Relative | Outcome::Absolute);
        let examples = [
            self.known.change(located),
            self.known.left(located, self.left()),
            self.known.divergent(located),
        ];
        let shown = ShownReference {
            host: reference.absolute.filter(|_| leads).map(hosts::host),
            examples: examples.into_iter().flatten().collect(),
        };
        if shown.host.is_some() || !shown.examples.is_empty() {
            // Neither writing to a Vec nor serialising text and numbers fails.
            let _ = serde_json::to_writer(out, &shown);
        }
    }

    fn document(&self, path: &Path, examined: &Examined, _: &mut Vec<u8>) {
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
        let mut state = lock(&self.state);
        state.directories.count(path, &counts);
        (state.bases).count(path, &examined.document_base, tally.unresolved);
    }

    fn failed(&self, path: &Path, reason: &str, _: &mut dyn Write) -> io::Result<()> {
        let mut state = lock(&self.state);
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
        Ok(())
    }

    fn in_order(&self, shown: &[u8], _: &mut dyn Write) -> io::Result<()> {
        let state = &mut *lock(&self.state);
        for shown in Deserializer::from_slice(shown).into_iter() {
            let ShownReference { host, examples } = shown?;
            host.iter().for_each(|host| state.hosts.count(host));
            for example in examples {
                state.examples.take(example, &self.known);
            }
        }
        Ok(())
    }

    fn end(&self, end: &RunEnd, out: &mut dyn Write) -> io::Result<()> {
        page::write(self, &lock(&self.state), end, out)
    }
}
