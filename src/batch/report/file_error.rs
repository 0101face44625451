//! What went wrong with a file.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use abslink_containers::feed;
use abslink_containers::message::Refusal;
use abslink_containers::rows::{RowError, ValueError};
use abslink_containers::warc::RecordReason;
use abslink_html::{Disagreement, sniff};

use crate::batch::panic::catch_panic;
use crate::batch::path::quoted;

/// A file that could not be processed, for [`crate::batch::Observer::problem`]. Every other file still was.
///
/// # Examples
/// ```
/// use abslink::batch::{FileError, Problem};
///
/// let problem = Problem { path: "a.html".into(), error: FileError::Changed };
/// let line = format!("{}: {}", problem.path.display(), problem.error);
/// assert!(line.starts_with("a.html: changed while abslink was running"));
/// ```
#[derive(Debug)]
pub struct Problem {
    /// Which file or directory, as the user would name it.
    pub path: PathBuf,
    /// What went wrong, and what to do.
    pub error: FileError,
}

#[cfg(feature = "cli")]
impl Problem {
    /// What goes behind the path, which is named once.
    pub(crate) fn reason(&self) -> String {
        match &self.error {
            FileError::Write { path, source } if *path == self.path => {
                format!("cannot write: {source}{}", advice(source))
            }
            error => error.to_string(),
        }
    }
}

/// Why a file could not be processed.
///
/// # Examples
/// ```
/// use abslink::batch::FileError;
///
/// let error = FileError::Left("its encoding is unknown");
/// assert_eq!(error.to_string(), "unchanged: its encoding is unknown");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// Reading failed.
    #[error("cannot read: {0}")]
    Read(#[source] io::Error),
    /// There is nothing of the name that was given.
    #[error("no such file or directory")]
    Missing,
    /// The same, and the name is a pattern, which a shell replaces by the names of files.
    #[error("no file matches; the shell did not expand the pattern")]
    NoMatch,
    /// A directory cannot be listed, or an entry in it cannot be examined.
    #[error("cannot read: {0}; files below it were left out")]
    Walk(#[source] io::Error),
    /// A symbolic link leads back up the tree.
    #[error("not followed: symbolic link back to {}", .0.display())]
    LinkLoop(PathBuf),
    /// A symbolic link leads into the output directory.
    #[error("not followed: symbolic link to the output directory")]
    LinkToOutput,
    /// In place, a symbolic link leads out of PATH, where nothing may be written.
    #[error("symbolic link to {}, outside the tree; give that path to rewrite it", .0.display())]
    LinkOutside(PathBuf),
    /// What was named as a file is something else.
    #[error("is {0}; `-` reads standard input")]
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
    #[error("changed while abslink was running; skipped, run again")]
    Changed,
    /// There is a file that has the name of its backup, and that abslink did not make.
    #[error("{} is another program's backup", .0.display())]
    ForeignBackup(PathBuf),
    /// The file was changed twice at the moment of its replacement.
    #[error(
        "changed twice while abslink was running; one version is in its place, the other is kept as {}: compare them and run again",
        .0.display()
    )]
    ChangedTwice(PathBuf),
    /// abslink has a bug; the document is left as it was.
    #[error("skipped: internal error ({0}); please report this")]
    Panicked(String),
    /// The document's encoding cannot be handled, or it would grow too much.
    #[error("unchanged: {0}")]
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
    #[error("record unchanged: {0}")]
    Record(RecordReason),
    /// A row cannot be read; the path has its number after a `#`.
    #[error(transparent)]
    Row(#[from] RowError),
    /// A value in a row's field cannot be read, or is left for another reason; the rest of the row is not.
    #[error(transparent)]
    Value(ValueError),
    /// No row has a field that is named, or none is named.
    #[error("no field `{}`{}", wanted.join("` or `"), those_there(names))]
    NoField {
        /// The fields that were named.
        wanted: Vec<String>,
        /// The fields that there are, or the first of them.
        names: Vec<String>,
    },
    /// No row has the field with the URL.
    #[error("no field `{wanted}`, which --url-field names{}", those_there(names))]
    NoUrlField {
        /// The field that was named.
        wanted: String,
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
    /// Only its first fields make it look like a message.
    #[error("a message without an HTML part")]
    NoHtmlPart {
        /// Whether it may be HTML instead: its name does not say that it is text.
        may_be_html: bool,
    },
    /// In place, a message of a Maildir would change whose name says how long it is.
    #[error("skipped: its name holds its size; -i does not rename files")]
    SizeInName,
    /// Standard output is a terminal ([`Plan::to_terminal`](crate::batch::Plan::to_terminal)).
    #[error("not written: binary output to a terminal")]
    BinaryToTerminal,
    /// A mailbox is in use.
    #[error("skipped: locked by another program{}", .0.as_ref().map(|lock| format!(" ({})", lock.display())).unwrap_or_default())]
    Locked(
        /// The file that says so.
        Option<PathBuf>,
    ),
    /// A message of a mailbox; the path has its number after a `#`.
    #[error("{}{error}", .id.as_ref().map(|id| format!("{id}: ")).unwrap_or_default())]
    Message {
        /// Its Message-ID.
        id: Option<String>,
        /// Why it could not be processed.
        error: Box<FileError>,
    },
    /// Parts of a message could not be processed; the rest of it was.
    #[error("{}", .0.iter().map(Refusal::to_string).collect::<Vec<_>>().join("; "))]
    Parts(Vec<Refusal>),
}

impl FileError {
    /// What to do about it, for a line of its own.
    ///
    /// # Examples
    /// ```
    /// use abslink::batch::FileError;
    ///
    /// assert_eq!(FileError::SizeInName.hint(), Some("-o DIR writes it under a name without the size"));
    /// assert_eq!(FileError::Changed.hint(), None);
    /// ```
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            FileError::NotRead(what) => what.hint(),
            FileError::NoHtmlPart { may_be_html: true } => Some("--as html reads it as HTML"),
            FileError::SizeInName => Some("-o DIR writes it under a name without the size"),
            FileError::BinaryToTerminal => {
                Some("-o DIR writes it to a directory, `> FILE` to a file")
            }
            FileError::Locked(Some(_)) => {
                Some("remove that file if no program is using the mailbox")
            }
            _ => None,
        }
    }
}

