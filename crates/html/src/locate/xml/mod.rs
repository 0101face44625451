//! The locator for XHTML: XML 1.0 and Namespaces in XML, as far as links need them.
//!
//! XML has no raw text and no implied tags, and is case-sensitive, so this is a tokenizer and a
//! stack of namespace declarations. It does not check that a document is well-formed: for one that
//! is not, a browser shows an error, and what is found here is right for the well-formed part.
//!
//! Entities that the document declares are not expanded: what its declaration spells is reported
//! where it stands ([`Handler::declared_markup`], [`Handler::declared_attribute`]).

mod doctype;
pub mod markup;
mod namespaces;
pub mod prefixes;
mod text;

use std::ops::Range;
use std::sync::Arc;

use memchr::{memchr, memmem};

use doctype::Declaration;
pub use doctype::Doctype;
use markup::{MarkupKind, content_length, drop_repeats, name_length, tag};
use namespaces::{Space, has_upper_case};
use prefixes::{Prefixes, split};
pub(crate) use text::{FlatLayout, Section, has_entities, of_content, of_value};

use super::{Attribute, Handler, Namespace, Quote, RawText, Spelling, StartTag};

/// Reports what is in an XHTML document. An element without a namespace belongs to no vocabulary,
/// as in a browser, whatever the file's name suggests.
pub fn locate<H: Handler>(document: &[u8], handler: &mut H) {
    OpenTags::default().locate(document, true, handler);
}

/// The state of a locator between two pieces of a document.
#[derive(Default)]
pub(super) struct OpenTags {
    open: Vec<Open>,
    /// How many of them are templates.
    templates: usize,
    /// How many have a text that is not reported yet.
    texts: usize,
    namespaces: Prefixes<Space>,
    /// The values of `xml:base` around, the outermost first, with line breaks between them; and where each begins.
    bases: String,
    base_starts: Vec<usize>,
    doctype: Option<Arc<Doctype>>,
    /// Whether the root element has begun.
    has_root: bool,
}

impl OpenTags {
    /// See [`crate::locate::Pieces::locate`].
    pub(super) fn locate<H: Handler + ?Sized>(
        &mut self,
        piece: &[u8],
        last: bool,
        handler: &mut H,
    ) -> usize {
        let mut locator = TagReader {
            document: piece,
            position: 0,
            last,
            text_end: 0,
            context: self,
            handler,
        };
        locator.run();
        locator.position
    }
}

struct TagReader<'d, 'h, H: ?Sized> {
    document: &'d [u8],
    position: usize,
    /// Whether the document ends with these bytes.
    last: bool,
    /// The end of the content that was reported last, which is held whole.
    text_end: usize,
    context: &'h mut OpenTags,
    handler: &'h mut H,
}

/// An element that is not closed yet.
struct Open {
    /// How many bindings there were before it.
    bindings: usize,
    /// How many values of `xml:base`.
    bases: usize,
    is_template: bool,
    /// What kind of text it contains, and where that starts, if it has not been reported yet.
    text: Option<(RawText, usize)>,
}

/// How deep style sheets and scripts may stand in one another: in each level all of what is inside is read.
const MOST_TEXTS: usize = 16;

/// How many namespaces a document type may declare for an element: each of its tags declares them anew.
const MOST_DEFAULTS: usize = 32;
const TOO_MANY_DEFAULTS: &str = "its document type declares more than 32 namespaces for an element; write them into \
                                 the document";
const UNKNOWN_NAMESPACE: &str = "it names a namespace by an entity; write the namespace itself";
const DECLARED_BASE: &str = "its document type declaration may spell a base element; write that \
                             into the document";

impl<H: Handler + ?Sized> TagReader<'_, '_, H> {
    fn run(&mut self) {
        while let Some(next) = memchr(b'<', &self.document[self.position..]) {
            self.position += next;
            if self.markup().is_none() {
                return;
            }
        }
        self.position = self.document.len();
        if self.last {
            while let Some(unclosed) = self.context.open.pop() {
                self.text(&unclosed, self.position);
            }
        }
    }

