//! Values and texts that changed: each is a place that carries URLs, and means what it meant.

use std::borrow::Cow;

use encoding_rs::Encoding;

use crate::fault::Fault;
use crate::markup::document::Document;
use crate::markup::{Content, Tag};
use crate::meaning::Targets;
use crate::text::{ATTRIBUTE, Spelling, Texts};
use abslink_html::Group;
use abslink_html::shared::Namespace;
use abslink_html::shared::Wanted;
use abslink_html::shared::{self, LinkedDataBase};
use abslink_html::shared::{Against, Lookup, LookupKey, Row, XML_STYLESHEET};
use abslink_html::shared::{Delimiter, Edited};
use abslink_html::{Syntax, ValueKind};

/// The name of an instruction's tag.
pub(crate) const STYLESHEET: &[u8] = b"?xml-stylesheet";

/// What is to be known of a document to tell what a value in it means.
#[derive(Clone, Debug)]
pub(crate) struct Rules<'m> {
    pub(crate) syntax: Syntax,
    pub(crate) wanted: Wanted<'m>,
    /// What its bytes are in.
    pub(crate) encoding: &'static Encoding,
    pub(crate) targets: Targets<'m>,
}

/// A start tag of the old document, by its bytes.
pub(crate) struct OldTag<'t> {
    pub(crate) document: &'t Document,
    pub(crate) tag: &'t Tag,
}

impl<'t> OldTag<'t> {
    fn name(&self) -> &'t [u8] {
        self.document.name(self.tag)
    }

    /// The name of an attribute, and its value.
    fn attribute(&self, index: usize) -> (&'t [u8], &'t [u8]) {
        let mut attributes = self.document.attributes(self.tag);
        attributes.nth(index).unwrap_or_default()
    }

    /// A fault of an attribute.
    pub(crate) fn fault(&self, index: usize, fault: Fault) -> Fault {
        let names = [self.name(), self.attribute(index).0];
        let [element, attribute] = names.map(|name| String::from_utf8_lossy(name).into_owned());
        Fault::InAttribute {
            element,
            attribute,
            fault: Box::new(fault),
        }
    }

    fn value(&self, name: &str) -> Option<&[u8]> {
        let syntax = self.document.syntax();
        let mut attributes = self.document.attributes(self.tag);
        let found = attributes.find(|(it, _)| is_name(syntax, it, name.as_bytes()))?;
        Some(found.1)
    }
}

/// Whether two names are the same: in XML their letter case counts.
pub(crate) fn is_name(syntax: Syntax, name: &[u8], other: &[u8]) -> bool {
    match syntax {
        Syntax::Html => name.eq_ignore_ascii_case(other),
        Syntax::Xml => name == other,
    }
}

/// What the text of an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Text {
    /// What must not change. There may be conditional comments in it.
    Plain,
    /// Raw text that must not change.
    Raw,
    /// A value. `is_raw`: without character references and markup.
    Value { kind: ValueKind, is_raw: bool },
    /// Markup.
    Document,
}

