//! New text for parts of a value, as it has to be spelled where the value stands.

use std::ops::Range;

use super::chunk::Chunk;
use super::entity;
use super::json;
use super::locate::Quote;
use super::locate::xml::{Layout, Section};
use super::places::Place;
use super::splice::Edits;
use super::value::{Delimiter, Value};
use super::{Syntax, ValueKind};
use crate::resolver::percent;

/// Whether plain text can be put into a value without giving that other delimiters.
#[inline]
pub(super) fn fits(text: &str, delimiter: Delimiter) -> bool {
    delimiter != Delimiter::Attribute(Quote::None) || !entity::needs_quotes(text)
}

/// Turns edits of a value's text into edits of the chunk's bytes. What new text has in common with
/// the end of what it replaces keeps its bytes, and so its author's spelling.
pub(super) fn write_back(
    chunk: &Chunk<'_>,
    place: &Place,
    value: &Value<'_>,
    new: &Edits,
    edits: &mut Edits,
) {
    let start = place.value.start;
    let mut writer = Writer {
        chunk,
        place,
        value,
        edits,
    };
    match place.delimiter {
        Delimiter::Attribute(Quote::Missing) => {
            let is_after_equals = chunk.bytes[..start].ends_with(b"=");
            let equals = if is_after_equals { "" } else { "=" };
            writer.requote(start..start, equals, new);
        }
        Delimiter::Attribute(Quote::None)
            if new.iter().any(|(old, text)| {
                let kept = kept(value, &old, text);
                entity::needs_quotes(&text[..text.len() - kept])
            }) =>
        {
            writer.requote(place.value.clone(), "", new);
        }
        _ if value.layout.is_some() => writer.lay_out(new),
        _ => {
            for (old, text) in new.iter() {
                writer.replace(old, text);
            }
        }
    }
}

/// What stands for a NUL, which the label of a feed's item may have: HTML, XML and CSS have no way to
/// write one. In a URL the URL Standard reads it as this (C0 control percent-encode set).
const NUL: &str = "%00";

/// What ends a CDATA section.
const LITERAL_END: &str = "]]>";

/// Appends text as it has to be spelled there.
fn encode(text: &str, delimiter: Delimiter, chunk: &Chunk<'_>, out: &mut String) {
    if text.contains('\0') {
        return encode(&text.replace('\0', NUL), delimiter, chunk, out);
    }
    match delimiter {
        Delimiter::Attribute(quote) if chunk.is_in_literal && text.contains(LITERAL_END) => {
            let start = out.len();
            entity::encode_attribute(text, quote, chunk.syntax, out);
            let spelled = out.split_off(start);
            out.push_str(&spelled.replace(LITERAL_END, "]]&gt;"));
        }
        Delimiter::Attribute(quote) => entity::encode_attribute(text, quote, chunk.syntax, out),
        Delimiter::RawText | Delimiter::Declared => out.push_str(text),
        Delimiter::JsonString => json::encode(text, out),
        Delimiter::Content => entity::encode_text(text, out),
        // What must not stand in text must not stand in an attribute either.
        Delimiter::Text => {
            entity::encode_attribute(text, Quote::Double, Syntax::Xml, out);
        }
    }
}

/// Appends text as it has to be spelled in a CDATA section, in which nothing stands for a character
/// that the encoding lacks: a URL spells it in its own way.
fn literal(text: &str, kind: ValueKind, chunk: &Chunk<'_>, out: &mut String) {
    let start = out.len();
    for c in text.chars() {
        match kind {
            _ if c == '\0' => out.push_str(NUL),
            ValueKind::Url if chunk.charset.lacks(c) => {
                percent::encode(c.encode_utf8(&mut [0; 4]).as_bytes(), |_| false, out);
            }
            _ => out.push(c),
        }
    }
    if out[start..].contains(LITERAL_END) {
        let spelled = out.split_off(start);
        out.push_str(&spelled.replace(LITERAL_END, "]]]]><![CDATA[>"));
    }
}

/// How many bytes at the end of new text equal the end of what it replaces, and can stay.
fn kept(value: &Value<'_>, old: &Range<usize>, new: &str) -> usize {
    let equal = value.text.as_bytes()[old.clone()]
        .iter()
        .rev()
        .zip(new.bytes().rev())
        .take_while(|(a, b)| **a == *b)
        .count();
    let can_be_cut = |length: &usize| value.is_between_bytes(old.end - length);
    (0..=equal).rev().find(can_be_cut).unwrap_or(0)
}

