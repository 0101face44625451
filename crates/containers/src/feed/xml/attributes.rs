//! The attributes of a feed's elements, and what looks like a link where no place is.

use std::ops::Range;

use super::super::elements::{self, Space, XML_BASE};
use super::super::unknown::{has_markup, is_like_link, may_be_link, may_be_markup};
use super::{OpenElement, Reader};
use abslink_html::locate::Attribute;
use abslink_html::prefixes::{declared, split};
use abslink_html::{CustomAttribute, Row};

impl Reader<'_> {
    /// The attributes of an element of the feed itself, or of an extension, but `xml:base`.
    pub(super) fn attributes(&mut self, element: &OpenElement, attributes: &[Attribute]) {
        // Elements of the feed's own vocabulary may stand in content by mistake.
        let number = self.number(element.base, element.is_in_content);
        let local = &self.markup[element.local..element.name.end];
        // Of several with one name the first counts.
        let mut seen: Vec<&'static Row> = Vec::new();
        for attribute in attributes {
            if let Some(custom) = self.custom(element, attribute) {
                let number = if custom.xml_row().is_html() {
                    self.number(element.base, true)
                } else {
                    number
                };
                let places = &mut self.model.places;
                places.custom_attribute(&custom, element.name.clone(), attribute, number);
            } else if let Some(row) = self.row(element.space, local, attribute) {
                if !seen.iter().any(|earlier| std::ptr::eq(*earlier, row)) {
                    seen.push(row);
                    let places = &mut self.model.places;
                    places.attribute(row, element.name.clone(), attribute, number);
                }
            } else if is_like_link(&self.markup[attribute.value.clone()]) {
                self.count_unknown(element, attribute);
            }
        }
    }

    /// What the user said of an attribute. What declares a namespace or a base URL is none.
    fn custom(&self, element: &OpenElement, attribute: &Attribute) -> Option<CustomAttribute> {
        let name = &self.markup[attribute.name.clone()];
        let custom = (self.model.places).custom(&self.markup[element.name.clone()], name)?;
        let is_special = declared(name).is_some() || *name == *XML_BASE.attribute.as_bytes();
        (!is_special).then_some(custom)
    }

    /// Counts an attribute that looks like a link and is no place.
    fn count_unknown(&mut self, element: &OpenElement, attribute: &Attribute) {
        const OF_SCHEMAS: &[u8] = b"http://www.w3.org/2001/XMLSchema-instance";
        let name = &self.markup[attribute.name.clone()];
        let (prefix, name_local) = split(self.markup, &attribute.name);
        let is_special = matches!(prefix, b"xml" | b"xmlns")
            || *name == *b"xmlns"
            || !prefix.is_empty()
                && (self.space(prefix) == Space::Rdf || self.namespace(prefix) == OF_SCHEMAS);
        let local = &self.markup[element.local..element.name.end];
        if !is_special
            && !element.is_in_content
            && !element.is_in_place
            && may_be_link(element.space, local, Some(&self.markup[name_local]))
        {
            let element = &self.markup[element.name.clone()];
            self.model.unknown.count(element, Some(name));
        }
    }

    /// Counts the text of an element that looks like a link and is no place.
    pub(super) fn count_unknown_text(&mut self, element: &OpenElement, content: Range<usize>) {
        let local = &self.markup[element.local..element.name.end];
        if element.has_children || element.is_in_content || element.is_in_place {
            return;
        }
        let (name, text) = (&self.markup[element.name.clone()], &self.markup[content]);
        if is_like_link(text) && may_be_link(element.space, local, None) {
            self.model.unknown.count(name, None);
        } else if has_markup(text) && may_be_markup(element.space, local) {
            self.model.unknown.count_markup(name);
        }
    }

    /// The row of an attribute that is no `xml:base`.
    fn row(&self, space: Space, element: &[u8], attribute: &Attribute) -> Option<&'static Row> {
        let name = &self.markup[attribute.name.clone()];
        let (prefix, local) = split(self.markup, &attribute.name);
        match prefix {
            b"" => elements::attribute(self.dialect.is_list(), space, element, name),
            _ if !self.dialect.is_list()
                && self.markup[local] == *b"resource"
                && self.space(prefix) == Space::Rdf =>
            {
                elements::resource(space, element)
            }
            _ => None,
        }
    }
}
