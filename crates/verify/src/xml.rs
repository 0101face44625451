//! Where the tags of an XHTML document are, as quick-xml sees them, and what its entities stand
//! for.
//!
//! Nothing is expanded to find a tag, so that no declaration makes a document larger than it is.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use quick_xml::errors::{Error, SyntaxError};
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader as QuickXml;

use super::tokens::{Attribute, NAMESPACES, Opened, Tag, Token};
use abslink_html::shared::Namespace;

/// Takes an XHTML document in pieces.
#[derive(Default)]
pub(crate) struct Reader {
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
    /// What the document type declaration declares.
    pub(crate) entities: Entities,
    /// From here on it is not well-formed.
    is_broken: bool,
}

impl Reader {
    /// Takes the next piece, or the end.
    pub(crate) fn take(&mut self, piece: &[u8], last: bool) {
        self.rest.extend_from_slice(piece);
        // What was too short has to double, so that the time for a token grows as its length does.
        if last || self.rest.len() >= 2 * self.tried {
            let rest = std::mem::take(&mut self.rest);
            let length = match self.is_broken {
                true => rest.len(),
                false => self.read(&rest, last),
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
                Ok(Event::DocType(_)) => {
                    self.entities
                        .read(&String::from_utf8_lossy(&bytes[start..end]));
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
            let namespaces = self.entities.namespaces(&attribute.value);
            self.declared.push((self.depth, prefix.to_owned()));
            let stack = self.prefixes.entry(prefix.to_owned()).or_default();
            stack.push(namespaces);
        }
    }

    /// In which namespace an element is, by its prefix.
    fn namespaces(&self, tag: &BytesStart<'_>) -> &'static [Namespace] {
        if self.entities.has_defaults {
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
        let inside = place.start + "<".len();
        let offset = |part: &str| inside + (part.as_ptr() as usize - tag.as_ptr() as usize);
        let mut attributes = Vec::new();
        for attribute in tag.attributes().with_checks(false).flatten() {
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
        }));
    }

    /// What follows a start tag.
    fn content(&mut self, name: &str, namespaces: &[Namespace]) {
        let is_in = |namespace| namespaces.contains(&namespace);
        let has_text = is_in(Namespace::Html) || is_in(Namespace::Svg);
        let opened = match name {
            "style" if has_text => Opened::Style { is_raw: false },
            "script" if has_text => Opened::Script { is_raw: false },
            "template" if is_in(Namespace::Html) => {
                self.templates.push(self.depth);
                Opened::Inner
            }
            _ => Opened::Inner,
        };
        if self.inside > 0 || opened != Opened::Inner {
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

/// What the general entities of a document stand for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entities {
    texts: HashMap<String, String>,
    /// Whether there are attributes by default: they may declare namespaces, and be any place.
    has_defaults: bool,
}

/// What becomes a space in an attribute's value.
pub(crate) const BLANKS: [char; 3] = ['\t', '\n', '\r'];

/// Entities in entities are followed so deep.
const DEPTH: usize = 40;
/// So many may stand for a value, and so much text.
const LONGEST: usize = 1 << 16;

/// How much the entities of a value may still stand for.
pub(crate) struct Allowance(usize);

impl Default for Allowance {
    fn default() -> Allowance {
        Allowance(LONGEST)
    }
}

impl Entities {
    /// Whether declarations may spell an element, or a part of one.
    pub(crate) fn may_spell(&self) -> bool {
        !self.texts.is_empty() || self.has_defaults
    }

    /// Which namespace a declaration names. With an entity that nobody knows it may be any.
    fn namespaces(&self, value: &str) -> &'static [Namespace] {
        let mut name = String::new();
        self.expand(value, 0, &mut Allowance::default().0, &mut name);
        match name.as_str() {
            "http://www.w3.org/1999/xhtml" => &[Namespace::Html],
            "http://www.w3.org/2000/svg" => &[Namespace::Svg],
            "http://www.w3.org/1998/Math/MathML" => &[Namespace::MathMl],
            unknown if unknown.contains('&') => NAMESPACES,
            _ => &[],
        }
    }

    /// XML 1.0 §4.2: reads the declarations of internal general entities. The first of a name
    /// counts. Those behind a reference to a parameter entity are not sure.
    fn read(&mut self, declaration: &str) {
        self.has_defaults |= declaration.contains("<!ATTLIST");
        let mut rest = declaration;
        while let Some(at) = rest.find("<!") {
            rest = &rest[at..];
            if let Some(comment) = rest.strip_prefix("<!--") {
                rest = comment.split_once("-->").map_or("", |(_, after)| after);
                continue;
            }
            let declared = rest.strip_prefix("<!ENTITY");
            rest = &rest["<!".len()..];
            let Some(declared) = declared else { continue };
            let (name, value) = match declared.trim_start().split_once(char::is_whitespace) {
                Some((name, value)) if name != "%" => (name, value.trim_start()),
                _ => continue,
            };
            let quoted = ['"', '\''].into_iter().find_map(|quote| {
                let (value, after) = value.strip_prefix(quote)?.split_once(quote)?;
                Some((value, after))
            });
            if let Some((value, after)) = quoted {
                let value = with_characters(value);
                self.texts.entry(name.to_owned()).or_insert(value);
                rest = after;
            }
        }
    }

    /// XML 1.0 §4.4: what a reference in a text stands for, which is given with its `&` and its `;`.
    /// None where it stands for itself, because nobody can tell.
    pub(crate) fn in_text(&self, reference: &str, allowance: &mut Allowance) -> Option<String> {
        let mut out = String::new();
        self.expand(reference, 0, &mut allowance.0, &mut out);
        (out != reference).then_some(out)
    }

    /// XML 1.0 §3.3.3: a reference in an attribute's value likewise. Blanks become spaces, save those
    /// that are spelled as character references in the value itself.
    pub(crate) fn in_value(&self, reference: &str, allowance: &mut Allowance) -> Option<String> {
        let text = self.in_text(reference, allowance)?;
        let name = reference.trim_start_matches('&').trim_end_matches(';');
        match self.texts.contains_key(name) {
            true => Some(text.replace(BLANKS, " ")),
            false => Some(text),
        }
    }

    fn expand(&self, text: &str, depth: usize, left: &mut usize, out: &mut String) {
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('&') {
            out.push_str(before);
            rest = after;
            let end = after.find(['&', ';']).unwrap_or(after.len());
            let (name, after) = after.split_at(end);
            let Some(after) = after.strip_prefix(';') else {
                out.push('&');
                continue;
            };
            let declared = self.texts.get(name);
            match declared {
                Some(text) if depth < DEPTH && *left > text.len() => {
                    *left -= text.len() + 1;
                    self.expand(text, depth + 1, left, out);
                }
                _ => match character(name) {
                    Some(c) => out.push(c),
                    // The five entities of XML, and those of HTML.
                    None => {
                        let named = htmlize::unescape(format!("&{name};"));
                        let unknown = named.len() > 1 && named.starts_with('&');
                        if declared.is_some() || unknown {
                            out.push('&');
                            continue;
                        }
                        out.push_str(&named);
                    }
                },
            }
            rest = after;
        }
        out.push_str(rest);
    }
}

/// XML 1.0 §4.1: the character that a reference stands for, which is given without its `&` and its `;`.
fn character(name: &str) -> Option<char> {
    let digits = name.strip_prefix('#')?;
    let code = match digits.strip_prefix('x') {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    code.ok().and_then(char::from_u32)
}

/// XML 1.0 §4.4.5: the literal of an entity. Where it is declared, references to characters are read,
/// so that those may begin others where it is used.
fn with_characters(literal: &str) -> String {
    let mut out = String::new();
    let mut rest = literal;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let read = after.split_once(';');
        let read = read.and_then(|(name, after)| Some((character(name)?, after)));
        match read {
            Some((c, after)) => {
                out.push(c);
                rest = after;
            }
            None => {
                out.push('&');
                rest = after;
            }
        }
    }
    out + rest
}
