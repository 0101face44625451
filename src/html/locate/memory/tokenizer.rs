//! The data state, and the states that lead from one token to the next.

use std::ops::Range;

use memchr::{memchr, memmem};

use super::super::{Handler, RawText, Spelling, StartTag};
use super::tag::{Attributes, Tag, attributes, is, tag_name};
use super::{Construction, Content, Placement, Unclear, find, is_whitespace, raw};

/// A place in a document, between two tokens.
pub(super) struct Tokenizer<'d> {
    document: &'d [u8],
    position: usize,
    /// Whether `noscript` is raw text.
    scripting: bool,
    attributes: Attributes,
}

impl<'d> Tokenizer<'d> {
    /// A tokenizer in the data state at the start of `document`, behind its byte order mark.
    pub(super) fn new(document: &'d [u8], scripting: bool) -> Self {
        let mark = if document.starts_with("\u{feff}".as_bytes()) {
            3
        } else {
            0
        };
        Tokenizer {
            document,
            position: mark,
            scripting,
            attributes: Attributes::default(),
        }
    }

    /// Data state: goes on to the token at `end`.
    pub(super) fn run<C: Construction<'d>, H: Handler>(
        &mut self,
        tree: &mut C,
        handler: &mut H,
        end: usize,
    ) -> Result<(), Unclear> {
        let document = self.document;
        let mut text = self.position;
        while let Some(rest) = document.get(self.position..end)
            && let Some(found) = find(b'<', rest)
        {
            let at = self.position + found;
            // Tag open state.
            match document.get(at + 1) {
                Some(b'/' | b'!' | b'?') => {}
                Some(letter) if letter.is_ascii_alphabetic() => {}
                _ => {
                    self.position = at + 1;
                    continue;
                }
            }
            self.text(tree, handler, Spelling::References, text..at);
            self.position = self.token(tree, handler, at)?;
            text = self.position;
        }
        self.text(tree, handler, Spelling::References, text..end.max(text));
        self.position = self.position.max(end);
        Ok(())
    }

    /// Characters between two tokens.
    fn text<C: Construction<'d>, H: Handler>(
        &self,
        tree: &mut C,
        handler: &mut H,
        spelling: Spelling,
        text: Range<usize>,
    ) {
        if text.is_empty() {
            return;
        }
        tree.text(&self.document[text.clone()], spelling);
        if let Some(element) = tree.foreign().and_then(|current| current.text) {
            handler.raw_text(element, spelling, text);
        }
    }

    /// Tag open state at the `<` at `at`; returns where the token ends.
    fn token<C: Construction<'d>, H: Handler>(
        &mut self,
        tree: &mut C,
        handler: &mut H,
        at: usize,
    ) -> Result<usize, Unclear> {
        let document = self.document;
        match document[at + 1] {
            b'/' => self.end_tag(tree, at),
            b'!' => Ok(self.markup_declaration(tree, handler, at)),
            b'?' => Ok(bogus_comment(document, tree, at)),
            _ => self.start_tag(tree, handler, at),
        }
    }

    /// Tag name state of a start tag, and the states up to its end and to that of its raw text.
    fn start_tag<C: Construction<'d>, H: Handler>(
        &mut self,
        tree: &mut C,
        handler: &mut H,
        at: usize,
    ) -> Result<usize, Unclear> {
        let document = self.document;
        let Some(name_end) = tag_name(document, at + 1) else {
            return Ok(document.len());
        };
        self.attributes.clear();
        let add = |attribute| self.attributes.add(document, attribute);
        let Some(end) = attributes(document, name_end, add) else {
            return Ok(document.len());
        };
        let name = at + 1..name_end;
        let tag = Tag {
            document,
            name: &document[name.clone()],
            attributes: &self.attributes,
            self_closing: end.self_closing,
        };
        let placed = tree.start_tag(&tag).map_err(|_| Unclear { at })?;
        let Some(Placement {
            namespace,
            content,
            base_counts,
        }) = placed
        else {
            return Ok(end.position);
        };
        let attributes = &self.attributes.list;
        handler.start_tag(&StartTag {
            name,
            namespace,
            attributes,
            base_counts,
        });
        let parsed = !self.scripting && is(tag.name, b"noscript");
        if content == Content::Data || parsed {
            return Ok(end.position);
        }
        Ok(raw_text(document, handler, tag.name, content, end.position))
    }

    /// End tag open state.
    fn end_tag<C: Construction<'d>>(&self, tree: &mut C, at: usize) -> Result<usize, Unclear> {
        let document = self.document;
        match document.get(at + 2) {
            Some(letter) if letter.is_ascii_alphabetic() => {}
            None | Some(b'>') => return Ok((at + 3).min(document.len())),
            Some(_) => return Ok(bogus_comment(document, tree, at)),
        }
        let Some(name_end) = tag_name(document, at + 2) else {
            return Ok(document.len());
        };
        let Some(end) = attributes(document, name_end, |_| {}) else {
            return Ok(document.len());
        };
        tree.end_tag(&document[at + 2..name_end])
            .map_err(|_| Unclear { at })?;
        Ok(end.position)
    }

    /// Markup declaration open state.
    fn markup_declaration<C: Construction<'d>, H: Handler>(
        &self,
        tree: &mut C,
        handler: &mut H,
        at: usize,
    ) -> usize {
        let document = self.document;
        let declaration = &document[at + 2..];
        if declaration.starts_with(b"--") {
            tree.comment();
            let (data, end) = comment(document, at + 4);
            handler.comment(data);
            return end;
        }
        if declaration.starts_with(b"[CDATA[") && tree.foreign().is_some() {
            // CDATA section state.
            let start = at + b"<![CDATA[".len();
            let length = memmem::find(&document[start..], b"]]>");
            let data = start..length.map_or(document.len(), |length| start + length);
            let end = (data.end + b"]]>".len()).min(document.len());
            self.text(tree, handler, Spelling::Literal, data);
            return end;
        }
        let end = bogus_comment(document, tree, at);
        if declaration
            .get(..7)
            .is_some_and(|keyword| is(keyword, b"doctype"))
        {
            // DOCTYPE states: in every one of them a `>` ends the token.
            let name = document[at + 9..end].trim_ascii_start();
            let length = name
                .iter()
                .position(|&byte| byte == b'>' || is_whitespace(byte));
            tree.doctype(is(&name[..length.unwrap_or(name.len())], b"html"));
        }
        end
    }
}

