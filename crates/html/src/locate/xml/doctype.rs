//! What a document type declaration declares in the document itself (XML 1.0 §2.8): general
//! entities and default attributes.
//!
//! Browsers read this much of it and no more. No parameter entity is expanded: some browsers do so
//! and some do not, so that nobody can tell what an entity stands for that is declared behind a
//! reference to one. External entities are not read.

use std::collections::{BTreeMap, HashMap};

use memchr::{memchr, memchr3, memmem};

use super::Allowance;
use super::markup::{
    character_reference, entity_name_length, entity_references, name_length, spaces,
};

/// What a document type declaration declares.
#[derive(Debug, Default)]
pub struct Doctype {
    entities: HashMap<Box<[u8]>, Entity>,
    defaults: HashMap<Box<[u8]>, Defaults>,
    /// Whether the entities of HTML are declared as well.
    html: bool,
    /// Whether an entity that is not declared is only text, and what the others stand for is not asked.
    is_lenient: bool,
    /// Whether an entity stands for markup.
    pub(super) has_markup: bool,
}

/// What a general entity stands for.
#[derive(Debug)]
pub(super) enum Entity {
    /// §4.5: its replacement text. Characters that are not ASCII may be spelled as character
    /// references in it.
    Text {
        text: Box<[u8]>,
        /// Whether that holds markup, or an entity in it does.
        has_markup: bool,
    },
    /// Nobody can tell.
    Unknown,
    /// It refers to itself, or to too much text: no browser shows such a document.
    Endless,
}

/// The attributes of an element by name, in bytes as they are spelled.
pub(super) type Defaults = BTreeMap<Box<[u8]>, Option<Literal>>;

/// A default value as it is spelled, with its quotes.
pub(super) type Literal = Box<[u8]>;

/// How deep entities in entities are followed; libxml2 and so most browsers stop there.
const DEPTH: usize = 40;

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
    /// Reads a document type declaration, from `<!DOCTYPE` to its `>`. Nothing where it declares
    /// nothing.
    pub(super) fn read(declaration: &[u8]) -> Option<Doctype> {
        const START: &[u8] = b"<!DOCTYPE";
        let mut reader = Reader {
            bytes: declaration.strip_prefix(START)?,
            at: 0,
            trusted: true,
            doctype: Doctype::default(),
        };
        reader.name();
        if reader.takes(b"PUBLIC") {
            let public = reader.literal().unwrap_or_default();
            reader.doctype.html = XHTML.contains(&public);
            reader.literal();
        } else if reader.takes(b"SYSTEM") {
            reader.literal();
        }
        if reader.takes(b"[") {
            while reader.declaration().is_some() {}
        }
        let mut doctype = reader.doctype;
        // Those without a value were needed only so that no later declaration counts. No tag is to
        // ask for them.
        (doctype.defaults.values_mut()).for_each(|it| it.retain(|_, value| value.is_some()));
        doctype.defaults.retain(|_, it| !it.is_empty());
        doctype.classify();
        (doctype.declares() || doctype.html).then_some(doctype)
    }

    /// What matters to a lenient reader of a document with this declaration, if it has one: which
    /// entities are declared.
    pub(crate) fn lenient(declaration: Option<&[u8]>) -> Doctype {
        Doctype {
            is_lenient: true,
            html: false,
            ..declaration.and_then(Doctype::read).unwrap_or_default()
        }
    }

    /// Whether an entity stands for itself, as text.
    pub(super) fn is_text(&self, name: &[u8]) -> bool {
        self.is_lenient && !self.entities.contains_key(name)
    }

    /// Whether entities are not expanded.
    pub(super) fn is_lenient(&self) -> bool {
        self.is_lenient
    }

    /// Whether it declares anything of the document's own.
    pub(crate) fn declares(&self) -> bool {
        !self.entities.is_empty() || !self.defaults.is_empty()
    }

    pub(super) fn entity(&self, name: &[u8]) -> Option<&Entity> {
        self.entities.get(name)
    }

    /// What an entity of HTML stands for, in character references.
    pub(super) fn html_entity(&self, name: &[u8]) -> Option<String> {
        let name = std::str::from_utf8(name).ok().filter(|_| self.html)?;
        let reference = format!("&{name};");
        let text = htmlize::unescape(&*reference);
        // A shorter name that needs no semicolon may begin it.
        let is_whole = text != reference && (text == ";" || !text.ends_with(';'));
        is_whole.then(|| {
            text.chars()
                .map(|c| format!("&#{};", u32::from(c)))
                .collect()
        })
    }

    pub(super) fn defaults(&self, element: &[u8]) -> Option<&Defaults> {
        self.defaults.get(element)
    }

    /// Finds out which entities hold markup, and which have no end, from those that refer to no
    /// other upwards.
    fn classify(&mut self) {
        struct Classified {
            size: usize,
            depth: usize,
            has_markup: bool,
            /// How many of the entities that it refers to are not classified yet.
            open: usize,
        }
        let mut classified: HashMap<&[u8], Classified> = HashMap::new();
        let mut referring: HashMap<&[u8], Vec<&[u8]>> = HashMap::new();
        let mut ready: Vec<&[u8]> = Vec::new();
        for (name, entity) in &self.entities {
            let Entity::Text { text, .. } = entity else {
                continue;
            };
            let mut open = 0;
            for (_, other) in entity_references(text) {
                if matches!(self.entities.get(other.name), Some(Entity::Text { .. })) {
                    referring.entry(other.name).or_default().push(name);
                    open += 1;
                }
            }
            let of_its_own = Classified {
                size: text.len(),
                depth: 1,
                has_markup: memchr(b'<', text).is_some(),
                open,
            };
            classified.insert(name, of_its_own);
            if open == 0 {
                ready.push(name);
            }
        }
        let mut sound: HashMap<Box<[u8]>, bool> = HashMap::new();
        while let Some(name) = ready.pop() {
            let Some(done) = classified.remove(name) else {
                continue;
            };
            let ends = done.size <= Allowance::DOCUMENT && done.depth <= DEPTH;
            if ends {
                sound.insert(name.into(), done.has_markup);
            }
            for &above in referring.get(name).into_iter().flatten() {
                if let Some(above_it) = classified.get_mut(above) {
                    above_it.size = above_it.size.saturating_add(done.size);
                    above_it.depth = above_it.depth.max(done.depth + 1);
                    above_it.has_markup |= done.has_markup;
                    above_it.open -= 1;
                    if above_it.open == 0 {
                        ready.push(above);
                    }
                }
            }
        }
        for (name, entity) in &mut self.entities {
            if let Entity::Text { has_markup, .. } = entity {
                let holds = sound.get(name).copied();
                self.has_markup |= holds != Some(false);
                match holds {
                    Some(holds) => *has_markup = holds,
                    None => *entity = Entity::Endless,
                }
            }
        }
    }
}

