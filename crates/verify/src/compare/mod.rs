//! A document, and what was made of it, in pieces: both are read in step, tag by tag.
//!
//! What stands between two tags is one text, with the end tags and comments in it. Where the bytes of a text or a tag
//! are the same, both readers go on in the same state; where they differ, it has to be a place of URLs. What a tree
//! builder tells the tokenizer depends on names of elements, and on attributes that are no references, so it is the same
//! in both.

mod base_element;
pub(crate) mod bases;
mod blocks;
mod tags;
pub(crate) mod values;

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;

use encoding_rs::{Encoding, UTF_8};

use self::base_element::{BaseRun, Cuts};
use self::bases::Bases;
use self::values::{Rules, Text};
use crate::fault::{Difference, Fault, Result};
use crate::markup::Token;
use crate::markup::document::Document;
use crate::text::{Texts, first_difference};
use abslink_html::line_column::Lines;
use abslink_html::shared::{
    Against, Delimiter, DocumentParameters, Pair, PieceReader, document_base,
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
    /// What the text that is being read is.
    text: Text,
    /// In XML: the text of the element that is being read without that of its children, since it means
    /// something as a whole only, and where it begins; and those of the elements around it.
    run: Run,
    outer: Vec<(Text, Run)>,
    /// What was cut out behind the last tag, and whether that drops a newline behind it.
    cuts: Cuts,
    drops_newline: bool,
    /// Whether the reader is sure that the text is text.
    is_sure: bool,
    /// Whether the reader of the document around it was.
    was_sure: bool,
    /// In how many other documents this one stands.
    depth: usize,
    /// What spells it, if that is a value.
    source: Option<&'c Texts<'c>>,
    /// The last runs of `base` elements that were asked for.
    runs: RefCell<[BaseRun; 2]>,
}

type Run = (usize, [Vec<u8>; 2]);

/// Documents in documents are followed so deep, as they are where they are rewritten.
const DEPTH: usize = 16;