/// Bogus comment state: where the token that starts at `at` ends.
fn bogus_comment<'d, C: Construction<'d>>(document: &[u8], tree: &mut C, at: usize) -> usize {
    tree.comment();
    memchr(b'>', &document[at..]).map_or(document.len(), |length| at + length + 1)
}

/// Comment start state, and those that follow it: the comment's data, and where its token ends.
fn comment(document: &[u8], start: usize) -> (Range<usize>, usize) {
    let mut at = start;
    while let Some(found) = memchr(b'>', &document[at..]) {
        at += found;
        // The dashes of `<!--` may be those of `-->`, but not those of `--!>`.
        if document[start - 2..at].ends_with(b"--") {
            return (start..at.saturating_sub(2).max(start), at + 1);
        }
        if document[start..at].ends_with(b"--!") {
            return (start..at - 3, at + 1);
        }
        at += 1;
    }
    // At the end of the file, what might have become `-->` is no data.
    let data = &document[start..];
    let partial = [b"--!".as_slice(), b"--", b"-"]
        .into_iter()
        .find(|&end| data.ends_with(end));
    (
        start..document.len() - partial.map_or(0, <[u8]>::len),
        document.len(),
    )
}

/// The content of an element that holds no markup; returns where its end tag ends.
fn raw_text<H: Handler>(
    document: &[u8],
    handler: &mut H,
    name: &[u8],
    content: Content,
    start: usize,
) -> usize {
    let end = match content {
        Content::Data => start,
        Content::Rcdata | Content::Rawtext => raw::text_end(document, start, name),
        Content::ScriptData => raw::script_end(document, start),
        Content::Plaintext => document.len(),
    };
    if let Some(element) = reported_text(name) {
        handler.raw_text(element, Spelling::Literal, start..end);
    }
    let name_end = (end + 2 + name.len()).min(document.len());
    attributes(document, name_end, |_| {}).map_or(document.len(), |tag| tag.position)
}

/// Which text of an HTML element is reported.
fn reported_text(name: &[u8]) -> Option<RawText> {
    let reported = [
        ("style", RawText::Style),
        ("script", RawText::Script),
        ("noscript", RawText::Noscript),
        ("noframes", RawText::Noframes),
    ];
    let found = reported
        .iter()
        .find(|(element, _)| is(name, element.as_bytes()))?;
    Some(found.1)
}
