//! What a part of an archive yields.

use crate::batch::order::spooled::{ObserverOutput, SpooledBytes};
use crate::batch::report::{CopiesLeft, FileError, NoteKind};
use abslink_containers::warc::Kind;
use abslink_html::Examined;

/// What a part of an archive yields, in order.
pub(super) enum Event {
    /// A record of this kind.
    Record(Kind),
    Document(Box<RecordDocument>),
    Problem(FileError),
    /// What is written once the input is copied up to `at`.
    Insert {
        at: u64,
        new: SpooledBytes,
    },
    /// From where copying has got to, nothing up to `to` is copied.
    Skip {
        to: u64,
    },
    /// A body does not have the coding that its head names.
    CodingMissing,
    /// A segment of a larger record, which may hold a document.
    Segment,
    Note(NoteKind),
    /// A record that other records may refer to by these keys was changed. `target` stands for its URL.
    Changed {
        keys: [Option<u64>; 2],
        target: u64,
    },
    /// A record refers to another one by a key; `revisits` stands for its URL, if it is a revisit.
    Refers {
        key: u64,
        revisits: Option<u64>,
    },
}

/// A document, and what is shown about it.
pub(super) struct RecordDocument {
    pub(super) examined: Examined,
    /// How many references stay since their conversion follows.
    pub(super) converted: u64,
    /// Its length before and after.
    pub(super) lengths: (u64, u64),
    pub(super) changed: bool,
    /// A unified diff, for the output stream.
    pub(super) diff: SpooledBytes,
    /// The output of the observer for its references.
    pub(super) shown: ObserverOutput,
    pub(super) copies: CopiesLeft,
}

impl Event {
    /// About how much memory it takes.
    pub(super) fn held(&self) -> usize {
        const OWN: usize = 256;
        OWN + match self {
            Event::Insert { new, .. } => new.held(),
            Event::Document(document) => 4 * OWN + document.shown.held() + document.diff.held(),
            _ => 0,
        }
    }
}
