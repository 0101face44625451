//! Tags: the tokenizer states from the tag name to the `>`.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use htmlize::Context;

pub(super) use super::super::name_filter::is;
use super::super::name_filter::is_in;
use super::super::{Attribute, Quote};
use super::{find, is_whitespace};

/// Up to this many attributes are searched one by one for a duplicate; more go through a hash set.
const FEW: usize = 16;

/// A start tag token.
pub(super) struct Tag<'d, 't> {
    pub(super) document: &'d [u8],
    pub(super) name: &'d [u8],
    pub(super) attributes: &'t Attributes,
    pub(super) self_closing: bool,
}

impl Tag<'_, '_> {
    /// Whether there is an attribute `name` (in lower case), with or without a value.
    pub(super) fn has(&self, name: &str) -> bool {
        self.attributes.contains(self.document, name.as_bytes())
    }

    /// Whether the attribute `name` has one of the values in a list, in any letter case.
    pub(super) fn value_is(&self, name: &str, list: &str) -> bool {
        let value = self.attributes.value(self.document, name);
        value.is_some_and(|value| {
            is_in(&htmlize::unescape_bytes_in(value, Context::Attribute), list)
        })
    }

    /// "In head", a start tag `template`: whether it asks for a shadow root. Whether its parent may have one is
    /// not looked at.
    pub(super) fn declares_shadow_root(&self) -> bool {
        self.value_is("shadowrootmode", "open closed")
    }

    /// "Push onto the list of active formatting elements", the Noah's Ark clause: a number that
    /// tags with the same attributes share, whatever their order.
    pub(super) fn signature(&self) -> u64 {
        let of = |name: &Range<usize>, value: &[u8]| {
            let mut hasher = DefaultHasher::new();
            self.document[name.clone()]
                .to_ascii_lowercase()
                .hash(&mut hasher);
            value.hash(&mut hasher);
            hasher.finish()
        };
        let attributes = self.attributes.list.iter();
        attributes
            .map(|each| of(&each.name, &self.document[each.value.clone()]))
            .fold(0, u64::wrapping_add)
    }
}

/// The attributes of one tag, without those that repeat a name.
#[derive(Default)]
pub(crate) struct Attributes {
    pub(super) list: Vec<Attribute>,
    /// All names in lower case, once there are more than a [`FEW`].
    seen: HashSet<Box<[u8]>>,
}

impl Attributes {
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.list.clear();
        if !self.seen.is_empty() {
            self.seen = HashSet::new();
        }
    }

    pub(crate) fn value<'d>(&self, document: &'d [u8], name: &str) -> Option<&'d [u8]> {
        let mut attributes = self.list.iter();
        let found = attributes.find(|it| is(&document[it.name.clone()], name.as_bytes()))?;
        Some(&document[found.value.clone()])
    }

    fn names(&self) -> impl Iterator<Item = &Range<usize>> {
        self.list.iter().map(|attribute| &attribute.name)
    }

    #[inline]
    fn contains(&self, document: &[u8], name: &[u8]) -> bool {
        if self.seen.is_empty() {
            self.names().any(|each| is(&document[each.clone()], name))
        } else {
            self.seen.contains(name.to_ascii_lowercase().as_slice())
        }
    }

    /// "Attribute name state", on leaving it: adds an attribute, unless an earlier one has its
    /// name.
    #[inline]
    pub(crate) fn add(&mut self, document: &[u8], attribute: Attribute) {
        if self.list.is_empty() {
            self.list.push(attribute);
        } else {
            self.add_another(document, attribute);
        }
    }

    /// The same, where there is one.
    fn add_another(&mut self, document: &[u8], attribute: Attribute) {
        let name = &attribute.name;
        if self.contains(document, &document[name.clone()]) {
            return;
        }
        if self.list.len() >= FEW {
            let lower = |name: &Range<usize>| document[name.clone()].to_ascii_lowercase().into();
            if self.seen.is_empty() {
                self.seen = self.names().map(lower).collect();
            }
            self.seen.insert(lower(name));
        }
        self.list.push(attribute);
    }
}

