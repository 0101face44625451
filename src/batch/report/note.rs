//! What is worth a note about a file.

use std::path::PathBuf;

use abslink_containers::message::Remark;

/// Something about a file that is worth a note, but is not a failure, for
/// [`crate::batch::Observer::note`].
///
/// # Examples
/// ```
/// use abslink::batch::{Note, NoteKind};
///
/// let note = Note { path: "a.html".into(), what: NoteKind::OlderBackup("a.html.orig".into()) };
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
    OlderBackup(PathBuf),
    /// A file would be a document if it were no backup of a file beside it. There is one note for all of them
    /// in the summary.
    #[error("skipped: looks like a backup by its name, or has abslink's mark")]
    BackupLeft,
    /// A file belonged to somebody else, or to a group that this user is not in.
    #[error(
        "now belongs to you or your group: only root can keep the owner of a replaced file, and a group that you are not in"
    )]
    OwnerChanged,
    /// A run was killed while it put back what another program had written at the last moment.
    #[error(
        "{} was left by a killed run; compare it with the files here, then use it or remove it",
        .0.display()
    )]
    EditLeft(PathBuf),
    /// A run that was killed had locked a mailbox.
    #[error("removed {}, left by a run that ended early", .0.display())]
    LockRemoved(PathBuf),
    /// In place, a file was reached through a symbolic link and is in the same tree.
    #[error("skipped: symbolic link to a file in this tree")]
    LinkInside,
    /// Another file records the same URL, and links lead there.
    #[error("has the same URL as {}, which links use", .0.display())]
    SameUrl(PathBuf),
    /// A line of the url map names a file that is not there.
    #[error("the URL map names this file, but it does not exist")]
    MappedMissing,
    /// The url map does not say which of several pages that could not be fetched this file is.
    #[error(
        "the URL map has several pages of this name that could not be fetched; took the one that its order suggests"
    )]
    MappedGuess,
    /// HTTrack's own index of a mirror was found.
    #[error("unchanged: HTTrack's own index of the mirror")]
    MirrorIndex,
    /// In a page that begins like XML, an element of raw text is closed as XML does.
    #[error(
        "read as HTML, where <{0}/> has no end: what follows is its text, up to </{0}>; --as xhtml reads the file as XHTML"
    )]
    ClosedAsXml(&'static str),
    /// Something about a message, or about the HTTP head of a record in a web archive.
    #[error(transparent)]
    Message(#[from] Remark),
    /// Bodies in a web archive lack a coding that their HTTP heads name, since the crawler undid it.
    #[error("{} not compressed as the HTTP head says; read as stored", several(*.0, "record is", "records are"))]
    UndoneCodings(u64),
    /// Records of a web archive are segments of larger ones.
    #[error("{}; unchanged", several(*.0, "segment of a larger record", "segments of larger records"))]
    Segments(u64),
    /// Records refer to changed records by their old ids.
    #[error("{} to a changed record by its old id", several(*.0, "field refers", "fields refer"))]
    OldIds(u64),
    /// Revisits of records that were changed.
    #[error("{} of a changed record; replay shows the changed page there", several(*.0, "revisit", "revisits"))]
    Revisits(u64),
    /// As above, but at other URLs, where the new document has wrong references.
    #[error(
        "{} of a changed record at another URL; replay shows the page with the links of the first URL there; \
         --warc-as conversions or append keeps both",
        several(*.0, "revisit", "revisits")
    )]
    MisledRevisits(u64),
}

fn several(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