/// What a named file is that is not a document: [`FileError::NotRead`].
///
/// # Examples
/// ```
/// use abslink::batch::{FileError, Input, Observer, Plan, Problem, Task, run};
///
/// struct Refused;
/// impl Observer for Refused {
///     fn problem(&self, problem: &Problem) {
///         let FileError::NotRead(what) = &problem.error else {
///             unreachable!()
///         };
///         let text = "skipped: JavaScript by its name";
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
    pub(crate) const AS_HTML: &'static str = ": --as html reads it as HTML";
    pub(crate) const AS_XHTML: &'static str = ": --as xhtml reads it as XHTML";
    pub(crate) const BY_FIELD: &'static str = ": --field NAME says which field holds HTML";
    /// Text that nothing identifies.
    pub(crate) const UNRECOGNISED: NotRead = NotRead {
        what: "not recognised as HTML",
        tells: "",
        help: ": --as html reads it as HTML",
    };
    /// CSV with HTML in it.
    pub(crate) const CSV: NotRead = NotRead {
        what: "looks like CSV",
        tells: "",
        help: ": --as csv --field NAME reads the HTML in a column, --as html reads all of it as HTML",
    };
    pub(crate) const OF_NO_USE: &'static str = ", which abslink does not read";
    pub(crate) const PACKED: &'static str = ": unpack it first";
    pub(crate) const OF_ANOTHER_ROOT: &'static str = ", but not by its root element";

    /// Its name says what it is.
    pub(crate) const fn by_name(what: &'static str, help: &'static str) -> NotRead {
        let tells = "name";
        NotRead { what, tells, help }
    }

    /// Its first bytes do.
    pub(crate) const fn by_bytes(what: &'static str, help: &'static str) -> NotRead {
        let tells = "first bytes";
        NotRead { what, tells, help }
    }

    /// The same for a file that begins so: none that does not look like HTML is to be read as HTML.
    pub(crate) fn beside(self, head: &[u8]) -> NotRead {
        if self.help == NotRead::AS_HTML && !sniff::is_html(head) {
            NotRead { help: "", ..self }
        } else {
            self
        }
    }

    /// What to type, if that goes on a line of its own.
    fn hint(&self) -> Option<&'static str> {
        self.help.strip_prefix(": ")
    }
}

impl fmt::Display for NotRead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tells {
            "" => write!(f, "skipped: {}", self.what),
            tells => {
                let reason = self.hint().map_or(self.help, |_| "");
                write!(f, "skipped: {} by its {tells}{reason}", self.what)
            }
        }
    }
}

/// The fields that may be named instead.
fn those_there(names: &[String]) -> String {
    match names {
        [] => "; the rows of this file hold no text".to_owned(),
        names => format!("; this file has: {}", names.join(", ")),
    }
}

/// How a WACZ is rewritten.
fn unpacked(wacz: &Path, has_pages: bool) -> String {
    let name = wacz.to_string_lossy();
    let stem = wacz.with_extension("").to_string_lossy().into_owned();
    let (file, directory) = (quoted(&name), quoted(&stem));
    let new = quoted(&format!("{stem}.new.wacz"));
    let pages = has_pages.then(|| format!("-p {directory}/pages/pages.jsonl "));
    let pages = pages.unwrap_or_default();
    format!(
        "unchanged: rewrite cannot change a WACZ. `unzip {file} -d {directory}` takes it apart; after `abslink \
         rewrite --warc-as response -i {directory}/archive`, `wacz create -o {new} \
         {pages}{directory}/archive/*` puts it together"
    )
}

/// Keeps a bug in one document from ending the run.
pub(crate) fn guard<T>(work: impl FnOnce() -> T) -> Result<T, FileError> {
    catch_panic(work).map_err(FileError::Panicked)
}

/// A temporary file cannot be written.
pub(crate) fn no_room(source: io::Error) -> FileError {
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
