//! The data state, and the states that lead from one token to the next.
//!
//! Rare cases stand out of line, so that the data state and ordinary tags keep their position
//! in registers: each token waits for the end of the one before it.

use std::ops::Range;

use memchr::{memchr, memmem, memrchr};

use super::super::{Attribute, Handler, Namespace, Spelling, StartTag};
use super::foreign::reported_text;
use super::tag::{Attributes, AttributesEnd, Tag, attributes, is, tag_name};
use super::{BaseOrder, Construction, Content, Halt, Placement, find, is_whitespace, raw, skip};

/// A place in a document, between two tokens.
pub(super) struct Tokenizer<'d> {
    document: &'d [u8],
    /// How far it has got.
    pub(super) position: usize,
    /// Whether `noscript` is raw text.
    scripting: bool,
    /// Whether the document goes on after these bytes.
    pub(super) goes_on: bool,
    /// The element whose raw text starts at the position, if its end has not been found
    /// yet.
    pub(super) open: Option<RawElement>,
    attributes: Attributes,
}

/// An element whose content is not markup.
pub(super) struct RawElement {
    name: Box<[u8]>,
    content: Content,
}

impl<'d> Tokenizer<'d> {
    /// A tokenizer in the data state at the start of `document`, after its byte order mark.
    pub(super) fn new(document: &'d [u8], scripting: bool) -> Self {
        let has_mark = document.starts_with("\u{feff}".as_bytes());
        Tokenizer {
            document,
            position: if has_mark { 3 } else { 0 },
            scripting,
            goes_on: false,
            open: None,
            attributes: Attributes::default(),
        }
    }

    /// HTML standard, "data state" and "tag open state": goes on to the token at `end`.
    ///
    /// When it halts, everything before the position was reported.
    pub(super) fn run<C: Construction, H: Handler>(
        &mut self,
        tree: &mut C,
        handler: &mut H,
        end: usize,
    ) -> Result<(), Halt> {
        let document = self.document;
        if let Some(RawElement { name, content }) = self.open.take() {
            self.position = self.raw_text(handler, &name, content, self.position)?;
        }
        let skips = !handler.wants_bare() && !handler.wants(b"class") && !handler.wants(b"id");
        let mut text = self.position;
        loop {
            if skips && tree.is_plain() {
                let stop = skip::usual(&document[..end], self.position);
                (self.position, text) = (stop.at, stop.at);
                if let Some([name_end, from]) = stop.ordinary {
                    let name = stop.at + 1..name_end;
                    self.position = self.ordinary_start_tag(tree, handler, name, from)?;
                    text = self.position;
                    continue;
                }
            }
            let Some(found) = document.get(self.position..end).and_then(next_tag) else {
                break;
            };
            let at = self.position + found;
            // Tag open state.
            let next = document.get(at + 1).copied();
            match next {
                Some(b'/' | b'!' | b'?' | b'A'..=b'Z' | b'a'..=b'z') => {}
                None if self.goes_on => break,
                _ => {
                    self.position = at + 1;
                    continue;
                }
            }
            self.text(tree, handler, Spelling::References, text..at);
            self.position = at;
            self.position = match next {
                Some(b'/') => self.end_tag(tree, handler, at)?,
                Some(b'!') => self.markup_declaration(tree, handler, at)?,
                Some(b'?') => self.bogus_comment(tree, handler, at)?,
                _ => self.start_tag(tree, handler, at)?,
            };
            text = self.position;
        }
        if self.goes_on {
            // Reported text is reported whole.
            let length = if tree.reported_text().is_some() {
                0
            } else {
                complete(&document[text..])
            };
            self.text(tree, handler, Spelling::References, text..text + length);
            self.position = text + length;
            return Err(Halt::Incomplete);
        }
        self.text(tree, handler, Spelling::References, text..end.max(text));
        self.position = self.position.max(end);
        Ok(())
    }

    /// The end-of-file token, in any state: where a token ends if the document ends in it.
    fn end_of_file(&self) -> Result<usize, Halt> {
        if self.goes_on {
            Err(Halt::Incomplete)
        } else {
            Ok(self.document.len())
        }
    }

    /// "Data state", anything else: characters between two tokens.
    #[inline]
    fn text<C: Construction, H: Handler>(
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
        if let Some(element) = tree.reported_text() {
            handler.raw_text(element, spelling, text);
        }
    }

    /// "Tag name state" of a start tag, and the states up to its end and to that of its raw text.
    #[inline(never)]
    fn start_tag<C: Construction, H: Handler>(
        &mut self,
        tree: &mut C,
        handler: &mut H,
        at: usize,
    ) -> Result<usize, Halt> {
        let document = self.document;
        let Some(name_end) = tag_name(document, at + 1) else {
            return self.end_of_file();
        };
        let name = at + 1..name_end;
        if tree.is_ordinary(&document[name.clone()]) {
            return self.ordinary_start_tag(tree, handler, name, name_end);
        }
        match self.wanted_attributes(tree, handler, name_end) {
            Some(end) => self.special_start_tag(tree, handler, name, end),
            None => self.end_of_file(),
        }
    }

