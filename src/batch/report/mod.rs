//! What a run did, and what went wrong.

mod copies;
mod file_error;
mod note;
mod observer;
pub(crate) mod outcome;

pub use file_error::{FileError, NotRead, Problem};
pub(crate) use file_error::{guard, no_room};
pub use note::{Note, NoteKind};
pub use observer::{FileDone, Located, Observer};

pub(crate) use copies::{CopiesLeft, PiecesFinder, RunFinder};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use abslink_containers::feed::UnknownPlaces;
use abslink_containers::message::Examined;
use abslink_html::shared::Merge;
use abslink_html::{BaseSource, Group, Tally};
use abslink_url::rfc1808::Components;

/// [`Report::without_host`]: documents whose paths name no host, in a layout that has a directory for each host:
/// how many there are, and for one of them what may help.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct NoHost {
    /// How many documents.
    pub documents: u64,
    /// The first directory, which is not a host's; `None` for a file in no directory.
    pub directory: Option<String>,
    /// The document, as the user would name it.
    pub path: PathBuf,
    /// The directory that paths start from.
    pub root: PathBuf,
    /// Where the directories of hosts may be.
    pub level: Level,
}

/// Where the hosts' directories are, relative to the directory that paths start from:
/// [`NoHost::level`].
///
/// # Examples
/// ```
/// use abslink::batch::{Level, NoHost};
///
/// fn advice(found: &NoHost) -> &'static str {
///     match found.level {
///         Level::Above => "start one directory higher",
///         Level::Below => "start in the directory of a host",
///         Level::Unknown => "name the host",
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
pub enum Level {
    /// That directory itself has a host's name.
    Above,
    /// The first directory contains one that has a host's name.
    Below,
    /// None was seen.
    Unknown,
}

impl Merge for NoHost {
    /// Counts both; the one that says more is named, or the first by its path.
    fn add_up(&mut self, other: &NoHost) {
        let documents = self.documents + other.documents;
        let rank = |it: &NoHost| (it.directory.is_none(), it.path.clone());
        if rank(other) < rank(self) {
            self.clone_from(other);
        }
        self.documents = documents;
    }
}

