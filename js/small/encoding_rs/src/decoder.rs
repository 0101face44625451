//! The decoders of the Encoding Standard.

use crate::tables::Set;
use crate::{CoderResult, Encoding, Kind};

/// Reads text that comes in pieces.
#[derive(Debug)]
pub struct Decoder {
    encoding: &'static Encoding,
    /// The bytes of a character that is not complete.
    held: Vec<u8>,
    escapes: Escapes,
}

/// What the bytes at the start of a text are.
enum Look {
    /// More has to come.
    More,
    Character(char, usize),
    /// Two characters of two bytes, which Big5 has.
    Both(char, char),
    /// Nothing; so many of them are skipped.
    Malformed(usize),
}

/// ISO-2022-JP: what its bytes stand for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Mode {
    #[default]
    Ascii,
    Roman,
    Katakana,
    Two,
}

#[derive(Debug, Default)]
struct Escapes {
    mode: Mode,
    /// Whether nothing has come since the last escape.
    is_fresh: bool,
}

/// The most bytes that one byte makes text of.
const MOST: usize = 16;

impl Decoder {
    pub(crate) fn new(encoding: &'static Encoding) -> Decoder {
        Decoder {
            encoding,
            held: Vec::new(),
            escapes: Escapes::default(),
        }
    }

    /// Reads bytes, and puts their text into `to`, as far as there is room: how many were read, how many written, and
    /// whether some were malformed.
    pub fn decode_to_utf8(
        &mut self,
        bytes: &[u8],
        to: &mut [u8],
        is_last: bool,
    ) -> (CoderResult, usize, usize, bool) {
        let (mut written, mut is_malformed) = (0, false);
        let mut put = |to: &mut [u8], character: Option<char>| {
            is_malformed |= character.is_none();
            let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
            written += character.encode_utf8(&mut to[written..]).len();
            to.len() - written
        };
        let mut room = to.len();
        for (at, byte) in bytes.iter().enumerate() {
            if room < MOST {
                return (CoderResult::OutputFull, at, written, is_malformed);
            }
            let is_end = is_last && at + 1 == bytes.len();
            self.push(*byte, is_end, &mut |character| room = put(to, character));
        }
        if is_last && bytes.is_empty() {
            self.end(&mut |character| room = put(to, character));
        }
        (CoderResult::InputEmpty, bytes.len(), written, is_malformed)
    }

    /// All of a text; each malformed sequence is `None`.
    pub(crate) fn all(mut self, bytes: &[u8], put: &mut impl FnMut(Option<char>)) {
        for byte in bytes {
            self.push(*byte, false, put);
        }
        self.end(put);
    }

    fn push(&mut self, byte: u8, is_last: bool, put: &mut impl FnMut(Option<char>)) {
        self.held.push(byte);
        self.look(put);
        if is_last {
            self.end(put);
        }
    }

    fn end(&mut self, put: &mut impl FnMut(Option<char>)) {
        if self.held.is_empty() || self.encoding.kind == Kind::Replacement {
            return;
        }
        put(None);
        if self.encoding.kind == Kind::Iso2022Jp && self.held[0] == ESCAPE {
            // Only the escape is malformed: what follows it is text.
            self.held.remove(0);
            self.escapes.is_fresh = false;
            self.look(put);
            return self.end(put);
        }
        self.held.clear();
    }

    /// Takes what is complete.
    fn look(&mut self, put: &mut impl FnMut(Option<char>)) {
        while !self.held.is_empty() {
            let taken = match self.first() {
                Look::More => return,
                Look::Character(character, taken) => {
                    put(Some(character));
                    taken
                }
                Look::Both(one, other) => {
                    put(Some(one));
                    put(Some(other));
                    2
                }
                Look::Malformed(taken) => {
                    put(None);
                    taken
                }
            };
            self.held.drain(..taken);
        }
    }

    fn first(&mut self) -> Look {
        let held = &self.held[..];
        match self.encoding.kind {
            Kind::Utf8 => utf8(held),
            Kind::Utf16 { is_big } => utf16(held, is_big),
            Kind::Iso2022Jp => self.escapes.first(&mut self.held),
            // One error, and the rest is not looked at.
            Kind::Replacement if self.escapes.is_fresh => Look::More,
            Kind::Replacement => {
                self.escapes.is_fresh = true;
                Look::Malformed(1)
            }
            _ if held[0].is_ascii() => Look::Character(char::from(held[0]), 1),
            Kind::Single(table) => found(Encoding::single(table, held[0]), 1),
            Kind::UserDefined => found(char::from_u32(0xf700 + u32::from(held[0])), 1),
            Kind::Big5 => big5(held),
            Kind::EucKr => euc_kr(held),
            Kind::EucJp => euc_jp(held),
            Kind::ShiftJis => shift_jis(held),
            Kind::Gb18030 { .. } => gb18030(held),
        }
    }
}

