//! Cuts an mbox into messages.

use std::io::{self, Read, Seek, SeekFrom};

use memchr::memmem;

use super::super::framing::{begins_with_field, is_from_line};
use crate::heading::Heading;
use abslink_html as html;

/// About how long a chunk is.
const CHUNK: usize = 256 << 10;

/// How long a message may be: as long as what may become of it.
const LONGEST: usize = html::HELD as usize;

/// How far a header field may be from the beginning of its message's first line.
const LOOKED_AT: usize = 4 << 10;

/// Messages that follow each other, or a part of one that is too long.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct MessageChunk {
    /// The number of its first message, from 1.
    pub first: u64,
    /// Where it begins in the file, and how many lines are before it.
    pub offset: u64,
    pub lines: u64,
    pub bytes: Vec<u8>,
    /// Where each message ends, and whether it is whole, with the line before it and the empty line behind it. Of one
    /// that is too long to be held, and is left, this is the beginning, and the rest follows. What comes behind the last
    /// one is no message.
    pub messages: Vec<(usize, bool)>,
}

/// Reads a file and cuts it into messages.
pub struct MessageCutter<R> {
    from: R,
    /// What was read and not yet passed on.
    rest: Vec<u8>,
    /// The number of the next message.
    next: u64,
    /// Where `rest` begins.
    offset: u64,
    lines: u64,
    is_all: bool,
    /// Inside of what is passed on unread: where it ends, if that is known.
    passes: Option<Option<u64>>,
    longest: usize,
}

/// What is found of the line that begins a message.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Beginning {
    At(usize),
    /// More has to be read to tell whether it is here.
    Maybe(usize),
    Nowhere,
}

impl<R: Read + Seek> MessageCutter<R> {
    /// `from` is at its start.
    pub fn new(from: R) -> MessageCutter<R> {
        MessageCutter {
            from,
            rest: Vec::new(),
            next: 1,
            offset: 0,
            lines: 0,
            is_all: false,
            passes: None,
            longest: LONGEST,
        }
    }

