//! RSS, Atom, sitemaps and OPML: where their URLs and their HTML are, by XML 1.0, Namespaces in XML and XML Base.
//!
//! The tokens are those of the locator for XHTML. Unlike that, which takes a document for what it is
//! as far as it goes, this one gives up where tags do not match: what is in which item is not sure
//! then.

mod attributes;
mod labels;

use std::ops::Range;

use super::Damage;
use super::base64;
use super::elements::{self, BASE64, HTML, IDENTIFIER, Space, Text, URL, XML_BASE};
use super::model::{Model, Scope, XmlBase};
use super::root::{Dialect, RSS_IN_RDF, XHTML_IN_SITEMAPS};
use crate::values::{is_relative, may_hold_others};
use abslink_html::Wanted;
use abslink_html::given_places::DocumentBytes;
use abslink_html::locate::{Attribute, Namespace, RawText, StartTag};
use abslink_html::markup::{
    MarkupKind, TagEnd, drop_repeats, name_length, spaces, stylesheet, tag,
};
use abslink_html::prefixes::{Prefixes, declared, split};

/// Finds what a feed holds.
pub(super) fn read(
    feed: &DocumentBytes<'_>,
    dialect: Dialect,
    wanted: Wanted<'_>,
) -> Result<Model, Damage> {
    let mut reader = Reader {
        feed,
        markup: feed.markup(),
        at: feed.start(),
        dialect,
        root: None,
        has_root: false,
        open: Vec::new(),
        namespaces: Prefixes::default(),
        item: None,
        model: Model::new(wanted, false),
    };
    reader.model.places.doctype(None);
    reader.run()?;
    reader.model.keep_guids(&IDENTIFIER);
    Ok(reader.model)
}

struct Reader<'r> {
    feed: &'r DocumentBytes<'r>,
    markup: &'r [u8],
    at: usize,
    dialect: Dialect,
    /// The name of the root's namespace.
    root: Option<&'r [u8]>,
    has_root: bool,
    open: Vec<OpenElement>,
    /// The names of the namespaces that prefixes are bound to.
    namespaces: Prefixes<&'r [u8]>,
    /// The item that is open.
    item: Option<usize>,
    model: Model,
}

/// An element that is open.
struct OpenElement {
    name: Range<usize>,
    /// Where the local part of its name begins.
    local: usize,
    space: Space,
    /// Where its content begins.
    start: usize,
    text: Text,
    /// Whether it is or stands in content that is spelled as elements.
    is_in_content: bool,
    /// Whether that is in the place of HTML as text, in which elements need no namespace.
    is_in_html: bool,
    /// Whether its text, or that of an element around it, is a place.
    is_in_place: bool,
    has_children: bool,
    /// The innermost `xml:base`.
    base: usize,
    /// How many bindings there were before it.
    bindings: usize,
    is_item: bool,
    /// What a `guid` says of being a permalink, if it says anything.
    permalink: Option<bool>,
}

impl<'r> Reader<'r> {
    fn run(&mut self) -> Result<(), Damage> {
        while let Some(next) = memchr::memchr(b'<', &self.markup[self.at..]) {
            self.at += next;
            let rest = &self.markup[self.at..];
            let kind = MarkupKind::of(rest);
            if kind == MarkupKind::StartTag {
                self.start_tag()?;
                continue;
            }
            let Some(length) = kind.length(rest) else {
                return Err(self.damage("it ends inside of markup"));
            };
            match kind {
                MarkupKind::Declaration if self.has_root || !rest.starts_with(b"<!DOCTYPE") => {
                    return Err(self.damage("a `<` that begins no markup"));
                }
                MarkupKind::Declaration => self.model.places.doctype(Some(&rest[..length])),
                MarkupKind::EndTag => self.end_tag()?,
                MarkupKind::Instruction if !self.has_root => self.instruction(&rest[..length]),
                _ => {}
            }
            self.at += length;
        }
        self.at = self.markup.len();
        match self.open.last() {
            Some(open) => {
                let name = self.shown(&open.name);
                Err(self.damage(format!("it ends before the end tag </{name}>")))
            }
            None if !self.has_root => Err(self.damage("it has no root element")),
            None => Ok(()),
        }
    }

