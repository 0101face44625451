//! Lines and columns of byte offsets.

/// Finds lines and columns of ascending byte offsets, passing over the text once.
///
/// Lines end with LF. Columns count characters; where the bytes are not UTF-8, they count bytes.
/// A byte order mark takes no column.
pub(super) struct Lines<'a> {
    bytes: &'a [u8],
    offset: usize,
    line: usize,
    column: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let offset = if bytes.starts_with(b"\xef\xbb\xbf") {
            3
        } else {
            0
        };
        Lines {
            bytes,
            offset,
            line: 1,
            column: 1,
        }
    }

    /// Line and column of `offset`, both from 1.
    pub(super) fn locate(&mut self, offset: usize) -> (usize, usize) {
        let offset = offset.min(self.bytes.len());
        if offset < self.offset {
            // Not ascending: start again, which is slow but right.
            *self = Lines::new(self.bytes);
        }
        let passed = self.bytes.get(self.offset..offset).unwrap_or_default();
        let rest = match memchr::memrchr(b'\n', passed) {
            Some(last) => {
                self.line += memchr::memchr_iter(b'\n', passed).count();
                self.column = 1;
                &passed[last + 1..]
            }
            None => passed,
        };
        self.column += match std::str::from_utf8(rest) {
            Ok(text) => text.chars().count(),
            Err(_) => rest.len(),
        };
        self.offset = offset.max(self.offset);
        (self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;

    #[track_caller]
    fn locates(bytes: &[u8], expected: &[(usize, (usize, usize))]) {
        let mut lines = Lines::new(bytes);
        for &(offset, place) in expected {
            assert_eq!(lines.locate(offset), place, "{offset}");
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
}
