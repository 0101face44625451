//! A `base` element that is taken out: of the new document nothing is there, or the tag without its URL.

use std::ops::Range;

use super::bases;
use super::side::Side;
use super::tokens::Tag;
use super::values::is_name;
use abslink_html::Syntax;

/// What is taken out of the old document: the element of a tag, or its URL with the space before it.
pub(crate) enum Cut {
    Element(usize),
    /// For each attribute that is one.
    Urls(Vec<Option<Range<usize>>>),
}

/// What is taken out where this tag is one that gives a base URL.
pub(crate) fn cut(old: &Side, tag: &Tag) -> Option<Cut> {
    bases::href(old, tag)?;
    let syntax = old.syntax();
    let is_href = |name: &[u8]| is_name(syntax, name, b"href");
    let mut names = old.attributes(tag).into_iter().map(|(name, _)| name);
    if names.all(is_href) {
        return Some(Cut::Element(
            tag.end + end_tag(old, tag).unwrap_or_default(),
        ));
    }
    let cuts = tag.attributes.iter().map(|attribute| {
        let name = attribute.name.clone();
        let end = old.parts(attribute)[2].end;
        let next = old.bytes(end..end + 1);
        let before = old.bytes(tag.start..name.start);
        let blanks = match next == b">" || next.trim_ascii().is_empty() {
            true => before.len() - before.trim_ascii_end().len(),
            false => 0,
        };
        is_href(old.bytes(name.clone())).then(|| name.start - blanks..end)
    });
    Some(Cut::Urls(cuts.collect()))
}

/// How far the end tag goes that an empty element of XML has.
fn end_tag(old: &Side, tag: &Tag) -> Option<usize> {
    let is_open = old.syntax() == Syntax::Xml && !old.bytes(tag.start..tag.end).ends_with(b"/>");
    let after = old.bytes(tag.end..old.end());
    let end = (after.trim_ascii_start().strip_prefix(b"</")).filter(|_| is_open)?;
    let end = end.strip_prefix(old.name(tag))?.trim_ascii_start();
    let rest = end.strip_prefix(b">")?;
    Some(after.len() - rest.len())
}
