//! The tokens of a document and of what was made of it, one by one. Where only values change, the tokenizer goes
//! from the same state to the same state; where a `base` element was taken out, only its tokens show that.

use std::ops::Range;

use encoding_rs::Encoding;

use crate::fault::{Difference, Fault};
use crate::markup::document::Document;
use crate::markup::{Tag, Token, html};
use crate::text::Spelling;
use abslink_html::Syntax;
use abslink_html::shared::{Change, Delimiter, Edited};

/// Whether both documents have the same tokens, but for the elements that were cut out. What was replaced is compared
/// elsewhere.
pub(crate) fn compare(
    edited: Edited<'_>,
    syntax: Syntax,
    encoding: &'static Encoding,
) -> Result<(), Difference> {
    let Edited { old, new, changes } = edited;
    if Encoding::for_bom(old).is_none() && Encoding::for_bom(new).is_some() {
        return Fault::ByteOrderMark.at(0);
    }
    let [(document, tags), (new_document, new_tags)] = [read(old, syntax)?, read(new, syntax)?];
    let spelling = Spelling::of(syntax, encoding);
    let is_cut = |place: &Range<usize>| {
        let index = changes.partition_point(|[it, _]| it.end < place.end);
        let cut = changes
            .get(index)
            .filter(|[it, by]| it.start <= place.start && by.is_empty());
        cut.map(|[it, _]| it.clone())
    };
    let mut new_tags = new_tags.iter();
    // Where what stands between two tags begins, and what was cut out of it.
    let (mut start, mut new_start, mut cuts, mut is_pre) = (0, 0, Vec::new(), false);
    for found in &tags {
        let tag = match found {
            Token::Tag(tag) => tag,
            // From here on it is no raw text.
            Token::Close(end) if cuts.is_empty() => {
                (start, new_start, is_pre) = (*end, moved(changes, *end), false);
                continue;
            }
            Token::Close(_) => continue,
        };
        if let Some(cut) = is_cut(&(tag.start..tag.end)) {
            cuts.push(cut);
            continue;
        }
        let at = tag.start;
        let next = new_tags.find_map(|it| match it {
            Token::Tag(tag) => Some(tag),
            Token::Close(_) => None,
        });
        let Some(new_tag) =
            next.filter(|new| is_same(changes, [(&document, tag), (&new_document, new)]))
        else {
            return Fault::Neighbours.at(at);
        };
        let between = Between {
            spelling,
            is_pre,
            changes,
            new,
        };
        between.compare(start..tag.start, new_start..new_tag.start, &cuts)?;
        (start, new_start) = (tag.end, new_tag.end);
        cuts.clear();
        let name = document.name(tag);
        is_pre = syntax == Syntax::Html
            && [&b"pre"[..], b"listing"]
                .iter()
                .any(|it| name.eq_ignore_ascii_case(it));
    }
    if new_tags.any(|it| matches!(it, Token::Tag(_))) {
        return Fault::Neighbours.at(cuts.first().map_or(start, |cut| cut.start));
    }
    let between = Between {
        spelling,
        is_pre,
        changes,
        new,
    };
    between.compare(start..old.len(), new_start..new.len(), &cuts)
}

/// The tokens that a reader finds.
fn read(bytes: &[u8], syntax: Syntax) -> Result<(Document, Vec<Token>), Difference> {
    let mut document = Document::new(syntax, &html::EVERY);
    document.take(bytes, true)?;
    let tokens = std::iter::from_fn(|| document.next()).collect();
    Ok((document, tokens))
}

/// Where something begins in the new document.
fn moved(changes: &[Change], at: usize) -> usize {
    let before = changes.partition_point(|[old, _]| old.end <= at && old.start < at);
    let last = before.checked_sub(1).and_then(|last| changes.get(last));
    last.map_or(at, |[old, new]| (at + new.end).saturating_sub(old.end))
}

/// Whether a tag and its attributes are where the edits leave them.
fn is_same(
    changes: &[Change],
    [(document, tag), (new_document, new)]: [(&Document, &Tag); 2],
) -> bool {
    let is_here = |at: usize, new: usize| moved(changes, at) == new;
    let is_cut = |name: &&Range<usize>| {
        let index = changes.partition_point(|[old, _]| old.end <= name.start);
        !changes
            .get(index)
            .is_some_and(|[old, new]| old.start <= name.start && new.is_empty())
    };
    let names = tag.attributes.iter().map(|it| &it.name).filter(is_cut);
    let mut new_names = new.attributes.iter().map(|it| &it.name);
    is_here(tag.start, new.start)
        && is_here(tag.end, new.end)
        && document.name(tag) == new_document.name(new)
        && names.fold(true, |same, name| {
            let new = new_names.next();
            same && new.is_some_and(|new| is_here(name.start, new.start) && name.len() == new.len())
        })
        && new_names.next().is_none()
}

