//! The second reader of `rewrite --verify` for feeds: a tokenizer of XML of its own, and serde_json.
//!
//! It is told where the places are, of which kind, and with which base URL. What changed has to be in one
//! of these places, each of which is the value of an attribute, the content of an element or a string by
//! this reading too, and to mean the same, by the second readers of HTML.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use abslink_html::shared::{Change, Delimiter, DocumentParameters, FeedParameters, Pair};
use abslink_html::{Syntax, ValueKind, splice};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use encoding_rs::UTF_8;

use crate::compare;
use crate::fault::{Difference, Fault, Result};
use crate::grammar;
use crate::markup::{Attribute, Tag, Token, xml};
use crate::text::{ATTRIBUTE, Spelling, Texts, first_difference};

/// Compares a feed with what was made of it.
pub(crate) fn compare(
    parameters: &FeedParameters<'_>,
    [old, new]: Pair<'_>,
    changes: &[Change],
) -> Result<(), Difference> {
    let spelling = Spelling {
        is_feed: true,
        ..Spelling::of(Syntax::Xml, parameters.encoding)
    };
    let edits = edits([old, new], changes).or_else(|at| Fault::NO_PLACE.at(at))?;
    let json = String::from_utf8_lossy(new);
    let is_json = parameters.delimiter == Some(Delimiter::JsonString);
    if is_json && !grammar::is_json(json.trim_start_matches('\u{feff}')) {
        return Fault::of("no longer JSON").at(0);
    }
    let read = match parameters.delimiter {
        None => elements(old),
        Some(_) => HashMap::new(),
    };
    // Several may begin at one place.
    let edits = edits.into_iter().enumerate();
    let edits = edits.map(|(index, edit)| ((edit.0.start, index), edit));
    let mut edits: BTreeMap<_, _> = edits.collect();
    // A place may have others in it, whose edits are not its own.
    let mut places: Vec<_> = parameters.places.iter().collect();
    places.sort_by_key(|(place, ..)| place.len());
    for (place, row, number) in places {
        let within = edits.range((place.start, 0)..(place.end + 1, 0));
        let within = within.filter(|(_, (old, _))| old.end <= place.end);
        let within: Vec<_> = within.map(|(key, _)| *key).collect();
        let edits: Vec<_> = within.iter().filter_map(|key| edits.remove(key)).collect();
        if edits.is_empty() {
            continue;
        }
        let mut part = Vec::new();
        let edits = edits
            .into_iter()
            .map(|(at, new)| (at.start - place.start..at.end - place.start, new));
        splice(&old[place.clone()], edits, &mut part, |new, out| {
            out.extend_from_slice(new)
        });
        let part = [&old[place.clone()], &part];
        let delimiter = match parameters.delimiter {
            Some(Delimiter::JsonString) if !is_string(&old[..place.start], part) => None,
            None => read.get(&place).copied(),
            told => told,
        };
        let Some(delimiter) = delimiter else {
            return Fault::of("not a value, but changed").at(place.start);
        };
        let quote = old.get(place.end).copied();
        let ends = |byte: &u8| *byte == b'<' || Some(*byte) == quote;
        if delimiter == ATTRIBUTE && part[1].iter().any(ends) {
            return Fault::VALUE_ENDS.at(place.start);
        }
        let texts = Texts::read(part, delimiter, spelling, false);
        let mut texts = texts.or_else(|fault| fault.at(place.start))?;
        let html;
        if row.kind == ValueKind::EncodedHtml {
            html = decoded(&texts).or_else(|fault| fault.at(place.start))?;
            texts = Texts::plain([&html[0], &html[1]]);
        }
        if parameters.values.binary_search(&place.start).is_ok() {
            continue;
        }
        let (context, document_base) = &parameters.bases[number];
        let document = DocumentParameters {
            syntax: Syntax::Html,
            encoding: UTF_8,
            document_base,
            context,
            settings: parameters.settings,
        };
        let same = compare::value(document, (row.kind, row.against), &texts);
        same.or_else(|fault| fault.at(place.start))?;
    }
    match edits.first_key_value() {
        Some(((at, _), _)) => Fault::NO_PLACE.at(*at),
        None if parameters.delimiter.is_none() && shape(old) != shape(new) => {
            Fault::NEIGHBOURS.at(0)
        }
        None => Ok(()),
    }
}