abslink_html::merged! {
/// What a run did, as [`run`](crate::batch::run) returns it. The fields are those of the JSON summary.
///
/// Each document read is either changed, unchanged or failed. A message counts as one document; if
/// only parts of it failed, it counts as failed, and also as changed or unchanged.
///
/// # Examples
/// ```
/// use abslink::batch::{Input, Observer, Plan, Task, run};
///
/// struct Silent;
/// impl Observer for Silent {}
///
/// let plan = Plan::new(vec![Input::File("missing.html".into())], Task::Examine);
/// let report = run(&plan, &Silent, &mut std::io::sink())?;
/// assert_eq!((report.files, report.files_failed), (0, 1));
/// # Ok::<(), abslink::batch::RunError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Report {
    /// Documents read. Each one in a web archive and each message of a mailbox counts.
    pub files: u64,
    /// Records of web archives.
    pub records: u64,
    /// Of the records, revisits that show a changed document at another URL.
    pub misled_revisits: u64,
    /// Documents whose output differs from the input.
    pub files_changed: u64,
    /// Documents that stay as they are.
    pub files_unchanged: u64,
    /// Files and directories that could not be processed.
    pub files_failed: u64,
    /// Documents with relative references and no base URL.
    pub files_without_base: u64,
    /// Of these, those in records of web archives, which get one from no option.
    pub(crate) records_without_base: u64,
    /// Of `files_without_base`, those that are feeds with items, and are no records.
    pub(crate) feeds_without_url: u64,
    /// Documents with relative references and a `base` element to whose URL nothing can be relative
    /// ([`is_opaque`](abslink_html::base::DocumentBase::is_opaque)).
    pub files_with_opaque_base: u64,
    /// Of these, those whose path names no host although the layout expects one.
    pub without_host: Option<NoHost>,
    /// Documents with relative references and a base URL that may be wrong.
    pub files_on_guess: u64,
    /// Files in directories that [`Selection::detect_html`](crate::batch::Selection::detect_html) would take, and that were not taken
    /// because it was off.
    pub not_taken: u64,
    /// Files in directories that are feeds by their first bytes, and were not taken: by their names
    /// they are not documents, and [`Selection::detect_feeds`](crate::batch::Selection::detect_feeds) was off. Only those with
    /// names that are usual for feeds are examined.
    pub feeds_not_taken: u64,
    /// Of these, the first by its path.
    pub feed_not_taken: Option<PathBuf>,
    /// Sitemaps and OPML among the files in directories, likewise. Each site has such files, so that
    /// `--strict` does not count them.
    pub lists_not_taken: u64,
    /// Of these, the first by its path.
    pub list_not_taken: Option<PathBuf>,
    /// Files that would be documents, and were left because their endings are those of backups of files
    /// beside them. One with the suffix of this run, with `.orig`, or that abslink has marked, is certainly
    /// a backup and is not counted.
    pub backups: u64,
    /// Other files copied (`--copy-others`), symbolic links among them.
    pub files_copied: u64,
    /// Files of this run in the output directory; if nothing is written, those that would be
    /// replaced there.
    pub placed: u64,
    /// Files in the output directory that are not from this run.
    pub leftover: u64,
    /// DKIM signatures of messages that changed and were not named themselves: they are no longer valid.
    pub(crate) broken_signatures: u64,
    /// Lines of the url map whose files are not there.
    pub mapped_missing: u64,
    /// Bytes of the documents read.
    pub bytes_in: u64,
    /// Bytes of the documents as they are or would be written.
    pub bytes_out: u64,
    /// References by outcome, of the documents that did not fail.
    pub tally: Tally,
    /// Error pages, whose references became paths from the root, since servers show them at any path.
    pub(crate) error_pages: u64,
    /// Feeds, sitemaps and OPML with relative references and no base URL, which are left where references get
    /// a form that these have not.
    pub(crate) feeds_left: u64,
    /// Of these, the first by its path.
    pub(crate) feed_left: Option<PathBuf>,
    /// Patterns of [`Selection::include`](crate::batch::Selection::include) that matched nothing.
    pub useless_includes: Vec<String>,
    /// Patterns of [`Selection::exclude`](crate::batch::Selection::exclude) that matched nothing.
    pub useless_excludes: Vec<String>,
    /// Compressed copies (`NAME.gz`, `NAME.br`, `NAME.zst`) of documents that changed: they hold the
    /// old document.
    pub stale_copies: u64,
    /// Files and directories that [`Selection::gitignore`](crate::batch::Selection::gitignore) left out.
    pub ignored: u64,
    /// Symbolic links to directories, or with a document's name, in each PATH that has no document but
    /// behind them, where links are not followed ([`Selection::follow_links`](crate::batch::Selection::follow_links)).
    pub links_not_followed: u64,
    /// The run was stopped before its end ([`Observer::stop_requested`]).
    pub stopped: bool,
} not in JSON {
    /// Markdown in directories, which nobody asked for.
    pub(crate) markdown_not_taken: u64,
    /// Of `files`, those that are in rows, mailboxes and web archives, several in a file.
    pub(crate) enclosed: u64,
    /// Of `records`, responses and resources.
    pub(crate) captures: u64,
    /// Conversions in the archives that are written, or would be.
    pub(crate) conversions: u64,
    /// Of `tally.above_root`, the references in records.
    pub(crate) records_above_root: u64,
    /// Of `files_failed`, parts of files that could be processed otherwise: rows, values in rows, records, messages.
    pub(crate) parts_failed: [u64; 4],
    /// Rows that were read, or could not be.
    pub(crate) rows: u64,
    /// Those of `backups`, and those that are certainly backups.
    pub(crate) backups_left: FirstPaths,
    /// Files that are not what their names say, and that nobody asked for.
    pub(crate) not_as_named: FirstPaths,
    /// Directories among several PATHs in which nothing was read, unless other files were copied.
    pub(crate) barren: Vec<PathBuf>,
    /// Of `tally.excluded`: those in original records, on HTTrack's own index pages, and in feeds that are left.
    pub(crate) not_meant: [u64; 3],
    /// URLs that differ from the tree's only in their scheme or in a `www.`, and how many links lead there.
    pub(crate) aliases: BTreeMap<String, u64>,
    /// Files that changed, of those that pages name by a hash: the first three, and how many there are.
    pub(crate) broken_pins: FirstPaths,
    /// Hosts whose scheme nothing tells, and how many links lead there by an assumed one.
    pub(crate) assumed: BTreeMap<String, u64>,
    /// Of the documents that keep their `base` element, the first by its path, and the group of a reference that
    /// needs it.
    pub(crate) base_left: Option<(PathBuf, Group)>,
    /// Copies of the hosts of [`Settings::moves`](abslink_html::Settings::moves) where no link is.
    pub(crate) copies_left: CopiesLeft,
    /// Values in feeds that look like relative links and stand where abslink knows no place for one.
    pub unknown_places: UnknownPlaces,
    /// Files with rows.
    pub(crate) files_with_rows: u64,
}
}

