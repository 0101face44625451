//! Stands for the crate `encoding_rs` in the module for JavaScript: what abslink calls of it, by the Encoding Standard.
//! Its tables are half as large as those of that crate are compressed, and are unpacked when they are first needed;
//! it is slower, and only documents that are not in UTF-8 come here. `../tables` makes the tables with that crate, and
//! compares every character of every encoding.

mod cells;
mod decoder;
mod encoder;
mod encodings;
mod tables;

use std::borrow::Cow;
use std::fmt::{self, Write};

pub use decoder::Decoder;
pub use encoder::Encoder;
pub use encodings::*;

/// A character encoding.
pub struct Encoding {
    name: &'static str,
    kind: Kind,
    labels: &'static str,
}

/// How an encoding works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Utf8,
    Utf16 {
        is_big: bool,
    },
    /// The number of its table.
    Single(usize),
    UserDefined,
    Replacement,
    Big5,
    EucKr,
    EucJp,
    ShiftJis,
    Iso2022Jp,
    Gb18030 {
        is_gbk: bool,
    },
}

/// Why a [`Decoder`] has stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoderResult {
    /// Everything was read.
    InputEmpty,
    /// There is no more room.
    OutputFull,
}

/// Why an [`Encoder`] has stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncoderResult {
    /// Everything was read.
    InputEmpty,
    /// There is no more room.
    OutputFull,
    /// There are no bytes for this character.
    Unmappable(char),
}

impl Encoding {
    /// The encoding with this label.
    #[must_use]
    pub fn for_label(label: &[u8]) -> Option<&'static Encoding> {
        let is_blank = |byte: &u8| matches!(byte, b'\t' | b'\n' | 0xc | b'\r' | b' ');
        let start = label.iter().position(|byte| !is_blank(byte))?;
        let end = label.iter().rposition(|byte| !is_blank(byte))?;
        let label = &label[start..=end];
        let is_it = |known: &str| known.as_bytes().eq_ignore_ascii_case(label);
        let has = |encoding: &&&Encoding| encoding.labels.split(' ').any(is_it);
        ALL.iter().find(has).copied()
    }

    /// The encoding that a byte order mark stands for, and the length of the mark.
    #[must_use]
    pub fn for_bom(bytes: &[u8]) -> Option<(&'static Encoding, usize)> {
        match bytes {
            [0xef, 0xbb, 0xbf, ..] => Some((UTF_8, 3)),
            [0xff, 0xfe, ..] => Some((UTF_16LE, 2)),
            [0xfe, 0xff, ..] => Some((UTF_16BE, 2)),
            _ => None,
        }
    }

    /// The name of the encoding.
    #[must_use]
    pub fn name(&'static self) -> &'static str {
        self.name
    }

    /// The encoding in which forms and URLs are written.
    #[must_use]
    pub fn output_encoding(&'static self) -> &'static Encoding {
        match self.kind {
            Kind::Utf16 { .. } | Kind::Replacement => UTF_8,
            _ => self,
        }
    }

    /// A decoder for text without a byte order mark.
    #[must_use]
    pub fn new_decoder_without_bom_handling(&'static self) -> Decoder {
        Decoder::new(self)
    }

    /// An encoder to the [output encoding](Encoding::output_encoding).
    #[must_use]
    pub fn new_encoder(&'static self) -> Encoder {
        Encoder::new(self)
    }

    /// The text of bytes, and whether some were malformed.
    #[must_use]
    pub fn decode_without_bom_handling<'b>(&'static self, bytes: &'b [u8]) -> (Cow<'b, str>, bool) {
        if self.kind == Kind::Utf8 {
            let text = String::from_utf8_lossy(bytes);
            let is_malformed = matches!(text, Cow::Owned(_));
            return (text, is_malformed);
        }
        let (mut text, mut is_malformed) = (String::with_capacity(bytes.len()), false);
        Decoder::new(self).all(bytes, &mut |character| {
            is_malformed |= character.is_none();
            text.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
        });
        (text.into(), is_malformed)
    }

    /// The text of bytes, if none are malformed.
    #[must_use]
    pub fn decode_without_bom_handling_and_without_replacement<'b>(
        &'static self,
        bytes: &'b [u8],
    ) -> Option<Cow<'b, str>> {
        let (text, is_malformed) = self.decode_without_bom_handling(bytes);
        (!is_malformed).then_some(text)
    }

    /// The bytes of a text in the output encoding, which comes with them; whether there are characters that have
    /// none, and became `&#N;`.
    #[must_use]
    pub fn encode<'t>(&'static self, text: &'t str) -> (Cow<'t, [u8]>, &'static Encoding, bool) {
        let output = self.output_encoding();
        if output.kind == Kind::Utf8 {
            return (text.as_bytes().into(), output, false);
        }
        let (mut out, mut lacks) = (Vec::with_capacity(text.len()), false);
        let (mut encoder, mut rest) = (self.new_encoder(), text);
        let mut bytes = [0; 256];
        loop {
            let (result, read, written) =
                encoder.encode_from_utf8_without_replacement(rest, &mut bytes, true);
            out.extend_from_slice(&bytes[..written]);
            rest = &rest[read..];
            match result {
                EncoderResult::InputEmpty => return (out.into(), output, lacks),
                EncoderResult::OutputFull => {}
                EncoderResult::Unmappable(character) => {
                    lacks = true;
                    let mut reference = String::new();
                    // Writing to a String does not fail.
                    let _ = write!(reference, "&#{};", u32::from(character));
                    out.extend_from_slice(reference.as_bytes());
                }
            }
        }
    }
}

impl PartialEq for Encoding {
    fn eq(&self, other: &Encoding) -> bool {
        self.name == other.name
    }
}

impl Eq for Encoding {}

impl fmt::Debug for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