type Replacement<'e> = (Range<usize>, &'e [u8]);

/// What was replaced, and by what. An error says where something else differs.
fn edits<'n>([old, new]: [&'n [u8]; 2], changes: &[Change]) -> Result<Vec<Replacement<'n>>, usize> {
    let [mut done, mut new_done] = [0, 0];
    let ends = [old, new].map(|bytes| bytes.len()..bytes.len());
    let mut edits = Vec::new();
    for [place, new_place] in changes.iter().chain([&ends]) {
        let between = old.get(done..place.start).unwrap_or_default();
        let new_between = new.get(new_done..new_place.start).unwrap_or_default();
        if between != new_between {
            return Err(done + first_difference([between, new_between]));
        }
        edits.push((
            place.clone(),
            new.get(new_place.clone()).unwrap_or_default(),
        ));
        [done, new_done] = [place.end, new_place.end];
    }
    // What stands for the end.
    edits.pop();
    Ok(edits)
}

/// The tokens of XML: for each tag how many attributes it has, and how many others there are behind it.
fn shape(xml: &[u8]) -> Vec<[usize; 2]> {
    let (mut reader, mut shape) = (xml::XmlTags::default(), vec![[0; 2]]);
    reader.take(xml, true);
    while let Some(token) = reader.found.tokens.pop_front() {
        match (token, &mut shape[..]) {
            (Token::Tag(tag), _) => shape.push([attributes(&tag, xml).len(), 0]),
            (_, [.., [_, others]]) => *others += 1,
            (_, []) => {}
        }
    }
    shape
}

fn attributes(tag: &Tag, xml: &[u8]) -> Vec<Attribute> {
    tag.attributes(&xml[tag.place()], Syntax::Xml)
}

/// What two texts in base64 spell (RFC 4648 §4).
fn decoded(texts: &Texts<'_>) -> Result<[String; 2]> {
    let read = |text: &str| {
        let digits: String = text.split_ascii_whitespace().collect();
        let octets = STANDARD_NO_PAD.decode(digits.trim_end_matches('=')).ok()?;
        String::from_utf8(octets).ok()
    };
    match texts.text().map(read) {
        [Some(old), Some(new)] => Ok([old, new]),
        _ => Err(Fault::of("no longer base64")),
    }
}

/// Whether a part of JSON, and what was made of it, is the inside of one string.
fn is_string(before: &[u8], part: Pair<'_>) -> bool {
    let is_one = |inside: &[u8]| grammar::is_string(&String::from_utf8_lossy(inside));
    before.ends_with(b"\"") && part.into_iter().all(is_one)
}

/// Where the values of attributes and the contents of elements are.
fn elements(xml: &[u8]) -> HashMap<Range<usize>, Delimiter> {
    let mut reader = xml::XmlTags::default();
    reader.opens_all = true;
    reader.take(xml, true);
    let (mut places, mut open) = (HashMap::new(), Vec::new());
    while let Some(token) = reader.found.tokens.pop_front() {
        match token {
            Token::Tag(tag) => {
                open.extend(tag.text.map(|_| tag.end));
                let values = attributes(&tag, xml).into_iter().filter_map(|it| it.value);
                places.extend(values.map(|value| (value, ATTRIBUTE)));
            }
            Token::Close(end) => {
                let content = open.pop().map(|start| start..end);
                places.extend(content.map(|it| (it, Delimiter::Content)));
            }
            Token::Other(_) => {}
        }
    }
    places
}