    /// An instruction before the root, which may name a style sheet for all of the feed.
    fn instruction(&mut self, instruction: &[u8]) {
        if let Some((target, mut href)) = stylesheet(instruction) {
            let moved = |range: &Range<usize>| self.at + range.start..self.at + range.end;
            let target = moved(&target);
            href.value = moved(&href.value);
            let number = self.number(0, false);
            self.model.places.stylesheet(target, &href, number);
        }
    }

    fn damage(&self, what: impl Into<String>) -> Damage {
        let before = &self.markup[..self.at];
        Damage {
            line: 1 + memchr::memchr_iter(b'\n', before).count(),
            what: what.into(),
        }
    }

    fn shown(&self, name: &Range<usize>) -> String {
        let name = String::from_utf8_lossy(&self.markup[name.clone()]);
        name.chars().take(40).collect()
    }

    fn start_tag(&mut self) -> Result<(), Damage> {
        let (markup, start) = (self.markup, self.at);
        let mut attributes = Vec::new();
        let Some(end) = tag(markup, start, |attribute| attributes.push(attribute)) else {
            return Err(self.damage("it ends inside of a tag"));
        };
        if !end.named || memchr::memchr(b'<', &markup[start + 1..end.end]).is_some() {
            return Err(self.damage("a `<` that begins no markup"));
        }
        drop_repeats(markup, &mut attributes);
        if self.has_root && self.open.is_empty() {
            return Err(self.damage("a second root element"));
        }
        let name = start + 1..start + 1 + name_length(&markup[start + 1..]);
        let is_in_place = |open: &[OpenElement]| open.last().is_some_and(|outer| outer.is_in_place);
        // What holds elements is no URL: JIRA's `comments` has the comments themselves.
        if let Some((outer, around)) = self.open.split_last_mut()
            && outer.text == Text::Url
        {
            outer.text = Text::Plain;
            outer.is_in_place = is_in_place(around);
        }
        let bindings = self.namespaces.count();
        self.bind(&attributes);
        let (prefix, local) = split(self.markup, &name);
        if !std::mem::replace(&mut self.has_root, true) {
            self.root = Some(self.namespace(prefix));
        }
        let space = self.space(prefix);
        let mut element = OpenElement {
            local: local.start,
            space,
            name,
            start: end.end,
            text: Text::Plain,
            is_in_content: self.open.last().is_some_and(|outer| outer.is_in_content),
            is_in_html: self.open.last().is_some_and(|outer| outer.is_in_html),
            is_in_place: is_in_place(&self.open),
            has_children: false,
            base: self.open.last().map_or(0, |outer| outer.base),
            bindings,
            is_item: self.item.is_none() && self.is_item(space, &markup[local]),
            permalink: None,
        };
        if space.is_html(element.is_in_html) {
            self.html(&mut element, &attributes, &end)
        } else {
            self.element(&mut element, &attributes)
        }
        match self.open.last_mut() {
            Some(outer) => outer.has_children = true,
            None => self.model.root = element.base,
        }
        self.at = end.end;
        if end.self_closing {
            self.close(element, end.end)
        } else {
            self.open.push(element)
        }
        Ok(())
    }

    fn end_tag(&mut self) -> Result<(), Damage> {
        let name = self.at + 2;
        let name = name..name + name_length(&self.markup[name..]);
        let after = &self.markup[name.end..];
        let is_ended = after.get(spaces(after)) == Some(&b'>');
        let Some(open) = self.open.last() else {
            let name = self.shown(&name);
            return Err(self.damage(format!("the end tag </{name}> has no start tag")));
        };
        if self.markup[open.name.clone()] != self.markup[name.clone()] || !is_ended {
            let (open, name) = (self.shown(&open.name), self.shown(&name));
            return Err(self.damage(format!(
                "the end tag </{name}> stands where <{open}> is open"
            )));
        }
        if let Some(open) = self.open.pop() {
            self.close(open, self.at);
        }
        Ok(())
    }

