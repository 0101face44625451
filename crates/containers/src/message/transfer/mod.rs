//! Transfer encodings (RFC 2045 §6): how the octets of a part are spelled in its body, and how an
//! edit of the octets becomes an edit of the body that leaves the rest of it as it is spelled.

mod base64;
mod quoted_printable;

use std::borrow::Cow;
use std::ops::Range;

pub(super) use self::quoted_printable::unescape;
use crate::examined::Reason;
use crate::heading::Heading;
use abslink_html::{self as html, Edit};

/// `Content-Transfer-Encoding`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transfer {
    /// `7bit`, which is what counts where the heading names none.
    SevenBit,
    /// `8bit` and `binary`.
    Identity,
    QuotedPrintable,
    Base64,
}

impl Transfer {
    /// The transfer encoding that a heading names.
    pub(super) fn of(heading: Heading<'_>) -> Result<Transfer, Reason> {
        let Some(field) = heading.get("Content-Transfer-Encoding") else {
            return Ok(Transfer::SevenBit);
        };
        let value = String::from_utf8_lossy(field.value).trim().to_owned();
        match &*value.to_ascii_lowercase() {
            "" | "7bit" => Ok(Transfer::SevenBit),
            "8bit" | "binary" => Ok(Transfer::Identity),
            "quoted-printable" => Ok(Transfer::QuotedPrintable),
            "base64" => Ok(Transfer::Base64),
            _ => Err(Reason::UnknownTransfer(value)),
        }
    }

    /// The octets that a body spells.
    pub(super) fn decode(self, body: &[u8]) -> Result<Cow<'_, [u8]>, Reason> {
        match self {
            Transfer::SevenBit | Transfer::Identity => Ok(Cow::Borrowed(body)),
            Transfer::QuotedPrintable => Ok(Cow::Owned(quoted_printable::decode(body))),
            Transfer::Base64 => base64::decode(body)
                .map(Cow::Owned)
                .ok_or(Reason::DamagedBase64),
        }
    }

    /// Tells where in a body stands what spells a range of its octets. Quick where ranges ascend.
    pub(super) fn positions(
        self,
        body: &[u8],
    ) -> Box<dyn FnMut(Range<usize>) -> Range<usize> + '_> {
        match self {
            Transfer::SevenBit | Transfer::Identity => Box::new(|octets| octets),
            Transfer::QuotedPrintable => {
                let mut tokens = quoted_printable::Tokens::new(body);
                Box::new(move |octets| tokens.range(octets))
            }
            Transfer::Base64 => {
                let mut cursor = base64::DigitCursor::new(body);
                Box::new(move |octets| cursor.range(octets))
            }
        }
    }

    /// The body with edits of its octets, which ascend. `octets` is what [`Transfer::decode`] gave,
    /// `line_end` how lines of the message end.
    pub(super) fn edit(
        self,
        body: &[u8],
        octets: &[u8],
        edits: &[Edit],
        line_end: &[u8],
    ) -> Result<Vec<u8>, Reason> {
        match self {
            Transfer::SevenBit
                if body.is_ascii() && !edits.iter().all(|(_, new)| new.is_ascii()) =>
            {
                Err(Reason::NotSevenBit)
            }
            Transfer::SevenBit | Transfer::Identity => Ok(splice(body, edits)),
            Transfer::QuotedPrintable => Ok(quoted_printable::edit(body, edits, line_end)),
            Transfer::Base64 => Ok(base64::edit(body, octets, edits, line_end)),
        }
    }
}

/// Bytes with edits, which ascend.
pub(super) fn splice(bytes: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut out = Vec::new();
    let edits = edits.iter().map(|(old, new)| (old.clone(), new));
    html::splice(bytes, edits, &mut out, |new, out| {
        out.extend_from_slice(new);
    });
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(heading: &[u8]) -> Result<Transfer, Reason> {
        Transfer::of(Heading::new(heading, 0..heading.len()))
    }

    #[test]
    fn names() {
        let named = |name: &str| of(format!("Content-Transfer-Encoding: {name}\r\n").as_bytes());
        assert_eq!(of(b""), Ok(Transfer::SevenBit));
        assert_eq!(named("Quoted-Printable "), Ok(Transfer::QuotedPrintable));
        assert_eq!(named("BASE64"), Ok(Transfer::Base64));
        assert_eq!(named("binary"), Ok(Transfer::Identity));
        assert_eq!(
            named("x-uuencode"),
            Err(Reason::UnknownTransfer("x-uuencode".into()))
        );
    }

    #[test]
    fn seven_bits_stay_seven() {
        let edit = |transfer: Transfer, body: &[u8]| {
            transfer.edit(body, body, &[(1..2, "é".into())], b"\n")
        };
        assert_eq!(edit(Transfer::SevenBit, b"abc"), Err(Reason::NotSevenBit));
        let spliced = Ok("aéc".as_bytes().to_vec());
        assert_eq!(edit(Transfer::Identity, b"abc"), spliced);
        // It does not fit its coding anyway.
        assert!(edit(Transfer::SevenBit, "abé".as_bytes()).is_ok());
    }
}
