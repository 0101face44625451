//! Two documents side by side, in pieces: what stands between values is the same byte for byte.
//!
//! Only of the old document are the tags read. Those of the new one follow from it ([`follow`]).

use encoding_rs::UTF_8;

use super::base_element::{self, Cut};
use super::bases::{self, Bases};
use super::follow;
use super::side::{Difference, Side};
use super::spelled::{self, Change};
use super::target::Targets;
use super::tokens::{Tag, Token};
use super::values::{Changed, Meaning, OldTag, Text};
use abslink_html::Context;
use abslink_html::Group;
use abslink_html::Syntax;
use abslink_html::shared::document_base;
use abslink_url::BaseUrl;

/// A document and what is made of it.
pub(crate) struct Comparison<'c> {
    meaning: Meaning<'c>,
    /// The `base` elements, where they are to be looked at.
    bases: Option<Bases>,
    old: Side,
    new: Side,
    /// What the text that is being read is.
    text: Text,
    /// In XML: what was read of it, and the texts that it stands in.
    run: Run,
    outer: Vec<(Text, Run)>,
    /// The last start tag of the old document, as long as its text may come.
    last: Option<Tag>,
    /// In how many other documents these stand.
    depth: usize,
    /// Of documents in another one: where they are not the same.
    changes: Vec<Change>,
}

/// The text of an element of XML without that of its children: it means something as a whole only.
#[derive(Default)]
struct Run {
    /// Where it begins.
    at: usize,
    old: Vec<u8>,
    new: Vec<u8>,
}

/// Documents in documents are followed so deep, as they are where they are rewritten.
const DEPTH: usize = 16;

const CHANGED: &str = "it is no reference, and changed";