    /// One piece of markup; `None` if the document ends inside it.
    fn markup(&mut self) -> Option<()> {
        let rest = &self.document[self.position..];
        let kind = MarkupKind::of(rest);
        if kind == MarkupKind::StartTag {
            return self.start_tag();
        }
        let length = kind.length(rest)?;
        match kind {
            MarkupKind::Comment => {
                let data = self.position + 4..self.position + length - 3;
                self.handler.comment(data);
            }
            MarkupKind::Declaration => {
                self.doctype(&rest[..length]);
                self.without_tags(length);
            }
            MarkupKind::EndTag => {
                if let Some(closed) = self.context.open.pop() {
                    self.text(&closed, self.position);
                    self.context.templates -= usize::from(closed.is_template);
                    self.context.namespaces.unbind(closed.bindings);
                    self.unbase(closed.bases);
                }
            }
            MarkupKind::Instruction => {
                self.stylesheet(&rest[..length]);
                self.without_tags(length);
            }
            MarkupKind::Cdata => self.without_tags(length),
            MarkupKind::StartTag => {}
        }
        self.position += length;
        Some(())
    }

    fn without_tags(&mut self, length: usize) {
        self.handler
            .without_tags(self.position..self.position + length);
    }

    fn stylesheet(&mut self, instruction: &[u8]) {
        if self.context.has_root {
            return;
        }
        if let Some((target, mut href)) = markup::stylesheet(instruction) {
            let start = self.position;
            let moved = |range: &Range<usize>| start + range.start..start + range.end;
            (href.name, href.value) = (moved(&href.name), moved(&href.value));
            self.handler.stylesheet(moved(&target), &href);
        }
    }

    /// Reports the text of an element that ends there, if that has not been done.
    fn text(&mut self, closed: &Open, end: usize) {
        if let Some((element, start)) = closed.text {
            self.context.texts -= 1;
            self.handler
                .raw_text(element, Spelling::Content, start..end);
        }
    }

    fn doctype(&mut self, declaration: &[u8]) {
        if self.context.doctype.is_some() || !self.context.open.is_empty() {
            return;
        }
        let (document, start) = (self.document, self.position);
        let moved = |range: Range<usize>| start + range.start..start + range.end;
        let handler = &mut *self.handler;
        let doctype = Doctype::read(declaration, &mut |spelled| match spelled {
            Declaration::Markup(text) => {
                let text = moved(text);
                if memmem::find(&document[text.clone()], b"base").is_some() {
                    handler.refuse(DECLARED_BASE);
                }
                handler.declared_markup(text);
            }
            Declaration::Attribute { element, attribute } => {
                let (_, element) = split(document, &moved(element));
                let attribute = Attribute {
                    name: moved(attribute.name),
                    value: moved(attribute.value),
                    ..attribute
                };
                if document[element.clone()] == *b"base" {
                    handler.refuse(DECLARED_BASE);
                }
                handler.declared_attribute(element, &attribute);
            }
        });
        if let Some(doctype) = doctype.map(Arc::new) {
            handler.doctype(&doctype);
            self.context.doctype = Some(doctype);
        }
    }

