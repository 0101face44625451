//! A `base` element that is taken out: of the new document nothing is there, or the tag without its URL.

use std::ops::Range;

use crate::compare::bases;
use crate::markup::document::Document;
use crate::markup::{Attribute, Tag};
use crate::text::{Reading, Spelling};
use abslink_html::Syntax;

/// What may be gone where a tag gives a base URL.
#[derive(Default)]
pub(crate) struct Cut {
    /// Where the element ends, if it says nothing else.
    pub(crate) element_end: Option<usize>,
    /// Its URLs, each with the space before it.
    pub(crate) urls: Vec<Range<usize>>,
}

/// The text around the elements that were cut out behind a tag.
#[derive(Default)]
pub(crate) struct Cuts {
    text: Vec<u8>,
    /// Where in the document each was, and in the text.
    pub(crate) places: Vec<[usize; 2]>,
    /// Whether there is a comment in it that may have changed.
    pub(crate) has_condition: bool,
}

impl Cuts {
    /// One that was at this place, behind text.
    pub(crate) fn push(&mut self, at: usize, before: &[u8]) {
        self.has_condition |= has_condition(before);
        self.text.extend_from_slice(before);
        self.places.push([at, self.text.len()]);
    }

    /// All of the text with what stands behind.
    pub(crate) fn joined(&self, behind: &[u8]) -> Vec<u8> {
        [&self.text, behind].concat()
    }

    /// Whether that is this text.
    pub(crate) fn is_text(&self, behind: &[u8], text: &[u8]) -> bool {
        text.len() == self.text.len() + behind.len()
            && text.starts_with(&self.text)
            && text.ends_with(behind)
    }

    /// Whether all of the text is read as its parts are.
    pub(crate) fn part_no_token(
        &self,
        behind: &[u8],
        drops_newline: bool,
        spelling: Spelling,
    ) -> bool {
        let [mut parts, mut whole] = [Reading::default(), Reading::default()];
        let text = self.joined(behind);
        whole.append(&text, drops_newline, spelling);
        let (mut start, ends) = (0, self.places.iter().map(|[_, end]| *end));
        for (index, end) in ends.chain([text.len()]).enumerate() {
            parts.append(&text[start..end], drops_newline && index == 0, spelling);
            start = end;
        }
        parts == whole
    }
}

pub(crate) fn has_condition(text: &[u8]) -> bool {
    memchr::memmem::find(text, b"<!--[if ").is_some()
}

/// `None` where this tag is none that gives a base URL.
pub(crate) fn cut(old: &Document, tag: &Tag) -> Option<Cut> {
    bases::base_href(old, tag)?;
    let attributes = old.attributes(tag);
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
        element_end: is_alone.then(|| element_end(old, tag)),
        urls: urls.collect(),
    })
}

/// Where an element ends that is empty: in XML, such a one may have an end tag.
pub(super) fn element_end(document: &Document, tag: &Tag) -> usize {
    tag.end + end_tag(document, tag).unwrap_or_default()
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

/// `base` elements that stand one behind the other.
#[derive(Default)]
pub(crate) struct BaseRun {
    end: usize,
    /// Where those begin that stay.
    stay: Vec<usize>,
}

impl BaseRun {
    /// How many there are that stay, from a place on. A hostile page has thousands of them, and each is asked about.
    pub(super) fn count(&mut self, document: &Document, from: usize, may_go: bool) -> usize {
        if from > self.end {
            (self.end, self.stay) = (from, Vec::new());
            while let Some(tag) = document.tag_at(self.end)
                && bases::is_base(document, tag)
            {
                let cut = cut(document, tag).filter(|_| may_go);
                let gone = cut.and_then(|cut| cut.element_end);
                self.stay.extend(gone.is_none().then_some(tag.start));
                self.end = gone.unwrap_or_else(|| element_end(document, tag));
            }
        }
        self.stay.len() - self.stay.partition_point(|place| *place < from)
    }
}
