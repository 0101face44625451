//! Values and texts that changed: each is a place that carries URLs, and means what it meant.

use std::borrow::Cow;

use encoding_rs::Encoding;

use super::super::attributes::{self, Against, Row};
use super::super::groups::Group;
use super::super::locate::Namespace;
use super::super::{Syntax, ValueKind, Wanted};
use super::grammar;
use super::target::Targets;
use super::tokens::Opened;
use super::xml::Entities;

/// What is to be known of a document to tell what a value in it means.
#[derive(Clone, Debug)]
pub(super) struct Meaning<'m> {
    pub(super) syntax: Syntax,
    pub(super) wanted: Wanted<'m>,
    /// What its bytes are in.
    pub(super) encoding: &'static Encoding,
    pub(super) targets: Targets<'m>,
}

/// A start tag of the old document, by its bytes.
pub(super) struct OldTag<'t> {
    pub(super) name: &'t [u8],
    /// Names and values.
    pub(super) attributes: Vec<(&'t [u8], &'t [u8])>,
}

impl OldTag<'_> {
    /// An attribute, for a message.
    pub(super) fn shown(&self, index: usize) -> String {
        let [element, attribute] =
            [self.name, self.attributes[index].0].map(String::from_utf8_lossy);
        format!("<{element} {attribute}>")
    }

    fn value(&self, name: &str) -> Option<&[u8]> {
        let mut attributes = self.attributes.iter();
        let found = attributes.find(|(it, _)| it.eq_ignore_ascii_case(name.as_bytes()))?;
        Some(found.1)
    }
}

/// How the value of an attribute changed.
pub(super) enum Changed {
    /// Its references are spelled in another way.
    Reference,
    /// It is a document, which was the first and is the second.
    Document(String, String),
}

/// What the text of an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Text {
    /// What must not change. There may be conditional comments in it.
    Plain,
    /// Raw text that must not change.
    Raw,
    /// A value. `is_raw`: without character references and markup.
    Value { kind: ValueKind, is_raw: bool },
    /// Markup.
    Document,
}

