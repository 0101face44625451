//! Lines and columns of byte offsets.

/// Finds lines and columns of byte offsets, in one pass over the text as long as the offsets
/// ascend. The text may come in parts.
///
/// Lines end with LF. Columns count characters; a byte that is not part of one in UTF-8 counts as
/// one. A byte order mark takes no column.
#[derive(Debug, Default)]
pub struct Lines {
    /// Where the held bytes start.
    held: Position,
    last: Position,
    /// Places in the held bytes, ascending: a style sheet of XHTML is shown before the elements in
    /// it, whose offsets are smaller, and the text must not be passed over again for each of them.
    marks: Vec<Position>,
}

/// The least number of bytes between two marks.
const BETWEEN_MARKS: usize = 4096;

/// Where a byte is.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    offset: usize,
    /// Its line, from 1.
    pub line: usize,
    /// Its column, from 1.
    pub column: usize,
    /// How many characters before it in its line are two units in UTF-16.
    pub wide: usize,
    /// How many more bytes the last character may have.
    awaited: u8,
}

impl Lines {
    /// The position of `offset`. `held` are the bytes after those already passed.
    pub fn position(&mut self, held: &[u8], offset: usize) -> Position {
        if offset < self.last.offset {
            let before = self.marks.partition_point(|mark| mark.offset <= offset);
            let mark = before.checked_sub(1).and_then(|mark| self.marks.get(mark));
            self.last = *mark.unwrap_or(&self.held);
        }
        let start = self.last.offset - self.held.offset;
        let end = offset.saturating_sub(self.held.offset).min(held.len());
        self.last.advance(held.get(start..end).unwrap_or_default());
        let marked = self.marks.last().unwrap_or(&self.held).offset;
        if self.last.offset >= marked + BETWEEN_MARKS {
            self.marks.push(self.last);
        }
        self.last
    }

    /// Goes on to the bytes after `passed`, which are no longer held.
    pub fn pass(&mut self, passed: &[u8]) {
        self.position(passed, self.held.offset + passed.len());
        self.held = self.last;
        self.marks.clear();
    }
}

impl Default for Position {
    fn default() -> Self {
        Position {
            offset: 0,
            line: 1,
            column: 1,
            wide: 0,
            awaited: 0,
        }
    }
}

impl Position {
    fn advance(&mut self, bytes: &[u8]) {
        let mut characters = bytes;
        if self.offset == 0 && bytes.starts_with(b"\xef\xbb\xbf") {
            characters = &bytes[3..];
        }
        let (feeds, is_ascii) = look_at(characters);
        if feeds > 0
            && let Some(last) = memchr::memrchr(b'\n', characters)
        {
            self.line += feeds;
            self.column = 1;
            self.wide = 0;
            self.awaited = 0;
            characters = &characters[last + 1..];
        }
        // Nearly all text is like this.
        let plain = if is_ascii || characters.is_ascii() {
            characters.len()
        } else {
            0
        };
        if plain > 0 {
            self.column += plain;
            self.awaited = 0;
        }
        for &byte in &characters[plain..] {
            if self.awaited > 0 && matches!(byte, 0x80..=0xbf) {
                self.awaited -= 1;
                continue;
            }
            self.column += 1;
            self.awaited = match byte {
                0xc2..=0xdf => 1,
                0xe0..=0xef => 2,
                0xf0..=0xf4 => 3,
                _ => 0,
            };
            self.wide += usize::from(self.awaited == 3);
        }
        self.offset += bytes.len();
    }
}

/// How many line feeds there are, and whether all is ASCII: written so that the processor handles many
/// bytes at once.
fn look_at(bytes: &[u8]) -> (usize, bool) {
    let (mut feeds, mut all) = (0, 0);
    // In a block of this length, one byte is enough to count them.
    for block in bytes.chunks(255) {
        let count = |feeds: u8, &byte: &u8| feeds + u8::from(byte == b'\n');
        feeds += usize::from(block.iter().fold(0, count));
        all |= block.iter().fold(0, |all, &byte| all | byte);
    }
    (feeds, all.is_ascii())
}

