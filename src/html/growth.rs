//! How much longer a document may become.
//!
//! Each reference takes a part of the base URL along, so that a long base URL and many references
//! make a document grow with the square of its length: half a megabyte of `<base href>` and as much
//! of links come to 25 gigabytes. A document that would grow by more than [`limit`] is left as it
//! is.
//!
//! Before one is rewritten or shown whose base URL is long, its references are resolved one after
//! the other and only counted, so that no memory is taken for a result that is not wanted. Whether a
//! document is left does not depend on how it is read, nor on what is done with it.

use crate::base::{Context, Established};
use crate::resolver::BaseUrl;

/// Why a document is left.
pub(crate) const OUTGROWN: &str = "its base URL is too long for so many references: made absolute, \
                                   they would take more than 16 MiB plus 256 times the length of the \
                                   document";

/// By how many bytes a document of this length may grow.
pub fn limit(length: u64) -> u64 {
    (16 << 20) + length.saturating_mul(256)
}

/// Of a base URL that [costs](cost) less, no document can have references enough: each takes two
/// bytes in the source at least, of which one separates it from the next.
const SHORT: u64 = 256;

/// What has been added so far, and what may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Growth {
    pub(super) used: u64,
    /// Bytes of base URLs that are shown with references, whatever becomes of those.
    pub(super) shown: u64,
    pub(super) limit: u64,
}

impl Growth {
    pub(super) fn up_to(limit: u64) -> Growth {
        Growth {
            used: 0,
            shown: 0,
            limit,
        }
    }

    pub(super) fn is_exceeded(&self) -> bool {
        self.used.max(self.shown) > self.limit
    }

    #[inline]
    pub(super) fn add(&mut self, cost: u64) {
        self.used = self.used.saturating_add(cost);
    }
}

/// Whether a byte is spelled with one byte wherever it is written.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'!' | b'#'..=b'%' | b'*' | b'+' | b'-'..=b'/' | b':' | b';')
        || matches!(byte, b'=' | b'?' | b'@' | b'[' | b']' | b'_' | b'~')
}

/// What a URL may take where it is written: some characters are spelled with up to six bytes, and
/// with up to five more for each `srcdoc` around them.
pub(super) fn cost(url: &str, depth: usize) -> u64 {
    let spelled = url.bytes().filter(|&byte| !is_plain(byte)).count() as u64;
    url.len() as u64 + 5 * (depth as u64 + 1) * spelled
}

/// Whether one of the URLs that references may be resolved against is long.
pub(super) fn is_long(established: &Established, context: &Context, depth: usize) -> bool {
    let own = context.retrieval.as_ref().map(|retrieval| &retrieval.url);
    let urls = [established.base.as_ref(), context.entity.as_ref(), own];
    let is_long = |url: &BaseUrl| cost(url.as_str(), depth) > SHORT;
    urls.into_iter().flatten().any(is_long)
}
