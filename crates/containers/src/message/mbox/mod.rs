//! Mailboxes in the format mbox (RFC 4155): one message after another, each behind a line that begins with
//! `From `.
//!
//! Such a line begins a message if it is the first of the file or follows an empty line, and a header field
//! follows it. `Content-Length` counts where it leads to such a line or to the end of the file.

mod cut;

pub(super) use cut::meant;

pub use cut::{MessageChunk, MessageCutter};

use std::io;

use memchr::memmem;

use self::cut::{Beginning, FROM, beginning, line};
use super::frame::Frame;
use super::framing::{Framing, is_from_line};
use super::{
    Document, Each, Examined, Known, Reason, Refusal, examine_framed, left_for, rewrite_framed,
};
use crate::examined::shortened;
use crate::heading::{self, Heading};
use abslink_html::base::Context;
use abslink_html::{self as html, Reference, Rewritten};

/// Whether more lines of a new body than of the old one begin with `From `, or could be read as the beginning of a
/// message.
pub(super) fn begins_anew(old: &[u8], new: &[u8]) -> bool {
    let counts = |body: &[u8]| {
        // Its heading ends with an empty line.
        let text = [b"\n\n", body].concat();
        let (mut messages, mut from) = (0, 0);
        while let Beginning::At(at) = beginning(&text, from, true) {
            (messages, from) = (messages + 1, at);
        }
        (memmem::find_iter(&text, FROM).count(), messages)
    };
    let (old, new) = (counts(old), counts(new));
    new.0 > old.0 || new.1 > old.1
}

/// The frame of a message, with the line before it and the empty line behind it.
fn frame(piece: &[u8]) -> Frame {
    let start = line(piece)
        .filter(|&end| is_from_line(&piece[..end]))
        .unwrap_or(0);
    let blank = match piece {
        [.., b'\n', b'\r', b'\n'] => 2,
        [.., b'\n', b'\n'] => 1,
        _ => 0,
    };
    Frame {
        message: start..(piece.len() - blank).max(start),
        framing: Framing::Mbox,
    }
}

/// The Message-ID of a message.
pub fn id(piece: &[u8]) -> Option<String> {
    let (heading, _) = heading::split(piece, frame(piece).message);
    let field = Heading::new(piece, heading).get("Message-ID")?;
    Some(shortened(String::from_utf8_lossy(field.value).trim()))
}

/// Like [`super::examine`], for a message with the line before it and the empty line behind it.
pub fn examine(
    piece: &[u8],
    context: &Context,
    html: &html::Settings,
    each: &mut dyn FnMut(&Reference<'_>),
) -> Examined {
    examine_framed(piece, &frame(piece), Known { context, html }, each)
}

/// Like [`super::examine`], for a whole mailbox. The number of a document begins with that of its message, such as `3#1.2`.
pub(super) fn examine_all(mailbox: &[u8], known: Known<'_>, each: Each<'_>) -> Examined {
    let mut all = Examined::default();
    for_each(mailbox, &mut all, &mut |start, piece| {
        examine_framed(piece, &frame(piece), known, &mut |reference| {
            let span = &reference.span;
            each(&reference.at(start + span.start..start + span.end));
        })
    });
    all
}

/// Like [`super::rewrite`], for the same.
pub(super) fn rewrite_all<'m>(mailbox: &'m [u8], known: Known<'_>) -> Rewritten<'m, Examined> {
    let (mut all, mut copied, mut new) = (Examined::default(), 0, Vec::new());
    for_each(mailbox, &mut all, &mut |start, piece| {
        let rewritten = rewrite_framed(piece, &frame(piece), known);
        if rewritten.is_changed() {
            new.extend_from_slice(&mailbox[copied..start]);
            new.extend_from_slice(&rewritten.document);
            copied = start + piece.len();
        }
        rewritten.examined
    });
    let new = (copied > 0).then(|| {
        new.extend_from_slice(&mailbox[copied..]);
        new
    });
    Rewritten::of(mailbox, new, all)
}

/// Does each message of a mailbox, which gets its place there, and adds up what that tells.
fn for_each(mailbox: &[u8], all: &mut Examined, each: &mut dyn FnMut(usize, &[u8]) -> Examined) {
    let mut cutter = MessageCutter::new(io::Cursor::new(mailbox));
    // Reading from memory does not fail.
    while let Ok(Some(chunk)) = cutter.chunk() {
        let mut start = 0;
        for (number, &(end, is_whole)) in (chunk.first..).zip(&chunk.messages) {
            // It is in memory.
            let place = chunk.offset as usize + start;
            let examined = if is_whole {
                each(place, &chunk.bytes[start..end])
            } else {
                left_for(html::OUTGROWN)
            };
            start = end;
            let named = |section: String| format!("{number}#{section}");
            let left = examined.left.map(|left| Refusal {
                section: number.to_string(),
                reason: Reason::Document(left),
            });
            let refusals = examined.refusals.into_iter().map(|refusal| Refusal {
                section: named(refusal.section),
                ..refusal
            });
            all.refusals.extend(left.into_iter().chain(refusals));
            let documents = examined.documents.into_iter().map(|document| Document {
                number: named(document.number),
                ..document
            });
            all.documents.extend(documents);
            all.remarks.extend(examined.remarks);
        }
    }
}

/// Like [`super::rewrite`], for a message with the line before it and the empty line behind it. If a part is signed or encrypted, all of the message is left.
pub fn rewrite<'m>(
    piece: &'m [u8],
    context: &Context,
    html: &html::Settings,
) -> Rewritten<'m, Examined> {
    rewrite_framed(piece, &frame(piece), Known { context, html })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_begin_anew() {
        assert!(begins_anew(b"<b>From x", b"From x"));
        assert!(!begins_anew(b"From x\n<b>", b"From x\n"));
        assert!(begins_anew(b"<b>\nFrom x\nA: b", b"\nFrom x\nA: b"));
        assert!(!begins_anew(b"x\n\nFrom x\nA: b", b"\n\nFrom x\nA: b"));
    }

    #[test]
    fn a_mailbox_in_memory() {
        let mbox = "From a\nContent-Type: text/html\n\n<a href=x>\n\nFrom b\nA: b\n\nx\n\n\
                    From c\nContent-Type: text/html\n\n<a href=y>\n";
        let context = Context::retrieved_from("http://h/").unwrap();
        let html = html::Settings::default();
        let rewritten = super::super::rewrite(mbox.as_bytes(), &context, &html);
        let expected = mbox
            .replace("=x", "=http://h/x")
            .replace("=y", "=http://h/y");
        assert_eq!(String::from_utf8_lossy(&rewritten.document), expected);
        let numbers: Vec<_> = rewritten
            .examined
            .documents
            .iter()
            .map(|it| &*it.number)
            .collect();
        assert_eq!(numbers, ["1#1", "3#1"]);
        let mut found = Vec::new();
        super::super::examine(mbox.as_bytes(), &context, &html, &mut |reference| {
            found.push(mbox[reference.span.clone()].to_owned());
        });
        assert_eq!(found, ["x", "y"]);
    }
}
