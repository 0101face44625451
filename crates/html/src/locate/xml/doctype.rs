//! What a document type declaration declares in the document itself (XML 1.0 §2.8).
//!
//! Its entities are not expanded: a value that needs one is unresolved. What it spells itself (the
//! markup of an entity, the default of an attribute) may have its effect in several places and is
//! reported where it stands. Only namespaces that elements have by default are taken in, since they
//! say which elements are HTML. External entities are not read.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr3, memmem};

use super::super::{Attribute, Quote};
use super::markup::{character_reference, entity_name_length, name_length, spaces};

/// What a document type declaration declares.
#[derive(Debug, Default)]
pub struct Doctype {
    /// Names of general entities.
    entities: HashSet<Box<[u8]>>,
    /// The namespace declarations that an element has by default, as names and values.
    namespaces: HashMap<Box<[u8]>, Vec<Definition>>,
    /// Whether the entities of HTML are declared as well.
    html: bool,
    /// Whether an entity that is not declared is only text.
    is_lenient: bool,
}

/// An attribute by default: its name and its value.
pub(super) type Definition = (Box<[u8]>, Box<[u8]>);

/// What the declaration spells that may be a reference elsewhere, by byte range in it.
#[derive(Debug)]
pub(super) enum Declaration {
    /// The text of an entity that holds markup.
    Markup(Range<usize>),
    /// An attribute that an element has by default.
    Attribute {
        element: Range<usize>,
        attribute: Attribute,
    },
}

/// HTML standard, "parsing XHTML documents": with these the entities of HTML are declared.
const XHTML: [&[u8]; 9] = [
    b"-//W3C//DTD XHTML 1.0 Transitional//EN",
    b"-//W3C//DTD XHTML 1.1//EN",
    b"-//W3C//DTD XHTML 1.0 Strict//EN",
    b"-//W3C//DTD XHTML 1.0 Frameset//EN",
    b"-//W3C//DTD XHTML Basic 1.0//EN",
    b"-//W3C//DTD XHTML 1.1 plus MathML 2.0//EN",
    b"-//W3C//DTD XHTML 1.1 plus MathML 2.0 plus SVG 1.1//EN",
    b"-//W3C//DTD MathML 2.0//EN",
    b"-//WAPFORUM//DTD XHTML Mobile 1.0//EN",
];

impl Doctype {
    /// Reads a document type declaration, from `<!DOCTYPE` to its `>`, and tells what it spells.
    pub(super) fn read(
        declaration: &[u8],
        spelled: &mut dyn FnMut(Declaration),
    ) -> Option<Doctype> {
        const START: &[u8] = b"<!DOCTYPE";
        declaration.strip_prefix(START)?;
        let mut reader = Reader {
            bytes: declaration,
            at: START.len(),
            defined: HashSet::new(),
            doctype: Doctype::default(),
            spelled,
        };
        reader.name();
        if reader.takes(b"PUBLIC") {
            let public = reader.literal().unwrap_or_default();
            reader.doctype.html = XHTML.contains(&&declaration[public]);
            reader.literal();
        } else if reader.takes(b"SYSTEM") {
            reader.literal();
        }
        if reader.takes(b"[") {
            while reader.declaration().is_some() {}
        }
        Some(reader.doctype)
    }

    /// One that declares the entities of HTML, and no others.
    pub fn html() -> Doctype {
        Doctype {
            html: true,
            ..Doctype::default()
        }
    }

    /// What matters to a lenient reader of a document with this declaration, if it has one: which
    /// entities are declared.
    pub fn lenient(declaration: Option<&[u8]>) -> Doctype {
        let read = declaration.and_then(|declaration| Doctype::read(declaration, &mut |_| {}));
        Doctype {
            is_lenient: true,
            html: false,
            ..read.unwrap_or_default()
        }
    }

    /// Whether an entity stands for itself, as text.
    pub(super) fn is_text(&self, name: &[u8]) -> bool {
        self.is_lenient && !self.entities.contains(name)
    }

    pub(crate) fn has_entities(&self) -> bool {
        !self.entities.is_empty()
    }

    /// What an entity of HTML stands for, in character references, unless the document declares it
    /// itself.
    pub(super) fn html_entity(&self, name: &[u8]) -> Option<String> {
        if !self.html || self.entities.contains(name) {
            return None;
        }
        let reference = format!("&{};", std::str::from_utf8(name).ok()?);
        let text = htmlize::unescape(&*reference);
        // A shorter name that needs no semicolon may begin it.
        let is_whole = text != reference && (text == ";" || !text.ends_with(';'));
        is_whole.then(|| {
            text.chars()
                .map(|c| format!("&#{};", u32::from(c)))
                .collect()
        })
    }

    /// The namespace declarations that an element has by default.
    pub(super) fn namespaces(&self, element: &[u8]) -> &[Definition] {
        self.namespaces.get(element).map_or(&[], Vec::as_slice)
    }
}