#[cfg(test)]
mod tests {
    use super::super::line_column::{Lines, look_at};

    #[test]
    fn one_look_sees_every_byte() {
        for length in [0, 1, 15, 16, 17, 100, 255, 256, 4_083] {
            let mut bytes = vec![b'x'; length];
            assert_eq!(look_at(&bytes), (0, true), "{length}");
            for at in (0..length).step_by(1 + length / 50) {
                bytes[at] = 0xe9;
                assert_eq!(look_at(&bytes), (0, false), "{at} of {length}");
                bytes[at] = b'\n';
                assert_eq!(look_at(&bytes), (1, true), "{at} of {length}");
                bytes[at] = b'x';
            }
            bytes.fill(b'\n');
            assert_eq!(look_at(&bytes), (length, true));
        }
    }

    impl Lines {
        /// Line, column, and column in UTF-16.
        fn place(&mut self, held: &[u8], offset: usize) -> (usize, usize, usize) {
            let at = self.position(held, offset);
            (at.line, at.column, at.column + at.wide)
        }
    }

    #[track_caller]
    fn locates(bytes: &[u8], expected: &[(usize, (usize, usize))]) {
        let mut lines = Lines::default();
        for &(offset, place) in expected {
            let (line, column, _) = lines.place(bytes, offset);
            assert_eq!((line, column), place, "{offset}");
        }
    }

    #[test]
    fn in_parts() {
        let text = "\u{feff}äö\n\nü€x😀y\nz".as_bytes();
        let mut whole = Lines::default();
        let places: Vec<_> = (3..text.len())
            .map(|offset| whole.place(text, offset))
            .collect();
        for length in 3..text.len() {
            let mut lines = Lines::default();
            for (part, nth) in text.chunks(length).zip(0..) {
                let start = (nth * length).max(3);
                for offset in start..nth * length + part.len() {
                    assert_eq!(lines.place(part, offset), places[offset - 3], "{offset}");
                }
                lines.pass(part);
            }
        }
    }

    #[test]
    fn ascending() {
        locates(
            b"ab\ncd\r\n\ne",
            &[
                (0, (1, 1)),
                (1, (1, 2)),
                (2, (1, 3)),
                (3, (2, 1)),
                (4, (2, 2)),
                (8, (4, 1)),
            ],
        );
    }

    #[test]
    fn columns_are_characters() {
        locates(
            "äö\nü€x".as_bytes(),
            &[(2, (1, 2)), (4, (1, 3)), (10, (2, 3))],
        );
    }

    #[test]
    fn columns_in_utf16() {
        let text = "ä😀x\n😀".as_bytes();
        let mut lines = Lines::default();
        let places = [
            (2, (1, 2, 2)),
            (6, (1, 3, 4)),
            (7, (1, 4, 5)),
            (12, (2, 2, 3)),
        ];
        for (offset, place) in places {
            assert_eq!(lines.place(text, offset), place, "{offset}");
        }
    }

    #[test]
    fn columns_are_bytes_where_it_is_not_utf8() {
        locates(b"\xe4\xf6x", &[(2, (1, 3))]);
    }

    #[test]
    fn byte_order_mark() {
        locates(b"\xef\xbb\xbfab", &[(0, (1, 1)), (3, (1, 1)), (4, (1, 2))]);
    }

    #[test]
    fn any_order_and_beyond_the_end() {
        locates(b"a\nb", &[(2, (2, 1)), (0, (1, 1)), (9, (2, 2))]);
    }

    #[test]
    fn back_and_forth_over_marks() {
        let text = "äb\ncdefg €\n\n".repeat(3_000);
        let mut lines = Lines::default();
        let mut offset = 0;
        for step in 0..2_000 {
            offset = (offset + 7_919 * step) % text.len();
            let place = Lines::default().place(text.as_bytes(), offset);
            assert_eq!(lines.place(text.as_bytes(), offset), place, "{offset}");
        }
        assert!(lines.marks.is_sorted_by_key(|mark| mark.offset));
        assert!(lines.marks.len() * super::super::line_column::BETWEEN_MARKS <= text.len());
    }
}
