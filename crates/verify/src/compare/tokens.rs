//! The sequence of tokens of a document and of what was made of it: each is where the edits leave it, and where
//! something was cut out, the text around that is the same.

use std::collections::VecDeque;
use std::ops::Range;

use crate::fault::{Difference, Fault};
use crate::markup::document::Document;
use crate::markup::{Tag, Token};
use crate::text::Spelling;
use abslink_html::Syntax;
use abslink_html::shared::{Delimiter, Edited};

/// The tokens of two documents, of which those that were read of both are compared.
#[derive(Debug, Default)]
pub(crate) struct Tokens {
    /// What was replaced, behind the last token, and how long is what has taken its place.
    changes: VecDeque<(Range<usize>, usize)>,
    /// How much further on something is in the new document, before these.
    shift: isize,
    expected: VecDeque<Mark>,
    found: VecDeque<usize>,
    /// Where the last token ends in the new document, and whether it drops a newline behind it.
    end: usize,
    drops_newline: bool,
    /// What was cut out behind that: where it was, and where that is in the new document.
    cuts: Vec<[usize; 2]>,
}

/// Where a token, or the name of an attribute, begins or ends in the new document.
#[derive(Clone, Copy, Debug)]
enum Mark {
    Cut { old: usize, new: usize },
    Begin { old: usize, new: usize },
    Name { old: usize, new: usize },
    End { new: usize, drops_newline: bool },
}

/// Compares the tokens of a whole document with those of what was made of it.
pub(crate) fn compare(edited: Edited<'_>, spelling: Spelling) -> Result<(), Difference> {
    let [mut old, mut new] = [edited.old, edited.new].map(|bytes| {
        let mut document = Document::new(spelling.syntax);
        document.take(bytes, true);
        document
    });
    let mut tokens = Tokens::default();
    tokens.edit(0, edited);
    while let Some(token) = old.next() {
        tokens.expect(&old, &token)?;
    }
    tokens.compare(&mut new, spelling, true)
}

impl Tokens {
    /// Takes what was replaced in a piece that begins at `start`.
    pub(crate) fn edit(&mut self, start: usize, edited: Edited<'_>) {
        let changes = edited.changes.iter().map(|[old, new]| {
            let old = start + old.start..start + old.end;
            (old, new.len())
        });
        self.changes.extend(changes);
    }

    /// Takes a token of the old document.
    pub(crate) fn expect(&mut self, document: &Document, token: &Token) -> Result<(), Difference> {
        let (place, tag) = match token {
            Token::Tag(tag) => (tag.start..tag.end, Some(tag)),
            Token::Other(place) => (place.clone(), None),
            Token::Close(_) => return Ok(()),
        };
        let (old, new) = (place.start, self.moved(place.start, true));
        if let Some(cut) = self.cut(&place) {
            let new = cut.start.saturating_add_signed(self.shift);
            self.expected.push_back(Mark::Cut { old, new });
            return Ok(());
        }
        let is_changed = |(old, _): &(Range<usize>, usize)| old.start < place.end;
        // WordPress' blocks have attributes, and comments may be conditional.
        let is_text = || {
            let bytes = document.bytes(place.clone());
            let has = |mark| memchr::memmem::find(bytes, mark).is_some();
            bytes.starts_with(b"<![CDATA[")
                || bytes.starts_with(b"<!--") && (has(b"wp:") || has(b"[if "))
        };
        if tag.is_none()
            && document.syntax() == Syntax::Xml
            && self.changes.front().is_some_and(is_changed)
            && !is_text()
        {
            return Fault::NEIGHBOURS.at(old);
        }
        self.expected.push_back(Mark::Begin { old, new });
        for attribute in tag.map_or(&[][..], |tag| &tag.attributes) {
            let name = &attribute.name;
            let start = self.moved(name.start, true);
            if self.cut(name).is_none() {
                let end = self.moved(name.end, false);
                let names = [(name.start, start), (name.end, end)];
                let marks = names.map(|(old, new)| Mark::Name { old, new });
                self.expected.extend(marks);
            }
        }
        let new = self.moved(place.end, false);
        let is_pre = |tag: &Tag| {
            let name = document.name(tag);
            let mut names = [&b"pre"[..], b"listing"].into_iter();
            document.syntax() == Syntax::Html && names.any(|it| name.eq_ignore_ascii_case(it))
        };
        self.expected.push_back(Mark::End {
            new,
            drops_newline: tag.is_some_and(is_pre),
        });
        Ok(())
    }

    /// Takes a token of the new document.
    fn find(&mut self, token: &Token) {
        match token {
            Token::Tag(tag) => {
                let names = tag.attributes.iter();
                let names = names.flat_map(|it| [it.name.start, it.name.end]);
                let marks = [tag.start].into_iter().chain(names).chain([tag.end]);
                self.found.extend(marks);
            }
            Token::Other(place) => self.found.extend([place.start, place.end]),
            Token::Close(_) => {}
        }
    }

