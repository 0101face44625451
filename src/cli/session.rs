//! A run over documents, as a person sees it: output, progress, messages, signals.

use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::base::Rung;
use crate::base::retrieval::{Layout, Sources};
use crate::batch::{self, Input, Located, Note, Observer, Plan, Report, Task, Trouble};
use crate::html::Examined;

use super::Error;
use super::args::Running;
use super::exit::{Exit, Signal};
use super::listing::Listing;
use super::print::{self, Screened};
use super::progress::Progress;
use super::stop::Stop;

/// A run that came to its end, or was stopped.
pub(crate) struct Finished {
    /// What it did.
    pub(crate) report: Report,
    /// How long it took.
    pub(crate) elapsed: Duration,
    /// The signal that stopped it.
    pub(crate) stopped: Option<Signal>,
    /// There was no document, and there should have been one.
    pub(crate) empty: bool,
    /// What the user said of where documents are from.
    pub(crate) given: Given,
    /// That was of use to none of them: each says itself what its base URL is.
    pub(crate) useless: bool,
}

/// What the user said of where the documents are from, and does not suffice for one that has no base
/// URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    /// Nothing.
    Nothing,
    /// `--base-url`.
    Url,
    /// `--url-map`, and no more.
    Map,
    /// `--layout` with this name, whose first directory is a host.
    Hosts(&'static str),
}

impl Given {
    fn of(sources: &Sources) -> Given {
        match (&sources.layout, &sources.map) {
            (Some(Layout::Wget), _) => Given::Hosts("wget"),
            (Some(Layout::WgetWindows), _) => Given::Hosts("wget-windows"),
            (Some(Layout::Httrack), _) => Given::Hosts("httrack"),
            (Some(Layout::Document(_) | Layout::Tree(_)), _) => Given::Url,
            (None, Some(_)) => Given::Map,
            (None, None) => Given::Nothing,
        }
    }

    /// The option that said it.
    pub(crate) fn option(self) -> Option<&'static str> {
        match self {
            Given::Nothing => None,
            Given::Url => Some("--base-url"),
            Given::Map => Some("--url-map"),
            Given::Hosts(_) => Some("--layout"),
        }
    }
}

impl Finished {
    /// The exit code, where `left` says whether relative references are left.
    pub(crate) fn exit(&self, left: bool) -> Exit {
        let mut exit = if left { Exit::Left } else { Exit::Done };
        if self.report.files_failed > 0 || self.empty {
            exit = exit.max(Exit::Failed);
        }
        exit.max(self.stopped.map_or(Exit::Done, Exit::Stopped))
    }
}

/// Carries out a plan; what `listing` prints goes to standard output.
pub(crate) fn run(
    plan: &Plan,
    listing: &dyn Listing,
    running: &Running,
) -> Result<Finished, Error> {
    let started = Instant::now();
    let session = Session {
        listing,
        progress: Progress::start(running, plan),
        // A read from a terminal or a pipe goes on after a signal handler, so that waiting for
        // "between two files" could last for ever; and with one document there is no between.
        stop: if plan.inputs == [Input::Stdin] {
            Stop::default()
        } else {
            Stop::on_signals()
        },
        verbose: running.verbose,
        own: AtomicBool::new(false),
        others: AtomicBool::new(false),
    };
    let is_diff = matches!(plan.task, Task::Try { diff: true, .. });
    let stdout: Box<dyn io::Write + Send> = match is_diff && io::stdout().is_terminal() {
        true => Box::new(Screened::new(io::stdout())),
        false => Box::new(io::stdout()),
    };
    let mut out = io::BufWriter::with_capacity(1 << 16, stdout);
    let report = batch::run(plan, &session, &mut out);
    session.progress.finish();
    let report = report?;
    out.flush()?;
    let stopped = session.stop.signal().filter(|_| report.stopped);
    let none = report.files == 0 && report.files_failed == 0 && stopped.is_none();
    let empty = none && !running.allow_empty;
    if empty {
        print::error(NO_DOCUMENT);
    }
    Ok(Finished {
        elapsed: started.elapsed(),
        stopped,
        empty,
        given: Given::of(&plan.retrieval),
        useless: session.own.into_inner()
            && !session.others.into_inner()
            && report.files_failed == 0,
        report,
    })
}

