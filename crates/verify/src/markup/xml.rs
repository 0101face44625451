//! Where the tags of a document in XML are, as quick-xml sees them.
//!
//! Nothing is expanded to find a tag, so that no declaration makes a document larger than it is.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use encoding_rs::UTF_8;
use quick_xml::errors::{Error, SyntaxError};
use quick_xml::events::attributes::Attributes;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader as QuickXml;

use crate::markup::{Attribute, Content, NAMESPACES, Tag, Token};
use crate::text::{ATTRIBUTE, Spelling};
use abslink_html::Syntax;
use abslink_html::shared::Namespace;

/// Takes an XHTML document in pieces.
#[derive(Default)]
pub(crate) struct XmlTags {
    tokens: VecDeque<Token>,
    /// What was taken and is not done with.
    rest: Vec<u8>,
    /// Where that begins in the document.
    done: usize,
    /// Its length at the last try.
    tried: usize,
    /// Of an element with text: how many elements are open in it, itself included.
    inside: usize,
    templates: Vec<usize>,
    depth: usize,
    /// The prefixes that open elements declare, by the depth of those, and what each stands for, the
    /// innermost last.
    declared: Vec<(usize, String)>,
    prefixes: HashMap<String, Vec<&'static [Namespace]>>,
    /// Whether the document type declaration declares entities, or attributes by default: these may declare
    /// namespaces, and be any place.
    has_entities: bool,
    has_defaults: bool,
    /// Whether the text of every element is asked for.
    pub(crate) opens_all: bool,
    /// Whether the root element has begun.
    has_root: bool,
    /// From here on it is not well-formed.
    is_broken: bool,
}

impl XmlTags {
    /// Takes the next piece, or the end.
    pub(crate) fn take(&mut self, piece: &[u8], last: bool) {
        self.rest.extend_from_slice(piece);
        // What was too short has to double, so that the time for a token grows as its length does.
        if last || self.rest.len() >= 2 * self.tried {
            let rest = std::mem::take(&mut self.rest);
            let length = if self.is_broken {
                rest.len()
            } else {
                self.read(&rest, last)
            };
            self.done += length;
            self.rest = rest;
            self.rest.drain(..length);
            self.tried = self.rest.len();
        }
    }

    /// The next token, if it is there.
    pub(crate) fn next(&mut self) -> Option<Token> {
        self.tokens.pop_front()
    }

    /// Whether declarations may spell an element, or a part of one.
    pub(crate) fn has_declarations(&self) -> bool {
        self.has_entities || self.has_defaults
    }

    /// Up to here no token begins that is still to come.
    pub(crate) fn done(&self) -> usize {
        self.done
    }

    /// Finds the tokens of a part of the document; says how much of it is done with.
    fn read(&mut self, bytes: &[u8], last: bool) -> usize {
        // Only ASCII characters delimit anything.
        let mask = |&byte: &u8| char::from(if byte.is_ascii() { byte } else { b'x' });
        let text: String = bytes.iter().map(mask).collect();
        let mut reader = QuickXml::from_str(&text);
        let config = reader.config_mut();
        config.allow_dangling_amp = true;
        config.allow_unmatched_ends = true;
        config.check_end_names = false;
        loop {
            let start = position(reader.buffer_position());
            let event = reader.read_event();
            let end = position(reader.buffer_position());
            let place = self.done + start..self.done + end;
            match event {
                Ok(Event::Start(tag)) => self.start_tag(&tag, place, true),
                Ok(Event::Empty(tag)) => self.start_tag(&tag, place, false),
                Ok(Event::End(_)) => self.end_tag(place.start),
                // It is in the prolog only that one names a style sheet.
                Ok(Event::PI(instruction)) if !self.has_root => {
                    let attributes = instruction.attributes();
                    self.push(attributes, instruction.as_ptr() as usize, place, &[]);
                }
                Ok(Event::DocType(_)) => {
                    let declares = |what: &str| text[start..end].contains(what);
                    self.has_entities |= declares("<!ENTITY");
                    self.has_defaults |= declares("<!ATTLIST");
                }
                Ok(Event::Eof) => return text.len(),
                Ok(_) => {}
                Err(Error::Syntax(error)) if !last && may_go_on(&error, &text[start..]) => {
                    return start;
                }
                Err(_) => {
                    self.is_broken = true;
                    return text.len();
                }
            }
        }
    }

    fn start_tag(&mut self, tag: &BytesStart<'_>, place: Range<usize>, has_content: bool) {
        let name = tag.local_name().into_inner();
        self.has_root = true;
        self.depth += 1;
        self.declare(tag);
        let namespaces = self.namespaces(tag);
        self.push_tag(tag, place, namespaces);
        if has_content {
            self.content(name, namespaces);
        } else {
            self.leave();
        }
    }

