//! Where a piece of markup ends: the part of XML's grammar that needs no state.

use std::collections::HashSet;
use std::ops::Range;

use memchr::{memchr, memchr_iter, memmem};

pub use super::super::{Attribute, Quote};

/// The kind of markup that begins with a `<`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkupKind {
    /// `<!--`.
    Comment,
    /// A CDATA section.
    Cdata,
    /// A processing instruction, or the XML declaration.
    Instruction,
    /// A document type declaration.
    Declaration,
    /// `</`.
    EndTag,
    /// Any other `<`.
    StartTag,
}

impl MarkupKind {
    /// The kind of markup that begins here, with a `<`.
    pub fn of(markup: &[u8]) -> MarkupKind {
        match markup {
            [b'<', b'!', b'-', b'-', ..] => MarkupKind::Comment,
            _ if markup.starts_with(b"<![CDATA[") => MarkupKind::Cdata,
            [b'<', b'!', ..] => MarkupKind::Declaration,
            [b'<', b'?', ..] => MarkupKind::Instruction,
            [b'<', b'/', ..] => MarkupKind::EndTag,
            _ => MarkupKind::StartTag,
        }
    }

    /// The length of the markup of this kind at the start of `bytes`, unless that is a start tag;
    /// `None` if they end inside it.
    pub fn length(self, bytes: &[u8]) -> Option<usize> {
        match self {
            MarkupKind::Comment => Some(4 + memmem::find(&bytes[4..], b"-->")? + 3),
            MarkupKind::Cdata => Some(9 + memmem::find(&bytes[9..], b"]]>")? + 3),
            MarkupKind::Instruction => Some(memmem::find(bytes, b"?>")? + 2),
            MarkupKind::Declaration => doctype(bytes),
            MarkupKind::EndTag => Some(memchr(b'>', bytes)? + 1),
            MarkupKind::StartTag => Some(tag(bytes, 0, |_| {})?.end),
        }
    }
}

/// Where a start tag ends.
pub struct TagEnd {
    /// After its `>`.
    pub end: usize,
    /// Whether that is `/>`.
    pub self_closing: bool,
    /// Whether it has a name; a `<` without one is a character.
    pub named: bool,
}

/// Finds the attributes and the end of the start tag whose `<` is at `start`; `None` where the
/// document ends inside it.
pub fn tag(document: &[u8], start: usize, mut found: impl FnMut(Attribute)) -> Option<TagEnd> {
    let name = start + 1;
    let mut at = name + name_length(&document[name..]);
    if at == name {
        document.get(at)?;
        return Some(TagEnd {
            end: at,
            self_closing: false,
            named: false,
        });
    }
    let self_closing = loop {
        at += spaces(&document[at..]);
        match document.get(at)? {
            b'>' => break false,
            b'/' if document.get(at + 1) == Some(&b'>') => break true,
            b'/' | b'=' | b'<' | b'"' | b'\'' => at += 1,
            _ => {
                let attribute = attribute(document, at)?;
                at = attribute.value.end + usize::from(attribute.quote != Quote::Missing);
                found(attribute);
            }
        }
    };
    Some(TagEnd {
        end: at + 1 + usize::from(self_closing),
        self_closing,
        named: true,
    })
}

/// Drops the attributes that repeat a name: what has one is not well-formed, and HTML keeps the first.
pub fn drop_repeats(document: &[u8], attributes: &mut Vec<Attribute>) {
    /// Up to this many are compared one by one.
    const FEW: usize = 16;
    let mut names: Vec<&[u8]> = Vec::new();
    let mut seen: HashSet<&[u8]> = HashSet::new();
    let is_long = attributes.len() > FEW;
    attributes.retain(|attribute| {
        let name = &document[attribute.name.clone()];
        if is_long {
            return seen.insert(name);
        }
        let is_new = !names.contains(&name);
        names.push(name);
        is_new
    });
}

/// The `href` of an `xml-stylesheet` instruction at the start of `bytes`, and its target (Associating Style
/// Sheets with XML documents 1.0 §3). Only the entities of XML itself count there; a value with another one,
/// or with a `<`, is an error.
pub fn stylesheet(bytes: &[u8]) -> Option<(Range<usize>, Attribute)> {
    const TARGET: &[u8] = b"xml-stylesheet";
    let rest = bytes.strip_prefix(b"<?")?.strip_prefix(TARGET)?;
    rest.first().filter(|byte| is_space(**byte))?;
    let target = 2..2 + TARGET.len();
    let end = MarkupKind::Instruction.length(bytes)? - "?>".len();
    let (instruction, mut at) = (&bytes[..end], target.end);
    loop {
        at += spaces(&instruction[at..]);
        let found = attribute(instruction, at).filter(|it| it.quote != Quote::Missing)?;
        at = found.value.end + 1;
        if instruction[found.name.clone()] == *b"href" {
            let value = &instruction[found.value.clone()];
            let is_valid =
                memchr(b'<', value).is_none() && entity_references(value).next().is_none();
            return is_valid.then_some((target, found));
        }
    }
}

/// The attribute whose name starts at `at`; `None` if the document ends inside it.
fn attribute(document: &[u8], at: usize) -> Option<Attribute> {
    let name = at..at + name_length(&document[at..]);
    let equals = name.end + spaces(&document[name.end..]);
    let (quote, value) = if *document.get(equals)? == b'=' {
        let open = equals + 1 + spaces(&document[equals + 1..]);
        let quoted = || Some(open + 1..open + 1 + memchr(document[open], &document[open + 1..])?);
        match document.get(open)? {
            b'"' => (Quote::Double, quoted()?),
            b'\'' => (Quote::Single, quoted()?),
            _ => (Quote::Missing, equals + 1..equals + 1),
        }
    } else {
        (Quote::Missing, name.end..name.end)
    };
    Some(Attribute { name, value, quote })
}

