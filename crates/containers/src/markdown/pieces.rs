//! What is open where a piece of HTML ends and Markdown goes on: a tag, or an element whose text is no markup.
//!
//! A browser would read all that follows as a part of it, with the tags that Markdown becomes. The markup does not have
//! those, so nothing may reach from one piece into the next.

use std::ops::Range;

use abslink_html::locate::html::{Unfinished, unfinished};

/// Elements whose text is no markup, and elements with names as long, and the same URLs. What shows Markdown lets none of
/// the first stay open: GFM §6.11, "Disallowed Raw HTML", takes `<title>` for text, others drop it.
const NAMES: [(&str, &str); 9] = [
    ("title", "small"),
    ("textarea", "fieldset"),
    ("style", "small"),
    ("xmp", "div"),
    ("iframe", "frame "),
    ("noembed", "section"),
    ("noframes", "fieldset"),
    ("script", "source"),
    ("plaintext", "div      "),
];

/// A piece of HTML whose last element the next piece may close.
pub(super) struct OpenPiece {
    pub(super) piece: Range<usize>,
    /// The name of that element in its start tag.
    name: Range<usize>,
}

/// Closes a tag that is open at the end of a piece of HTML.
pub(super) fn end(markup: &mut [u8], piece: Range<usize>) -> Option<OpenPiece> {
    let part = &mut markup[piece.clone()];
    if let Unfinished::Tag(tag) = unfinished(part)? {
        let line_end = 1 + part.iter().rposition(|byte| !is_line_end(byte))?;
        if let Some(end) = part.get_mut(line_end) {
            *end = b'>';
        }
        if unfinished(part) == Some(Unfinished::Tag(tag)) {
            without_attributes(&mut part[tag..]);
        }
    }
    match unfinished(part)? {
        Unfinished::Tag(_) => None,
        Unfinished::RawText(name) => Some(OpenPiece {
            name: piece.start + name.start..piece.start + name.end,
            piece,
        }),
    }
}

/// Makes a tag one without the attributes in which it breaks off.
fn without_attributes(tag: &mut [u8]) {
    let ends_name = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>');
    let name_end = 2 + tag.iter().skip(2).take_while(|it| !ends_name(it)).count();
    match tag.split_at_mut_checked(name_end) {
        Some((_, [end, rest @ ..])) => {
            *end = b'>';
            rest.fill(b'\n');
        }
        _ => tag.fill(b'\n'),
    }
}

fn is_line_end(byte: &u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

impl OpenPiece {
    /// Lets the element hold markup unless the next piece of HTML, which begins with `next`, closes it. Then others may be
    /// open that were its text; so many that names run out are not told apart.
    pub(super) fn close(mut self, markup: &mut [u8], next: &str) {
        for _ in NAMES {
            let name = &mut markup[self.name.clone()];
            if closes(next, name) {
                return;
            }
            let is_name = |(from, _): &&(&str, &str)| name.eq_ignore_ascii_case(from.as_bytes());
            let Some((_, other)) = NAMES.iter().find(is_name) else {
                break;
            };
            name.copy_from_slice(&other.as_bytes()[..name.len()]);
            match end(markup, self.piece) {
                Some(open) => self = open,
                None => return,
            }
        }
        markup[self.name.start - 1..self.piece.end].fill(b'\n');
    }
}

/// Whether a piece of HTML begins with the end tag of an element.
fn closes(piece: &str, name: &[u8]) -> bool {
    let rest = piece.trim_start().as_bytes().strip_prefix(b"</");
    rest.and_then(|rest| rest.split_at_checked(name.len()))
        .is_some_and(|(start, rest)| {
            start.eq_ignore_ascii_case(name) && !rest.first().is_some_and(u8::is_ascii_alphanumeric)
        })
}
