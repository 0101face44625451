//! What both readers, that for HTML and that for XML, find in a document.

pub(crate) mod document;
pub(crate) mod html;
pub(crate) mod xml;

use std::collections::VecDeque;
use std::ops::Range;

use memchr::memchr;

use crate::fault::Doubt;

use abslink_html::Syntax;
use abslink_html::shared::{Delimiter, Namespace};

/// What a reader has found so far.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) tokens: VecDeque<Token>,
    /// Up to here no token begins that is still to come.
    pub(crate) done: usize,
    /// The first thing that makes the document hard to read, and where.
    pub(crate) doubt: Option<Doubt>,
}

impl Found {
    fn doubt(&mut self, at: usize, what: &'static str) {
        self.doubt.get_or_insert((at, what));
    }
}

/// What stands between two runs of plain bytes.
#[derive(Debug)]
pub(crate) enum Token {
    /// A start tag.
    Tag(Tag),
    /// The text of the last open [`Tag::text`] ends here.
    Close(usize),
    /// An end tag, a comment, or other markup that has no text.
    Other(Range<usize>),
}

/// A start tag.
#[derive(Debug)]
pub(crate) struct Tag {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Where the name of its element ends.
    pub(crate) name_end: usize,
    /// The values of `xml:base` that count there, the outermost first, with NULs between them.
    pub(crate) xml_bases: String,
    /// Where its element may be.
    pub(crate) namespaces: &'static [Namespace],
    /// Whether a `base` here would count.
    pub(crate) base_applies: bool,
    /// Whether its reader is sure what follows: markup, or text.
    pub(crate) is_sure: bool,
    /// If what follows, up to [`Token::Close`], is the text of its element: how that is delimited.
    pub(crate) text: Option<Delimiter>,
}

/// An attribute of a start tag.
#[derive(Debug)]
pub(crate) struct Attribute {
    pub(crate) name: Range<usize>,
    /// Its value without the quotes, if it has one.
    pub(crate) value: Option<Range<usize>>,
}

impl Token {
    pub(crate) fn start(&self) -> usize {
        match self {
            Token::Tag(tag) => tag.start,
            Token::Close(start) => *start,
            Token::Other(place) => place.start,
        }
    }
}

impl Tag {
    pub(crate) fn place(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Its attributes, which are looked for in its bytes: most tags are the same in both documents, and nobody asks.
    pub(crate) fn attributes(&self, bytes: &[u8], syntax: Syntax) -> Vec<Attribute> {
        let mut list = Vec::new();
        let moved = |range: Range<usize>| range.start + self.start..range.end + self.start;
        attributes(bytes, self.name_end - self.start, syntax, &mut |it| {
            list.push(Attribute {
                name: moved(it.name),
                value: it.value.map(moved),
            });
        });
        list
    }
}

impl Attribute {
    /// Where its value is, or may be written.
    pub(crate) fn value(&self) -> Range<usize> {
        let end = self.name.end;
        self.value.clone().unwrap_or(end..end)
    }
}

/// Those that have places of URLs.
pub(crate) const NAMESPACES: &[Namespace] = &[Namespace::Html, Namespace::Svg, Namespace::MathMl];

/// Where a tag ends, and how.
#[derive(Default)]
struct TagEnd {
    /// The length of the tag.
    length: usize,
    closes_itself: bool,
    /// Where it is not well-formed XML first.
    stray: Option<usize>,
}

/// HTML 13.2.5.32; XML 1.0 §2.3, `S`.
fn is_blank(byte: u8, syntax: Syntax) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r' | b' ') || byte == b'\x0c' && syntax == Syntax::Html
}

/// How long the name at the start is.
fn name_length(bytes: &[u8], syntax: Syntax) -> usize {
    let marks: &[u8] = match syntax {
        Syntax::Html => b"/>",
        Syntax::Xml => b"/>=<\"'",
    };
    let ends = |byte: &u8| is_blank(*byte, syntax) || marks.contains(byte);
    bytes.iter().position(ends).unwrap_or(bytes.len())
}

/// Gives `each` the attributes of a tag whose name ends at `at`; `None` where the tag does not end. In XML, what lacks a
/// value or its quotes is no attribute.
fn attributes(
    bytes: &[u8],
    mut at: usize,
    syntax: Syntax,
    each: &mut dyn FnMut(Attribute),
) -> Option<TagEnd> {
    let is_xml = syntax == Syntax::Xml;
    let behind_blanks = |at: usize| {
        let rest = bytes.get(at..).unwrap_or_default();
        at + rest
            .iter()
            .take_while(|byte| is_blank(**byte, syntax))
            .count()
    };
    let mut found = TagEnd::default();
    loop {
        let byte = *bytes.get(at)?;
        if byte == b'>' {
            found.length = at + 1;
            return Some(found);
        }
        found.closes_itself = byte == b'/';
        let is_mark = found.closes_itself || is_xml && b"=<\"'".contains(&byte);
        let is_stray = match is_mark {
            true => byte != b'/' || bytes.get(at + 1) != Some(&b'>'),
            false => !is_blank(byte, syntax) && !is_blank(bytes[at - 1], syntax),
        };
        if is_stray {
            found.stray.get_or_insert(at);
        }
        if is_mark || is_blank(byte, syntax) {
            at += 1;
            continue;
        }
        // In HTML a `=` at the start is a part of it.
        let ends = |byte: &u8| is_blank(*byte, syntax) || b"/>=".contains(byte);
        let length = match syntax {
            Syntax::Html => 1 + bytes[at + 1..].iter().position(ends)?,
            Syntax::Xml => name_length(&bytes[at..], syntax),
        };
        let name = at..at + length;
        let equals = behind_blanks(name.end);
        at = name.end;
        let mut value = None;
        if *bytes.get(equals)? == b'=' {
            at = behind_blanks(equals + 1);
            let first = *bytes.get(at)?;
            let start = at;
            if matches!(first, b'"' | b'\'') {
                let end = start + 1 + memchr(first, &bytes[start + 1..])?;
                (value, at) = (Some(start + 1..end), end + 1);
            } else if !is_xml && first != b'>' {
                let ends = |byte: &u8| is_blank(*byte, syntax) || *byte == b'>';
                at += bytes[at..].iter().position(ends)?;
                value = Some(start..at);
            } else if !is_xml {
                value = Some(equals + 1..equals + 1);
            }
        }
        if is_xml && value.is_none() {
            found.stray.get_or_insert(name.start);
            continue;
        }
        each(Attribute { name, value });
    }
}
