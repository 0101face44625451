//! How much longer a document may become.
//!
//! Each reference gets a part of the base URL, so a long base URL and many references make a
//! document grow with the square of its length: half a megabyte of `<base href>` and as much of
//! links make 25 gigabytes. A document that would grow by more than [`limit`] is left as it
//! is.
//!
//! Nor is a new document of more than [`HELD`] bytes made in memory. A file is then read again in
//! pieces, each of which may grow by that much; if that is not possible, the document is left.
//!
//! What is added is counted reference by reference, before any of it is made; beginnings that edits
//! have in common are held once, so little memory goes into a result that is then dropped. What was
//! shown cannot be taken back: if a base URL is long, references are counted before
//! the first one is shown. Whether a document is left does not depend on what is done with it, so references
//! count and not edits: a listing has none.

use super::outcome::Outcome;
use crate::base::{Context, DocumentBase};
use crate::places::attributes::ValueKind;
use crate::settings::Settings;
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

/// If a base URL [costs](cost) less, no document can have enough references to grow by more than its
/// limit: each takes at least two bytes in the source, one of which separates it from the next.
const SHORT: u64 = 256;

/// What has been added so far, and what may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Growth {
    pub(crate) used: u64,
    /// Bytes of base URLs that a listing shows with references. Those of relative ones always
    /// count, so that `check` leaves no document that `rewrite` makes absolute.
    pub(crate) shown: u64,
    /// Whether references that stay are shown too, which each have the base URL of the document.
    pub(crate) lists: bool,
    pub(crate) limit: u64,
    /// How much may be added in memory.
    pub(crate) memory_budget: u64,
}

impl Growth {
    pub(crate) fn up_to(limit: u64) -> Growth {
        Growth {
            used: 0,
            shown: 0,
            lists: false,
            limit,
            memory_budget: u64::MAX,
        }
    }

    /// For a document of this length that is held whole, as is the new one. A document that has to be
    /// decoded may take twice as many bytes as its new text.
    pub(crate) fn in_memory(length: u64, context: &Context, is_decoded: bool) -> Growth {
        let limit = limit(length);
        let held = context.memory_budget.unwrap_or(HELD).saturating_sub(length);
        Growth {
            memory_budget: if is_decoded { held / 2 } else { held },
            ..Growth::up_to(context.growth_budget.map_or(limit, |room| room.min(limit)))
        }
    }

    pub(crate) fn is_exceeded(&self) -> bool {
        self.used.max(self.shown) > self.limit || self.used > self.memory_budget
    }

    #[inline]
    pub(crate) fn add(&mut self, cost: u64) {
        self.used = self.used.saturating_add(cost);
    }

    /// Counts what a listing shows with a reference.
    #[inline]
    pub(crate) fn show(&mut self, outcome: Outcome, length: usize) {
        if self.lists || matches!(outcome, Outcome::Relative | Outcome::Unresolved) {
            self.shown = self.shown.saturating_add(length as u64);
        }
    }
}

/// Whether a byte is spelled with one byte wherever it is written. These are tables, since every byte
/// of every new URL is looked up.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = b'!';
    while byte <= b'~' {
        plain[byte as usize] = byte.is_ascii_alphanumeric()
            || matches!(byte, b'!' | b'#'..=b'%' | b'*' | b'+' | b'-'..=b'/' | b':' | b';')
            || matches!(byte, b'=' | b'?' | b'@' | b'[' | b']' | b'_' | b'~');
        byte += 1;
    }
    plain
};

/// The same if the URL is all of a value: for every byte that the [short way](crate::rewrite::pass) takes, so
/// that both ways count alike.
const PLAIN_ALONE: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = b'!';
    while byte <= b'~' {
        plain[byte as usize] = !matches!(byte, b'"' | b'&' | b'\'' | b'<' | b'>' | b'`');
        byte += 1;
    }
    plain
};

/// How many bytes a URL may take in a value of that kind: some characters are spelled with up
/// to six bytes, and with up to five more for each `srcdoc` around them.
pub(crate) fn cost(url: &str, kind: ValueKind, depth: usize) -> u64 {
    let plain = match kind {
        ValueKind::Url => &PLAIN_ALONE,
        _ => &PLAIN,
    };
    let is_spelled = |byte: &u8| !plain[usize::from(*byte)];
    let spelled = url.bytes().filter(is_spelled).count() as u64;
    url.len() as u64 + 5 * (depth as u64 + 1) * spelled
}

/// The cost of the longest URL that references may be resolved against, including where it may be
/// moved.
fn longest(
    document_base: &DocumentBase,
    context: &Context,
    settings: &Settings,
    depth: usize,
) -> u64 {
    let own = context.retrieval.as_ref().map(|retrieval| &retrieval.url);
    let urls = [document_base.base.as_ref(), context.entity.as_ref(), own];
    let moved = settings.moves.iter().map(|prefix| prefix.parts().1);
    // It takes no more in any other kind of value.
    let cost = |url: &str| cost(url, ValueKind::SpaceList, depth);
    let moved = moved.map(cost).max().unwrap_or(0);
    let cost = |url: &BaseUrl| cost(url.as_str()).saturating_add(moved);
    urls.into_iter().flatten().map(cost).max().unwrap_or(0)
}

pub(crate) fn is_long(
    document_base: &DocumentBase,
    context: &Context,
    settings: &Settings,
    depth: usize,
) -> bool {
    longest(document_base, context, settings, depth) > SHORT
}

/// This many bytes become not much more than 64 MiB, if few references take less than eight bytes.
pub(crate) fn piece(document_base: &DocumentBase, context: &Context, settings: &Settings) -> usize {
    const COMES: u64 = 64 << 20;
    let references = COMES / longest(document_base, context, settings, 0).max(1);
    usize::try_from(8 * references).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::document_base;
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
        for kind in [ValueKind::Url, ValueKind::Srcset] {
            assert_eq!(cost("http://h/a-b_c?d=~#e", kind, 3), 20);
            // Both bytes of `é`, and the quote.
            let costs = [0, 1, 2].map(|depth| cost("a/é'", kind, depth));
            assert_eq!(costs, [20, 35, 50]);
        }
        assert_eq!(cost("(,)", ValueKind::Url, 0), 3);
        assert_eq!(cost("(,)", ValueKind::Srcset, 0), 18);
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
                let document_base = document_base(embedded, context, Resolver::default());
                let mut settings = Settings::default();
                let is_long = |settings: &Settings| is_long(&document_base, context, settings, 0);
                assert_eq!(is_long(&settings), expected, "{length}");
                let prefix = "http://h=http://o".parse().unwrap();
                settings.moves = settings.moves.with(prefix).unwrap();
                assert!(is_long(&settings));
            }
        }
    }
}
