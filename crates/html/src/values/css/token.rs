//! CSS Syntax 3 §4: tokens, as far as they matter for finding URLs.
//!
//! Of numbers, names, hashes and the like only the extent is recognised (`1url(a)` and `#url(a)`
//! contain no URL), and `-->` counts as the name `--` and a `>`. The preprocessing of §3.3 is not
//! done, but the text is read as if it had been: CR, CRLF and FF are newlines, NUL is U+FFFD.

use std::borrow::Cow;
use std::ops::Range;

/// A token. Ranges are byte ranges of the CSS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CssToken {
    /// Whitespace or a comment.
    Blank,
    /// `@name`; the range of the name.
    AtKeyword(Range<usize>),
    /// `name(`; the range of the name.
    Function(Range<usize>),
    /// An unquoted `url(...)`; the range of the URL.
    Url(Range<usize>),
    /// A string; the range between the quotes, and the quote.
    String(Range<usize>, char),
    /// `(`, `[` or `{`.
    Open(u8),
    /// `)`, `]` or `}`.
    Close(u8),
    /// `;`.
    Semicolon,
    /// Anything else, including bad strings and bad URLs.
    Other,
}

pub(super) struct Tokens<'a> {
    css: &'a str,
    at: usize,
}

impl Iterator for Tokens<'_> {
    type Item = CssToken;

    /// §4.3.1: consume a token.
    fn next(&mut self) -> Option<CssToken> {
        let start = self.at;
        let first = self.peek(0)?;
        if first.is_ascii_digit() {
            self.number();
            return Some(CssToken::Other);
        }
        if self.starts_name(0) {
            return Some(self.name_like());
        }
        self.at += 1;
        Some(match first {
            b if b.is_ascii_whitespace() => {
                self.skip_whitespace();
                CssToken::Blank
            }
            b'/' if self.peek(0) == Some(b'*') => {
                self.at += 1;
                let end = memchr::memmem::find(self.rest(), b"*/").map(|length| length + 2);
                self.at += end.unwrap_or(self.rest().len());
                CssToken::Blank
            }
            b'"' | b'\'' => self.string(first),
            b'#' => {
                self.name();
                CssToken::Other
            }
            b'@' if self.starts_name(0) => {
                self.name();
                CssToken::AtKeyword(start + 1..self.at)
            }
            b'<' if self.rest().starts_with(b"!--") => {
                self.at += 3;
                CssToken::Other
            }
            b'(' | b'[' | b'{' => CssToken::Open(first),
            b')' | b']' | b'}' => CssToken::Close(first),
            b';' => CssToken::Semicolon,
            _ => CssToken::Other,
        })
    }
}

impl<'a> Tokens<'a> {
    pub(super) fn new(css: &'a str) -> Self {
        Tokens { css, at: 0 }
    }