impl<'c> Comparison<'c> {
    /// At the start of a document of which the base URL is told, and is to be checked.
    pub(crate) fn new(meaning: Meaning<'c>) -> Comparison<'c> {
        let bases = Some(Bases::new(meaning.targets.context));
        Comparison {
            bases,
            ..Comparison::inside(meaning, 0)
        }
    }

    /// At the start of a document in another one.
    pub(crate) fn inside(meaning: Meaning<'c>, depth: usize) -> Comparison<'c> {
        Comparison {
            old: Side::read(meaning.syntax),
            new: Side::followed(),
            meaning,
            bases: None,
            text: Text::Plain,
            run: Run::default(),
            outer: Vec::new(),
            last: None,
            depth,
            changes: Vec::new(),
        }
    }

    /// What is known to tell what values mean.
    pub(crate) fn into_meaning(self) -> Meaning<'c> {
        self.meaning
    }

    /// Takes what comes next of the old document, and all that it has become.
    pub(crate) fn take(&mut self, old: &[u8], new: &[u8], last: bool) -> Result<(), Difference> {
        /// The reader is asked for the tokens of so much at a time.
        const PIECE: usize = 64 << 10;
        self.new.take(new, last)?;
        for piece in old.chunks(PIECE) {
            self.old.take(piece, false)?;
            self.advance()?;
        }
        if !last {
            return Ok(());
        }
        self.old.take(&[], true)?;
        self.advance()?;
        self.run([self.old.end(), self.new.end()])?;
        while !self.outer.is_empty() {
            self.close()?;
        }
        let Some(bases) = &self.bases else {
            return Ok(());
        };
        let checked = bases.check(&self.old, &self.meaning);
        let what = "its base URL is another one".to_owned();
        checked.map_err(|at| Difference { at, what })
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
                    let text = |tag| self.meaning.text_of(&self.old_tag(tag), opened);
                    self.open(self.last.as_ref().map_or(Text::Plain, text));
                }
                Some(Token::Close(end)) => {
                    self.run_up_to(end)?;
                    self.close()?;
                }
                None => break,
            }
        }
        // The token that says where the text of the last element begins comes with its tag.
        self.last = None;
        if self.stays() {
            let [old, new] = [&self.old, &self.new].map(|it| it.limit() - it.position);
            let length = old.min(new);
            self.plain([self.old.position + length, self.new.position + length])?;
        }
        if self.outer.is_empty() {
            self.old.forget();
            self.new.forget();
        }
        Ok(())
    }

    fn open(&mut self, text: Text) {
        let outer = std::mem::replace(&mut self.text, text);
        if self.meaning.syntax == Syntax::Xml {
            let at = self.old.position;
            let run = std::mem::take(&mut self.run);
            self.outer.push((outer, run));
            self.run.at = at;
        }
    }

    fn close(&mut self) -> Result<(), Difference> {
        let outer = self.outer.pop().unwrap_or((Text::Plain, Run::default()));
        let text = std::mem::replace(&mut self.text, outer.0);
        let Run { at, old, new } = std::mem::replace(&mut self.run, outer.1);
        let Text::Value { kind, is_raw } = text else {
            return Ok(());
        };
        let same = self
            .meaning
            .text((kind, is_raw), &old, &new, self.old.entities());
        same.map_err(|what| Difference { at, what })
    }

    fn tag(&mut self, tag: Tag) -> Result<(), Difference> {
        self.run_up_to(tag.start)?;
        if self.text == Text::Raw {
            // Where there is a tag, lol_html has found that the text is none.
            self.text = Text::Plain;
        }
        let loses_base = self.meaning.targets.loses_base;
        let cut = loses_base
            .then(|| base_element::cut(&self.old, &tag))
            .flatten();
        let old = self.old.until(tag.end);
        let is_same = !self.has_new_base() && self.new.rest().starts_with(old);
        match (cut, is_same) {
            (Some(Cut::Element(end)), _) => self.pass([end, self.new.position]),
            (None, true) => self.pass([tag.end, self.new.position + old.len()]),
            (cut, _) => {
                for index in 0..tag.attributes.len() {
                    if let Some(Cut::Urls(urls)) = &cut
                        && let Some(url) = &urls[index]
                    {
                        self.same(url.start)?;
                        self.pass([url.end, self.new.position]);
                        continue;
                    }
                    self.same(tag.attributes[index].name.end)?;
                    self.value(&tag, index)?;
                }
                self.same(tag.end)?;
            }
        }
        if let Some(bases) = &mut self.bases {
            bases.read(&self.old, &tag, &self.meaning);
        }
        self.last = Some(tag);
        Ok(())
    }

    /// Passes the value of an attribute, whose name was passed.
    fn value(&mut self, tag: &Tag, index: usize) -> Result<(), Difference> {
        let olds = self.old.parts(&tag.attributes[index]);
        let end = olds[2].end;
        let [before, x, after] = olds.map(|range| self.old.bytes(range));
        let Some([start, length, quote]) = follow::value(before, after, self.new.rest()) else {
            return self.differs("it is quoted in another way");
        };
        let y = &self.new.rest()[start..start + length];
        // XML 1.0 §3.1, "No < in Attribute Values".
        if self.meaning.syntax == Syntax::Xml && y.contains(&b'<') && !x.contains(&b'<') {
            return self.differs("it has a `<`, which must not stand in a value");
        }
        let new_end = self.new.position + start + length + quote;
        if x == y && self.has_new_base() {
            let old_tag = self.old_tag(tag);
            let stays = self.meaning.stays(&old_tag, index, self.old.entities());
            stays.or_else(|what| self.differs(&format!("{}: {what}", old_tag.shown(index))))?;
        }
        if x != y {
            let old_tag = self.old_tag(tag);
            // In a value that gets quotes, all is written anew.
            let is_quoted_anew = quote > after.len();
            let changed = (self.meaning).attribute(&old_tag, index, y, self.old.entities());
            let compared = changed.and_then(|changed| self.spelling(changed, is_quoted_anew));
            compared.or_else(|what| self.differs(&format!("{}: {what}", old_tag.shown(index))))?;
            self.remember([self.old.position..end, self.new.position..new_end]);
        }
        self.pass([end, new_end]);
        Ok(())
    }

    /// Whether a reference may mean something else although it stays the same.
    fn has_new_base(&self) -> bool {
        self.meaning.targets.new_base.is_some()
    }

    /// Compares how a value is spelled around its references.
    fn spelling(&self, changed: Changed<'_>, is_quoted_anew: bool) -> Result<(), String> {
        let Changed { old, new, urls } = changed;
        let changes = match urls {
            Some(urls) => urls,
            None => self.srcdoc(&old.text, &new.text)?,
        };
        match is_quoted_anew {
            true => Ok(()),
            false => spelled::around(&old, &new, &changes),
        }
    }

    /// Remembers what changed, where somebody wants to know.
    fn remember(&mut self, change: Change) {
        if self.depth > 0 {
            self.changes.push(change);
        }
    }

    /// Whether the text that is being read must stay as it is.
    fn stays(&self) -> bool {
        self.text == Text::Raw || self.text == Text::Plain && !self.has_comments()
    }

    /// Passes what stands before `end`, as far as it goes in the new document.
    fn run_up_to(&mut self, end: usize) -> Result<(), Difference> {
        let (x, y) = (self.old.until(end), self.new.rest());
        let length = match self.text {
            _ if self.stays() => Some(x.len()),
            Text::Plain | Text::Raw => follow::comments(x, y),
            Text::Value { is_raw: false, .. } => follow::markup(x, y),
            Text::Value { .. } | Text::Document => {
                follow::raw(x, self.old.bytes(end..self.old.end()), y)
            }
        };
        match length {
            Some(length) => self.run([end, self.new.position + length]),
            None => self.differs("the markup in its text changed"),
        }
    }

    /// Passes what has to be the same, up to `end`.
    fn same(&mut self, end: usize) -> Result<(), Difference> {
        self.plain([end, self.new.position + end - self.old.position])
    }

    /// Passes what stands before a tag, or up to an end.
    fn run(&mut self, ends: [usize; 2]) -> Result<(), Difference> {
        let (x, y) = (self.old.until(ends[0]), self.new.until(ends[1]));
        if !self.outer.is_empty() && matches!(self.text, Text::Value { .. }) {
            self.run.old.extend_from_slice(x);
            self.run.new.extend_from_slice(y);
        } else if x != y {
            match self.text {
                _ if self.stays() => return self.plain(ends),
                Text::Plain | Text::Raw => self.comments(x, y)?,
                Text::Document => self.document(self.old.position, x, y)?,
                Text::Value { kind, is_raw } => {
                    let entities = self.old.entities();
                    let same = self.meaning.text((kind, is_raw), x, y, entities);
                    same.or_else(|what| self.differs(&what))?;
                }
            }
            self.remember([self.old.position..ends[0], self.new.position..ends[1]]);
        }
        self.pass(ends);
        Ok(())
    }

    /// Passes what has to be the same.
    fn plain(&mut self, ends: [usize; 2]) -> Result<(), Difference> {
        let (x, y) = (self.old.until(ends[0]), self.new.until(ends[1]));
        if x != y {
            self.old.position += common(x, y);
            return self.differs(CHANGED);
        }
        self.pass(ends);
        Ok(())
    }

    fn pass(&mut self, ends: [usize; 2]) {
        [self.old.position, self.new.position] = ends;
    }

    /// Compares text, `at` which there may be conditional comments, with markup in them.
    fn comments(&self, mut x: &[u8], mut y: &[u8]) -> Result<(), Difference> {
        let mut at = self.old.position;
        loop {
            let ((plain, inner), (new_plain, new_inner)) = (conditional(x), conditional(y));
            if plain != new_plain || inner.is_some() != new_inner.is_some() {
                let (at, what) = (at + common(plain, new_plain), CHANGED.to_owned());
                return Err(Difference { at, what });
            }
            let (Some(inner), Some(new_inner)) = (inner, new_inner) else {
                return Ok(());
            };
            at += plain.len();
            self.document(at, inner, new_inner)?;
            at += inner.len();
            x = &x[plain.len() + inner.len()..];
            y = &y[new_plain.len() + new_inner.len()..];
        }
    }

    /// Compares markup `at` a place where a browser with scripts takes it for text.
    fn document(&self, at: usize, old: &[u8], new: &[u8]) -> Result<(), Difference> {
        let meaning = Meaning {
            syntax: Syntax::Html,
            ..self.meaning.clone()
        };
        let compared = self.compare_inside(meaning, old, new).map(drop);
        compared.map_err(|inner| Difference {
            at: at + inner.at,
            ..inner
        })
    }

    /// Compares documents in an attribute. Their fallback base URL is that of the document around
    /// them, in the end or at the moment in which a browser makes them. The answer is what changed.
    fn srcdoc(&self, old: &str, new: &str) -> Result<Vec<Change>, String> {
        let Targets {
            settings,
            base,
            context,
            ..
        } = &self.meaning.targets;
        let moment = self.bases.as_ref().and_then(|bases| bases.moment.as_ref());
        let href = bases::first(old);
        let compare = |fallback: Option<&BaseUrl>| {
            let mut inner = Context::default();
            inner.entity = fallback.cloned();
            inner.mirror = context.mirror.clone();
            inner.neighbours = context.neighbours.clone();
            inner.new_base = self.meaning.targets.new_base.clone();
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
            let compared = self.compare_inside(meaning, old.as_bytes(), new.as_bytes());
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

    fn compare_inside(
        &self,
        meaning: Meaning<'_>,
        old: &[u8],
        new: &[u8],
    ) -> Result<Vec<Change>, Difference> {
        if old != new && self.depth == DEPTH {
            self.differs("it is nested too deep")?;
        }
        let mut inside = Comparison::inside(meaning, self.depth + 1);
        inside.take(old, new, true)?;
        Ok(inside.changes)
    }

    fn has_comments(&self) -> bool {
        self.meaning.wanted.groups.contains(Group::Comments)
    }

    fn differs(&self, what: &str) -> Result<(), Difference> {
        Err(Difference {
            at: self.old.position,
            what: what.to_owned(),
        })
    }

    fn old_tag(&self, tag: &Tag) -> OldTag<'_> {
        OldTag {
            name: self.old.name(tag),
            attributes: self.old.attributes(tag),
            namespaces: tag.namespaces,
            syntax: self.meaning.syntax,
        }
    }
}

/// How many bytes two texts begin with in common.
fn common(x: &[u8], y: &[u8]) -> usize {
    x.iter().zip(y).take_while(|(x, y)| x == y).count()
}

/// What stands before the markup in the first conditional comment, and that markup.
fn conditional(bytes: &[u8]) -> (&[u8], Option<&[u8]>) {
    let mut from = 0;
    while let Some(at) = memchr::memmem::find(&bytes[from..], b"<!--") {
        let start = from + at + "<!--".len();
        let Some(end) = memchr::memmem::find(&bytes[start..], b"-->") else {
            break;
        };
        let data = &bytes[start..start + end];
        let condition = memchr::memmem::find(data, b"]>").filter(|_| data.starts_with(b"[if "));
        if let Some(inside) = condition.map(|at| at + "]>".len())
            && let Some(close) = memchr::memmem::rfind(data, b"<![endif]")
            && inside < close
        {
            return (&bytes[..start + inside], Some(&data[inside..close]));
        }
        from = start + end;
    }
    (bytes, None)
}
