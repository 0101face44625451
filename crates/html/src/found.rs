//! What every grammar of values finds.

use std::borrow::Cow;
use std::ops::Range;

/// One reference in a value's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FoundReference<'t> {
    /// Its byte range in the text, without quotes, parentheses and the whitespace inside these.
    pub(super) span: Range<usize>,
    /// Its value, with the escapes of the grammar decoded: up to its first placeholder, if it has
    /// one.
    pub(super) value: Cow<'t, str>,
    /// The part from its first placeholder on.
    pub(super) template: Option<Template<'t>>,
    /// The quote before it, if there is one. The closing quote may be missing.
    pub(super) quote: Option<char>,
    /// Whether it would mean something else if it ended with a slash: a key of an import map.
    pub(super) ends_without_slash: bool,
    /// Whether it is where an import map says that a module is.
    pub(super) is_module: bool,
    /// Whether it cannot be told what it is relative to.
    pub(super) is_of_another: bool,
}

impl<'t> FoundReference<'t> {
    /// A reference without quotes and escapes.
    pub(super) fn plain(text: &'t str, span: Range<usize>) -> FoundReference<'t> {
        FoundReference {
            value: Cow::Borrowed(&text[span.clone()]),
            span,
            template: None,
            quote: None,
            ends_without_slash: false,
            is_module: false,
            is_of_another: false,
        }
    }
}

/// The part of a reference that begins with a template placeholder, and has no meaning yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Template<'t> {
    /// Where it begins in the value's text.
    pub(super) at: usize,
    /// Its value, with the escapes of the grammar decoded.
    pub(super) text: Cow<'t, str>,
}
