//! Many files: finding, reading, rewriting, replacing, reporting.
//!
//! A [`Plan`] goes in; what is found comes out through an [`Observer`], in path order whatever the
//! number of jobs; a [`Report`] is left. Nothing here prints or knows the command line.
//!
//! ```text
//! walk -> queue -> job (one file: read, document, destination -> write) -> sequence -> output, observer
//! ```
//!
//! The walk is a stream from which the workers take one file each, through `queue`; `sequence` puts
//! their findings back in order. So memory does not depend on the size of the tree, only on that of
//! the files being worked on (large ones are read in pieces), and on the number of names in one
//! directory and those above it: these are sorted, and take about 110 bytes each (106 MiB
//! for a million).
//!
//! A web archive is one file with many documents: all threads work on it when its turn comes
//! (`archive`); and so they do on the rows of a file (`rows`) and the messages of a mailbox (`mbox`), through
//! `chunks`.
//!
//! Nothing below this layer does I/O. What only the disk knows about the mirror around a document,
//! `base` asks through its trait `Files`, which `tree` implements; the bytes of an archive reach `warc`
//! through its trait `Source`.
//!
//! Without [`Selection::follow_links`], `beneath` opens everything below a directory from that
//! directory, so no link that is put there during the run leads anywhere else.
//!
//! # Examples
//! ```
//! use abslink::batch::{Input, Observer, Output, Plan, Task, run};
//! use abslink::retrieval::{Layout, Tree};
//!
//! struct Silent;
//! impl Observer for Silent {}
//!
//! let site = tempfile::tempdir()?;
//! let page = site.path().join("page.html");
//! std::fs::write(&page, r#"<a href="other.html">"#)?;
//! let inputs = vec![Input::Directory(site.path().into())];
//! let mut plan = Plan::new(inputs, Task::Rewrite(Output::InPlace { backup: None }));
//! let tree = Tree::new("https://example.org/", &["index.html".into()])?;
//! plan.retrieval = Layout::Tree(tree).into();
//! let report = run(&plan, &Silent, &mut std::io::stdout())?;
//! assert_eq!(report.files_changed, 1);
//! assert_eq!(std::fs::read(&page)?, br#"<a href="https://example.org/other.html">"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod archive;
mod base;
mod find;
mod kind;
mod mbox;
mod order;
mod panic;
mod path;
mod plan;
mod process;
mod read;
mod report;
mod rows;
mod write;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use abslink_html::Engine;
#[cfg(feature = "cli")]
pub(crate) use find::ignored::FILES as IGNORE_FILES;
#[cfg(feature = "cli")]
pub(crate) use find::source::leads_to;
pub use kind::format::ReadAs;
#[cfg(feature = "cli")]
pub(crate) use kind::format::{FORMED_ENDINGS, default_endings, is_archive, is_page};
#[cfg(feature = "cli")]
pub(crate) use panic::catch_panic;
#[cfg(feature = "cli")]
pub(crate) use path::quoted;
#[cfg(feature = "cli")]
pub(crate) use plan::Part;
pub use plan::archives::{ArchiveForm, ArchiveOptions};
pub use plan::glob::{GlobError, Globs};
pub use plan::select::Selection;
pub use plan::{Findings, Fsync, Input, Output, Plan, PlanError, Task};
#[cfg(feature = "cli")]
pub(crate) use report::FirstPaths;
pub use report::{FileError, Level, NoHost, NotRead, Note, NoteKind, Report, Trouble};
pub use rows::{RowFields, RowHolds};
pub use write::restore::{Restore, Restored, restore};

pub use abslink_containers::warc::{Moment, NoMoment, Reason as RecordReason};

use abslink_html::line_column::Lines;
use abslink_html::{Examined, Reference};
use base::evidence;
use base::reading::PlanForms;
use base::recorded::Recorded;
use find::source::Source;
use find::walk::{FileKind, Met, Walk};
use find::{classify, source};
use order::hold::{Hold, Ticket};
use order::queue::Queue;
use order::sequence::{Finding, Sequence};
use process::Worker;
use write::Folder as _;
use write::{destination, leftover};

