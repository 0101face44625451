//! Values and texts that changed: each is a place that carries URLs, and means what it meant.

use std::borrow::Cow;

use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};

use crate::fault::{Fault, Result};
use crate::markup::document::Document;
use crate::markup::{Attribute, Tag};
use crate::meaning::Targets;
use crate::text::{ATTRIBUTE, Spelling, Texts};
use abslink_html::shared::{
    self, Against, Delimiter, DocumentParameters, LinkedDataBase, Lookup, LookupKey, Namespace,
    Pair, Row, Wanted, XML_STYLESHEET,
};
use abslink_html::{Group, Syntax, ValueKind};

/// The name of an instruction's tag.
const STYLESHEET: &[u8] = b"?xml-stylesheet";

/// Encodings in whose bytes no tags can be found. Documents are compared by their text.
pub(crate) const IN_TEXT: [&Encoding; 3] = [UTF_16LE, UTF_16BE, ISO_2022_JP];

/// What is to be known of a document to tell what a value in it means.
#[derive(Clone, Debug)]
pub(crate) struct Rules<'m> {
    pub(crate) syntax: Syntax,
    /// What its bytes are in.
    pub(crate) encoding: &'static Encoding,
    pub(crate) targets: Targets<'m>,
    /// Which guess is made of an end tag that may end SVG and MathML.
    pub(crate) stays_foreign: bool,
}

/// What the text of an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Text {
    /// What must not change. There may be conditional comments in it.
    Plain,
    /// Raw text that must not change.
    Raw,
    /// A value, and how it is delimited.
    Value(ValueKind, Delimiter),
    /// Markup.
    Document,
}

