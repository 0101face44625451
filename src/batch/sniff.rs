//! What the first bytes of a file tell: whether it is HTML (`html::sniff`), or a feed or a web archive, which
//! the MIME Sniffing Standard has no rules for.

use crate::feed;
pub(super) use crate::html::sniff::{HEADER, is_html};
pub(super) use crate::warc::is_archive;

/// The root of a feed has to begin in so many bytes.
pub(super) const FEED_HEADER: usize = 64 << 10;

/// Whether the first bytes of a file are those of a long JSON object, which may say only at its end that
/// it is a feed.
pub(super) fn may_be_json_feed(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let object = bytes.trim_ascii_start().strip_prefix(b"{");
    let begins = object.is_some_and(|object| object.trim_ascii_start().starts_with(b"\""));
    begins && bytes.len() >= FEED_HEADER
}

/// Whether the root that the first bytes of a file begin with is that of a feed.
pub(super) fn is_feed(bytes: &[u8]) -> bool {
    feed::is_feed(&bytes[..bytes.len().min(FEED_HEADER)])
}