    /// An element of XHTML, SVG or MathML. No `xml:base` counts there: browsers and readers know none.
    fn html(&mut self, element: &mut OpenElement, attributes: &[Attribute], end: &TagEnd) {
        element.is_in_content = true;
        let namespace = match element.space {
            Space::Svg => Namespace::Svg,
            Space::MathMl => Namespace::MathMl,
            _ => Namespace::Html,
        };
        let name = element.local..element.name.end;
        let is_upper = |name: &[u8]| name.iter().any(u8::is_ascii_uppercase);
        if element.space == Space::Xhtml && is_upper(&self.markup[name.clone()]) {
            return;
        }
        let kept = attributes
            .iter()
            .map(|it| (it, &self.markup[it.name.clone()]))
            .filter(|(_, name)| !is_upper(name) || *name == b"attributeName");
        let attributes: Vec<Attribute> = kept.map(|(it, _)| it.clone()).collect();
        let xlink = attributes.iter().position(|attribute| {
            let (prefix, local) = split(self.markup, &attribute.name);
            namespace != Namespace::Html
                && self.markup[local] == *b"href"
                && !prefix.is_empty()
                && self.space(prefix) == Space::XLink
        });
        let number = self.number(element.base, true);
        let tag = StartTag {
            name: name.clone(),
            namespace,
            attributes: &attributes,
            xlink,
            base_applies: false,
            is_inert: true,
            precedes: false,
            // Where HTML is meant, elements without a namespace are read as HTML's are.
            is_exact: !matches!(element.space, Space::None | Space::Rss),
        };
        self.model.places.tag(self.markup, &tag, number);
        let raw = match &self.markup[name] {
            b"style" if namespace != Namespace::MathMl => RawText::Style,
            b"script" if namespace != Namespace::MathMl => RawText::Script,
            _ => return self.custom_text(element),
        };
        if !end.self_closing {
            element.text = Text::Raw(raw);
        }
    }

    /// The text of an element may be one that the user named.
    fn custom_text(&self, element: &mut OpenElement) {
        let name = &self.markup[element.name.clone()];
        let custom = self.model.places.custom(name, b"");
        if let Some(custom) = custom.filter(|_| !element.is_in_place) {
            element.text = Text::Custom(custom.xml_row());
            element.is_in_place = true;
        }
    }

    /// An element of the feed itself, or of an extension.
    fn element(&mut self, element: &mut OpenElement, attributes: &[Attribute]) {
        let (markup, feed) = (self.markup, self.feed);
        let local = &markup[element.local..element.name.end];
        let find = |name: &[u8]| {
            attributes
                .iter()
                .find(|it| markup[it.name.clone()] == *name)
        };
        if element.is_item {
            self.item = Some(self.model.item(element.base));
        }
        let base = find(XML_BASE.attribute.as_bytes()).filter(|_| !self.dialect.is_list());
        if let Some(attribute) = base {
            let outer = element.base;
            let number = self.number(outer, element.is_in_content);
            let value = feed.text(&self.model.places, attribute.value.clone(), false);
            let places = &mut self.model.places;
            places.attribute(&XML_BASE, element.name.clone(), attribute, number);
            self.model.chain.push(XmlBase {
                outer,
                value,
                is_implied: false,
            });
            element.base = self.model.chain.len() - 1;
        }
        if let (true, Some(item)) = (element.is_item, self.item) {
            self.model.items[item].base = element.base;
        }
        self.attributes(element, attributes);
        let value = |name: &[u8]| {
            let attribute = find(name)?;
            feed.text(&self.model.places, attribute.value.clone(), false)
        };
        let is_rdf = self.dialect == Dialect::Rdf;
        let text = if self.dialect.is_list() {
            elements::text_in_list(element.space, local)
        } else {
            let open = self.open.last();
            let parent = (open.map_or(Space::None, |open| open.space), self.parent());
            let is_in_item = open.is_some_and(|open| open.is_item);
            elements::text(is_rdf, (element.space, local), parent, is_in_item, &value)
        };
        if text == Text::Guid {
            let says = value(b"isPermaLink").map(|says| says.trim().to_ascii_lowercase());
            element.permalink = match says.as_deref() {
                Some("true") => Some(true),
                Some("false") => Some(false),
                _ => None,
            };
        }
        let is_link = element.space.is_atom() && local == b"link" && find(b"href").is_some();
        let link = is_link.then(|| (value(b"rel"), value(b"href")));
        if !element.is_in_place {
            element.text = text;
            self.custom_text(element);
            let text = element.text;
            element.is_in_place |= !matches!(text, Text::Plain | Text::Inline);
        }
        let is_html = match element.text {
            Text::Custom(row) => row.is_html(),
            _ => text == Text::Html,
        };
        element.is_in_content |= is_html || matches!(text, Text::Inline | Text::Base64);
        element.is_in_html |= is_html;
        if let Some((rel, href)) = link {
            self.link(rel.as_deref(), href.as_deref(), element.base);
        }
    }

