//! Tables of testdata/: a line for each case, its columns between tabs.

use abslink::Syntax;

/// The rows of a table, without comments, split at tabs.
pub(crate) fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('\t').collect())
}

/// How a document of a table is read: one that begins as XML does is XHTML.
pub(crate) fn syntax(document: &str) -> Syntax {
    match document.starts_with("<?xml") {
        true => Syntax::Xml,
        false => Syntax::Html,
    }
}
