//! A `base` element that is taken out: of the new document nothing is there, or the tag without its URL.

use std::ops::Range;

use crate::compare::bases;
use crate::markup::document::Document;
use crate::markup::{Attribute, Tag};
use abslink_html::Syntax;

/// What may be gone where a tag gives a base URL.
#[derive(Default)]
pub(crate) struct Cut {
    /// Where the element ends, if it says nothing else.
    pub(crate) element_end: Option<usize>,
    /// Its URLs, each with the space before it.
    pub(crate) urls: Vec<Range<usize>>,
}

/// `None` where this tag is none that gives a base URL.
pub(crate) fn cut(old: &Document, tag: &Tag) -> Option<Cut> {
    bases::base_href(old, tag)?;
    let attributes = &tag.attributes;
    let is_href = |it: &&Attribute| old.is_name(old.bytes(it.name.clone()), b"href");
    let urls = attributes.iter().filter(is_href).map(|attribute| {
        let value = attribute.value();
        let quote = old.bytes(attribute.name.end..value.start).last();
        let end = value.end + usize::from(matches!(quote, Some(b'"' | b'\'')));
        let next = old.bytes(end..end + 1);
        let before = old.bytes(tag.start..attribute.name.start);
        let is_followed = next != b">" && !next.trim_ascii().is_empty();
        let kept = if is_followed {
            before
        } else {
            before.trim_ascii_end()
        };
        tag.start + kept.len()..end
    });
    let is_alone = attributes.iter().all(|it| is_href(&it));
    Some(Cut {
        element_end: is_alone.then(|| tag.end + end_tag(old, tag).unwrap_or_default()),
        urls: urls.collect(),
    })
}

/// How far the end tag goes that an empty element of XML has.
fn end_tag(old: &Document, tag: &Tag) -> Option<usize> {
    let is_open = old.syntax() == Syntax::Xml && !old.bytes(tag.place()).ends_with(b"/>");
    let after = old.bytes(tag.end..old.end());
    let end = (after.trim_ascii_start().strip_prefix(b"</")).filter(|_| is_open)?;
    let end = end.strip_prefix(old.name(tag))?.trim_ascii_start();
    let rest = end.strip_prefix(b">")?;
    Some(after.len() - rest.len())
}
