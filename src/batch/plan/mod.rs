//! What a run will do, decided before it starts.

pub(crate) mod archives;
pub(crate) mod glob;
pub(crate) mod select;

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::batch::report::RunFinder;

use abslink_containers::feed::FeedBase;
use abslink_html::base::retrieval::{self, Layout, mirror::ConvertedLinks, tree::Tree};

use abslink_containers::rows::Fields as RowFields;
use archives::ArchiveOptions;
use glob::Globs;
use select::Selection;

/// A PATH of the command line, for [`Plan::inputs`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// One document, taken as HTML unless its name is that of a message or [`Selection::read_as`]
    /// says otherwise. A path that does not exist goes here too.
    File(PathBuf),
    /// Everything below a directory that [`Selection`] takes.
    Directory(PathBuf),
    /// One document on standard input (`-`).
    Stdin,
}

/// Where documents are written to, for [`Task`].
///
/// # Examples
/// ```
/// use abslink::batch::{Input, Output, Plan, Task};
///
/// let output = Output::InPlace { backup: Some(".orig".into()) };
/// let plan = Plan::new(vec![Input::Directory("site".into())], Task::Rewrite(output));
/// plan.check()?;
/// # Ok::<(), abslink::batch::PlanError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// The same tree below a directory. Files are written whole or not at all, with the
    /// permissions of their originals; a document that needs no change is copied. New directories
    /// have the permissions of the originals too, and their owner can always write to them.
    /// Existing directories keep theirs.
    Directory {
        /// The directory; it is made if it is missing.
        directory: PathBuf,
        /// Whether files that are not documents are copied too. Symbolic links are copied as links,
        /// whose text stays, unless [`Selection::follow_links`] is set. An existing link with the
        /// same text is left alone; anything else that is not a directory is replaced by the link.
        copy_others: bool,
    },
    /// Each changed file is replaced atomically; one that needs no change is only read.
    InPlace {
        /// Keeps the original beside it under its name plus this suffix. An existing backup stays,
        /// because it is closer to the original, and a [`Note`](crate::batch::Note) says so.
        backup: Option<OsString>,
    },
    /// The one document goes to the output stream.
    Stdout,
}

/// What is done with each document, for [`Plan::task`].
///
/// # Examples
/// ```
/// use abslink::batch::{Input, Plan, Task};
///
/// // What would `-i` change?
/// let output = Some(abslink::batch::Output::InPlace { backup: None });
/// let plan = Plan::new(vec![Input::Directory("site".into())], Task::Try { output, diff: true });
/// plan.check()?;
/// # Ok::<(), abslink::batch::PlanError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Task {
    /// Documents are rewritten.
    Rewrite(Output),
    /// Documents are rewritten but not written: what would be done is counted.
    Try {
        /// Where they would go; its rules apply as if they did. The output directory is not made.
        output: Option<Output>,
        /// Whether a unified diff goes to the output stream.
        diff: bool,
    },
    /// References are shown to [`Observer::reference`](crate::batch::Observer::reference) and nothing is
    /// written.
    #[default]
    Examine,
}

/// For which rewritten documents the references are shown as with [`Task::Examine`], at
/// their places in the input: [`Plan::findings`]. Such a document is read once more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Findings {
    /// Of none.
    #[default]
    None,
    /// For those in which some do not resolve, or a browser takes some elsewhere.
    Left,
    /// Of all.
    All,
}

impl Findings {
    /// Whether the references of a document are shown; `has_left` says whether some are left, or
    /// taken elsewhere by a browser.
    pub(super) fn include(self, has_left: bool) -> bool {
        match self {
            Findings::None => false,
            Findings::Left => has_left,
            Findings::All => true,
        }
    }
}

/// When what is written reaches the disk, so that it survives a power failure: [`Plan::fsync`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fsync {
    /// When the system sees fit. After a power failure, a file that was replaced just before may be
    /// empty.
    #[default]
    Never,
    /// The new contents of many files at once, before any of them takes its place, and then their
    /// names: at most 1,000 files, 256 MiB, or what half of the files that the process may have open
    /// allow. On systems other than Unix as with [`Fsync::Always`].
    Batch,
    /// Each file's contents before the file takes its place, and its name afterwards (the name on Unix
    /// only).
    Always,
}

