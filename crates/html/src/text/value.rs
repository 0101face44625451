//! One value: its bytes decoded to the text for which its grammar is defined.

use std::borrow::Cow;
use std::ops::Range;

use super::encoding::Charset;
use super::entity;
use super::json_string;
use super::markdown::{self, Destination};
use crate::locate::position::PositionMap;
use crate::locate::xml::{self, Doctype, FlatLayout};
use crate::locate::{Quote, Spelling, Syntax};

/// How the text of a place is delimited, and so how new text has to be written into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimiter {
    /// The value of an attribute.
    Attribute(Quote),
    /// The same in a processing instruction, which must not end in it.
    Instruction(Quote),
    /// Raw text between two tags: no character references.
    RawText,
    /// Text in which character references count: SVG's `style`.
    Text,
    /// An element's content in XML.
    Content,
    /// A string of JSON, without its quotes.
    JsonString,
    /// The same in the comment that delimits a block of WordPress.
    Block,
    /// The destination of a link in Markdown.
    Markdown(Destination),
    /// A literal of the document type declaration, which has its effect elsewhere: it stays.
    Declared,
    /// What a comment asks to leave as it is.
    Ignored(Spelling),
}

impl Delimiter {
    /// Whether the bytes of a value are its text, provided that no character in them means anything
    /// other than in an attribute.
    pub(crate) fn is_plain(self) -> bool {
        matches!(
            self,
            Delimiter::Attribute(_) | Delimiter::RawText | Delimiter::Text
        )
    }

    /// How a value is read: as if nobody had asked to leave it.
    fn as_read(self) -> Delimiter {
        match self {
            Delimiter::Ignored(Spelling::Raw) => Delimiter::RawText,
            Delimiter::Ignored(Spelling::References) => Delimiter::Text,
            Delimiter::Ignored(Spelling::Content) => Delimiter::Content,
            Delimiter::Instruction(quote) => Delimiter::Attribute(quote),
            other => other,
        }
    }
}

/// What the bytes of a value spell.
#[derive(Debug)]
pub struct Value<'d> {
    /// The text, character references decoded.
    pub text: Cow<'d, str>,
    /// From the text to what the bytes spell, before character references are decoded.
    pub(crate) references: PositionMap,
    /// From there to the bytes, or to those of the layout.
    characters: PositionMap,
    /// In XML: where in the value its entities and runs of text are.
    pub(crate) layout: Option<Box<FlatLayout>>,
    /// Whether it has an entity whose text is not known, so the value's meaning cannot be told.
    pub(crate) is_unknown: bool,
}

/// The rules by which values are decoded.
#[derive(Debug)]
pub struct ValueContext<'d> {
    /// What the bytes are in.
    pub charset: &'d Charset<'d>,
    /// Which character references there are.
    pub syntax: Syntax,
    /// What the document declares.
    pub doctype: Option<&'d Doctype>,
}

