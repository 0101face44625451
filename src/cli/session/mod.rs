//! A run over documents, as a person sees it: output, progress, messages, signals.

mod errors;
mod listing;

use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};
use std::mem::{Discriminant, discriminant};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::batch::{
    self, FileDone, FileError, FirstPaths, Input, Located, Note, NoteKind, Observer, Output, Plan,
    Problem, RunError, Task,
};
use abslink_html::base::BaseSource;
use abslink_html::base::retrieval::tree::is_nameless;
use abslink_html::{Examined, Fragments, To};

use crate::cli::args::hints::with_options;
use crate::cli::args::{Fact, RunArgs};
use crate::cli::run::end::{BaselineComparison, RunEnd, is_empty};
use crate::cli::run::exit::Exit;
use crate::cli::run::stop::Stop;
use crate::cli::summary::{self, CommandSummary};
use crate::cli::terminal::passwords::{self, masked};
use crate::cli::terminal::pipe::Pipe;
use crate::cli::terminal::print::{self, PathLine};
use crate::cli::terminal::progress::{Progress, When};
use crate::cli::terminal::{ci_log, color, lock};
use errors::{Counts, ErrorGroup};
pub(crate) use listing::{FormatOutput, Listing, ShownItems};

/// A command over documents, from its plan to its exit code. `summary` gives its summary
/// for people, if it has one.
pub(crate) fn run(
    plan: &Plan,
    listing: &Listing,
    running: &RunArgs,
    strict: bool,
    summary: impl FnOnce(&RunEnd) -> CommandSummary,
) -> Result<Exit, RunError> {
    let writes = matches!(&plan.task, Task::Rewrite(output) if *output != Output::Stdout);
    let stdout = stdout(plan, listing.paints());
    let stdout = Pipe::new(stdout, writes || listing.has_page());
    let mut out = io::BufWriter::with_capacity(1 << 16, stdout);
    let mut end = watch(plan, listing, running, &mut out)?;
    let summary = summary(&end);
    end.exit = end.exit_of(summary.left, strict);
    end.lead.clone_from(&summary.lead);
    end.quiet = running.quiet;
    end.verbose = running.verbose;
    listing
        .end(&end, &mut out)
        .and_then(|()| out.flush())
        .map_err(RunError::Output)?;
    let is_missing =
        |input: &Input| matches!(input, Input::File(path) if path.symlink_metadata().is_err());
    // If no PATH is there, errors have said so.
    if listing.summary && !running.quiet && !plan.inputs.iter().all(is_missing) {
        summary::print(&end, &summary, strict);
    }
    if running.verbose {
        for (path, line) in end.report.copies_left.places() {
            let path = PathLine(&path);
            print::note(format_args!("{path}:{line}: the host of --move-url"));
        }
    }
    // A project does not hide that it has settings.
    if running.quiet && end.is_set("quiet") {
        summary::print_settings(&end);
    }
    if !running.quiet {
        summary::print_unused(&end);
    }
    if strict {
        summary::print_strict(&end);
    }
    Ok(end.exit)
}

/// Standard output, for a listing that may have colours, for documents, or for a diff, which is made
/// safe for a terminal.
fn stdout(plan: &Plan, paints: bool) -> Box<dyn io::Write + Send> {
    let is_diff = matches!(plan.task, Task::Try { diff: true, .. });
    let mut stdout: Box<dyn io::Write + Send> = if paints || is_diff && color::on_stdout() {
        Box::new(anstream::stdout())
    } else {
        Box::new(io::stdout())
    };
    if is_diff && color::on_stdout() {
        stdout = Box::new(color::painted(stdout));
    }
    if is_diff && io::stdout().is_terminal() {
        stdout = Box::new(print::screened(stdout));
    }
    if is_diff && ci_log::reads_stdout() {
        stdout = Box::new(ci_log::disarmed_lines(stdout));
    }
    stdout
}