/// One reference in its file, as shown to [`Observer::reference`].
///
/// # Examples
/// ```
/// use abslink::batch::{Input, Located, Observer, Plan, Task, run};
///
/// struct Lines;
///
/// impl Observer for Lines {
///     fn reference(&self, found: &Located<'_>, out: &mut Vec<u8>) {
///         out.extend(format!("{}: {}\n", found.line, found.reference.reference).bytes());
///     }
/// }
///
/// let mut out = Vec::new();
/// run(&Plan::new(vec![Input::File("testdata/quick/page.html".into())], Task::Examine), &Lines, &mut out)?;
/// # Ok::<(), abslink::batch::RunError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Located<'a> {
    /// The file, as the user would name it.
    pub path: &'a Path,
    /// Line, from 1; lines end with LF.
    pub line: usize,
    /// Column, from 1, in characters (in bytes if the line is not UTF-8).
    pub column: usize,
    /// The line in which the replaced part of the value ends.
    pub end_line: usize,
    /// The column after its end.
    pub end_column: usize,
    /// Both columns in units of UTF-16, from 1.
    pub utf16_columns: (usize, usize),
    /// The number of its row, from 1, in a file with rows: the other numbers count in the text of the field.
    pub row: Option<u64>,
    /// The reference itself.
    pub reference: &'a Reference<'a>,
}

impl<'a> Located<'a> {
    /// `held` are the bytes after those that `lines` has passed.
    pub(crate) fn new(
        lines: &mut Lines,
        held: &[u8],
        path: &'a Path,
        reference: &'a Reference<'a>,
    ) -> Located<'a> {
        let start = lines.position(held, reference.span.start);
        let end = lines.position(held, reference.span.end);
        Located {
            path,
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            utf16_columns: (start.column + start.wide, end.column + end.wide),
            row: None,
            reference,
        }
    }
}

/// What became of a file as a whole, for [`Observer::file`].
///
/// # Examples
/// ```
/// use std::{io, path::Path};
///
/// use abslink::batch::{FileDone, Observer};
///
/// /// Lists the files that change.
/// struct List;
/// impl Observer for List {
///     fn file(&self, path: &Path, done: FileDone, out: &mut dyn io::Write) -> io::Result<()> {
///         match done.is_changed {
///             true => writeln!(out, "{}", path.display()),
///             false => Ok(()),
///         }
///     }
/// }
/// # let mut out = Vec::new();
/// # List.file(Path::new("a.html"), FileDone::default(), &mut out)?;
/// # assert!(out.is_empty());
/// # Ok::<(), io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileDone {
    /// It was written, or would be, with something changed in it.
    pub is_changed: bool,
    /// It has references that change, or cannot.
    pub is_relative: bool,
}

impl FileDone {
    /// What the counts and the error of one file say.
    fn of(report: &Report, error: Option<&FileError>) -> FileDone {
        let is_written = matches!(error, None | Some(FileError::Parts(_)));
        FileDone {
            is_changed: is_written && report.files_changed > 0,
            is_relative: report.tally.rewritten + report.tally.unresolved > 0,
        }
    }
}

/// Watches a run, and turns what it finds into output.
///
/// # Examples
/// ```
/// use abslink::batch::{Input, Located, Observer, Plan, Task, run};
///
/// /// Lists the files with the URLs that they refer to.
/// struct List;
/// impl Observer for List {
///     fn reference(&self, found: &Located<'_>, out: &mut Vec<u8>) {
///         let line = format!("{}: {}\n", found.line, found.reference.reference);
///         out.extend_from_slice(line.as_bytes());
///     }
/// }
///
/// let page = tempfile::NamedTempFile::new()?;
/// std::fs::write(&page, "<p>\n<a href=x>")?;
/// let plan = Plan::new(vec![Input::File(page.path().into())], Task::Examine);
/// let mut out = Vec::new();
/// run(&plan, &List, &mut out)?;
/// assert_eq!(out, b"2: x\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Observer: Sync {
    /// Called by a worker for each reference with [`Task::Examine`], and for each reference of a
    /// rewritten document that is among [`Plan::findings`]. What is appended to `out` comes to
    /// [`Observer::in_order`].
    fn reference(&self, found: &Located<'_>, out: &mut Vec<u8>) {
        let _ = (found, out);
    }

    /// A document was read; called in path order. One in a message has the message's path with `#`
    /// and its place in the message, such as `page.mht#1.2`, and one in a mailbox with the number of its message before that, `inbox#3#1.2`; one in a web
    /// archive with that of its record,
    /// such as `crawl.warc.gz#4711`, and an item of a feed with its number. What is appended to `out` comes to [`Observer::in_order`] after what
    /// [`Observer::reference`] gave for the document.
    fn document(&self, path: &Path, examined: &Examined, out: &mut Vec<u8>) {
        let _ = (path, examined, out);
    }

    /// A file is done that changed, or has relative references; called in path order, after what was found in
    /// it. What is to be said about it goes to the output stream.
    ///
    /// # Errors
    /// Where it cannot be written; the run ends.
    fn file(&self, path: &Path, done: FileDone, stream: &mut dyn io::Write) -> io::Result<()> {
        let _ = (path, done, stream);
        Ok(())
    }

    /// What the other methods appended for a file, whole or in parts, in path order. `stream` is the
    /// output stream, to which it is written unless this method does something else with it.
    ///
    /// # Errors
    /// Where it cannot be written; the run ends.
    fn in_order(&self, shown: &[u8], stream: &mut dyn io::Write) -> io::Result<()> {
        stream.write_all(shown)
    }

    /// A document of this many bytes is done, successfully or not; called by workers in any order.
    fn document_done(&self, bytes: u64) {
        let _ = bytes;
    }

    /// This many more bytes of a file with many documents are done; called in path order.
    fn bytes_done(&self, bytes: u64) {
        let _ = bytes;
    }

    /// Something went wrong with one file; called in path order.
    fn trouble(&self, trouble: &Trouble) {
        let _ = trouble;
    }

    /// Something is worth a note, but is not a failure; called in path order.
    fn note(&self, note: &Note) {
        let _ = note;
    }

    /// Whether the run should end between two files. What was begun is finished.
    fn stop_requested(&self) -> bool {
        false
    }

    /// Whether even an archive that was begun should not be finished. Then no new one is put in its
    /// place. Asked together with [`Observer::stop_requested`].
    fn drop_requested(&self) -> bool {
        false
    }
}