struct Reader<'d> {
    bytes: &'d [u8],
    at: usize,
    /// Whether no parameter entity was referred to so far.
    trusted: bool,
    doctype: Doctype,
}

impl<'d> Reader<'d> {
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

    fn name(&mut self) -> &'d [u8] {
        self.skip_spaces();
        let rest = self.rest();
        let name = &rest[..name_length(rest)];
        let name = &name[..memchr3(b'[', b'(', b'%', name).unwrap_or(name.len())];
        self.at += name.len();
        name
    }

    /// What stands between two quotes.
    fn literal(&mut self) -> Option<&'d [u8]> {
        self.skip_spaces();
        let rest = self.rest();
        let quote = *rest.first().filter(|first| matches!(first, b'"' | b'\''))?;
        let length = memchr(quote, &rest[1..])?;
        self.at += length + 2;
        Some(&rest[1..1 + length])
    }

    /// The next thing in the internal subset; `None` at its end.
    fn declaration(&mut self) -> Option<()> {
        self.skip_spaces();
        let rest = self.rest();
        match rest {
            [] | [b']', ..] => return None,
            [b'<', b'!', b'-', b'-', ..] => self.at += 4 + memmem::find(&rest[4..], b"-->")? + 3,
            [b'<', b'?', ..] => self.at += memmem::find(rest, b"?>")? + 2,
            [b'%', ..] => {
                self.trusted = false;
                self.at += 1 + entity_name_length(&rest[1..]);
            }
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
        let name = self.name();
        let text = self.literal().filter(|_| self.trusted);
        let entity = match text.and_then(replacement_text) {
            Some(text) => Entity::Text {
                text,
                has_markup: false,
            },
            None => Entity::Unknown,
        };
        self.doctype.entities.entry(name.into()).or_insert(entity);
    }

    /// §3.3: an attribute-list declaration. The first definition of an attribute counts.
    fn attributes(&mut self) {
        let element = self.name();
        loop {
            let name = self.name();
            let kind = self.name();
            if name.is_empty() {
                return;
            }
            if kind.is_empty() || kind == b"NOTATION" {
                self.skip_spaces();
                let Some(end) = memchr(b')', self.rest()) else {
                    return;
                };
                self.at += end + 1;
            }
            let fixed = self.takes(b"#FIXED");
            let start = self.at + spaces(self.rest());
            let value = self.literal().map(|_| &self.bytes[start..self.at]);
            if value.is_none() && (fixed || !self.takes(b"#")) {
                return;
            }
            if value.is_none() {
                self.name();
            }
            let defaults = self.doctype.defaults.entry(element.into()).or_default();
            let definition = defaults.entry(name.into());
            definition.or_insert_with(|| value.map(Into::into));
        }
    }
}

/// §4.5: the replacement text of an entity whose declaration says `literal`; `None` where that
/// depends on a parameter entity.
fn replacement_text(literal: &[u8]) -> Option<Box<[u8]>> {
    let mut text = Vec::with_capacity(literal.len());
    let mut done = 0;
    for at in memchr::memchr2_iter(b'&', b'%', literal) {
        let rest = &literal[at..];
        if rest[0] == b'%' {
            let length = entity_name_length(&rest[1..]);
            if length > 0 && rest.get(1 + length) == Some(&b';') {
                return None;
            }
        } else if let Some((character, length)) = character_reference(rest)
            // Others stay as they are: they can be no markup.
            && let Ok(character) = u8::try_from(character)
            && character.is_ascii()
        {
            text.extend_from_slice(&literal[done..at]);
            text.push(character);
            done = at + length;
        }
    }
    text.extend_from_slice(&literal[done..]);
    Some(text.into())
}
