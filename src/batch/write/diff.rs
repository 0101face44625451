//! Unified diffs of bytes.

use std::borrow::Cow;
use std::path::Path;

use similar::udiff::UnifiedHunkHeader;
use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops};

/// Lines of context around a change.
const CONTEXT: usize = 3;

/// Appends the unified diff from `old` to `new` to `out`. `patch -p1` applies it, whatever the
/// bytes are.
pub(crate) fn unified(path: &Path, old: &[u8], new: &[u8], out: &mut Vec<u8>) {
    let old: Vec<&[u8]> = old.split_inclusive(|&byte| byte == b'\n').collect();
    let new: Vec<&[u8]> = new.split_inclusive(|&byte| byte == b'\n').collect();
    let hunks = group_diff_ops(changes(&old, &new), CONTEXT);
    if hunks.is_empty() {
        return;
    }
    header(b"--- ", b"a/", path, out);
    header(b"+++ ", b"b/", path, out);
    for hunk in &hunks {
        out.extend(format!("{}\n", UnifiedHunkHeader::new(hunk)).as_bytes());
        for change in hunk {
            match change {
                DiffOp::Equal { .. } => lines(b' ', &old[change.old_range()], out),
                _ => {
                    lines(b'-', &old[change.old_range()], out);
                    lines(b'+', &new[change.new_range()], out);
                }
            }
        }
    }
}

/// What is equal and what is not. A rewritten document has a line for each line of the original,
/// unless a URL was broken over several: so if there are equally many lines they are compared one
/// by one, which takes one pass however much was changed.
fn changes(old: &[&[u8]], new: &[&[u8]]) -> Vec<DiffOp> {
    if old.len() != new.len() {
        return capture_diff_slices(Algorithm::Histogram, old, new);
    }
    let is_same: Vec<bool> = old.iter().zip(new).map(|(old, new)| old == new).collect();
    let mut start = 0;
    let runs = is_same.chunk_by(|one, next| one == next);
    let changes = runs.map(|run| {
        let (index, len) = (start, run.len());
        start += len;
        if run[0] {
            DiffOp::Equal {
                old_index: index,
                new_index: index,
                len,
            }
        } else {
            DiffOp::Replace {
                old_index: index,
                old_len: len,
                new_index: index,
                new_len: len,
            }
        }
    });
    changes.collect()
}

fn lines(mark: u8, lines: &[&[u8]], out: &mut Vec<u8>) {
    for line in lines {
        out.push(mark);
        out.extend(*line);
        if !line.ends_with(b"\n") {
            out.extend(b"\n\\ No newline at end of file\n");
        }
    }
}

/// A line that names a file, quoted as git does if the name would break the line.
fn header(mark: &[u8], prefix: &[u8], path: &Path, out: &mut Vec<u8>) {
    let name = label(path);
    out.extend(mark);
    let is_odd = |byte: &u8| byte.is_ascii_control() || b"\"\\".contains(byte);
    if name.iter().any(is_odd) {
        out.push(b'"');
        out.extend(prefix);
        for &byte in &*name {
            match byte {
                b'"' | b'\\' => out.extend([b'\\', byte]),
                _ if byte.is_ascii_control() => out.extend(format!("\\{byte:03o}").as_bytes()),
                _ => out.push(byte),
            }
        }
        out.push(b'"');
    } else {
        out.extend(prefix);
        out.extend(&*name);
        if name.contains(&b' ') {
            // Ends the name for `patch`, which would otherwise take what follows the space for a
            // date.
            out.push(b'\t');
        }
    }
    out.push(b'\n');
}

/// The path with `/` between its names, and without a leading one.
fn label(path: &Path) -> Cow<'_, [u8]> {
    let bytes = path.as_os_str().as_encoded_bytes();
    let bytes = bytes.strip_prefix(b"./").unwrap_or(bytes);
    let start = bytes.iter().position(|&byte| byte != b'/').unwrap_or(0);
    let bytes = &bytes[start..];
    if cfg!(windows) {
        let slash = |&byte: &u8| if byte == b'\\' { b'/' } else { byte };
        bytes.iter().map(slash).collect()
    } else {
        bytes.into()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::unified;

    #[track_caller]
    fn diff(path: &str, old: &str, new: &str, expected: &str) {
        let mut out = Vec::new();
        unified(Path::new(path), old.as_bytes(), new.as_bytes(), &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn no_change() {
        diff("x", "a\n", "a\n", "");
        diff("x", "", "", "");
    }

    #[test]
    fn context_and_hunks() {
        diff(
            "./d/x.html",
            "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n",
            "1\n2\n3\n4\nE\n6\n7\n8\n9\n10\n11\nL\n",
            "--- a/d/x.html\n+++ b/d/x.html\n\
             @@ -2,11 +2,11 @@\n 2\n 3\n 4\n-5\n+E\n 6\n 7\n 8\n 9\n 10\n 11\n-12\n+L\n",
        );
    }

    #[test]
    fn hunks_far_apart() {
        let old: String = (0..20).map(|line| format!("{line}\n")).collect();
        let new = old.replace("0\n1\n", "A\n1\n").replace("19\n", "Z\n");
        diff(
            "/x",
            &old,
            &new,
            "--- a/x\n+++ b/x\n@@ -1,4 +1,4 @@\n-0\n+A\n 1\n 2\n 3\n\
             @@ -17,4 +17,4 @@\n 16\n 17\n 18\n-19\n+Z\n",
        );
    }

    #[test]
    fn no_final_newline() {
        diff(
            "x",
            "a",
            "b",
            "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n\
             +b\n\\ No newline at end of file\n",
        );
    }

    #[test]
    fn a_url_broken_over_two_lines() {
        diff(
            "x",
            "a\n<a href='x\ny'>\nb\n",
            "a\n<a href='h/xy'>\nb\n",
            "--- a/x\n+++ b/x\n@@ -1,4 +1,3 @@\n a\n-<a href='x\n-y'>\n+<a href='h/xy'>\n b\n",
        );
    }

    #[test]
    fn names_that_need_care() {
        diff(
            "a b",
            "a\n",
            "b\n",
            "--- a/a b\t\n+++ b/a b\t\n@@ -1 +1 @@\n-a\n+b\n",
        );
        diff(
            "a\n\"",
            "a\n",
            "b\n",
            "--- \"a/a\\012\\\"\"\n+++ \"b/a\\012\\\"\"\n@@ -1 +1 @@\n-a\n+b\n",
        );
    }

    #[test]
    fn bytes_that_are_not_utf8() {
        let mut out = Vec::new();
        unified(Path::new("x"), b"\xff\n", b"\xfe\n", &mut out);
        assert_eq!(out, b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-\xff\n+\xfe\n");
    }
}
