//! Which `base` element with an `href` comes first in tree order.
//!
//! The parser puts nearly every element after all others, so the first one in the source is the
//! first in the tree. There are two exceptions: what is in a table, but in none of its
//! cells, is put before the table ("foster parenting", and what goes into such an element follows
//! it there); and a `frameset` takes the place of the body.

use super::super::BaseOrder;
use super::names::{self, Name};
use super::open_elements::{Element, Id};
use super::{Mode, TreeBuilder};

/// The first `base` with an `href`, if there was one.
#[derive(Default)]
pub(super) struct First {
    /// How many elements have been the first one.
    count: u32,
    /// The tables that it is in, the outermost first. Those that are still open come first.
    tables: Vec<Id>,
    place: FirstIn,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum FirstIn {
    #[default]
    None,
    Head,
    Body,
}

impl TreeBuilder {
    /// HTML standard, "document base URL": takes the start tag of a `base` with an `href` that was
    /// just inserted.
    pub(super) fn meet_base(&mut self) -> BaseOrder {
        let is_only = self.first.place == FirstIn::None;
        if !is_only && !self.precedes_first(names::BASE) {
            return BaseOrder::Stays;
        }
        self.note_tables();
        self.first.count += 1;
        self.first.place = match self.mode {
            Mode::BeforeHead | Mode::InHead | Mode::AfterHead => FirstIn::Head,
            _ => FirstIn::Body,
        };
        if is_only {
            BaseOrder::Stays
        } else {
            BaseOrder::Precedes
        }
    }

    /// "In body", a start tag `frameset`: it takes the place of the body.
    pub(super) fn remove_body(&mut self) -> BaseOrder {
        match self.first.place {
            FirstIn::Body => {
                self.first.place = FirstIn::None;
                BaseOrder::Removed
            }
            FirstIn::None | FirstIn::Head => BaseOrder::Stays,
        }
    }

    /// "Document base URL": whether no later `base` can come before the first one, and nothing can
    /// remove it.
    pub(in super::super) fn base_is_settled(&self) -> bool {
        let outermost = self.first.tables.first();
        match self.first.place {
            FirstIn::None => false,
            FirstIn::Head => true,
            FirstIn::Body => {
                !self.frameset_ok && outermost.is_none_or(|&id| self.stack.position(id).is_none())
            }
        }
    }

    /// Whether the tree is the same without a `base` that would be inserted now, but for text on both sides of it
    /// that becomes one node. `next` is what follows its tag.
    pub(in super::super) fn is_same_without_base(&self, next: &[u8]) -> bool {
        match self.mode {
            // It opens `head`. So does most of what may follow, but for white space, comments, a DOCTYPE, and
            // the tags whose attributes count only while `head` is closed.
            Mode::BeforeHead => {
                let is_tag = |name: &[u8]| {
                    let found = next.get(1..=name.len());
                    found.is_some_and(|found| found.eq_ignore_ascii_case(name))
                };
                next.starts_with(b"<")
                    && next.get(1).is_some_and(u8::is_ascii_alphabetic)
                    && !is_tag(b"html")
                    && !is_tag(b"head")
            }
            Mode::InHead | Mode::AfterHead => true,
            // Behind `pre` a newline would be dropped.
            Mode::InBody | Mode::InCaption | Mode::InCell => {
                !self.ignore_newline || next.starts_with(b"<")
            }
            // It closes `colgroup`, parts the text of a table, and ends "after body".
            _ => false,
        }
    }

    /// "Insert a foreign element": an element to be pushed, with its place relative to the first
    /// `base`.
    pub(super) fn placed(&self, element: Element) -> Element {
        let precedes = match self.first.place {
            FirstIn::None => false,
            FirstIn::Head | FirstIn::Body => self.precedes_first(element.name),
        };
        Element {
            fostered: self.is_fostered(element.name),
            precedes: if precedes { self.first.count } else { 0 },
            ..element
        }
    }

    /// "Appropriate place for inserting a node", while foster parenting is enabled.
    fn is_fostered(&self, name: Name) -> bool {
        matches!(self.mode, Mode::InTable | Mode::InTableBody | Mode::InRow)
            && self.stack.current().is_in(names::FOSTERED_FROM)
            && !names::PLACED_IN_TABLES.contains(name)
    }

    /// "Appropriate place for inserting a node": whether an element that is inserted now comes
    /// before the first `base`.
    fn precedes_first(&self, name: Name) -> bool {
        let follows_parent = |parent: &Element| parent.precedes == self.first.count;
        if !self.is_fostered(name) {
            return follows_parent(self.stack.current());
        }
        let table = self.stack.highest(names::TABLE);
        table
            .and_then(|index| self.stack.get(index))
            .is_some_and(|table| {
                follows_parent(table) || self.first.tables.binary_search(&table.id).is_ok()
            })
    }

    /// "Appropriate place for inserting a node": notes the tables that contain a `base` which is
    /// inserted now.
    ///
    /// The tables around the previous one are known, as far down as both are in the same tables. So
    /// each open element is visited once: whatever is open above that place has to be closed
    /// before another `base` can precede this one.
    fn note_tables(&mut self) {
        let is_first = self.first.place == FirstIn::None;
        if is_first {
            self.first.tables.clear();
        }
        let mut inner = Vec::new();
        let mut skips = self.is_fostered(names::BASE);
        for index in (0..self.stack.len()).rev() {
            let Some(element) = self.stack.get(index).copied() else {
                break;
            };
            if element.is(names::TABLE) {
                if !skips {
                    inner.push(element.id);
                } else if let Ok(known) = self.first.tables.binary_search(&element.id) {
                    self.first.tables.truncate(known);
                    break;
                }
                skips = false;
            }
            skips |= element.fostered;
        }
        self.first.tables.extend(inner.into_iter().rev());
    }
}
