//! Directories and web archives: runs of the command that return a value.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use abslink::batch::{
    self, FileDone, FileError, Located, Moment, Note, Observer, Plan, Problem, Report, RunError,
};
use abslink::bindings::{Check, OUTGROWN, Rewrite, catch_panic};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::errors::{Error, GrowthError, UsageError, detached, guarded, internal, masked};
use crate::named_tuple;
use crate::options::{arguments, parse};

/// Options of the command that are not options here: those about printing, and those that have an
/// argument of their own.
const NOT_HERE: [&str; 12] = [
    "baseline",
    "color",
    "config",
    "diff",
    "format",
    "help",
    "no-config",
    "output",
    "progress",
    "quiet",
    "verbose",
    "write-baseline",
];

/// How often the caller looks for signals and reports progress.
const PAUSE: Duration = Duration::from_millis(50);

/// Make the references in a file or in a directory of files absolute, as abslink rewrite does.
///
/// source: the file or directory.
/// destination: the directory that the new files go to.
/// in_place: whether changed files are replaced instead, each as a whole.
/// progress: a function that is called from time to time with the numbers of documents and bytes
/// done.
///     It runs in the caller's thread; an exception ends the run between two files.
/// base_url and the other options are those of abslink rewrite, with _ for -, and read_as for --as:
///     numbers, strings, lists of them, and True for an option without a value.
///
/// Returns a Summary. A file that cannot be processed raises no exception: it is in Summary.errors, and
/// every other file is done. KeyboardInterrupt ends the run between two files, or in an archive, which
/// is then left as it was. Raises UsageError for wrong options, Error or OSError if the run as a whole
/// is not possible: a source that is not there is a FileNotFoundError.
#[pyfunction]
#[pyo3(signature = (source, destination=None, *, in_place=false, progress=None, **options))]
#[pyo3(
    text_signature = "(source, destination=None, *, base_url=None, in_place=False, progress=None, **options)"
)]
pub(crate) fn rewrite_tree<'py>(
    py: Python<'py>,
    source: PathBuf,
    destination: Option<PathBuf>,
    in_place: bool,
    progress: Option<Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut typed = typed(options, Rewrite::options())?;
    stat(py, &source)?;
    let tries = typed.iter().any(|argument| argument == "--dry-run");
    if destination.is_none() && !in_place && !tries {
        let message = "say where the result goes: a destination, or in_place=True";
        return Err(UsageError::new_err(message));
    }
    typed.extend(destination.map(|directory| joined("--output=", &directory)));
    typed.extend(in_place.then(|| "--in-place".into()));
    typed.extend(paths(&source));
    run(py, typed, progress, false, None)
}

/// Make the documents in a web archive (WARC) absolute.
///
/// source, destination: the archive, and the new one, which is put there when it is whole.
/// The options are those of abslink rewrite for archives, such as warc_as="append", and those of
///     rewrite. New records have the date of the environment variable SOURCE_DATE_EPOCH, if it is set.
///
/// Returns a Summary. A record that cannot be read is in Summary.errors. KeyboardInterrupt ends the
/// call, and then there is no new archive.
/// Raises GrowthError if a document would become too long: that one is left as it is, the others are
/// done, the new archive is in its place, and the attribute summary of the exception is the Summary.
/// Raises UsageError for wrong options and for a directory, Error if nothing can be made of the
/// archive, and OSError.
#[pyfunction]
#[pyo3(signature = (source, destination, **options))]
pub(crate) fn rewrite_warc<'py>(
    py: Python<'py>,
    source: PathBuf,
    destination: PathBuf,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut typed = typed(options, Rewrite::options())?;
    stat(py, &source)?;
    if source.is_dir() {
        let message = format!("{} is a directory: use rewrite_tree", source.display());
        return Err(UsageError::new_err(message));
    }
    let parent = destination
        .parent()
        .filter(|path| !path.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let room = tempfile::Builder::new()
        .prefix(".abslink-")
        .tempdir_in(parent)?;
    let fsync = |argument: &OsString| {
        argument
            .to_str()
            .is_some_and(|it| it.starts_with("--fsync"))
    };
    let is_synced = typed
        .iter()
        .any(|argument| fsync(argument) && argument != "--fsync=never");
    typed.push("--as=warc".into());
    typed.push(joined("--output=", room.path()));
    typed.extend(paths(&source));
    let watch = Watch::default();
    let summary = done(py, &parse(typed)?, &watch, None, false)?;
    let made = room.path().join(source.file_name().unwrap_or_default());
    if made.exists() {
        std::fs::rename(made, &destination)?;
        if is_synced {
            File::open(parent)?.sync_all()?;
        }
    } else if let Ok(error) = summary.getattr("errors")?.get_item(0) {
        return Err(Error::new_err(error.str()?.unbind()));
    }
    match watch.outgrown.into_inner() {
        None => Ok(summary),
        Some(text) => {
            let error = GrowthError::new_err(text);
            error.value(py).setattr("summary", summary)?;
            Err(error)
        }
    }
}

