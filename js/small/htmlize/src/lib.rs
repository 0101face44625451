//! Stands for the crate `htmlize` in the module for JavaScript: what abslink calls of it, the HTML standard's character
//! references. Its table is a quarter as large as that crate's is compressed, and is unpacked when it is first needed.
//! `../tables` makes it with that crate, and compares every name.

mod names;

use std::borrow::Cow;
use std::sync::OnceLock;

use memchr::memchr_iter;
use names::{Name, names};
use packed::Unpacker;

/// Where text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// In an element.
    General,
    /// In the value of an attribute.
    Attribute,
}

/// What the text of an element means.
pub fn unescape<'a>(escaped: impl Into<Cow<'a, str>>) -> Cow<'a, str> {
    text(escaped.into(), Context::General)
}

/// What the value of an attribute means.
pub fn unescape_attribute<'a>(escaped: impl Into<Cow<'a, str>>) -> Cow<'a, str> {
    text(escaped.into(), Context::Attribute)
}

/// What bytes mean, in an encoding in which ASCII is ASCII; characters come in UTF-8.
pub fn unescape_bytes_in<'a>(escaped: impl Into<Cow<'a, [u8]>>, context: Context) -> Cow<'a, [u8]> {
    let escaped = escaped.into();
    match unescaped(&escaped, context) {
        Some(text) => text.into(),
        None => escaped,
    }
}

fn text(escaped: Cow<'_, str>, context: Context) -> Cow<'_, str> {
    match unescaped(escaped.as_bytes(), context) {
        // Characters took the place of characters.
        Some(text) => String::from_utf8(text).unwrap_or_default().into(),
        None => escaped,
    }
}

/// The text, if it differs.
fn unescaped(escaped: &[u8], context: Context) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut done = 0;
    for at in memchr_iter(b'&', escaped) {
        if let Some((characters, length)) = reference(&escaped[at..], context) {
            out.extend_from_slice(&escaped[done..at]);
            for character in characters
                .into_iter()
                .filter_map(char::from_u32)
                .filter(|c| *c != '\0')
            {
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
            done = at + length;
        }
    }
    if done == 0 {
        return None;
    }
    out.extend_from_slice(&escaped[done..]);
    Some(out)
}

/// What the reference at the start stands for, and its length.
fn reference(rest: &[u8], context: Context) -> Option<([u32; 2], usize)> {
    match rest {
        [b'&', b'#', b'x' | b'X', digits @ ..] => number(digits, 16, 3),
        [b'&', b'#', digits @ ..] => number(digits, 10, 2),
        [b'&', rest @ ..] => named(rest, context),
        _ => None,
    }
}

/// HTML §13.2.5.75-80.
fn number(rest: &[u8], base: u32, before: usize) -> Option<([u32; 2], usize)> {
    let mut number = 0_u32;
    let mut length = 0;
    while let Some(digit) = rest
        .get(length)
        .and_then(|byte| char::from(*byte).to_digit(base))
    {
        number = number.saturating_mul(base).saturating_add(digit);
        length += 1;
    }
    if length == 0 {
        return None;
    }
    let semicolon = usize::from(rest.get(length) == Some(&b';'));
    let replaced = u32::from(char::REPLACEMENT_CHARACTER);
    let character = match number {
        0 => replaced,
        0x80..=0x9f => u32::from(CONTROLS[number as usize - 0x80]),
        _ => char::from_u32(number).map_or(replaced, u32::from),
    };
    Some(([character, 0], before + length + semicolon))
}

/// What numbers of control characters stand for: what they are in windows-1252.
const CONTROLS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The longest name that may be without its semicolon.
const BARE: usize = 6;

/// HTML §13.2.5.73.
fn named(rest: &[u8], context: Context) -> Option<([u32; 2], usize)> {
    let run = rest
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric())
        .count();
    let after = rest.get(run);
    if after == Some(&b';')
        && let Some(name) = find(&rest[..run])
    {
        return Some((name.characters, run + 2));
    }
    let bare = |length: usize| {
        let name = find(&rest[..length]).filter(|name| name.is_bare)?;
        Some((name.characters, length + 1))
    };
    match context {
        Context::Attribute if matches!(after, Some(b';' | b'=')) => None,
        Context::Attribute => bare(run),
        Context::General => (2..=run.min(BARE)).find_map(bare),
    }
}

fn find(name: &[u8]) -> Option<&'static Name> {
    static PACKED: &[u8] = include_bytes!("packed/names");
    static NAMES: OnceLock<Vec<Name>> = OnceLock::new();
    let names = NAMES.get_or_init(|| names(&mut Unpacker::new(PACKED), &[]));
    let at = names
        .binary_search_by(|known| known.name[..].cmp(name))
        .ok()?;
    names.get(at)
}