/// Why a run ended without a [`Report`]. One bad file is not a reason: that is a [`Trouble`].
///
/// # Examples
/// ```
/// use abslink::batch::{Input, Observer, Output, Plan, RunError, Task, run};
///
/// struct Silent;
/// impl Observer for Silent {}
///
/// let output = Output::Directory { directory: "out".into(), copy_others: false };
/// let plan = Plan::new(vec![Input::Directory(".".into())], Task::Rewrite(output));
/// let error = run(&plan, &Silent, &mut std::io::sink()).unwrap_err();
/// assert!(matches!(error, RunError::Plan(_)), "{error}");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The plan cannot be carried out; nothing was written.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The output directory cannot be made.
    #[error("cannot make the output directory {}: {source}", path.display())]
    OutputDirectory {
        /// The directory.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The system gives no threads; fewer jobs might work.
    #[error("cannot start the threads: {0}; try with fewer jobs")]
    Threads(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Too many files record the URLs that they were retrieved from for all of them to be remembered.
    #[error(
        "more than {} files record their URLs, too many for --to files: give --base-url, --layout or --url-map",
        Recorded::MOST
    )]
    TooManyRecords,
    /// The output stream failed; [`io::ErrorKind::BrokenPipe`] means that its reader has enough.
    #[error("cannot write the output: {0}")]
    Output(#[source] io::Error),
}

/// Replaces a file that is not a document as a whole, or makes it: a report, for example.
///
/// # Errors
/// If it cannot be written; then the old one is still there.
#[cfg(feature = "cli")]
pub(crate) fn put(path: &Path, contents: &mut impl io::Read) -> io::Result<()> {
    write::put(path, contents)
}

/// How much there is to do, as [`extent`] counts it.
///
/// # Examples
/// ```
/// use abslink::batch::Extent;
///
/// assert_eq!(Extent::default(), Extent { files: 0, bytes: 0 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Documents.
    pub files: u64,
    /// Bytes in them.
    pub bytes: u64,
}

