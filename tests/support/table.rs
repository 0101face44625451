//! Tables of testdata/: a line for each case, its columns between tabs.

use abslink::Syntax;

/// The rows of a table, without comments, split at tabs.
pub(crate) fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('\t').collect())
}

/// What a row expects of a command: a text, or `=` where what was there stays, and the exit code behind
/// ` exit ` unless it is 0.
pub(crate) fn outcome<'t>(expected: &'t str, before: &'t str) -> (&'t str, i32) {
    let (text, code) = match expected.rsplit_once(" exit ") {
        Some((text, code)) => (text, code.parse().unwrap()),
        None => (expected, 0),
    };
    (if text == "=" { before } else { text }, code)
}

/// How a document of a table is read: one that begins as XML does is XHTML.
pub(crate) fn syntax(document: &str) -> Syntax {
    match document.starts_with("<?xml") {
        true => Syntax::Xml,
        false => Syntax::Html,
    }
}
