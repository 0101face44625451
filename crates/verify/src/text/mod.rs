//! What bytes spell, and where in that text a change of the bytes is.

pub(crate) mod edits;

use std::iter::Peekable;

use crate::fault::Fault;
use abslink_html::Syntax;
use abslink_html::shared::{Change, Edited};
use encoding_rs::{Encoding, UTF_8};
use memchr::{memchr, memmem};
use smallvec::SmallVec;

/// How text is decoder in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Escaping {
    /// Without character references and markup.
    Raw,
    /// As a string of JSON, without its quotes.
    Json,
    /// As the value of an attribute.
    Value(Entities),
    /// As the content of an element.
    Content(Entities),
}

/// TagFilter character references there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entities {
    Html,
    Xhtml,
    /// Those only that XML itself has.
    Xml,
}

impl Entities {
    pub(crate) fn of(syntax: Syntax) -> Entities {
        match syntax {
            Syntax::Html => Entities::Html,
            Syntax::Xml => Entities::Xhtml,
        }
    }
}

/// A text, and what was made of it.
#[derive(Debug)]
pub(crate) struct Texts {
    pub(crate) old: String,
    pub(crate) new: String,
    pub(crate) changes: SmallVec<[Change; 1]>,
}

impl Texts {
    /// What bytes spell. What stands between changes may be decoder by other bytes where `by_meaning`.
    pub(crate) fn read(
        edited: Edited<'_>,
        escaping: Escaping,
        encoding: &'static Encoding,
        by_meaning: bool,
    ) -> Result<Texts, Fault> {
        let read = |bytes, side: usize| {
            let cuts = edited.changes.iter();
            let cuts = cuts.flat_map(move |change| [change[side].start, change[side].end]);
            TextDecoder::read(bytes, cuts, escaping, encoding)
        };
        let (old, new) = (read(edited.old, 0), read(edited.new, 1));
        if new.strays > old.strays {
            return Err(Fault::Ampersand);
        }
        if old.markup != new.markup {
            return Err(Fault::Markup);
        }
        let changes = old.places.chunks(2).zip(new.places.chunks(2));
        let changes = changes.map(|(x, y)| [x[0]..x[1], y[0]..y[1]]);
        let (old, new) = (old.text, new.text);
        let differs = |[x, y]: &Change| old.get(x.clone()) != new.get(y.clone());
        let changes = changes.filter(|change| !by_meaning || differs(change));
        let changes = changes.collect();
        Ok(Texts { old, new, changes })
    }

    pub(crate) fn edited(&self) -> Edited<'_, str> {
        Edited {
            old: &self.old,
            new: &self.new,
            changes: &self.changes,
        }
    }

    pub(crate) fn bytes(&self) -> Edited<'_> {
        Edited {
            old: self.old.as_bytes(),
            new: self.new.as_bytes(),
            changes: &self.changes,
        }
    }
}

/// What the value of an attribute spells.
pub(crate) fn value(bytes: &[u8], entities: Entities, encoding: &'static Encoding) -> String {
    TextDecoder::read(
        bytes,
        std::iter::empty(),
        Escaping::Value(entities),
        encoding,
    )
    .text
}

/// A text that is being read.
struct TextDecoder<'b, C: Iterator<Item = usize>> {
    encoding: &'static Encoding,
    text: String,
    /// So many bytes were read.
    read: usize,
    /// Bytes that are asked for, in ascending order, and where they are in the text. One that is read
    /// together with bytes before it is behind what these spell.
    cuts: Peekable<C>,
    places: SmallVec<[usize; 2]>,
    /// How many times a `&` of XML begins no reference.
    strays: usize,
    /// The markup in it, which spells nothing.
    markup: Vec<&'b [u8]>,
}

