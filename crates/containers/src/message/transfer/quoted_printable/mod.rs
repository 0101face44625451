//! Quoted-printable (RFC 2045 §6.7).

use std::ops::Range;

use abslink_html::Edit;

/// Rule 5: no encoded line is longer, its soft line break included.
const MAX_LINE: usize = 76;

/// What may begin a message in an mbox.
const FROM: &[u8] = b"From ";

/// A piece of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// One octet that stands for itself, also an `=` that begins nothing.
    Literal,
    /// `=41`.
    Escaped(u8),
    /// An octet of a line break that counts.
    LineBreak,
    /// A soft line break, or space at the end of a line, which is no part of the text (rule 3).
    Nothing,
}

/// The tokens of a body, with their places.
#[derive(Clone, Debug)]
pub(super) struct Tokens<'b> {
    body: &'b [u8],
    at: usize,
    /// How many octets those before this stand for.
    octets: usize,
    /// Spaces before this are known to be inside a line. So a run of them is looked at once.
    inside: usize,
}

impl<'b> Tokens<'b> {
    pub(super) fn new(body: &'b [u8]) -> Tokens<'b> {
        Tokens {
            body,
            at: 0,
            octets: 0,
            inside: 0,
        }
    }

    /// What is left.
    fn rest(&self) -> &'b [u8] {
        &self.body[self.at..]
    }

    /// The range of the body that spells this range of octets.
    pub(super) fn range(&mut self, octets: Range<usize>) -> Range<usize> {
        if octets.start < self.octets {
            *self = Tokens::new(self.body);
        }
        // Up to the token of the first octet, which is passed only in the copy.
        let mut end = loop {
            let mut next = self.clone();
            match next.next() {
                Some(_) if next.octets <= octets.start => *self = next,
                _ => break self.clone(),
            }
        };
        while end.octets < octets.end && end.next().is_some() {}
        self.at..end.at
    }
}

impl Iterator for Tokens<'_> {
    type Item = (Range<usize>, Token);

    fn next(&mut self) -> Option<(Range<usize>, Token)> {
        let rest = self.rest();
        let (length, token) = match *rest {
            [] => return None,
            [b'=', ref after @ ..] => match (escaped(after), blank_until(after)) {
                (Some(octet), _) => (3, Token::Escaped(octet)),
                (None, Ok(end)) => (1 + end, Token::Nothing),
                (None, Err(_)) => (1, Token::Literal),
            },
            [b'\n', ..] | [b'\r', b'\n', ..] => (1, Token::LineBreak),
            [b' ' | b'\t', ..] if self.at >= self.inside => match blank_until(rest) {
                Ok(_) => (rest.len() - trim_space(rest).len(), Token::Nothing),
                Err(space) => {
                    self.inside = self.at + space;
                    (1, Token::Literal)
                }
            },
            _ => (1, Token::Literal),
        };
        let start = self.at;
        self.at += length;
        self.octets += usize::from(token != Token::Nothing);
        Some((start..self.at, token))
    }
}

/// What two digits after `=` stand for; small letters are no digits to the letter of the RFC, but
/// every decoder takes them.
fn escaped(after: &[u8]) -> Option<u8> {
    let digit = |at: usize| char::from(*after.get(at)?).to_digit(16);
    u8::try_from(digit(0)? * 16 + digit(1)?).ok()
}

/// If nothing but space is left of the line: where the line ends, its line break included. Else how
/// much space there is.
fn blank_until(rest: &[u8]) -> Result<usize, usize> {
    let after = trim_space(rest);
    let space = rest.len() - after.len();
    match *after {
        [] => Ok(space),
        [b'\n', ..] => Ok(space + 1),
        [b'\r', b'\n', ..] => Ok(space + 2),
        _ => Err(space),
    }
}

fn trim_space(text: &[u8]) -> &[u8] {
    let text_starts = |byte: &u8| !matches!(byte, b' ' | b'\t');
    &text[text.iter().position(text_starts).unwrap_or(text.len())..]
}

pub(super) fn decode(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len());
    for (range, token) in Tokens::new(body) {
        match token {
            Token::Literal | Token::LineBreak => out.push(body[range.start]),
            Token::Escaped(octet) => out.push(octet),
            Token::Nothing => {}
        }
    }
    out
}

/// Undoes `=41` only: what the encoded words of RFC 2047 §4.2 share with this encoding.
pub(in super::super) fn unescape(text: &str) -> Vec<u8> {
    let text = text.replace('_', " ");
    let (mut out, mut rest) = (Vec::new(), text.as_bytes());
    while let [first, after @ ..] = rest {
        match escaped(after).filter(|_| *first == b'=') {
            Some(octet) => {
                out.push(octet);
                rest = &after[2..];
            }
            None => {
                out.push(*first);
                rest = after;
            }
        }
    }
    out
}