/// A run that looked at nothing must not pass for one that found nothing wrong.
const NO_DOCUMENT: &str = "no HTML document found: see --ext, --detect-html, --include, --exclude; \
    --allow-empty if there may be none";

/// Watches a run on behalf of a person.
struct Session<'a> {
    listing: &'a dyn Listing,
    progress: Progress,
    stop: Stop,
    verbose: bool,
    /// Whether a document has a base URL of its own.
    own: AtomicBool,
    /// Whether a document has none.
    others: AtomicBool,
}

impl Observer for Session<'_> {
    fn reference(&self, found: &Located<'_>, out: &mut Vec<u8>) {
        #[cfg(debug_assertions)]
        panic_if_asked(found.path);
        self.listing.reference(found, out);
    }

    fn document(&self, path: &Path, examined: &Examined, out: &mut Vec<u8>) {
        self.listing.document(path, examined, out);
        let seen = match examined.established.rung {
            Rung::Embedded if !examined.established.carries_none() => &self.own,
            _ => &self.others,
        };
        seen.store(true, Ordering::Relaxed);
        if self.verbose {
            self.progress.suspend(|| explain_base(path, examined));
        }
    }

    fn document_done(&self, bytes: u64) {
        self.progress.document_done(bytes);
    }

    fn trouble(&self, trouble: &Trouble) {
        let line = about(&trouble.path, &trouble.error);
        self.progress.suspend(|| print::error(line));
    }

    fn note(&self, note: &Note) {
        let line = about(&note.path, &note.what);
        self.progress.suspend(|| print::note(line));
    }

    fn stop_requested(&self) -> bool {
        self.stop.signal().is_some()
    }
}

/// Stands in for a bug that one document meets, so that tests see what becomes of the others. Not in
/// a release.
#[cfg(debug_assertions)]
fn panic_if_asked(path: &Path) {
    let asked = std::env::var_os("ABSLINK_TEST_PANIC");
    assert!(asked.as_deref() != path.file_name(), "as the test wants it");
}

/// A file and what there is to say about it, which may name other files.
fn about(path: &Path, what: &dyn Display) -> String {
    format!("{}: {what}", path.display())
}

/// `--verbose`: which base URL a document has, and which one was refused.
fn explain_base(path: &Path, examined: &Examined) {
    let path = path.display();
    let established = &examined.established;
    if let Some((href, reason)) = &established.refused {
        print::note(format_args!(
            "{path}: <base href=\"{href}\"> refused: {reason}",
        ));
    }
    match &established.base {
        Some(base) => print::note(format_args!(
            "{path}: base URL {} ({})",
            base.as_str(),
            established.rung.name()
        )),
        None => print::note(format_args!("{path}: no base URL")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exit_code_is_that_of_the_worst() {
        let exit = |files_failed, stopped, left, empty| {
            let report = Report {
                files_failed,
                ..Report::default()
            };
            Finished {
                report,
                elapsed: Duration::ZERO,
                stopped,
                empty,
                given: Given::Nothing,
                useless: false,
            }
            .exit(left)
        };
        assert_eq!(exit(0, None, false, false), Exit::Done);
        assert_eq!(exit(0, None, true, false), Exit::Left);
        assert_eq!(exit(1, None, true, false), Exit::Failed);
        assert_eq!(exit(0, None, false, true), Exit::Failed);
        let stopped = Exit::Stopped(Signal::Terminate);
        assert_eq!(exit(1, Some(Signal::Terminate), true, false), stopped);
    }
}
