//! One value: its bytes decoded to the text that its grammar is defined on, and replacements in
//! that text written back as bytes.

use std::borrow::Cow;
use std::ops::Range;

use super::Syntax;
use super::encoding::Charset;
use super::entity::{self, Decoded};
use super::locate::Quote;
use super::locate::xml::{self, Allowance, Doctype, Layout, Section};
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
    /// From there to the bytes, or to those of the layout.
    characters: PositionMap,
    /// In XML: where in the value stands what its entities and the runs of its text spell.
    layout: Option<Box<Layout>>,
    /// Whether it holds an entity of which nobody can tell what it stands for, so that nobody can
    /// tell what the value means.
    pub(super) is_unknown: bool,
}

/// By which rules values are decoded.
#[derive(Debug)]
pub(super) struct Reading<'d> {
    pub(super) syntax: Syntax,
    /// What the document declares.
    pub(super) doctype: Option<&'d Doctype>,
    /// How much of that may still be used.
    pub(super) allowance: Allowance,
    /// Whether values are those that the document declares, which are no part of its length.
    pub(super) are_declared: bool,
}

impl<'d> Value<'d> {
    /// Decodes a value that stands in a document.
    pub(super) fn decode(
        raw: &'d [u8],
        delimiter: Delimiter,
        charset: &Charset<'_>,
        reading: &mut Reading<'_>,
    ) -> Value<'d> {
        if reading.syntax == Syntax::Xml && delimiter != Delimiter::RawText {
            let flatten = match delimiter {
                Delimiter::Content => xml::of_content,
                _ => xml::of_value,
            };
            if !reading.are_declared {
                reading.allowance.earn(raw.len());
            }
            if let Some(flat) = flatten(raw, reading.doctype, &mut reading.allowance) {
                let value = Value::of_bytes(&flat.bytes, delimiter, charset, reading.syntax);
                return Value {
                    text: Cow::Owned(value.text.into_owned()),
                    layout: Some(Box::new(flat.layout)),
                    is_unknown: flat.is_unknown,
                    ..value
                };
            }
        }
        Value::of_bytes(raw, delimiter, charset, reading.syntax)
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
            Cow::Borrowed(spelled) => {
                let Decoded { text, map } = decode(spelled, delimiter, syntax);
                (text, map)
            }
            Cow::Owned(spelled) => {
                let Decoded { text, map } = decode(&spelled, delimiter, syntax);
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
    fn flat(&self, text: usize) -> usize {
        self.characters.source(self.references.source(text))
    }

    /// The byte offset, counted from the start of the value, of the character at `text`.
    fn offset(&self, text: usize) -> usize {
        let flat = self.flat(text);
        let layout = self.layout.as_ref();
        layout.map_or(flat, |layout| layout.map.source(flat))
    }

    /// The bytes, counted from the start of the value, that spell a part of the text.
    pub(super) fn span(&self, text: Range<usize>) -> Range<usize> {
        let (start, end) = (self.offset(text.start), self.flat(text.end));
        match &self.layout {
            Some(layout) => start..layout.map.end(end).max(start),
            None => start..end,
        }
    }

    /// Whether the text can be cut at `text` without cutting an entity.
    fn is_between_entities(&self, text: usize) -> bool {
        (self.layout.as_ref()).is_none_or(|layout| layout.map.is_boundary(self.flat(text)))
    }
}

/// Decodes the character references of a value.
fn decode(spelled: &str, delimiter: Delimiter, syntax: Syntax) -> Decoded<'_> {
    match delimiter {
        Delimiter::Content => entity::decode_text(spelled),
        _ => entity::decode_attribute(spelled, syntax),
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
        _ if value.layout.is_some() => target.lay_out(value, replacements, edits),
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
            Delimiter::RawText | Delimiter::Declared => out.push_str(text),
            // What must not stand in text must not stand in an attribute either.
            Delimiter::Text | Delimiter::Content => {
                entity::encode_attribute(text, Quote::Double, Syntax::Xml, out);
            }
        }
    }

    /// Writes replacements in a value that is laid out. One that touches an entity takes the place
    /// of the whole entity, with the rest of what that stands for around it.
    fn lay_out(&self, value: &Value<'_>, replacements: &Replacements, edits: &mut Edits) {
        let can_be_cut =
            |at: &usize| value.text.is_char_boundary(*at) && value.is_between_entities(*at);
        // Where the new text starts, and to where what it replaces is in it.
        let mut last: Option<(usize, String, usize)> = None;
        let finish = |(start, mut new, done): (usize, String, usize), limit, edits: &mut Edits| {
            let Some(end) = (done..=limit).find(can_be_cut) else {
                return Some((start, new, done));
            };
            new.push_str(&value.text[done..end]);
            self.put(value, start..end, &new, edits);
            None
        };
        for new in replacements.iter() {
            let kept = kept(value, &new);
            let text = &new.text[..new.text.len() - kept];
            let done = new.range.end - kept;
            let unfinished = last
                .take()
                .and_then(|last| finish(last, new.range.start, edits));
            last = Some(match unfinished {
                Some((start, mut before, from)) => {
                    before.push_str(&value.text[from..new.range.start]);
                    before.push_str(text);
                    (start, before, done)
                }
                None => {
                    let start = (0..=new.range.start).rev().find(can_be_cut).unwrap_or(0);
                    (
                        start,
                        value.text[start..new.range.start].to_owned() + text,
                        done,
                    )
                }
            });
        }
        if let Some(last) = last {
            finish(last, value.text.len(), edits);
        }
    }

    /// Writes `new` in place of a part of the text of a value that is laid out, whose ends can be
    /// cut: into the first section that the part stands in. The others lose what they have of it.
    fn put(&self, value: &Value<'_>, part: Range<usize>, new: &str, edits: &mut Edits) {
        let Some(layout) = &value.layout else { return };
        let flat = value.flat(part.start)..value.flat(part.end);
        let sections = &layout.sections;
        if sections.is_empty() {
            let range = layout.map.source(flat.start)..layout.map.source(flat.end);
            return edits.push(
                self.start + range.start..self.start + range.end,
                self.charset,
                |out| self.encode(new, out),
            );
        }
        let first = sections.partition_point(|section| section.flat.end <= flat.start);
        let first = first.min(sections.len() - 1);
        for (index, section) in sections.iter().enumerate().skip(first) {
            if index > first && section.flat.start >= flat.end {
                break;
            }
            let from = section.source(layout, flat.start.max(section.flat.start));
            let to = section.source(layout, flat.end.min(section.flat.end));
            edits.push(
                self.start + from..self.start + to.max(from),
                self.charset,
                |out| match (index == first, section.is_literal) {
                    (true, true) => out.push_str(&new.replace("]]>", "]]]]><![CDATA[>")),
                    (true, false) => self.encode(new, out),
                    (false, _) => {}
                },
            );
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
            && value.is_between_entities(at)
    };
    (0..=equal).rev().find(can_be_cut).unwrap_or(0)
}

impl Section {
    /// Where in the content stands what is at `flat` in this section.
    fn source(&self, layout: &Layout, flat: usize) -> usize {
        match flat {
            _ if flat >= self.flat.end => self.source.end,
            _ if flat <= self.flat.start => self.source.start,
            _ => layout.map.source(flat),
        }
    }
}
