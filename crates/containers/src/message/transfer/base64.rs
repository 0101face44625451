//! Base64 (RFC 2045 §6.8).

use std::ops::Range;

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use abslink_html::Edit;

/// No encoded line is longer.
const MAX_LINE: usize = 76;

/// Padding may be missing, and the bits that it covers may be anything: nothing hangs on them.
const ENGINE: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The octets of a body. `None` where it holds something else than base64 and white space: what
/// programs make of that differs.
pub(super) fn decode(body: &[u8]) -> Option<Vec<u8>> {
    let mut digits = body.to_vec();
    digits.retain(|byte| !byte.is_ascii_whitespace());
    ENGINE.decode(digits).ok()
}

/// How far a body has been walked.
#[derive(Clone, Debug)]
pub(super) struct DigitCursor<'b> {
    body: &'b [u8],
    at: usize,
    digits: usize,
}

impl<'b> DigitCursor<'b> {
    pub(super) fn new(body: &'b [u8]) -> DigitCursor<'b> {
        DigitCursor {
            body,
            at: 0,
            digits: 0,
        }
    }

    /// The range of the body that spells this range of octets.
    pub(super) fn range(&mut self, octets: Range<usize>) -> Range<usize> {
        // Three octets are four digits, each two digits with bits of one octet.
        let first = octets.start / 3 * 4 + octets.start % 3;
        if first < self.digits {
            *self = DigitCursor::new(self.body);
        }
        self.advance(first);
        let start = self.at;
        if octets.is_empty() {
            return start..start;
        }
        let last = octets.end - 1;
        let mut end = self.clone();
        end.advance(last / 3 * 4 + last % 3 + 1);
        start..(end.at + 1).min(self.body.len())
    }

    /// Goes to the digit of that number.
    fn advance(&mut self, digit: usize) {
        while let Some(byte) = self.body.get(self.at) {
            if !byte.is_ascii_whitespace() {
                if self.digits == digit {
                    return;
                }
                self.digits += 1;
            }
            self.at += 1;
        }
    }
}

/// The body with edits of its octets, which ascend. The lines before the one of the first edit
/// keep their bytes; what comes after is encoded again, in lines as long as the first.
pub(super) fn edit(body: &[u8], octets: &[u8], edits: &[Edit], line_end: &[u8]) -> Vec<u8> {
    let Some((first, _)) = edits.first() else {
        return body.to_vec();
    };
    let (kept, kept_octets) = whole_lines(body, first.start);
    let octets = super::splice(octets, edits);
    let digits = ENGINE.encode(&octets[kept_octets..]);
    let mut out = Vec::with_capacity(kept + digits.len() + digits.len() / 16);
    out.extend_from_slice(&body[..kept]);
    for (number, line) in digits.as_bytes().chunks(line_length(body)).enumerate() {
        if number > 0 {
            out.extend_from_slice(line_end);
        }
        out.extend_from_slice(line);
    }
    out.extend_from_slice(&body[body.trim_ascii_end().len()..]);
    out
}

/// How many bytes the whole lines have that end before this octet, and not inside a group of four digits; and how many
/// octets.
fn whole_lines(body: &[u8], octet: usize) -> (usize, usize) {
    let (mut bytes, mut octets, mut digits) = (0, 0, 0);
    for feed in memchr::memchr_iter(b'\n', body) {
        let line = &body[bytes..=feed];
        let in_line = line.iter().filter(|byte| !byte.is_ascii_whitespace());
        digits += in_line.count();
        if digits % 4 != 0 || digits / 4 * 3 > octet {
            break;
        }
        (bytes, octets) = (feed + 1, digits / 4 * 3);
    }
    (bytes, octets)
}

/// How many digits a line has: as the first one, if that is allowed.
fn line_length(body: &[u8]) -> usize {
    let first = body.split(|&byte| byte == b'\n').next().unwrap_or_default();
    match first.trim_ascii().len() {
        length @ 4..=MAX_LINE if length % 4 == 0 && first.len() < body.len() => length,
        _ => MAX_LINE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_damaged_is_not_decoded() {
        assert_eq!(decode(b"YW\r\nJj\r\n"), Some(b"abc".to_vec()));
        assert_eq!(decode(b"YWI"), Some(b"ab".to_vec()));
        assert_eq!(decode(b"YQ=="), Some(b"a".to_vec()));
        assert_eq!(decode(b""), Some(Vec::new()));
        for damaged in ["YWJ!", "YQ==YQ==", "Y"] {
            assert_eq!(decode(damaged.as_bytes()), None, "{damaged}");
        }
    }

    #[track_caller]
    fn edited(body: &str, edit_of: Range<usize>, new: &str, expected: &str) {
        let edits = [(edit_of, new.as_bytes().to_vec())];
        let octets = decode(body.as_bytes()).unwrap();
        let edited = edit(body.as_bytes(), &octets, &edits, b"\r\n");
        assert_eq!(String::from_utf8_lossy(&edited), expected);
        assert_eq!(decode(&edited), Some(super::super::splice(&octets, &edits)));
    }

    #[test]
    fn lines_before_the_edit_stay() {
        // "abc", "def", "ghi", in lines that nobody would choose.
        edited(
            "YWJj \r\nZGVm\r\nZ2hp\r\n\r\n",
            4..5,
            "",
            "YWJj \r\nZGZn\r\naGk=\r\n\r\n",
        );
        edited("YWJjZGVmZ2hp\n", 0..0, "xyz", "eHl6YWJjZGVm\r\nZ2hp\n");
    }

    #[test]
    fn a_first_line_that_is_no_example_gives_lines_of_76() {
        let octets = "a".repeat(90);
        let body = ENGINE.encode(&octets);
        let lines = format!("{}\r\n{}", &body[..76], &body[76..]);
        edited(&body, 0..1, "a", &lines);
        assert_eq!(line_length(b"YWJjZ\nGVm"), MAX_LINE);
    }

    #[test]
    fn where_octets_stand() {
        let mut cursor = DigitCursor::new(b"YWJj\r\nZGVm\r\n");
        assert_eq!(cursor.range(0..1), 0..2);
        assert_eq!(cursor.range(2..4), 2..8);
        assert_eq!(cursor.range(3..3), 6..6);
        assert_eq!(cursor.range(0..6), 0..10);
        assert_eq!(cursor.range(6..6), 12..12);
    }
}
