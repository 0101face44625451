//! Namespaces in XML: what the prefixes of names stand for.

use std::ops::Range;

use htmlize::{Context, unescape_bytes_in};
use memchr::memchr;

use super::super::{Attribute, Handler, Namespace};
use super::doctype::Doctype;
use super::prefixes::{Prefixes, declared, split};
use super::text::of_value;

/// What a prefix is bound to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Space {
    Elements(Namespace),
    XLink,
    #[default]
    Other,
}

/// The namespaces that the open elements declare.
impl Prefixes<Space> {
    /// Takes in an attribute, if it declares a namespace; says whether it is known which one, since
    /// an entity may spell it.
    pub(super) fn declare(
        &mut self,
        name: &[u8],
        value: &[u8],
        doctype: Option<&Doctype>,
    ) -> Option<bool> {
        let prefix = declared(name)?;
        let (mut space, mut is_known) = (Space::of(value), true);
        if memchr(b'&', value).is_some() {
            let flat = of_value(value, doctype);
            let spelled = flat.as_ref().map_or(value, |flat| &flat.bytes);
            space = Space::of(&unescape_bytes_in(spelled, Context::Attribute));
            let is_unknown = flat.is_some_and(|flat| flat.is_unknown);
            is_known = !(is_unknown && doctype.is_some_and(Doctype::has_entities));
        }
        self.bind(prefix, space);
        Some(is_known)
    }

    /// The namespace of an element's name, if it is one of the three, and its local part.
    pub(super) fn expand(
        &self,
        document: &[u8],
        name: &Range<usize>,
    ) -> (Option<Namespace>, Range<usize>) {
        let (prefix, local) = split(document, name);
        match self.get(prefix) {
            Some(Space::Elements(namespace)) => (Some(namespace), local),
            Some(Space::XLink | Space::Other) | None => (None, local),
        }
    }

    /// Drops attributes whose names only look like those of links; returns the one that is XLink's
    /// `href` under a prefix other than `xlink`. An unbound prefix `xlink` counts
    /// all the same.
    pub(super) fn resolve_prefixes(
        &self,
        document: &[u8],
        namespace: Namespace,
        attributes: &mut Vec<Attribute>,
        handler: &(impl Handler + ?Sized),
    ) -> Option<usize> {
        let mut xlink = None;
        let mut index = 0;
        attributes.retain(|attribute| {
            let name = &document[attribute.name.clone()];
            let mut keep = !has_upper_case(name)
                || namespace == Namespace::Svg && name == b"attributeName"
                || handler.wants_anywhere(name);
            if namespace != Namespace::Html && memchr(b':', name).is_some() {
                let (prefix, local) = split(document, &attribute.name);
                let space = self.get(prefix);
                if prefix == b"xlink" {
                    keep &= space.is_none_or(|space| space == Space::XLink);
                } else if space == Some(Space::XLink) && document[local] == *b"href" {
                    xlink = Some(index);
                    keep = true;
                }
            }
            index += usize::from(keep);
            keep
        });
        xlink
    }
}

impl Space {
    fn of(name: &[u8]) -> Space {
        match name {
            b"http://www.w3.org/1999/xhtml" => Space::Elements(Namespace::Html),
            b"http://www.w3.org/2000/svg" => Space::Elements(Namespace::Svg),
            b"http://www.w3.org/1998/Math/MathML" => Space::Elements(Namespace::MathMl),
            b"http://www.w3.org/1999/xlink" => Space::XLink,
            _ => Space::Other,
        }
    }
}

pub(super) fn has_upper_case(name: &[u8]) -> bool {
    name.iter().any(u8::is_ascii_uppercase)
}
