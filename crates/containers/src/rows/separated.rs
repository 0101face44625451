//! Records of CSV and TSV: RFC 4180, with the delimiter that is given.

use std::ops::Range;

use memchr::{memchr, memchr3};

/// A field of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    /// What it spells, without its quotes.
    pub(super) span: Range<usize>,
    pub(super) is_quoted: bool,
}

/// How a record ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// With the line break before this byte, or with the file.
    At(usize),
    /// It goes on in what is still to be read.
    Further,
    /// A quoted field is not closed, or something stands behind its closing quote; the field begins here.
    Unclosed(usize),
}

/// Reads the record that `bytes` begin with, and gives `each` of its fields. `is_all` says that nothing comes behind
/// them.
pub(super) fn record(bytes: &[u8], delimiter: u8, is_all: bool, mut each: impl FnMut(Cell)) -> End {
    let further = |at| {
        if is_all {
            End::Unclosed(at)
        } else {
            End::Further
        }
    };
    let mut at = 0;
    loop {
        let start = at;
        let is_quoted = bytes.get(at) == Some(&b'"');
        let span = if is_quoted {
            let Some(close) = closing(bytes, at + 1, is_all) else {
                return further(start);
            };
            at = close + 1;
            start + 1..close
        } else {
            let end = memchr3(delimiter, b'\n', b'\r', &bytes[at..]);
            match end {
                Some(end) => at += end,
                None if is_all => at = bytes.len(),
                None => return End::Further,
            }
            start..at
        };
        each(Cell { span, is_quoted });
        match bytes.get(at) {
            Some(byte) if *byte == delimiter => at += 1,
            Some(b'\n') => return End::At(at + 1),
            Some(b'\r') => match bytes.get(at + 1) {
                Some(b'\n') => return End::At(at + 2),
                Some(_) => return End::At(at + 1),
                None if is_all => return End::At(at + 1),
                None => return End::Further,
            },
            Some(_) => return End::Unclosed(start),
            None if is_all => return End::At(at),
            None => return End::Further,
        }
    }
}

/// Where the quote is that closes a field whose text begins at `at`.
fn closing(bytes: &[u8], mut at: usize, is_all: bool) -> Option<usize> {
    loop {
        at += memchr(b'"', bytes.get(at..)?)?;
        match bytes.get(at + 1) {
            Some(b'"') => at += 2,
            // It may be the first of two.
            None if !is_all => return None,
            _ => return Some(at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(record: &str) -> (Vec<&str>, End) {
        let mut cells = Vec::new();
        let end = super::record(record.as_bytes(), b',', true, |cell| cells.push(cell));
        let spelled = cells.into_iter().map(|cell| &record[cell.span]);
        (spelled.collect(), end)
    }

    #[test]
    fn records_end_where_csv_ends_them() {
        for (text, expected, end) in [
            ("a,b\nc", vec!["a", "b"], End::At(4)),
            ("a,\r\n", vec!["a", ""], End::At(4)),
            ("a\rb", vec!["a"], End::At(2)),
            ("\"a\"\"\n,\",b", vec!["a\"\"\n,", "b"], End::At(9)),
            ("a\"b\",c", vec!["a\"b\"", "c"], End::At(6)),
            ("\n", vec![""], End::At(1)),
            ("a,\"b\nc", vec!["a"], End::Unclosed(2)),
            ("\"a\"b,c\n", vec!["a"], End::Unclosed(0)),
        ] {
            assert_eq!(cells(text), (expected, end), "{text:?}");
        }
    }

    #[test]
    fn what_is_not_read_yet_may_change_it() {
        for text in ["a", "a,", "\"a", "\"a\"", "a\r", "\"a\"\""] {
            let end = record(text.as_bytes(), b',', false, drop);
            assert_eq!(end, End::Further, "{text:?}");
        }
        assert_eq!(record(b"a\n", b',', false, drop), End::At(2));
    }
}