/// Carries out a plan; what `listing` shows goes to standard output.
fn watch(
    plan: &Plan,
    listing: &Listing,
    running: &RunArgs,
    out: &mut (impl io::Write + Send),
) -> Result<RunEnd, RunError> {
    let started = Instant::now();
    let progress = if running.quiet {
        When::Never
    } else {
        running.progress
    };
    let session = Session {
        listing,
        progress: Progress::start(progress, plan),
        // A read from a terminal or a pipe goes on after a signal handler, so waiting for
        // "between two files" could last for ever; and with one document there is no between.
        stop: if plan.inputs == [Input::Stdin] {
            Stop::default()
        } else {
            Stop::on_signals()
        },
        verbose: running.verbose,
        paths_set_in: running
            .settings
            .as_ref()
            .filter(|used| used.names.iter().any(|name| name == "paths"))
            .map(|used| &*used.path),
        hint: Mutex::new(None),
        errors: Counts::new(),
        own: AtomicBool::new(false),
        others: AtomicBool::new(false),
        notes: Counts::new(),
        foreign: Mutex::default(),
    };
    let report = batch::run(plan, &session, out);
    session.progress.finish();
    session.errors.rest().into_iter().for_each(print::note);
    if let Some(more) = session.notes.rest() {
        print::note(format_args!("{more} of these notes"));
    }
    foreign_backups(&lock(&session.foreign));
    let report = report?;
    let stopped = session.stop.signal().filter(|_| report.stopped);
    let empty = is_empty(&report) && stopped.is_none() && !running.allow_empty;
    // A run that looked at nothing must not pass for one that found nothing wrong.
    if empty {
        let links = summary::links_not_followed(report.links_not_followed);
        let paths = plan.inputs.iter().filter_map(|input| match input {
            Input::Directory(path) | Input::File(path) => Some(PathLine(path)),
            Input::Stdin => None,
        });
        let nothing = format!("no HTML found in {}", print::list(paths));
        match (&plan.inputs[..], links) {
            ([Input::Stdin], _) => print::error(NO_INPUT),
            (_, Some(links)) => {
                print::error(format_args!("{nothing}: {links}"));
                print::hint(Fact::LinksNotFollowed.hint());
            }
            (_, None) => {
                print::error(nothing);
                print::hint(summary::of_barren(&report).hint());
            }
        }
    }
    let unmet = plan.html.custom_attributes.unused();
    let mut baseline = (listing.baseline.as_ref()).map(|it| it.compared(&plan.inputs));
    if let Some(BaselineComparison { gone, .. }) = &mut baseline
        && stopped.is_some()
    {
        gone.clear();
    }
    Ok(RunEnd {
        baseline,
        stopped,
        empty,
        unused_attributes: unmet.map(ToString::to_string).collect(),
        base_unused: session.own.into_inner()
            && !session.others.into_inner()
            && report.files_failed == 0
            && plan.html.to == To::Absolute
            && plan.html.fragments != Fragments::Keep,
        settings: running.settings.clone(),
        ..RunEnd::new(plan, running.allow_empty, report, started.elapsed())
    })
}

/// One error for all files that have a backup of another program.
fn foreign_backups(files: &FirstPaths) {
    let text = "# file[ has|s have] a backup that abslink did not make; skipped";
    if let Some(text) = print::counted(files.number, text) {
        print::error(format_args!("{text}: {}", print::first(files)));
        print::hint(Fact::OtherSuffix.hint());
    }
}

/// The program before the pipe may have failed.
const NO_INPUT: &str =
    "standard input is empty: did the program before it fail? --allow-empty accepts that";

/// Watches a run for the person who started it.
struct Session<'a> {
    listing: &'a Listing,
    progress: Progress,
    stop: Stop,
    verbose: bool,
    /// The project's settings, if they name the PATHs.
    paths_set_in: Option<&'a Path>,
    /// The last hint that was given.
    hint: Mutex<Option<&'static str>>,
    errors: Counts<ErrorGroup>,
    /// Some document has a base URL of its own.
    own: AtomicBool,
    /// Some document has none.
    others: AtomicBool,
    notes: Counts<Discriminant<NoteKind>>,
    /// The files that have backups of other programs.
    foreign: Mutex<FirstPaths>,
}