/// Carries out a plan. A task's output goes to `out`. The [module](self) and [`Observer`] have
/// examples.
///
/// # Errors
/// [`RunError`]: the plan does not fit, or the run as a whole is not possible. One bad file is a
/// [`Trouble`], not an error.
///
/// # Examples
/// ```
/// use abslink::batch::{Input, Observer, Output, Plan, Task, run};
///
/// struct Silent;
/// impl Observer for Silent {}
///
/// let output = Output::Directory { directory: "out".into(), copy_others: true };
/// let plan = Plan::new(vec![Input::Directory("site".into())], Task::Rewrite(output));
/// # let plan = Plan::new(Vec::new(), Task::Examine);
/// let report = run(&plan, &Silent, &mut std::io::stdout())?;
/// println!("{} documents changed", report.files_changed);
/// # Ok::<(), abslink::batch::RunError>(())
/// ```
pub fn run(
    plan: &Plan,
    observer: &dyn Observer,
    out: &mut (dyn io::Write + Send),
) -> Result<Report, RunError> {
    let sources = source::sources(plan)?;
    classify::check_rows(plan)?;
    let in_use = leftover::in_use(plan);
    let (output, root) = output_directory(plan, &sources)?.unzip();
    for kept in destination::clear_beside(plan, &sources) {
        observer.note(&kept);
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads(plan.jobs))
        .build()
        .map_err(|error| RunError::Threads(error.into()))?;
    let recorded = Recorded::of(plan, &sources, observer)?.map(Arc::new);
    let queue = Queue::new(Walk::new(plan, &sources, output, observer));
    let sequence = Sequence::new(out, observer);
    let started = Moment::now();
    let forms = PlanForms::of(plan);
    let reports = pool.broadcast(|_| {
        let recorded = recorded.clone();
        let mut worker = Worker::new(plan, observer, root.as_ref(), &started, &forms, recorded);
        let hold = Hold::new(&sequence, pool.current_num_threads());
        let mut finding = Finding::default();
        while !observer.stop_requested()
            && let Some((number, found)) = queue.take()
        {
            let ticket = Ticket {
                hold: &hold,
                number,
            };
            if !worker.process(found, &mut finding, ticket) {
                break;
            }
        }
        let mut report = worker.into_report();
        report.merge(&hold.finish());
        report.stopped = observer.stop_requested();
        report
    });
    sequence.finish().map_err(RunError::Output)?;
    let mut total = Report::default();
    for report in &reports {
        total.merge(report);
    }
    total.broken_pins = evidence::broken_pins(&forms.pins);
    if !total.stopped {
        let walk = queue.into_walk();
        [total.useless_includes, total.useless_excludes] = walk.useless_globs();
        total.ignored = walk.ignored();
        total.links_not_followed = walk.unfollowed();
        evidence::guessed(plan, observer);
        total.mapped_missing = evidence::missing(plan, &sources, observer);
        total.leftover = in_use.map_or(0, |directory| {
            leftover::count(directory, total.placed, observer)
        });
    }
    Ok(total)
}

/// How many threads do so many jobs; 0 means one for each core. Without a number rayon would take one from the
/// environment, however large.
fn threads(jobs: usize) -> usize {
    const MOST: usize = 1024;
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if jobs == 0 { cores() } else { jobs };
    threads.min(MOST)
}

/// Counts what a run of `plan` would read, without reading it; ends early when
/// [`Observer::stop_requested`] says so. Files that cannot be examined do not count, nor do files
/// that are documents only by their first bytes.
///
/// # Examples
/// ```
/// use abslink::batch::{Input, Observer, Plan, Task, extent};
///
/// struct Silent;
/// impl Observer for Silent {}
///
/// let site = tempfile::tempdir()?;
/// std::fs::write(site.path().join("page.html"), "<p>")?;
/// std::fs::write(site.path().join("i.png"), "")?;
/// let plan = Plan::new(vec![Input::Directory(site.path().into())], Task::Examine);
/// let found = extent(&plan, &Silent);
/// assert_eq!((found.files, found.bytes), (1, 3));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn extent(plan: &Plan, observer: &dyn Observer) -> Extent {
    let mut extent = Extent::default();
    let Ok(sources) = source::sources(plan) else {
        return extent;
    };
    for found in Walk::new(plan, &sources, None, observer) {
        if let Met::Item(item) = found
            && item.kind == FileKind::Document
            && let Ok(metadata) = item.path.metadata()
        {
            extent.files += 1;
            extent.bytes += metadata.len();
        }
    }
    extent
}

/// Makes the output directory, if there is to be one, resolves every symbolic link in its path, and
/// opens it: whatever takes its name during the run, files go here. If nothing is written, nothing is
/// made, and what is there counts.
fn output_directory(
    plan: &Plan,
    sources: &[Source<'_>],
) -> Result<Option<(PathBuf, write::Root)>, RunError> {
    let Some(directory) = plan.output_directory() else {
        return Ok(None);
    };
    let open = || {
        let path = directory.canonicalize()?;
        write::FolderHere::root(&path).map(|root| (path, root))
    };
    if matches!(plan.task, Task::Try { .. }) {
        return Ok(open().ok());
    }
    let opened = destination::make_output(directory, sources).and_then(|()| open());
    opened
        .map(Some)
        .map_err(|source| RunError::OutputDirectory {
            path: directory.to_owned(),
            source,
        })
}
