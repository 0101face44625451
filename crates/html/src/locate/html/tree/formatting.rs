//! The list of active formatting elements, and the adoption agency algorithm.

use super::TreeBuilder;
use super::names::{A, Name, Scope};
use super::open_elements::{Element, Id};

/// At most this many formatting elements after the last marker are remembered, and at most this
/// many open elements are moved to close one.
const LIMIT: usize = 64;

/// The list of active formatting elements.
#[derive(Default)]
pub(super) struct Formatting {
    entries: Vec<Active>,
}

/// An entry of the list.
#[derive(Clone, Copy)]
enum Active {
    Marker,
    Element(Formatter),
}

#[derive(Clone, Copy)]
struct Formatter {
    name: Name,
    /// The same for elements with the same attributes.
    signature: u64,
    id: Id,
}

impl Formatting {
    /// "Insert a marker at the end of the list".
    pub(super) fn push_marker(&mut self) {
        self.entries.push(Active::Marker);
    }

    /// "Clear the list of active formatting elements up to the last marker".
    pub(super) fn clear_to_marker(&mut self) {
        while let Some(Active::Element(_)) = self.entries.pop() {}
    }

    /// "Between the end of the list and the last marker": the elements there from the end, with
    /// their places.
    fn after_marker(&self) -> impl Iterator<Item = (usize, &Formatter)> {
        let entries = self.entries.iter().enumerate().rev();
        entries.map_while(|(index, entry)| match entry {
            Active::Marker => None,
            Active::Element(formatter) => Some((index, formatter)),
        })
    }

    /// "Adoption agency algorithm", the formatting element: the last element `name` after the last
    /// marker, with its place.
    fn last(&self, name: Name) -> Option<(usize, Formatter)> {
        let found = (self.after_marker()).find(|(_, entry)| entry.name == name);
        found.map(|(index, entry)| (index, *entry))
    }

    /// "Push onto the list of active formatting elements".
    fn push(&mut self, new: Formatter) {
        let alike = |old: &Formatter| old.name == new.name && old.signature == new.signature;
        let third = self.after_marker().filter(|(_, old)| alike(old)).nth(2);
        let first = self.after_marker().nth(LIMIT - 1);
        if let Some(index) = third.or(first).map(|(index, _)| index) {
            self.entries.remove(index);
        }
        self.entries.push(Active::Element(new));
    }

    /// Where an element is in the list. Elements before the last marker are not searched: no end
    /// tag reaches them, and the search stays short.
    fn position(&self, id: Id) -> Option<usize> {
        let found = (self.after_marker()).find(|(_, entry)| entry.id == id);
        found.map(|(index, _)| index)
    }

    /// "Remove from the list of active formatting elements".
    fn forget(&mut self, id: Id) {
        if let Some(index) = self.position(id) {
            self.entries.remove(index);
        }
    }
}

impl TreeBuilder {
    /// "Insert an HTML element", and "push onto the list of active formatting elements".
    pub(super) fn insert_formatting(&mut self, name: Name, signature: u64) {
        let id = self.insert_with_id(name);
        self.formatting.push(Formatter {
            name,
            signature,
            id,
        });
    }

    /// "Reconstruct the active formatting elements".
    pub(super) fn reconstruct_formatting(&mut self) {
        let closed = self.formatting.after_marker();
        let closed = closed.take_while(|(_, entry)| self.stack.position(entry.id).is_none());
        let Some(first) = closed.last().map(|(index, _)| index) else {
            return;
        };
        for index in first..self.formatting.entries.len() {
            if let Active::Element(formatter) = self.formatting.entries[index] {
                let id = self.insert_with_id(formatter.name);
                self.formatting.entries[index] = Active::Element(Formatter { id, ..formatter });
            }
        }
    }

    /// "In body", a start tag whose tag name is "a": what it does to an `a` that is open or to be
    /// reconstructed.
    pub(super) fn close_formatting_a(&mut self) {
        if let Some((_, open)) = self.formatting.last(A) {
            self.adoption_agency(A);
            self.formatting.forget(open.id);
            if let Some(index) = self.stack.position(open.id) {
                self.stack.remove(index);
            }
        }
    }

    /// "Adoption agency algorithm".
    pub(super) fn adoption_agency(&mut self, subject: Name) {
        let current = *self.stack.current();
        if current.is(subject) && self.formatting.position(current.id).is_none() {
            self.stack.pop();
            return;
        }
        for _ in 0..8 {
            let Some((listed, formatter)) = self.formatting.last(subject) else {
                self.any_other_end_tag(subject);
                return;
            };
            let Some(open) = self.stack.position(formatter.id) else {
                self.formatting.entries.remove(listed);
                return;
            };
            if open < self.stack.bound(Scope::Default) {
                return;
            }
            if self.stack.bound(Scope::Special) < open {
                self.stack.truncate(open);
                self.formatting.entries.remove(listed);
                return;
            }
            if self.stack.len() - open > LIMIT {
                return;
            }
            let Some(block) = self.stack.lowest_bound_above(open, Scope::Special) else {
                return;
            };
            self.move_into_block(open, block, formatter);
        }
    }

    /// "Adoption agency algorithm", from the bookmark on: moves a formatting element, open at
    /// `open`, into the furthest block, open at `block`.
    fn move_into_block(&mut self, open: usize, block: usize, formatter: Formatter) {
        let above = self.stack.split_off(open);
        let block = block - open;
        let mut bookmark = None;
        let mut between = Vec::new();
        for (nth, &node) in above[1..block].iter().rev().enumerate() {
            let Some(listed) = self.formatting.position(node.id) else {
                continue;
            };
            if nth >= 3 {
                self.formatting.entries.remove(listed);
                continue;
            }
            let id = self.next_id();
            if let Active::Element(entry) = &mut self.formatting.entries[listed] {
                entry.id = id;
            }
            bookmark.get_or_insert(id);
            between.push(Element { id, ..node });
        }
        let id = self.next_id();
        let copy = Active::Element(Formatter { id, ..formatter });
        let bookmark = bookmark.and_then(|after| self.formatting.position(after));
        match (bookmark, self.formatting.position(formatter.id)) {
            (Some(after), _) => {
                self.formatting.entries.insert(after + 1, copy);
                self.formatting.forget(formatter.id);
            }
            (None, Some(place)) => self.formatting.entries[place] = copy,
            (None, None) => {}
        }
        // It becomes the furthest block's only child.
        let copy = Element {
            id,
            precedes: above[block].precedes,
            ..Element::html(formatter.name)
        };
        let moved = between.into_iter().rev().chain([above[block], copy]);
        // What comes first now goes to where the formatting element was.
        let mut fostered = above[0].fostered;
        for element in moved.chain(above[block + 1..].iter().copied()) {
            self.stack.push(Element {
                fostered: fostered || element.fostered,
                ..element
            });
            fostered = false;
        }
    }
}