impl<'b, C: Iterator<Item = usize>> TextDecoder<'b, C> {
    fn read(
        bytes: &'b [u8],
        cuts: C,
        escaping: Escaping,
        encoding: &'static Encoding,
    ) -> TextDecoder<'b, C> {
        let mut decoder = TextDecoder {
            encoding,
            text: String::with_capacity(bytes.len()),
            read: 0,
            cuts: cuts.peekable(),
            places: SmallVec::new(),
            strays: 0,
            markup: Vec::new(),
        };
        match escaping {
            Escaping::Raw => decoder.plain(bytes),
            Escaping::Json => decoder.json(bytes),
            Escaping::Value(entities) => runs(bytes).for_each(|run| {
                let rest = decoder.reference(run, entities, true);
                match entities {
                    Entities::Html => decoder.without_nul(rest),
                    Entities::Xhtml | Entities::Xml => decoder.with_blanks(rest),
                }
            }),
            Escaping::Content(entities) => decoder.content(bytes, entities),
        }
        let end = decoder.text.len();
        let rest = decoder.cuts.by_ref().map(|_| end);
        decoder.places.extend(rest);
        decoder
    }

    /// Appends what stands for itself.
    fn same(&mut self, text: &str) {
        let (read, start) = (self.read, self.text.len());
        self.read += text.len();
        while let Some(cut) = self.cuts.next_if(|cut| *cut < self.read) {
            self.places.push(start + cut - read);
        }
        self.text.push_str(text);
    }

    /// Appends what the next bytes stand for together.
    fn part(&mut self, length: usize, text: &str) {
        let (read, start) = (self.read, self.text.len());
        self.read += length;
        self.text.push_str(text);
        while let Some(cut) = self.cuts.next_if(|cut| *cut < self.read) {
            self.places
                .push(if cut == read { start } else { self.text.len() });
        }
    }

    /// Appends bytes in which there are no references.
    fn plain(&mut self, bytes: &[u8]) {
        match std::str::from_utf8(bytes) {
            Ok(text) if self.encoding == UTF_8 || text.is_ascii() => self.same(text),
            _ => self.decode(bytes),
        }
    }

    /// Appends what bytes are in the encoding, as few of them at a time as can be told apart.
    fn decode(&mut self, bytes: &[u8]) {
        let mut decoder = self.encoding.new_decoder_without_bom_handling();
        let (mut text, mut count) = (String::new(), 0);
        for (index, byte) in bytes.iter().enumerate() {
            count += 1;
            let is_last = index + 1 == bytes.len();
            let is_plain = count == 1 && byte.is_ascii();
            if is_plain {
                text.push(char::from(*byte));
            } else {
                // A sequence that is not valid is given up with all that it has taken.
                text.reserve(64);
                let _ = decoder.decode_to_string(&[*byte], &mut text, false);
                // One that is not complete ends at what follows in the document: a quote, or the like.
                if is_last {
                    let _ = decoder.decode_to_string(b"\"", &mut text, true);
                    text.pop();
                }
            }
            if !text.is_empty() || is_last {
                self.part(count, &text);
                text.clear();
                count = 0;
            }
        }
    }

    /// Appends a part of an attribute's value without references (HTML 13.2.5.36 to 13.2.5.38).
    fn without_nul(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let Some(at) = memchr(0, rest) {
            self.plain(&rest[..at]);
            self.part(1, "\u{fffd}");
            rest = &rest[at + 1..];
        }
        self.plain(rest);
    }

    /// Appends a part of a value of XML without references (XML 1.0 §3.3.3).
    fn with_blanks(&mut self, bytes: &[u8]) {
        let mut done = 0;
        for at in memmem::find_iter(bytes, b"\r\n").chain([bytes.len()]) {
            let start = self.text.len();
            self.plain(&bytes[done..at]);
            let text = self.text.split_off(start).replace(['\t', '\n', '\r'], " ");
            self.text.push_str(&text);
            done = at;
            if at < bytes.len() {
                self.part(2, " ");
                done += 2;
            }
        }
    }

    /// Appends the character reference that a run may begin with; the answer is what follows.
    fn reference<'r>(&mut self, run: &'r [u8], entities: Entities, in_value: bool) -> &'r [u8] {
        if !run.starts_with(b"&") {
            return run;
        }
        if entities == Entities::Html {
            return self.html(run, in_value);
        }
        let (head, rest) = run.split_at(memchr(b';', run).map_or(0, |at| at + 1));
        match std::str::from_utf8(head)
            .ok()
            .and_then(|head| xml(head, entities))
        {
            Some(text) => {
                self.part(head.len(), &text);
                rest
            }
            None => {
                self.strays += 1;
                run
            }
        }
    }

    fn html<'r>(&mut self, run: &'r [u8], in_value: bool) -> &'r [u8] {
        // What stands behind a name without `;` decides whether it is one.
        let is_head = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'#' | b'=');
        let name = run.iter().skip(1).take_while(|byte| is_head(byte)).count();
        let length = 1 + name + usize::from(run.get(1 + name) == Some(&b';'));
        let (head, rest) = run.split_at(length);
        let head = String::from_utf8_lossy(head);
        let text = if in_value {
            htmlize::unescape_attribute(&*head)
        } else {
            htmlize::unescape(&*head)
        };
        let ends = head.bytes().rev().zip(text.bytes().rev());
        let kept = ends.take_while(|(x, y)| x == y).count();
        self.part(head.len() - kept, &text[..text.len() - kept]);
        self.same(&text[text.len() - kept..]);
        rest
    }

    /// Appends a string of JSON. One may hold a half of a surrogate pair, which is no character (RFC 8259
    /// §8.2): where a text was cut off.
    fn json(&mut self, mut string: &[u8]) {
        const PAIR: usize = r"\ud800\udc00".len();
        while let Some(at) = memchr(b'\\', string) {
            self.plain(&string[..at]);
            let escaped = &string[at..];
            let length = if escaped.get(1) == Some(&b'u') { 6 } else { 2 };
            let read = |length: &usize| {
                let decoder = std::str::from_utf8(escaped.get(..*length)?).ok()?;
                let text: String = serde_json::from_str(&format!("\"{decoder}\"")).ok()?;
                (text.chars().count() == 1).then_some((*length, text))
            };
            let unknown = (length.min(escaped.len()), "\u{fffd}".to_owned());
            let (length, text) = [PAIR, length].iter().find_map(read).unwrap_or(unknown);
            self.part(length, &text);
            string = &escaped[length..];
        }
        self.plain(string);
    }

    fn content(&mut self, content: &'b [u8], entities: Entities) {
        let mut rest = content;
        while let Some(at) = opening(rest) {
            let (text, markup) = rest.split_at(at);
            self.text(text, entities);
            let (open, close): (usize, &[u8]) = match markup {
                _ if markup.starts_with(CDATA) => (CDATA.len(), b"]]>"),
                [b'<', b'!', b'-', b'-', ..] => (0, b"-->"),
                [b'<', b'?', ..] => (0, b"?>"),
                _ => (0, b">"),
            };
            let end = memmem::find(&markup[open..], close).map_or(markup.len(), |at| open + at);
            let behind = markup.len().min(end + close.len());
            if open == 0 {
                self.markup.push(&markup[..behind]);
                self.part(behind, "");
            } else {
                self.part(open, "");
                self.plain(&markup[open..end]);
                self.part(behind - end, "");
            }
            rest = &markup[behind..];
        }
        self.text(rest, entities);
    }

    fn text(&mut self, text: &[u8], entities: Entities) {
        for run in runs(text) {
            let rest = self.reference(run, entities, false);
            self.plain(rest);
        }
    }
}

