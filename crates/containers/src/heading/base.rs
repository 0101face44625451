//! RFC 1808 §3.1 and §3.2, RFC 2068 §14.11: `Base` and `Content-Base`.

use super::fields::Heading;
use abslink_url::{BaseUrl, UnsuitableBase, percent, pre_step, without_fragment};

/// A header field that should give a base URL and gives none.
///
/// # Examples
/// ```
/// use abslink_containers::message::{self, Remark};
///
/// let mail = b"Content-Base: docs/\nContent-Type: text/html\n\n<a href=x>";
/// let (context, html) = Default::default();
/// let examined = message::examine(mail, &context, &html, &mut |_| {});
/// let [Remark::RefusedBase(refused)] = &examined.remarks[..] else { panic!("there is one") };
/// assert_eq!((refused.field, refused.value.as_str()), ("Content-Base", "docs/"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{field}: {value}` gives no base URL: {reason}")]
pub struct RefusedBase {
    /// The field's name.
    pub field: &'static str,
    /// Its value, without folding.
    pub value: String,
    /// Why not.
    #[source]
    pub reason: UnsuitableBase,
}

/// The base URL that a field gives, if the heading has it. `url` reads the URL in a value.
pub(crate) fn base(
    heading: Heading<'_>,
    field: &'static str,
    url: impl FnOnce(&[u8]) -> String,
) -> Option<Result<BaseUrl, RefusedBase>> {
    let value = url(heading.get(field)?.value);
    Some(
        BaseUrl::parse(without_fragment(&value)).map_err(|reason| RefusedBase {
            field,
            value,
            reason,
        }),
    )
}

/// The text of a field's value, without folding and all other white space (RFC 1808 §3.1, RFC 2557
/// §4.4.3). What is not UTF-8 is percent-encoded.
pub(crate) fn text(value: &[u8]) -> String {
    let mut text = String::new();
    for chunk in value.utf8_chunks() {
        text.push_str(chunk.valid());
        percent::encode(chunk.invalid(), |_| false, &mut text);
    }
    text.retain(|character| !character.is_ascii_whitespace());
    text
}

/// The URL in such a text: without `<URL:…>` or part of it, and without quotes.
pub(crate) fn unquoted(text: &str) -> String {
    // Of which HTML can hold every character but this one.
    let text = text.replace('\0', "%00");
    let text = text.trim_matches(['"', '<', '>']);
    let text = match text.get(..4) {
        Some(prefix) if prefix.eq_ignore_ascii_case("url:") => &text[4..],
        _ => text,
    };
    pre_step(text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_url_in_a_field() {
        for value in [
            " <URL:http://h/a/b>",
            "<url:\r\n\thttp://h/a\r\n /b >",
            "http://h/a/b",
            "URL:http://h/a/b",
            "\"http://h/a/b\"",
            "<http://h/a/b>",
        ] {
            assert_eq!(
                unquoted(&text(value.as_bytes())),
                "http://h/a/b",
                "{value:?}"
            );
        }
        assert_eq!(text("é".as_bytes()), "é");
        assert_eq!(text(b"\xe9"), "%E9");
        assert_eq!(unquoted("a\0"), "a%00");
    }
}