/// The body with edits of its octets, which ascend.
///
/// A line that no edit touches keeps its bytes. In one that an edit touches, every octet that stays
/// is spelled as before, and soft line breaks are put in where the line has become too long. Only
/// an `=` that begins nothing is spelled there as it should be, so that it does not begin something
/// now, and so is the `F` of a `From ` that begins the line: an mbox has messages that begin so.
pub(super) fn edit(body: &[u8], edits: &[Edit], line_end: &[u8]) -> Vec<u8> {
    let added: usize = edits.iter().map(|(_, new)| new.len()).sum();
    let mut writer = LineWriter {
        out: Vec::with_capacity(body.len() + added * 2),
        line_end,
        ..LineWriter::default()
    };
    let mut edits = edits.iter().peekable();
    let mut tokens = Tokens::new(body);
    let mut removed_until = 0;
    loop {
        let octets = tokens.octets;
        let token = tokens.next().map(|(range, token)| (&body[range], token));
        // What is new comes after a soft line break, and before space at the end of a line.
        let is_soft = token.is_some_and(|(spelled, token)| {
            token == Token::Nothing && spelled.starts_with(b"=") && spelled.ends_with(b"\n")
        });
        while let Some((old, new)) = edits.next_if(|(old, _)| !is_soft && old.start <= octets) {
            writer.touch();
            new.iter().for_each(|&octet| writer.escape(octet));
            removed_until = removed_until.max(old.end);
        }
        let Some((spelled, token)) = token else {
            writer.escape_space();
            return writer.out;
        };
        if octets >= removed_until {
            writer.keep(token, spelled, tokens.rest());
        }
    }
}

#[derive(Default)]
struct LineWriter<'l> {
    out: Vec<u8>,
    column: usize,
    line_end: &'l [u8],
    /// Whether the line is not as it was.
    touched: bool,
    /// Where the line, as long as it is as it was, has something that is spelled anew when it is touched: an `=`
    /// that begins nothing, and the `F` of a `From ` at its beginning.
    bare: Vec<usize>,
    /// The octet before the end, if it is a space or TAB that stands for itself.
    space: Option<u8>,
}

impl LineWriter<'_> {
    /// An edit is in this line: an `=` that begins nothing is spelled as it should be, and soft
    /// line breaks make room for that.
    fn touch(&mut self) {
        self.touched = true;
        let bare = std::mem::take(&mut self.bare);
        let Some(&start) = bare.first() else { return };
        let mut bare = bare.into_iter().peekable();
        let tail = self.out.split_off(start);
        self.column -= tail.len();
        let mut rest = &tail[..];
        while let [first, ..] = rest {
            let is_bare = bare
                .next_if_eq(&(start + tail.len() - rest.len()))
                .is_some();
            let length = if *first == b'=' && !is_bare { 3 } else { 1 };
            let (spelled, after) = rest.split_at(length);
            self.text(
                match (is_bare, first) {
                    (true, b'F') => &b"=46"[..],
                    (true, _) => b"=3D",
                    (false, _) => spelled,
                },
                false,
            );
            rest = after;
        }
    }

    /// Writes an octet, as itself if that is safe in every place.
    fn escape(&mut self, octet: u8) {
        match octet {
            b'!'..=b'<' | b'>'..=b'~' => self.text(&[octet], false),
            _ => self.text(format!("={octet:02X}").as_bytes(), false),
        }
    }

    /// Writes what was there.
    fn keep(&mut self, token: Token, spelled: &[u8], rest: &[u8]) {
        match token {
            Token::Literal | Token::Escaped(_) => {
                let spelled = match spelled {
                    b"=" if self.touched => b"=3D",
                    b"=" => {
                        self.bare.push(self.out.len());
                        spelled
                    }
                    _ => spelled,
                };
                let last = matches!(rest, [] | [b'\n', ..] | [b'\r', b'\n', ..]);
                self.text(spelled, last);
            }
            Token::LineBreak | Token::Nothing => {
                if !spelled.starts_with(b"=") {
                    self.escape_space();
                }
                self.space = None;
                self.out.extend_from_slice(spelled);
                if spelled.ends_with(b"\n") {
                    (self.column, self.touched) = (0, false);
                    self.bare.clear();
                }
            }
        }
    }

    /// Writes text that must not be divided; `last` if the line ends after it.
    fn text(&mut self, spelled: &[u8], last: bool) {
        let room = if last { MAX_LINE } else { MAX_LINE - 1 };
        if self.touched && self.column + spelled.len() > room {
            self.out.push(b'=');
            self.out.extend_from_slice(self.line_end);
            self.column = 0;
        }
        self.out.extend_from_slice(spelled);
        self.column += spelled.len();
        if self.column == FROM.len() && self.out.ends_with(FROM) {
            let start = self.out.len() - FROM.len();
            if self.touched {
                self.out.splice(start..=start, *b"=46");
                self.column += 2;
            } else {
                // Nothing else of the line is bare so far.
                self.bare.push(start);
            }
        }
        self.space = match *spelled {
            [space @ (b' ' | b'\t')] => Some(space),
            _ => None,
        };
    }

    /// The line ends here: a space that an edit has left at its end must not be lost.
    fn escape_space(&mut self) {
        if let Some(space) = self.space.take() {
            self.out.pop();
            self.column -= 1;
            self.text(format!("={space:02X}").as_bytes(), true);
        }
    }
}

#[cfg(test)]
mod tests;
