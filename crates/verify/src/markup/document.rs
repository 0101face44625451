//! The document as it was: a window of it, and the tokens in that.

use std::collections::VecDeque;
use std::ops::Range;

use crate::fault::{Difference, Doubt, Fault};
use crate::markup::{Attribute, Found, Tag, Token};
use crate::markup::{html, xml};
use abslink_html::line_column::{Lines, Position};
use abslink_html::{Disagreement, Syntax};

enum Tags {
    Html(Box<html::HtmlTags>),
    Xml(Box<xml::XmlTags>),
}

/// The document.
pub(crate) struct Document {
    tags: Tags,
    /// Its bytes that are not done with.
    window: Vec<u8>,
    /// How much of them was no whole token at the last try.
    tried: usize,
    /// Where they begin.
    start: usize,
    /// Counts those before, if they come in pieces.
    pub(crate) lines: Option<Lines>,
    /// Where the first thing is that makes it hard to read, if it comes in pieces.
    oddity: Option<Position>,
    /// What comes before is done with.
    pub(crate) position: usize,
    /// How many end tags and comments there were since the last tag.
    pub(crate) others: usize,
}

impl Document {
    pub(crate) fn new(syntax: Syntax) -> Document {
        Document {
            tags: match syntax {
                Syntax::Html => Tags::Html(Box::default()),
                Syntax::Xml => Tags::Xml(Box::default()),
            },
            window: Vec::new(),
            tried: 0,
            start: 0,
            lines: None,
            oddity: None,
            position: 0,
            others: 0,
        }
    }

    /// Whether the text of every element of XML is asked for, and which guess is made where an end tag may end SVG and
    /// MathML.
    pub(crate) fn reads(&mut self, opens_all: bool, stays_foreign: bool) {
        match &mut self.tags {
            Tags::Html(reader) => reader.stays_foreign = stays_foreign,
            Tags::Xml(reader) => reader.opens_all = opens_all,
        }
    }

    /// Takes the next piece, or the end.
    pub(crate) fn take(&mut self, piece: &[u8], last: bool) {
        self.window.extend_from_slice(piece);
        let rest = &self.window[self.found().done - self.start..];
        // What was too short has to double, so that the time for a token grows as its length does.
        if !last && rest.len() < 2 * self.tried {
            return;
        }
        match &mut self.tags {
            Tags::Html(reader) => reader.take(rest, last),
            Tags::Xml(reader) => reader.take(rest, last),
        }
        self.tried = self.end() - self.found().done;
        let doubt = self.doubt().filter(|_| self.oddity.is_none());
        if let (Some(lines), Some((at, _))) = (&mut self.lines, doubt) {
            self.oddity = Some(lines.position(&self.window, at));
        }
    }

    fn found(&self) -> &Found {
        match &self.tags {
            Tags::Html(reader) => &reader.found,
            Tags::Xml(reader) => &reader.found,
        }
    }

    fn tokens(&mut self) -> &mut VecDeque<Token> {
        match &mut self.tags {
            Tags::Html(reader) => &mut reader.found.tokens,
            Tags::Xml(reader) => &mut reader.found.tokens,
        }
    }

    /// The next token, if it is there.
    pub(crate) fn next(&mut self) -> Option<Token> {
        self.tokens().pop_front()
    }

    /// The start tag at a place, if it is still to come.
    pub(crate) fn tag_at(&self, place: usize) -> Option<&Tag> {
        let tokens = &self.found().tokens;
        match tokens.get(tokens.partition_point(|token| token.start() < place))? {
            Token::Tag(tag) if tag.start == place => Some(tag),
            _ => None,
        }
    }

    /// Takes one back.
    pub(crate) fn unread(&mut self, token: Token) {
        self.tokens().push_front(token);
    }

    /// Whether there is a token that parts a text, at which it is then: end tags and comments do only where that is asked
    /// for.
    pub(crate) fn seek(&mut self, with_others: bool) -> bool {
        while !with_others && matches!(self.tokens().front(), Some(Token::Other(_))) {
            self.tokens().pop_front();
            self.others += 1;
        }
        !self.tokens().is_empty()
    }

    /// Goes to a place, over the tokens before it.
    pub(crate) fn skip_to(&mut self, place: usize) {
        while (self.tokens().front()).is_some_and(|token| token.start() < place) {
            self.tokens().pop_front();
        }
        self.position = place;
    }

