//! Header fields, as mail, HTTP and web archives have them: names and values by their place, media
//! types, and the base URLs that fields give (RFC 1808 §3.1).

mod base;
mod fields;
mod media_type;

pub use base::RefusedBase;
pub(crate) use base::{base, text, unquoted};
pub(crate) use fields::{HeaderField, Heading, line_end};
pub(crate) use media_type::MediaType;

use std::ops::Range;

/// The heading of a message and its body: the first empty line is between them.
pub(crate) fn split(message: &[u8], range: Range<usize>) -> (Range<usize>, Range<usize>) {
    let mut at = range.start;
    while at < range.end {
        let next = line_end(message, at, range.end);
        if matches!(&message[at..next], b"\n" | b"\r\n") {
            return (range.start..at, next..range.end);
        }
        at = next;
    }
    (range.clone(), range.end..range.end)
}
