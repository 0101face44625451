//! Tree construction without HTML's tree: enough for documents whose foreign content is plain.
//!
//! INVARIANT: every element on the stack is foreign, and the element below the lowest one is in
//! the HTML namespace.

use super::super::{Namespace, Spelling};
use super::foreign::{Integration, breaks_out, integration, reported_text};
use super::tag::{Tag, is};
use super::{Base, Construction, Content, Foreign, NeedsTree, Placement};
use crate::html::name_filter::NameFilter;

/// The foreign elements from the current node up to the nearest HTML element.
#[derive(Default)]
pub(super) struct ForeignStack<'d> {
    stack: Vec<Element<'d>>,
    /// There was a `base` with an `href`.
    has_base: bool,
}

struct Element<'d> {
    name: &'d [u8],
    namespace: Namespace,
    integration: Integration,
}

impl<'d> Construction<'d> for ForeignStack<'d> {
    #[inline]
    fn start_tag(&mut self, tag: &Tag<'d, '_>) -> Result<Option<Placement>, NeedsTree> {
        let Some(current) = self.stack.last() else {
            return self.html(tag);
        };
        // Which HTML elements are open from here on is more than this stack tells.
        if current.integration != Integration::No {
            return Err(NeedsTree);
        }
        if breaks_out(tag) {
            self.stack.clear();
            return self.html(tag);
        }
        let namespace = current.namespace;
        Ok(Some(self.insert(namespace, tag)))
    }

    #[inline]
    fn end_tag(&mut self, name: &'d [u8]) -> Result<(), NeedsTree> {
        if self.stack.is_empty() {
            return Ok(());
        }
        if is(name, b"p") || is(name, b"br") {
            self.stack.clear();
            return Ok(());
        }
        let closed = self
            .stack
            .iter()
            .rposition(|element| is(element.name, name))
            .ok_or(NeedsTree)?;
        self.stack.truncate(closed);
        Ok(())
    }

    fn text(&mut self, _: &[u8], _: Spelling) {}

    fn comment(&mut self) {}

    fn doctype(&mut self, _: bool) {}

    #[inline]
    fn looks_at_attributes(&self) -> bool {
        !self.stack.is_empty()
    }

    #[inline]
    fn is_ordinary(&self, name: &[u8]) -> bool {
        self.stack.is_empty() && is_ordinary(name)
    }

    #[inline]
    fn foreign(&self) -> Option<Foreign> {
        let current = self.stack.last()?;
        Some(Foreign {
            text: reported_text(current.namespace, current.name),
        })
    }
}

impl<'d> ForeignStack<'d> {
    /// A start tag in HTML content.
    #[inline]
    fn html(&mut self, tag: &Tag<'d, '_>) -> Result<Option<Placement>, NeedsTree> {
        // Where a second one goes depends on the tables that are open.
        if is(tag.name, b"base") && tag.has("href") && std::mem::replace(&mut self.has_base, true) {
            return Err(NeedsTree);
        }
        let (namespace, content) = html(tag.name)?.unwrap_or((Namespace::Html, Content::Data));
        if namespace != Namespace::Html {
            return Ok(Some(self.insert(namespace, tag)));
        }
        Ok(Some(Placement {
            namespace,
            content,
            base_counts: true,
            base: Base::Stays,
        }))
    }

    /// A start tag of a foreign element.
    fn insert(&mut self, namespace: Namespace, tag: &Tag<'d, '_>) -> Placement {
        if !tag.self_closing {
            let integration = integration(namespace, tag);
            self.stack.push(Element {
                name: tag.name,
                namespace,
                integration,
            });
        }
        Placement {
            namespace,
            content: Content::Data,
            base_counts: true,
            base: Base::Stays,
        }
    }
}

/// Whether a start tag in HTML content makes an element, and leads to nothing else. No for a few
/// ordinary ones as well.
#[inline]
fn is_ordinary(name: &[u8]) -> bool {
    static NOT_ORDINARY: NameFilter = NameFilter::new().with_all(&{
        let mut names = [""; SPECIAL.len()];
        let mut at = 0;
        while at < names.len() {
            names[at] = SPECIAL[at].0;
            at += 1;
        }
        names
    });
    !NOT_ORDINARY.passes(name)
}

/// What a start tag in HTML content leads to, wherever it stands; `None` for an ordinary element.
#[inline]
fn html(name: &[u8]) -> Result<Option<(Namespace, Content)>, NeedsTree> {
    let found = SPECIAL
        .iter()
        .find(|special| is(name, special.0.as_bytes()));
    found.map(|special| special.1.ok_or(NeedsTree)).transpose()
}

/// Elements that are not just part of HTML's tree; those without an entry may change more than is
/// known here.
const SPECIAL: [(&str, Option<(Namespace, Content)>); 15] = [
    ("base", Some((Namespace::Html, Content::Data))),
    ("frameset", None),
    ("iframe", Some((Namespace::Html, Content::Rawtext))),
    ("math", Some((Namespace::MathMl, Content::Data))),
    ("noembed", Some((Namespace::Html, Content::Rawtext))),
    ("noframes", Some((Namespace::Html, Content::Rawtext))),
    ("noscript", Some((Namespace::Html, Content::Rawtext))),
    ("plaintext", Some((Namespace::Html, Content::Plaintext))),
    ("script", Some((Namespace::Html, Content::ScriptData))),
    ("style", Some((Namespace::Html, Content::Rawtext))),
    ("svg", Some((Namespace::Svg, Content::Data))),
    ("template", None),
    ("textarea", Some((Namespace::Html, Content::Rcdata))),
    ("title", Some((Namespace::Html, Content::Rcdata))),
    ("xmp", Some((Namespace::Html, Content::Rawtext))),
];
