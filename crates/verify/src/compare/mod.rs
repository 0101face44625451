//! A document, and what was made of it by edits of its bytes, in pieces.
//!
//! A tokenizer goes from state to state, a byte at a time (HTML 13.2.5). As long as two documents
//! have the same bytes, it is in the same state in both. So if an edit changes nothing but a value, and
//! both values end where they are said to end, with the same delimiter, both documents have the same
//! tags; and the tags of the old one are read here. What the tree builder tells the tokenizer depends on
//! names of elements, and on attributes that are no references.

mod base_element;
pub(crate) mod bases;
pub(crate) mod values;

use std::ops::Range;

use encoding_rs::UTF_8;

use self::bases::Bases;
use self::values::{Meaning, OldTag, STYLESHEET, Text};
use crate::markup::document::{Difference, Document};
use crate::markup::html::Which;
use crate::markup::{Tag, Token};
use crate::target::Targets;
use crate::text::edits::{Edit, Edits, Part, Value};
use crate::text::{Entities, Spelling, Texts};
use abslink_html::Context;
use abslink_html::Group;
use abslink_html::Syntax;
use abslink_html::ValueKind;
use abslink_html::shared::{Edited, document_base};
use abslink_url::BaseUrl;

/// A document and what is made of it.
pub(crate) struct Comparison<'c> {
    meaning: Meaning<'c>,
    /// The `base` elements, where they are to be looked at.
    bases: Option<Bases>,
    old: Document,
    edits: Edits,
    /// What the text that is being read is.
    text: Text,
    /// The end tag of raw text, without its `>`.
    end_tag: Vec<u8>,
    /// In XML: the text of the element that is being read without that of its children, since it means
    /// something as a whole only, and where it begins; and those of the elements around it.
    run: (usize, Part),
    outer: Vec<(Text, (usize, Part))>,
    /// The last start tag, as long as its text may come.
    last: Option<Tag>,
    /// In how many other documents this one stands.
    depth: usize,
}

/// Documents in documents are followed so deep, as they are where they are rewritten.
const DEPTH: usize = 16;

const CHANGED: &str = "it is no reference, and changed";