impl<'c> Comparison<'c> {
    /// At the start of a document of which the base URL is told, and is to be checked.
    pub(crate) fn new(rules: Rules<'c>) -> Comparison<'c> {
        let targets = &rules.targets;
        Comparison {
            bases: (!targets.context.ignores_bases).then(|| Bases::new(targets)),
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
        let [old, new] = [(); 2].map(|()| {
            let mut document = Document::new(rules.syntax);
            document.reads(rules.wanted().has_texts(), rules.stays_foreign);
            document
        });
        Comparison {
            old,
            new,
            rules,
            bases: None,
            text: Text::Plain,
            run: Default::default(),
            outer: Vec::new(),
            cuts: Cuts::default(),
            drops_newline: false,
            is_sure: true,
            was_sure: true,
            depth: 0,
            source: None,
            runs: RefCell::default(),
        }
    }

    /// Takes what comes next of the document, and what it has become.
    pub(crate) fn take(&mut self, [old, new]: Pair<'_>, last: bool) -> Result<(), Difference> {
        /// The readers are asked for the tokens of so much at a time.
        const PIECE: usize = 64 << 10;
        let new = self.blocks([old, new])?;
        if matches!(new, Cow::Owned(_)) {
            // It is not what the source spells.
            self.source = None;
        }
        // What may be cut out has its end tag with it.
        let length = match self.rules.targets.loses_base {
            true => usize::MAX,
            false => PIECE,
        };
        let [mut olds, mut news] = [old, &new].map(|bytes| bytes.chunks(length));
        loop {
            let pieces = [olds.next(), news.next()];
            if pieces == [None, None] {
                break;
            }
            self.old.take(pieces[0].unwrap_or_default(), false);
            self.new.take(pieces[1].unwrap_or_default(), false);
            self.advance(false)?;
        }
        if !last {
            return Ok(());
        }
        self.old.take(&[], true);
        self.new.take(&[], true);
        self.advance(true)?;
        self.text_until([self.old.end(), self.new.end()])?;
        while !self.outer.is_empty() {
            self.close()?;
        }
        let Some(bases) = &self.bases else {
            return Ok(());
        };
        bases
            .check(&self.old)
            .or_else(|at| Fault::of("its base URL changed").at(at))
    }

    /// Compares what was found so far, or all of it.
    fn advance(&mut self, last: bool) -> Result<(), Difference> {
        loop {
            let is_parted = self.is_parted();
            let [is_next, new_is_next] =
                [&mut self.old, &mut self.new].map(|it| it.seek(is_parted));
            if !is_next || !new_is_next && !last {
                break;
            }
            match (self.old.next(), self.new.next()) {
                (Some(Token::Tag(tag)), new) => self.tag(&tag, new)?,
                (Some(Token::Close(end)), Some(Token::Close(new_end))) => {
                    self.text_until([end, new_end])?;
                    self.close()?;
                }
                (Some(Token::Other(place)), Some(Token::Other(new_place))) => {
                    self.part([place, new_place])?;
                }
                (token, _) => {
                    return Fault::NEIGHBOURS.at(token.map_or(0, |token| token.start()));
                }
            }
        }
        if last && self.new.seek(self.is_parted()) {
            return Fault::NEIGHBOURS.at(self.old.position);
        }
        // Else it may be markup, which is read as a whole.
        if self.stays() && self.is_sure && !self.rules.targets.loses_base {
            let [old, new] = [&mut self.old, &mut self.new].map(Document::plain);
            let length = old.min(new);
            self.text_until([self.old.position + length, self.new.position + length])?;
        }
        if self.outer.is_empty() {
            self.old.forget();
            self.new.forget();
        }
        Ok(())
    }

    /// Markup parts the text of an element of SVG, and stays in one of XML.
    fn is_parted(&self) -> bool {
        matches!(self.text, Text::Value(..))
    }

    /// A CDATA section is such a part.
    fn part(&mut self, places: [Range<usize>; 2]) -> Result<(), Difference> {
        const CDATA: &[u8] = b"<![CDATA[";
        let is_html = self.rules.syntax == Syntax::Html;
        let [start, new_start] = places.each_ref().map(|place| place.start);
        if is_html {
            self.text_until([start, new_start])?;
        }
        let [end, new_end] = places.each_ref().map(|place| place.end);
        let [old, new] = [
            self.old.bytes(start..end),
            self.new.bytes(new_start..new_end),
        ];
        let are_sections = old.starts_with(CDATA) && new.starts_with(CDATA);
        if let (Text::Value(kind, delimiter), true, true) = (self.text, are_sections, is_html) {
            let ends = [(old, end), (new, new_end)];
            let ends = ends.map(|(bytes, end)| end - 3 * usize::from(bytes.ends_with(b"]]>")));
            self.old.position = start + CDATA.len();
            self.new.position = new_start + CDATA.len();
            self.text = Text::Value(kind, Delimiter::RawText);
            self.text_until(ends)?;
            self.text = Text::Value(kind, delimiter);
        } else if old != new && !are_sections {
            return Fault::OUTSIDE.at(start + first_difference([old, new]));
        }
        if is_html {
            (self.old.position, self.new.position) = (end, new_end);
        }
        Ok(())
    }

    fn open(&mut self, text: Text) {
        let outer = std::mem::replace(&mut self.text, text);
        if self.rules.syntax == Syntax::Xml {
            let run = (self.old.position, Default::default());
            let run = std::mem::replace(&mut self.run, run);
            self.outer.push((outer, run));
        }
    }

    fn close(&mut self) -> Result<(), Difference> {
        let outer = self.outer.pop();
        let outer = outer.unwrap_or((Text::Plain, Default::default()));
        let text = std::mem::replace(&mut self.text, outer.0);
        let (at, [old, new]) = std::mem::replace(&mut self.run, outer.1);
        match text {
            Text::Value(kind, delimiter) if old != new => self
                .value_text(kind, delimiter, [&old, &new])
                .or_else(|fault| fault.at(at)),
            _ => Ok(()),
        }
    }

    /// Compares the text of an element.
    fn value_text(&self, kind: ValueKind, delimiter: Delimiter, pair: Pair<'_>) -> Result {
        if kind != ValueKind::Html {
            return self.rules.text(kind, delimiter, pair);
        }
        let texts = Texts::read(pair, delimiter, self.rules.spelling(), false)?;
        let compared = self.markup(UTF_8, texts.bytes());
        compared.map_err(|inner| inner.fault)
    }

    /// Whether the text that is being read must stay as it is.
    fn stays(&self) -> bool {
        self.text == Text::Raw
            || self.text == Text::Plain && !self.rules.wanted().groups.contains(Group::Comments)
    }

    /// The text before `end`.
    fn text_until(&mut self, [end, new_end]: [usize; 2]) -> Result<(), Difference> {
        let (at, new_at) = (self.old.position, self.new.position);
        self.old.position = end.max(at);
        self.new.position = new_end.max(new_at);
        let [old, new] = [
            self.old.bytes(at..self.old.position),
            self.new.bytes(new_at..self.new.position),
        ];
        let cuts = std::mem::take(&mut self.cuts);
        let mut old = Cow::Borrowed(old);
        if let Some([first, _]) = cuts.places.first() {
            let is_same = cuts.part_no_token(&old, self.drops_newline, self.rules.spelling());
            if !is_same || self.old.others != self.new.others {
                return Fault::NEIGHBOURS.at(*first);
            }
            old = Cow::Owned(cuts.joined(&old));
        }
        if matches!(self.text, Text::Value(..)) && !self.outer.is_empty() {
            let (_, [run, new_run]) = &mut self.run;
            run.extend_from_slice(&old);
            new_run.extend_from_slice(new);
            return Ok(());
        }
        match *old == *new {
            true => self.spelled([at..self.old.position, new_at..self.new.position]),
            false => self.texts(at, [&old, new]),
        }
    }

    /// Whether the value around spells what is the same as it did.
    fn spelled(&self, parts: [Range<usize>; 2]) -> Result<(), Difference> {
        let at = parts[0].start;
        match self.source {
            Some(source) if !source.are_spelled_alike(parts) => Fault::SPELLING.at(at),
            _ => Ok(()),
        }
    }

    /// Compares texts. Where the reader is not sure of them, they may be markup.
    fn texts(&self, at: usize, pair: Pair<'_>) -> Result<(), Difference> {
        let compared = self.text(at, pair);
        if compared.is_ok() || self.is_sure {
            return compared;
        }
        // What looks like a comment may be text, which ends with the end tag of its element.
        let [old, new] = pair;
        let comment = memchr::memmem::find(old, b"<!--");
        let end_tag =
            comment.and_then(|open| Some(open + memchr::memmem::find(&old[open..], b"</")?));
        let is_whole = at == 0 && self.old.end() == old.len();
        let starts = [
            Some(0).filter(|_| !is_whole),
            end_tag.filter(|&end_tag| end_tag > 0),
        ];
        let mut starts = starts.into_iter().flatten();
        let is_markup = starts.any(|start| {
            start <= first_difference(pair)
                && self.document(at, [&old[start..], &new[start..]]).is_ok()
        });
        if is_markup { Ok(()) } else { compared }
    }

    fn text(&self, at: usize, pair: Pair<'_>) -> Result<(), Difference> {
        if pair[0] == pair[1] {
            return Ok(());
        }
        match self.text {
            _ if self.stays() => Fault::OUTSIDE.at(at + first_difference(pair)),
            Text::Plain | Text::Raw => self.comments(at, pair),
            Text::Value(kind, delimiter) => self
                .value_text(kind, delimiter, pair)
                .or_else(|fault| fault.at(at)),
            Text::Document => self.document(at, pair),
        }
    }

    /// Text in which there may be conditional comments, with markup in them.
    fn comments(&self, mut at: usize, [mut old, mut new]: Pair<'_>) -> Result<(), Difference> {
        while old != new {
            let insides = [old, new].map(conditional);
            let [Some(inside), Some(new_inside)] = insides else {
                return Fault::OUTSIDE.at(at + first_difference([old, new]));
            };
            if old[..inside.start] != new[..new_inside.start] {
                return Fault::OUTSIDE.at(at + first_difference([old, new]));
            }
            let (end, new_end) = (inside.end, new_inside.end);
            self.document(at + inside.start, [&old[inside], &new[new_inside]])?;
            (at, old, new) = (at + end, &old[end..], &new[new_end..]);
        }
        Ok(())
    }

    /// Compares markup `at` a place where a browser with scripts takes it for text.
    fn document(&self, at: usize, pair: Pair<'_>) -> Result<(), Difference> {
        let compared = self.markup(self.rules.encoding, pair);
        compared.map_err(|inner| Difference {
            at: at + inner.at,
            ..inner
        })
    }

    /// Compares HTML in this document.
    fn markup(&self, encoding: &'static Encoding, pair: Pair<'_>) -> Result<(), Difference> {
        let mut rules = Rules {
            syntax: Syntax::Html,
            encoding,
            ..self.rules.clone()
        };
        // One in `noframes` never counts, and where one in `noscript` does, none is taken out.
        rules.targets.loses_base = false;
        self.compare_inside(rules, pair, None)
    }

    /// Compares documents in an attribute. Their fallback base URL is that of the document around
    /// them, in the end or at the moment in which a browser makes them.
    fn srcdoc(&self, texts: &Texts<'_>) -> Result {
        let targets = &self.rules.targets;
        let href = bases::first(texts.text()[0]);
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
            let compared = self.compare_inside(rules, texts.bytes(), Some(texts));
            compared.map_err(|inner| inner.fault)
        };
        // Only where it is another one: else documents in documents would be read twice as often with
        // each level.
        let mut moments = (self.bases.iter()).flat_map(|bases| bases.moments(targets));
        compare(targets.base.as_ref()).or_else(|fault| {
            let is_same = moments.any(|moment| compare(Some(&moment)).is_ok());
            if is_same { Ok(()) } else { Err(fault) }
        })
    }

    fn compare_inside<'i>(
        &self,
        rules: Rules<'i>,
        pair: Pair<'_>,
        source: Option<&'i Texts<'i>>,
    ) -> Result<(), Difference> {
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
            source,
            ..Comparison::inside(rules)
        };
        inner.take(pair, true)
    }
}

impl PieceReader for Comparison<'_> {
    fn take(&mut self, pair: Pair<'_>, last: bool) -> Result<(), Disagreement> {
        let compared = Comparison::take(self, pair, last);
        compared.map_err(|difference| self.old.told(difference))
    }
}

/// Compares a value with what was made of it: the HTML in a feed, a document in an attribute, or what
/// has a grammar.
pub(crate) fn value(
    parameters: DocumentParameters<'_, '_>,
    place: (ValueKind, Against),
    texts: &Texts<'_>,
) -> Result {
    let rules = Rules::new(parameters);
    match place.0 {
        ValueKind::Html | ValueKind::EncodedHtml | ValueKind::Srcdoc => {
            let mut document = Comparison::inside(rules);
            document.source = Some(texts);
            let compared = document.take(texts.bytes(), true);
            compared.map_err(|difference| difference.fault)
        }
        ValueKind::LinkedData => rules.linked_data(place.0, texts),
        _ => rules.targets.are_all_same(place, None, texts),
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
