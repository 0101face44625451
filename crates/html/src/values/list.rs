//! Lists of URLs: separated by ASCII whitespace (`ping`, an object's `archive`, `profile`), by commas
//! (an applet's `archive`, HTML 4.01 §13.4), or by semicolons (`values` of an SVG animation).

use std::ops::Range;

use crate::places::attributes::ValueKind;
use abslink_url::percent;

/// The byte range of each item of `value`, which is decoded, in ascending order. Empty items are
/// left out, and whitespace around an item is not part of it. `kind` is one of a list.
pub(crate) fn references(value: &str, kind: ValueKind) -> impl Iterator<Item = Range<usize>> {
    let separates = move |c: char| match kind {
        ValueKind::CommaList => c == ',',
        ValueKind::SemicolonList => c == ';',
        _ => c.is_ascii_whitespace(),
    };
    let mut next = 0;
    value.split(separates).filter_map(move |item| {
        let start = next + (item.len() - item.trim_ascii_start().len());
        next += item.len() + 1;
        let item = item.trim_ascii();
        (!item.is_empty()).then_some(start..start + item.len())
    })
}

/// Appends `url` as it must be written in a list or a task: without whitespace, and without commas or
/// semicolons if these are separators.
pub(crate) fn encode(url: &str, kind: ValueKind, out: &mut String) {
    let ends = |b: u8| match kind {
        ValueKind::CommaList if b == b',' => true,
        ValueKind::SemicolonList | ValueKind::TileTask if b == b';' => true,
        _ => b.is_ascii_whitespace(),
    };
    percent::encode(url.as_bytes(), |rest| !ends(rest[0]), out);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tests::{between, marked, replaced, rows};

    #[test]
    fn table() {
        for row in rows("list.tsv") {
            let separator = match row[0].as_str() {
                "space" => ValueKind::SpaceList,
                "comma" => ValueKind::CommaList,
                other => panic!("unknown separator {other}"),
            };
            let (value, expected) = marked(&row[1]);
            let found: Vec<_> = references(&value, separator).collect();
            assert_eq!(found, expected, "{separator:?}: {value:?}");
        }
    }

    proptest! {
        #[test]
        fn replacing_changes_the_urls_and_nothing_else(
            value in r"[a-cé., \t\r\n]{0,24}",
            url in r"[a-z]{1,6}:[a-z/, \t\x0c\r\né]{0,12}",
            comma: bool,
        ) {
            let separator = if comma { ValueKind::CommaList } else { ValueKind::SpaceList };
            let found: Vec<_> = references(&value, separator).collect();
            let mut encoded = String::new();
            encode(&url, separator, &mut encoded);
            let places: Vec<_> = found.iter().map(|r| (r.clone(), encoded.clone())).collect();
            let after = replaced(&value, &places);
            let again: Vec<_> = references(&after, separator).collect();
            prop_assert!(again.iter().all(|r| after[r.clone()] == encoded));
            prop_assert_eq!(between(&after, &again), between(&value, &found));
        }
    }
}