fn found(character: Option<char>, length: usize) -> Look {
    character.map_or(Look::Malformed(length), |character| {
        Look::Character(character, length)
    })
}

/// Two bytes, or more of which the last may be ASCII, which counts for itself if it is no part of a character.
fn found_or_ascii(character: Option<char>, bytes: &[u8]) -> Look {
    let is_ascii = bytes.last().is_some_and(u8::is_ascii);
    match character {
        None if is_ascii => Look::Malformed(bytes.len() - 1),
        _ => found(character, bytes.len()),
    }
}

fn utf8(held: &[u8]) -> Look {
    match str::from_utf8(held) {
        Ok(text) => found(text.chars().next(), held.len()),
        Err(error) => match error.error_len() {
            _ if error.valid_up_to() > 0 => {
                let text = str::from_utf8(&held[..error.valid_up_to()]).unwrap_or_default();
                found(
                    text.chars().next(),
                    text.chars().next().map_or(1, char::len_utf8),
                )
            }
            Some(length) => Look::Malformed(length),
            None => Look::More,
        },
    }
}

fn utf16(held: &[u8], is_big: bool) -> Look {
    let unit = |at: usize| {
        let unit = [*held.get(at)?, *held.get(at + 1)?];
        Some(match is_big {
            true => u16::from_be_bytes(unit),
            false => u16::from_le_bytes(unit),
        })
    };
    let Some(first) = unit(0) else {
        return Look::More;
    };
    match (first, unit(2)) {
        (0xd800..=0xdbff, None) => Look::More,
        (0xd800..=0xdbff, Some(second @ 0xdc00..=0xdfff)) => {
            let (high, low) = (u32::from(first & 0x3ff), u32::from(second & 0x3ff));
            found(char::from_u32(0x1_0000 + (high << 10 | low)), 4)
        }
        _ => found(char::from_u32(u32::from(first)), 2),
    }
}

/// The number of a byte in one of two ranges that follow each other: what the first begins with and has, and what the
/// second does.
fn in_ranges(byte: u8, first: u8, length: u8, second: u8, last: u8) -> Option<usize> {
    let at = match byte {
        _ if (first..first + length).contains(&byte) => byte - first,
        _ if (second..=last).contains(&byte) => byte - second + length,
        _ => return None,
    };
    Some(usize::from(at))
}

fn big5(held: &[u8]) -> Look {
    let (lead @ 0x81..=0xfe, Some(trail)) = (held[0], held.get(1)) else {
        return incomplete(held, 0x81..=0xfe);
    };
    let place = in_ranges(*trail, 0x40, 0x3f, 0xa1, 0xfe);
    let place = place.map(|trail| usize::from(lead - 0x81) * 157 + trail);
    let both = |first| Look::Both(first, '\u{304}');
    match place {
        Some(1133) => both('Ê'),
        Some(1135) => Look::Both('Ê', '\u{30c}'),
        Some(1164) => both('ê'),
        Some(1166) => Look::Both('ê', '\u{30c}'),
        _ => found_or_ascii(place.and_then(|at| Set::Big5.get(0, at)), &held[..2]),
    }
}

/// A lead whose trail has not come, or a byte that is none.
fn incomplete(held: &[u8], leads: std::ops::RangeInclusive<u8>) -> Look {
    match leads.contains(&held[0]) {
        true => Look::More,
        false => Look::Malformed(1),
    }
}

fn euc_kr(held: &[u8]) -> Look {
    let (lead @ 0x81..=0xfe, Some(trail)) = (held[0], held.get(1)) else {
        return incomplete(held, 0x81..=0xfe);
    };
    let place = in_ranges(*trail, 0x41, 0, 0x41, 0xfe);
    let place = place.map(|trail| usize::from(lead - 0x81) * 190 + trail);
    found_or_ascii(place.and_then(|at| Set::EucKr.get(0, at)), &held[..2])
}

/// The place in a table of 94 rows.
fn in_rows(lead: u8, trail: u8) -> Option<usize> {
    let [row, column] = [lead, trail].map(|byte| in_ranges(byte, 0xa1, 0, 0xa1, 0xfe));
    Some(row? * 94 + column?)
}

fn euc_jp(held: &[u8]) -> Look {
    let (character, length) = match *held {
        [0x8e, trail @ 0xa1..=0xdf, ..] => (narrow(trail), 2),
        [0x8f, 0xa1..=0xfe] => return Look::More,
        [0x8f, lead @ 0xa1..=0xfe, trail, ..] => {
            (in_rows(lead, trail).and_then(|at| Set::Jis.get(1, at)), 3)
        }
        [lead @ (0x8e | 0x8f | 0xa1..=0xfe), trail, ..] => {
            (in_rows(lead, trail).and_then(|at| Set::Jis.get(0, at)), 2)
        }
        [0x8e | 0x8f | 0xa1..=0xfe] => return Look::More,
        _ => return Look::Malformed(1),
    };
    found_or_ascii(character, &held[..length])
}