/// Do what `abslink rewrite` does with these arguments, but print nothing. Returns a Summary.
///
/// must_write: whether something that could not be written raises an OSError at the end.
/// date: that of new records.
#[pyfunction]
#[pyo3(signature = (arguments, progress=None, must_write=false, date=None))]
pub(crate) fn run<'py>(
    py: Python<'py>,
    arguments: Vec<OsString>,
    progress: Option<Bound<'py, PyAny>>,
    must_write: bool,
    date: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let watch = Watch::default();
    let mut rewrite = parse(arguments)?;
    if let Some(date) = date {
        let date = date.parse::<Moment>();
        let date = date.map_err(|error| UsageError::new_err(masked(error)))?;
        rewrite.plan.archives.date = Some(date);
    }
    done(py, &rewrite, &watch, progress.as_ref(), must_write)
}

/// The same, watched in this way.
fn done<'py>(
    py: Python<'py>,
    rewrite: &Rewrite,
    watch: &Watch<'_>,
    progress: Option<&Bound<'py, PyAny>>,
    must_write: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let started = Instant::now();
    let report = watched(py, &rewrite.plan, watch, &mut io::sink(), progress)?;
    if must_write && let Some(error) = watch.unwritten.get() {
        return Err(PyOSError::new_err(error.clone()));
    }
    let (json, exit_code) = guarded(|| rewrite.summary(report, started.elapsed()))?;
    let (errors, notes) = watch.told();
    let listed = match rewrite.lists_files() {
        true => std::mem::take(&mut *watch.changed.lock().unwrap_or_else(PoisonError::into_inner)),
        false => Vec::new(),
    };
    named_tuple(py, "Summary")?.call_method1("_of", (json, exit_code, errors, notes, listed))
}

/// List what is still relative in a file or in a directory of files, as abslink check does.
///
/// source: the file or directory.
/// base_url and the other options are those of abslink check, with _ for -, and read_as for --as:
///     numbers, strings, lists of them, and True for an option without a value.
///
/// Returns a Check. Its exit_code is 0 only if everything was read and nothing is relative: a file that
/// cannot be processed is in Check.errors. KeyboardInterrupt ends the call.
/// Raises UsageError for wrong options, Error or OSError if the run as a whole is not possible.
#[pyfunction]
#[pyo3(signature = (source, **options))]
#[pyo3(text_signature = "(source, *, base_url=None, **options)")]
pub(crate) fn check<'py>(
    py: Python<'py>,
    source: PathBuf,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut typed = typed(options, Check::options())?;
    stat(py, &source)?;
    typed.extend(paths(&source));
    let check = guarded(|| Check::parse(typed))?.map_err(UsageError::new_err)?;
    let watch = Watch {
        check: Some(&check),
        ..Watch::default()
    };
    let started = Instant::now();
    let mut found = Vec::new();
    let report = watched(py, &check.plan, &watch, &mut found, None)?;
    let (files, exit_code) = guarded(|| check.end(report, started.elapsed()))?;
    let (errors, notes) = watch.told();
    let found = PyBytes::new(py, &found);
    named_tuple(py, "Check")?.call_method1("_of", (found, files, exit_code, errors, notes))
}

/// Raises an OSError if there is no such file or directory.
fn stat(py: Python<'_>, path: &Path) -> PyResult<()> {
    py.import("os")?.call_method1("stat", (path,)).map(drop)
}

/// How many PATHs these arguments of `abslink rewrite` have. Raises UsageError if they are wrong.
#[pyfunction]
pub(crate) fn inputs(arguments: Vec<OsString>) -> PyResult<usize> {
    Ok(parse(arguments)?.plan.inputs.len())
}

/// Do what the command `abslink` does with these arguments, the first of which is its name; returns its
/// exit code.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<u8> {
    detached(py, || {
        let code = abslink::command(arguments);
        // A Rust program does that when it ends, an interpreter does not.
        let _ = io::stdout().flush();
        code
    })
}

