//! The second reader of `rewrite --verify` for feeds: quick-xml and serde_json.
//!
//! It is told where the places are, of which kind, and with which base URL. Both feeds have to have the
//! same tags, attributes, strings and texts, byte for byte; what changed has to be one of the places,
//! and to mean the same, by the second readers of `html`.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use quick_xml::events::Event;
use quick_xml::reader::Reader as QuickXml;
use serde::de::{Deserialize, Deserializer, Visitor};

use abslink_html::given::{Base, Given};
use abslink_html::shared::{Known, KnownFeed};
use abslink_html::{Disagreement, Row, Settings, Syntax, ValueKind};
use encoding_rs::UTF_8;

use super::reader;

/// What is not as it should be, and where in the old feed.
type Difference = (usize, String);

/// Compares a feed with what was made of it.
pub(crate) fn compare(told: &KnownFeed<'_>, new: &Given<'_>) -> Result<(), Disagreement> {
    let places = told
        .places
        .iter()
        .map(|(value, row, number)| (value.start, (row, number)));
    let comparison = Comparison {
        told,
        new,
        places: places.collect(),
    };
    let compared = match told.is_json {
        true => comparison.json(),
        false => comparison.xml(),
    };
    compared.map_err(|(at, what)| {
        let markup = told.feed.markup();
        let before = String::from_utf8_lossy(&markup[..at.min(markup.len())]).into_owned();
        let line = before.rsplit('\n').next().unwrap_or_default();
        Disagreement {
            line: 1 + before.matches('\n').count(),
            column: 1 + line.chars().count(),
            what,
        }
    })
}

struct Comparison<'c> {
    told: &'c KnownFeed<'c>,
    new: &'c Given<'c>,
    /// The places by where their values begin.
    places: HashMap<usize, (&'static Row, usize)>,
}

impl Comparison<'_> {
    /// Whether what stands at `at` may have changed so.
    fn may_be(&self, at: usize, old: &str, new: &str) -> Result<(), Difference> {
        let Some((row, number)) = self.places.get(&at) else {
            return Err((at, "it is no place of a URL, and changed".to_owned()));
        };
        let base = &self.told.bases[*number];
        let same = base_means(row, base, self.told.settings, old, new);
        same.map_err(|what| (at, what))
    }

    fn xml(&self) -> Result<(), Difference> {
        let [old, new] = [self.told.feed, self.new].map(Document::new);
        let (mut olds, mut news) = (old.reader(), new.reader());
        // The texts of the open elements, before and after, and where the content begins.
        let mut open: Vec<(usize, Text, Text)> = Vec::new();
        loop {
            let (mut text, mut new_text) = (Text::default(), Text::default());
            let x = old.next(&mut olds, &mut text)?;
            let y = new.next(&mut news, &mut new_text)?;
            if let Some((_, all, new_all)) = open.last_mut() {
                all.append(text);
                new_all.append(new_text);
            } else if text.raw != new_text.raw {
                return Err((
                    x.place.start,
                    "the text outside of the root changed".to_owned(),
                ));
            }
            let at = x.place.start;
            if x.kind != y.kind {
                return Err((at, "the feed has other markup".to_owned()));
            }
            match x.kind {
                Kind::End | Kind::Eof => {}
                Kind::Other if old.bytes[x.place.clone()] != new.bytes[y.place.clone()] => {
                    return Err((at, "markup changed that carries no URL".to_owned()));
                }
                Kind::Other => continue,
                Kind::Start | Kind::Empty => {
                    self.tag(&old, &new, &x, &y)?;
                    if x.kind == Kind::Start {
                        open.push((x.place.end, Text::default(), Text::default()));
                    }
                    continue;
                }
            }
            if let Some((start, text, new_text)) = open.pop()
                && text.raw != new_text.raw
            {
                self.may_be(start, &text.says, &new_text.says)?;
            }
            if x.kind == Kind::Eof {
                return Ok(());
            }
        }
    }

    fn tag(
        &self,
        old: &Document<'_>,
        new: &Document<'_>,
        x: &Markup,
        y: &Markup,
    ) -> Result<(), Difference> {
        let mut from = [x.place.start, y.place.start];
        if x.attributes.len() != y.attributes.len() {
            return Err((x.place.start, "a tag has other attributes".to_owned()));
        }
        for (value, new_value) in x.attributes.iter().zip(&y.attributes) {
            same_bytes(old, new, from[0]..value.start, from[1]..new_value.start)?;
            from = [value.end, new_value.end];
            if old.bytes[value.clone()] != new.bytes[new_value.clone()] {
                let [before, after] = [(old, value), (new, new_value)]
                    .map(|(document, value)| document.decode(&document.bytes[value.clone()]));
                self.may_be(value.start, &before, &after)?;
            }
        }
        same_bytes(old, new, from[0]..x.place.end, from[1]..y.place.end)
    }

    /// The strings of both, and what stands between them.
    fn json(&self) -> Result<(), Difference> {
        let text = |given: &Given<'_>| String::from_utf8_lossy(given.markup()).into_owned();
        let (old, new) = (text(self.told.feed), text(self.new));
        if serde_json::from_str::<serde::de::IgnoredAny>(&new[self.new.start()..]).is_err() {
            return Err((0, "it was JSON, and is none any more".to_owned()));
        }
        let (mut at, mut new_at) = (0, 0);
        loop {
            let [between, string] = string(&old, at);
            let [new_between, new_string] = self::string(&new, new_at);
            if old[between] != new[new_between] {
                return Err((at, "JSON changed outside of its strings".to_owned()));
            }
            let (x, y) = (&old[string.clone()], &new[new_string.clone()]);
            if x != y {
                let says = |spelled: &str| serde_json::from_str::<Says>(spelled);
                match (says(x), says(y)) {
                    (Ok(x), Ok(y)) => self.may_be(string.start + 1, &x.0, &y.0)?,
                    _ => return Err((at, "a string changed that is none".to_owned())),
                }
            }
            if string.is_empty() && new_string.is_empty() {
                return Ok(());
            }
            (at, new_at) = (string.end, new_string.end);
        }
    }
}