/// The length of a document type declaration, including its internal subset.
fn doctype(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    let mut subset = false;
    loop {
        match bytes.get(at)? {
            b'[' => subset = true,
            b']' => subset = false,
            b'>' if !subset => return Some(at + 1),
            b'<' if bytes[at..].starts_with(b"<!--") => {
                at += 4 + memmem::find(&bytes[at + 4..], b"-->")?;
            }
            b'<' if bytes[at..].starts_with(b"<?") => at += memmem::find(&bytes[at..], b"?>")?,
            quote @ (b'"' | b'\'') => at += 1 + memchr(*quote, &bytes[at + 1..])?,
            _ => {}
        }
        at += 1;
    }
}

/// A piece of an element's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// Characters, and references to others.
    Text,
    /// The data of a CDATA section.
    Cdata,
    /// Neither text nor an element.
    Other,
    /// A start tag.
    Open,
    /// An end tag.
    Close,
}

/// The pieces of content, by byte range: for a [`Item::Cdata`] that of the data.
///
/// It ends before a piece in which the bytes end; [`Items::position`] says where.
pub struct Items<'b> {
    bytes: &'b [u8],
    /// After the last piece.
    pub position: usize,
}

impl<'b> Items<'b> {
    /// From the start of `bytes` on.
    pub fn new(bytes: &'b [u8]) -> Items<'b> {
        Items { bytes, position: 0 }
    }
}

impl Iterator for Items<'_> {
    type Item = (Item, Range<usize>);

    fn next(&mut self) -> Option<(Item, Range<usize>)> {
        let start = self.position;
        let rest = &self.bytes[start..];
        if rest.first()? != &b'<' {
            self.position += memchr(b'<', rest).unwrap_or(rest.len());
            return Some((Item::Text, start..self.position));
        }
        let kind = MarkupKind::of(rest);
        if kind == MarkupKind::StartTag {
            let tag = tag(rest, 0, |_| {})?;
            self.position += tag.end;
            let item = if tag.named && !tag.self_closing {
                Item::Open
            } else {
                Item::Other
            };
            return Some((item, start..self.position));
        }
        self.position += kind.length(rest)?;
        Some(match kind {
            MarkupKind::Cdata => (Item::Cdata, start + 9..self.position - 3),
            MarkupKind::EndTag => (Item::Close, start..self.position),
            _ => (Item::Other, start..self.position),
        })
    }
}

/// The length of an element's content, at the start of `bytes`; `None` if they end inside it.
pub fn content_length(bytes: &[u8]) -> Option<usize> {
    let mut depth = 0;
    for (item, range) in Items::new(bytes) {
        match item {
            Item::Open => depth += 1,
            Item::Close if depth == 0 => return Some(range.start),
            Item::Close => depth -= 1,
            _ => {}
        }
    }
    None
}

/// XML 1.0 §2.3, `S`.
pub fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r' | b' ')
}

/// How many white space characters there are at the start.
pub fn spaces(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| is_space(**byte)).count()
}

/// How long the name at the start is, in a tag.
pub fn name_length(bytes: &[u8]) -> usize {
    let is_part = |byte: &u8| !is_space(*byte) && !b"/>=<\"'".contains(byte);
    bytes.iter().take_while(|byte| is_part(byte)).count()
}

/// XML 1.0 §4.1: the name in the reference at the start of `bytes`, if that is one to a general entity other
/// than the five that need no declaration (§4.6).
pub fn entity_reference(bytes: &[u8]) -> Option<&[u8]> {
    let length = entity_name_length(&bytes[1..]);
    let name = &bytes[1..1 + length];
    let begins = name.first()?;
    let is_other = bytes.get(1 + length) == Some(&b';')
        && !begins.is_ascii_digit()
        && !matches!(begins, b'-' | b'.')
        && !matches!(name, b"amp" | b"lt" | b"gt" | b"quot" | b"apos");
    is_other.then_some(name)
}

/// The names of general entities to which some text refers, and where each reference is.
pub fn entity_references(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    memchr_iter(b'&', text).filter_map(|at| Some((at, entity_reference(&text[at..])?)))
}

/// XML 1.0 §4.1: the character that the character reference at the start of `bytes` stands for, and
/// the length of that. `None` if it is not well-formed.
pub fn character_reference(bytes: &[u8]) -> Option<(char, usize)> {
    // Longer than any needs to be; with a limit, a run of ampersands takes linear time.
    const LONGEST: usize = 32;
    let end = memchr(b';', &bytes[..bytes.len().min(LONGEST)])?;
    let number = std::str::from_utf8(bytes[..end].strip_prefix(b"&#")?).ok()?;
    let hexadecimal = number.strip_prefix('x').map(|digits| (digits, 16));
    let (digits, radix) = hexadecimal.unwrap_or((number, 10));
    // `from_str_radix` takes a sign, XML does not.
    if !digits.starts_with(|c: char| c.is_digit(radix)) {
        return None;
    }
    let character = char::from_u32(u32::from_str_radix(digits, radix).ok()?)?;
    (character != '\0').then_some((character, end + 1))
}

/// XML 1.0 §2.3, as far as ASCII goes: how many bytes can be part of a name.
pub fn entity_name_length(bytes: &[u8]) -> usize {
    let is_part =
        |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii() || b"-._:".contains(byte);
    bytes.iter().take_while(|byte| is_part(byte)).count()
}