/// Carries out a plan in another thread, since signals come to the caller's thread.
fn watched(
    py: Python<'_>,
    plan: &Plan,
    watch: &Watch<'_>,
    out: &mut (dyn io::Write + Send),
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Report> {
    let caller = std::thread::current();
    std::thread::scope(|scope| {
        let work = scope.spawn(|| {
            let report = catch_panic(|| batch::run(plan, watch, out));
            watch.ended.store(true, Ordering::Release);
            caller.unpark();
            report
        });
        let mut interrupted = Ok(());
        while !watch.ended.load(Ordering::Acquire) {
            py.detach(|| std::thread::park_timeout(PAUSE));
            if interrupted.is_ok() {
                interrupted = py.check_signals().and_then(|()| watch.tell(progress));
                watch.stop.store(interrupted.is_err(), Ordering::Relaxed);
            }
        }
        let report = work.join().map_err(|_| internal("no message".to_owned()))?;
        interrupted?;
        report.map_err(internal)?.map_err(|error| match error {
            RunError::OutputDirectory { .. } => PyOSError::new_err(masked(error)),
            error => Error::new_err(masked(error)),
        })
    })
}

/// A path, and a message about it.
type Text = (OsString, String);

/// Keeps what a run reports.
#[derive(Default)]
struct Watch<'c> {
    /// The command that lists references, if there is one.
    check: Option<&'c Check>,
    ended: AtomicBool,
    stop: AtomicBool,
    documents: AtomicU64,
    bytes: AtomicU64,
    errors: Mutex<Vec<Text>>,
    /// The first thing that could not be written.
    unwritten: OnceLock<String>,
    /// The first document that would have become too long.
    outgrown: OnceLock<String>,
    notes: Mutex<Vec<Text>>,
    /// The files that change.
    changed: Mutex<Vec<OsString>>,
}

impl Watch<'_> {
    fn tell(&self, progress: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let done = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        match progress {
            Some(progress) => {
                let done = (done(&self.documents), done(&self.bytes));
                progress.call1(done).map(drop)
            }
            None => Ok(()),
        }
    }

    /// The errors and the notes.
    fn told(&self) -> (Vec<Text>, Vec<Text>) {
        let texts = |of: &Mutex<Vec<Text>>| {
            std::mem::take(&mut *of.lock().unwrap_or_else(PoisonError::into_inner))
        };
        (texts(&self.errors), texts(&self.notes))
    }
}

fn keep(texts: &Mutex<Vec<Text>>, path: &Path, text: String) {
    let mut texts = texts.lock().unwrap_or_else(PoisonError::into_inner);
    texts.push((path.into(), text));
}

impl Observer for Watch<'_> {
    fn reference(&self, found: &Located<'_>, out: &mut Vec<u8>) {
        if let Some(check) = self.check {
            check.reference(found, out);
        }
    }

    fn file(&self, path: &Path, done: FileDone, _: &mut dyn io::Write) -> io::Result<()> {
        if done.is_changed {
            let mut changed = self.changed.lock().unwrap_or_else(PoisonError::into_inner);
            changed.push(path.into());
        }
        Ok(())
    }

    fn document_done(&self, bytes: u64) {
        self.documents.fetch_add(1, Ordering::Relaxed);
        self.bytes_done(bytes);
    }

    fn bytes_done(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    fn problem(&self, problem: &Problem) {
        let text = || {
            masked(format_args!(
                "{}: {}",
                problem.path.display(),
                problem.error
            ))
        };
        match problem.error {
            FileError::Write { .. } => drop(self.unwritten.get_or_init(text)),
            FileError::Left(OUTGROWN) => drop(self.outgrown.get_or_init(text)),
            _ => {}
        }
        keep(&self.errors, &problem.path, masked(&problem.error));
    }

    fn note(&self, note: &Note) {
        keep(&self.notes, &note.path, masked(&note.what));
    }

    fn stop_requested(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn drop_requested(&self) -> bool {
        self.stop_requested()
    }
}

/// The options as they are typed; those of a command are `known`.
fn typed(options: Option<&Bound<'_, PyDict>>, known: Vec<String>) -> PyResult<Vec<OsString>> {
    let names = known
        .iter()
        .filter(|name| !NOT_HERE.contains(&name.as_str()));
    let names = names.map(|name| match name.as_str() {
        "as" => "read_as".to_owned(),
        name => name.replace('-', "_"),
    });
    let names: Vec<_> = names.collect();
    options.map_or(Ok(Vec::new()), |options| arguments(options, &names))
}

/// A PATH, which is neither an option nor standard input, whatever its name.
fn paths(path: &Path) -> [OsString; 2] {
    let path = match path.as_os_str() == "-" {
        true => OsStr::new("./-"),
        false => path.as_os_str(),
    };
    ["--".into(), path.to_owned()]
}

fn joined(option: &str, value: &Path) -> OsString {
    let mut joined = OsString::from(option);
    joined.push(value);
    joined
}
