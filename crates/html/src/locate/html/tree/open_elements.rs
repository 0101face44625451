//! The stack of open elements.
//!
//! Every question that the standard asks is answered without a search: each element knows the next
//! one below it with the same name, and the nearest one that bounds each [`Scope`].

use std::collections::HashMap;

use super::super::foreign::Integration;
use super::Namespace;
use super::names::{Name, Scope, Set};

/// Tells apart elements that are remembered elsewhere; 0 stands for the others.
pub(super) type Id = u32;

#[derive(Clone, Copy)]
pub(super) struct Element {
    pub(super) name: Name,
    pub(super) namespace: Namespace,
    pub(super) integration: Integration,
    pub(super) id: Id,
    /// Whether it was put before the table below it.
    pub(super) fostered: bool,
    /// Its content comes before the `base` of this number, if that is still the
    /// [first](super::base).
    pub(super) precedes: u32,
}

impl Element {
    /// An element of the HTML namespace that is remembered nowhere else.
    pub(super) fn html(name: Name) -> Element {
        Element {
            name,
            namespace: Namespace::Html,
            integration: Integration::No,
            id: 0,
            fostered: false,
            precedes: 0,
        }
    }

    pub(super) fn is(&self, name: Name) -> bool {
        self.namespace == Namespace::Html && self.name == name
    }

    pub(super) fn is_in(&self, names: Set) -> bool {
        self.namespace == Namespace::Html && names.contains(self.name)
    }
}

/// The stack of open elements; it grows upwards from the root element at index 0.
pub(super) struct OpenElements {
    entries: Vec<StackEntry>,
    /// The highest element of each name, HTML's and others' in turn.
    highest: Vec<Option<u32>>,
    /// Where the elements with an [`Id`] are.
    by_id: HashMap<Id, u32>,
}

struct StackEntry {
    element: Element,
    /// The next element below with the same name.
    same: Option<u32>,
    /// The nearest element, this one included, that bounds each scope.
    bounds: [u32; Scope::ALL.len()],
}

impl OpenElements {
    /// A stack that holds the root element.
    pub(super) fn new(root: Name) -> OpenElements {
        let mut stack = OpenElements {
            entries: Vec::new(),
            highest: Vec::new(),
            by_id: HashMap::new(),
        };
        stack.push(Element::html(root));
        stack
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn get(&self, index: usize) -> Option<&Element> {
        self.entries.get(index).map(|entry| &entry.element)
    }

    /// The "current node". The root element is never popped.
    pub(super) fn current(&self) -> &Element {
        &self.entries[self.entries.len() - 1].element
    }

    pub(super) fn push(&mut self, element: Element) {
        let index = self.entries.len() as u32;
        let below = self
            .entries
            .last()
            .map_or([0; Scope::ALL.len()], |entry| entry.bounds);
        let mut bounds = below;
        for (bound, scope) in bounds.iter_mut().zip(Scope::ALL) {
            if scope.is_bounded_by(element.namespace, element.name) {
                *bound = index;
            }
        }
        let key = key(element.namespace == Namespace::Html, element.name);
        if key >= self.highest.len() {
            self.highest.resize(key + 1, None);
        }
        let same = self.highest[key].replace(index);
        if element.id != 0 {
            self.by_id.insert(element.id, index);
        }
        self.entries.push(StackEntry {
            element,
            same,
            bounds,
        });
    }

    pub(super) fn pop(&mut self) {
        self.truncate(self.entries.len() - 1);
    }

    /// Pops elements until `length` of them are left, or the root.
    pub(super) fn truncate(&mut self, length: usize) {
        while self.entries.len() > length.max(1)
            && let Some(StackEntry { element, same, .. }) = self.entries.pop()
        {
            self.highest[key(element.namespace == Namespace::Html, element.name)] = same;
            if element.id != 0 {
                self.by_id.remove(&element.id);
            }
        }
    }

    /// Pops the elements from `index` on, and returns them from the lowest up.
    pub(super) fn split_off(&mut self, index: usize) -> Vec<Element> {
        let above = self.entries.iter().skip(index);
        let above = above.map(|entry| entry.element).collect();
        self.truncate(index);
        above
    }

    /// Takes out the element at `index`, which is not the root. What is above it stays.
    pub(super) fn remove(&mut self, index: usize) {
        let mut fostered = false;
        for (nth, element) in self.split_off(index).into_iter().enumerate() {
            fostered |= element.fostered;
            if nth > 0 {
                self.push(Element {
                    fostered,
                    ..element
                });
                fostered = false;
            }
        }
    }

    /// "Clear the stack back to a table context", "table body context" or "table row context": pops
    /// elements until the current node is in `names`.
    pub(super) fn clear_back_to(&mut self, names: Set) {
        self.pop_while(|element| !element.is_in(names));
    }

    /// Pops elements as long as the condition holds for the current node.
    pub(super) fn pop_while(&mut self, condition: impl Fn(&Element) -> bool) {
        while self.len() > 1 && condition(self.current()) {
            self.pop();
        }
    }

    /// "Pop elements from the stack of open elements until" an HTML element `name` "has been popped
    /// from the stack", if there is one.
    pub(super) fn pop_through(&mut self, name: Name) {
        if let Some(index) = self.highest(name) {
            self.truncate(index);
        }
    }

    pub(super) fn highest(&self, name: Name) -> Option<usize> {
        let index = self.highest.get(key(true, name)).copied().flatten()?;
        Some(index as usize)
    }

    /// "In foreign content", "any other end tag": the highest foreign element `name` above every
    /// HTML element.
    pub(super) fn highest_foreign(&self, name: Name) -> Option<usize> {
        let index = self.highest.get(key(false, name)).copied().flatten()? as usize;
        (index > self.bound(Scope::Html)).then_some(index)
    }

    pub(super) fn position(&self, id: Id) -> Option<usize> {
        self.by_id.get(&id).map(|&index| index as usize)
    }

    /// "Has an element in the specific scope": the nearest element that bounds it.
    pub(super) fn bound(&self, scope: Scope) -> usize {
        self.entries
            .last()
            .map_or(0, |entry| entry.bounds[scope as usize] as usize)
    }

    /// "Adoption agency algorithm", the furthest block: the lowest element above `index` that
    /// bounds a scope.
    pub(super) fn lowest_bound_above(&self, index: usize, scope: Scope) -> Option<usize> {
        let bounds = |at: &usize| self.entries[*at].bounds[scope as usize] as usize == *at;
        (index + 1..self.entries.len()).find(bounds)
    }

    /// "Has an element in the specific scope".
    pub(super) fn has_in_scope(&self, scope: Scope, name: Name) -> bool {
        self.highest(name)
            .is_some_and(|index| index >= self.bound(scope))
    }

    /// "Generate implied end tags", for these elements.
    pub(super) fn imply_end_tags(&mut self, names: Set, except: Option<Name>) {
        self.pop_while(|element| element.is_in(names) && Some(element.name) != except);
    }
}

/// Where [`OpenElements::highest`] keeps a name.
fn key(html: bool, name: Name) -> usize {
    name.0 as usize * 2 + usize::from(html)
}
