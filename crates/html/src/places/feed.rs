//! The places of a feed, which its own layer finds.

use std::ops::Range;
use std::sync::Arc;

use super::attributes::{Row, XML_STYLESHEET};
use super::custom_attributes::{CustomAttribute, CustomAttributes, Wanted};
use super::groups::Groups;
use super::list::{HtmlCoding, Places, UrlPlace};
use crate::locate::xml::Doctype;
use crate::locate::{Attribute, RawText, Spelling, StartTag, Syntax};
use crate::text::value::Delimiter;

/// The places of a feed, each with the number of its base URL.
#[derive(Debug, Default)]
pub struct FeedPlaces {
    pub(crate) places: Places,
    pub(crate) numbers: Vec<usize>,
    groups: Groups,
    custom_attributes: CustomAttributes,
}

impl FeedPlaces {
    pub fn new(wanted: Wanted<'_>) -> FeedPlaces {
        FeedPlaces {
            groups: wanted.groups,
            custom_attributes: wanted.custom.clone(),
            ..FeedPlaces::default()
        }
    }

    /// The document type declaration that was found.
    pub fn doctype(&mut self, declaration: Option<&[u8]>) {
        self.places.doctype = Some(Arc::new(Doctype::lenient(declaration)));
    }

    /// The value of an attribute of a feed's element.
    pub fn attribute(
        &mut self,
        row: &'static Row,
        element: Range<usize>,
        attribute: &Attribute,
        number: usize,
    ) {
        let delimiter = Delimiter::Attribute(attribute.quote);
        self.push(row, element, attribute.value.clone(), delimiter, number);
    }

    /// The content of a feed's element. The answer is the index of its place, if it is one that counts.
    pub fn content(
        &mut self,
        row: &'static Row,
        element: Range<usize>,
        content: Range<usize>,
        number: usize,
    ) -> Option<usize> {
        self.push(row, element, content, Delimiter::Content, number)
    }

    /// A string in JSON, or a part of a text, and what it is called. The answer is that of [`FeedPlaces::content`].
    pub fn string(
        &mut self,
        row: &'static Row,
        label: &str,
        (string, delimiter): (Range<usize>, Delimiter),
        number: usize,
    ) -> Option<usize> {
        let start = string.start;
        let index = self.push(row, start..start, string, delimiter, number);
        let label = index.map(|index| (index, label.into()));
        self.places.labels.extend(label);
        index
    }

    /// The places: where the value is, of which kind, and the number of its base URL.
    pub fn iter(&self) -> impl Iterator<Item = (Range<usize>, &'static Row, usize)> {
        let places = self.places.list.iter().zip(&self.numbers);
        places.map(|(place, number)| (place.value.clone(), place.row, *number))
    }

    /// A destination of a link in Markdown, or a URL in its text.
    /// The answer is that of [`FeedPlaces::content`].
    pub fn markdown(
        &mut self,
        row: &'static Row,
        value: Range<usize>,
        delimiter: Delimiter,
    ) -> Option<usize> {
        self.push(row, value.start..value.start, value, delimiter, 0)
    }

    /// Leaves one of these as it is, since a comment asks for that.
    pub fn ignore(&mut self, index: usize) {
        self.places.list[index].ignore();
    }

    /// Adds the places of Markdown's HTML, which is all that `markup` has; `base` elements in it count for nothing.
    pub fn html(&mut self, markup: &[u8]) {
        let wanted = self.custom_attributes.wanted(self.groups);
        let given = std::mem::take(&mut self.places.list);
        self.places.find(markup, Syntax::Html, wanted);
        self.places.bases.clear();
        let is_ignored = self.places.ignored.document;
        let before = self.places.list.len();
        self.places.list.extend(given);
        if is_ignored {
            self.places.list[before..]
                .iter_mut()
                .for_each(UrlPlace::ignore);
        }
        self.places.sort();
        self.numbers.clear();
        self.numbers.resize(self.places.list.len(), 0);
    }

    /// Lets a place be of another kind.
    pub fn set_row(&mut self, index: usize, row: &'static Row) {
        self.places.list[index].row = row;
    }

