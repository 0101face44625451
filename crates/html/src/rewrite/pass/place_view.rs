//! A place whose references are processed, with all that is known about it.

use std::borrow::Cow;
use std::ops::Range;

use crate::places::attributes::ValueKind;
use crate::places::groups::Group;
use crate::places::list::{HtmlCoding, UrlPlace};
use crate::text::chunk::Chunk;
use crate::text::value::{Delimiter, Value};

/// Element names are shown up to this length, since every reference of an element is shown with the
/// name.
pub(super) const NAME: usize = 256;

fn shown(name: &[u8]) -> Cow<'_, str> {
    match name.get(..NAME) {
        Some(beginning) if name.len() > NAME => {
            let beginning = String::from_utf8_lossy(beginning);
            let beginning = beginning.trim_end_matches(char::REPLACEMENT_CHARACTER);
            Cow::Owned(format!("{beginning}…"))
        }
        _ => String::from_utf8_lossy(name),
    }
}

/// A place whose references are processed.
pub(super) struct PlaceView<'s> {
    pub(super) chunk: &'s Chunk<'s>,
    pub(super) place: &'s UrlPlace,
    pub(super) value: &'s Value<'s>,
    /// The name of the element, if that is not in the document.
    pub(super) label: Option<&'s str>,
    /// What it holds, if that is in a coding of its own.
    pub(super) coded: Option<&'s HtmlCoding>,
    pub(super) attribute: &'s str,
    /// The group that is off, if the references are only counted.
    pub(super) off_group: Option<Group>,
}

impl<'s> PlaceView<'s> {
    /// Whether relative references stay relative: their meaning cannot be told, or they may take
    /// effect in several places.
    pub(super) fn cannot_be_resolved(&self) -> bool {
        self.value.is_unknown
            || self.place.delimiter == Delimiter::Declared
            || self.place.row.kind == ValueKind::EncodedHtml && self.coded.is_none()
    }

    /// Where in the document a part of the value's text is, or all of the value.
    pub(super) fn in_document(&self, text: Option<Range<usize>>) -> Range<usize> {
        let place = &self.place.value;
        let start = self.chunk.start + place.start;
        match text {
            Some(text) => {
                let span = self.value.span(text);
                start + span.start..start + span.end
            }
            None => start..self.chunk.start + place.end,
        }
    }

    /// The name of the element as it is shown.
    pub(super) fn element(&self) -> Cow<'s, str> {
        if let Some(label) = self.label {
            return Cow::Borrowed(label);
        }
        let name = &self.chunk.bytes[self.place.element.clone()];
        let text_element = self.place.row.text_element();
        if name.is_empty() && !text_element.is_empty() {
            return Cow::Borrowed(text_element);
        }
        let shown = shown(name);
        // The elements of a feed have the names that it gives them, in their letter case, as in
        // XML.
        let is_folded = self.place.row.group != Group::Feed;
        if is_folded && shown.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(shown.to_ascii_lowercase())
        } else {
            shown
        }
    }
}
