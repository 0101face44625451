//! A `base` element that is taken out: of the new document nothing is there, or the tag without its URL.

use std::ops::Range;

use crate::compare::bases;
use crate::markup::document::Document;
use crate::markup::{Attribute, Tag};
use abslink_html::Syntax;

/// What is taken out where this tag is one that gives a base URL: the element of a tag, or its URL with
/// the space before it.
pub(crate) fn cuts(old: &Document, tag: &Tag) -> Vec<Range<usize>> {
    if bases::base_href(old, tag).is_none() {
        return Vec::new();
    }
    let attributes = &tag.attributes;
    let is_href = |it: &&Attribute| old.is_name(old.bytes(it.name.clone()), b"href");
    if attributes.iter().all(|it| is_href(&it)) {
        let element = tag.start..tag.end + end_tag(old, tag).unwrap_or_default();
        return vec![element];
    }
    let urls = attributes.iter().filter(is_href);
    let cuts = urls.map(|attribute| {
        let end = old.behind_name(attribute).end;
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
    cuts.collect()
}

/// How far the end tag goes that an empty element of XML has.
fn end_tag(old: &Document, tag: &Tag) -> Option<usize> {
    let is_open = old.syntax() == Syntax::Xml && !old.bytes(tag.start..tag.end).ends_with(b"/>");
    let after = old.bytes(tag.end..old.end());
    let end = (after.trim_ascii_start().strip_prefix(b"</")).filter(|_| is_open)?;
    let end = end.strip_prefix(old.name(tag))?.trim_ascii_start();
    let rest = end.strip_prefix(b">")?;
    Some(after.len() - rest.len())
}