impl Rules<'_> {
    /// Compares the value of an attribute with a new one; the answer is a document in it, which is
    /// still to be compared. `is_quoted_anew`: what means the same may be spelled otherwise.
    pub(crate) fn attribute(
        &self,
        tag: &OldTag<'_>,
        index: usize,
        edited: Edited<'_>,
        is_quoted_anew: bool,
    ) -> Result<Option<Texts>, Fault> {
        let (name, _) = tag.attribute(index);
        let is_same = |(other, _): (&[u8], &[u8])| is_name(self.syntax, other, name);
        if (tag.document.attributes(tag.tag).take(index)).any(is_same) {
            return Err(Fault::NotFirst);
        }
        let mut rows = self.rows(tag, name);
        let first = rows.next().ok_or(Fault::NoPlace)?;
        let texts = Texts::read(edited, ATTRIBUTE, self.spelling(), is_quoted_anew)?;
        if first.kind == ValueKind::Srcdoc {
            return Ok(Some(texts));
        }
        let compare = |row: &'static Row| match row.kind {
            ValueKind::LinkedData => self.linked_data(row.kind, texts.edited()),
            kind => {
                let codebase = tag.value("codebase").map(|it| self.decode(it));
                let place = (kind, row.against);
                self.targets
                    .are_all_same(place, codebase.as_deref(), texts.edited())
            }
        };
        compare(first).or_else(|what| rows.find_map(|row| compare(row).ok()).ok_or(what))?;
        Ok(None)
    }

    /// Whether the references of a value that stays as it is lead where they led, in a document that gets
    /// another base URL. What leads into its own document does. Only usual elements are looked at, in each of
    /// which an attribute is a place whatever lol_html takes its namespace for; no lists, no style sheets.
    pub(crate) fn stays(&self, tag: &OldTag<'_>, index: usize) -> Result<(), Fault> {
        const USUAL: [(&[u8], &[u8]); 6] = [
            (b"a", b"href"),
            (b"area", b"href"),
            (b"link", b"href"),
            (b"img", b"src"),
            (b"script", b"src"),
            (b"iframe", b"src"),
        ];
        let (name, value) = tag.attribute(index);
        let is = |usual: &&(&[u8], &[u8])| {
            tag.name().eq_ignore_ascii_case(usual.0) && name.eq_ignore_ascii_case(usual.1)
        };
        if USUAL.iter().find(is).is_none() {
            return Ok(());
        }
        let value = self.decode(value);
        let value = &*abslink_url::pre_step(&value);
        let mut rows = self.rows(tag, name);
        let is_looked_at = |row: &&Row| row.kind == ValueKind::Url && row.against == Against::Base;
        let row = rows.find(is_looked_at);
        let is_empty_or_here =
            |row: &Row| value.is_empty() || row.leaves_fragments() && value.starts_with('#');
        let Some(row) = row.filter(|row| !is_empty_or_here(row)) else {
            return Ok(());
        };
        self.targets.stays((row.kind, row.against), value)
    }

    /// The places that an attribute may be. lol_html only guesses in which namespace an element of HTML is,
    /// so that a place in any of them will do.
    fn rows<'r>(
        &'r self,
        tag: &'r OldTag<'r>,
        spelled: &'r [u8],
    ) -> impl Iterator<Item = &'static Row> + 'r {
        let sibling = |name: &str| {
            let value = self.decode(tag.value(name)?);
            Some(Cow::Owned(value.into_bytes()))
        };
        // HTML has no prefixes.
        let element = match self.syntax {
            Syntax::Html => tag.name(),
            Syntax::Xml => {
                let mut parts = tag.name().rsplit(|&byte| byte == b':');
                parts.next().unwrap_or_default()
            }
        };
        let is_image = self.syntax == Syntax::Html && element.eq_ignore_ascii_case(b"image");
        let elements = [Some(element), is_image.then_some(&b"img"[..])];
        let elements = elements.into_iter().flatten();
        // In XML any prefix may stand for the namespace of XLink.
        let name = if self.syntax == Syntax::Xml && spelled.ends_with(b":href") {
            b"xlink:href"
        } else {
            spelled
        };
        let own = |element: &[u8]| {
            (self.wanted.custom(element, name)).or_else(|| self.wanted.custom(element, spelled))
        };
        // In XML, the user may give an element's name with its prefix.
        let own = elements.clone().find_map(own).or_else(|| own(tag.name()));
        let own = own.map(|own| own.row());
        let is_stylesheet = tag.name() == STYLESHEET && spelled == b"href";
        let is_wanted = self.wanted.groups.contains(XML_STYLESHEET.group);
        let stylesheet = (is_stylesheet && is_wanted).then_some(&XML_STYLESHEET);
        let is_exact = self.syntax == Syntax::Xml;
        let namespaces = tag.tag.namespaces.iter().filter(move |_| own.is_none());
        let places = namespaces
            .flat_map(move |namespace| elements.clone().map(move |element| (*namespace, element)));
        let rows = places.filter_map(move |(namespace, element)| {
            // XHTML has no name with a capital letter.
            let is_lower = !element.iter().any(u8::is_ascii_uppercase);
            if is_exact && !is_lower && namespace == Namespace::Html {
                return None;
            }
            let names = LookupKey {
                namespace,
                is_exact,
                element,
                attribute: name,
            };
            let row = Lookup::default().row(names, &sibling)?;
            self.wanted.groups.contains(row.group).then_some(row)
        });
        own.into_iter().chain(stylesheet).chain(rows)
    }

    /// What the text of an element is, by its tag.
    pub(crate) fn text_of(&self, tag: &OldTag<'_>, opened: Content) -> Text {
        let wants = |group| self.wanted.groups.contains(group);
        let (kind, is_raw) = match opened {
            Content::Document if wants(Group::Noscript) => return Text::Document,
            Content::Style { is_raw } if wants(Group::Css) => {
                (Some(ValueKind::CssStylesheet), is_raw)
            }
            Content::Script { is_raw } if wants(Group::Json) => {
                let kind = tag.value("type").map(|it| self.decode(it));
                match kind.map(|kind| kind.to_ascii_lowercase()).as_deref() {
                    Some("importmap") => (Some(ValueKind::ImportMap), is_raw),
                    Some("speculationrules") => (Some(ValueKind::SpeculationRules), is_raw),
                    Some("application/ld+json") => (Some(ValueKind::LinkedData), is_raw),
                    _ => (None, is_raw),
                }
            }
            Content::Style { is_raw } | Content::Script { is_raw } => (None, is_raw),
            Content::Inner => match self.wanted.custom_text(tag.name()) {
                Some(row) => (Some(row.kind), false),
                None => (None, false),
            },
            Content::Document | Content::Other => (None, true),
        };
        match kind {
            Some(kind) => Text::Value { kind, is_raw },
            None if is_raw => Text::Raw,
            None => Text::Plain,
        }
    }

    /// Compares the text of an element with a new one.
    pub(crate) fn text(
        &self,
        kind: ValueKind,
        is_raw: bool,
        edited: Edited<'_>,
    ) -> Result<(), Fault> {
        let delimiter = match self.syntax {
            _ if is_raw => Delimiter::RawText,
            Syntax::Html => Delimiter::Text,
            Syntax::Xml => Delimiter::Content,
        };
        let texts = Texts::read(edited, delimiter, self.spelling(), false)?;
        self.linked_data(kind, texts.edited())
    }

    /// Compares texts, of which JSON-LD may have a base URL of its own.
    pub(crate) fn linked_data(
        &self,
        kind: ValueKind,
        edited: Edited<'_, str>,
    ) -> Result<(), Fault> {
        let (against, base) = match shared::linked_data_base(edited.old) {
            LinkedDataBase::Url(base) if kind == ValueKind::LinkedData => {
                (Against::Codebase, Some(base))
            }
            LinkedDataBase::Unknown if kind == ValueKind::LinkedData => (Against::Nothing, None),
            _ => (Against::Base, None),
        };
        (self.targets).are_all_same((kind, against), base.as_deref(), edited)
    }

    /// What the value of an attribute spells.
    pub(crate) fn decode(&self, value: &[u8]) -> String {
        self.spelling().read(value, ATTRIBUTE).text.into_owned()
    }

    pub(crate) fn spelling(&self) -> Spelling {
        Spelling {
            syntax: self.syntax,
            encoding: self.encoding,
            is_feed: false,
        }
    }
}