    /// Compares what was read of both documents, which is all of them if it is the `last`.
    pub(crate) fn compare(
        &mut self,
        new: &mut Document,
        spelling: Spelling,
        last: bool,
    ) -> Result<(), Difference> {
        while let Some(token) = new.next() {
            self.find(&token);
        }
        while let Some(mark) = self.expected.front() {
            let (at, place) = match *mark {
                Mark::Cut { old, new } => {
                    self.cuts.push([old, new]);
                    self.expected.pop_front();
                    continue;
                }
                Mark::Begin { old, new } | Mark::Name { old, new } => (old, new),
                Mark::End { new, .. } => (self.end, new),
            };
            let Some(found) = self.found.pop_front() else {
                break;
            };
            if found != place {
                return self.differs(at);
            }
            match *mark {
                Mark::Begin { .. } if !self.cuts.is_empty() => {
                    self.compare_text(new, place, spelling)?;
                }
                Mark::End { drops_newline, .. } => {
                    (self.end, self.drops_newline) = (place, drops_newline);
                }
                _ => {}
            }
            self.expected.pop_front();
        }
        new.position = self.end;
        new.forget(self.end);
        if !last {
            return Ok(());
        }
        if !self.expected.is_empty() || !self.found.is_empty() {
            return self.differs(self.first());
        }
        self.compare_text(new, new.end(), spelling)
    }

    /// Where the first token of the old document begins that was not found yet.
    pub(crate) fn first(&self) -> usize {
        match self.expected.front() {
            Some(Mark::Begin { old, .. } | Mark::Cut { old, .. } | Mark::Name { old, .. }) => *old,
            _ => usize::MAX,
        }
    }

    fn differs(&self, at: usize) -> Result<(), Difference> {
        Fault::NEIGHBOURS.at(self.cuts.first().map_or(at, |[old, _]| *old))
    }

    /// Where something begins or ends in the new document. What is put before a beginning or an end is before a
    /// beginning, and behind an end.
    fn moved(&mut self, at: usize, begins: bool) -> usize {
        while let Some((old, new)) = self.changes.front()
            && old.end <= at
            && (begins || old.start < at)
        {
            self.shift += *new as isize - old.len() as isize;
            self.changes.pop_front();
        }
        at.saturating_add_signed(self.shift)
    }

    /// What was cut out, if this part of the old document was, once its start was looked for.
    fn cut(&self, place: &Range<usize>) -> Option<&Range<usize>> {
        let is_cut = |(old, new): &&(Range<usize>, usize)| {
            *new == 0 && old.start <= place.start && place.end <= old.end
        };
        self.changes.front().filter(is_cut).map(|(old, _)| old)
    }

    /// Compares the text between the last token and the next, where something was cut out of it.
    fn compare_text(
        &mut self,
        new: &Document,
        end: usize,
        spelling: Spelling,
    ) -> Result<(), Difference> {
        let cuts = std::mem::take(&mut self.cuts);
        let Some([at, _]) = cuts.first() else {
            return Ok(());
        };
        let (mut start, mut parts, mut is_first) = (self.end, Text::default(), true);
        for place in cuts.iter().map(|[_, new]| *new).chain([end]) {
            let drops_newline = self.drops_newline && is_first;
            parts.append(new.bytes(start..place), drops_newline, spelling);
            (start, is_first) = (place, false);
        }
        let mut whole = Text::default();
        whole.append(new.bytes(self.end..end), self.drops_newline, spelling);
        match parts == whole {
            true => Ok(()),
            false => Fault::NEIGHBOURS.at(*at),
        }
    }
}

/// Text as it is read.
#[derive(Debug, Default, PartialEq)]
struct Text {
    text: String,
    /// How often `]]>` is in it, an error in XML (XML 1.0 §2.4).
    ends: usize,
}

impl Text {
    /// What bytes spell: in a feed or XHTML as XML does, else with all references of HTML.
    fn append(&mut self, bytes: &[u8], drops_newline: bool, spelling: Spelling) {
        if spelling.syntax == Syntax::Xml {
            self.ends += memchr::memmem::find_iter(bytes, b"]]>").count();
            self.text += &spelling.read(bytes, Delimiter::Content).text;
            return;
        }
        let (text, _) = spelling.encoding.decode_without_bom_handling(bytes);
        let text = htmlize::unescape(text.replace("\r\n", "\n").replace('\r', "\n"));
        let newline = text.strip_prefix('\n').filter(|_| drops_newline);
        self.text += newline.unwrap_or(&text);
    }
}