/// What stands between two start tags.
struct Between<'b> {
    spelling: Spelling,
    /// Whether a newline at its start is dropped (HTML 13.2.6.4.7, a start tag `pre`).
    is_pre: bool,
    changes: &'b [Change],
    new: &'b [u8],
}

/// A part of it.
#[derive(Debug, PartialEq)]
enum Piece {
    Markup(Vec<u8>),
    Text(String),
}

impl Between<'_> {
    /// Compares its tokens if something was cut out of it: else it is the same, byte for byte, but for edits.
    fn compare(
        &self,
        old: Range<usize>,
        new: Range<usize>,
        cuts: &[Range<usize>],
    ) -> Result<(), Difference> {
        let Some(first) = cuts.first() else {
            return Ok(());
        };
        let (mut parts, mut start) = (Vec::new(), old.start);
        for end in cuts.iter().map(|cut| cut.start).chain([old.end]) {
            let part = moved(self.changes, start)..moved(self.changes, end);
            let is_first = start == old.start && !part.is_empty();
            self.read(self.new.get(part).unwrap_or_default(), is_first, &mut parts);
            let cut = cuts.iter().find(|cut| cut.start == end);
            start = cut.map_or(end, |cut| cut.end);
        }
        let mut whole = Vec::new();
        self.read(self.new.get(new).unwrap_or_default(), true, &mut whole);
        match parts == whole {
            true => Ok(()),
            false => Fault::Neighbours.at(first.start),
        }
    }

    /// Adds the pieces of a part.
    fn read(&self, mut bytes: &[u8], is_first: bool, pieces: &mut Vec<Piece>) {
        let mut drops_newline = self.is_pre && is_first;
        while !bytes.is_empty() {
            let length = markup(bytes, self.spelling.syntax);
            let (piece, rest) = bytes.split_at(length.unwrap_or_else(|| {
                let begins = |at: &usize| markup(&bytes[*at..], self.spelling.syntax).is_some();
                let next = memchr::memchr2_iter(b'<', b']', bytes).find(begins);
                next.unwrap_or(bytes.len())
            }));
            bytes = rest;
            if length.is_some() {
                pieces.push(Piece::Markup(piece.to_vec()));
            } else {
                let text = self.text(piece);
                let newline = if drops_newline {
                    text.strip_prefix('\n')
                } else {
                    None
                };
                let text = newline.unwrap_or(&text);
                match pieces.last_mut() {
                    Some(Piece::Text(last)) => last.push_str(text),
                    _ => pieces.push(Piece::Text(text.to_owned())),
                }
            }
            drops_newline = false;
        }
    }

    /// What text spells: in a feed or XHTML as XML does, else with all references of HTML.
    fn text(&self, bytes: &[u8]) -> String {
        if self.spelling.syntax == Syntax::Xml {
            return self
                .spelling
                .read(bytes, Delimiter::Content)
                .text
                .into_owned();
        }
        let (text, _) = self.spelling.encoding.decode_without_bom_handling(bytes);
        htmlize::unescape(text.replace("\r\n", "\n").replace('\r', "\n")).into_owned()
    }
}

/// The length of the markup at the start, which is no start tag; `None` where there is text.
fn markup(bytes: &[u8], syntax: Syntax) -> Option<usize> {
    let until = |end: &[u8]| {
        Some(memchr::memmem::find(bytes, end).map_or(bytes.len(), |at| at + end.len()))
    };
    match bytes {
        // XML 1.0 §2.4: in text it is an error.
        [b']', b']', b'>', ..] if syntax == Syntax::Xml => Some(3),
        [b'<', b'!', b'-', b'-', ..] => until(b"-->"),
        [b'<', b'!', b'[', b'C', ..] if syntax == Syntax::Xml => until(b"]]>"),
        [b'<', b'?', ..] if syntax == Syntax::Xml => until(b"?>"),
        [b'<', b'/' | b'!' | b'?', ..] => until(b">"),
        _ => None,
    }
}
