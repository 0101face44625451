//! Two documents side by side, in pieces: what stands between values is the same byte for byte.

use encoding_rs::UTF_8;

use super::super::Syntax;
use super::super::groups::Group;
use super::bases::{self, Bases};
use super::side::{Difference, Side};
use super::target::Targets;
use super::tokens::{Attribute, Tag, Token};
use super::values::{Changed, Meaning, OldTag, Text};
use crate::base::{self, Context};
use crate::resolver::BaseUrl;

/// A document and what is made of it.
pub(super) struct Comparison<'c> {
    meaning: Meaning<'c>,
    /// The `base` elements, where they are to be looked at.
    bases: Option<Bases>,
    old: Side,
    new: Side,
    /// What the text that is being read is.
    text: Text,
    /// The last start tag of the old document, as long as its text may come.
    last: Option<Tag>,
    /// In how many other documents these stand.
    depth: usize,
}

/// Documents in documents are followed so deep, as they are where they are rewritten.
const DEPTH: usize = 16;

const CHANGED: &str = "it is no reference, and changed";

impl<'c> Comparison<'c> {
    /// At the start of a document of which the base URL is told, and is to be checked.
    pub(super) fn new(meaning: Meaning<'c>) -> Comparison<'c> {
        let bases = Some(Bases::new(meaning.targets.context));
        Comparison {
            bases,
            ..Comparison::inside(meaning, 0)
        }
    }

    /// At the start of a document in another one.
    fn inside(meaning: Meaning<'c>, depth: usize) -> Comparison<'c> {
        Comparison {
            old: Side::new(meaning.syntax),
            new: Side::new(meaning.syntax),
            meaning,
            bases: None,
            text: Text::Plain,
            last: None,
            depth,
        }
    }

    /// Takes what comes next of both documents.
    pub(super) fn take(&mut self, old: &[u8], new: &[u8], last: bool) -> Result<(), Difference> {
        /// Both readers are asked for the tokens of so much at a time.
        const PIECE: usize = 64 << 10;
        let (mut olds, mut news) = (old.chunks(PIECE), new.chunks(PIECE));
        loop {
            let (old, new) = (olds.next(), news.next());
            let is_over = old.is_none() && new.is_none();
            if is_over && !last {
                return Ok(());
            }
            self.old.take(old.unwrap_or_default(), is_over)?;
            self.new.take(new.unwrap_or_default(), is_over)?;
            self.advance()?;
            if is_over {
                break;
            }
        }
        self.run([self.old.end(), self.new.end()])?;
        let Some(bases) = &self.bases else {
            return Ok(());
        };
        let checked = bases.check(&self.old, &self.meaning);
        let what = "its base URL is another one".to_owned();
        checked.map_err(|at| Difference { at, what })
    }

    /// Line and column of a byte of the old document that is not done with.
    pub(super) fn locate(&self, at: usize) -> (usize, usize) {
        self.old.locate(at)
    }

    /// Compares what both readers have found so far.
    fn advance(&mut self) -> Result<(), Difference> {
        while self.old.has_next() && self.new.has_next() {
            match (self.old.next.take(), self.new.next.take()) {
                (Some(Token::Tag(old)), Some(Token::Tag(new))) => self.tag(old, &new)?,
                (Some(Token::Open(old)), Some(Token::Open(new))) if old == new => {
                    let text = |tag| self.meaning.text_of(&self.old_tag(tag), old);
                    self.text = self.last.as_ref().map_or(Text::Plain, text);
                }
                (Some(Token::Close(old)), Some(Token::Close(new))) => {
                    self.run([old, new])?;
                    self.text = Text::Plain;
                }
                (old, new) => {
                    // What they have in common is passed, to say where they differ.
                    (self.old.next, self.new.next) = (old, new);
                    self.run([self.old.limit(), self.new.limit()])?;
                    return self.differs("it has become other markup");
                }
            }
        }
        // Where the text of the last element begins, its token is there too.
        if !matches!(self.old.next, Some(Token::Open(_))) {
            self.last = None;
        }
        if self.last.is_none() {
            if self.text == Text::Plain && !self.has_comments() {
                let [old, new] = [&self.old, &self.new].map(|it| it.limit() - it.position);
                let length = old.min(new);
                self.plain([self.old.position + length, self.new.position + length])?;
            }
            self.old.forget();
            self.new.forget();
        }
        Ok(())
    }

    fn tag(&mut self, old: Tag, new: &Tag) -> Result<(), Difference> {
        self.run([old.start, new.start])?;
        if self.old.until(old.end) != self.new.until(new.end) {
            if old.attributes.len() != new.attributes.len() {
                self.plain([old.end, new.end])?;
                return self.differs("it has other attributes");
            }
            for (index, attribute) in new.attributes.iter().enumerate() {
                self.plain([old.attributes[index].name.end, attribute.name.end])?;
                self.value(&old, index, attribute)?;
            }
            self.plain([old.end, new.end])?;
        }
        self.pass([old.end, new.end]);
        if let Some(bases) = &mut self.bases {
            bases.read(&self.old, &old, &self.meaning);
        }
        self.last = Some(old);
        Ok(())
    }

    /// Passes the value of an attribute, whose name was passed.
    fn value(&mut self, tag: &Tag, index: usize, new: &Attribute) -> Result<(), Difference> {
        let old = &tag.attributes[index];
        let (olds, news) = (self.old.parts(old), self.new.parts(new));
        let ends = [olds[2].end, news[2].end];
        let [before, x, after] = olds.map(|range| self.old.bytes(range));
        let [new_before, y, new_after] = news.map(|range| self.new.bytes(range));
        if before != new_before || after != new_after {
            // One without quotes may get quotes, and one that is missing a value.
            let sign = match (&old.value, before.ends_with(b"=")) {
                (None, false) => &b"=\""[..],
                _ => b"\"",
            };
            let is_quoted = after.is_empty() && new_before == [before, sign].concat();
            if !is_quoted || new_after != b"\"" {
                return self.differs("it is quoted in another way");
            }
        }
        if x != y {
            let tag = self.old_tag(tag);
            let changed = match self.meaning.attribute(&tag, index, y, self.old.entities()) {
                Ok(Changed::Reference) => Ok(()),
                Ok(Changed::Document(old, new)) => self.srcdoc(&old, &new),
                Err(what) => Err(what),
            };
            changed.or_else(|what| self.differs(&format!("{}: {what}", tag.shown(index))))?;
        }
        self.pass(ends);
        Ok(())
    }

    /// Passes what stands before a tag, or up to an end.
    fn run(&mut self, ends: [usize; 2]) -> Result<(), Difference> {
        let (x, y) = (self.old.until(ends[0]), self.new.until(ends[1]));
        if x != y {
            match self.text {
                Text::Plain if self.has_comments() => self.comments(x, y)?,
                Text::Plain => return self.plain(ends),
                Text::Document => self.document(self.old.position, x, y)?,
                Text::Value { kind, is_raw } => {
                    let entities = self.old.entities();
                    let same = self.meaning.text((kind, is_raw), x, y, entities);
                    same.or_else(|what| self.differs(&what))?;
                }
            }
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
        let compared = self.compare_inside(meaning, old, new);
        compared.map_err(|inner| Difference {
            at: at + inner.at,
            ..inner
        })
    }

    /// Compares documents in an attribute. Their fallback base URL is that of the document around
    /// them, in the end or at the moment in which a browser makes them.
    fn srcdoc(&self, old: &str, new: &str) -> Result<(), String> {
        let Targets {
            resolver,
            base,
            context,
            ..
        } = &self.meaning.targets;
        let moment = self.bases.as_ref().and_then(|bases| bases.moment.as_ref());
        let href = bases::first(old);
        let compare = |fallback: Option<&BaseUrl>| {
            let context = Context {
                entity: fallback.cloned(),
                mirror: context.mirror.clone(),
                ..Context::default()
            };
            let established = base::establish(href.as_deref(), &context, *resolver);
            let meaning = Meaning {
                syntax: Syntax::Html,
                groups: self.meaning.groups,
                encoding: UTF_8,
                targets: Targets {
                    resolver: *resolver,
                    encoding: UTF_8,
                    base: established.base,
                    context: &context,
                },
            };
            let compared = self.compare_inside(meaning, old.as_bytes(), new.as_bytes());
            compared.map_err(|difference| difference.what)
        };
        compare(base.as_ref()).or_else(|what| compare(moment).map_err(|_| what))
    }

    fn compare_inside(
        &self,
        meaning: Meaning<'_>,
        old: &[u8],
        new: &[u8],
    ) -> Result<(), Difference> {
        if old != new && self.depth == DEPTH {
            return self.differs("it is nested too deep");
        }
        Comparison::inside(meaning, self.depth + 1).take(old, new, true)
    }

    fn has_comments(&self) -> bool {
        self.meaning.groups.contains(Group::Comments)
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
