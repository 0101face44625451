//! Comments by which an author keeps references as they are: `<!-- abslink-ignore -->` before an element, and
//! `<!-- abslink-ignore-file -->` at the beginning of a document.
//!
//! Nothing looks for them: a comment that begins so is found where comments are reported, and only from there
//! on does anything ask about the tags that follow.

use std::ops::Range;

use crate::locate::{Handler, Pieces, StartTag, Syntax};
use crate::text::encoding::HEAD;

const MARK: &[u8] = b"abslink-ignore";
const OF_FILE: &[u8] = b"-file";

/// What a comment says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Directive {
    /// The references of the next element stay.
    Element,
    /// All of the document do.
    Document,
}

impl Directive {
    /// By the data of a comment. What follows the mark is for people, behind a colon or white space.
    #[inline]
    fn of(data: &[u8]) -> Option<Directive> {
        let rest = data.trim_ascii_start().strip_prefix(MARK)?;
        let (asks, rest) = match rest.strip_prefix(OF_FILE) {
            Some(rest) => (Directive::Document, rest),
            None => (Directive::Element, rest),
        };
        let ends = rest
            .first()
            .is_none_or(|&next| next == b':' || next.is_ascii_whitespace());
        ends.then_some(asks)
    }
}

/// What the comments so far ask for, in a document that comes in pieces.
#[derive(Clone, Debug)]
pub(crate) struct Ignored {
    /// Whether anything is: if not, nothing else here has to be looked at.
    pub(crate) is_on: bool,
    pub(crate) document: bool,
    /// The next element is: where in the piece its tag is looked for.
    next: Option<usize>,
    /// The last element is, and so is its text.
    last: bool,
    /// How much of the piece is in the bytes that are seen before anything is written.
    head: usize,
}

impl Default for Ignored {
    fn default() -> Ignored {
        Ignored::with_head(HEAD)
    }
}

impl Ignored {
    /// Before a document, or a part of one, that has so much of these bytes.
    pub(crate) fn with_head(head: usize) -> Ignored {
        Ignored {
            is_on: false,
            document: false,
            next: None,
            last: false,
            head,
        }
    }

    /// The same for markup in the text of an element, which says nothing about the whole document.
    pub(crate) fn within(&self) -> Ignored {
        Ignored {
            is_on: self.document,
            document: self.document,
            ..Ignored::with_head(0)
        }
    }

    /// The whole document is.
    pub(crate) fn all(&mut self) {
        (self.is_on, self.document) = (true, true);
    }

    /// Whether a comment is complete in the head.
    fn is_in_head(&self, slice: &[u8], end: usize) -> bool {
        let closes = [&b"-->"[..], b"--!>"].into_iter();
        let mut closes = closes.filter(|close| slice[end..].starts_with(close));
        closes.any(|close| end + close.len() <= self.head)
    }

    /// Takes note of a comment with its data there.
    #[inline]
    pub(crate) fn comment(&mut self, slice: &[u8], data: &Range<usize>) {
        if self.is_on || slice[data.clone()].trim_ascii_start().starts_with(MARK) {
            self.take(slice, data);
        }
    }

    #[cold]
    fn take(&mut self, slice: &[u8], data: &Range<usize>) {
        match Directive::of(&slice[data.clone()]) {
            Some(Directive::Document) if self.is_in_head(slice, data.end) => self.all(),
            Some(Directive::Element) => (self.is_on, self.next) = (true, Some(data.end)),
            // Markup in another comment is none.
            _ => self.without_tags(slice, data),
        }
    }

    /// Leaves out markup in which no tag begins.
    pub(crate) fn without_tags(&mut self, slice: &[u8], markup: &Range<usize>) {
        if self.is_on {
            self.pass(slice, markup.start);
            self.next = self.next.map(|_| markup.end);
        }
    }

    /// Whether the element is ignored whose name is there.
    pub(crate) fn tag(&mut self, slice: &[u8], name: &Range<usize>) -> bool {
        // Its own `<` begins no other tag. In XML there may be a prefix in between.
        let opens = memchr::memrchr(b'<', &slice[..name.start]);
        self.pass(slice, opens.unwrap_or(name.start));
        self.last = self.document || self.next.take().is_some();
        self.is_on = self.last;
        self.last
    }

    /// Whether the text of the element is ignored that came last.
    pub(crate) fn text(&self) -> bool {
        self.last || self.document
    }

    /// Looks at what comes before `end`: an element in which nothing carries a URL is not reported, and was the
    /// next one all the same.
    fn pass(&mut self, slice: &[u8], end: usize) {
        let is_tag = |at: usize| slice.get(at + 1).is_some_and(u8::is_ascii_alphabetic);
        if let Some(from) = self.next
            && let Some(between) = slice.get(from..end)
            && memchr::memchr_iter(b'<', between).any(|at| is_tag(from + at))
        {
            self.next = None;
            self.is_on = self.document || self.last;
        }
    }

    /// Goes on to the next piece, which begins at `done`.
    pub(crate) fn leave(&mut self, slice: &[u8], done: usize) {
        self.head = self.head.saturating_sub(done);
        if self.is_on {
            self.pass(slice, done);
            self.next = self.next.map(|_| 0);
        }
    }
}

/// Whether a document that begins with these bytes is ignored.
pub(crate) fn is_ignored(head: &[u8], syntax: Syntax) -> bool {
    struct Found<'d>(&'d [u8], Ignored);

    impl Handler for Found<'_> {
        fn start_tag(&mut self, _: &StartTag<'_>) {}
        fn comment(&mut self, data: Range<usize>) {
            self.1.comment(self.0, &data);
        }
    }

    let mark = [MARK, OF_FILE].concat();
    if memchr::memmem::find(head, &mark).is_none() {
        return false;
    }
    let mut found = Found(head, Ignored::default());
    Pieces::new(syntax).locate(head, false, &mut found);
    found.1.document
}

#[cfg(test)]
mod tests;
