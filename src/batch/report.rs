//! What a run did, and what went wrong.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use super::path::quoted;
use abslink_containers::feed;
use abslink_containers::message::{Refusal, Remark};
use abslink_containers::rows::RowError;
use abslink_containers::warc::Reason;
use abslink_html::{Disagreement, Tally};

/// A file that could not be processed, for [`super::Observer::trouble`]. Every other file still was.
///
/// # Examples
/// ```
/// use abslink::batch::{FileError, Trouble};
///
/// let trouble = Trouble { path: "a.html".into(), error: FileError::Changed };
/// let line = format!("{}: {}", trouble.path.display(), trouble.error);
/// assert!(line.starts_with("a.html: changed by another program"));
/// ```
#[derive(Debug)]
pub struct Trouble {
    /// Which file or directory, as the user would name it.
    pub path: PathBuf,
    /// What went wrong, and what to do.
    pub error: FileError,
}

/// Something about a file that is worth a note, but is not a failure, for
/// [`super::Observer::note`].
///
/// # Examples
/// ```
/// use abslink::batch::{Note, NoteKind};
///
/// let note = Note { path: "a.html".into(), what: NoteKind::BackupKept("a.html.orig".into()) };
/// assert_eq!(note.what.to_string(), "the older backup a.html.orig is kept");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Which file, as the user would name it.
    pub path: PathBuf,
    /// What.
    pub what: NoteKind,
}

/// What a [`Note`] says; its text goes after the path.
///
/// # Examples
/// ```
/// use abslink::batch::NoteKind;
///
/// assert_eq!(NoteKind::NotRegular("a socket").to_string(), "skipped: it is a socket");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoteKind {
    /// A file in a tree has a document's name, but is not a regular file.
    #[error("skipped: it is {0}")]
    NotRegular(&'static str),
    /// There was a backup already.
    #[error("the older backup {} is kept", .0.display())]
    BackupKept(PathBuf),
    /// A file belonged to somebody else, or to a group that this user is not in.
    #[error(
        "now belongs to you, or to your group: only root can keep the owner of a file that is replaced, \
         and its group where you are not in it"
    )]
    OwnerChanged,
    /// A run was killed while it put back what another program had written at the last moment.
    #[error(
        "{} is what another program wrote when a run was killed; \
         compare it with the files here, then use it or remove it",
        .0.display()
    )]
    EditKept(PathBuf),
    /// In place, a file was reached through a symbolic link and is in the same tree.
    #[error(
        "skipped: a symbolic link to a file in the same tree; -i rewrites files under their own names"
    )]
    LinkInside,
    /// A line of the url map names a file that is not there.
    #[error("the url map names this file, but it is not there")]
    MappedMissing,
    /// The url map does not say which of several pages that could not be fetched this file is.
    #[error(
        "the url map has several pages of this name that could not be fetched; their order in it \
         decided which one this is"
    )]
    MappedGuess,
    /// HTTrack's own index of a mirror was found.
    #[error("left as it is: HTTrack's own index of the mirror, whose links lead to the files here")]
    MirrorIndex,
    /// Something about a message, or about the HTTP head of a record in a web archive.
    #[error(transparent)]
    Message(#[from] Remark),
    /// Bodies in a web archive lack a coding that their HTTP heads name, since the crawler undid it.
    #[error("bodies stored without a coding that their HTTP heads name: {0}; taken as they are")]
    UndoneCodings(u64),
    /// Records of a web archive are segments of larger ones.
    #[error("segments of larger records: {0}; left as they are")]
    Segments(u64),
    /// Records refer to changed records by their old ids.
    #[error("fields that refer to a changed record by its old id: {0}")]
    OldIds(u64),
    /// Revisits of records that were changed.
    #[error("revisits of a changed record: {0}; replay shows the changed document there")]
    Revisits(u64),
    /// As above, but at other URLs, where the new document has wrong references.
    #[error(
        "revisits of a changed record at another URL: {0}; replay shows the changed document there, \
         whose references were relative to the first URL; --warc-as conversions or append keeps both"
    )]
    MisledRevisits(u64),
}

