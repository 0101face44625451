//! The document as it was: a window of it, and the tokens in that.

use std::ops::Range;

use crate::fault::{Difference, Doubt, Fault};
use crate::markup::{Attribute, Tag, Token};
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
        }
    }

    /// It is read by the other guess where an end tag may end SVG and MathML.
    pub(crate) fn stays_foreign(&mut self) {
        if let Tags::Html(reader) = &mut self.tags {
            reader.stays_foreign = true;
        }
    }

    /// Takes the next piece, or the end.
    pub(crate) fn take(&mut self, piece: &[u8], last: bool) {
        self.window.extend_from_slice(piece);
        let rest = &self.window[self.done() - self.start..];
        // What was too short has to double, so that the time for a token grows as its length does.
        if !last && rest.len() < 2 * self.tried {
            return;
        }
        match &mut self.tags {
            Tags::Html(reader) => reader.take(rest, last),
            Tags::Xml(reader) => reader.take(rest, last),
        }
        self.tried = self.end() - self.done();
        let doubt = self.doubt().filter(|_| self.oddity.is_none());
        if let (Some(lines), Some((at, _))) = (&mut self.lines, doubt) {
            self.oddity = Some(lines.position(&self.window, at));
        }
    }

    fn done(&self) -> usize {
        match &self.tags {
            Tags::Html(reader) => reader.done,
            Tags::Xml(reader) => reader.done,
        }
    }

    /// The next token, if it is there.
    pub(crate) fn next(&mut self) -> Option<Token> {
        match &mut self.tags {
            Tags::Html(reader) => reader.next(),
            Tags::Xml(reader) => reader.next(),
        }
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

    /// Up to where nothing comes any more that is not plain, once all tokens were asked for.
    pub(crate) fn limit(&self) -> usize {
        self.done().max(self.position)
    }

    /// The text of every element is asked for.
    pub(crate) fn open_all(&mut self) {
        if let Tags::Xml(reader) = &mut self.tags {
            reader.opens_all = true;
        }
    }

    /// Drops what is done with and stands before a place, where that is much of what is there: what stays has to be moved.
    pub(crate) fn forget(&mut self, place: usize) {
        let done = self.position.min(place).saturating_sub(self.start);
        if done < self.window.len() / 2 {
            return;
        }
        if let Some(lines) = &mut self.lines {
            lines.pass(&self.window[..done]);
        }
        self.window.drain(..done);
        self.start += done;
    }

    /// A difference with its place, if the document comes in pieces.
    pub(crate) fn told(&mut self, difference: Difference) -> Disagreement {
        let doubt = self
            .oddity
            .zip(self.doubt())
            .map(|(at, (_, what))| (at, what));
        difference.told(self.lines.get_or_insert_default(), &self.window, doubt)
    }

    /// What makes the document hard to read.
    pub(crate) fn doubt(&self) -> Option<Doubt> {
        match &self.tags {
            Tags::Html(reader) => reader.doubt,
            Tags::Xml(reader) => reader.doubt,
        }
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
        let name = self.bytes(tag.start + "<".len()..tag.end);
        let is_xml = self.syntax() == Syntax::Xml;
        let ends = |byte: &u8| match byte {
            b'/' | b'>' => true,
            b'<' | b'=' | b'"' | b'\'' => is_xml,
            byte => byte.is_ascii_whitespace(),
        };
        &name[..name.iter().position(ends).unwrap_or(name.len())]
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

    /// The value of a start tag's attribute, by its name.
    pub(crate) fn value<'t>(&'t self, tag: &'t Tag, name: &str) -> Option<&'t [u8]> {
        let mut attributes = self.attributes(tag);
        let found = attributes.find(|(it, _)| self.is_name(it, name.as_bytes()))?;
        Some(found.1)
    }

    /// The names and values of a start tag's attributes.
    pub(crate) fn attributes<'t>(
        &'t self,
        tag: &'t Tag,
    ) -> impl Iterator<Item = (&'t [u8], &'t [u8])> {
        tag.attributes.iter().map(|attribute| {
            let value = attribute.value.clone().unwrap_or_default();
            (self.bytes(attribute.name.clone()), self.bytes(value))
        })
    }

    /// The name of an attribute, and its value.
    pub(crate) fn attribute<'t>(&'t self, tag: &'t Tag, index: usize) -> (&'t [u8], &'t [u8]) {
        self.attributes(tag).nth(index).unwrap_or_default()
    }

    /// A fault of an attribute.
    pub(crate) fn fault(&self, tag: &Tag, index: usize, fault: Fault) -> Fault {
        let names = [self.name(tag), self.attribute(tag, index).0];
        let [element, attribute] = names.map(|name| String::from_utf8_lossy(name).into_owned());
        let what = format!("<{element} {attribute}>: {}", fault.what).into();
        Fault { what, ..fault }
    }

    /// The bytes of an attribute behind its name, quotes included.
    pub(crate) fn behind_name(&self, attribute: &Attribute) -> Range<usize> {
        let name = attribute.name.end;
        let Some(value) = attribute.value.clone() else {
            let after = self.bytes(name..self.end());
            let blanks = after.iter().take_while(|byte| byte.is_ascii_whitespace());
            let blanks = blanks.count();
            return name..name + usize::from(after.get(blanks) == Some(&b'=')) * (blanks + 1);
        };
        let is_quoted = matches!(self.bytes(name..value.start).last(), Some(b'"' | b'\''));
        name..value.end + usize::from(is_quoted)
    }
}