    pub(crate) fn bytes(&self, range: Range<usize>) -> &[u8] {
        let end = range.end.saturating_sub(self.start).min(self.window.len());
        let range = range.start.saturating_sub(self.start)..end;
        self.window.get(range).unwrap_or_default()
    }

    /// Where the bytes end that were taken.
    pub(crate) fn end(&self) -> usize {
        self.start + self.window.len()
    }

    /// How much behind [`Document::position`] is no token.
    pub(crate) fn plain(&mut self) -> usize {
        let done = self.found().done;
        let next = self.tokens().front().map_or(done, Token::start);
        next.saturating_sub(self.position)
    }

    /// Drops what is done with, where that is much of what is there: what stays has to be moved.
    pub(crate) fn forget(&mut self) {
        let done = self.position.saturating_sub(self.start);
        if done < self.window.len() / 2 {
            return;
        }
        if let Some(lines) = &mut self.lines {
            lines.pass(&self.window[..done]);
        }
        self.window.drain(..done);
        self.start += done;
    }

    /// A difference with its place. What is hard to read before it may be the reason.
    pub(crate) fn told(&mut self, difference: Difference) -> Disagreement {
        let doubt = self.doubt().filter(|(at, _)| *at <= difference.at);
        let lines = self.lines.get_or_insert_default();
        let oddity = doubt.map(|(at, what)| {
            let place = self
                .oddity
                .unwrap_or_else(|| lines.position(&self.window, at));
            (place, what)
        });
        difference.told(lines, &self.window, oddity)
    }

    /// What makes the document hard to read.
    pub(crate) fn doubt(&self) -> Option<Doubt> {
        self.found().doubt
    }

    /// How the document is read.
    pub(crate) fn syntax(&self) -> Syntax {
        match &self.tags {
            Tags::Xml(_) => Syntax::Xml,
            Tags::Html(_) => Syntax::Html,
        }
    }

    /// Whether a document type declaration declares entities or attributes.
    pub(crate) fn has_declarations(&self) -> bool {
        matches!(&self.tags, Tags::Xml(reader) if reader.has_declarations())
    }

    /// The name of a start tag's element.
    pub(crate) fn name(&self, tag: &Tag) -> &[u8] {
        self.bytes(tag.start + "<".len()..tag.name_end)
    }

    /// Whether two names are the same: in XML their letter case counts.
    pub(crate) fn is_name(&self, name: &[u8], other: &[u8]) -> bool {
        match &self.tags {
            Tags::Html(_) => name.eq_ignore_ascii_case(other),
            Tags::Xml(_) => name == other,
        }
    }

    /// A name as it is compared with others.
    pub(crate) fn folded(&self, name: &[u8]) -> Vec<u8> {
        match &self.tags {
            Tags::Html(_) => name.to_ascii_lowercase(),
            Tags::Xml(_) => name.to_vec(),
        }
    }

    /// The name of a start tag's element without its prefix: HTML has none.
    pub(crate) fn local_name(&self, tag: &Tag) -> &[u8] {
        let name = self.name(tag);
        let colon = name.iter().position(|&byte| byte == b':');
        let colon = colon.filter(|_| self.syntax() == Syntax::Xml);
        &name[colon.map_or(0, |colon| colon + 1)..]
    }

    pub(crate) fn attributes(&self, tag: &Tag) -> Vec<Attribute> {
        tag.attributes(self.bytes(tag.place()), self.syntax())
    }

    /// The value of a start tag's attribute, by its name.
    pub(crate) fn value(&self, tag: &Tag, name: &str) -> Option<&[u8]> {
        let mut attributes = self.attributes(tag).into_iter();
        let is_it = |it: &Attribute| self.is_name(self.bytes(it.name.clone()), name.as_bytes());
        Some(self.bytes(attributes.find(is_it)?.value()))
    }

    /// A fault of an attribute.
    pub(crate) fn fault(&self, tag: &Tag, attribute: &Attribute, fault: Fault) -> Fault {
        let names = [self.name(tag), self.bytes(attribute.name.clone())];
        let [element, attribute] = names.map(|name| String::from_utf8_lossy(name).into_owned());
        let what = format!("<{element} {attribute}>: {}", fault.what).into();
        Fault { what, ..fault }
    }
}