    /// The position after the last token.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.css.as_bytes().get(self.at + ahead).copied()
    }

    fn rest(&self) -> &'a [u8] {
        &self.css.as_bytes()[self.at..]
    }

    fn skip_while(&mut self, accept: impl Fn(u8) -> bool) {
        self.at += self.rest().iter().take_while(|&&b| accept(b)).count();
    }

    fn skip_whitespace(&mut self) {
        self.skip_while(|b| b.is_ascii_whitespace());
    }

    /// §4.3.4: consume an ident-like token.
    fn name_like(&mut self) -> CssToken {
        let name = self.name();
        if self.peek(0) != Some(b'(') {
            return CssToken::Other;
        }
        self.at += 1;
        if is_url(&self.css[name.clone()]) {
            let argument = self.at;
            self.skip_whitespace();
            if !matches!(self.peek(0), Some(b'"' | b'\'')) {
                return self.url();
            }
            self.at = argument;
        }
        CssToken::Function(name)
    }

    /// §4.3.5: consume a string token, its first quote consumed.
    fn string(&mut self, quote: u8) -> CssToken {
        let start = self.at;
        let string = |span| CssToken::String(span, char::from(quote));
        while let Some(b) = self.peek(0) {
            match b {
                _ if b == quote => {
                    self.at += 1;
                    return string(start..self.at - 1);
                }
                b'\\' => match self.rest() {
                    // A backslash at the very end does nothing, and is not part of the string.
                    [_] => {
                        self.at += 1;
                        return string(start..self.at - 1);
                    }
                    _ => self.escape(),
                },
                _ if is_newline(b) => return CssToken::Other,
                _ => self.at += 1,
            }
        }
        string(start..self.at)
    }

    /// §4.3.6: consume a url token; `url(` and whitespace are consumed.
    fn url(&mut self) -> CssToken {
        let start = self.at;
        while let Some(b) = self.peek(0) {
            match b {
                b')' => {
                    self.at += 1;
                    return CssToken::Url(start..self.at - 1);
                }
                _ if b.is_ascii_whitespace() => {
                    let end = self.at;
                    self.skip_whitespace();
                    return match self.peek(0) {
                        None => CssToken::Url(start..end),
                        Some(b')') => {
                            self.at += 1;
                            CssToken::Url(start..end)
                        }
                        Some(_) => self.bad_url(),
                    };
                }
                b'\\' if self.is_escape(0) => self.escape(),
                b'"' | b'\'' | b'(' | b'\\' => return self.bad_url(),
                // NUL has become U+FFFD.
                b'\0' => self.at += 1,
                _ if b.is_ascii_control() => return self.bad_url(),
                _ => self.at += 1,
            }
        }
        CssToken::Url(start..self.at)
    }

    /// §4.3.14: consume the remnants of a bad url.
    fn bad_url(&mut self) -> CssToken {
        while let Some(b) = self.peek(0) {
            if self.is_escape(0) {
                self.escape();
            } else {
                self.at += 1;
                if b == b')' {
                    break;
                }
            }
        }
        CssToken::Other
    }

    /// §4.3.7: consume an escaped code point, with its backslash.
    fn escape(&mut self) {
        self.at += 1;
        self.at += escaped(&self.css[self.at..]).1;
    }

    /// §4.3.8: whether a valid escape begins here.
    fn is_escape(&self, ahead: usize) -> bool {
        self.peek(ahead) == Some(b'\\') && !self.peek(ahead + 1).is_some_and(is_newline)
    }

    /// §4.3.9: whether an ident sequence begins here.
    fn starts_name(&self, ahead: usize) -> bool {
        match self.peek(ahead) {
            Some(b'-') => {
                self.peek(ahead + 1)
                    .is_some_and(|b| is_name_start(b) || b == b'-')
                    || self.is_escape(ahead + 1)
            }
            Some(b'\\') => self.is_escape(ahead),
            first => first.is_some_and(is_name_start),
        }
    }

    /// §4.3.11: consume an ident sequence.
    fn name(&mut self) -> Range<usize> {
        let start = self.at;
        loop {
            self.skip_while(is_name);
            if !self.is_escape(0) {
                return start..self.at;
            }
            self.escape();
        }
    }

    /// §4.3.3: consume a numeric token from its digits on, with the unit of a dimension. Signs,
    /// points and what follows them are separate tokens: the value of a number is not needed.
    fn number(&mut self) {
        self.skip_while(|b| b.is_ascii_digit());
        if self.starts_name(0) {
            self.name();
        }
    }
}

/// §4.2: newline, before preprocessing.
fn is_newline(b: u8) -> bool {
    matches!(b, b'\n' | b'\r' | b'\x0c')
}

/// §4.2: ident-start code point. Every byte of a character that is not ASCII counts as one, and
/// NUL has become U+FFFD.
fn is_name_start(b: u8) -> bool {
    b.is_ascii_alphabetic() || b == b'_' || b == 0 || !b.is_ascii()
}

/// §4.2: ident code point.
fn is_name(b: u8) -> bool {
    is_name_start(b) || b.is_ascii_digit() || b == b'-'
}

/// Whether the name of a function is `url`, in any letter case and with escapes.
fn is_url(name: &str) -> bool {
    name.eq_ignore_ascii_case("url")
        || name.contains('\\') && unescape(name).eq_ignore_ascii_case("url")
}

/// §4.3.7: the decoded content of a name, a string or a url token.
pub(crate) fn unescape(source: &str) -> Cow<'_, str> {
    if memchr::memchr2(b'\\', 0, source.as_bytes()).is_none() {
        return Cow::Borrowed(source);
    }
    let mut text = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(at) = memchr::memchr2(b'\\', 0, rest.as_bytes()) {
        text.push_str(&rest[..at]);
        let escape = rest.as_bytes()[at] == b'\\';
        rest = &rest[at + 1..];
        if escape {
            let (escaped, length) = escaped(rest);
            text.extend(escaped);
            rest = &rest[length..];
        } else {
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    text.push_str(rest);
    Cow::Owned(text)
}

/// What a backslash before `rest` stands for, and how many bytes of it belong to the escape.
fn escaped(rest: &str) -> (Option<char>, usize) {
    let digits = rest
        .bytes()
        .take(6)
        .take_while(u8::is_ascii_hexdigit)
        .count();
    if let Ok(value) = u32::from_str_radix(&rest[..digits], 16) {
        let c = char::from_u32(value).filter(|&c| c != '\0');
        let after = &rest[digits..];
        let ended = usize::from(after.starts_with(|c: char| c.is_ascii_whitespace()));
        let ended = ended + usize::from(after.starts_with("\r\n"));
        return (
            Some(c.unwrap_or(char::REPLACEMENT_CHARACTER)),
            digits + ended,
        );
    }
    match rest.chars().next() {
        None | Some('\0') => (Some(char::REPLACEMENT_CHARACTER), rest.len().min(1)),
        // Only in a string: the line goes on.
        Some('\r') if rest.starts_with("\r\n") => (None, 2),
        Some('\n' | '\r' | '\x0c') => (None, 1),
        Some(c) => (Some(c), c.len_utf8()),
    }
}
