//! Where a message is in its file, and what of that follows when the message changes.

use std::ops::Range;

use super::framing::{Framing, framing};
use crate::heading;
use abslink_html::Edit;

/// A message, and what stands around it. Of an mbox that is a line before it and an empty one behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) message: Range<usize>,
    pub(super) framing: Framing,
}

/// Why an .emlx is left.
const MISCOUNTED: &str = "the number on its first line is not the length of its message";

impl Frame {
    /// The message of a file that is not an mbox.
    pub(super) fn of(file: &[u8]) -> Result<Frame, &'static str> {
        match framing(file) {
            Some(Framing::Emlx) => Frame::of_emlx(file).ok_or(MISCOUNTED),
            _ => Ok(Frame {
                message: last_of_http(file)..file.len(),
                framing: Framing::Single,
            }),
        }
    }

    fn of_emlx(file: &[u8]) -> Option<Frame> {
        let start = heading::line_end(file, 0, file.len());
        let count = std::str::from_utf8(file[..start].trim_ascii_end()).ok()?;
        let count: usize = count.parse().ok()?;
        let end = start.checked_add(count)?;
        let behind = file.get(end..)?.trim_ascii_start();
        let is_property_list = [&b"<?xml"[..], b"<!DOCTYPE", b"<plist", b"bplist"]
            .iter()
            .any(|begins| behind.starts_with(begins));
        (behind.is_empty() || is_property_list).then_some(Frame {
            message: start..end,
            framing: Framing::Emlx,
        })
    }

    /// What else changes in the file when these edits change the message.
    pub(super) fn edit(&self, file: &[u8], edits: &[Edit]) -> Option<Edit> {
        if self.framing != Framing::Emlx {
            return None;
        }
        let length = edits.iter().fold(self.message.len(), |length, (old, new)| {
            length + new.len() - old.len()
        });
        // Mail pads the number with blanks.
        let line = file[..self.message.start].strip_suffix(b"\n")?;
        let width = line.strip_suffix(b"\r").unwrap_or(line).len();
        Some((0..width, format!("{length:<width$}").into_bytes()))
    }
}

/// Where the last of several HTTP responses begins: `curl -iL` shows the heads of redirections as well.
fn last_of_http(file: &[u8]) -> usize {
    let is_head = |at: usize| {
        file[at..].starts_with(b"HTTP/") && framing(&file[at..]) == Some(Framing::Single)
    };
    let mut start = 0;
    while is_head(start) {
        let (_, body) = heading::split(file, start..file.len());
        if !is_head(body.start) {
            break;
        }
        start = body.start;
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_emlx_says_how_long_its_message_is() {
        let emlx = b"12    \nA: b\n\nbody\n\n<?xml version=\"1.0\"?>";
        let frame = Frame::of(emlx).unwrap();
        assert_eq!(&emlx[frame.message.clone()], b"A: b\n\nbody\n\n");
        let edit = |new: &str| frame.edit(emlx, &[(13..17, new.into())]).unwrap();
        assert_eq!(edit("x"), (0..6, b"9     ".to_vec()));
        assert_eq!(edit(&"x".repeat(9_999_999)).1, b"10000007");
        for miscounted in [
            "99\nA: b\n\n",
            "3\nA: b\n\n",
            "99999999999999999999999\nA: b\n",
        ] {
            assert_eq!(Frame::of(miscounted.as_bytes()), Err(MISCOUNTED));
        }
    }

    #[test]
    fn the_last_response_is_the_one_with_the_document() {
        let file = b"HTTP/1.1 301 x\r\nA: b\r\n\r\nHTTP/1.1 200 x\r\nC: d\r\n\r\nbody";
        assert_eq!(&file[Frame::of(file).unwrap().message], &file[24..]);
        assert_eq!(
            Frame::of(b"A: b\n\nHTTP/1.1 200\nC: d\n\n")
                .unwrap()
                .message
                .start,
            0
        );
    }
}
