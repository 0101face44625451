//! How the inside of a JSON string (RFC 8259 §7) spells its text.

use std::borrow::Cow;

use super::hexadecimal;

/// Appends `url` as it must be written in a JSON string. `<` is escaped as well, so that no
/// `</script` or `<!--` appears in a document.
pub fn encode(url: &str, out: &mut String) {
    let mut rest = url;
    loop {
        let plain = first_of(rest.as_bytes(), *b"\"\\<\x7f");
        let (plain, escaped) = rest.split_at(plain.unwrap_or(rest.len()));
        out.push_str(plain);
        let mut characters = escaped.chars();
        match characters.next() {
            Some(character @ ('"' | '\\')) => out.extend(['\\', character]),
            Some(character) => hexadecimal(character, out),
            None => return,
        }
        rest = characters.as_str();
    }
}

/// How many bytes at the beginning of a JSON string's inside stand for themselves: up to a quote, a backslash or
/// a control character (RFC 8259 §7).
pub fn plain_length(inside: &[u8]) -> usize {
    first_of(inside, *b"\"\\").unwrap_or(inside.len())
}

/// What the inside of a JSON string says; `None` if no string may be so. Half a surrogate pair counts as U+FFFD,
/// which is what browsers make of it in a URL.
pub fn text(inside: &str) -> Option<Cow<'_, str>> {
    let bytes = inside.as_bytes();
    let mut at = plain_length(bytes);
    if at == bytes.len() {
        return Some(Cow::Borrowed(inside));
    }
    let mut text = Vec::with_capacity(bytes.len());
    text.extend_from_slice(&bytes[..at]);
    'escapes: while at < bytes.len() {
        let (character, length) = escaped(&bytes[at..])?;
        let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
        text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        at += length;
        // Copied while it is searched, since it mostly is shorter than a call takes.
        while let Some(eight) = bytes[at..].first_chunk() {
            text.extend_from_slice(eight);
            let found = first_in(eight, b"\"\\");
            at += found.unwrap_or(eight.len());
            if let Some(found) = found {
                text.truncate(text.len() - eight.len() + found);
                continue 'escapes;
            }
        }
        let last = &bytes[at..][..plain_length(&bytes[at..])];
        text.extend_from_slice(last);
        at += last.len();
    }
    String::from_utf8(text).ok().map(Cow::Owned)
}

/// The character that is escaped at the beginning of `rest`, if it is no half of a surrogate pair, and the length of
/// the escape.
#[inline]
pub fn escaped(rest: &[u8]) -> Option<(Option<char>, usize)> {
    let plain = match *rest.strip_prefix(b"\\")?.first()? {
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'u' => return unit_escaped(rest),
        escaped @ (b'"' | b'\\' | b'/') => char::from(escaped),
        _ => return None,
    };
    Some((Some(plain), 2))
}

/// The same for `\uXXXX`, or two of these.
fn unit_escaped(rest: &[u8]) -> Option<(Option<char>, usize)> {
    let unit = |rest: &[u8]| {
        let digits = rest.strip_prefix(b"\\u")?.get(..4)?;
        digits.iter().try_fold(0, |unit, digit| {
            let digit = u16::try_from(char::from(*digit).to_digit(16)?).ok()?;
            Some(unit << 4 | digit)
        })
    };
    let first = unit(rest)?;
    let second = rest.get(6..).and_then(unit);
    let mut units = char::decode_utf16([first].into_iter().chain(second));
    Some(match units.next()? {
        Ok(character) => (Some(character), 6 * character.len_utf16()),
        Err(_) => (None, 6),
    })
}

/// Where the first of these bytes, or of the control characters of C0, is.
///
/// HTML in JSON has an escape every twenty bytes or so, for which a call of memchr takes too long.
#[inline]
fn first_of<const N: usize>(text: &[u8], bytes: [u8; N]) -> Option<usize> {
    let mut at = 0;
    while let Some(eight) = text[at..].first_chunk() {
        if let Some(found) = first_in(eight, &bytes) {
            return Some(at + found);
        }
        at += eight.len();
    }
    let is_one = |byte: &u8| *byte < 0x20 || bytes.contains(byte);
    Some(at + text[at..].iter().position(is_one)?)
}

/// The same for eight bytes at once.
#[inline]
fn first_in(text: &[u8; 8], bytes: &[u8]) -> Option<usize> {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let text = u64::from_le_bytes(*text);
    // The highest bit of the lowest byte that is less than what is subtracted, and maybe of some above it.
    let less = |bytes: u64, than: u64| bytes.wrapping_sub(than * EACH) & !bytes & (0x80 * EACH);
    let equal = |byte: &u8| less(text ^ (u64::from(*byte) * EACH), 1);
    let found = bytes
        .iter()
        .map(equal)
        .fold(less(text, 0x20), |all, one| all | one);
    (found != 0).then_some(found.trailing_zeros() as usize / 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_plain_or_not_wherever_it_stands() {
        for byte in 0..=u8::MAX {
            for at in 0..20 {
                let mut text = [b'\x80'; 21];
                text[at] = byte;
                let is_plain = !matches!(byte, b'"' | b'\\' | 0..0x20);
                let expected = if is_plain { text.len() } else { at };
                assert_eq!(plain_length(&text), expected, "{byte} at {at}");
            }
        }
    }

    #[test]
    fn json_says_what_serde_json_reads() {
        for spelled in [
            "",
            "plain é",
            r#"<a href=\"x\">\n\u00e9\uD83D\uDE00\/\\u0041"#,
            r"\b\f\r\t\\",
        ] {
            let read: String = serde_json::from_str(&format!("\"{spelled}\"")).unwrap();
            assert_eq!(text(spelled).unwrap(), read);
        }
        // Half a character is nothing that text can have.
        for half in [r"a\ud83d\n", r"a\ude00\n"] {
            assert_eq!(text(half).unwrap(), "a\u{fffd}\n");
        }
        assert_eq!(text(r"\ud83d\ud83d\ude00").unwrap(), "\u{fffd}😀");
    }

    #[test]
    fn json_is_what_serde_json_takes() {
        for wrong in [
            "\"", "a\"b", "\n", "a\u{1}", "\\", r"\x", r"\u12", r"\u12g4", r"\u+123", r"\ué12",
            r"\u 123",
        ] {
            let quoted = format!("\"{wrong}\"");
            assert!(serde_json::from_str::<serde_json::Value>(&quoted).is_err());
            assert_eq!(text(wrong), None, "{wrong}");
        }
        assert_eq!(text("a\u{7f}é").unwrap(), "a\u{7f}é");
    }
}
