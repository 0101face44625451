//! Many short texts with the same context, such as those of a value in a row.

use std::ops::Range;

use super::document::DocumentRewriter;
use super::pass::Pass;
use super::pass::facts::allows_by_hash;
use super::sink::Sink;
use crate::base::{Context, DocumentBase};
use crate::locate::Syntax;
use crate::report::growth::Growth;
use crate::report::tally::Tally;
use crate::resolve::document_base::document_base;
use crate::settings::Settings;
use crate::text::chunk::Chunk;
use crate::text::encoding::Charset;
use crate::text::splice::Edit;

/// What they have in common is made once: their base URL, and a pass over them. To make these takes as long as to read a
/// hundred bytes.
pub struct TextRewriter<'t> {
    document_base: DocumentBase,
    pass: Pass<'t>,
}

impl<'t> TextRewriter<'t> {
    /// For texts in this context.
    pub fn new(context: &'t Context, settings: &'t Settings) -> TextRewriter<'t> {
        TextRewriter {
            document_base: document_base(None, context, settings),
            pass: Pass::new(settings, context, 0, Growth::up_to(0)),
        }
    }

    /// Adds what makes the references of one absolute, as [`DocumentRewriter::edits`] has it, and tells how many there are;
    /// the new text is in the rewriter's memory. `None` if there is more to say of it, such as a base URL of its own: then
    /// it has to be read as a document. The second reader is not asked.
    pub fn edits(
        &mut self,
        text: &str,
        rewriter: &mut DocumentRewriter,
        list: &mut Vec<Edit<Range<usize>>>,
    ) -> Option<&Tally> {
        let TextRewriter {
            document_base,
            pass,
        } = self;
        let (context, settings) = (pass.context, pass.settings);
        let is_utf8 = context.charset.as_deref() == Some("utf-8") && !text.starts_with('\u{feff}');
        if !is_utf8 {
            return None;
        }
        let DocumentRewriter {
            places,
            edits,
            values,
            new,
            ..
        } = rewriter;
        let bytes = text.as_bytes();
        places.find(bytes, Syntax::Html, settings.wanted_in(context));
        if !places.bases.is_empty() || places.refused.is_some() {
            return None;
        }
        pass.restart(Growth::in_memory(bytes.len() as u64, context, false));
        edits.clear();
        let sink = &mut Sink {
            values: *values,
            each: None,
            edits: Some(edits),
        };
        let charset = Charset::utf8(text);
        pass.chunk(
            document_base,
            &Chunk::whole(bytes, &charset, Syntax::Html),
            places,
            sink,
        );
        pass.count_hashed(|| allows_by_hash(bytes));
        if pass.growth.is_exceeded() || !pass.broken.is_empty() {
            return None;
        }
        for (old, text) in edits.iter() {
            let start = new.len();
            new.extend_from_slice(text.as_bytes());
            list.push((old, start..new.len()));
        }
        Some(&pass.tally)
    }
}
