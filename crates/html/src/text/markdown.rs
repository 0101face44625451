//! Destinations of Markdown's links: CommonMark 0.31 §2.4, §2.5, §6.3, and GFM §4.10 for the cells of tables.

use std::borrow::Cow;

use crate::locate::position::{Decoder, PositionMap};
use abslink_url::percent;

/// How the destination of a link is delimited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Destination {
    /// It stands between `<` and `>`.
    pub is_angled: bool,
    /// It stands in a cell of a table, where each `|` has a backslash.
    pub in_cell: bool,
}

/// What a destination spells: backslashes and character references are decoded.
pub(crate) fn decode(raw: &str, destination: Destination) -> (Cow<'_, str>, PositionMap) {
    let mut decoder = Decoder::new(raw);
    let mut done = 0;
    for at in memchr::memchr3_iter(b'\\', b'&', 0, raw.as_bytes()) {
        if at < done {
            continue;
        }
        let rest = &raw[at..];
        let length = match rest.as_bytes()[0] {
            b'\\' => {
                let Some((text, length)) = backslash(rest, destination.in_cell) else {
                    continue;
                };
                decoder.replace(at, length, text, false);
                length
            }
            b'&' => {
                let Some((text, length)) = reference(rest) else {
                    continue;
                };
                decoder.replace(at, length, &text, false);
                length
            }
            _ => {
                decoder.replace(at, 1, "\u{fffd}", false);
                1
            }
        };
        done = at + length;
    }
    decoder.finish()
}

/// What a backslash and the characters behind it stand for. The backslash before a `|` in a cell goes before anything
/// else is read.
fn backslash(rest: &str, in_cell: bool) -> Option<(&str, usize)> {
    let length = if in_cell && rest.starts_with("\\\\|") {
        3
    } else {
        2
    };
    let next = rest.as_bytes().get(length - 1)?;
    (next.is_ascii_punctuation()).then(|| (&rest[length - 1..length], length))
}

/// CommonMark §2.5: what a character reference stands for, which has to have its semicolon.
fn reference(rest: &str) -> Option<(Cow<'_, str>, usize)> {
    const LONGEST: usize = 40;
    let length = memchr::memchr(b';', &rest.as_bytes()[..rest.len().min(LONGEST)])? + 1;
    let name = &rest[1..length - 1];
    let number = match name.strip_prefix('#') {
        Some(number) => number,
        None => {
            let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric());
            let text = htmlize::unescape(&rest[..length]);
            // A shorter name without a semicolon leaves the one that is there.
            let is_whole = name == "semi" || !text.ends_with(';');
            return (is_name && is_whole).then_some((text, length));
        }
    };
    let (digits, radix, most) = match number.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16, 6),
        None => (number, 10, 7),
    };
    let is_number = (1..=most).contains(&digits.len())
        && digits
            .bytes()
            .all(|digit| char::from(digit).is_digit(radix));
    let code = u32::from_str_radix(digits, radix)
        .ok()
        .filter(|_| is_number)?;
    let character = char::from_u32(code).filter(|character| *character != '\0');
    let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
    Some((character.to_string().into(), length))
}

/// Appends text so that a destination means it. What would end the link, or begin something that counts more than a
/// link, is percent-encoded, as every renderer does in the end.
pub(crate) fn encode(text: &str, destination: Destination, out: &mut String) {
    let escapes_parentheses = !destination.is_angled && !is_balanced(text);
    let text = &*escaped(text);
    for (at, c) in text.char_indices() {
        let rest = &text[at + c.len_utf8()..];
        match c {
            '(' | ')' if escapes_parentheses => out.extend(['\\', c]),
            '\\' if rest
                .bytes()
                .next()
                .is_none_or(|next| next.is_ascii_punctuation()) =>
            {
                out.push_str("\\\\");
            }
            '&' if may_begin_reference(rest) => out.push_str("&amp;"),
            _ => out.push(c),
        }
    }
}

/// The same URL without characters that cannot stand in every destination.
pub fn escaped(url: &str) -> Cow<'_, str> {
    let is_special = |byte: u8| matches!(byte, b'\0'..=b' ' | b'<' | b'>' | b'`' | b'|' | 0x7f);
    if !url.bytes().any(is_special) {
        return Cow::Borrowed(url);
    }
    let mut out = String::new();
    percent::encode(url.as_bytes(), |rest| !is_special(rest[0]), &mut out);
    Cow::Owned(out)
}

/// Whether a `&` with this behind it begins a character reference, or may with what follows.
fn may_begin_reference(rest: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'#';
    let end = rest.bytes().position(|byte| !is_part(byte));
    end.is_none_or(|end| end > 0 && rest.as_bytes()[end] == b';')
}

/// Whether parentheses are balanced in the bytes of a bare destination; a backslash takes one out.
pub(crate) fn is_balanced(raw: &str) -> bool {
    let (mut open, mut is_escaped) = (0_u32, false);
    for byte in raw.bytes() {
        match byte {
            _ if is_escaped => {}
            b'(' => open += 1,
            b')' if open == 0 => return false,
            b')' => open -= 1,
            _ => {}
        }
        is_escaped = byte == b'\\' && !is_escaped;
    }
    // Readers count no more than this: CommonMark §6.3.
    open == 0 && raw.bytes().filter(|byte| *byte == b'(').count() < 32
}

#[cfg(test)]
mod tests {
    use super::*;

    const BARE: Destination = Destination {
        is_angled: false,
        in_cell: false,
    };
    const CELL: Destination = Destination {
        in_cell: true,
        ..BARE
    };

    #[test]
    fn what_destinations_spell() {
        for (raw, text) in [
            ("a\\(b\\\\c\\d", "a(b\\c\\d"),
            ("?a&amp;b&copy=2&notit;&notin;", "?a&b&copy=2&notit;∉"),
            (
                "&semi;&#35;&#x2F;&#0;&#12345678;&#xD800;",
                ";#/\u{fffd}&#12345678;\u{fffd}",
            ),
            ("&#128;", "\u{80}"),
            ("a\\", "a\\"),
            ("\0", "\u{fffd}"),
        ] {
            assert_eq!(decode(raw, BARE).0, text, "{raw}");
        }
        for (raw, text) in [("a\\|b", "a|b"), ("\\\\|", "|"), ("\\\\\\|", "\\|")] {
            assert_eq!(decode(raw, CELL).0, text, "{raw}");
        }
    }

    #[test]
    fn text_comes_back() {
        let angled = Destination {
            is_angled: true,
            ..BARE
        };
        for destination in [BARE, CELL, angled] {
            for (text, plain) in [
                ("http://h/a(b", None),
                ("http://h/a(b)c", None),
                ("http://h/)", None),
                ("http://h/a|b\\c\\", Some("http://h/a%7Cb\\c\\")),
                ("http://h/?a&amp;b&copy", None),
                ("http://h/a b<`>\n", Some("http://h/a%20b%3C%60%3E%0A")),
            ] {
                let mut out = String::new();
                encode(text, destination, &mut out);
                assert_eq!(decode(&out, destination).0, plain.unwrap_or(text), "{out}");
                assert!(destination.is_angled || is_balanced(&out), "{out}");
            }
        }
    }
}
