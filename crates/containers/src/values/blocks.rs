//! The comments that delimit WordPress' blocks, `<!-- wp:NAME {JSON} -->`, as the expression of `WP_Block_Parser` finds
//! them (`wp-includes/class-wp-block-parser.php`).

use std::ops::Range;

use memchr::memmem;

/// Members of the JSON whose strings are URLs.
const URLS: &str = "url href src link poster mediaUrl mediaLink backgroundUrl feedURL";

/// Whether a member of this name holds a URL.
pub(super) fn is_url(key: &str) -> bool {
    URLS.split(' ').any(|url| url == key)
}

/// How a URL of an attribute has to begin that is relative to the page: `me@x.org` and `twitter.com/x` are none.
pub(super) fn is_relative(text: &str) -> bool {
    ["/", "./", "../", "?"]
        .iter()
        .any(|it| text.starts_with(it))
}

/// A comment that begins a block.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block<'t> {
    /// Its name, without `core/`.
    pub(super) name: &'t str,
    /// Where its attributes are, which are an object of JSON.
    pub(super) attributes: Range<usize>,
}

/// The blocks of a text that have attributes.
pub(super) fn find(text: &str) -> impl Iterator<Item = Block<'_>> {
    // What ends no comment behind one place ends none behind later ones.
    let (mut done, mut has_more) = (0, true);
    memmem::find_iter(text.as_bytes(), "<!--").filter_map(move |start| {
        let (name, open) =
            head(text, start + "<!--".len()).filter(|_| start >= done && has_more)?;
        let close = closing(&text.as_bytes()[open..]);
        has_more = close.is_some();
        done = open + close?;
        let attributes = open..done;
        Some(Block { name, attributes })
    })
}

/// What PCRE matches as `\s`.
fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

fn blanks(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| is_blank(byte)).count()
}

/// The length of a name, which begins with a letter.
fn name(bytes: &[u8]) -> usize {
    let is_part =
        |byte: &&u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(byte);
    match bytes.first() {
        Some(first) if first.is_ascii_lowercase() => bytes.iter().take_while(is_part).count(),
        _ => 0,
    }
}

/// The name of a block, and where its attributes begin.
fn head(text: &str, start: usize) -> Option<(&str, usize)> {
    let bytes = text.as_bytes();
    let first = start + Some(blanks(&bytes[start..])).filter(|length| *length > 0)?;
    let start = first + bytes[first..].starts_with(b"wp:").then_some(3)?;
    let some_name = |start: usize| Some(name(&bytes[start..])).filter(|length| *length > 0);
    let mut end = start + some_name(start)?;
    if bytes.get(end) == Some(&b'/') {
        end += 1 + some_name(end + 1)?;
    }
    let open = end + blanks(&bytes[end..]);
    let is_right = open > end && bytes.get(open) == Some(&b'{');
    let name = &text[start..end];
    is_right.then(|| (name.strip_prefix("core/").unwrap_or(name), open))
}

/// How long the attributes are that begin there: up to the first `}` that the end of a comment follows.
fn closing(bytes: &[u8]) -> Option<usize> {
    let mut closing = memchr::memchr_iter(b'}', bytes).map(|at| at + 1);
    closing.find(|close| {
        let rest = &bytes[*close..];
        let blanks = blanks(rest);
        let rest = &rest[blanks..];
        blanks > 0 && (rest.starts_with(b"-->") || rest.starts_with(b"/-->"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_what_wordpress_takes_for_them() {
        let found = |text: &'static str| {
            let found = find(text).map(|block| (block.name, &text[block.attributes]));
            found.collect::<Vec<_>>()
        };
        assert_eq!(
            found(
                "<!-- wp:cover {\"url\":\"a\"} --><!--\n\twp:my-x/y-z_1  {\"a\":{\"b\":{}}}\n/-->"
            ),
            [
                ("cover", "{\"url\":\"a\"}"),
                ("my-x/y-z_1", "{\"a\":{\"b\":{}}}")
            ]
        );
        assert_eq!(
            found("<!-- wp:core/x {\"a\":\"} \\u002d->\"} -->"),
            [("x", "{\"a\":\"} \\u002d->\"}")]
        );
        for none in [
            "<!-- wp:x -->",
            "<!--wp:x {} -->",
            "<!-- wp:x{} -->",
            "<!-- wp:X {} -->",
            "<!-- /wp:x {} -->",
            "<!-- wp:x {}-->",
            "<!-- wp:x {} / -->",
            "<!-- wp:x/ {} -->",
            "<!-- wp: {} -->",
            "<!-- wp:x {} ",
            "<!--",
        ] {
            assert_eq!(found(none), [], "{none}");
        }
        let many = "<!-- wp:x {".repeat(1 << 16);
        assert_eq!(find(&many).count(), 0);
    }
}
