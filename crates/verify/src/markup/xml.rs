//! Where the tags of a document in XML are, which need not be well-formed.
//!
//! Nothing is expanded to find a tag, so that no declaration makes a document larger than it is.

use std::collections::VecDeque;
use std::ops::Range;

use encoding_rs::UTF_8;
use memchr::{memchr, memmem};

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
    xml_bases: String,
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

    /// Finds the tokens of a part of the document; says how much of it is done with. What ends in no other place is no
    /// reason to stop: a `>`, a quote or a `<` too many.
    fn read(&mut self, bytes: &[u8], last: bool) -> usize {
        let mut at = 0;
        while let Some(next) = memchr(b'<', &bytes[at..]).filter(|_| !self.is_broken) {
            let start = at + next;
            let rest = &bytes[start..];
            let until = |mark: &[u8]| memmem::find(rest, mark).map(|end| end + mark.len());
            let place = self.done + start;
            let length = match rest {
                _ if !last && rest.len() < "<![CDATA[".len() => None,
                [b'<', b'!', b'-', b'-', data @ ..] => {
                    memmem::find(data, b"-->").map(|end| "<!---->".len() + end)
                }
                [b'<', b'!', b'[', b'C', ..] => until(b"]]>"),
                [b'<', b'!', ..] => self.declaration(rest),
                [b'<', b'?', ..] => {
                    let length = until(b"?>");
                    // It is in the prolog only that one names a style sheet.
                    if let Some(length) = length.filter(|_| !self.has_root) {
                        let name = 1 + name_length(&rest[1..]);
                        let (attributes, _) =
                            attributes(&rest[..length], name, place).unwrap_or_default();
                        self.push(attributes, place..place + length, &[], None);
                    }
                    length
                }
                [b'<', b'/', ..] => {
                    let length = until(b">");
                    if length.is_some() {
                        self.end_tag(place);
                    }
                    length
                }
                _ => self.start_tag(rest, place),
            };
            match length {
                Some(length) => at = start + length,
                None if !last => return start,
                None => self.is_broken = true,
            }
        }
        bytes.len()
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
        let name = &rest[1..1 + name_length(&rest[1..])];
        if name.is_empty() {
            return rest.get(1).map(|_| 1);
        }
        let (attributes, length) = attributes(rest, 1 + name.len(), place)?;
        self.has_root = true;
        let bindings = self.prefixes.count();
        // Namespaces in XML §3.
        for attribute in &attributes {
            let part = |part: &Range<usize>| &rest[part.start - place..part.end - place];
            if let Some((prefix, value)) =
                declared(part(&attribute.name)).zip(attribute.value.as_ref())
            {
                self.prefixes.bind(prefix, namespaces(part(value)));
            }
        }
        let mut xml_bases = self
            .open
            .last()
            .map_or_else(String::new, |it| it.xml_bases.clone());
        for Attribute { name, value } in &attributes {
            let part = |part: &Range<usize>| &rest[part.start - place..part.end - place];
            if let Some(value) = value.as_ref().filter(|_| part(name) == b"xml:base") {
                let value = Spelling::of(Syntax::Xml, UTF_8)
                    .read(part(value), ATTRIBUTE)
                    .text;
                xml_bases.extend((!xml_bases.is_empty()).then_some('\0'));
                xml_bases.push_str(&value);
            }
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
        self.push(attributes, place..place + length, namespaces, text);
        if let Some(Token::Tag(tag)) = self.tokens.back_mut() {
            tag.xml_bases.clone_from(&xml_bases);
        }
        if has_content {
            self.open.push(OpenElement {
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

    fn end_tag(&mut self, start: usize) {
        let Some(element) = self.open.pop() else {
            return;
        };
        self.prefixes.unbind(element.bindings);
        if element.has_text {
            self.tokens.push_back(Token::Close(start));
        }
    }

    /// Pushes a tag, or an instruction.
    fn push(
        &mut self,
        attributes: Vec<Attribute>,
        place: Range<usize>,
        namespaces: &'static [Namespace],
        text: Option<Delimiter>,
    ) {
        self.tokens.push_back(Token::Tag(Tag {
            start: place.start,
            end: place.end,
            xml_bases: String::new(),
            attributes,
            namespaces,
            base_counts: !self.open.last().is_some_and(|open| open.is_in_template),
            is_sure: true,
            text,
        }));
    }
}

/// XML 1.0 §2.3, `S`.
fn is_blank(byte: &u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r' | b' ')
}

/// How long the name at the start is.
fn name_length(bytes: &[u8]) -> usize {
    let ends = |byte: &u8| is_blank(byte) || b"/>=<\"'".contains(byte);
    bytes.iter().position(ends).unwrap_or(bytes.len())
}

/// The attributes of a tag whose name ends at `at`, and its length; `None` where it does not end. Those that lack a
/// value or its quotes are none.
fn attributes(bytes: &[u8], mut at: usize, place: usize) -> Option<(Vec<Attribute>, usize)> {
    let blanks = |at: usize| {
        let rest = bytes.get(at..).unwrap_or_default();
        at + rest.iter().take_while(|byte| is_blank(byte)).count()
    };
    let mut attributes = Vec::new();
    loop {
        let length = name_length(bytes.get(at..)?);
        if length == 0 {
            if *bytes.get(at)? == b'>' {
                return Some((attributes, at + 1));
            }
            at += 1;
            continue;
        }
        let name = at..at + length;
        at = name.end;
        let equals = blanks(at);
        if *bytes.get(equals)? != b'=' {
            continue;
        }
        let open = blanks(equals + 1);
        at = open;
        if let quote @ (b'"' | b'\'') = *bytes.get(open)? {
            let value = open + 1..open + 1 + memchr(quote, &bytes[open + 1..])?;
            at = value.end + 1;
            attributes.push(Attribute {
                name: name.start + place..name.end + place,
                value: Some(value.start + place..value.end + place),
            });
        }
    }
}

/// The namespace that a declaration names. With an entity that nobody knows it may be any.
fn namespaces(value: &[u8]) -> &'static [Namespace] {
    let spelling = Spelling::of(Syntax::Xml, UTF_8);
    match &*spelling.read(value, ATTRIBUTE).text {
        "http://www.w3.org/1999/xhtml" => &[Namespace::Html],
        "http://www.w3.org/2000/svg" => &[Namespace::Svg],
        "http://www.w3.org/1998/Math/MathML" => &[Namespace::MathMl],
        unknown if unknown.contains('&') => NAMESPACES,
        _ => &[],
    }
}
