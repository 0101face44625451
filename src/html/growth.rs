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

use super::Settings;
use crate::base::{Context, Established};
use crate::resolver::BaseUrl;

/// Why a document is left.
pub const OUTGROWN: &str = "its base URL is too long for so many references: made absolute, \
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
    /// Bytes of base URLs that a listing shows with references. Those of relative ones count for
    /// everybody, so that `check` leaves no document that `rewrite` makes absolute.
    pub(super) shown: u64,
    /// Whether references that stay are shown too, which each have the base URL of the document.
    pub(super) lists: bool,
    pub(super) limit: u64,
}

impl Growth {
    pub(super) fn up_to(limit: u64) -> Growth {
        Growth {
            used: 0,
            shown: 0,
            lists: false,
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

/// Whether a byte is spelled with one byte wherever it is written. A table, since each byte of each
/// new URL is asked for.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0;
    while byte < plain.len() {
        plain[byte] = is_plain(byte as u8);
        byte += 1;
    }
    plain
};

const fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'!' | b'#'..=b'%' | b'*' | b'+' | b'-'..=b'/' | b':' | b';')
        || matches!(byte, b'=' | b'?' | b'@' | b'[' | b']' | b'_' | b'~')
}

/// What a URL may take where it is written: some characters are spelled with up to six bytes, and
/// with up to five more for each `srcdoc` around them.
pub(super) fn cost(url: &str, depth: usize) -> u64 {
    let is_spelled = |byte: &u8| !PLAIN[usize::from(*byte)];
    let spelled = url.bytes().filter(is_spelled).count() as u64;
    url.len() as u64 + 5 * (depth as u64 + 1) * spelled
}

/// Whether one of the URLs that references may be resolved against is long, with what it may be mapped
/// to.
pub(super) fn is_long(
    established: &Established,
    context: &Context,
    settings: &Settings,
    depth: usize,
) -> bool {
    let own = context.retrieval.as_ref().map(|retrieval| &retrieval.url);
    let urls = [established.base.as_ref(), context.entity.as_ref(), own];
    let mapped = settings.prefixes.iter().map(|prefix| prefix.parts().1);
    let mapped = mapped.map(|to| cost(to, depth)).max().unwrap_or(0);
    let is_long = |url: &BaseUrl| cost(url.as_str(), depth).saturating_add(mapped) > SHORT;
    urls.into_iter().flatten().any(is_long)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::establish;
    use crate::resolver::Resolver;

    #[test]
    fn a_document_may_grow_by_its_limit() {
        assert_eq!(limit(0), 16 << 20);
        assert_eq!(limit(3) - limit(0), 3 * 256);
        let mut growth = Growth::up_to(10);
        growth.add(4);
        growth.add(6);
        assert!(!growth.is_exceeded());
        growth.shown = 10;
        assert!(!growth.is_exceeded());
        growth.shown = 11;
        assert!(growth.is_exceeded());
        growth.shown = 0;
        growth.add(u64::MAX);
        assert!(growth.is_exceeded());
    }

    #[test]
    fn some_bytes_take_more_room_the_deeper_they_stand() {
        assert_eq!(cost("http://h/a-b_c?d=~#e", 3), 20);
        // Both bytes of `é`, and the quote.
        assert_eq!([0, 1, 2].map(|depth| cost("a/é'", depth)), [20, 35, 50]);
    }

    #[test]
    fn a_base_url_is_long_that_takes_more_than_256_bytes() {
        for (length, expected) in [(256, false), (257, true)] {
            let url = format!("http://h/{}", "x".repeat(length - "http://h/".len()));
            let context = Context {
                entity: Some(BaseUrl::any(&url)),
                ..Context::default()
            };
            for (embedded, context) in [
                (None, &context),
                (Some("http://h/"), &context),
                (Some(&*url), &Context::default()),
            ] {
                let established = establish(embedded, context, Resolver::default());
                let mut settings = Settings::default();
                let is_long = |settings: &Settings| is_long(&established, context, settings, 0);
                assert_eq!(is_long(&settings), expected, "{length}");
                let prefix = "http://h=http://o".parse().unwrap();
                settings.prefixes = settings.prefixes.with(prefix).unwrap();
                assert!(is_long(&settings));
            }
        }
    }
}
