//! The header fields of a message or of one of its parts (RFC 5322 §2.2, RFC 2045 §3).

use std::ops::Range;

/// Header fields, by their place in the message. What is no field between them is passed over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heading<'m> {
    message: &'m [u8],
    start: usize,
    end: usize,
}

/// One header field.
#[derive(Clone, Debug)]
pub(crate) struct HeaderField<'m> {
    name: &'m [u8],
    /// What follows the colon, with its folding, without the last line end.
    pub(crate) value: &'m [u8],
    /// All of it in the message, with the last line end.
    pub(crate) range: Range<usize>,
    /// The value in the message.
    pub(crate) value_range: Range<usize>,
}

impl<'m> Heading<'m> {
    pub(crate) fn new(message: &'m [u8], range: Range<usize>) -> Heading<'m> {
        Heading {
            message,
            start: range.start,
            end: range.end,
        }
    }

    /// The first field of that name, in any letter case.
    pub(crate) fn get(self, name: &str) -> Option<HeaderField<'m>> {
        self.fields().find(|field| field.is(name))
    }

    /// The fields in order.
    pub(crate) fn fields(self) -> impl Iterator<Item = HeaderField<'m>> {
        self.lines().flatten()
    }

    /// The fields before the first line that is not one.
    pub(crate) fn leading(self) -> impl Iterator<Item = HeaderField<'m>> {
        self.lines().map_while(|field| field)
    }

    /// The lines, folded ones joined, and what is `None` of them is not a field.
    fn lines(self) -> impl Iterator<Item = Option<HeaderField<'m>>> {
        let mut at = self.start;
        std::iter::from_fn(move || {
            let start = at;
            if start == self.end {
                return None;
            }
            at = line_end(self.message, at, self.end);
            // RFC 5322 §2.2.3: a line that begins with a space or TAB continues the field.
            while at < self.end && matches!(self.message[at], b' ' | b'\t') {
                at = line_end(self.message, at, self.end);
            }
            Some(field(self.message, start..at))
        })
    }
}

impl HeaderField<'_> {
    /// Whether it has this name, in any letter case.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.as_bytes())
    }
}

fn field(message: &[u8], range: Range<usize>) -> Option<HeaderField<'_>> {
    let text = &message[range.clone()];
    let colon = memchr::memchr(b':', text)?;
    let name = text[..colon].trim_ascii_end();
    if name.is_empty() || name.iter().any(|byte| !byte.is_ascii_graphic()) {
        return None;
    }
    let end = text.trim_ascii_end().len().max(colon + 1);
    Some(HeaderField {
        name,
        value: &text[colon + 1..end],
        value_range: range.start + colon + 1..range.start + end,
        range,
    })
}

/// Where the line that holds `at` ends, its line feed included.
pub(crate) fn line_end(message: &[u8], at: usize, end: usize) -> usize {
    memchr::memchr(b'\n', &message[at..end]).map_or(end, |feed| at + feed + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MESSAGE: &[u8] =
        b"From nobody\r\nA : one\r\nB:two\r\n\tthree \r\n four\nC:\nno field\nb: 5";

    fn heading() -> Heading<'static> {
        Heading::new(MESSAGE, 0..MESSAGE.len())
    }

    #[test]
    fn a_folded_field_is_one() {
        let values: Vec<_> = heading().fields().map(|field| field.value).collect();
        assert_eq!(
            values,
            [&b" one"[..], b"two\r\n\tthree \r\n four", b"", b" 5"]
        );
    }

    #[test]
    fn the_first_of_a_name_counts_in_any_case() {
        let field = heading().get("b").unwrap();
        assert!(field.value.starts_with(b"two"));
        assert_eq!(&MESSAGE[field.range], b"B:two\r\n\tthree \r\n four\n");
        assert_eq!(&MESSAGE[field.value_range], field.value);
        assert!(heading().get("From nobody").is_none());
    }

    #[test]
    fn a_continuation_without_a_field_is_passed_over() {
        let message = b" x: y\nA: b\n";
        let fields: Vec<_> = Heading::new(message, 0..message.len()).fields().collect();
        assert_eq!(fields.len(), 1);
    }
}