impl<'m> Rules<'m> {
    pub(crate) fn new(parameters: DocumentParameters<'_, 'm>) -> Rules<'m> {
        let DocumentParameters {
            syntax,
            encoding,
            document_base,
            context,
            settings,
        } = parameters;
        let is_decoded = IN_TEXT.contains(&encoding);
        Rules {
            syntax,
            stays_foreign: false,
            encoding: if is_decoded { UTF_8 } else { encoding },
            targets: Targets {
                settings,
                encoding,
                base: document_base.base.clone(),
                new_base: document_base.new_base(context).cloned(),
                loses_base: document_base.is_removed,
                context,
            },
        }
    }

    /// Which places are looked for.
    pub(crate) fn wanted(&self) -> Wanted<'m> {
        self.targets.settings.wanted_in(self.targets.context)
    }

    /// Compares the value of an attribute with a new one; the answer is a document in it, which is
    /// still to be compared. `is_quoted_anew`: what means the same may be spelled otherwise.
    pub(crate) fn attribute<'t>(
        &self,
        old: &Document,
        (tag, name): (&Tag, &[u8]),
        pair: Pair<'t>,
        is_quoted_anew: bool,
    ) -> Result<Option<Texts<'t>>> {
        let mut rows = self.rows(old, tag, name);
        let first = rows.next().ok_or(Fault::NO_PLACE)?;
        let texts = Texts::read(pair, ATTRIBUTE, self.spelling(), is_quoted_anew)?;
        if first.kind == ValueKind::Srcdoc {
            return Ok(Some(texts));
        }
        let compare = |row: &'static Row| match row.kind {
            ValueKind::LinkedData => self.linked_data(row.kind, &texts),
            kind => {
                let is_in_base = !tag.xml_bases.is_empty() && row.against == Against::Base;
                let codebase = if is_in_base && tag.namespaces.is_empty() {
                    Some(tag.xml_bases.clone())
                } else {
                    old.value(tag, "codebase").map(|it| self.decode(it))
                };
                let against = if is_in_base {
                    Against::Codebase
                } else {
                    row.against
                };
                let place = (kind, against);
                self.targets
                    .are_all_same(place, codebase.as_deref(), &texts)
            }
        };
        compare(first).or_else(|what| rows.find_map(|row| compare(row).ok()).ok_or(what))?;
        Ok(None)
    }

    /// Whether the references of a value that stays as it is lead where they led, in a document that gets
    /// another base URL. What leads into its own document does. Only usual elements are looked at, in each of
    /// which an attribute is a place whatever its namespace is taken for; no lists, no style sheets.
    pub(crate) fn stays(&self, old: &Document, tag: &Tag, it: &Attribute) -> Result {
        let [name, value] = [it.name.clone(), it.value()].map(|part| old.bytes(part));
        let lower = |name: &[u8]| name.to_ascii_lowercase();
        let is_usual = match &*lower(name) {
            b"href" => matches!(&*lower(old.name(tag)), b"a" | b"area" | b"link"),
            b"src" => matches!(&*lower(old.name(tag)), b"img" | b"script" | b"iframe"),
            _ => false,
        };
        if !is_usual {
            return Ok(());
        }
        let value = self.decode(value);
        let value = &*abslink_url::pre_step(&value);
        let is_looked_at = |row: &&Row| row.kind == ValueKind::Url && row.against == Against::Base;
        match self.rows(old, tag, name).find(is_looked_at) {
            Some(row) if row.leaves_fragments() && value.starts_with('#') => Ok(()),
            Some(row) if !value.is_empty() => self.targets.stays((row.kind, row.against), value),
            _ => Ok(()),
        }
    }

    /// The places that an attribute may be. It is only guessed in which namespace an element of HTML is,
    /// so that a place in any of them will do.
    fn rows<'r>(
        &'r self,
        old: &'r Document,
        tag: &'r Tag,
        spelled: &'r [u8],
    ) -> impl Iterator<Item = &'static Row> + 'r {
        let sibling = |name: &str| {
            let value = self.decode(old.value(tag, name)?);
            Some(Cow::Owned(value.into_bytes()))
        };
        let (whole_name, element) = (old.name(tag), old.local_name(tag));
        let is_image = self.syntax == Syntax::Html && element.eq_ignore_ascii_case(b"image");
        let elements = [Some(element), is_image.then_some(&b"img"[..])];
        let elements = elements.into_iter().flatten();
        // In XML any prefix may stand for the namespace of XLink.
        let name = if self.syntax == Syntax::Xml && spelled.ends_with(b":href") {
            b"xlink:href"
        } else {
            spelled
        };
        let wanted = self.wanted();
        let own = |element: &[u8]| {
            (wanted.custom(element, name)).or_else(|| wanted.custom(element, spelled))
        };
        // In XML, the user may give an element's name with its prefix.
        let own = elements.clone().find_map(own).or_else(|| own(whole_name));
        let own = own.map(|own| own.row());
        let is_stylesheet = whole_name == STYLESHEET && spelled == b"href";
        let stylesheet = Some(&XML_STYLESHEET).filter(|_| is_stylesheet);
        let is_exact = self.syntax == Syntax::Xml;
        let namespaces = tag.namespaces.iter().filter(move |_| own.is_none());
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
            Lookup::default().row(names, &sibling)
        });
        let rows = stylesheet.into_iter().chain(rows);
        own.into_iter()
            .chain(rows.filter(move |row| wanted.groups.contains(row.group)))
    }

    /// What the text of an element is, by its tag.
    pub(crate) fn text_of(&self, old: &Document, tag: &Tag, delimiter: Delimiter) -> Text {
        let wanted = self.wanted();
        let name = old.local_name(tag);
        let is = |other: &[u8]| old.is_name(name, other);
        let is_raw = delimiter == Delimiter::RawText;
        let mut namespaces = tag.namespaces.iter();
        let may_have_value = namespaces.any(|it| matches!(it, Namespace::Html | Namespace::Svg));
        let kind = if may_have_value && is(b"style") {
            (wanted.groups.contains(Group::Css)).then_some(ValueKind::CssStylesheet)
        } else if may_have_value && is(b"script") {
            let kind = old.value(tag, "type");
            let kind = kind.filter(|_| wanted.groups.contains(Group::Json));
            let kind = kind.map(|kind| self.decode(kind).to_ascii_lowercase());
            match kind.as_deref() {
                Some("importmap") => Some(ValueKind::ImportMap),
                Some("speculationrules") => Some(ValueKind::SpeculationRules),
                Some("application/ld+json") => Some(ValueKind::LinkedData),
                _ => None,
            }
        } else if is_raw {
            let has_markup = is(b"noscript") || is(b"noframes");
            if has_markup && wanted.groups.contains(Group::Noscript) {
                return Text::Document;
            }
            None
        } else {
            wanted.custom_text(old.name(tag)).map(|row| row.kind)
        };
        match kind {
            Some(kind) => Text::Value(kind, delimiter),
            None if is_raw => Text::Raw,
            None => Text::Plain,
        }
    }

    /// Compares the text of an element with a new one.
    pub(crate) fn text(&self, kind: ValueKind, delimiter: Delimiter, pair: Pair<'_>) -> Result {
        let texts = Texts::read(pair, delimiter, self.spelling(), false)?;
        self.linked_data(kind, &texts)
    }

    /// Compares texts, of which JSON-LD may have a base URL of its own.
    pub(crate) fn linked_data(&self, kind: ValueKind, texts: &Texts<'_>) -> Result {
        let (against, base) = match shared::linked_data_base(texts.text()[0]) {
            LinkedDataBase::Url(base) if kind == ValueKind::LinkedData => {
                (Against::Codebase, Some(base))
            }
            LinkedDataBase::Unknown if kind == ValueKind::LinkedData => (Against::Nothing, None),
            _ => (Against::Base, None),
        };
        (self.targets).are_all_same((kind, against), base.as_deref(), texts)
    }

    /// What the value of an attribute spells.
    pub(crate) fn decode(&self, value: &[u8]) -> String {
        self.spelling().read(value, ATTRIBUTE).text.into_owned()
    }

    pub(crate) fn spelling(&self) -> Spelling {
        Spelling::of(self.syntax, self.encoding)
    }
}
