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

mod doctype;
pub(crate) mod markup;
mod text;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use memchr::{memchr, memchr2};

pub use doctype::Doctype;
use doctype::Entity;
use markup::{MarkupKind, content_length, entity_name_length, entity_reference, name_length, tag};
pub(in crate::html) use text::{Layout, Section, of_content, of_value};

use super::{Attribute, Handler, Namespace, RawText, Spelling, StartTag};

/// Reports what stands in an XHTML document. An element without a namespace counts as HTML:
/// somebody named the file so.
pub fn locate<H: Handler>(document: &[u8], handler: &mut H) {
    Pieces::default().locate(document, true, handler);
}

/// How much text the entities of a document may stand for. Without an end to it, a few of them
/// that refer to one another would stand for any amount.
#[derive(Clone, Copy, Debug)]
pub(in crate::html) struct Allowance {
    left: usize,
}

impl Allowance {
    /// What every document may use.
    const DOCUMENT: usize = 16 << 20;
    /// What it may use besides, for each byte that it has.
    const BYTE: usize = 256;

    /// So much, and no more.
    pub(in crate::html) fn of(bytes: usize) -> Allowance {
        Allowance { left: bytes }
    }

    /// For so many bytes of the document.
    pub(in crate::html) fn earn(&mut self, bytes: usize) {
        self.left = self.left.saturating_add(bytes.saturating_mul(Self::BYTE));
    }

    /// Whether there is enough left.
    fn spend(&mut self, bytes: usize) -> bool {
        let left = self.left.checked_sub(bytes);
        self.left = left.unwrap_or_default();
        left.is_some()
    }
}

impl Default for Allowance {
    fn default() -> Allowance {
        Allowance::of(Self::DOCUMENT)
    }
}

/// The state of a locator between two pieces of a document.
#[derive(Default)]
pub(super) struct Pieces {
    open: Vec<Open>,
    /// How many of them are templates.
    templates: usize,
    /// The prefixes that the open elements bind.
    bindings: Vec<Box<[u8]>>,
    /// What each is bound to, the innermost last.
    bound: HashMap<Box<[u8]>, Vec<Space>>,
    doctype: Option<Arc<Doctype>>,
    /// For what the document type declaration spells.
    allowance: Allowance,
}

/// What a prefix is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Space {
    Elements(Namespace),
    XLink,
    Other,
}

