//! Where the tags of a document in XML are, which need not be well-formed.
//!
//! Nothing is expanded to find a tag, so that no declaration makes a document larger than it is.

use std::borrow::Cow;
use std::ops::Range;

use encoding_rs::UTF_8;
use memchr::{memchr, memmem};

use crate::markup::{Found, NAMESPACES, Tag, TagEnd, Token, attributes, name_length};
use crate::text::{ATTRIBUTE, Spelling};
use abslink_html::Syntax;
use abslink_html::prefixes::{Prefixes, declared};
use abslink_html::shared::{Delimiter, Namespace};

/// Takes an XHTML document in pieces.
#[derive(Default)]
pub(crate) struct XmlTags {
    /// A doubt is where it is not well-formed.
    pub(crate) found: Found,
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
    /// Whether there is markup without an end.
    is_broken: bool,
}

/// An element that is open.
struct OpenElement {
    name: Box<[u8]>,
    /// How many prefixes are bound around it.
    bindings: usize,
    /// Whether its text is asked for, or that of an element around it.
    has_text: bool,
    is_in_template: bool,
    xml_bases: String,
}

impl XmlTags {
    /// Whether declarations may spell an element, or a part of one.
    pub(crate) fn has_declarations(&self) -> bool {
        self.has_entities || self.has_defaults
    }

    /// Takes all that was read behind [`Found::done`], or the end. What ends in no other place is no reason to stop: a
    /// `>`, a quote or a `<` too many.
    pub(crate) fn take(&mut self, bytes: &[u8], last: bool) {
        let (start_of_all, mut at) = (self.found.done, 0);
        while let Some(next) = memchr(b'<', &bytes[at..]).filter(|_| !self.is_broken) {
            let start = at + next;
            let rest = &bytes[start..];
            let until = |mark: &[u8]| memmem::find(rest, mark).map(|end| end + mark.len());
            let place = start_of_all + start;
            let length = match rest {
                _ if !last && rest.len() < "<![CDATA[".len() => None,
                [b'<', b'!', b'-', b'-', data @ ..] => {
                    memmem::find(data, b"-->").map(|end| "<!---->".len() + end)
                }
                [b'<', b'!', b'[', b'C', ..] => section(rest, last),
                [b'<', b'!', ..] => self.declaration(rest),
                [b'<', b'?', ..] => {
                    let length = until(b"?>");
                    // It is in the prolog only that one names a style sheet.
                    if let Some(length) = length.filter(|_| !self.has_root) {
                        let name = 1 + name_length(&rest[1..], Syntax::Xml);
                        self.push(place..place + length, place + name, &[], None);
                        at = start + length;
                        continue;
                    }
                    length
                }
                [b'<', b'/', ..] => {
                    let length = until(b">");
                    if length.is_some() {
                        self.end_tag(&rest[2..], place);
                    }
                    length
                }
                _ => match self.start_tag(rest, place) {
                    Some(length) => {
                        at = start + length;
                        continue;
                    }
                    None => None,
                },
            };
            if length.is_none() && !last {
                self.found.done = start_of_all + start;
                return;
            }
            if length.is_none() {
                self.is_broken = true;
                self.found.doubt(place, "markup without an end");
            }
            at = length.map_or(bytes.len(), |length| start + length);
            self.found
                .tokens
                .push_back(Token::Other(place..start_of_all + at));
        }
        self.found.done = start_of_all + bytes.len();
    }

    /// XML 1.0 §2.8: notes what a document type declaration declares; gives its length.
    fn declaration(&mut self, bytes: &[u8]) -> Option<usize> {
        let (mut at, mut is_subset) = (2, false);
        loop {
            let rest = bytes.get(at..)?;
            at += match *rest.first()? {
                b'>' if !is_subset => break,
                b'"' => 1 + memchr(b'"', &rest[1..])?,
                b'\'' => 1 + memchr(b'\'', &rest[1..])?,
                b'<' if rest.starts_with(b"<!--") => 4 + memmem::find(&rest[4..], b"-->")?,
                b'<' if rest.starts_with(b"<?") => memmem::find(rest, b"?>")?,
                bracket @ (b'[' | b']') => {
                    is_subset = bracket == b'[';
                    0
                }
                _ => 0,
            } + 1;
        }
        let declares = |what: &[u8]| memmem::find(&bytes[..at], what).is_some();
        self.has_entities |= declares(b"<!ENTITY");
        self.has_defaults |= declares(b"<!ATTLIST");
        Some(at + 1)
    }

