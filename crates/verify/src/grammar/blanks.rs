//! What the second reader takes off a reference before it reads it.

use std::borrow::Cow;

/// URL Standard, basic URL parser, steps 1 to 3.
pub(crate) fn stripped(reference: &str) -> Cow<'_, str> {
    let is_blank = |c: char| c <= ' ';
    let stripped = reference.trim_matches(is_blank);
    if memchr::memchr3(b'\t', b'\n', b'\r', stripped.as_bytes()).is_some() {
        Cow::Owned(stripped.replace(['\t', '\n', '\r'], ""))
    } else {
        Cow::Borrowed(stripped)
    }
}