    /// The next messages; `None` at the end of the file.
    pub fn chunk(&mut self) -> io::Result<Option<MessageChunk>> {
        self.fill(CHUNK)?;
        if self.rest.is_empty() {
            return Ok(None);
        }
        if self.offset == 0 && self.passes.is_none() && !begins_message(&self.rest) {
            let is_blank = |byte: &u8| matches!(byte, b'\r' | b'\n');
            let blank = self.rest.iter().take_while(|byte| is_blank(byte)).count();
            if blank > 0 && begins_message(&self.rest[blank..]) {
                return Ok(Some(self.split(blank, Vec::new())));
            }
            self.passes = Some(None);
        }
        if let Some(until) = self.passes {
            return self.pass(until).map(Some);
        }
        let (mut messages, mut at) = (Vec::new(), 0);
        while at < self.rest.len().min(CHUNK) {
            match self.end(at)? {
                Ok(end) => {
                    messages.push((end, true));
                    at = end;
                }
                Err((held, until)) if at == 0 => {
                    self.passes = Some(until);
                    return Ok(Some(self.split(held, vec![(held, false)])));
                }
                // It comes first in the next chunk, and may be long.
                Err(_) => break,
            }
        }
        Ok(Some(self.split(at, messages)))
    }

    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        let missing = wanted.saturating_sub(self.rest.len());
        if !self.is_all && missing > 0 {
            self.rest.reserve_exact(missing);
            let read = (&mut self.from)
                .take(missing as u64)
                .read_to_end(&mut self.rest)?;
            self.is_all = read < missing;
        }
        Ok(())
    }

    /// Reads more of the message at `start`; returns whether there may be more of it than there was. What comes
    /// behind a long message takes memory while that is worked on, so that only the first of a chunk may be long.
    fn grow(&mut self, start: usize) -> io::Result<bool> {
        let length = self.rest.len();
        if self.is_all || start > 0 || length > self.longest {
            return Ok(false);
        }
        let more = (length / 4).max(CHUNK);
        self.fill((length + more).min(self.longest + 1))?;
        Ok(true)
    }

    /// Where the message at `start` ends; of one that is too long to be held, how much was read and can be passed on,
    /// and where it ends in the file, if that is known.
    fn end(&mut self, start: usize) -> io::Result<Result<usize, (usize, Option<u64>)>> {
        let mut searched = start;
        let body = loop {
            let body = behind_blank_line(&self.rest, searched);
            if body.is_some() {
                break body;
            }
            searched = self.rest.len().saturating_sub(2).max(start);
            if !self.grow(start)? {
                break None;
            }
        };
        if let Some(body) = body
            && let Some(end) = self.by_length(start, body)?
        {
            let length = usize::try_from(end - self.offset).unwrap_or(usize::MAX);
            if length > self.rest.len() && (start > 0 || length > self.longest) {
                return Ok(Err((self.rest.len(), Some(end))));
            }
            self.fill(length)?;
            return Ok(Ok(length.min(self.rest.len())));
        }
        // The empty line before the next message may be the one behind the heading.
        searched = body.map_or(searched, |body| body - 1);
        loop {
            searched = match beginning(&self.rest, searched, self.is_all) {
                Beginning::At(end) => return Ok(Ok(end)),
                Beginning::Maybe(at) => at,
                Beginning::Nowhere => (self.rest.len() + 1)
                    .saturating_sub(FROM.len())
                    .max(searched),
            };
            if !self.grow(start)? {
                return Ok(if self.is_all {
                    Ok(self.rest.len())
                } else {
                    Err((before_blank_line(searched).max(start + 1), None))
                });
            }
        }
    }

    /// Where the next message begins in the file if the Content-Length of this one is right.
    fn by_length(&mut self, start: usize, body: usize) -> io::Result<Option<u64>> {
        let heading = Heading::new(&self.rest, start..body);
        let Some(field) = heading.get("Content-Length") else {
            return Ok(None);
        };
        let length = std::str::from_utf8(field.value.trim_ascii()).ok();
        let length = length.and_then(|length| length.parse::<u64>().ok());
        let body = self.offset + body as u64;
        let Some(end) = length.and_then(|length| body.checked_add(length)) else {
            return Ok(None);
        };
        // With the empty line before it, and up to a field that is not longer than usual.
        let from = end.saturating_sub(3).max(body - 1);
        let mut around = vec![0; LOOKED_AT];
        let read = self.read_at(from, &mut around)?;
        let around = &around[..read];
        // At most three.
        let at = (end - from) as usize;
        let Some(rest) = around.get(at..) else {
            return Ok(None);
        };
        let leads_to = |at: usize| {
            let before = &around[..at];
            let is_blank =
                before == b"\n" || before.ends_with(b"\n\n") || before.ends_with(b"\n\r\n");
            at == read || is_blank && begins_message(&around[at..])
        };
        let more = meant(rest).into_iter().find(|more| leads_to(at + more));
        Ok(more.map(|more| end + more as u64))
    }

    fn read_at(&mut self, at: u64, into: &mut [u8]) -> io::Result<usize> {
        let here = self.offset + self.rest.len() as u64;
        self.from.seek(SeekFrom::Start(at))?;
        let mut read = 0;
        loop {
            match self.from.read(&mut into[read..]) {
                Ok(0) => break,
                Ok(more) => read += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.from.seek(SeekFrom::Start(here))?;
        Ok(read)
    }

    /// More of what is passed on unread.
    fn pass(&mut self, until: Option<u64>) -> io::Result<MessageChunk> {
        let mut searched = 0;
        let end = loop {
            let length = self.rest.len();
            if let Some(until) = until {
                break usize::try_from(until - self.offset).map_or(length, |left| left.min(length));
            }
            match beginning(&self.rest, searched, self.is_all) {
                Beginning::At(end) => {
                    self.passes = None;
                    break end;
                }
                Beginning::Nowhere if self.is_all => break length,
                Beginning::Nowhere => break before_blank_line(length - FROM.len()),
                Beginning::Maybe(at) if before_blank_line(at) > 0 => break before_blank_line(at),
                Beginning::Maybe(at) => searched = at,
            }
            if !self.grow(0)? {
                break self.rest.len();
            }
        };
        let chunk = self.split(end, Vec::new());
        if until == Some(self.offset) {
            self.passes = None;
        }
        Ok(chunk)
    }

    fn split(&mut self, end: usize, messages: Vec<(usize, bool)>) -> MessageChunk {
        let rest = self.rest.split_off(end);
        let mut bytes = std::mem::replace(&mut self.rest, rest);
        if bytes.capacity() > 2 * CHUNK {
            bytes.shrink_to_fit();
        }
        let chunk = MessageChunk {
            first: self.next,
            offset: self.offset,
            lines: self.lines,
            bytes,
            messages,
        };
        self.next += chunk.messages.len() as u64;
        self.offset += chunk.bytes.len() as u64;
        self.lines += memchr::memchr_iter(b'\n', &chunk.bytes).count() as u64;
        chunk
    }
}

/// A Content-Length leads to the end of a message, or to the line break before that. `rest` is what it leads to; the end
/// is that many bytes further.
pub(in super::super) fn meant(rest: &[u8]) -> [usize; 2] {
    let line_break = match rest {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => 0,
    };
    [0, line_break]
}

/// What stands before a message, with the end of the line before it.
pub(super) const FROM: &[u8] = b"\nFrom ";

/// Where the empty line may begin that ends with the line break at `feed`.
fn before_blank_line(feed: usize) -> usize {
    feed.saturating_sub(2)
}

/// The first beginning of a message whose empty line ends at `from` or later.
pub(super) fn beginning(bytes: &[u8], from: usize, is_all: bool) -> Beginning {
    for found in memmem::find_iter(&bytes[from..], FROM) {
        let feed = from + found;
        let before = &bytes[..feed];
        let is_blank = before.ends_with(b"\n") || before.ends_with(b"\n\r");
        if !is_blank {
            continue;
        }
        let rest = &bytes[feed + 1..];
        if begins_message(rest) {
            return Beginning::At(feed + 1);
        }
        // The name of the field may go on.
        let next = line(rest).map(|end| &rest[end..]);
        if !is_all && next.is_none_or(is_unended_name) {
            return Beginning::Maybe(feed);
        }
    }
    Beginning::Nowhere
}

/// Whether a line that begins with `From ` and a header field come first.
fn begins_message(text: &[u8]) -> bool {
    line(text).is_some_and(|end| is_from_line(&text[..end]) && begins_with_field(&text[end..]))
}

fn is_unended_name(text: &[u8]) -> bool {
    text.iter()
        .all(|byte| byte.is_ascii_graphic() || matches!(byte, b' ' | b'\t'))
}

/// How long the first line is, with its line break.
pub(super) fn line(text: &[u8]) -> Option<usize> {
    Some(memchr::memchr(b'\n', text)? + 1)
}

/// What is behind the first empty line, which follows a line break at `from` or later.
fn behind_blank_line(bytes: &[u8], from: usize) -> Option<usize> {
    let feeds = memchr::memchr_iter(b'\n', bytes.get(from..)?);
    feeds
        .map(|feed| from + feed + 1)
        .find_map(|next| match bytes[next..] {
            [b'\n', ..] => Some(next + 1),
            [b'\r', b'\n', ..] => Some(next + 2),
            _ => None,
        })
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn cut(mbox: &str, longest: usize) -> Vec<(u64, String, bool)> {
        let mut cutter = MessageCutter::new(Cursor::new(mbox.as_bytes()));
        cutter.longest = longest;
        let (mut messages, mut all) = (Vec::new(), Vec::new());
        while let Some(chunk) = cutter.chunk().unwrap() {
            assert_eq!(chunk.offset, all.len() as u64);
            let lines = memchr::memchr_iter(b'\n', &all).count();
            assert_eq!(chunk.lines, lines as u64);
            let mut start = 0;
            for (number, &(end, is_whole)) in (chunk.first..).zip(&chunk.messages) {
                let text = String::from_utf8(chunk.bytes[start..end].to_vec()).unwrap();
                messages.push((number, text, is_whole));
                start = end;
            }
            all.extend(chunk.bytes);
        }
        assert_eq!(String::from_utf8(all).unwrap(), mbox);
        messages
    }

    /// A line for each case: messages between `|`.
    #[test]
    fn where_messages_begin() {
        for line in include_str!("../../../testdata/mbox.tsv").lines() {
            let Some((name, text)) = line.split_once('\t').filter(|_| !line.starts_with('#'))
            else {
                continue;
            };
            let text = text.replace('␍', "\r").replace('␊', "\n");
            let mut expected: Vec<&str> = text.split('|').collect();
            let before = expected.remove(0);
            let found = cut(&text.replace('|', ""), LONGEST);
            let found: Vec<_> = found.iter().map(|(_, text, _)| &**text).collect();
            assert_eq!(found, expected, "{name}: {before:?}");
        }
    }

    #[test]
    fn long_and_many_messages() {
        let body = "line of text\n".repeat(1000);
        let one = format!("From a\nA: b\n\n{body}\n");
        let found = cut(&one.repeat(200), LONGEST);
        assert_eq!(found.len(), 200);
        assert!(found.iter().all(|(_, text, _)| *text == one));
        let long = format!("From a\nA: b\n\n{}\n", body.repeat(200));
        let found = cut(&[&*one, &long, &one].concat(), LONGEST);
        let texts: Vec<_> = found.iter().map(|(_, text, _)| &**text).collect();
        assert!(texts == [&*one, &long, &one]);
    }

    #[test]
    fn a_message_that_is_too_long_is_passed_on() {
        let body = "line of text\n".repeat(100_000);
        let one = "From a\nA: b\n\nx\n\n";
        let counted = format!(
            "From a\nContent-Length: {}\n\n{body}{one}",
            body.len() + one.len()
        );
        for long in [format!("From a\nA: b\n\n{body}\n"), counted] {
            for before in ["", one] {
                let found = cut(&[before, &long, one].concat(), 500_000);
                let told: Vec<_> = found
                    .iter()
                    .map(|(number, _, is_whole)| (*number, *is_whole))
                    .collect();
                let mut expected = vec![(1, true), (2, false), (3, true)];
                if before.is_empty() {
                    expected = vec![(1, false), (2, true)];
                }
                assert_eq!(told, expected);
            }
        }
    }

    /// The beginning of a message may be anywhere in what is read at a time.
    #[test]
    fn nothing_is_missed_where_reading_ends() {
        for line_end in ["\n", "\r\n"] {
            let one = format!("From a{line_end}Abc: d{line_end}{line_end}");
            for more in 0..one.len() + 8 {
                let body = "x".repeat(CHUNK - more);
                let long =
                    format!("From a{line_end}A: b{line_end}{line_end}{body}{line_end}{line_end}");
                let found = cut(&[&*long, &one].concat(), LONGEST);
                assert_eq!(found.len(), 2, "{more}");
                let found = cut(&[&*long, &one].concat(), CHUNK / 2);
                assert_eq!(found.len(), 2, "{more}, passed on");
            }
        }
    }
}
