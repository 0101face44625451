//! One value: its bytes decoded to the text that its grammar is defined on, and replacements in
//! that text written back as bytes.

use std::borrow::Cow;
use std::ops::Range;

use super::Syntax;
use super::encoding::Charset;
use super::entity::{self, Decoded};
use super::locate::Quote;
use super::places::Delimiter;
use super::position::PositionMap;
use super::splice::Edits;

/// A decoded value.
#[derive(Debug)]
pub(super) struct Value<'d> {
    /// The text, character references decoded.
    pub(super) text: Cow<'d, str>,
    /// From the text to what the bytes spell, before character references are decoded.
    references: PositionMap,
    /// From there to the bytes.
    characters: PositionMap,
}

impl<'d> Value<'d> {
    /// Decodes a value that stands in a document.
    pub(super) fn decode(
        raw: &'d [u8],
        delimiter: Delimiter,
        charset: &Charset<'_>,
        syntax: Syntax,
    ) -> Value<'d> {
        let (spelled, characters) = charset.decode(raw);
        if delimiter == Delimiter::RawText {
            return Value {
                text: spelled,
                references: PositionMap::default(),
                characters,
            };
        }
        match spelled {
            Cow::Borrowed(spelled) => {
                let Decoded { text, map } = entity::decode_attribute(spelled, syntax);
                Value {
                    text,
                    references: map,
                    characters,
                }
            }
            Cow::Owned(spelled) => {
                let Decoded { text, map } = entity::decode_attribute(&spelled, syntax);
                Value {
                    text: Cow::Owned(text.into_owned()),
                    references: map,
                    characters,
                }
            }
        }
    }

    /// The byte offset, counted from the start of the value, of the character at `text`.
    pub(super) fn offset(&self, text: usize) -> usize {
        self.characters.source(self.references.source(text))
    }
}

/// New text for parts of a value's text, ascending and not overlapping.
#[derive(Debug, Default)]
pub(super) struct Replacements {
    /// Which part, and where its new text is.
    list: Vec<(Range<usize>, Range<usize>)>,
    text: String,
}

/// New text for one part.
#[derive(Clone, Debug)]
struct Replacement<'r> {
    range: Range<usize>,
    text: &'r str,
}

impl Replacements {
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.text.clear();
    }

    /// Replaces `range` by what `write` appends.
    pub(super) fn push(&mut self, range: Range<usize>, write: impl FnOnce(&mut String)) {
        let start = self.text.len();
        write(&mut self.text);
        self.list.push((range, start..self.text.len()));
    }

    fn iter(&self) -> impl Iterator<Item = Replacement<'_>> {
        self.list.iter().map(|(range, text)| Replacement {
            range: range.clone(),
            text: &self.text[text.clone()],
        })
    }
}

/// Where a value stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target<'d> {
    /// Its bytes.
    pub(super) raw: &'d [u8],
    /// Its first byte's offset in the document.
    pub(super) start: usize,
    pub(super) delimiter: Delimiter,
    pub(super) charset: &'d Charset<'d>,
    pub(super) syntax: Syntax,
}

/// Writes replacements in a value as edits of the document's bytes. What a replacement has in
/// common with the end of what it replaces keeps its bytes, and so its author's spelling.
pub(super) fn write_back(
    value: &Value<'_>,
    target: &Target<'_>,
    replacements: &Replacements,
    edits: &mut Edits,
) {
    let &Target {
        raw,
        start,
        delimiter,
        charset,
        ..
    } = target;
    match delimiter {
        Delimiter::Attribute(Quote::Missing) => {
            edits.push(start..start, charset, |out| {
                if charset.byte_before(start) != Some(b'=') {
                    out.push('=');
                }
                target.requote(value, replacements, out);
            });
        }
        Delimiter::Attribute(Quote::None)
            if replacements.iter().any(|new| {
                entity::needs_quotes(&new.text[..new.text.len() - kept(value, &new)])
            }) =>
        {
            edits.push(start..start + raw.len(), charset, |out| {
                target.requote(value, replacements, out);
            });
        }
        _ => {
            for new in replacements.iter() {
                let kept = kept(value, &new);
                let from = value.offset(new.range.start);
                let to = value.offset(new.range.end - kept);
                edits.push(start + from..start + to, charset, |out| {
                    if value.references.is_open_before(new.range.start) {
                        out.push(';');
                    }
                    target.encode(&new.text[..new.text.len() - kept], out);
                });
            }
        }
    }
}

/// Whether plain text can be put into a value without giving that other delimiters.
#[inline]
pub(super) fn fits(text: &str, delimiter: Delimiter) -> bool {
    delimiter != Delimiter::Attribute(Quote::None) || !entity::needs_quotes(text)
}

impl Target<'_> {
    /// Appends text as it has to be spelled there.
    fn encode(&self, text: &str, out: &mut String) {
        match self.delimiter {
            Delimiter::Attribute(quote) => {
                entity::encode_attribute(text, quote, self.syntax, out);
            }
            Delimiter::RawText => out.push_str(text),
            // What must not stand in text must not stand in an attribute either.
            Delimiter::Text => {
                entity::encode_attribute(text, Quote::Double, Syntax::Xml, out);
            }
        }
    }

    /// Appends the whole new value in double quotes.
    fn requote(&self, value: &Value<'_>, replacements: &Replacements, out: &mut String) {
        let target = Target {
            delimiter: Delimiter::Attribute(Quote::Double),
            ..*self
        };
        out.push('"');
        let mut done = 0;
        for new in replacements.iter() {
            target.encode(&value.text[done..new.range.start], out);
            target.encode(new.text, out);
            done = new.range.end;
        }
        target.encode(&value.text[done..], out);
        out.push('"');
    }
}

/// How many bytes at the end of a replacement equal the end of what it replaces, and can stay.
fn kept(value: &Value<'_>, new: &Replacement<'_>) -> usize {
    let old = &value.text.as_bytes()[new.range.clone()];
    let equal = old
        .iter()
        .rev()
        .zip(new.text.bytes().rev())
        .take_while(|(a, b)| **a == *b)
        .count();
    let can_be_cut = |length: &usize| {
        let at = new.range.end - length;
        value.text.is_char_boundary(at)
            && value.references.is_boundary(at)
            && value.characters.is_boundary(value.references.source(at))
    };
    (0..=equal).rev().find(can_be_cut).unwrap_or(0)
}
