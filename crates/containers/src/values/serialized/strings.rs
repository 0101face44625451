//! Strings in what PHP serializes.

use std::ops::Range;

use super::Reader;
use crate::values::decode::{DecodedField, push_run};
use crate::values::spelling::Spelling;
use crate::values::{Event, Expected, SpelledString};

impl<'v, E: FnMut(Event<'v>)> Reader<'v, E> {
    /// So many bytes between quotes.
    pub(super) fn quoted(&mut self, length: usize) -> Result<Range<usize>, Expected> {
        self.take(b'"')?;
        let inside = self.at..self.at.saturating_add(length);
        match self.text.as_bytes().get(inside.end) {
            Some(b'"') => {
                self.at = inside.end + 1;
                Ok(inside)
            }
            _ => Err(self.broken_length(inside)),
        }
    }

    /// Where a string should have ended.
    pub(super) fn broken_length(&self, inside: Range<usize>) -> Expected {
        let length = inside.len();
        let at = (inside.start..=inside.end.min(self.text.len())).rev();
        let mut at = at.filter(|at| self.text.is_char_boundary(*at));
        let at = at.next().unwrap_or(inside.start);
        let mut what =
            format!("not a serialized value: expected `\"` after a string of {length} bytes");
        if memchr::memchr(b'\\', &self.text.as_bytes()[inside.start..]).is_some() {
            what += "; an export with escapes such as \\n (mysql -B, COPY text) makes strings longer: export CSV or JSON";
        }
        Expected { at, what }
    }

    /// A string, `s` or `S`, up to its closing quote.
    pub(super) fn string(&mut self, is_escaped: bool) -> Result<SpelledString, Expected> {
        let (length, digits) = self.number(b':')?;
        let (span, spelling, decoded) = if is_escaped {
            let (span, decoded) = self.escaped(length)?;
            (span, Spelling::Escaped, decoded)
        } else {
            (
                self.quoted(length)?,
                Spelling::Serialized,
                DecodedField::default(),
            )
        };
        Ok(SpelledString {
            span,
            spelling,
            decoded,
            length: Some(digits),
        })
    }

    /// So many bytes between quotes, of which each may be a backslash with two hexadecimal digits.
    fn escaped(&mut self, length: usize) -> Result<(Range<usize>, DecodedField), Expected> {
        self.take(b'"')?;
        let bytes = self.text.as_bytes();
        let (start, mut plain, mut at) = (self.at, 0, self.at);
        let mut decoded = DecodedField::default();
        for _ in 0..length {
            let byte = match bytes.get(at) {
                Some(b'\\') => {
                    push_run(&mut decoded.runs, std::mem::take(&mut plain), true);
                    let digits = self.text.get(at + 1..at + 3).unwrap_or_default();
                    let are_digits = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
                    let byte = u8::from_str_radix(digits, 16).ok().filter(|_| are_digits);
                    at += 2;
                    byte
                }
                other => {
                    plain += 1;
                    other.copied()
                }
            };
            let Some(byte) = byte else {
                self.at = at.min(bytes.len());
                return Err(self.expected(format!("a string of {length} bytes")));
            };
            at += 1;
            decoded.text.push(byte);
        }
        if bytes.get(at) != Some(&b'"') {
            return Err(self.broken_length(start..at));
        }
        self.at = at + 1;
        Ok((start..at, decoded))
    }
}