    /// Namespaces in XML §3: takes in the declarations of a tag.
    fn declare(&mut self, tag: &BytesStart<'_>) {
        for attribute in tag.attributes().with_checks(false).flatten() {
            let prefix = match attribute.key.into_inner().strip_prefix("xmlns") {
                Some("") => "",
                Some(rest) if rest.starts_with(':') => &rest[1..],
                _ => continue,
            };
            let namespaces = namespaces(&attribute.value);
            self.declared.push((self.depth, prefix.to_owned()));
            let stack = self.prefixes.entry(prefix.to_owned()).or_default();
            stack.push(namespaces);
        }
    }

    /// In which namespace an element is, by its prefix.
    fn namespaces(&self, tag: &BytesStart<'_>) -> &'static [Namespace] {
        if self.has_defaults {
            return NAMESPACES;
        }
        let prefix = tag.name().prefix().map_or("", |prefix| prefix.into_inner());
        let bound = self.prefixes.get(prefix).and_then(|bound| bound.last());
        bound.copied().unwrap_or_default()
    }

    /// An element ends.
    fn leave(&mut self) {
        while let Some((_, prefix)) = self.declared.pop_if(|(depth, _)| *depth == self.depth) {
            self.prefixes
                .entry(prefix)
                .and_modify(|bound| bound.truncate(bound.len().saturating_sub(1)));
        }
        self.depth = self.depth.saturating_sub(1);
    }

    fn push_tag(
        &mut self,
        tag: &BytesStart<'_>,
        place: Range<usize>,
        namespaces: &'static [Namespace],
    ) {
        self.push(tag.attributes(), tag.as_ptr() as usize, place, namespaces);
    }

    /// Pushes a tag whose name begins at an address, or an instruction's after `<?`.
    fn push(
        &mut self,
        mut found: Attributes<'_>,
        address: usize,
        place: Range<usize>,
        namespaces: &'static [Namespace],
    ) {
        let is_instruction = usize::from(namespaces.is_empty() && !self.has_root);
        let inside = place.start + "<".len() + is_instruction;
        let offset = |part: &str| inside + (part.as_ptr() as usize - address);
        let mut attributes = Vec::new();
        for attribute in found.with_checks(false).flatten() {
            let name = attribute.key.into_inner();
            let (name, value) = (offset(name)..offset(name) + name.len(), attribute.value);
            let value = offset(&value)..offset(&value) + value.len();
            let value = Some(value);
            attributes.push(Attribute { name, value });
        }
        self.tokens.push_back(Token::Tag(Tag {
            start: place.start,
            end: place.end,
            attributes,
            namespaces,
            base_counts: self.templates.is_empty(),
            is_sure: true,
        }));
    }

    /// What follows a start tag.
    fn content(&mut self, name: &str, namespaces: &[Namespace]) {
        let is_in = |namespace| namespaces.contains(&namespace);
        let has_text = is_in(Namespace::Html) || is_in(Namespace::Svg);
        let opened = match name {
            "style" if has_text => Content::Style { is_raw: false },
            "script" if has_text => Content::Script { is_raw: false },
            "template" if is_in(Namespace::Html) => {
                self.templates.push(self.depth);
                Content::Inner
            }
            _ => Content::Inner,
        };
        if self.inside > 0 || opened != Content::Inner || self.opens_all {
            self.inside += 1;
            self.tokens.push_back(Token::Open(opened));
        }
    }

    fn end_tag(&mut self, start: usize) {
        if self.templates.last() == Some(&self.depth) {
            self.templates.pop();
        }
        self.leave();
        if self.inside > 0 {
            self.inside -= 1;
            self.tokens.push_back(Token::Close(start));
        }
    }
}

fn position(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

/// Whether the markup that a text ends in may go on in the next piece.
fn may_go_on(error: &SyntaxError, text: &str) -> bool {
    !matches!(error, SyntaxError::InvalidBangMarkup) || text.len() < "<!DOCTYPE".len()
}

/// The namespace that a declaration names. With an entity that nobody knows it may be any.
fn namespaces(value: &str) -> &'static [Namespace] {
    let spelling = Spelling {
        syntax: Syntax::Xml,
        encoding: UTF_8,
        is_feed: false,
    };
    match &*spelling.read(value.as_bytes(), ATTRIBUTE).text {
        "http://www.w3.org/1999/xhtml" => &[Namespace::Html],
        "http://www.w3.org/2000/svg" => &[Namespace::Svg],
        "http://www.w3.org/1998/Math/MathML" => &[Namespace::MathMl],
        unknown if unknown.contains('&') => NAMESPACES,
        _ => &[],
    }
}
