//! Web archives (WARC 1.0 and 1.1): the documents inside their records.
//!
//! ```text
//! source -> member (gzip, zstd) -> records (head) -> http (coding) -> payload -> written
//! ```
//!
//! [`Records`] reads one record after another from a [`Source`], with a bounded part of it in memory,
//! and goes on behind what is damaged. [`Payload`] says which records hold documents, with their
//! codings undone and what is known of them: RFC 1808 §3.2 (`Base` and `Content-Base` of the HTTP
//! head), §3.3 (`WARC-Target-URI`). [`Writer`] makes the records that hold the new ones.
//!
//! Framing is our own, since a record that is copied has to stay as it is to the byte: the order and
//! the spelling of its fields, and its compressed bytes.

mod coding;
mod head;
mod http;
mod member;
mod payload;
mod records;
mod source;
mod write;

use std::io;

pub use head::{Head, Kind};
pub use member::{Compression, Shape, find, is_archive};
pub use payload::{Payload, Role};
pub use records::{ArchiveItem, Record, Records};
pub use source::{FileReader, RangeReader, ReaderAt, Source};
pub use write::{Moment, NoMoment, Writer};

/// Why a record cannot be processed. Every other one still is.
///
/// # Examples
/// ```
/// use abslink_containers::warc::RecordReason;
///
/// assert_eq!(RecordReason::Cut.to_string(), "the archive ends inside it");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordReason {
    /// Bytes between members, or where one should be.
    #[error("no member begins here; what follows up to the next one is left")]
    NoMember,
    /// The compressed bytes are not what they should be.
    #[error("its compressed bytes are damaged")]
    Inflate,
    /// As above, known at the end only.
    #[error("its compressed bytes are damaged: their checksum is another one")]
    Checksum,
    /// The archive ends inside it.
    #[error("the archive ends inside it")]
    Cut,
    /// What should be the dictionary of a zstd archive.
    #[error("the archive's zstd dictionary is damaged, and without it nothing can be read")]
    Dictionary,
    /// No record where one should be.
    #[error("no record begins here; what follows up to the next one is left")]
    NoRecord,
    /// The format before WARC.
    #[error(
        "this is an ARC file, which abslink does not read; `warcio recompress` makes a WARC file of it"
    )]
    Arc,
    /// The head is not as it should be.
    #[error("its head is damaged or has no Content-Length")]
    Head,
    /// The block does not end where it should.
    #[error("its block does not end where its Content-Length says")]
    Length,
    /// A coding of HTTP that is not undone.
    #[error(
        "its body has a coding that abslink does not know; gzip, deflate, br, zstd and chunked are read"
    )]
    UnknownCoding,
    /// A coding of HTTP that is damaged.
    #[error("its body is damaged: a coding that its HTTP head names cannot be undone")]
    Coding,
    /// What is around it cannot be written anew.
    #[error(
        "a record in the same member, or a member around it, is damaged, and is unchanged; \
         --warc-as conversions has its document too"
    )]
    Member,
    /// It would take too much memory.
    #[error(
        "its decoded body is larger than 256 MiB, or more than 1,000 times as large as the stored one"
    )]
    Bomb,
}

/// What keeps a record from being read.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    #[error(transparent)]
    Damage(#[from] RecordReason),
    #[error(transparent)]
    Read(#[from] io::Error),
}
