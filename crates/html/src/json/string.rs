//! How the inside of a JSON string (RFC 8259 §7) spells its text.

use super::hexadecimal;

/// What [`encode`] escapes, besides control characters.
const ENCODED: [u8; 4] = *b"\"\\<\x7f";

/// Whether [`encode`] leaves a text as it is.
pub fn stands_for_itself(text: &[u8]) -> bool {
    first_of(text, ENCODED).is_none()
}

/// Appends `url` as it must be written in a JSON string. `<` is escaped as well, so that no
/// `</script` or `<!--` appears in a document.
pub fn encode(url: &str, out: &mut String) {
    let mut rest = url;
    loop {
        let plain = first_of(rest.as_bytes(), ENCODED);
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
}