    fn push(
        &mut self,
        row: &'static Row,
        element: Range<usize>,
        value: Range<usize>,
        delimiter: Delimiter,
        number: usize,
    ) -> Option<usize> {
        // HTML in a feed has groups of its own.
        if !row.is_html() && !self.groups.contains(row.group) {
            return None;
        }
        Some(self.add(row, element, value, delimiter, number))
    }

    /// Adds a place, whatever the groups are that are wanted.
    fn add(
        &mut self,
        row: &'static Row,
        element: Range<usize>,
        value: Range<usize>,
        delimiter: Delimiter,
        number: usize,
    ) -> usize {
        self.places.list.push(UrlPlace {
            row,
            value,
            delimiter,
            element,
            is_inert: true,
            off_group: None,
        });
        self.numbers.push(number);
        self.places.list.len() - 1
    }

    /// What the user said of an attribute of a feed's element, by its name with its prefix or without; without an
    /// attribute, of its text. It is what the document has.
    pub fn custom(&self, element: &[u8], attribute: &[u8]) -> Option<CustomAttribute> {
        let wanted = self.custom_attributes.wanted(self.groups);
        if attribute.is_empty() {
            return wanted.mark_used(element, b"").cloned();
        }
        if !wanted.may_be_custom(attribute) {
            return None;
        }
        let local = element.iter().position(|byte| *byte == b':');
        let local = local.map_or(element, |colon| &element[colon + 1..]);
        let found = wanted.mark_used(element, attribute);
        let found = found.or_else(|| wanted.mark_used(local, attribute));
        found.cloned()
    }

    /// An attribute of a feed's element that the user named.
    pub fn custom_attribute(
        &mut self,
        place: &CustomAttribute,
        element: Range<usize>,
        attribute: &Attribute,
        number: usize,
    ) {
        let delimiter = Delimiter::Attribute(attribute.quote);
        let index = self.add(
            place.xml_row(),
            element,
            attribute.value.clone(),
            delimiter,
            number,
        );
        let name = Arc::clone(place.attribute());
        self.places.custom_names.push((index, name));
    }

    /// The text of a feed's element that the user named.
    pub fn custom_text(
        &mut self,
        row: &'static Row,
        element: Range<usize>,
        content: Range<usize>,
        number: usize,
    ) {
        self.add(row, element, content, Delimiter::Content, number);
    }

    /// The content of a feed's element that is HTML in a coding of its own. Where nobody can tell what it spells, it
    /// stays.
    pub fn coded(
        &mut self,
        row: &'static Row,
        element: Range<usize>,
        content: Range<usize>,
        (coded, number): (Option<HtmlCoding>, usize),
    ) {
        let index = self.add(row, element, content, Delimiter::Content, number);
        let coded = coded.map(|coded| (index, coded));
        self.places.coded.extend(coded);
    }

    /// The `href` of an `xml-stylesheet` instruction.
    pub fn stylesheet(&mut self, target: Range<usize>, href: &Attribute, number: usize) {
        let delimiter = Delimiter::Instruction(href.quote);
        self.push(
            &XML_STYLESHEET,
            target,
            href.value.clone(),
            delimiter,
            number,
        );
    }

    /// A start tag of XHTML, SVG or MathML.
    pub fn tag(&mut self, markup: &[u8], tag: &StartTag<'_>, number: usize) {
        let wanted = self.custom_attributes.wanted(self.groups);
        self.places
            .collect(markup, wanted, |collector| collector.start_tag(tag));
        self.numbers.resize(self.places.list.len(), number);
    }

    /// The content of a `style` or `script` element of one of these.
    pub fn raw_text(
        &mut self,
        markup: &[u8],
        element: RawText,
        content: Range<usize>,
        number: usize,
    ) {
        let wanted = self.custom_attributes.wanted(self.groups);
        self.places.collect(markup, wanted, |collector| {
            collector.raw_text(element, Spelling::Content, content);
        });
        self.numbers.resize(self.places.list.len(), number);
    }
}
