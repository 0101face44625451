//! The encoders of the Encoding Standard.

use crate::tables::{byte, place};
use crate::{EncoderResult, Encoding, Kind};

/// Writes text that comes in pieces.
#[derive(Debug)]
pub struct Encoder {
    kind: Kind,
    mode: Mode,
}

/// ISO-2022-JP: what bytes stand for.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Ascii,
    Roman,
    Two,
}

impl Mode {
    fn escape(self) -> &'static [u8] {
        match self {
            Mode::Ascii => b"\x1b(B",
            Mode::Roman => b"\x1b(J",
            Mode::Two => b"\x1b$B",
        }
    }
}

/// The most bytes that one character has, escapes included.
const MOST: usize = 8;

/// The bytes of one character.
#[derive(Default)]
struct Bytes {
    bytes: [u8; MOST],
    length: usize,
}

impl Bytes {
    fn put(&mut self, bytes: &[u8]) {
        self.bytes[self.length..self.length + bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
    }
}

impl Encoder {
    pub(crate) fn new(encoding: &'static Encoding) -> Encoder {
        Encoder {
            kind: encoding.output_encoding().kind,
            mode: Mode::Ascii,
        }
    }

    /// Writes text to `to`, as far as there is room and characters have bytes: how many bytes of it were read, and
    /// how many written.
    pub fn encode_from_utf8_without_replacement(
        &mut self,
        text: &str,
        to: &mut [u8],
        is_last: bool,
    ) -> (EncoderResult, usize, usize) {
        let mut written = 0;
        for (at, character) in text.char_indices() {
            if to.len() - written < MOST {
                return (EncoderResult::OutputFull, at, written);
            }
            let mut bytes = Bytes::default();
            let encoded = self.character(character, &mut bytes);
            to[written..written + bytes.length].copy_from_slice(&bytes.bytes[..bytes.length]);
            written += bytes.length;
            if let Err(character) = encoded {
                let read = at + text[at..].chars().next().map_or(0, char::len_utf8);
                return (EncoderResult::Unmappable(character), read, written);
            }
        }
        if is_last && self.kind == Kind::Iso2022Jp && self.mode != Mode::Ascii {
            if to.len() - written < MOST {
                return (EncoderResult::OutputFull, text.len(), written);
            }
            let mut bytes = Bytes::default();
            self.switch(Mode::Ascii, &mut bytes);
            to[written..written + bytes.length].copy_from_slice(&bytes.bytes[..bytes.length]);
            written += bytes.length;
        }
        (EncoderResult::InputEmpty, text.len(), written)
    }

    fn character(&mut self, character: char, to: &mut Bytes) -> Result<(), char> {
        if self.kind == Kind::Iso2022Jp {
            return self.iso_2022_jp(character, to);
        }
        if character.is_ascii() {
            to.put(&[character as u8]);
            return Ok(());
        }
        let bytes = match self.kind {
            Kind::Single(table) => byte(table, character).map(|byte| [0, byte]),
            Kind::UserDefined => match u32::from(character) {
                code @ 0xf780..=0xf7ff => Some([0, code as u8]),
                _ => None,
            },
            Kind::Big5 => place(self.kind, character).map(|at| {
                let (lead, trail) = (at / 157 + 0x81, at % 157);
                [lead as u8, second(trail, 0x40, 0x3f, 0xa1)]
            }),
            Kind::EucKr => place(self.kind, character)
                .map(|at| [(at / 190 + 0x81) as u8, (at % 190 + 0x41) as u8]),
            Kind::EucJp => euc_jp(character),
            Kind::ShiftJis => shift_jis(character),
            Kind::Gb18030 { is_gbk } => return gb18030(character, is_gbk, to),
            _ => {
                to.put(character.encode_utf8(&mut [0; 4]).as_bytes());
                return Ok(());
            }
        };
        match bytes.ok_or(character)? {
            [0, byte] => to.put(&[byte]),
            bytes => to.put(&bytes),
        }
        Ok(())
    }

    fn switch(&mut self, mode: Mode, to: &mut Bytes) {
        if self.mode != mode {
            self.mode = mode;
            to.put(mode.escape());
        }
    }

