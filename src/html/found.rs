//! What every grammar of values finds.

use std::borrow::Cow;
use std::ops::Range;

/// One reference in a value's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FoundReference<'t> {
    /// Its byte range in the text, without quotes, parentheses and the whitespace inside these.
    pub(super) span: Range<usize>,
    /// What it says, the escapes of the grammar decoded.
    pub(super) value: Cow<'t, str>,
    /// The quote before it, if there is one. The closing quote may be missing.
    pub(super) quote: Option<char>,
    /// Whether nobody can tell what it is relative to.
    pub(super) is_of_another: bool,
}

impl<'t> FoundReference<'t> {
    /// One that has no quotes and no escapes.
    pub(super) fn plain(text: &'t str, span: Range<usize>) -> FoundReference<'t> {
        FoundReference {
            value: Cow::Borrowed(&text[span.clone()]),
            span,
            quote: None,
            is_of_another: false,
        }
    }
}
