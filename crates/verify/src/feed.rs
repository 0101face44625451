//! The second reader of `rewrite --verify` for feeds: quick-xml and serde_json.
//!
//! It is told where the places are, of which kind, and with which base URL. What changed has to be in one
//! of these places, each of which is the value of an attribute, the content of an element or a string by
//! this reading too, and to mean the same, by the second readers of HTML.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use abslink_html::given_places::Base;
use abslink_html::shared::{Change, XML_STYLESHEET};
use abslink_html::shared::{DocumentParameters, Edited, FeedParameters};
use abslink_html::{Disagreement, Row, Settings, Syntax, ValueKind};
use encoding_rs::UTF_8;

use crate::grammar;
use crate::markup::Token;
use crate::markup::xml;
use crate::reader;
use crate::text::edits::{Edits, Part};
use crate::text::{Entities, Spelling, Texts};

/// What is not as it should be, and where in the old feed.
type Difference = (usize, String);

/// Compares a feed with what was made of it.
pub(crate) fn compare(told: &FeedParameters<'_>, edited: Edited<'_>) -> Result<(), Disagreement> {
    compared(told, edited).map_err(|(at, what)| {
        let before = String::from_utf8_lossy(&edited.old[..at.min(edited.old.len())]);
        let line = before.rsplit('\n').next().unwrap_or_default();
        Disagreement {
            line: 1 + before.matches('\n').count(),
            column: 1 + line.chars().count(),
            what,
        }
    })
}

const CHANGED: &str = "it is no place of a URL, and changed";

fn compared(told: &FeedParameters<'_>, edited: Edited<'_>) -> Result<(), Difference> {
    let mut edits = Edits::default();
    let same = edits.take(0, edited);
    same.map_err(|at| (at, CHANGED.to_owned()))?;
    let json = String::from_utf8_lossy(edited.new);
    if told.is_json && !grammar::is_valid(json.trim_start_matches('\u{feff}')) {
        return Err((0, "it was JSON, and is none any more".to_owned()));
    }
    let read = match told.is_json {
        true => strings(edited.old),
        false => elements(edited.old),
    };
    // Several may begin at one place.
    let edits = edits.until(edited.old.len()).into_iter().enumerate();
    let edits = edits.map(|(index, edit)| ((edit.old.start, index), edit));
    let mut edits: BTreeMap<_, _> = edits.collect();
    // A place may have others in it, whose edits are not its own.
    let mut places: Vec<_> = told.places.iter().collect();
    places.sort_by_key(|(place, ..)| place.len());
    for (place, row, number) in places {
        let within = edits.range((place.start, 0)..(place.end + 1, 0));
        let within = within.filter(|(_, edit)| edit.old.end <= place.end);
        let within: Vec<_> = within.map(|(key, _)| *key).collect();
        let edits: Vec<_> = within.iter().filter_map(|key| edits.remove(key)).collect();
        if edits.is_empty() {
            continue;
        }
        let differs = |what: String| (place.start, what);
        let Some(spelling) = read.get(&place) else {
            return Err(differs("it is no value, and changed".to_owned()));
        };
        let part = Part::new(&edited.old[place.clone()], place.start, &edits);
        let quote = edited.old.get(place.end).copied();
        let ends = |byte: &u8| *byte == b'<' || Some(*byte) == quote;
        if matches!(spelling, Spelling::Value(_)) && part.new.iter().any(ends) {
            return Err(differs("its value ends elsewhere".to_owned()));
        }
        let texts = Texts::read(part.edited(), *spelling, told.encoding, false);
        if std::ptr::eq(row, &XML_STYLESHEET) && memchr::memmem::find(&part.new, b"?>").is_some() {
            return Err(differs("its instruction ends elsewhere".to_owned()));
        }
        let texts = match row.kind {
            ValueKind::EncodedHtml => texts.and_then(|texts| decoded(&texts)),
            _ => texts,
        };
        let same =
            texts.and_then(|texts| means_same(row, &told.bases[number], told.settings, texts));
        same.map_err(differs)?;
    }
    match edits.first_key_value() {
        Some(((at, _), _)) => Err((*at, CHANGED.to_owned())),
        None => Ok(()),
    }
}

