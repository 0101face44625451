//! What every grammar of values finds.

use std::borrow::Cow;
use std::ops::Range;

/// One reference in a value's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoundReference<'t> {
    /// Its byte range in the text, without quotes, parentheses and the whitespace inside these.
    pub(crate) span: Range<usize>,
    /// Its value, with the escapes of the grammar decoded: up to its first placeholder, if it has
    /// one.
    pub(crate) value: Cow<'t, str>,
    /// The part from its first placeholder on.
    pub(crate) template: Option<Template<'t>>,
    /// The quote before it, if there is one. The closing quote may be missing.
    pub(crate) quote: Option<char>,
    /// Whether it would mean something else if it ended with a slash: a key of an import map.
    pub(crate) ends_without_slash: bool,
    /// Whether it is where an import map says that a module is.
    pub(crate) is_module: bool,
    /// Whether it cannot be told what it is relative to.
    pub(crate) has_unknown_base: bool,
}

impl<'t> FoundReference<'t> {
    /// A reference without quotes and escapes.
    pub(crate) fn plain(text: &'t str, span: Range<usize>) -> FoundReference<'t> {
        FoundReference {
            value: Cow::Borrowed(&text[span.clone()]),
            span,
            template: None,
            quote: None,
            ends_without_slash: false,
            is_module: false,
            has_unknown_base: false,
        }
    }
}

/// The part of a reference that begins with a template placeholder, and has no meaning yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Template<'t> {
    /// Where it begins in the value's text.
    pub(crate) at: usize,
    /// Its value, with the escapes of the grammar decoded.
    pub(crate) text: Cow<'t, str>,
}
