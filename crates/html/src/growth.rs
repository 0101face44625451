//! How much longer a document may become.
//!
//! Each reference takes a part of the base URL along, so that a long base URL and many references
//! make a document grow with the square of its length: half a megabyte of `<base href>` and as much
//! of links come to 25 gigabytes. A document that would grow by more than [`limit`] is left as it
//! is.
//!
//! Nor is a new document of more than [`HELD`] bytes made in memory. A file goes on in pieces then,
//! each of which may grow by that much; where that cannot be, the document is left.
//!
//! Before one is rewritten or shown that may outgrow this, its references are resolved one after
//! the other and only counted, so that no memory is taken for a result that is not wanted. Whether a
//! document is left does not depend on what is done with it.

use super::Settings;
use crate::base::{Context, Established};
use abslink_url::BaseUrl;

/// Why a document is left.
pub const OUTGROWN: &str = "its base URL is too long for so many references: made absolute, \
                                   they would take more than 16 MiB plus 256 times the length of the \
                                   document, or the document more than 256 MiB";

/// By how many bytes a document of this length may grow.
pub fn limit(length: u64) -> u64 {
    (16 << 20) + length.saturating_mul(256)
}

/// No new document is made in memory that is larger.
pub const HELD: u64 = 256 << 20;

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
    /// How much may be added in memory.
    pub(super) held: u64,
}

impl Growth {
    pub(super) fn up_to(limit: u64) -> Growth {
        Growth {
            used: 0,
            shown: 0,
            lists: false,
            limit,
            held: u64::MAX,
        }
    }

    /// Of a document of this length that is held as a whole, and whose new one is. One that has to be
    /// decoded may take twice as many bytes as its new text.
    pub(super) fn in_memory(length: u64, context: &Context, is_decoded: bool) -> Growth {
        let limit = limit(length);
        let held = context.held.unwrap_or(HELD).saturating_sub(length);
        Growth {
            held: if is_decoded { held / 2 } else { held },
            ..Growth::up_to(context.room.map_or(limit, |room| room.min(limit)))
        }
    }

    pub(super) fn is_exceeded(&self) -> bool {
        self.used.max(self.shown) > self.limit || self.used > self.held
    }

    /// How much more may be added.
    fn room(&self) -> u64 {
        self.limit.min(self.held).saturating_sub(self.used)
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

/// What the longest of the URLs takes that references may be resolved against, with what it may be
/// mapped to.
fn longest(established: &Established, context: &Context, settings: &Settings, depth: usize) -> u64 {
    let own = context.retrieval.as_ref().map(|retrieval| &retrieval.url);
    let urls = [established.base.as_ref(), context.entity.as_ref(), own];
    let mapped = settings.prefixes.iter().map(|prefix| prefix.parts().1);
    let mapped = mapped.map(|to| cost(to, depth)).max().unwrap_or(0);
    let cost = |url: &BaseUrl| cost(url.as_str(), depth).saturating_add(mapped);
    urls.into_iter().flatten().map(cost).max().unwrap_or(0)
}

/// Whether that is long.
pub(super) fn is_long(
    established: &Established,
    context: &Context,
    settings: &Settings,
    depth: usize,
) -> bool {
    longest(established, context, settings, depth) > SHORT
}

/// Of so many bytes comes not much more than 64 MiB, where few references take less than eight bytes.
pub(super) fn piece(established: &Established, context: &Context, settings: &Settings) -> usize {
    const COMES: u64 = 64 << 20;
    let references = COMES / longest(established, context, settings, 0).max(1);
    usize::try_from(8 * references).unwrap_or(usize::MAX)
}

/// How many references so many bytes can have: each takes two of them at least, of which one separates
/// it from the next.
pub(super) fn references_in(bytes: usize) -> u64 {
    bytes as u64 / 2 + 1
}

/// Whether so many references can outgrow a limit.
pub(super) fn may_exceed(
    growth: &Growth,
    references: u64,
    (established, context): (&Established, &Context),
    settings: &Settings,
    depth: usize,
) -> bool {
    let longest = longest(established, context, settings, depth);
    longest > SHORT || references.saturating_mul(longest) > growth.room()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::establish;
    use abslink_url::Resolver;

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