/// Why a file could not be processed.
///
/// # Examples
/// ```
/// use abslink::batch::FileError;
///
/// let error = FileError::Left("its encoding is unknown");
/// assert_eq!(error.to_string(), "left as it is: its encoding is unknown");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// Reading failed.
    #[error("cannot read: {0}")]
    Read(#[source] io::Error),
    /// A directory cannot be listed, or an entry in it cannot be examined.
    #[error("cannot read: {0}; files below it were left out")]
    Walk(#[source] io::Error),
    /// A symbolic link leads back up the tree.
    #[error("a symbolic link that leads back to {}; not followed", .0.display())]
    LinkLoop(PathBuf),
    /// A symbolic link leads into the output directory.
    #[error("a symbolic link that leads to the output directory; not followed")]
    LinkToOutput,
    /// In place, a symbolic link leads out of PATH, where nothing may be written.
    #[error("a symbolic link leads to {}, outside the tree; to rewrite it, give that path", .0.display())]
    LinkOutside(PathBuf),
    /// What was named as a file is something else.
    #[error("cannot read: it is {0}, not a file; `-` reads from standard input")]
    NotRegular(&'static str),
    /// Writing failed; `path` is the destination.
    #[error("cannot write {}: {source}{}", path.display(), advice(source))]
    Write {
        /// The file that could not be written.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is not the one that was read.
    #[error("changed by another program during the run and left as it is; run again")]
    Changed,
    /// The file was changed twice at the moment of its replacement.
    #[error(
        "changed twice by another program during the run; one version is in its place and the \
         other one is kept as {}: compare them and run again",
        .0.display()
    )]
    ChangedTwice(PathBuf),
    /// abslink has a bug; the document is left as it was.
    #[error("left as it is: abslink failed on it ({0}); please report this")]
    Panicked(String),
    /// The document's encoding cannot be handled, or it would grow too much.
    #[error("left as it is: {0}")]
    Left(&'static str),
    /// It was named, and is something that abslink does not read.
    #[error("{0}")]
    NotRead(NotRead),
    /// A WACZ is only read.
    #[error("{}", unpacked(path, *has_pages))]
    Wacz {
        /// The file.
        path: PathBuf,
        /// Whether it has a list of pages, to be kept.
        has_pages: bool,
    },
    /// A record of a web archive cannot be read; the path has its place in the file after a `#`.
    #[error("record left as it is: {0}")]
    Record(Reason),
    /// A row cannot be read; the path has its number after a `#`.
    #[error(transparent)]
    Row(RowError),
    /// No row has a field that is named, or none is named.
    #[error("{}", no_field(names))]
    NoField {
        /// The fields that there are, or the first of them.
        names: Vec<String>,
    },
    /// No row has the field with the URL.
    #[error("{}", no_url_field(names))]
    NoUrlField {
        /// The fields that there are, or the first of them.
        names: Vec<String>,
    },
    /// A feed cannot be read.
    #[error(transparent)]
    Feed(feed::Damage),
    /// The second reader disagrees with the new document
    /// ([`html::Settings::verify`](abslink_html::Settings::verify)).
    #[error(transparent)]
    Disagreement(Disagreement),
    /// Parts of a message could not be processed; the rest of it was.
    #[error("{}", .0.iter().map(Refusal::to_string).collect::<Vec<_>>().join("; "))]
    Parts(Vec<Refusal>),
}

/// What a named file is that is not a document: [`FileError::NotRead`].
///
/// # Examples
/// ```
/// use abslink::batch::{FileError, Input, Observer, Plan, Task, Trouble, run};
///
/// struct Refused;
/// impl Observer for Refused {
///     fn trouble(&self, trouble: &Trouble) {
///         let FileError::NotRead(what) = &trouble.error else {
///             unreachable!()
///         };
///         let text = "it is JavaScript by its name: --as html reads it as HTML";
///         assert_eq!(what.to_string(), text);
///     }
/// }
///
/// let script = tempfile::Builder::new().suffix(".js").tempfile()?;
/// let plan = Plan::new(vec![Input::File(script.path().into())], Task::Examine);
/// assert_eq!(run(&plan, &Refused, &mut std::io::sink())?.files_failed, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotRead {
    what: &'static str,
    tells: &'static str,
    help: &'static str,
}

impl NotRead {
    pub(super) const AS_HTML: &'static str = ": --as html reads it as HTML";
    pub(super) const AS_XHTML: &'static str = ": --as xhtml reads it as XHTML";
    pub(super) const BY_FIELD: &'static str = ": --html-field NAME says which field holds HTML";
    pub(super) const OF_NO_USE: &'static str = ", which abslink does not read";
    pub(super) const PACKED: &'static str = ": unpack it first";
    pub(super) const OF_ANOTHER_ROOT: &'static str = ", but not by its root element";

    /// Its name says what it is.
    pub(super) const fn by_name(what: &'static str, help: &'static str) -> NotRead {
        let tells = "name";
        NotRead { what, tells, help }
    }

    /// Its first bytes do.
    pub(super) const fn by_bytes(what: &'static str, help: &'static str) -> NotRead {
        let tells = "first bytes";
        NotRead { what, tells, help }
    }
}

impl fmt::Display for NotRead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it is {} by its {}{}", self.what, self.tells, self.help)
    }
}