/// Narrow katakana.
fn narrow(byte: u8) -> Option<char> {
    char::from_u32(0xff61 - 0xa1 + u32::from(byte))
}

fn shift_jis(held: &[u8]) -> Look {
    let lead = match held[0] {
        0x80 => return Look::Character('\u{80}', 1),
        byte @ 0xa1..=0xdf => return found(narrow(byte), 1),
        byte => in_ranges(byte, 0x81, 0x1f, 0xe0, 0xfc),
    };
    let (Some(lead), trail) = (lead, held.get(1)) else {
        return Look::Malformed(1);
    };
    let Some(trail) = trail else {
        return Look::More;
    };
    let place = in_ranges(*trail, 0x40, 0x3f, 0x80, 0xfc).map(|trail| lead * 188 + trail);
    let character = match place {
        Some(at @ 8836..=10_715) => char::from_u32(0xe000 + at as u32 - 8836),
        _ => place.and_then(|at| Set::Jis.get(0, at)),
    };
    found_or_ascii(character, &held[..2])
}

fn gb18030(held: &[u8]) -> Look {
    match *held {
        [0x80, ..] => Look::Character('€', 1),
        [0x81..=0xfe] | [0x81..=0xfe, b'0'..=b'9'] => Look::More,
        [0x81..=0xfe, b'0'..=b'9', 0x81..=0xfe] => Look::More,
        [
            one @ 0x81..=0xfe,
            two @ b'0'..=b'9',
            three @ 0x81..=0xfe,
            four @ b'0'..=b'9',
            ..,
        ] => {
            let [one, three] = [one, three].map(|byte| usize::from(byte - 0x81));
            let [two, four] = [two, four].map(|byte| usize::from(byte - b'0'));
            let place = ((one * 10 + two) * 126 + three) * 10 + four;
            let character = match place {
                0..39_420 => Set::Gb18030.get(1, place),
                _ => char::from_u32((0x1_0000 + place as u32).wrapping_sub(189_000))
                    .filter(|character| u32::from(*character) > 0xffff),
            };
            found(character, 4)
        }
        [0x81..=0xfe, b'0'..=b'9', ..] => Look::Malformed(1),
        [lead @ 0x81..=0xfe, trail, ..] => {
            let place = in_ranges(trail, 0x40, 0x3f, 0x80, 0xfe);
            let place = place.map(|trail| usize::from(lead - 0x81) * 190 + trail);
            found_or_ascii(place.and_then(|at| Set::Gb18030.get(0, at)), &held[..2])
        }
        _ => Look::Malformed(1),
    }
}

const ESCAPE: u8 = 0x1b;

impl Escapes {
    fn first(&mut self, held: &mut Vec<u8>) -> Look {
        while let [ESCAPE, rest @ ..] = &held[..] {
            let mode = match rest {
                [] | [b'$' | b'('] => return Look::More,
                [b'(', b'B', ..] => Mode::Ascii,
                [b'(', b'J', ..] => Mode::Roman,
                [b'(', b'I', ..] => Mode::Katakana,
                [b'$', b'@' | b'B', ..] => Mode::Two,
                _ => {
                    self.is_fresh = false;
                    return Look::Malformed(1);
                }
            };
            self.mode = mode;
            let was_fresh = std::mem::replace(&mut self.is_fresh, true);
            if was_fresh {
                return Look::Malformed(3);
            }
            held.drain(..3);
        }
        let Some(&byte) = held.first() else {
            return Look::More;
        };
        let character = match (self.mode, byte) {
            (Mode::Two, 0x21..=0x7e) => match held.get(1) {
                None => {
                    self.is_fresh = false;
                    return Look::More;
                }
                Some(&ESCAPE) => {
                    self.is_fresh = false;
                    return Look::Malformed(1);
                }
                Some(&trail) => {
                    self.is_fresh = false;
                    let place = in_rows(byte | 0x80, trail | 0x80).filter(|_| trail.is_ascii());
                    return found(place.and_then(|at| Set::Jis.get(0, at)), 2);
                }
            },
            (Mode::Katakana, 0x21..=0x5f) => narrow(byte + 0x80),
            (Mode::Roman, b'\\') => Some('¥'),
            (Mode::Roman, b'~') => Some('‾'),
            (Mode::Ascii | Mode::Roman, 0x0e | 0x0f | 0x80..) => None,
            (Mode::Ascii | Mode::Roman, byte) => Some(char::from(byte)),
            _ => None,
        };
        self.is_fresh = false;
        found(character, 1)
    }
}
