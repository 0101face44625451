//! The prefixes of names, and what the open elements bind them to (Namespaces in XML 1.0).

use std::collections::HashMap;
use std::ops::Range;

use memchr::memchr;

/// What the prefixes are bound to that the open elements declare.
#[derive(Debug, Default)]
pub struct Prefixes<T> {
    /// In the order of their declarations.
    bindings: Vec<Box<[u8]>>,
    /// What each is bound to, the innermost last.
    bound: HashMap<Box<[u8]>, Vec<T>>,
}

impl<T: Copy> Prefixes<T> {
    /// How many bindings there are.
    pub fn count(&self) -> usize {
        self.bindings.len()
    }

    /// Declares a prefix, which may be empty.
    pub fn bind(&mut self, prefix: &[u8], to: T) {
        self.bindings.push(prefix.into());
        self.bound.entry(prefix.into()).or_default().push(to);
    }

    /// Ends all bindings but the first `first`.
    pub fn unbind(&mut self, first: usize) {
        for prefix in self.bindings.drain(first..) {
            if let Some(bound) = self.bound.get_mut(&prefix) {
                bound.pop();
            }
        }
    }

    /// What the innermost element that declares a prefix binds it to.
    pub fn get(&self, prefix: &[u8]) -> Option<T> {
        self.bound.get(prefix)?.last().copied()
    }
}

/// The prefix that an attribute of this name declares.
pub fn declared(attribute: &[u8]) -> Option<&[u8]> {
    match attribute.strip_prefix(b"xmlns")? {
        b"" => Some(b""),
        [b':', prefix @ ..] => Some(prefix),
        _ => None,
    }
}

/// The prefix of a name, and its local part.
pub fn split<'d>(document: &'d [u8], name: &Range<usize>) -> (&'d [u8], Range<usize>) {
    match memchr(b':', &document[name.clone()]) {
        Some(colon) => (
            &document[name.start..name.start + colon],
            name.start + colon + 1..name.end,
        ),
        None => (b"", name.clone()),
    }
}
