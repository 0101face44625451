//! Tree construction without HTML's tree: enough for documents whose foreign content is plain.
//!
//! INVARIANT: every element on the stack is foreign, and the element below the lowest one is in
//! the HTML namespace.

use super::super::{Namespace, Spelling};
use super::foreign::{Integration, breaks_out, integration, reported_text};
use super::tag::{Tag, is};
use super::{Construction, Content, Doubt, Foreign, Placement};

/// The foreign elements from the current node up to the nearest HTML element.
#[derive(Default)]
pub(super) struct Shallow<'d> {
    stack: Vec<Element<'d>>,
}

struct Element<'d> {
    name: &'d [u8],
    namespace: Namespace,
    integration: Integration,
}

impl<'d> Construction<'d> for Shallow<'d> {
    #[inline]
    fn start_tag(&mut self, tag: &Tag<'d, '_>) -> Result<Option<Placement>, Doubt> {
        let Some(current) = self.stack.last() else {
            return self.html(tag);
        };
        // Which HTML elements are open from here on is more than this stack tells.
        if current.integration != Integration::No {
            return Err(Doubt);
        }
        if breaks_out(tag) {
            self.stack.clear();
            return self.html(tag);
        }
        let namespace = current.namespace;
        Ok(Some(self.insert(namespace, tag)))
    }

    #[inline]
    fn end_tag(&mut self, name: &'d [u8]) -> Result<(), Doubt> {
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
            .ok_or(Doubt)?;
        self.stack.truncate(closed);
        Ok(())
    }

    fn text(&mut self, _: &[u8], _: Spelling) {}

    fn comment(&mut self) {}

    fn doctype(&mut self, _: bool) {}

    #[inline]
    fn foreign(&self) -> Option<Foreign> {
        let current = self.stack.last()?;
        Some(Foreign {
            text: reported_text(current.namespace, current.name),
        })
    }
}

impl<'d> Shallow<'d> {
    /// A start tag in HTML content.
    #[inline]
    fn html(&mut self, tag: &Tag<'d, '_>) -> Result<Option<Placement>, Doubt> {
        Ok(Some(match html(tag.name)? {
            (Namespace::Html, content) => Placement {
                namespace: Namespace::Html,
                content,
                base_counts: true,
            },
            (namespace, _) => self.insert(namespace, tag),
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
        }
    }
}

/// What a start tag in HTML content leads to, wherever it stands.
#[inline]
fn html(name: &[u8]) -> Result<(Namespace, Content), Doubt> {
    // The length tells most tags from all of these.
    let known: &[(&str, Namespace, Content)] = match name.len() {
        3 => &[
            ("svg", Namespace::Svg, Content::Data),
            ("xmp", Namespace::Html, Content::Rawtext),
        ],
        4 => &[("math", Namespace::MathMl, Content::Data)],
        5 => &[
            ("style", Namespace::Html, Content::Rawtext),
            ("title", Namespace::Html, Content::Rcdata),
        ],
        6 => &[
            ("iframe", Namespace::Html, Content::Rawtext),
            ("script", Namespace::Html, Content::ScriptData),
        ],
        7 => &[("noembed", Namespace::Html, Content::Rawtext)],
        8 if is(name, b"frameset") || is(name, b"template") => return Err(Doubt),
        8 => &[
            ("noframes", Namespace::Html, Content::Rawtext),
            ("noscript", Namespace::Html, Content::Rawtext),
            ("textarea", Namespace::Html, Content::Rcdata),
        ],
        9 => &[("plaintext", Namespace::Html, Content::Plaintext)],
        _ => &[],
    };
    let found = known.iter().find(|(known, ..)| is(name, known.as_bytes()));
    Ok(found.map_or(
        (Namespace::Html, Content::Data),
        |&(_, namespace, content)| (namespace, content),
    ))
}