/// Whether a value means the same.
fn means_same(row: &Row, base: &Base, settings: &Settings, mut texts: Texts) -> Result<(), String> {
    let known = DocumentParameters {
        syntax: Syntax::Html,
        encoding: UTF_8,
        document_base: &base.1,
        context: &base.0,
        settings,
    };
    let place = (row.kind, row.against);
    let compared = reader::value(known, place, &texts);
    if compared.is_ok() || row.kind != ValueKind::Url {
        return compared;
    }
    // In a CDATA section a URL escapes what the encoding lacks.
    texts.new = unescaped(&texts.new);
    texts.changes.clear();
    reader::value(known, place, &texts).or(compared)
}

/// What two texts in base64 spell (RFC 4648 §4), and where that differs.
fn decoded(texts: &Texts) -> Result<Texts, String> {
    let read = |text: &str| {
        let (mut octets, mut bits, mut count) = (Vec::new(), 0_u32, 0);
        for digit in text.bytes().filter(|byte| !byte.is_ascii_whitespace()) {
            let value = match digit {
                b'A'..=b'Z' => digit - b'A',
                b'a'..=b'z' => digit - b'a' + 26,
                b'0'..=b'9' => digit - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                b'=' => break,
                _ => return None,
            };
            (bits, count) = (bits << 6 & 0xffff | u32::from(value), count + 6);
            if count >= 8 {
                count -= 8;
                octets.push((bits >> count & 0xff) as u8);
            }
        }
        String::from_utf8(octets).ok()
    };
    match [&texts.old, &texts.new].map(|text| read(text)) {
        [Some(old), Some(new)] => {
            let changes = differences(&old, &new).into();
            Ok(Texts { old, new, changes })
        }
        _ => Err("it is not base64 any more".to_owned()),
    }
}

/// Where a text was replaced, if each replacement ends in what it replaces: a proposal, which is
/// compared like any other.
fn differences(old: &str, new: &str) -> Vec<Change> {
    let ends = |c: char| c.is_whitespace() || "\"'<>(),".contains(c);
    let [mut at, mut new_at] = [0, 0];
    let mut changes = Vec::new();
    loop {
        let pairs = old[at..].chars().zip(new[new_at..].chars());
        let equal: usize = pairs
            .take_while(|(x, y)| x == y)
            .map(|(x, _)| x.len_utf8())
            .sum();
        [at, new_at] = [at + equal, new_at + equal];
        if at == old.len() && new_at == new.len() {
            return changes;
        }
        // The rest of the URL, and what delimits it.
        let rest = &old[at..];
        let length = rest.char_indices().find(|(_, c)| ends(*c));
        let length = length.map_or(rest.len(), |(at, c)| at + c.len_utf8());
        let found = new[new_at..].find(&rest[..length]);
        let end = found
            .filter(|_| length > 0)
            .map_or(new.len(), |found| new_at + found);
        let old_end = if end == new.len() { old.len() } else { at };
        changes.push([at..old_end, new_at..end]);
        [at, new_at] = [old_end, end];
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

/// Where the strings of JSON are, without their quotes.
fn strings(json: &[u8]) -> HashMap<Range<usize>, Spelling> {
    let Ok(json) = std::str::from_utf8(json) else {
        return HashMap::new();
    };
    let strings = grammar::strings(json).into_iter();
    strings.map(|place| (place, Spelling::Json)).collect()
}

/// Where the values of attributes and the contents of elements are.
fn elements(xml: &[u8]) -> HashMap<Range<usize>, Spelling> {
    let mut reader = xml::Reader::default();
    reader.opens_all = true;
    reader.take(xml, true);
    let (mut places, mut open, mut start) = (HashMap::new(), Vec::new(), 0);
    while let Some(token) = reader.next() {
        match token {
            Token::Tag(tag) => {
                start = tag.end;
                let values = tag.attributes.into_iter().filter_map(|it| it.value);
                places.extend(values.map(|value| (value, Spelling::Value(Entities::Xml))));
            }
            Token::Open(_) => open.push(start),
            Token::Close(end) => {
                let content = open.pop().map(|start| start..end);
                places.extend(content.map(|it| (it, Spelling::Content(Entities::Xml))));
            }
        }
    }
    places
}
