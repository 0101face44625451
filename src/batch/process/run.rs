//! A whole run: the walk, the workers, and the order of what they find.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::worker::Worker;
use crate::batch::base::evidence;
use crate::batch::base::per_file::{FilePlan, PlanVariants, RunPins};
use crate::batch::base::recorded::Recorded;
use crate::batch::find::classify;
use crate::batch::find::source::{self, Source};
use crate::batch::find::walk::{FileKind, Visit, Walk};
use crate::batch::order::hold::{Hold, Ticket};
use crate::batch::order::queue::Queue;
use crate::batch::order::sequence::Sequence;
use crate::batch::plan::{Input, Plan, PlanError, Task};
use crate::batch::report::{Observer, Report};
use crate::batch::write::destination::{self, Destination};
use crate::batch::write::outputs::Outputs;
use crate::batch::write::{self, Folder as _, unplaced};
use abslink_containers::warc::Moment;

/// Why a run ended without a [`Report`]. One bad file is not a reason: that is a [`Problem`](crate::batch::Problem).
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
    /// The output stream failed; [`io::ErrorKind::BrokenPipe`] means that its reader has enough.
    #[error("cannot write: {0}")]
    Output(#[source] io::Error),
}

/// Carries out a plan. A task's output goes to `out`. The [module](crate::batch) and [`Observer`] have
/// examples.
///
/// # Errors
/// [`RunError`]: the plan does not fit, or the run as a whole is not possible. One bad file is a
/// [`Problem`](crate::batch::Problem), not an error.
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
    let in_use = unplaced::in_use(plan);
    let _made = MadeDirectories::for_output(plan);
    let (output, root) = output_directory(plan, &sources)?.unzip();
    for note in destination::clear_beside(plan, &sources) {
        observer.note(&note);
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads(plan.jobs))
        .build()
        .map_err(|error| RunError::Threads(error.into()))?;
    let recorded = Recorded::of(plan, &sources, observer)?.map(Arc::new);
    let queue = Queue::new(Walk::new(plan, &sources, output, observer));
    let sequence = Sequence::new(out, observer);
    let started = Moment::now();
    let (whole, pins) = (PlanVariants::of(plan, None), RunPins::default());
    let parts = plan.parts.iter();
    let parts = parts.map(|part| PlanVariants::of(&part.plan, Some(part)));
    let parts: Vec<PlanVariants<'_>> = parts.collect();
    let outputs = Arc::<Outputs>::default();
    let reports = pool.broadcast(|_| {
        let whole = FilePlan::new(&whole, &pins, recorded.clone());
        let parts = parts.iter().map(|part| FilePlan::new(part, &pins, None));
        let destination = Destination::new(plan, &sources, root.as_ref(), Arc::clone(&outputs));
        let mut worker = Worker::new(whole, parts.collect(), observer, destination, &started);
        let hold = Hold::new(&sequence, pool.current_num_threads());
        while !observer.stop_requested()
            && let Some((number, found)) = queue.take()
        {
            let ticket = Ticket {
                hold: &hold,
                number,
            };
            if !worker.process(found, ticket) {
                break;
            }
        }
        let mut report = worker.report;
        report.placed = worker.destination.placed;
        report.merge(&hold.finish());
        report.stopped = observer.stop_requested();
        report
    });
    sequence.finish().map_err(RunError::Output)?;
    let mut total = Report::default();
    for report in &reports {
        total.merge(report);
    }
    total.broken_pins = evidence::broken_pins(&pins);
    if !total.stopped {
        queue.into_walk().finish(&mut total);
        total.barren = barren(plan, &sources);
        evidence::guessed(plan, observer);
        total.mapped_missing = evidence::missing(plan, &sources, observer);
        total.leftover = in_use.map_or(0, |directory| {
            unplaced::count(directory, total.placed, observer)
        });
    }
    Ok(total)
}

/// The directories in which there was no document.
fn barren(plan: &Plan, sources: &[Source<'_>]) -> Vec<PathBuf> {
    // What is copied may be pictures alone.
    if sources.len() < 2 || plan.copies_others() {
        return Vec::new();
    }
    let is_barren = |source: &&Source<'_>| {
        matches!(source.input, Input::Directory(_)) && !source.has_document.load(Ordering::Relaxed)
    };
    let barren = sources.iter().filter(is_barren);
    barren.map(|source| source.path().to_owned()).collect()
}

/// How many threads do so many jobs; 0 means one for each core. Without a number rayon would take one from the
/// environment, however large.
fn threads(jobs: usize) -> usize {
    const MOST: usize = 1024;
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if jobs == 0 { cores() } else { jobs };
    threads.min(MOST)
}

/// Counts what a run of `plan` would read, without reading it: the documents and the bytes in them. It ends early when
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
/// assert_eq!((found.files, found.bytes_in), (1, 3));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn extent(plan: &Plan, observer: &dyn Observer) -> Report {
    let mut extent = Report::default();
    let Ok(sources) = source::sources(plan) else {
        return extent;
    };
    for found in Walk::new(plan, &sources, None, observer) {
        if let Visit::Item(item) = found
            && item.kind == FileKind::Document
            && let Ok(metadata) = item.path.metadata()
        {
            extent.files += 1;
            extent.bytes_in += metadata.len();
        }
    }
    extent
}

/// The output directory and those above it that are not there before a run. Those in which nothing was put are
/// removed at its end.
struct MadeDirectories(Vec<PathBuf>);

impl MadeDirectories {
    fn for_output(plan: &Plan) -> MadeDirectories {
        let writes = matches!(plan.task, Task::Rewrite(_));
        let output = plan.output_directory().filter(|_| writes);
        let missing = output.into_iter().flat_map(Path::ancestors);
        let missing = missing.take_while(|path| path.symlink_metadata().is_err());
        MadeDirectories(missing.map(Path::to_owned).collect())
    }
}

impl Drop for MadeDirectories {
    fn drop(&mut self) {
        // One that is not empty stays.
        let _ = self.0.iter().try_for_each(std::fs::remove_dir);
    }
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