    /// Keeps the attributes of a start tag that matter; `None` at the end of the file.
    #[inline]
    fn wanted_attributes<C: Construction, H: Handler>(
        &mut self,
        tree: &C,
        handler: &H,
        from: usize,
    ) -> Option<AttributesEnd> {
        let document = self.document;
        self.attributes.clear();
        let all = tree.looks_at_attributes();
        attributes(document, from, |attribute: Attribute| {
            if all || handler.wants(&document[attribute.name.clone()]) {
                self.attributes.add(document, attribute);
            }
        })
    }

    /// A start tag that makes an HTML element and does nothing else. Its attributes matter from `from` on.
    #[inline(never)]
    fn ordinary_start_tag<C: Construction, H: Handler>(
        &mut self,
        tree: &mut C,
        handler: &mut H,
        name: Range<usize>,
        from: usize,
    ) -> Result<usize, Halt> {
        let Some(end) = self.wanted_attributes(tree, handler, from) else {
            return self.end_of_file();
        };
        let attributes = &self.attributes.list;
        if !attributes.is_empty() || handler.wants_bare() {
            handler.start_tag(&StartTag {
                name,
                namespace: Namespace::Html,
                attributes,
                xlink: None,
                base_applies: tree.base_applies(),
                is_inert: tree.is_inert(),
                precedes: false,
                is_exact: false,
            });
        }
        Ok(end.position)
    }

    /// A start tag that the tree construction stage has to be asked about, since it may switch the
    /// tokenizer to another state ("generic raw text element parsing algorithm" and others);
    /// returns where the tag ends, or its raw text.
    #[inline(never)]
    fn special_start_tag<C: Construction, H: Handler>(
        &mut self,
        tree: &mut C,
        handler: &mut H,
        name: Range<usize>,
        end: AttributesEnd,
    ) -> Result<usize, Halt> {
        let document = self.document;
        let tag = Tag {
            document,
            name: &document[name.clone()],
            attributes: &self.attributes,
            self_closing: end.self_closing,
        };
        let (base_applies, is_inert) = (tree.base_applies(), tree.is_inert());
        let placed = tree.start_tag(&tag)?;
        let Some(Placement {
            namespace,
            content,
            base,
        }) = placed
        else {
            return Ok(end.position);
        };
        let attributes = &self.attributes.list;
        if base == BaseOrder::Removed {
            handler.bases_removed(name.start);
        }
        handler.start_tag(&StartTag {
            name,
            namespace,
            attributes,
            xlink: None,
            base_applies,
            is_inert,
            precedes: base == BaseOrder::Precedes,
            is_exact: false,
        });
        let parsed = !self.scripting && is(tag.name, b"noscript");
        if content == Content::Data || parsed {
            return Ok(end.position);
        }
        let name = tag.name;
        self.raw_text(handler, name, content, end.position)
    }

    /// "RCDATA state", "RAWTEXT state", "script data state" and "PLAINTEXT state": the content of
    /// an element without markup; returns where its end tag ends.
    fn raw_text<H: Handler>(
        &mut self,
        handler: &mut H,
        name: &[u8],
        content: Content,
        start: usize,
    ) -> Result<usize, Halt> {
        let document = self.document;
        let end = match content {
            Content::Data => start,
            Content::Rcdata | Content::Rawtext => raw::text_end(document, start, name),
            Content::ScriptData => raw::script_end(document, start),
            Content::Plaintext => document.len(),
        };
        let name_end = (end + 2 + name.len()).min(document.len());
        let tag_end = attributes(document, name_end, |_| {});
        if tag_end.is_none() && self.goes_on {
            // No end tag ends PLAINTEXT, so there is nothing to come back for.
            self.position = if content == Content::Plaintext {
                end
            } else {
                start
            };
            self.open = Some(RawElement {
                name: name.into(),
                content,
            });
            return Err(Halt::Incomplete);
        }
        if let Some(element) = reported_text(Namespace::Html, name) {
            handler.raw_text(element, Spelling::Raw, start..end);
        }
        Ok(tag_end.map_or(document.len(), |tag| tag.position))
    }

