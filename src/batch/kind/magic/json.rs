//! Whether text begins like JSON (RFC 8259), and not like a template with braces or brackets.

use super::LOOKED_THROUGH;

/// Whether text begins like a JSON object or array.
pub(crate) fn begins(head: &[u8]) -> bool {
    let text = unmarked(head);
    let is_cut = text.len() > LOOKED_THROUGH;
    let text = &text[..text.len().min(LOOKED_THROUGH)];
    starts(text) && first_token(text, is_cut) && ends(text)
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

/// Whether the first string, number or word is one of JSON. Nothing is known of what is cut off.
fn first_token(text: &[u8], is_cut: bool) -> bool {
    let is_open = |byte: &u8| matches!(byte, b'[' | b'{') || byte.is_ascii_whitespace();
    let Some(start) = text.iter().position(|byte| !is_open(byte)) else {
        return is_cut;
    };
    let before = text[..start].trim_ascii_end().last();
    let token = &text[start..];
    match (before, token[0]) {
        (Some(b'{'), b'"') | (Some(b'['), b'"') => string(&token[1..], is_cut).is_some(),
        // An empty array or object.
        (Some(b'['), b']') | (Some(b'{'), b'}') => true,
        (Some(b'['), _) => {
            let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b']');
            match token.iter().position(ends) {
                Some(length) => serde_json::from_slice::<serde_json::Value>(&token[..length])
                    .is_ok_and(|value| !value.is_string()),
                None => is_cut && token.iter().all(u8::is_ascii_digit),
            }
        }
        _ => false,
    }
}

/// The length of a string of JSON up to its closing quote, or as far as it goes.
fn string(rest: &[u8], is_cut: bool) -> Option<usize> {
    let mut at = 0;
    loop {
        match rest.get(at) {
            Some(b'"') => return Some(at),
            Some(b'\\') => match rest.get(at + 1) {
                Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => at += 2,
                Some(b'u') => {
                    let digits = rest.get(at + 2..at + 6);
                    match digits {
                        Some(digits) if digits.iter().all(u8::is_ascii_hexdigit) => at += 6,
                        Some(_) => return None,
                        None => return is_cut.then_some(at),
                    }
                }
                Some(_) => return None,
                None => return is_cut.then_some(at),
            },
            Some(0..=0x1f) => return None,
            Some(_) => at += 1,
            None => return is_cut.then_some(at),
        }
    }
}

/// Whether nothing stands behind the first value, if it ends, but another one in a line of its own.
fn ends(text: &[u8]) -> bool {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(byte) = text.get(at) {
        at += 1;
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    let rest = text[at..].trim_ascii_start();
                    let between = &text[at..text.len() - rest.len()];
                    let is_next = matches!(rest.first(), Some(b'{' | b'['));
                    return rest.is_empty() || is_next && between.contains(&b'\n');
                }
            }
            b'"' => {
                while let Some(byte) = text.get(at) {
                    at += if *byte == b'\\' { 2 } else { 1 };
                    if *byte == b'"' {
                        break;
                    }
                }
            }
            _ => {}
        }
    }
    true
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