    /// An element ends, with its content.
    fn close(&mut self, element: OpenElement, end: usize) {
        self.namespaces.unbind(element.bindings);
        let content = element.start..end;
        let name = element.name.clone();
        match element.text {
            Text::Url => {
                let number = self.number(element.base, false);
                (self.model.places).content(&URL, name, content.clone(), number);
                self.named(&element, content);
            }
            Text::Guid => self.guid(&element, content),
            Text::Html => {
                let number = self.number(element.base, true);
                self.model.places.content(&HTML, name, content, number);
            }
            Text::Value => self.value(name, content, element.base),
            Text::Raw(raw) => {
                let number = self.number(element.base, true);
                self.model
                    .places
                    .raw_text(self.markup, raw, content, number);
            }
            Text::Base64 => {
                let number = self.number(element.base, true);
                let text = self.feed.text(&self.model.places, content.clone(), true);
                let coded = text.as_deref().and_then(base64::coded);
                self.model
                    .places
                    .coded(&BASE64, name, content, (coded, number));
            }
            Text::Custom(row) => {
                let is_content = element.is_in_content || row.is_html();
                let number = self.number(element.base, is_content);
                (self.model.places).custom_text(row, name, content.clone(), number);
                self.named(&element, content);
            }
            Text::Plain => {
                self.identifier(&element, content.clone());
                self.count_unknown_text(&element, content);
            }
            Text::Inline => {}
        }
        if element.is_item {
            self.item = None;
        }
    }

    /// What a content system keeps under a name. A URL only moves, as nobody knows what a relative one is.
    fn value(&mut self, name: Range<usize>, content: Range<usize>, base: usize) {
        let text = self.feed.text(&self.model.places, content.clone(), true);
        let text = text.unwrap_or_default();
        let text = text.trim();
        let is_html = text.contains('<') || may_hold_others(text);
        let is_word = !text.contains(char::is_whitespace);
        let number = self.number(base, is_html);
        if is_html {
            self.model.places.content(&HTML, name, content, number);
        } else if is_word && text.contains("://") {
            self.model
                .places
                .content(&IDENTIFIER, name, content, number);
        } else if is_word && is_relative(text) {
            self.model.relative_values += 1;
        }
    }

    /// The local name of the element that is open.
    fn parent(&self) -> &'r [u8] {
        let parent = self.open.last();
        parent.map_or(b"", |open| &self.markup[open.local..open.name.end])
    }

    fn is_item(&self, space: Space, local: &[u8]) -> bool {
        match self.dialect {
            Dialect::Atom => space.is_atom() && local == b"entry",
            // A broadcast that is on or announced has what an item has (Podcasting 2.0).
            _ => {
                space == Space::Rss && local == b"item"
                    || space == Space::Extension("podcast") && local == b"liveItem"
            }
        }
    }

    fn number(&mut self, base: usize, is_content: bool) -> usize {
        let item = self.item;
        self.model.number(Scope {
            item,
            base,
            is_content,
        })
    }

    /// Takes in the attributes that declare a namespace.
    fn bind(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            if let Some(prefix) = declared(&self.markup[attribute.name.clone()]) {
                let name = &self.markup[attribute.value.clone()];
                self.namespaces.bind(prefix, name);
            }
        }
    }

    /// The name of the namespace that a prefix is bound to.
    fn namespace(&self, prefix: &[u8]) -> &'r [u8] {
        self.namespaces.get(prefix).unwrap_or_default()
    }

    fn space(&self, prefix: &[u8]) -> Space {
        let name = self.namespace(prefix);
        // A prefix that nothing declares is in no namespace that matters.
        if name.is_empty() && !prefix.is_empty() {
            return Space::Other;
        }
        let is_root = self.root == Some(name);
        match self.dialect {
            Dialect::Rss if is_root => Space::Rss,
            Dialect::Rdf if RSS_IN_RDF.contains(&name) => Space::Rss,
            Dialect::Sitemap if is_root => Space::Sitemap,
            Dialect::Sitemap if name == XHTML_IN_SITEMAPS => Space::Xhtml,
            Dialect::Opml if is_root => Space::Opml,
            _ => Space::of(name),
        }
    }
}
