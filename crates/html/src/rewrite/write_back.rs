//! New text for parts of a value, spelled as its place requires.

use std::borrow::Cow;
use std::ops::Range;

use crate::locate::xml::{FlatLayout, Section};
use crate::locate::{Quote, Syntax};
use crate::places::attributes::ValueKind;
use crate::places::list::UrlPlace;
use crate::text::chunk::Chunk;
use crate::text::splice::Edits;
use crate::text::unquoted::UnquotedField;
use crate::text::value::{Delimiter, Value};
use crate::text::{entity, json_string, markdown};
use abslink_url::percent;

/// Whether plain text can be put into a value without changing its delimiters.
#[inline]
pub(crate) fn fits(text: &str, delimiter: Delimiter, field: Option<UnquotedField>) -> bool {
    (!matches!(delimiter, Delimiter::Attribute(Quote::None)) || !entity::needs_quotes(text))
        && field.is_none_or(|field| !text.bytes().any(|byte| field.lacks(byte)))
}

/// Turns edits of a value's text into edits of the chunk's bytes. The end that new text has in
/// common with what it replaces keeps its bytes, and so its author's spelling.
pub(crate) fn write_back(
    chunk: &Chunk<'_>,
    place: &UrlPlace,
    value: &Value<'_>,
    new: &Edits,
    field: Option<UnquotedField>,
    edits: &mut Edits,
) {
    let start = place.value.start;
    let mut writer = Writer {
        chunk,
        place,
        value,
        field,
        edits,
        replaced: None,
    };
    match place.delimiter {
        Delimiter::Attribute(Quote::Missing) => {
            let is_after_equals = chunk.bytes[..start].ends_with(b"=");
            writer.quote(if is_after_equals { "" } else { "=" }, new);
        }
        Delimiter::Attribute(Quote::None)
            if new.iter().any(|(old, text)| {
                let unchanged = unchanged(value, &old, &text);
                // What stays needs none, but for a quote that was not the first byte.
                text.is_empty()
                    || entity::is_special(&text[..text.len() - unchanged])
                    || old.start == 0 && text.starts_with(['"', '\''])
            }) =>
        {
            writer.quote("", new);
        }
        _ if value.layout.is_some() => writer.lay_out(new),
        _ => {
            for (old, text) in new.iter() {
                writer.replace(old, &text, place.delimiter);
            }
        }
    }
}

/// Appends text, spelled as its place requires.
fn encode(text: &str, delimiter: Delimiter, chunk: &Chunk<'_>, out: &mut String) {
    match delimiter {
        Delimiter::Attribute(quote) | Delimiter::Instruction(quote) => {
            entity::encode_attribute(&writable(text, chunk), quote, chunk.syntax, out);
        }
        Delimiter::RawText | Delimiter::Declared | Delimiter::Ignored(_) => out.push_str(text),
        Delimiter::JsonString => json_string::encode(text, out),
        Delimiter::Block => json_string::encode_for_block(text, &|c| chunk.charset.lacks(c), out),
        Delimiter::Markdown(destination) => markdown::encode(text, destination, out),
        Delimiter::Content => entity::encode_text(&writable(text, chunk), out),
        // What is not allowed in text is not allowed in an attribute either.
        Delimiter::Text => {
            let text = writable(text, chunk);
            entity::encode_attribute(&text, Quote::Double, Syntax::Xml, out);
        }
    }
}

/// Text of a URL in which everything can be written, as itself or as a character reference. What cannot
/// is percent-encoded, as the URL Standard does everywhere (C0 control percent-encode set).
fn writable<'t>(text: &'t str, chunk: &Chunk<'_>) -> Cow<'t, str> {
    // Nearly always so, and quickly checked: no byte is looked at by itself.
    let is_plain = |plain: bool, byte: &u8| plain & matches!(byte, b' '..=b'~');
    if text.as_bytes().iter().fold(true, is_plain) {
        return Cow::Borrowed(text);
    }
    let cannot_be = |c: char| match (c, chunk.syntax) {
        ('\0', _) => true,
        // HTML §13.2.5.80: such a numeric reference stands for the character that windows-1252 has
        // there.
        ('\u{80}'..='\u{9f}', Syntax::Html) => chunk.charset.lacks(c),
        // XML 1.0 §2.2: these are not characters.
        ('\u{1}'..='\u{1f}', Syntax::Xml) => !matches!(c, '\t' | '\n' | '\r'),
        ('\u{fffe}' | '\u{ffff}', Syntax::Xml) => true,
        _ => false,
    };
    if !text.contains(cannot_be) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        push(c, !cannot_be(c), &mut out);
    }
    Cow::Owned(out)
}