/// What a string in JSON says. One may hold a half of a surrogate pair, which is no character (RFC 8259
/// §8.2): where a text was cut off.
struct Says(String);

impl<'de> Deserialize<'de> for Says {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Says, D::Error> {
        struct Bytes;

        impl Visitor<'_> for Bytes {
            type Value = Says;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Says, E> {
                Ok(Says(String::from_utf8_lossy(bytes).into_owned()))
            }
        }

        deserializer.deserialize_bytes(Bytes)
    }
}

fn same_bytes(
    old: &Document<'_>,
    new: &Document<'_>,
    x: Range<usize>,
    y: Range<usize>,
) -> Result<(), Difference> {
    match old.bytes[x.clone()] == new.bytes[y] {
        true => Ok(()),
        false => Err((x.start, "a tag changed outside of its values".to_owned())),
    }
}

/// Whether a value means the same.
fn base_means(
    row: &'static Row,
    base: &Base,
    settings: &Settings,
    old: &str,
    new: &str,
) -> Result<(), String> {
    let blank = |c: char| c <= ' ';
    let [inside, new_inside] = [old, new].map(|text| text.trim_matches(blank));
    if row.kind == ValueKind::Url && old.replacen(inside, new_inside, 1) != new {
        return Err("the blanks around a URL changed".to_owned());
    }
    let known = Known {
        syntax: Syntax::Html,
        encoding: UTF_8,
        document_base: &base.1,
        context: &base.0,
        settings,
    };
    let same = |new: &str| reader::value(known, (row.kind, row.against), old, new);
    // In a CDATA section a URL escapes what the encoding lacks.
    match same(new) {
        Err(_) if row.kind == ValueKind::Url && same(&unescaped(new)).is_ok() => Ok(()),
        compared => compared,
    }
}

/// A URL in which what is not ASCII stands for itself.
fn unescaped(url: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = url;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend(before.bytes());
        let escaped = after
            .get(..2)
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match escaped.filter(|byte| !byte.is_ascii()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(b'%');
                rest = after;
            }
        }
    }
    bytes.extend(rest.bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

/// So many characters of a reference are looked at.
const LONGEST: usize = 64;

/// What stands before the next string in JSON, and that string with its quotes.
fn string(json: &str, at: usize) -> [Range<usize>; 2] {
    let rest = &json.as_bytes()[at..];
    let start = at
        + rest
            .iter()
            .position(|byte| *byte == b'"')
            .unwrap_or(rest.len());
    let mut end = start;
    while let Some(byte) = json.as_bytes().get(end + 1) {
        match byte {
            b'"' => return [at..start, start..end + 2],
            b'\\' => end += 2,
            _ => end += 1,
        }
    }
    [at..start, start..json.len()]
}

/// A feed as quick-xml reads it.
struct Document<'d> {
    given: &'d Given<'d>,
    bytes: &'d [u8],
    /// The same with another character for each byte that is not ASCII: those delimit nothing.
    masked: String,
}

