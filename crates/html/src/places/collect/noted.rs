//! What elements say whatever attributes they have.

use std::ops::Range;

use super::super::attributes::{IMPORT_MAP, LINKED_DATA, Row, SPECULATION_RULES};
use super::super::list::BaseChange;
use super::Collector;
use crate::locate::StartTag;
use crate::locate::name_filter::NameFilter;
use crate::text::encoding::declared_by_meta;

pub(super) static NOTED: NameFilter =
    NameFilter::new().with_all("base image meta mj-navbar mj-navbar-link script");

impl<'a> Collector<'a> {
    /// Takes note of such an element of HTML; returns its name, or `None` if nothing in it carries a URL.
    #[inline(always)]
    pub(super) fn noted(&mut self, tag: &StartTag<'_>, name: &'a [u8]) -> Option<&'a [u8]> {
        // HTML standard, "in body": a start tag `image` makes an `img`. "Don't ask."
        if !tag.is_exact && name.eq_ignore_ascii_case(b"image") {
            return Some(b"img");
        } else if name.eq_ignore_ascii_case(b"script") {
            self.places.script = self.script(tag);
        } else if name.eq_ignore_ascii_case(b"mj-navbar") {
            let base = self.value_of(tag, "base-url");
            self.places.navbar_has_base = base.is_some_and(|base| !base.value.is_empty());
            self.places.navbar_seen = tag.name.end;
        } else if self.places.navbar_has_base
            && name.eq_ignore_ascii_case(b"mj-navbar-link")
            && self.is_of_navbar(&tag.name)
        {
            return None;
        } else if tag.base_applies
            && !self.nested
            && (tag.precedes || !self.places.has_base)
            && name.eq_ignore_ascii_case(b"base")
            && let Some(href) = self.value_of(tag, "href")
        {
            let (at, href) = (self.absolute(&tag.name).start, href.value.clone());
            let href = Some(self.absolute(&href));
            self.places.bases.push(BaseChange { at, href });
            self.places.has_base = true;
        } else if !self.nested
            && self.places.declares.is_none()
            && name.eq_ignore_ascii_case(b"meta")
        {
            self.places.declares = declared_by_meta(|attribute| self.decoded_value(tag, attribute));
        }
        Some(name)
    }

    /// What the text of a `script` element holds, if that carries URLs.
    fn script(&self, tag: &StartTag<'_>) -> Option<&'static Row> {
        let kind = self.decoded_value(tag, "type")?;
        if kind.eq_ignore_ascii_case(b"importmap") {
            Some(&IMPORT_MAP)
        } else if kind.eq_ignore_ascii_case(b"application/ld+json") {
            Some(&LINKED_DATA)
        } else if kind.eq_ignore_ascii_case(b"speculationrules") {
            Some(&SPECULATION_RULES)
        } else {
            None
        }
    }

    /// Whether the last navigation bar is still the one of this link: one without attributes is not reported.
    #[cold]
    fn is_of_navbar(&mut self, name: &Range<usize>) -> bool {
        const BAR: &[u8] = b"<mj-navbar";
        let between = self.slice.get(self.places.navbar_seen..name.start - 1);
        let between = between.unwrap_or_default();
        let is_another = |at: usize| {
            between
                .get(at + BAR.len())
                .is_some_and(|next| *next != b'-')
        };
        if memchr::memmem::find_iter(between, BAR).any(is_another) {
            self.places.navbar_has_base = false;
        }
        self.places.navbar_seen = name.end;
        self.places.navbar_has_base
    }
}
