//! What is moved by which prefix.

use super::*;
use crate::tests::rows;

#[test]
fn urls_are_moved_or_prefixes_refused() {
    for row in rows("move-url.tsv") {
        let [prefixes, url, expected] = &row[..] else {
            panic!("three columns: {row:?}");
        };
        let mut all = prefixes.split(' ').map(str::parse::<MappedPrefix>);
        let moved = all
            .try_fold(MappedPrefixes::default(), |all, prefix| all.with(prefix?))
            .map(|all| all.moved(url).unwrap_or_else(|| "=".to_owned()))
            .unwrap_or_else(|error| error.to_string());
        match expected.strip_suffix('…') {
            Some(begin) => assert!(moved.starts_with(begin), "{prefixes}: {moved}"),
            None => assert_eq!(&moved, expected, "{prefixes} {url}"),
        }
    }
}

#[test]
fn order_does_not_count() {
    let all = |prefixes: &[&str]| {
        let mut prefixes = prefixes.iter().map(|prefix| prefix.parse().unwrap());
        prefixes.try_fold(MappedPrefixes::default(), MappedPrefixes::with)
    };
    let (short, long) = ("http://h=http://x", "http://h/a=http://y");
    assert_eq!(all(&[short, long]), all(&[long, short]));
    assert_eq!(all(&[short]).unwrap().0[0].to_string(), short);
    assert!(!all(&[short]).unwrap().is_empty());
}