/// Writes into one value.
struct Writer<'w> {
    chunk: &'w Chunk<'w>,
    place: &'w Place,
    value: &'w Value<'w>,
    edits: &'w mut Edits,
}

impl Writer<'_> {
    /// Adds an edit of these bytes of the value; `spell` appends what is to stand there.
    fn edit(&mut self, bytes: Range<usize>, spell: impl FnOnce(&mut String)) {
        let start = self.place.value.start;
        self.edits
            .push(start + bytes.start..start + bytes.end, spell);
    }

    /// Writes `new` in place of a part of the text of a value that is not laid out.
    fn replace(&mut self, old: Range<usize>, new: &str) {
        let (value, place, chunk) = (self.value, self.place, self.chunk);
        let kept = kept(value, &old, new);
        let bytes = value.offset(old.start)..value.offset(old.end - kept);
        self.edit(bytes, |out| {
            if value.references.is_open_before(old.start) {
                out.push(';');
            }
            encode(&new[..new.len() - kept], place.delimiter, chunk, out);
        });
    }

    /// Writes the whole new value in double quotes in place of these bytes of the chunk.
    fn requote(&mut self, bytes: Range<usize>, before: &str, new: &Edits) {
        let double = Delimiter::Attribute(Quote::Double);
        let text = new.applied(&self.value.text);
        self.edits.push(bytes, |out| {
            out.push_str(before);
            out.push('"');
            encode(&text, double, self.chunk, out);
            out.push('"');
        });
    }

    /// Writes into a value that is laid out. New text that touches an entity takes the place of the
    /// whole entity, with the rest of what that stands for around it.
    fn lay_out(&mut self, new: &Edits) {
        let value = self.value;
        let can_be_cut = |at: &usize| value.is_between_entities(*at);
        // Where the new text starts, and to where what it replaces is in it.
        let mut last: Option<(usize, String, usize)> = None;
        for (old, text) in new.iter() {
            let kept = kept(value, &old, text);
            let text = &text[..text.len() - kept];
            let done = old.end - kept;
            let unfinished = last.take().and_then(|last| self.finish(last, old.start));
            let (start, mut before, from) = unfinished.unwrap_or_else(|| {
                let start = (0..=old.start).rev().find(can_be_cut).unwrap_or(0);
                (start, String::new(), start)
            });
            before.push_str(&value.text[from..old.start]);
            before.push_str(text);
            last = Some((start, before, done));
        }
        if let Some(last) = last {
            self.finish(last, value.text.len());
        }
    }

    /// Writes new text up to where the value can be cut next; gives it back where that is beyond
    /// `limit`.
    fn finish(
        &mut self,
        (start, mut new, done): (usize, String, usize),
        limit: usize,
    ) -> Option<(usize, String, usize)> {
        let value = self.value;
        let Some(end) = (done..=limit).find(|at| value.is_between_entities(*at)) else {
            return Some((start, new, done));
        };
        new.push_str(&value.text[done..end]);
        self.put(start..end, &new);
        None
    }

    /// Writes `new` in place of a part of the text of a value that is laid out, whose ends can be
    /// cut: into the first section that the part stands in. The others lose what they have of it.
    fn put(&mut self, part: Range<usize>, new: &str) {
        let (value, delimiter, chunk) = (self.value, self.place.delimiter, self.chunk);
        let row = self.place.row;
        let Some(layout) = &value.layout else { return };
        let flat = value.flat(part.start)..value.flat(part.end);
        let sections = &layout.sections;
        if sections.is_empty() {
            let bytes = layout.map.source(flat.start)..layout.map.source(flat.end);
            return self.edit(bytes, |out| encode(new, delimiter, chunk, out));
        }
        let first = sections.partition_point(|section| section.flat.end <= flat.start);
        for (index, section) in sections.iter().enumerate().skip(first) {
            if index > first && section.flat.start >= flat.end {
                break;
            }
            let from = section.source(layout, flat.start.max(section.flat.start));
            let to = section.source(layout, flat.end.min(section.flat.end));
            self.edit(from..to.max(from), |out| {
                match (index == first, section.is_literal) {
                    (true, true) => literal(new, row.kind, chunk, out),
                    (true, false) => encode(new, delimiter, chunk, out),
                    (false, _) => {}
                }
            });
        }
    }
}

impl Section {
    /// Where in the content stands what is at `flat` in this section.
    fn source(&self, layout: &Layout, flat: usize) -> usize {
        match flat {
            _ if flat >= self.flat.end => self.source.end,
            _ => layout.map.source(flat),
        }
    }
}