const CDATA: &[u8] = b"<![CDATA[";

/// What a reference of XML stands for, which is given with its `&` and its `;`. None where nobody can
/// tell: entities of a document's own are not read (XML 1.0 §4.4.3, for a processor that does not validate).
pub(crate) fn xml(reference: &str, entities: Entities) -> Option<String> {
    let text = match entities {
        Entities::Xml => quick_xml::escape::unescape(reference).ok()?,
        Entities::Html | Entities::Xhtml => match reference.strip_prefix("&#") {
            Some(_) => quick_xml::escape::unescape(reference).ok()?,
            None => htmlize::unescape(reference),
        },
    };
    (text != reference).then(|| text.into_owned())
}

/// The parts of bytes that begin with `&`, and what stands before the first of them. In no encoding
/// of a document whose tags can be found is that byte a part of another character.
fn runs(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ands = memchr::memchr_iter(b'&', bytes).chain([bytes.len()]);
    let mut done = 0;
    ands.map(move |at| {
        let start = std::mem::replace(&mut done, at);
        &bytes[start..at]
    })
}

/// Where markup begins: in HTML not every `<` does it (13.2.5.6, "tag open state").
fn opening(text: &[u8]) -> Option<usize> {
    let begins = |byte: &u8| {
        byte.is_ascii_alphabetic() || matches!(byte, b'!' | b'/' | b'?' | b':' | b'_' | 0x80..)
    };
    memchr::memchr_iter(b'<', text).find(|at| text.get(at + 1).is_some_and(begins))
}