/// A whole run, decided before it starts.
///
/// # Examples
/// ```
/// use abslink::batch::{Input, Output, Plan, Task};
///
/// let output = Output::Directory { directory: "out".into(), copy_others: true };
/// let mut plan = Plan::new(vec![Input::Directory("site".into())], Task::Rewrite(output));
/// plan.selection.extensions.push("php".to_owned());
/// plan.jobs = 4;
/// plan.check()?;
/// // A plan that would read its own output is refused.
/// plan.inputs = vec![Input::Directory(".".into())];
/// assert!(plan.check().is_err());
/// # Ok::<(), abslink::batch::PlanError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Plan {
    /// What to read, in the order given.
    pub inputs: Vec<Input>,
    /// Which files in directories are read.
    pub selection: Selection,
    /// What to do.
    pub task: Task,
    /// How to find each document's retrieval URL.
    pub retrieval: retrieval::Sources,
    /// Which links count as names of files in the tree, and mean the URLs that these were retrieved
    /// from.
    pub converted_links: ConvertedLinks,
    /// The directory that the retrieval URLs of files start from, if that is not PATH
    /// (`--root`).
    pub root: Option<PathBuf>,
    /// Whether the URL or map in `retrieval` is about a whole tree, whatever the only PATH is. A web archive, whose
    /// records have URLs of their own, is refused with one that is about itself.
    pub has_tree_url: bool,
    /// Whether standard output is a terminal, to which nothing binary is written.
    pub to_terminal: bool,
    /// The label of the character encoding of HTML files, as a `Content-Type` would give it.
    pub charset: Option<String>,
    /// How documents are rewritten.
    pub html: abslink_html::Settings,
    /// What the HTML in feeds is relative to.
    pub feed_base: FeedBase,
    /// Which fields of rows hold documents.
    pub rows: RowFields,
    /// How web archives are written.
    pub archives: ArchiveOptions,
    /// For which rewritten documents the references are shown too.
    pub findings: Findings,
    /// Threads; 0 for one per core.
    pub jobs: usize,
    /// When what is written reaches the disk.
    pub fsync: Fsync,
    /// Whether more is counted than what was asked for, for what a summary says.
    pub(crate) hints: bool,
    /// What finds copies of moved hosts.
    pub(crate) copies: RunFinder,
    /// Whether HTTrack's map was found in PATH.
    pub(crate) finds_map: bool,
    /// The layout of a mirror that nobody named, if all directories of the tree have the names of hosts.
    pub(crate) mirror: Option<&'static str>,
    /// HTTrack's map above PATH.
    pub(crate) map_above: Option<PathBuf>,
    /// The documents that are read in another way; the first part that has one counts.
    pub(crate) parts: Vec<Part>,
    /// Whether [`Selection::read_as`] counts for the documents in directories, too.
    pub(crate) has_one_kind: bool,
}

impl Plan {
    /// A plan with the usual choices: the files and places that are on by default, what saving
    /// programs leave behind as evidence of a file's URL, and a thread for each core.
    pub fn new(inputs: Vec<Input>, task: Task) -> Plan {
        Plan {
            inputs,
            task,
            ..Plan::default()
        }
    }

    /// How to find each document's retrieval URL. If links are file names, the files of a tree
    /// have the names that wget gives.
    pub(super) fn sources(&self) -> Cow<'_, retrieval::Sources> {
        if self.converted_links != ConvertedLinks::Always {
            return Cow::Borrowed(&self.retrieval);
        }
        let mut sources = self.retrieval.clone();
        match &mut sources.layout {
            Some(Layout::Tree(tree)) => *tree = tree.clone().with_names_by_wget(),
            Some(_) => {}
            None => sources.nameless = sources.nameless.map(Tree::with_names_by_wget),
        }
        Cow::Owned(sources)
    }

    /// Where documents are or would be written.
    pub(crate) fn output(&self) -> Option<&Output> {
        match &self.task {
            Task::Rewrite(output) => Some(output),
            Task::Try { output, .. } => output.as_ref(),
            Task::Examine => None,
        }
    }

    /// The output directory, if documents are or would be written to one.
    pub(crate) fn output_directory(&self) -> Option<&Path> {
        match self.output() {
            Some(Output::Directory { directory, .. }) => Some(directory),
            _ => None,
        }
    }

    /// Whether files are or would be replaced.
    pub(crate) fn is_in_place(&self) -> bool {
        matches!(self.output(), Some(Output::InPlace { .. }))
    }

    /// Whether what would change is shown as a diff.
    pub(super) fn shows_diff(&self) -> bool {
        matches!(self.task, Task::Try { diff: true, .. })
    }

    /// Whether new documents go nowhere, and only what would change is told. In new ones, copies of what is moved
    /// are counted.
    pub(super) fn only_counts(&self) -> bool {
        matches!(self.task, Task::Try { diff: false, .. }) && self.html.moves.is_empty()
    }

    /// Whether files that are not documents are or would be copied.
    pub(super) fn copies_others(&self) -> bool {
        let copies = |output: &Output| {
            matches!(
                output,
                Output::Directory {
                    copy_others: true,
                    ..
                }
            )
        };
        self.output().is_some_and(copies)
    }

    /// The suffix of backups, if any are or would be made.
    pub(super) fn backup_suffix(&self) -> Option<&OsString> {
        match self.output() {
            Some(Output::InPlace { backup }) => backup.as_ref(),
            _ => None,
        }
    }
}

