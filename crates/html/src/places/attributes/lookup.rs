//! From the names of an attribute and its element to the row of the table.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::sync::LazyLock;

use super::table::{HTML_ELEMENTS, ROWS};
use super::{Row, When};
use crate::locate::Namespace;
use crate::locate::name_filter::{self, NameFilter};

/// A row for one name.
struct Entry {
    element: &'static str,
    row: &'static Row,
}

impl Entry {
    fn fits(&self, names: &LookupKey<'_>) -> bool {
        let is = |name: &[u8], other: &str| {
            if names.is_exact {
                name == other.as_bytes()
            } else {
                name_filter::is(name, other.as_bytes())
            }
        };
        (self.row.scope).is_none_or(|scope| scope == names.namespace)
            && match self.element {
                "*" => true,
                "*-*" => names.element.contains(&b'-'),
                "?" => !HTML_ELEMENTS.holds(names.element),
                name => is(names.element, name),
            }
            && is(names.attribute, self.row.attribute)
    }
}

/// Rows by the [`name_filter::hash`] of their attribute.
static INDEX: LazyLock<[Vec<Entry>; name_filter::SIZE]> = LazyLock::new(|| {
    let mut index = [const { Vec::new() }; name_filter::SIZE];
    for row in &*ROWS {
        let entries = &mut index[name_filter::hash(row.attribute.as_bytes())];
        let elements = row.elements.split(' ');
        entries.extend(elements.map(|element| Entry { element, row }));
    }
    index
});

/// Attributes that say what another attribute, or the document, holds.
const SIBLINGS: &str = "attributename charset codebase hreflang http-equiv itemprop name property \
    rel shadowrootmode type valuetype";

/// Lets through attributes that can be a place or say what another attribute or the document holds,
/// and a few others.
pub(crate) static FILTER: LazyLock<NameFilter> = LazyLock::new(|| {
    let names = ROWS.iter().map(|row| row.attribute);
    names.fold(NameFilter::new().with_all(SIBLINGS), NameFilter::with)
});

/// What the names of an attribute and of its element are looked up by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LookupKey<'d> {
    /// The element's namespace.
    pub namespace: Namespace,
    /// Whether letter case matters.
    pub is_exact: bool,
    /// The element's name.
    pub element: &'d [u8],
    /// The attribute's name.
    pub attribute: &'d [u8],
}

impl LookupKey<'_> {
    /// `==` calls `memcmp`, which takes longer for names.
    #[inline]
    fn is(&self, other: &LookupKey<'_>) -> bool {
        let equal = |a: &[u8], b: &[u8]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b);
        self.namespace == other.namespace
            && self.is_exact == other.is_exact
            && equal(self.element, other.element)
            && equal(self.attribute, other.attribute)
    }
}

/// How many answers a [`Lookup`] remembers.
const REMEMBERED: usize = 16;

/// Looks attributes up, and remembers what names alone have told: a page repeats a few of them.
#[derive(Debug, Default)]
pub struct Lookup<'d> {
    remembered: [Cell<Option<Remembered<'d>>>; REMEMBERED],
}

type Remembered<'d> = (LookupKey<'d>, Option<&'static Row>);

impl<'d> Lookup<'d> {
    /// The row for an attribute, if it is a place; `sibling` gives the decoded value of another
    /// attribute of the same tag.
    #[inline]
    pub fn row<'v>(
        &self,
        names: LookupKey<'d>,
        sibling: &dyn Fn(&str) -> Option<Cow<'v, [u8]>>,
    ) -> Option<&'static Row> {
        let first = names.element.first().copied().unwrap_or_default();
        let index = name_filter::hash(names.attribute) ^ usize::from(first);
        let remembered = &self.remembered[index % REMEMBERED];
        match remembered.get() {
            Some((last, row)) if last.is(&names) => row,
            _ => look_up(names, sibling, remembered),
        }
    }
}

fn look_up<'d, 'v>(
    names: LookupKey<'d>,
    sibling: &dyn Fn(&str) -> Option<Cow<'v, [u8]>>,
    remembered: &Cell<Option<Remembered<'d>>>,
) -> Option<&'static Row> {
    let mut names_suffice = true;
    let relations = OnceCell::new();
    let entry = INDEX[name_filter::hash(names.attribute)]
        .iter()
        .find(|entry| {
            entry.fits(&names) && {
                names_suffice &= entry.row.when == When::Always;
                entry.row.applies(sibling, &relations)
            }
        });
    let row = entry.map(|entry| entry.row);
    if names_suffice {
        remembered.set(Some((names, row)));
    }
    row
}
