//! How the inside of a JSON string (RFC 8259 §7) spells its text.

use std::borrow::Cow;
use std::fmt::Write;

use crate::locate::position::{Decoder, PositionMap};

/// What [`encode`] escapes, besides control characters.
const ENCODED: [u8; 5] = *b"\"\\<>\x7f";

/// What each byte says behind a backslash; 0 is none of them. Text has them in no order that a processor could guess,
/// so they are looked up.
const SAID: [u8; 256] = {
    let mut said = [0; 256];
    let mut rest: &[u8] = b"\"\"\\\\//b\x08f\x0cn\nr\rt\t";
    while let [escape, character, more @ ..] = rest {
        said[*escape as usize] = *character;
        rest = more;
    }
    said
};

/// Whether [`encode`] leaves a text as it is.
pub fn stands_for_itself(text: &[u8]) -> bool {
    // What is not short ends with eight bytes, some of which may be looked at twice.
    match text.last_chunk() {
        Some(last) => {
            let (eights, _) = text.as_chunks();
            let mut eights = eights.iter().chain([last]);
            eights.all(|eight| first_in(eight, &ENCODED).is_none())
        }
        None => first_of(text, ENCODED).is_none(),
    }
}

/// Appends `url` as it must be written in a JSON string. `<` and `>` are escaped as well, so that no
/// `</script`, `<!--` or `-->` appears in a document.
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

/// The same in a comment that delimits a block of WordPress (`serialize_block_attributes`), in an encoding that `lacks`
/// some characters.
pub(crate) fn encode_for_block(text: &str, lacks: &dyn Fn(char) -> bool, out: &mut String) {
    let mut before = None;
    for c in text.chars() {
        let is_second_hyphen = c == '-' && before == Some('-');
        if is_second_hyphen || "<>&\"\\\x7f".contains(c) || c < ' ' || lacks(c) {
            if is_second_hyphen {
                out.pop();
                hexadecimal('-', out);
            }
            hexadecimal(c, out);
            before = None;
        } else {
            out.push(c);
            before = Some(c);
        }
    }
}

/// How many bytes at the beginning of a JSON string's inside stand for themselves: up to a quote, a backslash or
/// a control character (RFC 8259 §7).
pub fn plain_length(inside: &[u8]) -> usize {
    first_of(inside, *b"\"\\").unwrap_or(inside.len())
}

/// What a backslash and this byte say, if they are an escape.
#[inline]
pub fn said_by(escape: u8) -> Option<u8> {
    let said = SAID[usize::from(escape)];
    (said > 0).then_some(said)
}

/// The character that is escaped at the beginning of `rest`, if it is no half of a surrogate pair, and the length of
/// the escape.
#[inline]
pub fn escaped(rest: &[u8]) -> Option<(Option<char>, usize)> {
    let escape = *rest.strip_prefix(b"\\")?.first()?;
    match said_by(escape) {
        None if escape == b'u' => unit_escaped(rest),
        None => None,
        Some(said) => Some((Some(char::from(said)), 2)),
    }
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
    let mut rest = text;
    let found = loop {
        let Some((eight, more)) = rest.split_first_chunk() else {
            let is_one = |byte: &u8| *byte < 0x20 || bytes.contains(byte);
            break rest.iter().position(is_one)?;
        };
        if let Some(found) = first_in(eight, &bytes) {
            break found;
        }
        rest = more;
    };
    Some(text.len() - rest.len() + found)
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

/// What the inside of a string says.
pub fn decode(spelled: &[u8]) -> String {
    let spelled = String::from_utf8_lossy(spelled);
    decode_with_places(&spelled).0.into_owned()
}

/// The decoded content of a string, and where each character of it is. An escape of half a
/// character, or an invalid one, stays as it is.
pub(crate) fn decode_with_places(spelled: &str) -> (Cow<'_, str>, PositionMap) {
    let mut decoder = Decoder::new(spelled);
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', &spelled.as_bytes()[at..]) {
        at += found;
        let Some((Some(character), length)) = escaped(&spelled.as_bytes()[at..]) else {
            at += 1;
            continue;
        };
        decoder.replace(at, length, character.encode_utf8(&mut [0; 4]), false);
        at += length;
    }
    decoder.finish()
}

/// Appends `c` as `\uXXXX`, or two of these if UTF-16 needs two units.
pub(crate) fn hexadecimal(c: char, out: &mut String) {
    for unit in c.encode_utf16(&mut [0; 2]) {
        // Writing to a String does not fail.
        let _ = write!(out, "\\u{unit:04x}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_plain_or_not_wherever_it_stands() {
        for byte in 0..=u8::MAX {
            for at in 0..40 {
                let mut text = [b'\x80'; 41];
                text[at] = byte;
                let is_plain = !matches!(byte, b'"' | b'\\' | 0..0x20);
                for length in 0..text.len() {
                    let is_there = at < length;
                    let expected = if is_there && !is_plain { at } else { length };
                    assert_eq!(plain_length(&text[..length]), expected, "{byte} at {at}");
                    let is_escaped = is_there && (!is_plain || matches!(byte, b'<' | b'>' | 0x7f));
                    assert_eq!(stands_for_itself(&text[..length]), !is_escaped);
                }
            }
        }
    }
}