/// HTML standard, "tag name state": where the name that starts at `from` ends; `None` at the end of
/// the file.
#[inline]
pub(super) fn tag_name(document: &[u8], from: usize) -> Option<usize> {
    let name = document.get(from..)?;
    let length = name
        .iter()
        .position(|&byte| is_whitespace(byte) || matches!(byte, b'/' | b'>'))?;
    Some(from + length)
}

pub(crate) struct AttributesEnd {
    /// After its `>`.
    pub(crate) position: usize,
    /// Whether it ends with `/>`.
    pub(super) self_closing: bool,
}

/// HTML standard, "before attribute name state", and those that follow it up to the end of the tag.
///
/// `None` if the file ends inside the tag: then there is no tag.
#[inline]
pub(crate) fn attributes(
    document: &[u8],
    from: usize,
    mut add: impl FnMut(Attribute),
) -> Option<AttributesEnd> {
    let mut at = from;
    loop {
        match *document.get(at)? {
            b'>' => {
                return Some(AttributesEnd {
                    position: at + 1,
                    self_closing: false,
                });
            }
            // Self-closing start tag state.
            b'/' if *document.get(at + 1)? == b'>' => {
                return Some(AttributesEnd {
                    position: at + 2,
                    self_closing: true,
                });
            }
            b'/' => at += 1,
            byte if is_whitespace(byte) => at += 1,
            _ => {
                if let Some(length) = usual_name(&document[at..]) {
                    let name = at..at + length;
                    let start = name.end + b"=\"".len();
                    let end = start + find(b'"', &document[start..])?;
                    at = end + 1;
                    add(Attribute {
                        name,
                        value: start..end,
                        quote: Quote::Double,
                    });
                    continue;
                }
                let name = at..attribute_name(document, at)?;
                // After attribute name state.
                at = skip_whitespace(document, name.end)?;
                if document[at] != b'=' {
                    let value = name.end..name.end;
                    add(Attribute {
                        name,
                        value,
                        quote: Quote::Missing,
                    });
                    continue;
                }
                // Before attribute value state.
                let equals_end = at + 1;
                at = skip_whitespace(document, equals_end)?;
                let (quote, value, behind) = match document[at] {
                    quote @ (b'"' | b'\'') => {
                        // Attribute value (double-quoted) state, and (single-quoted).
                        let start = at + 1;
                        let end = start + find(quote, &document[start..])?;
                        let double = quote == b'"';
                        let quote = if double { Quote::Double } else { Quote::Single };
                        (quote, start..end, end + 1)
                    }
                    b'>' => (Quote::Missing, equals_end..equals_end, at),
                    _ => {
                        let end = unquoted(document, at)?;
                        (Quote::None, at..end, end)
                    }
                };
                at = behind;
                add(Attribute { name, value, quote });
            }
        }
    }
}

/// The length of a usual attribute name, found by comparing, so that nothing waits for its end.
#[inline]
fn usual_name(attribute: &[u8]) -> Option<usize> {
    [b"class=\"".as_slice(), b"href=\"", b"id=\""]
        .into_iter()
        .find(|usual| attribute.starts_with(usual))
        .map(|usual| usual.len() - b"=\"".len())
}

/// "Attribute name state": where the name ends. A `=` at its start belongs to it.
#[inline]
fn attribute_name(document: &[u8], at: usize) -> Option<usize> {
    let ends = |&byte: &u8| is_whitespace(byte) || matches!(byte, b'=' | b'/' | b'>');
    let length = document[at + 1..].iter().position(ends)?;
    Some(at + 1 + length)
}

/// "After attribute name state" and "before attribute value state": the first byte from `at` that
/// is not whitespace.
#[inline]
fn skip_whitespace(document: &[u8], mut at: usize) -> Option<usize> {
    while is_whitespace(*document.get(at)?) {
        at += 1;
    }
    Some(at)
}

/// "Attribute value (unquoted) state": where the value ends. A `/` belongs to it.
fn unquoted(document: &[u8], at: usize) -> Option<usize> {
    let ends = |&byte: &u8| byte == b'>' || is_whitespace(byte);
    let length = document[at..].iter().position(ends)?;
    Some(at + length)
}
