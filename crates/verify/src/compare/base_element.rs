//! A `base` element that is taken out: of the new document nothing is there, or the tag without its URL.

use std::ops::Range;

use crate::compare::bases;
use crate::markup::Tag;
use crate::markup::document::Document;
use abslink_html::Syntax;

/// What is taken out where this tag is one that gives a base URL: the element of a tag, or its URL with
/// the space before it.
pub(crate) fn cuts(old: &Document, tag: &Tag) -> Vec<Range<usize>> {
    if bases::base_href(old, tag).is_none() {
        return Vec::new();
    }
    let is_href = |name: &[u8]| old.is_name(name, b"href");
    let mut names = old.attributes(tag).map(|(name, _)| name);
    if names.all(is_href) {
        let element = tag.start..tag.end + end_tag(old, tag).unwrap_or_default();
        return vec![element];
    }
    let urls = tag.attributes.iter();
    let urls = urls.filter(|attribute| is_href(old.bytes(attribute.name.clone())));
    let cuts = urls.map(|attribute| {
        let start = attribute.name.start;
        let end = old.behind_name(attribute).end;
        let next = old.bytes(end..end + 1);
        let before = old.bytes(tag.start..start);
        let blanks = if next == b">" || next.trim_ascii().is_empty() {
            before.len() - before.trim_ascii_end().len()
        } else {
            0
        };
        start - blanks..end
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
