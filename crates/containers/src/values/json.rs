//! A JSON object or array in a text.

use abslink_html::json::{Scanner, Token, decode};
use serde::de::IgnoredAny;

use super::decode::DecodedField;
use super::spelling::Spelling;
use super::{Event, Expected, SpelledString};

/// Whether a text begins like an object or array, and whether it then has to be one: HTML may begin with a bracket.
pub(super) fn begins(text: &str) -> Option<bool> {
    let mut text = text[mark(text)..]
        .trim_ascii_start()
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace());
    match (text.next()?, text.next()?) {
        (b'{', b'"') | (b'[', b'"' | b'{') => Some(true),
        (b'{' | b'[', _) | (b'"', b'{' | b'[' | b'<' | b'\\') => Some(false),
        _ => None,
    }
}

/// The length of a byte order mark.
fn mark(text: &str) -> usize {
    text.len() - text.trim_start_matches('\u{feff}').len()
}

/// Whether it is one, and where it breaks off.
pub(crate) fn check(text: &str) -> Result<(), Expected> {
    serde_json::from_str::<IgnoredAny>(&text[mark(text)..])
        .map(|_| ())
        .map_err(|error| {
            let lines = text
                .split_inclusive('\n')
                .take(error.line().saturating_sub(1));
            let before = if error.line() == 1 { mark(text) } else { 0 };
            let at = lines.map(str::len).sum::<usize>() + before + error.column().saturating_sub(1);
            let mut before = (0..=at.min(text.len())).rev();
            let at = before
                .find(|&at| text.is_char_boundary(at))
                .unwrap_or_default();
            // It breaks off within a word such as `none`.
            let before = text[..at].trim_end_matches(|c: char| c.is_alphanumeric());
            let at = before.len();
            let what = what_is_wrong(&error, &text[at..]);
            Expected { at, what }
        })
}

/// Why a text is not JSON, by what stands where it breaks off.
fn what_is_wrong(error: &serde_json::Error, rest: &str) -> String {
    if error.is_eof() {
        return "not JSON: ends too early".to_owned();
    }
    let there: String = rest
        .chars()
        .take_while(|c| !c.is_control())
        .take(12)
        .collect();
    match &*there {
        "" => "not JSON: a line break or another control character in a string".to_owned(),
        _ => format!("not JSON: unexpected `{there}`"),
    }
}

/// The tokens of JSON, and what its strings say.
pub(crate) struct Tokens<'j> {
    json: &'j [u8],
    scanner: Scanner<'j>,
    /// What the last string says.
    pub(crate) decoded: DecodedField,
}

impl<'j> Tokens<'j> {
    pub(crate) fn new(json: &'j [u8]) -> Tokens<'j> {
        Tokens {
            json,
            scanner: Scanner::new(json),
            decoded: DecodedField::default(),
        }
    }

    /// How many commas are before the next token, and the token.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<(usize, Token)> {
        let before = self.scanner.position();
        let token = (self.scanner).next_by(|rest| self.decoded.read_json(rest))?;
        let start = match &token {
            Token::Key(span) | Token::String(span) => span.start - 1,
            _ => self.scanner.position() - 1,
        };
        // No string is between two tokens, so each comma is one.
        let between = self.json[before..start].iter();
        Some((between.filter(|byte| **byte == b',').count(), token))
    }
}

/// Reads what was checked.
pub(super) fn read<'v>(text: &'v str, each: &mut dyn FnMut(Event<'v>)) {
    let json = text.as_bytes();
    let mut tokens = Tokens::new(json);
    while let Some((commas, token)) = tokens.next() {
        if commas > 0 {
            each(Event::Commas(commas));
        }
        match token {
            Token::Object | Token::Array => each(Event::Open {
                is_object: token == Token::Object,
            }),
            Token::End => each(Event::Close),
            Token::Key(span) if tokens.decoded.runs.is_empty() => {
                each(Event::Key(text[span].into()))
            }
            Token::Key(span) => each(Event::Key(decode(&json[span]).into())),
            Token::String(span) => each(Event::String(SpelledString {
                span,
                spelling: Spelling::Json,
                decoded: tokens.decoded.take(),
                length: None,
            })),
        }
    }
}