impl Observer for Session<'_> {
    fn reference(&self, found: &Located<'_>, out: &mut Vec<u8>) {
        #[cfg(debug_assertions)]
        panic_if_asked(found.path);
        passwords::in_reference(found, |found| self.listing.reference(found, out));
    }

    fn document(&self, path: &Path, examined: &Examined, out: &mut Vec<u8>) {
        self.listing.document(path, examined, out);
        let seen = match examined.document_base.source {
            BaseSource::Embedded
                if !examined.document_base.is_opaque()
                    && examined.document_base.relative.is_none()
                    && !examined.tally.needs_own_url =>
            {
                &self.own
            }
            _ => &self.others,
        };
        seen.store(true, Ordering::Relaxed);
        if self.verbose {
            self.progress.suspend(|| explain_base(path, examined));
        }
    }

    fn in_order(&self, shown: &[u8], stream: &mut dyn io::Write) -> io::Result<()> {
        self.listing.in_order(shown, stream)
    }

    fn document_done(&self, bytes: u64) {
        self.progress.document_done(bytes);
    }

    fn bytes_done(&self, bytes: u64) {
        self.progress.bytes_done(bytes);
    }

    fn problem(&self, problem: &Problem) {
        let reason = problem.reason();
        self.listing
            .failed(&problem.path, &passwords::masked_line(&reason));
        if let FileError::ForeignBackup(_) = problem.error {
            return lock(&self.foreign).count(&problem.path);
        }
        let group = ErrorGroup::of(problem);
        let (is_shown, more) = self.errors.count(group, ErrorGroup::is_done_before);
        if let Some(more) = more {
            self.progress.suspend(|| print::note(more));
        }
        if !is_shown {
            return;
        }
        let line = match &problem.error {
            FileError::Disagreement(at) => {
                format!("{}:{}:{}: {at}", problem.path.display(), at.line, at.column)
            }
            _ => about(&problem.path, &reason),
        };
        // Many files may have the same problem.
        let mut last = lock(&self.hint);
        let hint = problem.error.hint().filter(|hint| *last != Some(*hint));
        *last = hint.or(*last);
        let is_missing = matches!(problem.error, FileError::Missing);
        let of_settings = self.paths_set_in.filter(|_| is_missing);
        self.progress.suspend(|| {
            print::error(line);
            if let Some(hint) = hint {
                print::hint(with_options(hint, Some(&problem.path)));
            }
            if let Some(settings) = of_settings {
                let hint = format!("`paths` in {} names it", PathLine(settings));
                print::hint(hint);
            }
        });
    }

    fn file(&self, path: &Path, done: FileDone, stream: &mut dyn io::Write) -> io::Result<()> {
        self.listing.file(path, done, stream)
    }

    fn note(&self, note: &Note) {
        if note.what == NoteKind::BackupLeft && !self.verbose {
            return;
        }
        let (is_shown, _) = (self.notes).count(discriminant(&note.what), |_, _| false);
        if is_shown {
            let line = about(&note.path, &note.what);
            self.progress.suspend(|| match note.what {
                NoteKind::ClosedAsXml(_) => print::warning(line),
                _ => print::note(line),
            });
        }
    }

    fn stop_requested(&self) -> bool {
        self.stop.signal().is_some()
    }
}

/// Stands in for a bug in one document, so that tests see what happens to the others. Not in
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

/// `--verbose`: which base URL a document has, and which was refused.
fn explain_base(path: &Path, examined: &Examined) {
    let path = path.display();
    let document_base = &examined.document_base;
    if let Some((href, reason)) = &document_base.refused {
        print::note(format_args!(
            "{path}: <base href=\"{}\"> refused: {reason}",
            masked(href)
        ));
    }
    match &document_base.base {
        Some(base) if is_nameless(base.as_str()) => print::note(format_args!(
            "{path}: no base URL; links from the root are taken from the directory (tree)"
        )),
        Some(base) => print::note(format_args!(
            "{path}: base URL {} ({})",
            masked(base.as_str()),
            document_base.source.name()
        )),
        None => print::note(format_args!("{path}: no base URL")),
    }
}
