//! Which bytes begin a message, and what it is framed by.

use crate::heading::{HeaderField, Heading};

/// What stands around the messages of a file.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// Nothing: the file is one message, of mail or of HTTP.
    Single,
    /// A line that begins with `From ` before each message (RFC 4155).
    Mbox,
    /// The number of its bytes before one message and a property list behind it, as Apple Mail writes.
    Emlx,
}

/// Fields that only a message has.
const TELLING: [&str; 7] = [
    "Received",
    "Return-Path",
    "Delivered-To",
    "Message-ID",
    "MIME-Version",
    "Content-Type",
    "Content-Transfer-Encoding",
];

/// How a file with messages begins, by its first bytes; `None` if those are not a message's. Metadata such
/// as `Title:` and `Date:` above a text is not a message.
#[doc(hidden)]
pub fn framing(head: &[u8]) -> Option<Framing> {
    let (line, rest) = head.split_at(memchr::memchr(b'\n', head)? + 1);
    if is_from_line(line) {
        begins_with_field(rest).then_some(Framing::Mbox)
    } else if is_number(line) {
        begins_with_field(rest).then_some(Framing::Emlx)
    } else if matches!(line, [b'H', b'T', b'T', b'P', b'/', b'0'..=b'9', ..]) {
        begins_with_field(rest).then_some(Framing::Single)
    } else {
        is_message(head).then_some(Framing::Single)
    }
}

/// Whether a line may stand before a message of an mbox. `From : a@b` is a field as mail once wrote it.
pub(super) fn is_from_line(line: &[u8]) -> bool {
    line.starts_with(b"From ") && !begins_with_field(line)
}

/// Whether the first line is a header field.
pub(super) fn begins_with_field(text: &[u8]) -> bool {
    leading(text).next().is_some()
}

fn is_number(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    !line.is_empty() && line.iter().all(u8::is_ascii_digit)
}

fn is_message(head: &[u8]) -> bool {
    let (mut count, mut tells) = (0_usize, false);
    let (mut has_author, mut has_what_goes_with_it) = (false, false);
    for field in leading(head) {
        let is_one_of = |names: &[&str]| names.iter().any(|name| field.is(name));
        count += 1;
        tells |= is_one_of(&TELLING);
        has_author |= field.is("From");
        has_what_goes_with_it |= is_one_of(&["To", "Subject", "Date"]);
        if count > 1 && (tells || has_author && has_what_goes_with_it) {
            return true;
        }
    }
    false
}

fn leading(text: &[u8]) -> impl Iterator<Item = HeaderField<'_>> {
    Heading::new(text, 0..text.len()).leading()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes() {
        for line in include_str!("../../testdata/first-bytes.tsv").lines() {
            let Some((expected, text)) = line.split_once('\t').filter(|_| !line.starts_with('#'))
            else {
                continue;
            };
            let text = text
                .replace('␍', "\r")
                .replace('␊', "\n")
                .replace('␉', "\t");
            let expected = match expected {
                "message" => Some(Framing::Single),
                "mbox" => Some(Framing::Mbox),
                "emlx" => Some(Framing::Emlx),
                _ => None,
            };
            assert_eq!(framing(text.as_bytes()), expected, "{text:?}");
        }
    }

    #[test]
    fn a_long_heading_may_be_cut() {
        let received =
            "Received: from a by b;\r\n\tFri, 1 Jan 2021 00:00:00 +0000\r\n".repeat(2000);
        assert_eq!(
            framing(&received.as_bytes()[..64 << 10]),
            Some(Framing::Single)
        );
    }
}
