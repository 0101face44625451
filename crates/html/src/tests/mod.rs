//! Test tables: the files under `testdata/`.
//!
//! A table is tab-separated; a line that begins with `# ` is a comment. Control characters are
//! written as their control pictures (`␉` TAB, `␊` LF, `␌` FF, `␍` CR, `␀` NUL, ...), so that
//! backslashes and entities mean only what the tested grammar says.

use std::ops::Range;

/// The rows of `testdata/<name>`, control pictures turned back into characters.
pub(crate) fn rows(name: &str) -> Vec<Vec<String>> {
    let path = format!("{}/testdata/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let is_row = |line: &&str| !line.is_empty() && !line.starts_with("# ");
    text.lines()
        .filter(is_row)
        .map(|line| line.split('\t').map(controls).collect())
        .collect()
}

/// Turns control pictures into the characters they depict.
fn controls(cell: &str) -> String {
    let control = |c: char| match c {
        '\u{2400}'..='\u{241f}' => char::from((c as u32 - 0x2400) as u8),
        '\u{2421}' => '\u{7f}',
        _ => c,
    };
    cell.chars().map(control).collect()
}

/// Takes the marks out of `a ⟦b⟧ c` and returns where they were: `a b c` and the range of `b`.
pub(crate) fn marked(cell: &str) -> (String, Vec<Range<usize>>) {
    let (mut text, mut ranges, mut start) = (String::new(), Vec::new(), 0);
    for c in cell.chars() {
        match c {
            '⟦' => start = text.len(),
            '⟧' => ranges.push(start..text.len()),
            _ => text.push(c),
        }
    }
    (text, ranges)
}

/// Replaces each range of `text`; the ranges must ascend without overlap.
pub(crate) fn replaced(text: &str, places: &[(Range<usize>, String)]) -> String {
    let (mut out, mut done) = (String::new(), 0);
    for (range, new) in places {
        out += &text[done..range.start];
        out += new;
        done = range.end;
    }
    out + &text[done..]
}

/// What is left of `text` without the ranges, cut where they were.
///
/// Slicing fails where a range is out of bounds, not on a character boundary, out of order or
/// overlapping.
pub(crate) fn between<'t>(text: &'t str, ranges: &[Range<usize>]) -> Vec<&'t str> {
    let mut done = 0;
    let mut pieces: Vec<&str> = Vec::new();
    for range in ranges {
        assert!(range.start <= range.end);
        pieces.push(&text[done..range.start]);
        done = range.end;
    }
    pieces.push(&text[done..]);
    pieces
}
