//! The text of a URL, before a standard reads it.

pub mod bnf;
pub(crate) mod named;
pub mod password;
pub mod percent;
pub mod typed;

use std::borrow::Cow;

use memchr::memchr3;

/// A URL without its fragment (RFC 1808 §2.4.1).
pub fn without_fragment(url: &str) -> &str {
    url.split_once('#').map_or(url, |(before, _)| before)
}

/// What stands before a mark, and what behind it.
#[doc(hidden)]
pub fn split(text: &str, mark: char) -> (&str, Option<&str>) {
    let parts = text.split_once(mark);
    parts.map_or((text, None), |(before, behind)| (before, Some(behind)))
}

/// The pre-step that every reference goes through before it is resolved: C0 controls and spaces
/// are stripped at both ends; TAB, LF and CR are deleted inside.
///
/// # Examples
/// ```
/// use abslink_url::pre_step;
/// assert_eq!(pre_step(" g h\n"), "g h");
/// assert_eq!(pre_step("ht\ntp://x/"), "http://x/");
/// ```
pub fn pre_step(reference: &str) -> Cow<'_, str> {
    let stripped = reference.trim_matches(|c: char| c <= ' ');
    if memchr3(b'\t', b'\n', b'\r', stripped.as_bytes()).is_none() {
        return Cow::Borrowed(stripped);
    }
    Cow::Owned(stripped.replace(['\t', '\n', '\r'], ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pre_step_strips_controls_at_the_ends_and_deletes_line_breaks_inside() {
        assert_eq!(pre_step("\u{1f}\u{1}\n g\u{c}"), "g");
        assert_eq!(pre_step(".\t./g\r\nh"), "../gh");
        assert_eq!(pre_step("\u{a0}g"), "\u{a0}g", "only ASCII");
        assert_eq!(pre_step(" \t "), "");
        assert!(matches!(pre_step(" g h "), Cow::Borrowed("g h")));
    }
}