    /// "End tag open state", and the states up to the end of the tag.
    ///
    /// Every second tag is an end tag; a call for each would take 4 % more instructions.
    #[inline(always)]
    fn end_tag<C: Construction, H: Handler>(
        &self,
        tree: &mut C,
        handler: &mut H,
        at: usize,
    ) -> Result<usize, Halt> {
        let document = self.document;
        match document.get(at + 2) {
            Some(letter) if letter.is_ascii_alphabetic() => {}
            Some(b'>') => return Ok(at + 3),
            None => return self.end_of_file(),
            Some(_) => return self.bogus_comment(tree, handler, at),
        }
        let Some(name_end) = tag_name(document, at + 2) else {
            return self.end_of_file();
        };
        let end = if document[name_end] == b'>' {
            name_end + 1
        } else if let Some(end) = attributes(document, name_end, |_| {}) {
            end.position
        } else {
            return self.end_of_file();
        };
        tree.end_tag(&document[at + 2..name_end])?;
        Ok(end)
    }

    /// "Markup declaration open state", and the comment, DOCTYPE and CDATA states.
    #[inline(never)]
    fn markup_declaration<C: Construction, H: Handler>(
        &self,
        tree: &mut C,
        handler: &mut H,
        at: usize,
    ) -> Result<usize, Halt> {
        let document = self.document;
        let declaration = &document[at + 2..];
        let keyword = declaration.get(..b"doctype".len());
        if keyword.is_none() && self.goes_on {
            return Err(Halt::Incomplete);
        }
        if declaration.starts_with(b"--") {
            let (data, end) = match comment(document, at + 4) {
                Some(found) => found,
                None => (unfinished_comment(document, at + 4), self.end_of_file()?),
            };
            tree.comment();
            handler.comment(data);
            return Ok(end);
        }
        if keyword == Some(b"[CDATA[") && tree.is_foreign() {
            // CDATA section state.
            let start = at + b"<![CDATA[".len();
            let (data, end) = match memmem::find(&document[start..], b"]]>") {
                Some(length) => (start..start + length, start + length + b"]]>".len()),
                None => (start..document.len(), self.end_of_file()?),
            };
            self.text(tree, handler, Spelling::Raw, data);
            handler.without_tags(at..end);
            return Ok(end);
        }
        let end = self.bogus_comment(tree, handler, at)?;
        if keyword.is_some_and(|keyword| is(keyword, b"doctype")) {
            // DOCTYPE states: in every one of them a `>` ends the token.
            let name = document[at + 9..end].trim_ascii_start();
            let length = name
                .iter()
                .position(|&byte| byte == b'>' || is_whitespace(byte));
            tree.doctype(is(&name[..length.unwrap_or(name.len())], b"html"));
        }
        Ok(end)
    }

    /// "Bogus comment state": where the token that starts at `at` ends.
    #[inline(never)]
    fn bogus_comment<C: Construction, H: Handler>(
        &self,
        tree: &mut C,
        handler: &mut H,
        at: usize,
    ) -> Result<usize, Halt> {
        let end = match memchr(b'>', &self.document[at..]) {
            Some(length) => at + length + 1,
            None => self.end_of_file()?,
        };
        tree.comment();
        handler.without_tags(at..end);
        Ok(end)
    }
}

/// "Data state": where the first `<` is.
#[inline]
fn next_tag(text: &[u8]) -> Option<usize> {
    // Tags often touch, and a correctly predicted branch does not wait for what it depends on.
    if text.first() == Some(&b'<') {
        return Some(0);
    }
    find(b'<', text)
}

/// "Comment start state", and those that follow it: the comment's data, and where its token ends.
fn comment(document: &[u8], start: usize) -> Option<(Range<usize>, usize)> {
    let mut at = start;
    loop {
        at += memchr(b'>', &document[at..])?;
        // The dashes of `<!--` may be those of `-->`, but not those of `--!>`.
        if document[start - 2..at].ends_with(b"--") {
            return Some((start..at.saturating_sub(2).max(start), at + 1));
        }
        if document[start..at].ends_with(b"--!") {
            return Some((start..at - 3, at + 1));
        }
        at += 1;
    }
}

/// "Comment state" and those around it, at the end of the file: the data of a comment, without what
/// might have become `-->`.
fn unfinished_comment(document: &[u8], start: usize) -> Range<usize> {
    let data = &document[start..];
    let partial = [b"--!".as_slice(), b"--", b"-"]
        .into_iter()
        .find(|&end| data.ends_with(end));
    start..document.len() - partial.map_or(0, <[u8]>::len)
}

/// How much of an unfinished text means the same whatever follows: not a `<` that may start a tag,
/// a character reference that may be longer, or half a CR LF.
fn complete(text: &[u8]) -> usize {
    /// No named reference is longer.
    const REFERENCE: usize = 64;
    let text = text.strip_suffix(b"<").unwrap_or(text);
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    let near = text.len().saturating_sub(REFERENCE);
    memrchr(b'&', &text[near..]).map_or(text.len(), |found| near + found)
}
