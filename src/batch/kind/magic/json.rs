//! Whether text begins like JSON (RFC 8259), and not like a template with braces or brackets.

use serde::de::IgnoredAny;
use serde_json::Deserializer;

use super::LOOKED_THROUGH;

/// Whether text begins like a JSON object or array, and nothing stands behind that but another one in a line of its
/// own.
pub(crate) fn begins(head: &[u8]) -> bool {
    let text = unmarked(head);
    let is_cut = text.len() > LOOKED_THROUGH;
    let text = &text[..text.len().min(LOOKED_THROUGH)];
    let mut values = Deserializer::from_slice(text).into_iter::<IgnoredAny>();
    starts(text)
        && match values.next() {
            Some(Ok(_)) => {
                let (_, behind) = text.split_at(values.byte_offset());
                let rest = behind.trim_ascii_start();
                let between = &behind[..behind.len() - rest.len()];
                rest.is_empty() || matches!(rest[0], b'{' | b'[') && between.contains(&b'\n')
            }
            Some(Err(error)) if error.is_eof() => is_cut,
            // Comments and the like may stand in it, but its first value is one of JSON.
            Some(Err(error)) => {
                let lines = text.split_inclusive(|byte| *byte == b'\n');
                let before: usize = lines.take(error.line() - 1).map(<[u8]>::len).sum();
                let end = text.len().min(before + error.column());
                memchr::memchr2(b',', b':', &text[..end]).is_some()
            }
            None => false,
        }
}

/// Whether text begins like a JSON object that has a member.
pub(crate) fn is_object(head: &[u8]) -> bool {
    unmarked(head).starts_with(b"{") && starts(unmarked(head))
}

/// The text after a byte order mark and white space.
fn unmarked(head: &[u8]) -> &[u8] {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    text.trim_ascii_start()
}

/// Whether the first two marks are those of JSON.
fn starts(text: &[u8]) -> bool {
    let Some((first, rest)) = text.split_first() else {
        return false;
    };
    matches!(
        (first, rest.trim_ascii_start().first()),
        (b'{', Some(b'"')) | (b'[', Some(b'{' | b'[' | b'"' | b'0'..=b'9'))
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_not_a_template() {
        for text in [
            " {\n \"a\": 1}",
            "[ {\"a\": 1}]",
            "\u{feff}{\"a\":\"}\"}\n\n",
            "[[\"<a href=\\\"x\\\">\"]]",
            "[1,\"<a href=x>\"]",
            "[12]",
            "[\"a\"]",
            "[[null, 1.5e3]]",
            "[[]]",
            "{\"a\": 1}\n{\"a\": 2}\n",
            "{\"a\": 1}\r\n  [2]",
        ] {
            assert!(begins(text.as_bytes()), "{text}");
        }
        for text in [
            "{{ a }}",
            "{{ \"a\" }}",
            "{% a %}",
            "{}",
            "{a}",
            "[[a]]",
            "[[url]]/x",
            "[a](b)",
            "[\"a\"](b)",
            "[1] <a href=x>",
            "[2024-01-01] <a href=x>",
            "[1a]",
            "{\"a\\x\": 1}",
            "{\"a\": 1} <a href=x>",
            "{\"a\": 1} {\"b\": 2}",
            "{\"a",
            "[",
            "",
        ] {
            assert!(!begins(text.as_bytes()), "{text}");
        }
        // The first string goes on in what is not looked at.
        let long = format!("{{\"{}", "a".repeat(LOOKED_THROUGH));
        assert!(begins(long.as_bytes()));
        let long = format!("[[{}", " ".repeat(LOOKED_THROUGH));
        assert!(begins(long.as_bytes()));
    }
}