    fn iso_2022_jp(&mut self, character: char, to: &mut Bytes) -> Result<(), char> {
        if matches!(character, '\u{e}' | '\u{f}' | '\u{1b}') && self.mode != Mode::Two {
            return Err(char::REPLACEMENT_CHARACTER);
        }
        match character {
            '¥' | '‾' => {
                self.switch(Mode::Roman, to);
                to.put(if character == '¥' { b"\\" } else { b"~" });
                return Ok(());
            }
            _ if character.is_ascii() => {
                let is_other = self.mode == Mode::Two || matches!(character, '\\' | '~');
                if is_other {
                    self.switch(Mode::Ascii, to);
                }
                if matches!(character, '\u{e}' | '\u{f}' | '\u{1b}') {
                    return Err(char::REPLACEMENT_CHARACTER);
                }
                to.put(&[character as u8]);
                return Ok(());
            }
            _ => {}
        }
        let wide = match character {
            '−' => '－',
            '\u{ff61}'..='\u{ff9f}' => wide(character),
            _ => character,
        };
        match place(self.kind, wide).filter(|at| *at < 94 * 94) {
            Some(at) => {
                self.switch(Mode::Two, to);
                to.put(&[at / 94, at % 94].map(|byte| byte as u8 + 0x21));
                Ok(())
            }
            None => {
                // What is written instead of it is ASCII.
                if self.mode == Mode::Two {
                    self.switch(Mode::Ascii, to);
                }
                Err(character)
            }
        }
    }
}

/// A trail, whose bytes are in two ranges.
fn second(trail: usize, first: u8, length: u8, second: u8) -> u8 {
    let trail = trail as u8;
    match trail < length {
        true => trail + first,
        false => trail - length + second,
    }
}

/// What narrow katakana become where there are none.
fn wide(narrow: char) -> char {
    const WIDE: &str = "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン゛゜";
    let at = u32::from(narrow) - 0xff61;
    WIDE.chars().nth(at as usize).unwrap_or(narrow)
}

fn euc_jp(character: char) -> Option<[u8; 2]> {
    match character {
        '¥' => Some([0, b'\\']),
        '‾' => Some([0, b'~']),
        '\u{ff61}'..='\u{ff9f}' => Some([0x8e, (u32::from(character) - 0xff61) as u8 + 0xa1]),
        _ => {
            let character = if character == '−' { '－' } else { character };
            let at = place(Kind::EucJp, character).filter(|at| *at < 94 * 94)?;
            Some([at / 94, at % 94].map(|byte| byte as u8 + 0xa1))
        }
    }
}

fn shift_jis(character: char) -> Option<[u8; 2]> {
    match character {
        '\u{80}' => Some([0, 0x80]),
        '¥' => Some([0, b'\\']),
        '‾' => Some([0, b'~']),
        '\u{ff61}'..='\u{ff9f}' => Some([0, (u32::from(character) - 0xff61) as u8 + 0xa1]),
        _ => {
            let character = if character == '−' { '－' } else { character };
            let at = place(Kind::ShiftJis, character)?;
            let lead = at / 188;
            let lead = lead + if lead < 0x1f { 0x81 } else { 0xc1 };
            Some([lead as u8, second(at % 188, 0x40, 0x3f, 0x80)])
        }
    }
}

/// Characters for private use that are written in two bytes as before the edition of 2022 of GB18030, which reads
/// others there.
const AS_BEFORE: [(char, [u8; 2]); 18] = [
    ('\u{e78d}', *b"\xa6\xd9"),
    ('\u{e78e}', *b"\xa6\xda"),
    ('\u{e78f}', *b"\xa6\xdb"),
    ('\u{e790}', *b"\xa6\xdc"),
    ('\u{e791}', *b"\xa6\xdd"),
    ('\u{e792}', *b"\xa6\xde"),
    ('\u{e793}', *b"\xa6\xdf"),
    ('\u{e794}', *b"\xa6\xec"),
    ('\u{e795}', *b"\xa6\xed"),
    ('\u{e796}', *b"\xa6\xf3"),
    ('\u{e81e}', *b"\xfe\x59"),
    ('\u{e826}', *b"\xfe\x61"),
    ('\u{e82b}', *b"\xfe\x66"),
    ('\u{e82c}', *b"\xfe\x67"),
    ('\u{e832}', *b"\xfe\x6d"),
    ('\u{e843}', *b"\xfe\x7e"),
    ('\u{e854}', *b"\xfe\x90"),
    ('\u{e864}', *b"\xfe\xa0"),
];

fn gb18030(character: char, is_gbk: bool, to: &mut Bytes) -> Result<(), char> {
    if is_gbk && character == '€' {
        to.put(&[0x80]);
        return Ok(());
    }
    if let Some((_, bytes)) = AS_BEFORE.iter().find(|(before, _)| *before == character) {
        to.put(bytes);
        return Ok(());
    }
    let place = place(Kind::Gb18030 { is_gbk }, character);
    if let Some(at) = place.filter(|at| *at < 126 * 190) {
        to.put(&[(at / 190 + 0x81) as u8, second(at % 190, 0x40, 0x3f, 0x80)]);
        return Ok(());
    }
    let beyond = u32::from(character)
        .checked_sub(0x1_0000)
        .map(|at| at as usize + 189_000);
    let at = place.map(|at| at - 126 * 190).or(beyond);
    let at = at.filter(|_| !is_gbk).ok_or(character)?;
    let digit = |digit: usize| digit as u8 + b'0';
    let lead = |lead: usize| lead as u8 + 0x81;
    to.put(&[
        lead(at / 12_600),
        digit(at / 1260 % 10),
        lead(at / 10 % 126),
        digit(at % 10),
    ]);
    Ok(())
}
