//! A field of a row: its text is examined, or rewritten.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::LazyLock;

use memchr::memmem::Finder;
use smallvec::SmallVec;

use abslink_html::UnquotedField;
use abslink_html::{
    self as html, Context, DocumentRewriter, Reference, Settings, Syntax, TextRewriter,
};

use crate::examined::Examined;
use crate::feed::{self, FeedBase};
use crate::values::spelling::SpelledField;
use crate::values::steps::Target;
use crate::values::{
    Expected, Holds, NewRange, NewText, OtherReader, Part, Reading, ValueError, Values,
    doubled_quote, grammar, lost_sections, may_hold_others,
};

/// A field that holds a document.
#[derive(Debug)]
pub struct Field<'r> {
    /// Its name, as it was given.
    pub name: &'r str,
    /// Which element of the outermost array it is in that a `*` stands for, from 1.
    pub element: Option<u64>,
    /// Its text.
    pub text: Cow<'r, str>,
    /// The text of the field with the document's URL.
    pub url: Option<Cow<'r, str>>,
    /// What it holds, or what is in a value in it.
    targets: Rc<[Target<'r>]>,
    /// Each has so many bytes of its text.
    parts: FieldParts<'r, usize>,
    length: usize,
}

/// Where in the row the strings are that spell a field, of which nearly each has one, and what is known of their text.
pub(super) type FieldParts<'r, Text> = SmallVec<[(usize, SpelledField<'r>, Text); 1]>;

/// What is read of a field.
#[derive(Debug, Default)]
pub struct ReadField<'e> {
    pub examined: Examined,
    /// What is made of its text.
    pub edits: Vec<NewText<'e>>,
    /// What in it is left.
    pub broken: Vec<ValueError>,
}

impl<'r> Field<'r> {
    /// A field in parts: where each begins in the row, how it is spelled, and what it says.
    pub(super) fn new(
        name: &'r str,
        targets: Rc<[Target<'r>]>,
        url: Option<Cow<'r, str>>,
        parts: FieldParts<'r, Cow<'r, str>>,
    ) -> Field<'r> {
        let mut text = Cow::Borrowed("");
        let parts = parts.into_iter().map(|(at, spelled, said)| {
            let length = said.len();
            if text.is_empty() {
                text = said;
            } else {
                text.to_mut().push_str(&said);
            }
            (at, spelled, length)
        });
        let parts = parts.collect();
        Field {
            name,
            element: None,
            length: text.len(),
            text,
            url,
            targets,
            parts,
        }
    }

    /// What its new text must not have, if it is one of CSV that has no quotes.
    pub fn unquoted(&self) -> Option<UnquotedField> {
        self.parts.first()?.1.unquoted()
    }

    fn is_html(&self) -> bool {
        matches!(self.targets[..], [target] if target.holds == Holds::Html)
    }

    /// Shows every reference; spans count in the text.
    pub fn examine(
        &self,
        context: &Context,
        feed_base: FeedBase,
        settings: &Settings,
        each: &mut dyn FnMut(&Reference<'_>),
    ) -> ReadField<'static> {
        let mut read = ReadField::default();
        let reused = (&mut DocumentRewriter::default(), &mut None);
        self.read(context, feed_base, settings, reused, Some(each), &mut read);
        read
    }