    /// The start tag at the start of `rest`; gives its length.
    fn start_tag(&mut self, rest: &[u8], place: usize) -> Option<usize> {
        let name = &rest[1..1 + name_length(&rest[1..], Syntax::Xml)];
        if name.is_empty() {
            self.found.doubt(place, "a stray `<`");
            return rest.get(1).map(|_| 1);
        }
        let bindings = self.prefixes.count();
        let mut xml_bases = self
            .open
            .last()
            .map_or_else(String::new, |it| it.xml_bases.clone());
        let name_end = 1 + name.len();
        let end = attributes(rest, name_end, Syntax::Xml, &mut |it| {
            let (name, value) = (&rest[it.name.clone()], &rest[it.value()]);
            // Namespaces in XML §3.
            if let Some(prefix) = declared(name) {
                self.prefixes.bind(prefix, namespaces(value));
            } else if name == b"xml:base" {
                xml_bases.extend((!xml_bases.is_empty()).then_some('\0'));
                xml_bases.push_str(&attribute(value));
            }
        });
        let Some(TagEnd { length, stray, .. }) = end else {
            self.prefixes.unbind(bindings);
            return None;
        };
        self.has_root = true;
        if let Some(stray) = stray {
            let what = "an attribute without a value, quotes or a blank";
            self.found.doubt(place + stray, what);
        }
        let colon = memchr(b':', name);
        let (prefix, local) = colon.map_or((&name[..0], name), |at| (&name[..at], &name[at + 1..]));
        let namespaces = if self.has_defaults {
            NAMESPACES
        } else {
            self.prefixes.get(prefix).unwrap_or_default()
        };
        let is_html = namespaces.contains(&Namespace::Html);
        let may_have_text = is_html || namespaces.contains(&Namespace::Svg);
        let around = self.open.last();
        let has_text = around.map_or(self.opens_all, |around| around.has_text)
            || may_have_text && matches!(local, b"style" | b"script");
        let has_content = !rest[..length].ends_with(b"/>");
        let text = (has_content && has_text).then_some(Delimiter::Content);
        let is_in_template = around.is_some_and(|around| around.is_in_template);
        let place = place..place + length;
        self.push(place.clone(), place.start + name_end, namespaces, text);
        if let Some(Token::Tag(tag)) = self.found.tokens.back_mut() {
            tag.xml_bases.clone_from(&xml_bases);
        }
        if has_content {
            self.open.push(OpenElement {
                name: name.into(),
                xml_bases,
                bindings,
                has_text,
                is_in_template: is_in_template || is_html && local == b"template",
            });
        } else {
            self.prefixes.unbind(bindings);
        }
        Some(length)
    }

    fn end_tag(&mut self, rest: &[u8], start: usize) {
        let element = self.open.pop();
        let is_its =
            |element: &OpenElement| *element.name == rest[..name_length(rest, Syntax::Xml)];
        if !element.as_ref().is_some_and(is_its) {
            self.found.doubt(start, "the end tag of another element");
        }
        let Some(element) = element else {
            return;
        };
        self.prefixes.unbind(element.bindings);
        if element.has_text {
            self.found.tokens.push_back(Token::Close(start));
        }
    }

    /// Pushes a tag, or an instruction.
    fn push(
        &mut self,
        place: Range<usize>,
        name_end: usize,
        namespaces: &'static [Namespace],
        text: Option<Delimiter>,
    ) {
        self.found.tokens.push_back(Token::Tag(Tag {
            start: place.start,
            end: place.end,
            name_end,
            xml_bases: String::new(),
            namespaces,
            base_applies: !self.open.last().is_some_and(|open| open.is_in_template),
            is_sure: true,
            text,
        }));
    }
}

/// The length of a section of text, with those that follow at once: one that would end in a URL is written as two.
fn section(bytes: &[u8], last: bool) -> Option<usize> {
    const BEGIN: &[u8] = b"<![CDATA[";
    let mut at = 0;
    loop {
        at += memmem::find(&bytes[at..], b"]]>")? + "]]>".len();
        let behind = &bytes[at..];
        if !behind.starts_with(BEGIN) {
            return (last || behind.len() >= BEGIN.len()).then_some(at);
        }
    }
}

/// What the value of an attribute spells.
fn attribute(value: &[u8]) -> Cow<'_, str> {
    Spelling::of(Syntax::Xml, UTF_8).read(value, ATTRIBUTE).text
}

/// The namespace that a declaration names. With an entity that nobody knows it may be any.
fn namespaces(value: &[u8]) -> &'static [Namespace] {
    match &*attribute(value) {
        "http://www.w3.org/1999/xhtml" => &[Namespace::Html],
        "http://www.w3.org/2000/svg" => &[Namespace::Svg],
        "http://www.w3.org/1998/Math/MathML" => &[Namespace::MathMl],
        unknown if unknown.contains('&') => NAMESPACES,
        _ => &[],
    }
}
