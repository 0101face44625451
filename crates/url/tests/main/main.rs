//! The tables, and what other transcriptions of the standards say: one binary, which links once.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod file_states;
mod inverse;
mod tables;

/// The rows of a table, without comments, split at tabs.
fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| line.split('\t').collect())
}