impl Meaning<'_> {
    /// Compares the value of an attribute with a new one.
    pub(super) fn attribute(
        &self,
        tag: &OldTag<'_>,
        index: usize,
        new: &[u8],
        entities: Option<&Entities>,
    ) -> Result<Changed, String> {
        let (name, old) = tag.attributes[index];
        let is_same = |(other, _): &(&[u8], &[u8])| other.eq_ignore_ascii_case(name);
        if tag.attributes[..index].iter().any(is_same) {
            return Err("it is not the first of that name, and changed".to_owned());
        }
        let Some(row) = self.row(tag, name, entities) else {
            return Err("it is no place of a URL, and changed".to_owned());
        };
        let [old, new] = [old, new].map(|value| self.decode(value, entities));
        if row.kind == ValueKind::Srcdoc {
            return Ok(Changed::Document(old, new));
        }
        let codebase = tag.value("codebase").map(|it| self.decode(it, entities));
        grammar::compare(row.kind, &old, &new, &mut |old, new| {
            let place = (row.kind, row.against);
            self.targets.are_same(place, codebase.as_deref(), old, new)
        })?;
        Ok(Changed::Reference)
    }

    /// The place that an attribute is. lol_html only guesses in which namespace an element is, so
    /// that a place in any of them will do.
    fn row(
        &self,
        tag: &OldTag<'_>,
        name: &[u8],
        entities: Option<&Entities>,
    ) -> Option<&'static Row> {
        let sibling = |name: &str| {
            let value = self.decode(tag.value(name)?, entities);
            Some(Cow::Owned(value.into_bytes()))
        };
        let element = tag.name.rsplit(|&byte| byte == b':').next()?;
        let elements = match element.eq_ignore_ascii_case(b"image") {
            true => &[element, b"img"][..],
            false => &[element],
        };
        // In XML any prefix may stand for the namespace of XLink.
        let spelled = name;
        let name = match self.syntax == Syntax::Xml && name.ends_with(b":href") {
            true => b"xlink:href",
            false => name,
        };
        let own = |element: &&[u8]| {
            (self.wanted.own(element, name)).or_else(|| self.wanted.own(element, spelled))
        };
        if let Some(own) = elements.iter().find_map(own) {
            return Some(own.row());
        }
        let mut rows = [Namespace::Html, Namespace::Svg, Namespace::MathMl]
            .into_iter()
            .flat_map(|namespace| elements.iter().map(move |element| (namespace, element)))
            .filter_map(|(namespace, element)| {
                attributes::lookup(namespace, element, name, &sibling)
            });
        rows.find(|row| self.wanted.groups.contains(row.group))
    }

    /// What the text of an element is, by its tag.
    pub(super) fn text_of(&self, tag: &OldTag<'_>, opened: Opened) -> Text {
        let wants = |group| self.wanted.groups.contains(group);
        let (kind, is_raw) = match opened {
            Opened::Document if wants(Group::Noscript) => return Text::Document,
            Opened::Style { is_raw } if wants(Group::Css) => {
                (Some(ValueKind::CssStylesheet), is_raw)
            }
            Opened::Script { is_raw } if wants(Group::Json) => {
                let kind = tag.value("type").map(|it| self.decode(it, None));
                match kind.map(|kind| kind.to_ascii_lowercase()).as_deref() {
                    Some("importmap") => (Some(ValueKind::ImportMap), is_raw),
                    Some("application/ld+json") => (Some(ValueKind::LinkedData), is_raw),
                    _ => (None, is_raw),
                }
            }
            Opened::Style { is_raw } | Opened::Script { is_raw } => (None, is_raw),
            Opened::Document | Opened::Other => (None, true),
        };
        match kind {
            Some(kind) => Text::Value { kind, is_raw },
            None if is_raw => Text::Raw,
            None => Text::Plain,
        }
    }

    /// Compares the text of an element with a new one.
    pub(super) fn text(
        &self,
        (kind, is_raw): (ValueKind, bool),
        old: &[u8],
        new: &[u8],
        entities: Option<&Entities>,
    ) -> Result<(), String> {
        let [old, new] = [old, new].map(|text| self.encoding.decode_without_bom_handling(text).0);
        let [old, new] = match is_raw {
            true => [old.into(), new.into()],
            false => {
                let [old, new] = [runs(&old), runs(&new)];
                if old.1 != new.1 {
                    return Err("the markup in its text changed".to_owned());
                }
                [old, new].map(|(runs, _)| -> String {
                    let texts = runs.into_iter().map(|(run, is_literal)| match entities {
                        _ if is_literal => Cow::Borrowed(run),
                        None => htmlize::unescape(run),
                        Some(entities) => Cow::Owned(entities.of_text(run)),
                    });
                    texts.collect()
                })
            }
        };
        grammar::compare(kind, &old, &new, &mut |old, new| {
            (self.targets).are_same((kind, Against::Base), None, old, new)
        })
    }

    /// What the value of an attribute spells.
    pub(super) fn decode(&self, value: &[u8], entities: Option<&Entities>) -> String {
        let (text, _) = self.encoding.decode_without_bom_handling(value);
        match entities {
            None => htmlize::unescape_attribute(text).into_owned(),
            Some(entities) => entities.of_value(&text),
        }
    }
}

/// The runs of text in the content of an element, with whether they are literal, and the markup
/// between them.
fn runs(content: &str) -> (Vec<(&str, bool)>, Vec<&str>) {
    let (mut runs, mut markup) = (Vec::new(), Vec::new());
    let mut rest = content;
    while let Some(at) = rest.find('<') {
        runs.push((&rest[..at], false));
        rest = &rest[at..];
        if let Some(literal) = rest.strip_prefix("<![CDATA[") {
            let (text, after) = literal.split_once("]]>").unwrap_or((literal, ""));
            runs.push((text, true));
            rest = after;
            continue;
        }
        let end = match rest {
            _ if rest.starts_with("<!--") => "-->",
            _ if rest.starts_with("<?") => "?>",
            _ => ">",
        };
        let length = rest.find(end).map_or(rest.len(), |at| at + end.len());
        markup.push(&rest[..length]);
        rest = &rest[length..];
    }
    runs.push((rest, false));
    (runs, markup)
}
