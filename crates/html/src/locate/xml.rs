//! The locator for XHTML: XML 1.0 and Namespaces in XML, as far as links need them.
//!
//! XML has no raw text, no implied tags and no letter case to forget, so this is a tokenizer and a
//! stack of namespace declarations. It does not check that a document is well-formed: a browser
//! shows an error for one that is not, and here whatever is found in it is still right for the
//! part that is.
//!
//! Markup that the document type declaration spells is reported apart
//! ([`Handler::declared`]): what an entity in content stands for, and
//! tags that get attributes by default.

mod allowance;
mod doctype;
pub mod markup;
mod namespaces;
mod text;

use std::ops::Range;
use std::sync::Arc;

use memchr::{memchr, memchr2};

pub(crate) use allowance::Allowance;
pub use doctype::Doctype;
use doctype::Entity;
use markup::{MarkupKind, content_length, entity_name_length, entity_reference, name_length, tag};
use namespaces::{Namespaces, has_upper_case};
pub(crate) use text::{Layout, Section, of_content, of_value};

use super::{Attribute, Handler, Namespace, RawText, Spelling, StartTag};

/// Reports what stands in an XHTML document. An element without a namespace is nobody's, as it is
/// for a browser, whatever the file's name promises.
pub fn locate<H: Handler>(document: &[u8], handler: &mut H) {
    Pieces::default().locate(document, true, handler);
}

/// The state of a locator between two pieces of a document.
#[derive(Default)]
pub(super) struct Pieces {
    open: Vec<Open>,
    /// How many of them are templates.
    templates: usize,
    namespaces: Namespaces,
    doctype: Option<Arc<Doctype>>,
    /// For what the document type declaration spells.
    allowance: Allowance,
}

impl Pieces {
    /// See [`super::Pieces::locate`].
    pub(super) fn locate<H: Handler + ?Sized>(
        &mut self,
        piece: &[u8],
        last: bool,
        handler: &mut H,
    ) -> usize {
        let mut locator = Locator {
            document: piece,
            position: 0,
            last,
            is_declared: false,
            text_end: 0,
            context: self,
            handler,
        };
        locator.run();
        locator.position
    }
}

struct Locator<'d, 'h, H: ?Sized> {
    document: &'d [u8],
    position: usize,
    /// Whether the document ends with these bytes.
    last: bool,
    /// Whether they are not of the document itself.
    is_declared: bool,
    /// The end of the content that was reported last, which is held as a whole.
    text_end: usize,
    context: &'h mut Pieces,
    handler: &'h mut H,
}

/// An element that is not closed yet.
struct Open {
    /// How many bindings there were before it.
    bindings: usize,
    is_template: bool,
    /// What text it holds, and from where on, where that is not reported yet.
    text: Option<(RawText, usize)>,
}

const ENDLESS: &str = "its entities refer to themselves or stand for too much text, so that no \
                       browser shows it";
const UNKNOWN_NAMESPACE: &str = "it names a namespace by an entity that it does not declare; write \
                                 the namespace itself";