/// The longest name of a namespace that is looked at.
const LONGEST_NAMESPACE: usize = 1 << 10;

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
                    self.unbind(closed.bindings);
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
            let bindings = context.bindings.len();
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
            locator.unbind(bindings);
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

        let (bindings, allowance) = (self.context.bindings.len(), self.context.allowance);
        for attribute in &attributes {
            self.bind(
                &document[attribute.name.clone()],
                &document[attribute.value.clone()],
            );
        }
        self.earn(end.end - start);
        let by_default = self.defaults(start..end.end, end.self_closing, &name, &attributes);
        let (namespace, local) = self.expand(&name);
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
                    self.unbind(bindings);
                    self.context.allowance = allowance;
                    return None;
                };
                self.text_end = end.end + length;
            }
            if let Some(tag) = by_default {
                // What the tag says by itself is in there, too.
                self.declared(name.clone(), &tag);
            } else {
                let xlink = self.resolve_prefixes(namespace, &mut attributes);
                self.handler.start_tag(&StartTag {
                    name: local,
                    namespace,
                    attributes: &attributes,
                    xlink,
                    base_counts: self.context.templates == 0,
                    precedes: false,
                });
            }
            if let Some((element, start)) = text.take_if(|_| !is_nested) {
                let content = start..self.text_end;
                self.handler.raw_text(element, Spelling::Content, content);
            }
            is_template = local_name == b"template" && namespace == Namespace::Html;
        }
        self.position = end.end;
        if end.self_closing {
            self.unbind(bindings);
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
        let prefix: &[u8] = match name.strip_prefix(b"xmlns") {
            Some(b"") => b"",
            Some([b':', prefix @ ..]) => prefix,
            _ => return false,
        };
        let mut space = Space::of(value);
        if memchr(b'&', value).is_some() {
            let doctype = self.context.doctype.as_deref();
            let flat = of_value(value, doctype, &mut Allowance::of(LONGEST_NAMESPACE));
            let spelled = flat.as_ref().map_or(value, |flat| &flat.bytes);
            space = Space::of(&htmlize::unescape_bytes_in(
                spelled,
                htmlize::Context::Attribute,
            ));
            if flat.is_some_and(|flat| flat.is_unknown) && doctype.is_some_and(Doctype::declares) {
                self.handler.refuse(UNKNOWN_NAMESPACE);
            }
        }
        self.context.bindings.push(prefix.into());
        let bound = self.context.bound.entry(prefix.into()).or_default();
        bound.push(space);
        true
    }

    /// Ends all bindings but the first so many.
    fn unbind(&mut self, first: usize) {
        let Pieces {
            bindings, bound, ..
        } = &mut *self.context;
        for prefix in bindings.drain(first..) {
            if let Some(bound) = bound.get_mut(&prefix) {
                bound.pop();
            }
        }
    }

    fn bound(&self, prefix: &[u8]) -> Option<Space> {
        self.context.bound.get(prefix)?.last().copied()
    }

    /// The namespace of an element's name, if it is one of the three, and its local part.
    fn expand(&self, name: &Range<usize>) -> (Option<Namespace>, Range<usize>) {
        let (prefix, local) = split(self.document, name);
        match self.bound(prefix) {
            Some(Space::Elements(namespace)) => (Some(namespace), local),
            Some(Space::XLink | Space::Other) => (None, local),
            None => (prefix.is_empty().then_some(Namespace::Html), local),
        }
    }

    /// Drops attributes whose names only look like those of links; the answer is the one that is
    /// XLink's `href` under another prefix than `xlink`. A prefix `xlink` that nobody binds counts
    /// all the same.
    fn resolve_prefixes(
        &self,
        namespace: Namespace,
        attributes: &mut Vec<Attribute>,
    ) -> Option<usize> {
        let document = self.document;
        let mut xlink = None;
        let mut kept = 0;
        attributes.retain(|attribute| {
            let name = &document[attribute.name.clone()];
            let mut keep = !has_upper_case(name);
            if namespace != Namespace::Html && memchr(b':', name).is_some() {
                let (prefix, local) = split(document, &attribute.name);
                let space = self.bound(prefix);
                if prefix == b"xlink" {
                    keep &= space.is_none_or(|space| space == Space::XLink);
                } else if space == Some(Space::XLink) && document[local] == *b"href" {
                    xlink = Some(kept);
                    keep = true;
                }
            }
            kept += usize::from(keep);
            keep
        });
        xlink
    }
}

impl Space {
    fn of(name: &[u8]) -> Space {
        match name {
            b"http://www.w3.org/1999/xhtml" => Space::Elements(Namespace::Html),
            b"http://www.w3.org/2000/svg" => Space::Elements(Namespace::Svg),
            b"http://www.w3.org/1998/Math/MathML" => Space::Elements(Namespace::MathMl),
            b"http://www.w3.org/1999/xlink" => Space::XLink,
            _ => Space::Other,
        }
    }
}

/// The prefix of a name, and its local part.
fn split<'d>(document: &'d [u8], name: &Range<usize>) -> (&'d [u8], Range<usize>) {
    match memchr(b':', &document[name.clone()]) {
        Some(colon) => (
            &document[name.start..name.start + colon],
            name.start + colon + 1..name.end,
        ),
        None => (b"", name.clone()),
    }
}

fn has_upper_case(name: &[u8]) -> bool {
    name.iter().any(u8::is_ascii_uppercase)
}

#[cfg(test)]
mod tests;