/// What to name instead.
fn no_field(names: &[String]) -> String {
    let help = "no row has a field that is named: --html-field NAME says which one holds HTML";
    match names {
        [] => format!("{help}; its rows have no fields with text"),
        names => format!("{help}; there are {}", names.join(", ")),
    }
}

fn no_url_field(names: &[String]) -> String {
    let help =
        "no row has the field that --url-field names, so that each would get a wrong base URL";
    format!("{help}; there are {}", names.join(", "))
}

/// How a WACZ is rewritten.
fn unpacked(wacz: &Path, has_pages: bool) -> String {
    let name = wacz.to_string_lossy();
    let stem = wacz.with_extension("").to_string_lossy().into_owned();
    let (file, directory) = (quoted(&name), quoted(&stem));
    let new = quoted(&format!("{stem}.new.wacz"));
    let pages = match has_pages {
        true => format!("-p {directory}/pages/pages.jsonl "),
        false => String::new(),
    };
    format!(
        "left as it is: rewrite changes no WACZ. `unzip {file} -d {directory}` takes it apart; after `abslink \
         rewrite --warc-as response -i {directory}/archive`, `wacz create -o {new} \
         {pages}{directory}/archive/*` puts it together"
    )
}

/// A temporary file cannot be written.
pub(super) fn no_room(source: io::Error) -> FileError {
    let path = std::env::temp_dir();
    FileError::Write { path, source }
}

/// What to do about an error, if its text does not say.
fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "; make room and run again (finished files stay finished)"
        }
        _ => "",
    }
}

/// [`Report::without_host`]: documents whose paths name no host, in a layout that has a directory for each host:
/// how many there are, and for one of them what may help.
///
/// # Examples
/// ```
/// use abslink::batch::Report;
///
/// // A run without `--layout host` has none.
/// assert!(Report::default().without_host.is_none());
/// ```
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

impl NoHost {
    /// Counts both; the one that says more is named, or the first by its path.
    fn merge(self, other: NoHost) -> NoHost {
        let documents = self.documents + other.documents;
        let rank = |it: &NoHost| (it.directory.is_none(), it.path.clone());
        let named = match rank(&other) < rank(&self) {
            true => other,
            false => self,
        };
        NoHost { documents, ..named }
    }
}

