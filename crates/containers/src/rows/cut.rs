//! Cuts a file into rows, a chunk of them at a time.

use std::io::{self, Read};

use memchr::{memchr, memchr2};

use super::Format;
use super::separated::{End, record};

/// About how long a chunk is.
const CHUNK: usize = 1 << 20;

/// How many rows a chunk may have: something is kept for each, and there are rows of two bytes.
const MOST: usize = 1 << 16;

/// How long a row may be.
pub const LONGEST: usize = 256 << 20;

/// Rows that follow each other, or a part of one that is too long.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Chunk {
    /// The number of its first row, from 1. The header of CSV has the number 0.
    pub first: u64,
    pub bytes: Vec<u8>,
    /// Where each row ends, behind its line break, and whether it is one. What comes behind the last one
    /// is no row.
    pub rows: Vec<(usize, Row)>,
}

impl Chunk {
    /// How much memory it takes to work on it, in bytes: its own, and what its longest row says.
    pub fn weight(&self) -> usize {
        let mut start = 0;
        let lengths = self.rows.iter();
        let lengths = lengths.map(|(end, _)| end - std::mem::replace(&mut start, *end));
        self.bytes.len() + lengths.max().unwrap_or_default()
    }
}

/// What a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// A row, as far as can be told without reading it.
    Whole,
    /// A quoted field, which begins at this byte of the row, is not closed. It counts up to the end of
    /// its line.
    Unclosed(usize),
    /// It is longer than [`LONGEST`], and is left. What was read of it is there, the rest follows.
    TooLong,
}

/// Reads a file and cuts it into rows.
pub struct Cutter<R> {
    from: R,
    format: Format,
    /// What was read and not yet passed on.
    rest: Vec<u8>,
    /// The number of the next row.
    next: u64,
    is_all: bool,
    /// Whether the rest of a row follows that is too long.
    is_inside: bool,
    longest: usize,
    /// How many fields the header has.
    width: usize,
}

impl<R: Read> Cutter<R> {
    pub fn new(from: R, format: Format) -> Cutter<R> {
        Cutter {
            from,
            format,
            rest: Vec::new(),
            next: match format {
                Format::Separated(_) => 0,
                Format::Json | Format::JsonLines => 1,
            },
            is_all: false,
            is_inside: false,
            longest: LONGEST,
            width: 0,
        }
    }

    /// The next rows; `None` at the end of the file. Those of CSV begin with the header, alone.
    pub fn chunk(&mut self) -> io::Result<Option<Chunk>> {
        let mut wanted = CHUNK;
        loop {
            self.fill(wanted)?;
            if self.rest.is_empty() {
                // Nothing is no JSON.
                let is_row = self.format == Format::Json && self.next == 1;
                return Ok(is_row.then(|| self.split(0, vec![(0, Row::Whole)])));
            }
            if self.is_inside {
                return Ok(Some(self.inside()));
            }
            let mut rows = self.rows();
            // What was read for the sake of a long row, and comes behind it, is a chunk of its own.
            rows.truncate(if wanted > CHUNK { 1 } else { MOST });
            if let Some(&(end, _)) = rows.last() {
                return Ok(Some(self.split(end, rows)));
            }
            if self.rest.len() > self.longest {
                // A quote that nothing closes takes its line, not the rest of the file.
                let line = line(&self.rest);
                if let (Format::Separated(_), Some(line)) = (self.format, line) {
                    return Ok(Some(self.split(line, vec![(line, Row::Unclosed(0))])));
                }
                self.is_inside = true;
                let all = self.rest.len();
                return Ok(Some(self.split(all, vec![(all, Row::TooLong)])));
            }
            // What comes behind a long row takes memory while the row is worked on; and a row that is too long is not
            // read to its end.
            let length = self.rest.len();
            wanted = (length + (length / 4).max(CHUNK)).min(self.longest + 1);
        }
    }

    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        let missing = wanted.saturating_sub(self.rest.len());
        if !self.is_all && missing > 0 {
            self.rest.reserve(missing);
            let read = (&mut self.from)
                .take(missing as u64)
                .read_to_end(&mut self.rest)?;
            self.is_all = read < missing;
        }
        Ok(())
    }

    /// The rows in what was read, by their ends.
    fn rows(&mut self) -> Vec<(usize, Row)> {
        let bytes = &self.rest[..];
        match self.format {
            Format::Json if self.is_all => vec![(bytes.len(), Row::Whole)],
            Format::Json => Vec::new(),
            Format::JsonLines => {
                let ends = memchr::memchr_iter(b'\n', bytes).map(|end| end + 1);
                let ends = ends.take(MOST);
                let mut rows: Vec<_> = ends.map(|end| (end, Row::Whole)).collect();
                let end = rows.last().map_or(0, |(end, _)| *end);
                if self.is_all && end < bytes.len() && rows.len() < MOST {
                    rows.push((bytes.len(), Row::Whole));
                }
                rows
            }
            Format::Separated(delimiter) => self.records(delimiter),
        }
    }

    /// The records in what was read. The header is one by itself.
    fn records(&mut self, delimiter: u8) -> Vec<(usize, Row)> {
        let (mut rows, mut at) = (Vec::new(), 0);
        let is_header = self.next == 0;
        while let Some(rest) = self.rest.get(at..).filter(|rest| !rest.is_empty())
            && rows.len() < MOST
        {
            let mark = if is_header { mark(rest) } else { 0 };
            let mut width = 0;
            let ended = record(&rest[mark..], delimiter, self.is_all, |_| width += 1);
            let (end, row) = match ended {
                End::At(end) => (mark + end, Row::Whole),
                End::Unclosed(cell) => (0, Row::Unclosed(mark + cell)),
                End::Further => break,
            };
            let line = line(rest).unwrap_or(rest.len());
            // Nothing tells where a record should have ended whose quotes do not fit, so that the next one
            // begins with the next line. A closing quote may be missing where fields are.
            let is_misled = line < end && !is_header && width != self.width;
            at += match row {
                Row::Whole if !is_misled => end,
                _ if line == rest.len() && !self.is_all => break,
                _ => line,
            };
            rows.push((at, if is_misled { Row::Unclosed(0) } else { row }));
            if is_header {
                self.width = width;
                break;
            }
        }
        rows
    }

    fn split(&mut self, end: usize, rows: Vec<(usize, Row)>) -> Chunk {
        let rest = self.rest.split_off(end);
        let first = self.next;
        self.next += rows.len() as u64;
        let mut bytes = std::mem::replace(&mut self.rest, rest);
        if bytes.capacity() > 2 * CHUNK {
            bytes.shrink_to_fit();
        }
        Chunk { first, bytes, rows }
    }

    /// More of a row that is too long.
    fn inside(&mut self) -> Chunk {
        let end = match self.format {
            Format::Json => None,
            Format::JsonLines => memchr(b'\n', &self.rest).map(|line| line + 1),
            Format::Separated(_) => line(&self.rest),
        };
        self.is_inside = end.is_none();
        self.split(end.unwrap_or(self.rest.len()), Vec::new())
    }
}