/// Appends a character as it is, or percent-encoded.
fn push(c: char, is_written: bool, out: &mut String) {
    percent::encode(c.encode_utf8(&mut [0; 4]).as_bytes(), |_| is_written, out);
}

/// Appends text as it is spelled in a CDATA section, which has no references for characters that
/// the encoding lacks: a URL spells these in its own way.
fn literal(text: &str, kind: ValueKind, chunk: &Chunk<'_>, out: &mut String) {
    let start = out.len();
    for c in writable(text, chunk).chars() {
        push(c, kind != ValueKind::Url || !chunk.charset.lacks(c), out);
    }
    if out[start..].contains("]]>") {
        let spelled = out.split_off(start);
        out.push_str(&spelled.replace("]]>", "]]]]><![CDATA[>"));
    }
}

/// How many bytes at the end of new text equal the end of the old text, and can stay.
fn unchanged(value: &Value<'_>, old: &Range<usize>, new: &str) -> usize {
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
    place: &'w UrlPlace,
    value: &'w Value<'w>,
    field: Option<UnquotedField>,
    edits: &'w mut Edits,
    /// Where the last bytes of the value end that were replaced.
    replaced: Option<usize>,
}

impl Writer<'_> {
    /// Adds an edit of these bytes of the value; `spell` appends the new ones.
    fn edit(&mut self, bytes: Range<usize>, spell: impl FnOnce(&mut String)) {
        let start = self.place.value.start;
        self.replaced = Some(bytes.end);
        self.edits
            .push(start + bytes.start..start + bytes.end, spell);
    }

    /// Writes `new` in place of a part of the text of a value that is not laid out.
    fn replace(&mut self, old: Range<usize>, new: &str, delimiter: Delimiter) {
        let (value, chunk, field) = (self.value, self.chunk, self.field);
        let mut unchanged = unchanged(value, &old, new);
        let mut bytes = value.offset(old.start)..value.offset(old.end - unchanged);
        let raw = &chunk.bytes[self.place.value.clone()];
        let rest = &raw[bytes.end..];
        // Parentheses that are balanced as a whole need not be in a part.
        if matches!(delimiter, Delimiter::Markdown(destination) if !destination.is_angled)
            && !std::str::from_utf8(rest).is_ok_and(markdown::is_balanced)
        {
            (unchanged, bytes.end) = (0, value.offset(old.end));
        }
        // Two hyphens would end the comment of a block, also if one of them is not new.
        let is_behind_hyphen = delimiter == Delimiter::Block && raw[..bytes.start].ends_with(b"-");
        let is_before_hyphen = delimiter == Delimiter::Block && rest.starts_with(b"-");
        let is_all_unchanged = new.len() == unchanged;
        bytes.end += usize::from(is_all_unchanged && is_behind_hyphen && is_before_hyphen);
        // The reference may have been replaced, or closed already.
        let is_behind_new = self.replaced == Some(bytes.start);
        self.edit(bytes, |out| {
            if !is_behind_new && value.references.is_open_before(old.start) {
                out.push(';');
            }
            let start = out.len();
            encode(&new[..new.len() - unchanged], delimiter, chunk, out);
            if is_before_hyphen && (out.ends_with('-') || is_all_unchanged && is_behind_hyphen) {
                out.truncate(out.len() - usize::from(!is_all_unchanged));
                json_string::hexadecimal('-', out);
            }
            if is_behind_hyphen && out[start..].starts_with('-') {
                out.replace_range(start..=start, "\\u002d");
            }
            // In the text of `style` and `script` a character reference would not stand for a character.
            if let Some(field) = field
                && matches!(
                    delimiter,
                    Delimiter::Attribute(_) | Delimiter::Text | Delimiter::Content
                )
            {
                field.escape(start, out);
            }
        });
    }

    /// Writes into a value that has no quotes, and adds them: `before` goes before the first. What is
    /// not new keeps its bytes, except for quotes in it.
    fn quote(&mut self, before: &str, new: &Edits) {
        let (quote, mark) = match self.field {
            None => (Quote::Double, '"'),
            Some(_) => (Quote::Single, '\''),
        };
        let end = self.place.value.len();
        self.edit(0..0, |out| out.extend(before.chars().chain([mark])));
        let mut done = 0;
        for (old, text) in new.iter() {
            self.escape_quotes(quote, done..self.value.offset(old.start));
            let unchanged = unchanged(self.value, &old, &text);
            done = self.value.offset(old.end - unchanged);
            self.replace(old, &text, Delimiter::Attribute(quote));
        }
        self.escape_quotes(quote, done..end);
        self.edit(end..end, |out| out.push(mark));
    }

    /// Writes a character reference for each quote in these bytes of the value. In no encoding can such a
    /// byte be part of another character.
    fn escape_quotes(&mut self, quote: Quote, bytes: Range<usize>) {
        let (mark, reference) = match quote {
            Quote::Single => (b'\'', "&#39;"),
            _ => (b'"', "&quot;"),
        };
        let start = self.place.value.start;
        let raw = &self.chunk.bytes[start + bytes.start..start + bytes.end];
        for at in memchr::memchr_iter(mark, raw) {
            let at = bytes.start + at;
            self.edit(at..at + 1, |out| out.push_str(reference));
        }
    }

    /// Writes into a value that has a layout. New text that touches an entity replaces the whole
    /// entity, together with the rest of the entity's text around it.
    fn lay_out(&mut self, new: &Edits) {
        let value = self.value;
        let can_be_cut = |at: &usize| value.is_between_entities(*at);
        // Where the new text starts, the text itself, and up to where it covers the old text.
        let mut last: Option<(usize, String, usize)> = None;
        for (old, text) in new.iter() {
            let unchanged = unchanged(value, &old, &text);
            let text = &text[..text.len() - unchanged];
            let done = old.end - unchanged;
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

    /// Writes new text up to where the value can be cut next; returns it if that is beyond
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

    /// Writes `new` in place of a part of a value's text that has a layout and whose ends can be cut:
    /// into the first section that contains some of it. The other sections lose their share, except for
    /// one character at the end of `new` if they have nothing else: empty, they would be gone.
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
        let behind = sections[(first + 1).min(sections.len())..].iter();
        let behind = behind.take_while(|section| section.flat.start < flat.end);
        let would_go = |section: &Section| !section.flat.is_empty() && section.flat.end <= flat.end;
        let tail = behind.clone().filter(|it| would_go(it)).count();
        let shared = new.char_indices().rev().map(|(at, _)| at).take(tail);
        let head = shared.filter(|at| *at > 0).last();
        let (new, mut tail) = new.split_at(head.unwrap_or(new.len()));
        for (index, section) in sections[first..].iter().take(1).chain(behind).enumerate() {
            let from = section.source(layout, flat.start.max(section.flat.start));
            let to = section.source(layout, flat.end.min(section.flat.end));
            let text = match index {
                0 => new,
                _ if would_go(section) => {
                    let (one, rest) = tail.split_at(tail.chars().next().map_or(0, char::len_utf8));
                    tail = rest;
                    one
                }
                _ => "",
            };
            self.edit(from..to.max(from), |out| {
                if section.in_cdata {
                    literal(text, row.kind, chunk, out)
                } else {
                    encode(text, delimiter, chunk, out)
                }
            });
        }
    }
}

impl Section {
    /// Where in the content the text at `flat` in this section is.
    fn source(&self, layout: &FlatLayout, flat: usize) -> usize {
        match flat {
            _ if flat >= self.flat.end => self.source.end,
            _ => layout.map.source(flat),
        }
    }
}
