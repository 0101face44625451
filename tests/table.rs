//! Tables of testdata/: a line for each case, its columns between tabs.

/// The rows of a table, without comments, split at tabs.
pub(crate) fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('\t').collect())
}