impl<H: Handler + ?Sized> Locator<'_, '_, H> {
    fn run(&mut self) {
        loop {
            let rest = &self.document[self.position..];
            let doctype = self.context.doctype.as_ref();
            let next = match doctype.is_some_and(|doctype| doctype.has_markup) {
                true => memchr2(b'<', b'&', rest),
                false => memchr(b'<', rest),
            };
            let Some(next) = next else { break };
            self.position += next;
            let found = match rest[next] {
                b'&' => self.reference(),
                _ => self.markup(),
            };
            if found.is_none() {
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

    /// One piece of markup; `None` where the document ends inside it.
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
            MarkupKind::Declaration => self.doctype(&rest[..length]),
            MarkupKind::EndTag => {
                if let Some(closed) = self.context.open.pop() {
                    self.text(&closed, self.position);
                    self.context.templates -= usize::from(closed.is_template);
                    self.context.namespaces.unbind(closed.bindings);
                }
            }
            MarkupKind::Literal | MarkupKind::Instruction | MarkupKind::StartTag => {}
        }
        self.position += length;
        Some(())
    }

    /// Reports the text of an element that ends there, if that is still to be done.
    fn text(&mut self, closed: &Open, end: usize) {
        if let Some((element, start)) = closed.text {
            self.handler
                .raw_text(element, Spelling::Content, start..end);
        }
    }

    /// Lets markup of the document that declarations may have an effect on count.
    fn earn(&mut self, length: usize) {
        if !self.is_declared {
            self.context.allowance.earn(length);
        }
    }

    fn doctype(&mut self, declaration: &[u8]) {
        if self.context.doctype.is_none()
            && self.context.open.is_empty()
            && let Some(doctype) = Doctype::read(declaration)
        {
            let doctype = Arc::new(doctype);
            self.handler.doctype(&doctype);
            self.context.doctype = Some(doctype);
        }
    }

    /// A `&` in content; `None` where the document may go on inside a reference.
    fn reference(&mut self) -> Option<()> {
        let rest = &self.document[self.position..];
        if !self.last && 1 + entity_name_length(&rest[1..]) == rest.len() {
            return None;
        }
        let at = self.position;
        self.position += 1;
        let Some(reference) = entity_reference(rest) else {
            return Some(());
        };
        self.position = at + reference.length;
        self.earn(reference.length);
        let doctype = self.context.doctype.clone()?;
        match doctype.entity(reference.name) {
            Some(Entity::Text {
                text,
                has_markup: true,
            }) => self.declared(at..self.position, text),
            Some(Entity::Endless) => self.handler.refuse(ENDLESS),
            _ => {}
        }
        Some(())
    }

    /// Reports markup that the document type declaration spells, and that has its effect `at` a
    /// place of the document. Entities that have no end are not followed, so that this does not go
    /// deeper than the declarations allow.
    fn declared(&mut self, at: Range<usize>, text: &[u8]) {
        // What is found in it takes more memory than it is long itself.
        let spent = text.len().saturating_mul(Allowance::BYTE);
        if !self.context.allowance.spend(spent) {
            return self.handler.refuse(ENDLESS);
        }
        let context = &mut *self.context;
        self.handler.declared(at, text, &mut |handler| {
            let (open, templates) = (std::mem::take(&mut context.open), context.templates);
            let bindings = context.namespaces.len();
            let mut locator = Locator {
                document: text,
                position: 0,
                last: true,
                is_declared: true,
                text_end: 0,
                context: &mut *context,
                handler,
            };
            locator.run();
            // Elements end in the entity that they begin in.
            locator.context.namespaces.unbind(bindings);
            (context.open, context.templates) = (open, templates);
        });
    }

    fn start_tag(&mut self) -> Option<()> {
        let (document, start) = (self.document, self.position);
        let mut attributes = Vec::new();
        let end = tag(document, start, |attribute| attributes.push(attribute))?;
        if !end.named {
            self.position = end.end;
            return Some(());
        }
        let name = start + 1..start + 1 + name_length(&document[start + 1..]);
        let is_nested = start < self.text_end;

        let (bindings, allowance) = (self.context.namespaces.len(), self.context.allowance);
        for attribute in &attributes {
            self.bind(
                &document[attribute.name.clone()],
                &document[attribute.value.clone()],
            );
        }
        self.earn(end.end - start);
        let by_default = self.defaults(start..end.end, end.self_closing, &name, &attributes);
        let (namespace, local) = self.context.namespaces.expand(document, &name);
        let local_name = &document[local.clone()];
        // In XML `HREF` and `<A>` are other names than `href` and `<a>`.
        let spelled_right = namespace != Some(Namespace::Html) || !has_upper_case(local_name);
        let (mut is_template, mut text) = (false, None);
        if let Some(namespace) = namespace.filter(|_| spelled_right) {
            text = match (local_name, namespace) {
                _ if end.self_closing => None,
                (b"style", Namespace::Html | Namespace::Svg) => Some((RawText::Style, end.end)),
                (b"script", Namespace::Html | Namespace::Svg) => Some((RawText::Script, end.end)),
                _ => None,
            };
            // Text is reported whole.
            if text.is_some() && !is_nested {
                let rest = &document[end.end..];
                let length = content_length(rest).or(self.last.then_some(rest.len()));
                let Some(length) = length else {
                    self.context.namespaces.unbind(bindings);
                    self.context.allowance = allowance;
                    return None;
                };
                self.text_end = end.end + length;
            }
            if let Some(tag) = by_default {
                // What the tag says by itself is in there, too.
                self.declared(name.clone(), &tag);
            } else {
                let namespaces = &self.context.namespaces;
                let handler = &*self.handler;
                let xlink =
                    namespaces.resolve_prefixes(document, namespace, &mut attributes, handler);
                self.handler.start_tag(&StartTag {
                    name: local,
                    namespace,
                    attributes: &attributes,
                    xlink,
                    base_counts: self.context.templates == 0,
                    precedes: false,
                    is_exact: true,
                });
            }
            if let Some((element, start)) = text.take_if(|_| !is_nested) {
                let content = start..self.text_end;
                self.handler.raw_text(element, Spelling::Content, content);
            }
            is_template = local_name == b"template" && namespace == Namespace::Html;
        } else if (attributes.iter())
            .any(|attribute| (self.handler).wants_anywhere(&document[attribute.name.clone()]))
        {
            self.handler.unknown_tag(local, &attributes);
        }
        self.position = end.end;
        if end.self_closing {
            self.context.namespaces.unbind(bindings);
        } else {
            self.context.templates += usize::from(is_template);
            self.context.open.push(Open {
                bindings,
                is_template,
                text,
            });
        }
        Some(())
    }

    /// XML 1.0 §3.3.2: takes in the namespace declarations that a tag has by default. If it has
    /// other attributes by default that matter, the answer is the whole tag, closed.
    fn defaults(
        &mut self,
        tag: Range<usize>,
        self_closing: bool,
        name: &Range<usize>,
        attributes: &[Attribute],
    ) -> Option<Vec<u8>> {
        let document = self.document;
        let doctype = self.context.doctype.clone()?;
        let defaults = doctype.defaults(&document[name.clone()])?;
        let mut text = document[tag.start..tag.end - 1 - usize::from(self_closing)].to_vec();
        let mut matters = false;
        for (name, literal) in defaults {
            let Some(literal) = literal else {
                continue;
            };
            let spent = literal.len() + 1 + attributes.len();
            if !self.context.allowance.spend(spent) {
                self.handler.refuse(ENDLESS);
                break;
            }
            let is_there = |attribute: &Attribute| document[attribute.name.clone()] == **name;
            if attributes.iter().any(is_there) {
                continue;
            }
            let declares = self.bind(name, &literal[1..literal.len() - 1]);
            let local = name.rsplit(|byte| *byte == b':').next().unwrap_or_default();
            matters |= !declares && self.handler.wants(local);
            text.push(b' ');
            text.extend_from_slice(name);
            text.push(b'=');
            text.extend_from_slice(literal);
        }
        text.extend_from_slice(b"/>");
        matters.then_some(text)
    }

    /// Takes in an attribute that declares a namespace; says whether it does.
    fn bind(&mut self, name: &[u8], value: &[u8]) -> bool {
        let Pieces {
            namespaces,
            doctype,
            ..
        } = &mut *self.context;
        let is_known = namespaces.bind(name, value, doctype.as_deref());
        if is_known == Some(false) {
            self.handler.refuse(UNKNOWN_NAMESPACE);
        }
        is_known.is_some()
    }
}

#[cfg(test)]
mod tests;