impl<'d> Value<'d> {
    /// What `raw` spells.
    pub fn decode(
        raw: &'d [u8],
        delimiter: Delimiter,
        value_context: &ValueContext<'_>,
    ) -> Value<'d> {
        let (charset, syntax) = (value_context.charset, value_context.syntax);
        let delimiter = delimiter.as_read();
        if syntax == Syntax::Xml && !matches!(delimiter, Delimiter::RawText | Delimiter::Block) {
            let flatten = match delimiter {
                Delimiter::Content => xml::of_content,
                _ => xml::of_value,
            };
            if let Some(flat) = flatten(raw, value_context.doctype) {
                let value = Value::of_bytes(&flat.bytes, delimiter, charset, syntax);
                return Value {
                    text: Cow::Owned(value.text.into_owned()),
                    layout: Some(Box::new(flat.layout)),
                    is_unknown: flat.is_unknown,
                    ..value
                };
            }
        }
        Value::of_bytes(raw, delimiter, charset, syntax)
    }

    /// Decodes a value that has no layout.
    fn of_bytes(
        raw: &'d [u8],
        delimiter: Delimiter,
        charset: &Charset<'_>,
        syntax: Syntax,
    ) -> Value<'d> {
        let (spelled, characters) = charset.decode(raw);
        let (text, references) = match spelled {
            spelled if delimiter == Delimiter::RawText => (spelled, PositionMap::default()),
            Cow::Borrowed(spelled) => decode(spelled, delimiter, syntax),
            Cow::Owned(spelled) => {
                let (text, map) = decode(&spelled, delimiter, syntax);
                (Cow::Owned(text.into_owned()), map)
            }
        };
        Value {
            text,
            references,
            characters,
            layout: None,
            is_unknown: false,
        }
    }

    /// The byte offset of the character at `text` in what the layout lays out.
    pub(crate) fn flat(&self, text: usize) -> usize {
        self.characters.source(self.references.source(text))
    }

    /// The byte offset, counted from the start of the value, of the character at `text`.
    pub(crate) fn offset(&self, text: usize) -> usize {
        let flat = self.flat(text);
        let layout = self.layout.as_ref();
        layout.map_or(flat, |layout| layout.map.source(flat))
    }

    /// The bytes, counted from the start of the value, that spell a part of the text.
    pub fn span(&self, text: Range<usize>) -> Range<usize> {
        let (start, end) = (self.offset(text.start), self.flat(text.end));
        match &self.layout {
            Some(layout) => start..layout.map.end(end).max(start),
            None => start..end,
        }
    }

    /// Where in the text a byte of the value is; one that is read together with bytes before it is behind these.
    pub fn place(&self, byte: usize) -> usize {
        let maps = [&self.references, &self.characters];
        let is_source = self.layout.is_none() && maps.iter().all(|map| map.is_empty());
        // Nearly all text is its own source.
        let [mut start, mut end] = if is_source {
            [byte; 2]
        } else {
            [0, self.text.len()]
        };
        while start < end {
            let middle = start.midpoint(end);
            if self.offset(middle) < byte {
                start = middle + 1;
            } else {
                end = middle;
            }
        }
        let mut places = start..self.text.len();
        let place = places.find(|place| self.text.is_char_boundary(*place));
        place.unwrap_or(self.text.len())
    }

    /// Where in content its runs of text are, between markup, and whether each is a CDATA section; none where it has
    /// no markup.
    pub fn runs(&self) -> impl Iterator<Item = (Range<usize>, bool)> {
        let sections = self.layout.iter().flat_map(|layout| &layout.sections);
        sections.map(|section| (section.source.clone(), section.in_cdata))
    }

    /// Whether the text can be cut at `text` without cutting a character or an entity.
    pub(crate) fn is_between_entities(&self, text: usize) -> bool {
        self.text.is_char_boundary(text)
            && (self.layout.as_ref()).is_none_or(|layout| layout.map.is_boundary(self.flat(text)))
    }

    /// Whether the bytes of the value can be cut where the text is cut at `text`.
    pub(crate) fn is_between_bytes(&self, text: usize) -> bool {
        self.is_between_entities(text)
            && self.references.is_boundary(text)
            && self.characters.is_boundary(self.references.source(text))
    }
}

/// Decodes the character references of a value.
fn decode(spelled: &str, delimiter: Delimiter, syntax: Syntax) -> (Cow<'_, str>, PositionMap) {
    match delimiter {
        Delimiter::JsonString | Delimiter::Block => json_string::decode_with_places(spelled),
        Delimiter::Content => entity::decode_text(spelled),
        Delimiter::Markdown(destination) => markdown::decode(spelled, destination),
        _ => entity::decode_attribute(spelled, syntax),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::places::list::Places;

    const ATTRIBUTE: Delimiter = Delimiter::Attribute(Quote::Double);

    #[test]
    fn a_value_can_be_cut_between_what_it_spells() {
        let (charset, places) = (Charset::utf8(""), Places::default());
        let value_context = places.value_context(&charset, Syntax::Html);
        // The reference stands for two characters.
        let value = Value::decode("aé&fjlig;b".as_bytes(), ATTRIBUTE, &value_context);
        assert_eq!(value.text, "aéfjb");
        let can_be_cut: Vec<usize> = (0..=6).filter(|at| value.is_between_bytes(*at)).collect();
        assert_eq!(can_be_cut, [0, 1, 3, 5, 6]);
    }

    #[test]
    fn raw_text_has_no_character_references() {
        let (charset, places) = (Charset::utf8(""), Places::default());
        for (delimiter, text) in [(Delimiter::RawText, "a&amp;b"), (Delimiter::Text, "a&b")] {
            let value_context = places.value_context(&charset, Syntax::Html);
            assert_eq!(
                Value::decode(b"a&amp;b", delimiter, &value_context).text,
                text
            );
        }
    }
}