    fn start_tag(&mut self) -> Option<()> {
        let (document, start) = (self.document, self.position);
        let mut attributes = Vec::new();
        let end = tag(document, start, |attribute| attributes.push(attribute))?;
        if !end.named {
            self.position = end.end;
            return Some(());
        }
        // No parser takes one without a value, or the second of a name.
        attributes.retain(|it| it.quote != Quote::Missing);
        drop_repeats(document, &mut attributes);
        let name = start + 1..start + 1 + name_length(&document[start + 1..]);
        let is_nested = start < self.text_end;
        self.context.has_root = true;

        let bindings = self.context.namespaces.count();
        self.bind(&name, &attributes);
        let bases = self.context.base_starts.len();
        let (namespace, local) = self.context.namespaces.expand(document, &name);
        let local_name = &document[local.clone()];
        // In XML `HREF` and `<A>` are other names than `href` and `<a>`.
        let spelled_right = namespace != Some(Namespace::Html) || !has_upper_case(local_name);
        let namespace = namespace.filter(|_| spelled_right);
        let mut text = match (local_name, namespace) {
            _ if end.self_closing || self.context.texts == MOST_TEXTS => None,
            (b"style", Some(Namespace::Html | Namespace::Svg)) => Some((RawText::Style, end.end)),
            (b"script", Some(Namespace::Html | Namespace::Svg)) => Some((RawText::Script, end.end)),
            _ => None,
        };
        // In text that is reported no other is wanted: in each level all of what is inside would be read.
        let is_wanted = !(end.self_closing || is_nested || text.is_some())
            && self.handler.wants_text(&document[name.clone()]);
        // Text is reported whole.
        if is_wanted || text.is_some() && !is_nested {
            let rest = &document[end.end..];
            let length = content_length(rest).or(self.last.then_some(rest.len()));
            let Some(length) = length else {
                self.context.namespaces.unbind(bindings);
                return None;
            };
            self.text_end = end.end + length;
        }
        let xml_base = attributes
            .iter()
            .find(|it| document[it.name.clone()] == *b"xml:base");
        if let Some(attribute) = xml_base {
            self.base(&document[attribute.value.clone()]);
        }
        let mut is_template = false;
        if let Some(namespace) = namespace {
            let namespaces = &self.context.namespaces;
            let handler = &*self.handler;
            let xlink = namespaces.resolve_prefixes(document, namespace, &mut attributes, handler);
            self.handler.start_tag(&StartTag {
                name: local,
                namespace,
                attributes: &attributes,
                xlink,
                base_applies: self.context.templates == 0,
                is_inert: self.context.templates > 0,
                precedes: false,
                is_exact: true,
            });
            is_template = local_name == b"template" && namespace == Namespace::Html;
        } else if is_wanted
            || (attributes.iter())
                .any(|attribute| (self.handler).wants_anywhere(&document[attribute.name.clone()]))
        {
            self.handler.unknown_tag(local, &attributes);
        }
        if is_wanted {
            self.handler.element_text(name, end.end..self.text_end);
        } else if let Some((element, start)) = text.take_if(|_| !is_nested) {
            let content = start..self.text_end;
            self.handler.raw_text(element, Spelling::Content, content);
        }
        self.position = end.end;
        if end.self_closing {
            self.context.namespaces.unbind(bindings);
            self.unbase(bases);
        } else {
            self.context.templates += usize::from(is_template);
            self.context.texts += usize::from(text.is_some());
            self.context.open.push(Open {
                bindings,
                bases,
                is_template,
                text,
            });
        }
        Some(())
    }

    /// Takes in an `xml:base` (XML Base §4).
    fn base(&mut self, value: &[u8]) {
        let value = htmlize::unescape_bytes_in(value, htmlize::Context::Attribute);
        let bases = &mut self.context.bases;
        self.context.base_starts.push(bases.len());
        let value = String::from_utf8_lossy(&value).replace('\n', " ");
        bases.extend((!bases.is_empty()).then_some('\n'));
        bases.push_str(value.trim());
        self.handler.xml_base(bases);
    }

    /// Drops all but so many of them.
    fn unbase(&mut self, count: usize) {
        let context = &mut *self.context;
        if let Some(start) = context.base_starts.get(count) {
            context.bases.truncate(*start);
            context.base_starts.truncate(count);
            self.handler.xml_base(&context.bases);
        }
    }

    /// Takes in the namespace declarations of a tag: its own, and those that it has by default
    /// (XML 1.0 §3.3.2).
    fn bind(&mut self, element: &Range<usize>, attributes: &[Attribute]) {
        let document = self.document;
        let context = &mut *self.context;
        let own = attributes
            .iter()
            .map(|it| (&document[it.name.clone()], &document[it.value.clone()]));
        let element = &document[element.clone()];
        let doctype = context.doctype.as_deref();
        let defaults = doctype.map_or(&[][..], |doctype| doctype.namespaces(element));
        if defaults.len() > MOST_DEFAULTS {
            return self.handler.refuse(TOO_MANY_DEFAULTS);
        }
        let is_given = |default: &[u8]| own.clone().any(|(name, _)| name == default);
        let defaults = (defaults.iter())
            .map(|(name, value)| (&**name, &**value))
            .filter(|(name, _)| !is_given(name));
        for (name, value) in own.clone().chain(defaults) {
            if context.namespaces.declare(name, value, doctype) == Some(false) {
                self.handler.refuse(UNKNOWN_NAMESPACE);
            }
        }
    }
}

#[cfg(test)]
mod tests;
