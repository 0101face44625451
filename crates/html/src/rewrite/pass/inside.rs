//! Documents inside a document: in the text of a feed, and in `srcdoc`.

use std::ops::Range;

use super::Pass;
use super::place_view::PlaceView;
use crate::base::{Context, DocumentBase};
use crate::locate::Syntax;
use crate::places::list::Places;
use crate::rewrite::sink::Sink;
use crate::text::chunk::Chunk;
use crate::text::encoding::Charset;
use crate::text::splice::Edits;

/// How deep `srcdoc` documents in `srcdoc` documents are followed. Each level makes its
/// ampersands longer, so real ones end far earlier.
const MAX_DEPTH: usize = 16;

/// Put before a fragment, so that it is parsed like the body of a document
/// that has text.
const BODY: &str = "<div>-";

impl<'p> Pass<'p> {
    /// A pass over a document in a value of this one.
    fn inside<'i>(
        &self,
        view: &PlaceView<'_>,
        context: &'i Context,
        base_final_from: usize,
    ) -> Pass<'i>
    where
        'p: 'i,
    {
        let mut pass = Pass::new(self.settings, context, base_final_from, self.growth);
        pass.depth = self.depth + 1;
        pass.is_measured = self.is_measured;
        pass.survey = self.survey;
        pass.off = view.off;
        pass
    }

    /// HTML in the text of a feed: its base URL is that of the text, and no `base` element in it
    /// counts (RFC 4287 §3.1.1.2: it is the content of a `div`).
    pub(super) fn fragment(
        &mut self,
        view: &PlaceView<'_>,
        document_base: &DocumentBase,
        sink: &mut Sink<'_>,
    ) {
        let coded = view.coded;
        let text = coded.map_or(&*view.value.text, |coded| &coded.text);
        let text = format!("{BODY}{text}");
        let charset = match coded {
            Some(_) => Charset::utf8(&text),
            None => view.chunk.charset.of_part(&text),
        };
        let inner = Chunk {
            in_cdata: coded.is_none() && view.value.has_cdata(),
            ..Chunk::whole(text.as_bytes(), &charset, Syntax::Html)
        };
        let mut places = Places::default();
        places.find(inner.bytes, inner.syntax, self.settings.wanted());
        places.bases.clear();
        let mut pass = self.inside(view, self.context, 0);
        let element = view.element();
        let source = |span: Range<usize>| {
            let span = span.start - BODY.len()..span.end - BODY.len();
            view.in_document(coded.is_none().then_some(span))
        };
        let mut edits = Edits::default();
        sink.inside(Some(&element), source, &mut edits, |sink| {
            pass.chunk(document_base, &inner, &places, sink);
        });
        self.tally.merge(&pass.tally);
        self.growth = pass.growth;
        edits.sort();
        match coded {
            None => self.replacements.push_moved(&edits, BODY.len()),
            Some(_) if edits.is_empty() => {}
            Some(coded) => {
                let (old, new) = (&*view.value.text, edits.applied(&text));
                let start = old.len() - old.trim_start().len();
                let part = start..old.trim_end().len();
                let new = (coded.encode)(&old[part.clone()], &new[BODY.len()..]);
                self.replacements.push(part, |out| out.push_str(&new));
            }
        }
    }

    /// A document in an attribute: its fallback base URL is this document's base URL (HTML
    /// standard, "fallback base URL").
    pub(super) fn srcdoc(&mut self, view: &PlaceView<'_>, context: &Context, sink: &mut Sink<'_>) {
        if self.depth == MAX_DEPTH {
            return;
        }
        let text = &*view.value.text;
        // srcdoc is text/html even in an XHTML document.
        let charset = Charset::utf8(text);
        let inner = Chunk::whole(text.as_bytes(), &charset, Syntax::Html);
        let mut places = Places::default();
        places.find(inner.bytes, inner.syntax, self.settings.wanted());
        let mut pass = self.inside(view, context, places.base_final_from());
        let source = |span| view.in_document(Some(span));
        // HTML never gives a reason to leave a document.
        let _ = sink.inside(None, source, &mut self.replacements, |sink| {
            pass.whole(&inner, &places, sink)
        });
        self.tally.merge(&pass.tally);
        self.growth = pass.growth;
    }
}
