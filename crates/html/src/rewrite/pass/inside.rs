//! Documents inside a document: in the text of a feed, and in `srcdoc`.

use std::ops::Range;

use super::Pass;
use super::place_view::PlaceView;
use crate::base::Context;
use crate::locate::Syntax;
use crate::places::list::Places;
use crate::report::reference::Reference;
use crate::resolve::resolver::ReferenceResolver;
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
        pass.off_group = view.off_group;
        pass
    }

    /// HTML in the text of a feed: its base URL is that of the text, and no `base` element in it
    /// counts (RFC 4287 §3.1.1.2: it is the content of a `div`).
    pub(super) fn fragment(
        &mut self,
        view: &PlaceView<'_>,
        resolver: &ReferenceResolver<'_>,
        sink: &mut Sink<'_>,
    ) {
        let coded = view.coded;
        let text = coded.map_or(&*view.value.text, |coded| &coded.text);
        if coded.is_none() && self.value(view, resolver, sink) {
            return;
        }
        let text = format!("{BODY}{text}");
        let charset = match coded {
            Some(_) => Charset::utf8(&text),
            None => view.chunk.charset.of_part(&text),
        };
        let inner = Chunk::whole(text.as_bytes(), &charset, Syntax::Html);
        let mut places = Places::default();
        let wanted = self.settings.wanted_in(self.context);
        places.find(inner.bytes, inner.syntax, wanted);
        places.bases.clear();
        let mut pass = self.inside(view, self.context, 0);
        let element = view.element();
        let source = |span: Range<usize>| {
            let span = span.start - BODY.len()..span.end - BODY.len();
            view.in_document(coded.is_none().then_some(span))
        };
        let mut edits = Edits::default();
        sink.inside(Some(&element), source, &mut edits, |sink| {
            pass.chunk(resolver.rules.document_base, &inner, &places, sink);
        });
        self.tally.merge(&pass.tally);
        self.growth = pass.growth;
        let broken = pass.broken.into_iter();
        self.broken
            .extend(broken.map(|(at, what)| (source(at..at).start, what)));
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

    /// A value with a grammar of its own. The answer is whether it is one.
    fn value(
        &mut self,
        view: &PlaceView<'_>,
        resolver: &ReferenceResolver<'_>,
        sink: &mut Sink<'_>,
    ) -> bool {
        let (text, settings) = (&*view.value.text, self.settings);
        let Some(values) = sink.values.filter(|_| view.off_group.is_none()) else {
            return false;
        };
        let mut context = resolver.inner_context();
        context.is_content = true;
        let source = |span| view.in_document(Some(span));
        let element = view.element();
        let read = sink.inside(Some(&element), source, &mut Edits::default(), |sink| {
            let each = sink.each.as_deref_mut();
            let each = each.map(|each| each as &mut dyn FnMut(&Reference<'_>));
            values.read(text, &context, settings, each)
        });
        let Some((examined, edits)) = read else {
            return false;
        };
        self.tally.merge(&examined.tally);
        self.values.push(view.place.value.start);
        let broken = examined.broken.into_iter();
        self.broken
            .extend(broken.map(|(at, what)| (source(at..at).start, what)));
        for (old, new) in edits {
            self.growth.add(new.len() as u64);
            let new = String::from_utf8_lossy(&new);
            self.replacements.push(old, |out| out.push_str(&new));
        }
        true
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
        places.find(inner.bytes, inner.syntax, self.settings.wanted_in(context));
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