/// Documents that are read by a plan of their own, which is the same in all that is not about one document.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    /// Which ones: patterns for paths below the directory.
    pub(crate) globs: Globs,
    /// The directory, without symbolic links.
    pub(crate) directory: PathBuf,
    pub(crate) plan: Plan,
    /// The plan's root, without symbolic links: URLs are counted from there.
    pub(crate) root: Option<PathBuf>,
}

impl Part {
    pub(super) fn holds(&self, path: &Path) -> bool {
        let below = path.strip_prefix(&self.directory);
        below.is_ok_and(|below| self.globs.is_match(below))
    }
}

/// Why a [`Plan`] cannot be carried out as a whole.
///
/// # Examples
/// ```
/// use abslink::batch::{Input, Output, Plan, PlanError, Task};
///
/// let output = Output::Directory { directory: "out".into(), copy_others: false };
/// let plan = Plan::new(vec![Input::Directory(".".into())], Task::Rewrite(output));
/// assert!(matches!(plan.check(), Err(PlanError::OutputInsideInput { .. })));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The output directory is the input directory.
    #[error(
        "the output directory is the input {}: give another directory, or rewrite in place with -i",
        .0.display()
    )]
    OutputIsInput(PathBuf),
    /// The output directory lies in an input directory: the run would read its own output.
    #[error(
        "the output directory {} lies inside the input {}: choose one outside it",
        output.display(), input.display()
    )]
    OutputInsideInput {
        /// The output directory.
        output: PathBuf,
        /// The input.
        input: PathBuf,
    },
    /// An input lies in the output directory: the run might replace its own input.
    #[error(
        "the input {} lies inside the output directory {}: choose a directory that holds no input",
        input.display(), output.display()
    )]
    InputInsideOutput {
        /// The input.
        input: PathBuf,
        /// The output directory.
        output: PathBuf,
    },
    /// What is named as the output directory is something else.
    #[error("the output {} is not a directory: give -o another name", .0.display())]
    OutputNotDirectory(PathBuf),
    /// The output directory cannot be examined.
    #[error("the output directory {}: {source}", directory.display())]
    Output {
        /// The directory.
        directory: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Two inputs would be written to the same place.
    #[error(
        "{} and {} have the same name and would be written to the same place: \
         convert them in two runs with two output directories",
        first.display(), second.display()
    )]
    SameName {
        /// The one given first.
        first: PathBuf,
        /// The other.
        second: PathBuf,
    },
    /// An input has no name under which it could go to the output directory.
    #[error("{} has no name: give its contents instead", .0.display())]
    NoName(PathBuf),
    /// Two inputs contain the same file, which would be replaced twice.
    #[error("{} is part of {}, which is given too: give only one of them", inner.display(), outer.display())]
    Overlap {
        /// The input that holds the other.
        outer: PathBuf,
        /// The other.
        inner: PathBuf,
    },
    /// The root cannot be read.
    #[error("cannot use {} as the root: {source}", root.display())]
    Root {
        /// The root.
        root: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// An input does not lie below the root, so its URL is not known.
    #[error("{} is not below the root {}", input.display(), root.display())]
    OutsideRoot {
        /// The input.
        input: PathBuf,
        /// The root.
        root: PathBuf,
    },
    /// A backup suffix that gives no name beside the original.
    #[error("`{}` cannot be a backup suffix: it must not be empty or contain a `/`", .0.display())]
    BackupSuffix(OsString),
    /// Standard input was asked to be replaced, or to be put into a directory.
    #[error("standard input has no name: write it to standard output")]
    StdinHasNoName,
    /// Fields of rows are named, and nothing tells how a file spells rows.
    #[error("{}: unknown format of rows: add --as csv, tsv, json or jsonl", .0.display())]
    UnknownRows(PathBuf),
    /// More files than so many record the URLs that they were retrieved from: too many for all to be remembered.
    #[error(
        "more than {0} files record their URLs, too many for --to files: give --base-url, --layout or --url-map"
    )]
    TooManyRecords(usize),
    /// Several documents cannot all go to the output stream.
    #[error("only one document can go to standard output: choose an output directory or in place")]
    StdoutTakesOne,
}
