//! What names the page of an item, or the site.

use std::ops::Range;

use super::super::elements::{Space, URL};
use super::super::model::LabelKind;
use super::{OpenElement, Reader};
use abslink_url::{BaseUrl, pre_step};

impl Reader<'_> {
    /// Atom's `link`, of an item or of the feed itself.
    pub(super) fn link(&mut self, rel: Option<&str>, href: Option<&str>, base: usize) {
        const REGISTERED: &str = "http://www.iana.org/assignments/relation/";
        let rel = rel.map_or("alternate", str::trim);
        let rel = rel
            .strip_prefix(REGISTERED)
            .unwrap_or(rel)
            .to_ascii_lowercase();
        let Some(parent) = self.open.last() else {
            return;
        };
        let is_of_feed = self.open.len() == 1 || self.item.is_none() && self.parent() == b"channel";
        let aside = match &*rel {
            "related" => Some(LabelKind::Related),
            "via" => Some(LabelKind::Via),
            "self" => Some(LabelKind::OwnEntry),
            _ => None,
        };
        if let (Some(kind), Some(item), Some(href), true) = (aside, self.item, href, parent.is_item)
        {
            self.model.aside(item, kind, href, base);
        }
        match (&*rel, parent.is_item) {
            ("alternate", true) => self
                .model
                .label(self.item, LabelKind::Alternate, href, base),
            ("alternate", false) if is_of_feed => {
                self.model.label(None, LabelKind::Alternate, href, base);
            }
            _ => {}
        }
        if rel == "self" && is_of_feed && self.model.own.is_none() {
            let own = href.map(|href| pre_step(href).into_owned());
            self.model.own = own.filter(|own| BaseUrl::parse(own).is_ok());
        }
    }

    /// The text of an element that is a URL, which may name an item's page, or the site.
    pub(super) fn named(&mut self, element: &OpenElement, content: Range<usize>) {
        let parent = self.open.last();
        let is_in_item = parent.is_some_and(|parent| parent.is_item);
        let local = &self.markup[element.local..element.name.end];
        let kind = match (element.space, local) {
            (Space::Rss, b"link") if is_in_item => LabelKind::Link,
            (Space::Rss, b"link") if self.item.is_none() && self.parent() == b"channel" => {
                LabelKind::Link
            }
            (Space::Extension("feedburner"), b"origLink") if is_in_item => LabelKind::Original,
            _ => return,
        };
        let value = self.feed.text(&self.model.places, content, true);
        (self.model).label(self.item, kind, value.as_deref(), element.base);
    }

    /// Atom's `id`, which never changes, may be the URL of the item's page.
    pub(super) fn identifier(&mut self, element: &OpenElement, content: Range<usize>) {
        let is_in_item = self.open.last().is_some_and(|parent| parent.is_item);
        let is_id = element.space.is_atom()
            && self.markup[element.local..element.name.end] == *b"id"
            && is_in_item;
        if !is_id {
            return;
        }
        let value = self.feed.text(&self.model.places, content, true);
        let value = value.unwrap_or_default();
        if let (Some(item), Some((scheme, _))) = (self.item, value.trim().split_once("://"))
            && (scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https"))
        {
            self.model.aside(item, LabelKind::Id, &value, element.base);
        }
    }

    /// A `guid` is a link, unless it says that it is none, or looks like none and does not say that it is
    /// one.
    pub(super) fn guid(&mut self, element: &OpenElement, content: Range<usize>) {
        let value = self.feed.text(&self.model.places, content.clone(), true);
        let value = value.unwrap_or_default();
        let value = value.trim();
        let is_link = element.permalink.unwrap_or_else(|| value.contains('/'));
        let may_be = value.contains('/') || element.permalink == Some(true) && !value.is_empty();
        if !is_link || !may_be || value.contains(char::is_whitespace) {
            return;
        }
        let number = self.number(element.base, false);
        let place = (self.model.places).content(&URL, element.name.clone(), content, number);
        if let Some(item) = self.item {
            self.model.guid(item, place);
            self.model
                .label(Some(item), LabelKind::Guid, Some(value), element.base);
        }
    }
}