impl<'c> Comparison<'c> {
    /// At the start of a document of which the base URL is told, and is to be checked.
    pub(crate) fn new(meaning: Meaning<'c>, which: Which) -> Comparison<'c> {
        let bases = Some(Bases::new(meaning.targets.context));
        let mut old = Document::new(meaning.syntax, which);
        if meaning.wanted.has_texts() {
            old.open_all();
        }
        Comparison {
            bases,
            old,
            ..Comparison::inside(meaning, 0)
        }
    }

    /// At the start of a document in another one.
    pub(crate) fn inside(meaning: Meaning<'c>, depth: usize) -> Comparison<'c> {
        Comparison {
            old: Document::new(meaning.syntax, Which::Every),
            edits: Edits::default(),
            meaning,
            bases: None,
            text: Text::Plain,
            end_tag: Vec::new(),
            run: Default::default(),
            outer: Vec::new(),
            last: None,
            depth,
        }
    }

    /// Takes what comes next of the document, and what it has become.
    pub(crate) fn take(&mut self, edited: Edited<'_>, last: bool) -> Result<(), Difference> {
        /// The reader is asked for the tokens of so much at a time.
        const PIECE: usize = 64 << 10;
        let start = self.old.end();
        if let Err(at) = self.edits.take(start, edited) {
            self.old.take(edited.old, false)?;
            return differs(at, CHANGED);
        }
        for piece in edited.old.chunks(PIECE) {
            self.old.take(piece, false)?;
            self.advance()?;
        }
        if !last {
            return Ok(());
        }
        self.old.take(&[], true)?;
        self.advance()?;
        self.text_until(self.old.end())?;
        while !self.outer.is_empty() {
            self.close()?;
        }
        if let Some(edit) = self.edits.first() {
            return differs(edit.old.start, CHANGED);
        }
        let Some(bases) = &self.bases else {
            return Ok(());
        };
        let checked = bases.check(&self.old, &self.meaning);
        checked.or_else(|at| differs(at, "its base URL is another one"))
    }

    /// Line and column of a byte of the old document that is not done with.
    pub(crate) fn locate(&self, at: usize) -> (usize, usize) {
        self.old.locate(at)
    }

    /// Compares what was found so far.
    fn advance(&mut self) -> Result<(), Difference> {
        while self.old.has_next() {
            match self.old.next.take() {
                Some(Token::Tag(tag)) => self.tag(tag)?,
                Some(Token::Open(opened)) => {
                    let mut text = Text::Plain;
                    if let Some(tag) = &self.last {
                        text = self.meaning.text_of(&self.old_tag(tag), opened);
                        self.end_tag = [b"</", self.old.name(tag)].concat().to_ascii_lowercase();
                    }
                    self.open(text);
                }
                Some(Token::Close(end)) => {
                    self.text_until(end)?;
                    self.close()?;
                }
                None => break,
            }
        }
        // The token that says where the text of the last element begins comes with its tag.
        self.last = None;
        if self.stays() {
            self.text_until(self.old.limit())?;
        }
        if self.outer.is_empty() {
            self.old.forget();
        }
        Ok(())
    }

    fn open(&mut self, text: Text) {
        let outer = std::mem::replace(&mut self.text, text);
        if self.meaning.syntax == Syntax::Xml {
            let run = (self.old.position, Part::default());
            let run = std::mem::replace(&mut self.run, run);
            self.outer.push((outer, run));
        }
    }

    fn close(&mut self) -> Result<(), Difference> {
        let outer = self
            .outer
            .pop()
            .unwrap_or((Text::Plain, Default::default()));
        let text = std::mem::replace(&mut self.text, outer.0);
        let (at, part) = std::mem::replace(&mut self.run, outer.1);
        match text {
            Text::Value {
                kind: ValueKind::Html,
                ..
            } if !part.changes.is_empty() => self.html(at, &part),
            Text::Value { kind, is_raw } if !part.changes.is_empty() => {
                let same = self.meaning.text(kind, is_raw, part.edited());
                same.or_else(|what| differs(at, &what))
            }
            _ => Ok(()),
        }
    }

    /// Compares HTML that is spelled as the text of an element.
    fn html(&self, at: usize, part: &Part) -> Result<(), Difference> {
        let spelling = Spelling::Content(Entities::of(self.meaning.syntax));
        let texts = Texts::read(part.edited(), spelling, self.meaning.encoding, false);
        let meaning = Meaning {
            syntax: Syntax::Html,
            encoding: UTF_8,
            ..self.meaning.clone()
        };
        let compared = texts.and_then(|texts| {
            let compared = self.compare_inside(meaning, texts.bytes());
            compared.map_err(|inner| inner.what)
        });
        compared.or_else(|what| differs(at, &what))
    }

    fn tag(&mut self, tag: Tag) -> Result<(), Difference> {
        self.text_until(tag.start)?;
        if self.text == Text::Raw {
            // Where there is a tag, lol_html has found that the text is none.
            self.text = Text::Plain;
        }
        let cuts = match self.meaning.targets.loses_base {
            true => base_element::cuts(&self.old, &tag),
            false => Vec::new(),
        };
        for cut in cuts {
            if !self.edits.drop_cut(&cut) {
                return differs(cut.start, "a base URL stays that should be gone");
            }
            self.old.position = cut.end;
        }
        let mut edited = Vec::new();
        while let Some(edit) = self.edits.first().filter(|edit| edit.old.start < tag.end) {
            let behind = |index: &usize| {
                let behind = self.old.behind_name(&tag.attributes[*index]);
                behind.start <= edit.old.start && edit.old.end <= behind.end
            };
            let Some(index) = (0..tag.attributes.len()).find(behind) else {
                return differs(edit.old.start, CHANGED);
            };
            edited.extend(self.value(&tag, index)?.then_some(index));
        }
        // A reference may mean something else although it stays the same.
        if self.meaning.targets.new_base.is_some() {
            self.others(&tag, &edited)?;
        }
        self.old.position = self.old.position.max(tag.end);
        if let Some(bases) = &mut self.bases {
            bases.read(&self.old, &tag, &self.meaning);
        }
        self.last = Some(tag);
        Ok(())
    }

    /// The attributes of a tag that have no edit.
    fn others(&self, tag: &Tag, edited: &[usize]) -> Result<(), Difference> {
        let old_tag = self.old_tag(tag);
        let mut others = (0..tag.attributes.len()).filter(|index| !edited.contains(index));
        others.try_for_each(|index| {
            let at = tag.attributes[index].name.end;
            let stays = self.meaning.stays(&old_tag, index);
            stays.or_else(|what| differs(at, &format!("{}: {what}", old_tag.shown(index))))
        })
    }

    /// The edits of the value of an attribute; says whether they change anything.
    fn value(&mut self, tag: &Tag, index: usize) -> Result<bool, Difference> {
        let behind = self.old.behind_name(&tag.attributes[index]);
        let edits = self.edits.until(behind.end);
        let mut part = Part::new(self.old.bytes(behind.clone()), behind.start, &edits);
        let at = behind.start;
        let (Some(old), Some(new)) = (Value::read(&part.old), Value::read(&part.new)) else {
            return differs(at, "its value ends elsewhere");
        };
        let [before, new_before] = [(&part.old, &old), (&part.new, &new)]
            .map(|(bytes, value)| &bytes[..value.place.start]);
        // One without quotes may get some, and one that is missing a value.
        let quoted_anew = new.quote.filter(|_| old.quote.is_none());
        let is_same = match quoted_anew {
            None => before == new_before && old.quote == new.quote,
            Some(quote) if before.is_empty() => new_before == [b'=', quote],
            Some(quote) => new_before.strip_suffix(&[quote]) == Some(before),
        };
        if !is_same {
            return differs(at, "it is quoted in another way");
        }
        for (range, value) in part
            .changes
            .iter_mut()
            .flatten()
            .zip([&old, &new].iter().cycle())
        {
            let inside =
                |at: usize| at.clamp(value.place.start, value.place.end) - value.place.start;
            *range = inside(range.start)..inside(range.end);
        }
        let edited = Edited {
            old: &part.old[old.place],
            new: &part.new[new.place],
            changes: &part.changes,
        };
        // XML 1.0 §3.1, "No < in Attribute Values".
        if self.meaning.syntax == Syntax::Xml
            && edited.new.contains(&b'<')
            && !edited.old.contains(&b'<')
        {
            return differs(at, "it has a `<`, which must not stand in a value");
        }
        if self.old.name(tag) == STYLESHEET && memchr::memmem::find(edited.new, b"?>").is_some() {
            return differs(at, "its instruction ends elsewhere");
        }
        let old_tag = self.old_tag(tag);
        let compared = (self.meaning).attribute(&old_tag, index, edited, quoted_anew.is_some());
        let compared = compared.and_then(|document| match document {
            Some(document) => self.srcdoc(&document),
            None => Ok(()),
        });
        compared.or_else(|what| differs::<()>(at, &format!("{}: {what}", old_tag.shown(index))))?;
        Ok(edited.old != edited.new)
    }

    /// Whether the text that is being read must stay as it is.
    fn stays(&self) -> bool {
        self.text == Text::Raw
            || self.text == Text::Plain && !self.meaning.wanted.groups.contains(Group::Comments)
    }

    /// The edits of the text before `end`.
    fn text_until(&mut self, end: usize) -> Result<(), Difference> {
        let at = self.old.position;
        let edits = self.edits.until(end);
        self.old.position = end.max(at);
        let is_value = matches!(self.text, Text::Value { .. });
        if is_value && !self.outer.is_empty() {
            (self.run.1).append(self.old.bytes(at..end), at, &edits);
            return Ok(());
        }
        let Some(first) = edits.first() else {
            return Ok(());
        };
        if self.stays() || first.old.start < at {
            return differs(first.old.start, CHANGED);
        }
        let text = match self.text {
            Text::Plain | Text::Raw => return self.comments(at..end, &edits),
            text => text,
        };
        let part = Part::new(self.old.bytes(at..end), at, &edits);
        // In a script, `<!--` and the tags of scripts tell where it ends.
        let marks: [&[u8]; 4] = [&self.end_tag, b"<!--", b"-->", b"<script"];
        let marks = match *self.end_tag == *b"</script" {
            true => &marks[..],
            false => &marks[..1],
        };
        if self.meaning.syntax == Syntax::Html && !part.keeps(marks) {
            return differs(at, "the markup in its text changed");
        }
        match text {
            Text::Value { kind, is_raw } => {
                let same = self.meaning.text(kind, is_raw, part.edited());
                same.or_else(|what| differs(at, &what))
            }
            _ => self.document(at, &part),
        }
    }

    /// The edits of text in which there may be conditional comments, with markup in them.
    fn comments(&self, text: Range<usize>, mut edits: &[Edit]) -> Result<(), Difference> {
        let mut at = text.start;
        while let Some(edit) = edits.first() {
            let Some(inside) = conditional(self.old.bytes(at..text.end)) else {
                return differs(edit.old.start, CHANGED);
            };
            let inside = at + inside.start..at + inside.end;
            let count = edits.iter().take_while(|edit| edit.old.end <= inside.end);
            let (within, behind) = edits.split_at(count.count());
            if edit.old.start < inside.start {
                return differs(edit.old.start, CHANGED);
            }
            if !within.is_empty() {
                let part = Part::new(self.old.bytes(inside.clone()), inside.start, within);
                if !part.keeps(&[b"-->", b"--!>", b"<![endif]"]) {
                    return differs(inside.start, "the markup in its text changed");
                }
                self.document(inside.start, &part)?;
            }
            (at, edits) = (inside.end, behind);
        }
        Ok(())
    }

    /// Compares markup `at` a place where a browser with scripts takes it for text.
    fn document(&self, at: usize, part: &Part) -> Result<(), Difference> {
        let meaning = Meaning {
            syntax: Syntax::Html,
            ..self.meaning.clone()
        };
        let compared = self.compare_inside(meaning, part.edited());
        compared.map_err(|inner| Difference {
            at: at + inner.at,
            ..inner
        })
    }

    /// Compares documents in an attribute. Their fallback base URL is that of the document around
    /// them, in the end or at the moment in which a browser makes them.
    fn srcdoc(&self, texts: &Texts) -> Result<(), String> {
        let Targets {
            settings,
            base,
            context,
            ..
        } = &self.meaning.targets;
        let moment = self.bases.as_ref().and_then(|bases| bases.moment.as_ref());
        let href = bases::first(&texts.old);
        let compare = |fallback: Option<&BaseUrl>| {
            let mut inner = Context::default();
            inner.entity = fallback.cloned();
            inner.mirror = context.mirror.clone();
            inner.new_base = self.meaning.targets.new_base.clone();
            inner.neighbours = context.neighbours.clone();
            let document_base = document_base(href.as_deref(), &inner, settings);
            let meaning = Meaning {
                syntax: Syntax::Html,
                wanted: self.meaning.wanted,
                encoding: UTF_8,
                targets: Targets {
                    settings,
                    encoding: UTF_8,
                    new_base: document_base.new_base(&inner).cloned(),
                    loses_base: false,
                    base: document_base.base,
                    context: &inner,
                },
            };
            let compared = self.compare_inside(meaning, texts.bytes());
            compared.map_err(|difference| difference.what)
        };
        let compared = compare(base.as_ref());
        // Only where it is another one: else documents in documents would be read twice as often with
        // each level.
        match moment.filter(|moment| !bases::is_same(Some(moment), base.as_ref())) {
            Some(moment) => compared.or_else(|what| compare(Some(moment)).map_err(|_| what)),
            None => compared,
        }
    }

    fn compare_inside(&self, meaning: Meaning<'_>, edited: Edited<'_>) -> Result<(), Difference> {
        if self.depth == DEPTH {
            return differs(0, "it is nested too deep");
        }
        Comparison::inside(meaning, self.depth + 1).take(edited, true)
    }

    fn old_tag<'t>(&'t self, tag: &'t Tag) -> OldTag<'t> {
        OldTag {
            document: &self.old,
            tag,
        }
    }
}

fn differs<T>(at: usize, what: &str) -> Result<T, Difference> {
    let what = what.to_owned();
    Err(Difference { at, what })
}

/// Where the markup in the first conditional comment is.
fn conditional(bytes: &[u8]) -> Option<Range<usize>> {
    let mut from = 0;
    while let Some(at) = memchr::memmem::find(&bytes[from..], b"<!--") {
        let start = from + at + "<!--".len();
        let end = start + memchr::memmem::find(&bytes[start..], b"-->")?;
        let data = &bytes[start..end];
        let condition = memchr::memmem::find(data, b"]>").filter(|_| data.starts_with(b"[if "));
        if let Some(inside) = condition.map(|at| at + "]>".len())
            && let Some(close) = memchr::memmem::rfind(data, b"<![endif]")
            && inside < close
        {
            return Some(start + inside..start + close);
        }
        from = end;
    }
    None
}