/// What a run did, as [`super::run`] returns it. The fields are those of the JSON summary.
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
    /// Documents read. Each one in a web archive counts.
    pub files: u64,
    /// Records of web archives.
    pub records: u64,
    /// Of these, revisits that show a changed document at another URL.
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
    /// Documents with relative references and a `base` element to whose URL nothing can be relative
    /// ([`is_opaque`](abslink_html::base::DocumentBase::is_opaque)).
    pub files_with_opaque_base: u64,
    /// Of these, those whose path names no host although the layout expects one.
    pub without_host: Option<NoHost>,
    /// Documents with relative references and a base URL that may be wrong.
    pub files_on_guess: u64,
    /// Files in directories that [`super::Selection::detect_html`] would take, and that were not taken
    /// because it was off.
    pub not_taken: u64,
    /// Files in directories that are feeds by their first bytes, and were not taken: by their names
    /// they are not documents, and [`super::Selection::detect_feeds`] was off. Only those with
    /// names that are usual for feeds are examined.
    pub feeds_not_taken: u64,
    /// Of these, the first by its path.
    pub feed_not_taken: Option<PathBuf>,
    /// Sitemaps and OPML among the files in directories, likewise. Each site has such files, so that
    /// `--strict` does not count them.
    pub lists_not_taken: u64,
    /// Of these, the first by its path.
    pub list_not_taken: Option<PathBuf>,
    /// Files that look like HTML, and were left because they may be backups of files beside them.
    /// One with the suffix of this run, or with `.orig`, is certainly a backup and is not counted.
    pub backups: u64,
    /// Other files copied (`--copy-others`), symbolic links among them.
    pub files_copied: u64,
    /// Files of this run in the output directory; if nothing is written, those that would be
    /// replaced there.
    pub placed: u64,
    /// Files in the output directory that are not from this run.
    pub leftover: u64,
    /// Lines of the url map whose files are not there.
    pub mapped_missing: u64,
    /// Bytes of the documents read.
    pub bytes_in: u64,
    /// Bytes of the documents as they are or would be written.
    pub bytes_out: u64,
    /// References by outcome, of the documents that did not fail.
    pub tally: Tally,
    /// Patterns of [`super::Selection::include`] that matched nothing.
    pub useless_includes: Vec<String>,
    /// Patterns of [`super::Selection::exclude`] that matched nothing.
    pub useless_excludes: Vec<String>,
    /// Compressed copies (`NAME.gz`, `NAME.br`, `NAME.zst`) of documents that changed: they hold the
    /// old document.
    pub stale_copies: u64,
    /// Files and directories that [`super::Selection::gitignore`] left out.
    pub ignored: u64,
    /// The run was stopped before its end ([`super::Observer::stop_requested`]).
    pub stopped: bool,
}

impl Report {
    /// Adds documents whose paths name no host.
    pub(super) fn count_without_host(&mut self, other: Option<NoHost>) {
        self.without_host = match (self.without_host.take(), other) {
            (Some(own), Some(other)) => Some(own.merge(other)),
            (own, other) => own.or(other),
        };
    }

    /// Counts a feed that was not taken.
    pub(super) fn count_feed_not_taken(&mut self, path: &Path) {
        self.feeds_not_taken += 1;
        keep_first(&mut self.feed_not_taken, Some(path));
    }

    /// Counts a sitemap or OPML that was not taken.
    pub(super) fn count_list_not_taken(&mut self, path: &Path) {
        self.lists_not_taken += 1;
        keep_first(&mut self.list_not_taken, Some(path));
    }

    /// What counts of one file that could not be written.
    pub(super) fn of_unwritten(&self) -> Report {
        Report {
            files: self.files,
            bytes_in: self.bytes_in,
            ..Report::default()
        }
    }

    /// Adds another report to this one.
    pub fn merge(&mut self, other: &Report) {
        self.files += other.files;
        self.records += other.records;
        self.misled_revisits += other.misled_revisits;
        self.files_changed += other.files_changed;
        self.files_unchanged += other.files_unchanged;
        self.files_failed += other.files_failed;
        self.files_without_base += other.files_without_base;
        self.records_without_base += other.records_without_base;
        self.not_taken += other.not_taken;
        self.backups += other.backups;
        self.feeds_not_taken += other.feeds_not_taken;
        keep_first(&mut self.feed_not_taken, other.feed_not_taken.as_deref());
        self.lists_not_taken += other.lists_not_taken;
        keep_first(&mut self.list_not_taken, other.list_not_taken.as_deref());
        self.count_without_host(other.without_host.clone());
        self.files_on_guess += other.files_on_guess;
        self.files_with_opaque_base += other.files_with_opaque_base;
        self.files_copied += other.files_copied;
        self.placed += other.placed;
        self.leftover += other.leftover;
        self.mapped_missing += other.mapped_missing;
        self.bytes_in += other.bytes_in;
        self.bytes_out += other.bytes_out;
        self.tally.merge(&other.tally);
        self.useless_includes
            .extend_from_slice(&other.useless_includes);
        self.useless_excludes
            .extend_from_slice(&other.useless_excludes);
        self.stale_copies += other.stale_copies;
        self.ignored += other.ignored;
        self.stopped |= other.stopped;
    }
}

/// Keeps the path that is first in order.
fn keep_first(first: &mut Option<PathBuf>, path: Option<&Path>) {
    if let Some(path) = path.filter(|path| first.as_deref().is_none_or(|first| *path < first)) {
        *first = Some(path.to_owned());
    }
}
