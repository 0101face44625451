//! A document, and what was made of it by edits of its bytes, in pieces.
//!
//! What an edit changes is read by the tags of the old document. That both documents have the same tokens is asked
//! of each of them ([`tokens`]). What a tree builder tells the tokenizer depends on names of elements, and on attributes
//! that are no references, so it is the same in both.

mod base_element;
pub(crate) mod bases;
mod blocks;
pub(crate) mod tokens;
pub(crate) mod values;

use std::collections::HashSet;
use std::ops::Range;

use encoding_rs::{Encoding, UTF_8};

use self::bases::Bases;
use self::tokens::Tokens;
use self::values::{Rules, Text};
use crate::fault::{Difference, Fault};
use crate::markup::document::Document;
use crate::markup::{Tag, Token};
use crate::text::edits::{Edit, EditedPart, Edits, QuotedValue};
use abslink_html::line_column::Lines;
use abslink_html::shared::{
    Against, Delimiter, DocumentParameters, Edited, PieceReader, document_base,
};
use abslink_html::{Context, Disagreement, Group, Syntax, ValueKind};
use abslink_url::BaseUrl;

/// A document and what is made of it.
pub(crate) struct Comparison<'c> {
    rules: Rules<'c>,
    /// The `base` elements, where they are to be looked at.
    bases: Option<Bases>,
    old: Document,
    new: Document,
    tokens: Tokens,
    edits: Edits,
    /// What the text that is being read is.
    text: Text,
    /// In XML: the text of the element that is being read without that of its children, since it means
    /// something as a whole only, and where it begins; and those of the elements around it.
    run: (usize, EditedPart),
    outer: Vec<(Text, (usize, EditedPart))>,
    /// Whether the reader is sure that the text is text.
    is_sure: bool,
    /// Whether the reader of the document around it was.
    was_sure: bool,
    /// In how many other documents this one stands.
    depth: usize,
}

/// Documents in documents are followed so deep, as they are where they are rewritten.
const DEPTH: usize = 16;

