//! What tests share: documents from seeds, tables, the command, and what this machine lacks.

pub(crate) mod chromium;
pub(crate) mod css_urls;
pub(crate) mod follow;
pub(crate) mod generate;
pub(crate) mod growth;
pub(crate) mod kills;
mod lack;
pub(crate) mod links;
pub(crate) mod pairs;
#[cfg(target_os = "linux")]
pub(crate) mod peak;
pub(crate) mod sandbox;
pub(crate) mod server;
#[cfg(unix)]
pub(crate) mod signal;
pub(crate) mod skip;
pub(crate) mod table;
pub(crate) mod transcription;

/// How often a loop runs: as often as it says with `ABSLINK_FULL=1`, which .ci/run sets, and a tenth of that in a quick
/// run, but not less than 300 times if it says more.
pub(crate) fn rounds(full: usize) -> usize {
    if std::env::var_os("ABSLINK_FULL").is_some_and(|value| value == "1") {
        full
    } else {
        (full / 10).max(full.min(300))
    }
}

/// Fails unless two texts are the same, and shows where the first difference is in what.
#[track_caller]
pub(crate) fn same(what: &str, found: impl AsRef<str>, expected: impl AsRef<str>) {
    let (found, expected) = (found.as_ref(), expected.as_ref());
    let mut both = found.char_indices().zip(expected.chars());
    let difference = both.find(|((_, one), other)| one != other);
    let at = difference.map_or(found.len().min(expected.len()), |((at, _), _)| at);
    let near = |text: &str| -> String {
        let start = text[..at].char_indices().rev().take(30).last();
        let start = start.map_or(0, |(start, _)| start);
        text[start..].chars().take(100).collect()
    };
    assert!(
        found == expected,
        "{what}: differs from byte {at} on\n  found    {:?}\n  expected {:?}\n  all of it {found}",
        near(found),
        near(expected)
    );
}
