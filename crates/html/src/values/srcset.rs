//! HTML's srcset grammar: `srcset` and `imagesrcset`.
//!
//! The algorithm is "parse a srcset attribute" of the HTML standard, as far as it decides where
//! the URLs are. Descriptors are only skipped: a candidate that a browser drops for a bad
//! descriptor is reported as well, because replacing its URL does no harm.

use std::ops::Range;

use abslink_url::percent;

/// The byte range of each URL in `value`, which is decoded, in ascending order.
pub(crate) fn references(value: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = value.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        at += run(&bytes[at..], |b| b.is_ascii_whitespace() || b == b',');
        let start = at;
        at += run(&bytes[at..], |b| !b.is_ascii_whitespace());
        if start == at {
            return None;
        }
        let mut end = at;
        if bytes[end - 1] == b',' {
            // No descriptors. The URL does not begin with a comma, so something is left of it.
            end -= bytes[..end]
                .iter()
                .rev()
                .take_while(|&&b| b == b',')
                .count();
        } else {
            at += descriptors(&bytes[at..]);
        }
        Some(start..end)
    })
}

/// How many bytes at the start of `bytes` satisfy `accept`.
fn run(bytes: &[u8], accept: impl Fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|&&b| accept(b)).count()
}

/// The length of the descriptors at the start of `bytes`, with the comma that ends them. A comma
/// in parentheses does not; parentheses do not nest.
fn descriptors(bytes: &[u8]) -> usize {
    let mut in_parentheses = false;
    for (i, b) in bytes.iter().enumerate() {
        match b {
            b'(' => in_parentheses = true,
            b')' => in_parentheses = false,
            b',' if !in_parentheses => return i + 1,
            _ => {}
        }
    }
    bytes.len()
}

/// Appends `url` as it must be written in a srcset: without whitespace, and with no comma at
/// either end.
pub(crate) fn encode(url: &str, out: &mut String) {
    let is_at_an_end = |rest: &[u8]| rest.len() == url.len() || rest.len() == 1;
    let ends = |rest: &[u8]| rest[0].is_ascii_whitespace() || rest[0] == b',' && is_at_an_end(rest);
    percent::encode(url.as_bytes(), |rest| !ends(rest), out);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tests::{between, marked, replaced, rows};

    #[test]
    fn table() {
        for row in rows("srcset.tsv") {
            let (value, expected) = marked(&row[1]);
            let found: Vec<_> = references(&value).collect();
            assert_eq!(found, expected, "{}: {value:?}", row[0]);
        }
    }

    #[test]
    fn encoding_leaves_commas_inside() {
        let mut out = String::new();
        encode(",http://a/b,c d\t,", &mut out);
        assert_eq!(out, "%2Chttp://a/b,c%20d%09%2C");
    }

    proptest! {
        #[test]
        fn replacing_changes_the_urls_and_nothing_else(
            value in r"([a-z.,() \t\r\n]|2x|data:,|é){0,24}",
            url in r"[a-z]{1,6}:[a-z/,() \t\r\n]{0,12}",
        ) {
            let found: Vec<_> = references(&value).collect();
            let mut encoded = String::new();
            encode(&url, &mut encoded);
            let places: Vec<_> = found.iter().map(|r| (r.clone(), encoded.clone())).collect();
            let after = replaced(&value, &places);
            let again: Vec<_> = references(&after).collect();
            prop_assert!(again.iter().all(|r| after[r.clone()] == encoded));
            prop_assert_eq!(between(&after, &again), between(&value, &found));
        }
    }
}