/// A piece of markup.
struct Markup {
    kind: Kind,
    place: Range<usize>,
    /// The values of attributes.
    attributes: Vec<Range<usize>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Start,
    Empty,
    End,
    Other,
    Eof,
}

/// The text of an element, as it is spelled and as it is.
#[derive(Debug, Default)]
struct Text {
    raw: Vec<u8>,
    says: String,
}

impl Text {
    fn append(&mut self, other: Text) {
        self.raw.extend(other.raw);
        self.says.push_str(&other.says);
    }
}

impl<'d> Document<'d> {
    fn new(given: &'d Given<'d>) -> Document<'d> {
        let bytes = given.markup();
        let mask = |&byte: &u8| char::from(if byte.is_ascii() { byte } else { b'x' });
        Document {
            given,
            bytes,
            masked: bytes.iter().map(mask).collect(),
        }
    }

    fn reader(&self) -> QuickXml<&[u8]> {
        let mut reader = QuickXml::from_str(&self.masked);
        reader.config_mut().allow_dangling_amp = true;
        reader
    }

    /// The next markup; what stands before it is put into `text`.
    fn next(&self, reader: &mut QuickXml<&[u8]>, text: &mut Text) -> Result<Markup, Difference> {
        let position = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
        loop {
            let start = position(reader.buffer_position());
            let event = reader.read_event();
            let end = position(reader.buffer_position()).min(self.bytes.len());
            let place = start..end;
            let event = event.map_err(|error| (start, format!("quick-xml: {error}")))?;
            let mut attributes = Vec::new();
            let kind = match &event {
                Event::Text(_) | Event::GeneralRef(_) => {
                    text.raw.extend(&self.bytes[place.clone()]);
                    text.says.push_str(&self.decode(&self.bytes[place]));
                    continue;
                }
                Event::CData(_) => {
                    text.raw.extend(&self.bytes[place.clone()]);
                    let inside = place.start + "<![CDATA[".len()..place.end - "]]>".len();
                    text.says.push_str(&self.given.plain(&self.bytes[inside]));
                    continue;
                }
                Event::Start(tag) | Event::Empty(tag) => {
                    for attribute in tag.attributes().with_checks(false).flatten() {
                        let value = &*attribute.value;
                        let offset = value.as_ptr() as usize - tag.as_ptr() as usize;
                        let at = place.start + "<".len() + offset;
                        attributes.push(at..at + value.len());
                    }
                    match &event {
                        Event::Start(_) => Kind::Start,
                        _ => Kind::Empty,
                    }
                }
                Event::End(_) => Kind::End,
                Event::Eof => Kind::Eof,
                _ => Kind::Other,
            };
            return Ok(Markup {
                kind,
                place,
                attributes,
            });
        }
    }

    /// What a text or a value says: only what XML itself knows is decoded.
    fn decode(&self, spelled: &[u8]) -> String {
        let spelled = self.given.plain(spelled);
        let mut out = String::with_capacity(spelled.len());
        let mut rest = &*spelled;
        while let Some((before, after)) = rest.split_once('&') {
            out.push_str(before);
            // None that XML itself knows is longer; that of a character may have zeros.
            let near = after
                .char_indices()
                .nth(LONGEST)
                .map_or(after.len(), |(at, _)| at);
            let end = after[..near].find(';');
            let reference = end.and_then(|end| {
                let (name, rest) = (&after[..end], &after[end + 1..]);
                let whole = format!("&{name};");
                let says = quick_xml::escape::unescape(&whole).ok()?.into_owned();
                Some((says, rest))
            });
            match reference {
                Some((says, after)) => {
                    out.push_str(&says);
                    rest = after;
                }
                None => {
                    out.push('&');
                    rest = after;
                }
            }
        }
        out.push_str(rest);
        out
    }
}