struct Reader<'d, 's> {
    bytes: &'d [u8],
    at: usize,
    /// Attributes that are defined: the first definition of one counts.
    defined: HashSet<(&'d [u8], &'d [u8])>,
    doctype: Doctype,
    spelled: &'s mut dyn FnMut(Declaration),
}

impl<'d> Reader<'d, '_> {
    fn rest(&self) -> &'d [u8] {
        &self.bytes[self.at..]
    }

    fn skip_spaces(&mut self) {
        self.at += spaces(self.rest());
    }

    /// Whether this comes next, behind white space; then it is taken.
    fn takes(&mut self, next: &[u8]) -> bool {
        self.skip_spaces();
        let comes = self.rest().starts_with(next);
        self.at += if comes { next.len() } else { 0 };
        comes
    }

    fn name(&mut self) -> Range<usize> {
        self.skip_spaces();
        let (start, rest) = (self.at, self.rest());
        let name = &rest[..name_length(rest)];
        self.at += memchr3(b'[', b'(', b'%', name).unwrap_or(name.len());
        start..self.at
    }

    /// What stands between two quotes.
    fn literal(&mut self) -> Option<Range<usize>> {
        self.skip_spaces();
        let rest = self.rest();
        let quote = *rest.first().filter(|first| matches!(first, b'"' | b'\''))?;
        let start = self.at + 1;
        let end = start + memchr(quote, &rest[1..])?;
        self.at = end + 1;
        Some(start..end)
    }

    /// The next thing in the internal subset; `None` at its end.
    fn declaration(&mut self) -> Option<()> {
        self.skip_spaces();
        let rest = self.rest();
        match rest {
            [] | [b']', ..] => return None,
            [b'<', b'!', b'-', b'-', ..] => self.at += 4 + memmem::find(&rest[4..], b"-->")? + 3,
            [b'<', b'?', ..] => self.at += memmem::find(rest, b"?>")? + 2,
            [b'%', ..] => self.at += 1 + entity_name_length(&rest[1..]),
            _ if self.takes(b"<!ENTITY") => {
                self.entity();
                self.end()?;
            }
            _ if self.takes(b"<!ATTLIST") => {
                self.attributes();
                self.end()?;
            }
            [b'<', ..] => self.end()?,
            _ => self.at += 1,
        }
        Some(())
    }

    /// Skips what is left of a declaration, but for its `>`: that is no declaration.
    fn end(&mut self) -> Option<()> {
        loop {
            self.at += memchr3(b'>', b'"', b'\'', self.rest())?;
            if self.rest().starts_with(b">") {
                return Some(());
            }
            self.literal()?;
        }
    }

    /// §4.2: an entity declaration. The first one of a name counts.
    fn entity(&mut self) {
        if self.takes(b"%") {
            return;
        }
        let name = &self.bytes[self.name()];
        let text = self.literal();
        if self.doctype.entities.insert(name.into())
            && let Some(text) = text.filter(|text| has_markup(&self.bytes[text.clone()]))
        {
            (self.spelled)(Declaration::Markup(text));
        }
    }

    /// §3.3: an attribute-list declaration. The first definition of an attribute counts.
    fn attributes(&mut self) {
        let element = self.name();
        loop {
            let (name, kind) = (self.name(), self.name());
            if name.is_empty() {
                return;
            }
            if kind.is_empty() || self.bytes[kind] == *b"NOTATION" {
                self.skip_spaces();
                let Some(end) = memchr(b')', self.rest()) else {
                    return;
                };
                self.at += end + 1;
            }
            let fixed = self.takes(b"#FIXED");
            let value = self.literal();
            if value.is_none() && (fixed || !self.takes(b"#")) {
                return;
            }
            if value.is_none() {
                self.name();
            }
            let defined = (&self.bytes[element.clone()], &self.bytes[name.clone()]);
            if self.defined.insert(defined)
                && let Some(value) = value
            {
                self.default(element.clone(), name, value);
            }
        }
    }

    fn default(&mut self, element: Range<usize>, name: Range<usize>, value: Range<usize>) {
        let spelled = &self.bytes[name.clone()];
        if spelled == b"xmlns" || spelled.starts_with(b"xmlns:") {
            let namespaces = &mut self.doctype.namespaces;
            let declared = namespaces.entry(self.bytes[element].into()).or_default();
            return declared.push((spelled.into(), self.bytes[value].into()));
        }
        let quote = match self.bytes[value.end] {
            b'\'' => Quote::Single,
            _ => Quote::Double,
        };
        let attribute = Attribute { name, value, quote };
        (self.spelled)(Declaration::Attribute { element, attribute });
    }
}

/// Whether the text of an entity holds markup. An ASCII character reference is read where the entity
/// is declared (§4.5); another entity is declared for itself.
fn has_markup(text: &[u8]) -> bool {
    let is_markup = |at| {
        let reference = character_reference(&text[at..]);
        reference.is_some_and(|(character, _)| character == '<')
    };
    memchr(b'<', text).is_some() || memchr_iter(b'&', text).any(is_markup)
}
