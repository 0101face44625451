//! JSON (RFC 8259) as tokens with their places, for which serde_json has none.
//!
//! It does not check what it reads: text that is no JSON has to be refused before ([`is_valid`]).

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use serde_core::de::IgnoredAny;

use super::json_string::{decode_with_places, plain_length};

/// Whether a text is JSON.
pub(crate) fn is_valid(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// What stands in JSON, by byte range; that of a string is without its quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// The name of a member of an object.
    Key(Range<usize>),
    /// Another string.
    String(Range<usize>),
    /// `{`.
    Object,
    /// `[`.
    Array,
    /// `}` or `]`.
    End,
}

/// The tokens of a text. What is open is on the heap, as no document must exhaust the stack.
#[derive(Debug)]
pub struct Scanner<'j> {
    json: &'j [u8],
    at: usize,
    /// Whether each open value is an object.
    open: Vec<bool>,
    /// Whether the next string is a key.
    at_key: bool,
}

impl<'j> Scanner<'j> {
    /// From the beginning on.
    pub fn new(json: &'j [u8]) -> Scanner<'j> {
        Scanner {
            json,
            at: 0,
            open: Vec::new(),
            at_key: false,
        }
    }

    /// Where the last token ends; behind a string's closing quote.
    pub fn position(&self) -> usize {
        self.at
    }

    /// The next token, as [`Scanner::next`] gives it; `length` says how long the string is that bytes begin in, up to
    /// its closing quote.
    #[inline]
    pub fn next_by(&mut self, mut length: impl FnMut(&[u8]) -> Option<usize>) -> Option<Token> {
        loop {
            let byte = *self.json.get(self.at)?;
            self.at += 1;
            match byte {
                b'{' | b'[' => {
                    self.at_key = byte == b'{';
                    self.open.push(self.at_key);
                    return Some(if self.at_key {
                        Token::Object
                    } else {
                        Token::Array
                    });
                }
                b'}' | b']' => {
                    self.open.pop();
                    return Some(Token::End);
                }
                b',' => self.at_key = self.open.last() == Some(&true),
                b'"' => {
                    let start = self.at;
                    let end = start + length(&self.json[start..])?;
                    self.at = end + 1;
                    return Some(if std::mem::take(&mut self.at_key) {
                        Token::Key(start..end)
                    } else {
                        Token::String(start..end)
                    });
                }
                _ => {}
            }
        }
    }

    /// In how many objects and arrays the scanner is.
    pub fn depth(&self) -> usize {
        self.open.len()
    }
}

impl Iterator for Scanner<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.next_by(string_length)
    }
}

/// An object or array that is open.
pub(crate) struct Level<'j> {
    pub(crate) is_array: bool,
    /// The key that is read. An array has that which it is under, and a long one is shared by all of these.
    pub(crate) key: Rc<Cow<'j, str>>,
}

/// Shows each key and other string of JSON with what it says, and with what is open around it.
pub(crate) fn strings<'j>(
    json: &'j str,
    mut each: impl FnMut(&[Level<'j>], Range<usize>, &Cow<'j, str>, bool),
) {
    let mut open: Vec<Level<'_>> = Vec::new();
    for token in Scanner::new(json.as_bytes()) {
        let (span, is_key) = match token {
            Token::Object | Token::Array => {
                let is_array = token == Token::Array;
                let above = open.last().filter(|_| is_array);
                let key = above.map_or_else(Rc::default, |level| Rc::clone(&level.key));
                open.push(Level { is_array, key });
                continue;
            }
            Token::End => {
                open.pop();
                continue;
            }
            Token::Key(span) => (span, true),
            Token::String(span) => (span, false),
        };
        let (value, _) = decode_with_places(&json[span.clone()]);
        each(&open, span, &value, is_key);
        if is_key && let Some(level) = open.last_mut() {
            level.key = Rc::new(value);
        }
    }
}

/// The length of the string that `rest` begins in, up to its closing quote.
fn string_length(rest: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += plain_length(rest.get(at..)?);
        at += match rest.get(at)? {
            b'"' => return Some(at),
            b'\\' => 2,
            _ => 1,
        };
    }
}
