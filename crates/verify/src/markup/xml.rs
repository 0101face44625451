//! Where the tags of a document in XML are, as quick-xml sees them.
//!
//! Nothing is expanded to find a tag, so that no declaration makes a document larger than it is.

use std::collections::VecDeque;
use std::ops::Range;

use encoding_rs::UTF_8;
use quick_xml::errors::{Error, SyntaxError};
use quick_xml::events::attributes::Attributes;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader as QuickXml;

use crate::markup::{Attribute, NAMESPACES, Tag, Token};
use crate::text::{ATTRIBUTE, Spelling};
use abslink_html::Syntax;
use abslink_html::prefixes::{Prefixes, declared};
use abslink_html::shared::{Delimiter, Namespace};

/// Takes an XHTML document in pieces.
#[derive(Default)]
pub(crate) struct XmlTags {
    tokens: VecDeque<Token>,
    /// Up to here no token begins that is still to come.
    pub(crate) done: usize,
    /// How much stood behind that at the last try.
    tried: usize,
    open: Vec<OpenElement>,
    prefixes: Prefixes<&'static [Namespace]>,
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

/// An element that is open.
struct OpenElement {
    /// How many prefixes are bound around it.
    bindings: usize,
    /// Whether its text is asked for, or that of an element around it.
    has_text: bool,
    is_in_template: bool,
}

impl XmlTags {
    /// Takes all that was read behind [`XmlTags::done`], or the end.
    pub(crate) fn take(&mut self, rest: &[u8], last: bool) {
        // What was too short has to double, so that the time for a token grows as its length does.
        if last || rest.len() >= 2 * self.tried {
            let length = self.read(rest, last);
            self.done += length;
            self.tried = rest.len() - length;
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

    /// Finds the tokens of a part of the document; says how much of it is done with.
    fn read(&mut self, bytes: &[u8], last: bool) -> usize {
        if self.is_broken {
            return bytes.len();
        }
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
                    self.push(attributes, instruction.as_ptr() as usize, place, &[], None);
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
        self.has_root = true;
        let bindings = self.prefixes.count();
        // Namespaces in XML §3.
        for attribute in tag.attributes().with_checks(false).flatten() {
            if let Some(prefix) = declared(attribute.key.into_inner().as_bytes()) {
                self.prefixes.bind(prefix, namespaces(&attribute.value));
            }
        }
        let prefix = tag.name().prefix().map_or("", |prefix| prefix.into_inner());
        let namespaces = if self.has_defaults {
            NAMESPACES
        } else {
            self.prefixes.get(prefix.as_bytes()).unwrap_or_default()
        };
        let is_html = namespaces.contains(&Namespace::Html);
        let may_have_text = is_html || namespaces.contains(&Namespace::Svg);
        let name = tag.local_name().into_inner();
        let around = self.open.last();
        let has_text = around.map_or(self.opens_all, |around| around.has_text)
            || may_have_text && matches!(name, "style" | "script");
        let text = (has_content && has_text).then_some(Delimiter::Content);
        let (attributes, address) = (tag.attributes(), tag.as_ptr() as usize);
        let is_in_template = around.is_some_and(|around| around.is_in_template);
        self.push(attributes, address, place, namespaces, text);
        if has_content {
            self.open.push(OpenElement {
                bindings,
                has_text,
                is_in_template: is_in_template || is_html && name == "template",
            });
        } else {
            self.prefixes.unbind(bindings);
        }
    }

    fn end_tag(&mut self, start: usize) {
        let Some(element) = self.open.pop() else {
            return;
        };
        self.prefixes.unbind(element.bindings);
        if element.has_text {
            self.tokens.push_back(Token::Close(start));
        }
    }

    /// Pushes a tag whose name begins at an address, or an instruction's after `<?`.
    fn push(
        &mut self,
        mut found: Attributes<'_>,
        address: usize,
        place: Range<usize>,
        namespaces: &'static [Namespace],
        text: Option<Delimiter>,
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
            base_counts: !self.open.last().is_some_and(|open| open.is_in_template),
            is_sure: true,
            text,
        }));
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
    let spelling = Spelling::of(Syntax::Xml, UTF_8);
    match &*spelling.read(value.as_bytes(), ATTRIBUTE).text {
        "http://www.w3.org/1999/xhtml" => &[Namespace::Html],
        "http://www.w3.org/2000/svg" => &[Namespace::Svg],
        "http://www.w3.org/1998/Math/MathML" => &[Namespace::MathMl],
        unknown if unknown.contains('&') => NAMESPACES,
        _ => &[],
    }
}