impl<'c> Comparison<'c> {
    /// At the start of a document of which the base URL is told, and is to be checked.
    pub(crate) fn new(rules: Rules<'c>) -> Comparison<'c> {
        Comparison {
            bases: Some(Bases::new(&rules.targets)),
            ..Comparison::inside(rules)
        }
    }

    /// The same of a document that comes in pieces.
    pub(crate) fn in_pieces(rules: Rules<'c>) -> Comparison<'c> {
        let mut comparison = Comparison::new(rules);
        comparison.old.lines = Some(Lines::default());
        comparison
    }

    /// At the start of a document in another one.
    fn inside(rules: Rules<'c>) -> Comparison<'c> {
        let (mut old, mut new) = (Document::new(rules.syntax), Document::new(rules.syntax));
        if rules.wanted().has_texts() {
            old.open_all();
        }
        if rules.stays_foreign {
            old.stays_foreign();
            new.stays_foreign();
        }
        Comparison {
            old,
            new,
            tokens: Tokens::default(),
            edits: Edits::default(),
            rules,
            bases: None,
            text: Text::Plain,
            run: Default::default(),
            outer: Vec::new(),
            is_sure: true,
            was_sure: true,
            depth: 0,
        }
    }

    /// Takes what comes next of the document, and what it has become.
    pub(crate) fn take(&mut self, edited: Edited<'_>, last: bool) -> Result<(), Difference> {
        /// The reader is asked for the tokens of so much at a time.
        const PIECE: usize = 64 << 10;
        let start = self.old.end();
        if let Err(at) = self.edits.take(start, edited) {
            self.old.take(edited.old, false);
            return Fault::OUTSIDE.at(at);
        }
        let has = |text| memchr::memmem::find(edited.old, text).is_some();
        if self.rules.wanted().groups.contains(Group::Blocks) && has(b"wp:") || has(b"<mj-style") {
            let edits = self.edits.split_off(start);
            let others = self.blocks(edited.old, start, &edits)?;
            self.edits.extend(others);
        }
        self.tokens.edit(start, edited);
        let mut news = edited.new.chunks(PIECE);
        for piece in edited.old.chunks(PIECE) {
            self.old.take(piece, false);
            self.advance()?;
            self.new.take(news.next().unwrap_or_default(), false);
            (self.tokens).compare(&mut self.new, self.rules.spelling(), false)?;
        }
        news.for_each(|piece| self.new.take(piece, false));
        if !last {
            return Ok(());
        }
        self.old.take(&[], true);
        self.advance()?;
        self.text_until(self.old.end())?;
        while !self.outer.is_empty() {
            self.close()?;
        }
        if let Some(edit) = self.edits.first() {
            return Fault::OUTSIDE.at(edit.old.start);
        }
        self.new.take(&[], true);
        (self.tokens).compare(&mut self.new, self.rules.spelling(), true)?;
        let Some(bases) = &self.bases else {
            return Ok(());
        };
        bases
            .check(&self.old)
            .or_else(|at| Fault::of("its base URL changed").at(at))
    }

    /// Compares what was found so far.
    fn advance(&mut self) -> Result<(), Difference> {
        while let Some(token) = self.old.next() {
            match &token {
                Token::Tag(tag) => self.tag(tag)?,
                Token::Close(end) => {
                    self.text_until(*end)?;
                    self.close()?;
                }
                Token::Other(place) => self.markup_in_text(place)?,
            }
            self.tokens.expect(&self.old, &token)?;
        }
        // Else it may be markup, which is read as a whole.
        if self.stays() && self.is_sure {
            self.text_until(self.old.limit())?;
        }
        if self.outer.is_empty() {
            self.old.forget(self.tokens.first());
        }
        Ok(())
    }

    /// In HTML, markup parts the text of an element of SVG, and a CDATA section is such a part.
    fn markup_in_text(&mut self, place: &Range<usize>) -> Result<(), Difference> {
        let Text::Value(kind, delimiter) = self.text else {
            return Ok(());
        };
        if self.rules.syntax == Syntax::Xml {
            return Ok(());
        }
        self.text_until(place.start)?;
        let bytes = self.old.bytes(place.clone());
        if let Some(inside) = bytes.strip_prefix(b"<![CDATA[") {
            let length = inside.strip_suffix(b"]]>").unwrap_or(inside).len();
            self.old.position = place.end - inside.len();
            self.text = Text::Value(kind, Delimiter::RawText);
            self.text_until(self.old.position + length)?;
            self.text = Text::Value(kind, delimiter);
        }
        self.old.position = place.end;
        Ok(())
    }

    fn open(&mut self, text: Text) {
        let outer = std::mem::replace(&mut self.text, text);
        if self.rules.syntax == Syntax::Xml {
            let run = (self.old.position, EditedPart::default());
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
            Text::Value(kind, delimiter) if !part.changes.is_empty() => self
                .value_text(kind, delimiter, &part)
                .or_else(|fault| fault.at(at)),
            _ => Ok(()),
        }
    }

    /// Compares the text of an element.
    fn value_text(
        &self,
        kind: ValueKind,
        delimiter: Delimiter,
        part: &EditedPart,
    ) -> Result<(), Fault> {
        if kind != ValueKind::Html {
            return self.rules.text(kind, delimiter, part.edited());
        }
        let texts = EditedPart::read(part.edited(), delimiter, self.rules.spelling(), false)?;
        let compared = self.markup(UTF_8, texts.bytes());
        compared.map_err(|inner| inner.fault)
    }

    fn tag(&mut self, tag: &Tag) -> Result<(), Difference> {
        self.text_until(tag.start)?;
        if self.text == Text::Raw {
            // Where there is a tag, the text is none.
            self.text = Text::Plain;
        }
        if self.rules.targets.loses_base
            && let Some(cuts) = base_element::cuts(&self.old, tag)
        {
            let element = cuts.element.filter(|element| self.edits.drop_cut(element));
            let is_gone = element.is_some() || cuts.urls.iter().all(|url| self.edits.drop_cut(url));
            if let Some(element) = element {
                self.old.position = self.old.position.max(element.end);
            } else if !is_gone && tag.base_counts && tag.is_sure {
                return Fault::of("a base URL is left that should be gone").at(tag.start);
            }
        }
        let mut edited = Vec::new();
        while let Some(edit) = self.edits.first().filter(|edit| edit.old.start < tag.end) {
            let behind = |index: &usize| {
                let behind = self.old.behind_name(&tag.attributes[*index]);
                behind.start <= edit.old.start && edit.old.end <= behind.end
            };
            let Some(index) = (0..tag.attributes.len()).find(behind) else {
                return Fault::OUTSIDE.at(edit.old.start);
            };
            edited.extend(self.value(tag, index)?.then_some(index));
        }
        // A reference may mean something else although it stays the same.
        if self.rules.targets.new_base.is_some() && self.is_sure {
            let mut seen = HashSet::new();
            for index in 0..tag.attributes.len() {
                let (name, _) = self.old.attribute(tag, index);
                // A repeated one is none.
                let is_first = seen.insert(self.old.folded(name));
                if !is_first || edited.contains(&index) {
                    continue;
                }
                let at = tag.attributes[index].name.end;
                let stays = self.rules.stays(&self.old, tag, index);
                stays.or_else(|fault| self.old.fault(tag, index, fault).at(at))?;
            }
        }
        self.old.position = self.old.position.max(tag.end);
        if let Some(bases) = &mut self.bases {
            bases.read(&self.old, tag, &self.rules);
        }
        self.is_sure = tag.is_sure && self.was_sure;
        if let Some(delimiter) = tag.text {
            let text = self.rules.text_of(&self.old, tag, delimiter);
            self.open(text);
        }
        Ok(())
    }

    /// The edits of the value of an attribute; says whether they change anything.
    fn value(&mut self, tag: &Tag, index: usize) -> Result<bool, Difference> {
        let behind = self.old.behind_name(&tag.attributes[index]);
        let edits = self.edits.until(behind.end);
        let mut part = EditedPart::new(self.old.bytes(behind.clone()), behind.start, &edits);
        let at = behind.start;
        let (Some(old), Some(new)) = (QuotedValue::read(&part.old), QuotedValue::read(&part.new))
        else {
            return Fault::VALUE_ENDS.at(at);
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
            return Fault::of("its quotes changed").at(at);
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
        if self.rules.syntax == Syntax::Xml
            && edited.new.contains(&b'<')
            && !edited.old.contains(&b'<')
        {
            return Fault::of("it has an unescaped `<`").at(at);
        }
        let is_quoted_anew = quoted_anew.is_some();
        let compared = (self.rules).attribute(&self.old, tag, index, edited, is_quoted_anew);
        let compared = compared.and_then(|document| match document {
            Some(document) => self.srcdoc(&document),
            None => Ok(()),
        });
        compared.or_else(|fault| self.old.fault(tag, index, fault).at(at))?;
        Ok(edited.old != edited.new)
    }

    /// Whether the text that is being read must stay as it is.
    fn stays(&self) -> bool {
        self.text == Text::Raw
            || self.text == Text::Plain && !self.rules.wanted().groups.contains(Group::Comments)
    }

    /// The edits of the text before `end`. Where the reader is not sure of the text, it may be markup.
    fn text_until(&mut self, end: usize) -> Result<(), Difference> {
        let at = self.old.position;
        let edits = self.edits.until(end);
        self.old.position = end.max(at);
        let compared = self.text(at..end, &edits);
        let first = edits.first().map_or(0, |edit| edit.old.start);
        if compared.is_ok() || self.is_sure || first < at {
            return compared;
        }
        // What looks like a comment may be text, which ends with the end tag of its element.
        let text = self.old.bytes(at..end);
        let comment = memchr::memmem::find(text, b"<!--");
        let end_tag =
            comment.and_then(|open| Some(open + memchr::memmem::find(&text[open..], b"</")?));
        let is_whole = at == 0 && self.old.end() == end;
        let starts = [
            Some(0).filter(|_| !is_whole),
            end_tag.filter(|&end_tag| end_tag > 0),
        ];
        let mut starts = starts.into_iter().flatten().map(|start| at + start);
        let is_markup = starts.any(|start| {
            let part = || EditedPart::new(self.old.bytes(start..end), start, &edits);
            start <= first && self.document(start, &part()).is_ok()
        });
        if is_markup { Ok(()) } else { compared }
    }

    fn text(&mut self, text: Range<usize>, edits: &[Edit]) -> Result<(), Difference> {
        let Range { start: at, end } = text;
        let is_value = matches!(self.text, Text::Value(..));
        if is_value && !self.outer.is_empty() {
            (self.run.1).append(self.old.bytes(at..end), at, edits);
            return Ok(());
        }
        let Some(first) = edits.first() else {
            return Ok(());
        };
        if self.stays() || first.old.start < at {
            return Fault::OUTSIDE.at(first.old.start);
        }
        let text = match self.text {
            Text::Plain | Text::Raw => return self.comments(at..end, edits),
            text => text,
        };
        let part = EditedPart::new(self.old.bytes(at..end), at, edits);
        match text {
            Text::Value(kind, delimiter) => self
                .value_text(kind, delimiter, &part)
                .or_else(|fault| fault.at(at)),
            _ => self.document(at, &part),
        }
    }

    /// The edits of text in which there may be conditional comments, with markup in them.
    fn comments(&self, text: Range<usize>, mut edits: &[Edit]) -> Result<(), Difference> {
        let mut at = text.start;
        while let Some(edit) = edits.first() {
            let inside = conditional(self.old.bytes(at..text.end));
            let inside = inside.map(|inside| at + inside.start..at + inside.end);
            let Some(inside) = inside.filter(|inside| inside.start <= edit.old.start) else {
                return Fault::OUTSIDE.at(edit.old.start);
            };
            let count = edits.iter().take_while(|edit| edit.old.end <= inside.end);
            let (within, behind) = edits.split_at(count.count());
            if !within.is_empty() {
                let part = EditedPart::new(self.old.bytes(inside.clone()), inside.start, within);
                self.document(inside.start, &part)?;
            }
            (at, edits) = (inside.end, behind);
        }
        Ok(())
    }

    /// Compares markup `at` a place where a browser with scripts takes it for text.
    fn document(&self, at: usize, part: &EditedPart) -> Result<(), Difference> {
        let compared = self.markup(self.rules.encoding, part.edited());
        compared.map_err(|inner| Difference {
            at: at + inner.at,
            ..inner
        })
    }

    /// Compares HTML in this document.
    fn markup(&self, encoding: &'static Encoding, edited: Edited<'_>) -> Result<(), Difference> {
        let mut rules = Rules {
            syntax: Syntax::Html,
            encoding,
            ..self.rules.clone()
        };
        // One in `noframes` never counts, and where one in `noscript` does, none is taken out.
        rules.targets.loses_base = false;
        self.compare_inside(rules, edited)
    }

    /// Compares documents in an attribute. Their fallback base URL is that of the document around
    /// them, in the end or at the moment in which a browser makes them.
    fn srcdoc(&self, texts: &EditedPart<String>) -> Result<(), Fault> {
        let targets = &self.rules.targets;
        let moment = self.bases.as_ref().and_then(|bases| bases.current.as_ref());
        let href = bases::first(&texts.old);
        let compare = |fallback: Option<&BaseUrl>| {
            let mut inner = Context::default();
            inner.entity = fallback.cloned();
            inner.mirror = targets.context.mirror.clone();
            inner.new_base = targets.new_base.clone();
            inner.neighbours = targets.context.neighbours.clone();
            let rules = Rules::new(DocumentParameters {
                syntax: Syntax::Html,
                encoding: UTF_8,
                document_base: &document_base(href.as_deref(), &inner, targets.settings),
                context: &inner,
                settings: targets.settings,
            });
            let compared = self.compare_inside(rules, texts.bytes());
            compared.map_err(|inner| inner.fault)
        };
        let compared = compare(targets.base.as_ref());
        // Only where it is another one: else documents in documents would be read twice as often with
        // each level.
        match moment.filter(|moment| !bases::is_same(Some(moment), targets.base.as_ref())) {
            Some(moment) => compared.or_else(|fault| compare(Some(moment)).map_err(|_| fault)),
            None => compared,
        }
    }

    fn compare_inside(&self, rules: Rules<'_>, edited: Edited<'_>) -> Result<(), Difference> {
        if self.depth == DEPTH {
            let fault = Fault::of("nested more than 16 documents deep");
            let is_of_document = true;
            return Fault {
                is_of_document,
                ..fault
            }
            .at(0);
        }
        let mut inner = Comparison {
            is_sure: self.is_sure,
            was_sure: self.is_sure,
            depth: self.depth + 1,
            ..Comparison::inside(rules)
        };
        inner.take(edited, true)
    }
}

impl PieceReader for Comparison<'_> {
    fn take(&mut self, edited: Edited<'_>, last: bool) -> Result<(), Disagreement> {
        Comparison::take(self, edited, last).map_err(|difference| self.old.told(difference))
    }
}

/// Compares a value with what was made of it: the HTML in a feed, a document in an attribute, or what
/// has a grammar.
pub(crate) fn value(
    parameters: DocumentParameters<'_, '_>,
    place: (ValueKind, Against),
    texts: &EditedPart<String>,
) -> Result<(), Fault> {
    let rules = Rules::new(parameters);
    match place.0 {
        ValueKind::Html | ValueKind::EncodedHtml | ValueKind::Srcdoc => {
            let compared = Comparison::inside(rules).take(texts.bytes(), true);
            compared.map_err(|difference| difference.fault)
        }
        ValueKind::LinkedData => rules.linked_data(place.0, texts.edited()),
        _ => rules.targets.are_all_same(place, None, texts.edited()),
    }
}

/// Where the markup in the first conditional comment is.
fn conditional(bytes: &[u8]) -> Option<Range<usize>> {
    let mut from = 0;
    while let Some(at) = memchr::memmem::find(&bytes[from..], b"<!--") {
        let start = from + at + "<!--".len();
        // HTML 13.2.5.50: `--!>` ends one too, and so does the end of the document.
        let ends = [&b"-->"[..], b"--!>"].map(|end| memchr::memmem::find(&bytes[start..], end));
        let end = ends.into_iter().flatten().min();
        let end = end.map_or(bytes.len(), |end| start + end);
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