    /// What makes the references absolute, as edits of the text. The rewriter lends its memory; what `texts` holds is of an
    /// earlier field with the same context and settings.
    pub fn edits<'w, 'c>(
        &self,
        context: &'c Context,
        feed_base: FeedBase,
        settings: &'c Settings,
        rewriter: &'w mut DocumentRewriter,
        texts: &mut Option<TextRewriter<'c>>,
    ) -> ReadField<'w> {
        let text = self.text.as_bytes();
        static BLOCK: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("wp:"));
        let is_plain = || {
            let is_value = may_hold_others(&self.text)
                || !matches!(grammar(&self.text, Holds::Html), Ok(None));
            !is_value && BLOCK.find(text).is_none()
        };
        let mut read = ReadField::default();
        if self.is_html() && is_plain() {
            let (mut examined, edits) = rewriter.edits(text, Syntax::Html, context, settings, None);
            if let Some(Expected { at, what }) = doubled_quote(&self.text, &edits) {
                let (field, byte) = (self.name.to_owned(), at + 1);
                examined = html::Examined::of(examined.document_base);
                read.broken.push(ValueError { field, byte, what });
            } else {
                examined.tally.in_values[2] += lost_sections(&self.text);
                read.edits = edits;
            }
            read.examined = examined.into();
            return read;
        }
        let edits = self.read(
            context,
            feed_base,
            settings,
            (rewriter, texts),
            None,
            &mut read,
        );
        let edits = edits.into_iter();
        let edits = edits.map(|(old, new)| (old, Cow::Borrowed(&rewriter.new[new])));
        read.edits = edits.collect();
        read
    }

    /// Fills in what is read; the new text of the edits is in the rewriter's memory.
    fn read<'c>(
        &self,
        context: &'c Context,
        feed_base: FeedBase,
        settings: &'c Settings,
        (rewriter, texts): (&mut DocumentRewriter, &mut Option<TextRewriter<'c>>),
        each: Option<&mut dyn FnMut(&Reference<'_>)>,
        read: &mut ReadField<'_>,
    ) -> Vec<NewRange> {
        /// More edits make their list grow.
        const USUAL: usize = 16;
        /// Memory for more is given back.
        const REUSED: usize = 1 << 16;
        let document_base = html::document_base(None, context, settings.resolver);
        rewriter.values = Some(&Values);
        rewriter.new.clear();
        rewriter.new.shrink_to(REUSED);
        let read_other: OtherReader<'_> = &|holds, bytes, each| match holds {
            #[cfg(feature = "markdown")]
            Holds::Markdown => crate::markdown::edits(bytes, context, settings, each),
            _ => feed::edits(bytes, context, settings, feed_base, each),
        };
        // A large thing takes long to move.
        read.examined.whole = Some(html::Examined::of(document_base));
        let mut reading = Reading {
            name: self.name,
            context,
            read_other,
            settings,
            rewriter,
            texts,
            edits: Vec::with_capacity(USUAL),
            each,
            examined: &mut read.examined,
            broken: &mut read.broken,
        };
        reading.text(&mut Part {
            text: &self.text,
            targets: &self.targets,
            place: &mut |part| part,
            depth: 0,
        });
        if let Some(whole) = reading
            .examined
            .whole
            .as_mut()
            .filter(|_| self.is_html() && reading.broken.is_empty())
        {
            whole.tally.in_values[2] += lost_sections(&self.text);
        }
        reading.edits
    }

    /// Appends its row from this byte on, up to the end of the field, with edits of its text, which ascend. Returns
    /// where that end is.
    pub fn splice(
        &self,
        row: &[u8],
        mut copied: usize,
        edits: &[NewText<'_>],
        out: &mut Vec<u8>,
    ) -> usize {
        let mut start = 0;
        for (at, spelled, length) in &self.parts {
            let part = start..start + length;
            let is_end = part.end == self.length;
            out.extend_from_slice(&row[copied..*at]);
            if part.len() == self.length {
                spelled.splice(edits, out);
                return at + spelled.len();
            }
            let in_part = edits.iter().filter_map(|(old, new)| {
                let is_here = part.contains(&old.start) || old.start == part.end && is_end;
                let inside = old.start.max(part.start)..old.end.min(part.end);
                let new = if is_here {
                    Cow::Borrowed(&**new)
                } else {
                    Cow::default()
                };
                (is_here || inside.start < inside.end)
                    .then(|| (inside.start - start..inside.end - start, new))
            });
            spelled.splice(&in_part.collect::<Vec<_>>(), out);
            copied = at + spelled.len();
            start = part.end;
        }
        copied
    }
}