impl Report {
    /// Counts a feed that was not taken.
    pub(crate) fn count_feed_not_taken(&mut self, path: &Path) {
        self.feeds_not_taken += 1;
        self.feed_not_taken.add_up(&Some(path.to_owned()));
    }

    /// Counts a sitemap or OPML that was not taken.
    pub(crate) fn count_list_not_taken(&mut self, path: &Path) {
        self.lists_not_taken += 1;
        self.list_not_taken.add_up(&Some(path.to_owned()));
    }

    /// Counts the links that a document has now by a scheme that was assumed.
    pub(crate) fn count_assumed(&mut self, url: &str, outcome: &Examined) {
        let is_own = |it: &abslink_html::Examined| it.document_base.source != BaseSource::Embedded;
        let documents = outcome.all().filter(|(_, it)| is_own(it));
        let links: u64 = documents.map(|(_, it)| it.tally.rewritten).sum();
        let host = Components::parse(url).net_loc.filter(|_| links > 0);
        if let Some(host) = host {
            *self.assumed.entry(host.to_owned()).or_default() += links;
        }
    }

    /// Counts a feed that was left without a base URL.
    pub(crate) fn count_feed_left(&mut self, path: &Path) {
        self.feeds_left += 1;
        self.feed_left.add_up(&Some(path.to_owned()));
    }

    /// What counts of one file that could not be written.
    pub(crate) fn of_unwritten(&self) -> Report {
        Report {
            files: self.files,
            enclosed: self.enclosed,
            bytes_in: self.bytes_in,
            ..Report::default()
        }
    }
}

/// How many files there are of a kind, and the first of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FirstPaths {
    pub(crate) number: u64,
    /// At most [`FirstPaths::NAMED`], in path order.
    pub(crate) paths: Vec<PathBuf>,
}

impl FirstPaths {
    const NAMED: usize = 3;

    pub(crate) fn count(&mut self, path: &Path) {
        self.number += 1;
        self.remember(path);
    }

    fn remember(&mut self, path: &Path) {
        let place = self.paths.partition_point(|known| **known < *path);
        if place < FirstPaths::NAMED {
            self.paths.insert(place, path.to_owned());
            self.paths.truncate(FirstPaths::NAMED);
        }
    }
}

impl Merge for FirstPaths {
    fn add_up(&mut self, other: &FirstPaths) {
        self.number += other.number;
        other.paths.iter().for_each(|path| self.remember(path));
    }
}
