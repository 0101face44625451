//! What an attribute value or an element's content says, where that is not what its bytes are:
//! the entities of HTML expanded, and the text of CDATA sections between other text.

use std::ops::Range;

use memchr::{memchr, memchr_iter};

use super::super::position::PositionMap;
use super::doctype::Doctype;
use super::markup::{Item, Items, entity_references};

/// Text in which no more than character references and the five entities of XML itself need to be
/// decoded.
#[derive(Debug, Default)]
pub(crate) struct Flat {
    pub(crate) bytes: Vec<u8>,
    pub(crate) layout: FlatLayout,
    /// Whether it holds a reference to an entity of which nobody can tell what it stands for.
    pub(crate) is_unknown: bool,
}

/// Where flat text stands in the value or content.
#[derive(Debug, Default)]
pub(crate) struct FlatLayout {
    pub(crate) map: PositionMap,
    /// The runs of characters that content has between its markup; none for a value.
    pub(crate) sections: Vec<Section>,
}

/// A run of characters.
#[derive(Debug)]
pub(crate) struct Section {
    pub(crate) flat: Range<usize>,
    /// Its place in the content.
    pub(crate) source: Range<usize>,
    pub(crate) in_cdata: bool,
}

/// XML 1.0 §4.4: the entities of an attribute value expanded; `None` where there are none.
pub(crate) fn of_value(raw: &[u8], doctype: Option<&Doctype>) -> Option<Flat> {
    if !has_entities(raw) {
        return None;
    }
    let mut flat = Flat::default();
    flat.section(raw, 0, doctype);
    Some(flat)
}

/// Whether text has references to general entities but those of XML itself.
pub(crate) fn has_entities(raw: &[u8]) -> bool {
    entity_references(raw).next().is_some()
}

/// DOM, "child text content": the text of an element without that of its children; `None` where
/// it is all that stands there.
pub(crate) fn of_content(raw: &[u8], doctype: Option<&Doctype>) -> Option<Flat> {
    if memchr(b'<', raw).is_none() && !has_entities(raw) {
        return None;
    }
    let mut flat = Flat::default();
    for (in_cdata, source) in runs(raw) {
        let (start, text) = (flat.bytes.len(), &raw[source.clone()]);
        if in_cdata {
            flat.literal(text, source.start)
        } else {
            flat.section(text, source.start, doctype)
        }
        flat.layout.sections.push(Section {
            flat: start..flat.bytes.len(),
            source,
            in_cdata,
        });
    }
    Some(flat)
}

/// The runs of characters that content has outside of child elements: whether each is a CDATA
/// section, and where it stands.
fn runs(content: &[u8]) -> impl Iterator<Item = (bool, Range<usize>)> {
    let mut depth = 0_usize;
    Items::new(content).filter_map(move |(item, range)| {
        match item {
            Item::Open => depth += 1,
            Item::Close => depth = depth.saturating_sub(1),
            Item::Text if depth == 0 => return Some((false, range)),
            Item::Cdata if depth == 0 => return Some((true, range)),
            _ => {}
        }
        None
    })
}

impl Flat {
    /// Characters and references, which stand at `source`.
    fn section(&mut self, raw: &[u8], source: usize, doctype: Option<&Doctype>) {
        let mut done = 0;
        let is_text = |name| doctype.is_some_and(|doctype| doctype.is_text(name));
        for (at, name) in entity_references(raw).filter(|(_, name)| !is_text(name)) {
            self.copy(&raw[done..at], source + done);
            done = at + name.len() + "&;".len();
            self.layout.map.whole(self.bytes.len(), source + at, false);
            match doctype.and_then(|doctype| doctype.html_entity(name)) {
                Some(text) => self.bytes.extend_from_slice(text.as_bytes()),
                None => {
                    self.is_unknown = true;
                    self.bytes.extend_from_slice(&raw[at..done]);
                }
            }
        }
        self.copy(&raw[done..], source + done);
    }

    /// Characters, which stand at `source`. There is a place for their end, too, even if there are
    /// none.
    fn copy(&mut self, text: &[u8], source: usize) {
        self.layout.map.literal(self.bytes.len(), source);
        self.bytes.extend_from_slice(text);
    }

    /// The data of a CDATA section, which stands at `source`.
    fn literal(&mut self, data: &[u8], source: usize) {
        let mut done = 0;
        for at in memchr_iter(b'&', data) {
            self.copy(&data[done..at], source + done);
            self.layout.map.whole(self.bytes.len(), source + at, false);
            self.bytes.extend_from_slice(b"&amp;");
            done = at + 1;
        }
        self.copy(&data[done..], source + done);
    }
}
