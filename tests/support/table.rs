//! Tables of testdata/: a line for each case, its columns between tabs.

use abslink::Syntax;

use super::sandbox::{Ran, Sandbox};

/// The rows of a table with so many columns, which tabs part, without comments.
#[track_caller]
pub(crate) fn rows<const N: usize>(table: &str) -> impl Iterator<Item = [&str; N]> {
    lines(table).map(|line| {
        let row = Vec::from_iter(line.split('\t')).try_into();
        row.unwrap_or_else(|_| panic!("not {N} columns: {line}"))
    })
}

/// The lines of a table, without comments. There is at least one.
#[track_caller]
pub(crate) fn lines(table: &str) -> impl Iterator<Item = &str> {
    let mut lines = table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .peekable();
    assert!(lines.peek().is_some(), "a table without rows");
    lines
}

/// A row of what `rewrite` makes of a file.
pub(crate) struct Rewrite {
    pub(crate) name: String,
    pub(crate) options: Vec<String>,
    pub(crate) before: Vec<u8>,
    pub(crate) after: Vec<u8>,
    pub(crate) code: i32,
}

/// Fails with all rows in which a file of this name becomes something else: with the second reader, without it, and
/// in a second run.
#[track_caller]
pub(crate) fn hold(file: &str, rows: impl IntoIterator<Item = Rewrite>) {
    let sandbox = Sandbox::of(&[]);
    let (mut wrong, mut count) = (Vec::new(), 0);
    for row in rows {
        for (before, option) in [
            (&row.before, "--verify"),
            (&row.before, "--quiet"),
            (&row.after, "--verify"),
        ] {
            sandbox.write(file, before);
            let mut command = sandbox.abslink("rewrite");
            let ran = Ran::by(command.arg(option).args(&row.options).arg(file));
            if ran.bytes != row.after || ran.code != Some(row.code) {
                wrong.push(format!("{}: {ran:?}", row.name));
            }
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 0, "a table without rows");
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
