//! Attributes that the user named.

use std::ops::Range;
use std::sync::Arc;

use super::super::custom_attributes::CustomAttribute;
use super::Collector;
use crate::locate::Attribute;
use crate::places::attributes::{Against, Row};

impl<'a> Collector<'a> {
    /// The custom attribute that an attribute is. In XML, its element goes by its name with the prefix, too,
    /// which stands before `name`.
    pub(super) fn custom(
        &self,
        name: &Range<usize>,
        element: &[u8],
        attribute: &[u8],
    ) -> Option<&'a CustomAttribute> {
        let found = self.wanted.mark_used(element, attribute);
        if found.is_some() || !self.wanted.may_be_custom(attribute) {
            return found;
        }
        let before = self.slice[..name.start].strip_suffix(b":")?;
        let start = memchr::memrchr(b'<', before)? + 1;
        self.wanted
            .mark_used(&self.slice[start..name.end], attribute)
    }

    pub(super) fn unknown(&mut self, name: Range<usize>, attributes: &[Attribute]) {
        let element = self.bytes(&name);
        for attribute in attributes {
            if let Some(custom) = self.custom(&name, element, self.bytes(&attribute.name)) {
                let index = self.places.list.len();
                self.custom_attribute(custom, true, &name, attribute);
                if custom.row().against == Against::Base {
                    self.in_xml_base(index, custom.row_in_xml_base());
                }
            }
        }
    }

    /// Lets a place count from the `xml:base` around it, if there is one.
    pub(super) fn in_xml_base(&mut self, index: usize, row: &'static Row) {
        if let Some(bases) = &self.places.xml_base {
            self.places.xml_bases.push((index, Arc::clone(bases)));
            self.places.list[index].row = row;
        }
    }

    /// An attribute that the user named. A browser acts on it only if it is in the table as well.
    pub(super) fn custom_attribute(
        &mut self,
        custom: &CustomAttribute,
        is_inert: bool,
        element: &Range<usize>,
        attribute: &Attribute,
    ) {
        self.named(Arc::clone(custom.attribute()));
        self.value(custom.row(), element, attribute, is_inert, self.off_group);
    }

    /// The name of the attribute whose place is next, where the table does not have it.
    pub(super) fn named(&mut self, name: Arc<str>) {
        (self.places.custom_names).push((self.places.list.len(), name));
    }
}