/// How long the first line is, with its line break, which is that of any system.
fn line(bytes: &[u8]) -> Option<usize> {
    let end = memchr2(b'\n', b'\r', bytes)?;
    let is_pair = bytes[end..].starts_with(b"\r\n");
    Some(end + 1 + usize::from(is_pair))
}

/// The length of the byte order mark.
pub(super) fn mark(bytes: &[u8]) -> usize {
    if bytes.starts_with(b"\xef\xbb\xbf") {
        3
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a byte at a time.
    struct Slow<'b>(&'b [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let length = into.len().min(1);
            self.0.read(&mut into[..length])
        }
    }

    fn rows(text: &str, format: Format, longest: usize) -> Vec<(u64, String, Row)> {
        let mut cutter = Cutter::new(Slow(text.as_bytes()), format);
        cutter.longest = longest;
        let (mut rows, mut all) = (Vec::new(), Vec::new());
        while let Some(chunk) = cutter.chunk().unwrap() {
            let mut start = 0;
            for (number, &(end, row)) in (chunk.first..).zip(&chunk.rows) {
                let text = String::from_utf8(chunk.bytes[start..end].to_vec()).unwrap();
                rows.push((number, text, row));
                start = end;
            }
            all.extend(chunk.bytes);
        }
        assert_eq!(all, text.as_bytes());
        rows
    }

    #[test]
    fn nothing_is_lost_between_rows() {
        let whole = |number, text: &str| (number, text.to_owned(), Row::Whole);
        let csv = Format::Separated(b',');
        assert_eq!(
            rows("{}\n\n[1]", Format::JsonLines, LONGEST),
            [whole(1, "{}\n"), whole(2, "\n"), whole(3, "[1]")]
        );
        assert_eq!(rows("{}\n[]", Format::Json, LONGEST), [whole(1, "{}\n[]")]);
        assert_eq!(
            rows("\u{feff}\"a\",b\r\n\"x\n\",y\r\nz,", csv, LONGEST),
            [
                whole(0, "\u{feff}\"a\",b\r\n"),
                whole(1, "\"x\n\",y\r\n"),
                whole(2, "z,")
            ]
        );
        assert_eq!(rows("", csv, LONGEST), []);
    }

    #[test]
    fn a_record_without_end_takes_its_line() {
        let csv = Format::Separated(b',');
        let found = rows("a,b\n1,\"x\n2,\"y\"\n3,z", csv, LONGEST);
        assert_eq!(found[1], (1, "1,\"x\n".to_owned(), Row::Unclosed(2)));
        let misled = rows("a,b\n1,\"x\n2,\",y,z\n3,z\n", csv, LONGEST);
        assert_eq!(misled[1].2, Row::Unclosed(0));
        assert_eq!((misled[2].0, misled[3].1.as_str()), (2, "3,z\n"));
        assert_eq!(
            found[2..],
            [
                (2, "2,\"y\"\n".to_owned(), Row::Whole),
                (3, "3,z".to_owned(), Row::Whole)
            ]
        );
    }

    #[test]
    fn a_long_row_is_passed_on() {
        let long = "x".repeat(3 << 20);
        let text = format!("1\n{long}\n2\n");
        let found = rows(&text, Format::JsonLines, 1 << 20);
        let told: Vec<_> = found
            .iter()
            .map(|(number, _, row)| (*number, *row))
            .collect();
        assert_eq!(told, [(1, Row::Whole), (2, Row::TooLong), (3, Row::Whole)]);
    }
}
