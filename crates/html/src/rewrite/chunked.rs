//! A document that is never held as a whole.

use std::borrow::Cow;

use super::pass::Pass;
use super::pass::facts::allows_by_hash;
use super::prescan::DocumentInfo;
use super::prescan::utf8::Utf8;
use super::sink::Sink;
use crate::base::{Context, DocumentBase};
use crate::locate::Pieces;
use crate::locate::window::Window;
use crate::places::list::Places;
use crate::report::examined::Examined;
use crate::report::growth::{self, Growth, OUTGROWN};
use crate::report::reference::Reference;
use crate::resolve::document_base::document_base_in;
use crate::settings::Settings;
use crate::settings::second_reader::{Disagreement, DocumentParameters, PieceReader};
use crate::text::chunk::Chunk;
use crate::text::encoding::{Charset, Handling};
use crate::text::splice::Edits;

/// Rewrites or examines a document that comes in pieces, with the same result as
/// [`rewrite_bytes`](crate::rewrite_bytes) and [`examine`](crate::examine) on the whole.
///
/// # Examples
/// ```
/// use abslink_html::{BasePrescan, ChunkedRewriter, EncodingPrescan};
/// use abslink_html::{Context, Settings, Syntax};
///
/// let pieces: [&[u8]; 2] = [b"<img src=", b"i.png><base href=http://h/>"];
/// let mut prescan = EncodingPrescan::new(Syntax::Html, None);
/// pieces.iter().for_each(|piece| prescan.look(piece));
/// let mut facts = prescan.finish();
/// let mut search = BasePrescan::new(&mut facts);
/// assert!(pieces.iter().zip([false, true]).any(|(piece, last)| search.look(piece, last)));
///
/// let (context, settings) = (Context::default(), Settings::default());
/// let mut document = ChunkedRewriter::new(&facts, &context, &settings);
/// let mut out = Vec::new();
/// document.rewrite(pieces[0], false, &mut out);
/// document.rewrite(pieces[1], true, &mut out);
/// assert_eq!(out, b"<img src=http://h/i.png><base href=http://h/>");
/// ```
pub struct ChunkedRewriter<'p> {
    settings: &'p Settings,
    context: &'p Context,
    facts: Cow<'p, DocumentInfo>,
    document_base: DocumentBase,
    pieces: Pieces,
    places: Places,
    pass: Pass<'p>,
    allows_by_hash: bool,
    window: Window,
    /// Why the document stays as it is, if it does.
    left: Option<&'static str>,
    /// The document's length, if it is known.
    length: Option<u64>,
    /// Whether all of the new document is made in memory.
    is_held: bool,
    changed: bool,
    /// Whether the bytes are UTF-8, where the facts presume that.
    utf8: Option<Utf8>,
    late: Option<&'static str>,
    /// The second reader, if there is one, and where it does not agree.
    verifier: Option<Box<dyn PieceReader + 'p>>,
    disagreement: Option<Disagreement>,
}

/// What [`ChunkedRewriter::examine`] comes upon.
#[derive(Debug)]
pub enum Seen<'a> {
    /// A reference; it lies in these bytes, which follow those that were passed.
    Reference(&'a Reference<'a>, &'a [u8]),
    /// The next bytes of the document, in which there is nothing more to come.
    Passed(&'a [u8]),
}

const NOT_UTF_8: &str = "a byte that is not valid UTF-8, in a document that declares no encoding,";

const TOO_LARGE: &str = "it is too large for its character encoding, which has to be decoded as a \
                         whole; convert it to UTF-8";

impl<'p> ChunkedRewriter<'p> {
    /// A document of which nothing was seen but the facts.
    pub fn new(
        facts: &'p DocumentInfo,
        context: &'p Context,
        settings: &'p Settings,
    ) -> ChunkedRewriter<'p> {
        ChunkedRewriter::of(Cow::Borrowed(facts), context, settings)
    }

    /// The same, with facts that it may own.
    pub(crate) fn of(
        facts: Cow<'p, DocumentInfo>,
        context: &'p Context,
        settings: &'p Settings,
    ) -> ChunkedRewriter<'p> {
        let charset = Charset::known(facts.encoding, b"");
        let document_base = document_base_in(&charset, facts.base.as_deref(), context, settings);
        let known = DocumentParameters {
            syntax: facts.syntax,
            encoding: facts.encoding,
            document_base: &document_base,
            context,
            settings,
        };
        let any_growth = Growth::up_to(u64::MAX);
        let mut places = Places::default();
        if facts.is_ignored {
            places.ignored.all();
        }
        ChunkedRewriter {
            verifier: settings.verify.begin(known),
            disagreement: None,
            left: match facts.handling {
                Handling::Bytes => None,
                Handling::Transcode(_) => Some(TOO_LARGE),
                Handling::Leave(reason) => Some(reason),
            },
            utf8: facts.is_guess.then(Utf8::default),
            settings,
            context,
            document_base,
            pieces: facts.pieces(),
            places,
            pass: Pass::new(settings, context, facts.base_final_from, any_growth),
            allows_by_hash: false,
            facts,
            window: Window::default(),
            length: None,
            is_held: false,
            changed: false,
            late: None,
        }
    }

    /// The same document, which is known to have so many bytes. Of one that is not, what was taken
    /// so far says how much it may grow.
    pub fn with_length(self, length: u64) -> ChunkedRewriter<'p> {
        let length = Some(length);
        ChunkedRewriter { length, ..self }
    }

    /// The same document, which has so many bytes and is in memory as a whole, as the new one will be.
    pub(crate) fn in_memory(mut self, length: u64) -> ChunkedRewriter<'p> {
        self.pass.growth = Growth::in_memory(length, self.context, false);
        self.is_held = true;
        self
    }

    /// Whether the base URL, or what URLs are mapped to, is so long that the document may grow by more than
    /// [`growth_limit`](crate::report::growth::limit). Then [`ChunkedRewriter::measure`] is to be asked first.
    pub fn has_long_base(&self) -> bool {
        let (base, context, settings) = (&self.document_base, self.context, self.settings);
        self.left.is_none() && growth::is_long(base, context, settings, 0)
    }

    /// How large a piece may be, at most as large as this, so that not much comes of it: a long base URL
    /// and many short references make a lot of a little.
    pub fn piece(&self, most: usize) -> usize {
        /// Each piece with references reads the base URL.
        const LEAST: usize = 4 << 10;
        growth::piece(&self.document_base, self.context, self.settings).clamp(LEAST, most)
    }

    /// Takes the next piece, and only sees how the document would grow, or a listing of all its
    /// references.
    pub fn measure(&mut self, piece: &[u8], last: bool, lists: bool) {
        self.pass.growth.lists = lists;
        if self.takes(piece, last) {
            let done = self.next(last, None, None);
            self.window.advance(done);
        }
    }

    /// Whether the document would grow by more than it may.
    pub fn is_outgrown(&self) -> bool {
        self.pass.growth.is_exceeded()
    }

    /// Why the document is left as it is from where it has outgrown its limit, if it has.
    pub fn outgrown(&self) -> Option<&'static str> {
        self.is_outgrown().then_some(OUTGROWN)
    }

    /// What has contradicted the facts, if they are those of the document's beginning. Then nothing
    /// more comes.
    pub fn late(&self) -> Option<&'static str> {
        self.late
    }

    /// Takes the next piece, and appends to `out` as much of the new document as is sure.
    pub fn rewrite(&mut self, piece: &[u8], last: bool, out: &mut Vec<u8>) {
        if let Some(utf8) = &mut self.utf8 {
            utf8.look(piece);
            self.late = (self.late).or_else(|| (!utf8.is_valid(last)).then_some(NOT_UTF_8));
        }
        if self.left.is_some() {
            out.extend_from_slice(piece);
        } else if self.takes(piece, last) {
            let mut edits = Edits::default();
            let done = self.next(last, None, Some(&mut edits));
            self.late = self.contradiction();
            if self.stays_in_limits() && self.late.is_none() {
                let charset = Charset::known(self.facts.encoding, &self.window);
                let start = out.len();
                edits.apply(&self.window[..done], &charset, out);
                self.changed |= !edits.is_empty();
                if let Some(verifier) = &mut self.verifier {
                    let old = &self.window[..done];
                    let verify = &self.settings.verify;
                    let checked = verify.check(out, start, Vec::new, |_, new, _| {
                        verifier.take([old, new], last)
                    });
                    self.disagreement = checked.err();
                }
                self.window.advance(done);
            }
        }
    }

    /// Where the second reader does not agree with the new document so far, if it does not
    /// ([`Settings::verify`]). Then nothing more comes.
    pub fn disagreement(&self) -> Option<&Disagreement> {
        self.disagreement.as_ref()
    }

    /// Takes the next piece, and tells `each` what is in it.
    pub fn examine(&mut self, piece: &[u8], last: bool, each: &mut dyn FnMut(Seen<'_>)) {
        if self.takes(piece, last) {
            let done = self.next(last, Some(each), None);
            if self.stays_in_limits() {
                each(Seen::Passed(&self.window[..done]));
                self.window.advance(done);
            }
        }
    }

    /// Whether the document is neither left, nor late, nor disagreed with.
    pub(crate) fn goes_on(&self) -> bool {
        self.left.is_none() && self.late.is_none() && self.disagreement.is_none()
    }

    /// Takes the next piece; says whether it is time to look at what is there. What was taken so far
    /// says how much a document may grow whose length is not known.
    fn takes(&mut self, piece: &[u8], last: bool) -> bool {
        let takes = self.goes_on() && self.window.push(piece, last);
        if takes && !self.is_held {
            let taken = self.window.start() + self.window.len();
            let length = self.length.unwrap_or(taken as u64);
            let growth = &mut self.pass.growth;
            growth.limit = growth::limit(length);
            // What comes of each piece is made in memory.
            growth.memory_budget = growth.used.saturating_add(growth::HELD);
        }
        takes
    }

    /// Whether the document has not outgrown its limit; it is left if it has.
    fn stays_in_limits(&mut self) -> bool {
        self.left = self.outgrown();
        self.left.is_none()
    }

    /// What was taken, and is not in the new document yet.
    pub fn pending(&self) -> &[u8] {
        &self.window
    }

    /// Whether the new document differs so far.
    pub fn changed(&self) -> bool {
        self.changed
    }

    /// What the document came to, and whether the new one differs, when there are no more pieces.
    pub fn finish(mut self) -> (Examined, bool) {
        self.pass.count_hashed(|| self.allows_by_hash);
        self.document_base.take(&self.pass.confirmation);
        let mut examined = Examined::new(self.document_base, self.pass.tally, self.pass.growth);
        examined.left = self.left;
        examined.disagreement = self.disagreement;
        (examined, self.changed)
    }

    /// Finds the references in the window; returns how much of it is done with. The window stays in its place: it is
    /// [pending](ChunkedRewriter::pending) if this panics.
    fn next(
        &mut self,
        last: bool,
        each: Option<&mut dyn FnMut(Seen<'_>)>,
        edits: Option<&mut Edits>,
    ) -> usize {
        let window = &self.window;
        let mut show = each
            .map(|each| move |reference: &Reference<'_>| each(Seen::Reference(reference, window)));
        let wanted = self.settings.wanted_in(self.context);
        let done = self
            .places
            .find_next(window, last, &mut self.pieces, wanted);
        let chunk = Chunk {
            bytes: window,
            charset: &Charset::known(self.facts.encoding, window),
            syntax: self.facts.syntax,
            start: window.start(),
        };
        let show = show.as_mut();
        let sink = &mut Sink {
            values: None,
            each: show.map(|show| show as &mut dyn FnMut(&Reference<'_>)),
            edits,
        };
        self.pass
            .chunk(&self.document_base, &chunk, &self.places, sink);
        self.pass.leave(&chunk, &self.places);
        self.allows_by_hash = self.allows_by_hash || allows_by_hash(&window[..done]);
        done
    }

    /// What has come in the window, and is not in the facts.
    fn contradiction(&self) -> Option<&'static str> {
        let (places, facts, start) = (&self.places, &self.facts, self.window.start());
        let mut bases = places.bases.iter();
        if !facts.may_be_contradicted {
            debug_assert!(facts.allow(&self.pieces));
            None
        } else if !facts.allow(&self.pieces) {
            Some("what depends on HTML's tree")
        } else if places.refused.is_some() {
            Some("what the document type declares")
        } else if bases.any(|change| start + change.at > facts.base_final_from) {
            Some("a `base` element")
        } else {
            let declared = places.declares.filter(|_| facts.tentative);
            let changes = declared.is_some_and(|declared| declared != facts.encoding);
            changes.then_some("the declaration of its character encoding")
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;

    use super::*;
    use crate::base::retrieval::mirror::{Files, KnownFile};
    use crate::base::retrieval::neighbours::Neighbours;
    use crate::base::retrieval::target::DocumentPlace;
    use crate::rewrite::prescan::EncodingPrescan;
    use crate::{Syntax, To};

    /// Files that nobody can look at.
    struct Broken;

    impl Files for Broken {
        fn is_file(&self, _: &[u8]) -> bool {
            panic!("broken")
        }

        fn known(&self, _: &[u8]) -> Option<Arc<KnownFile>> {
            panic!("broken")
        }
    }

    #[test]
    fn what_was_taken_is_pending_after_a_panic() {
        let pieces: [&[u8]; 2] = [b"<p><a hr", b"ef=http://h/b.html>"];
        let mut prescan = EncodingPrescan::new(Syntax::Html, None);
        pieces.iter().for_each(|piece| prescan.look(piece));
        let facts = prescan.finish();
        let place = DocumentPlace {
            path: b"a.html".to_vec(),
            url: "http://h/a.html".to_owned(),
            index: Vec::new(),
            port_separator: None,
        };
        let context = Context {
            neighbours: Some(Neighbours::new(place, Arc::new(Broken), false)),
            ..Context::retrieved_from("http://h/a.html").unwrap()
        };
        let settings = Settings {
            to: To::Files,
            ..Settings::default()
        };
        let mut document = ChunkedRewriter::new(&facts, &context, &settings);
        let mut out = Vec::new();
        document.rewrite(pieces[0], false, &mut out);
        let rewrite = || document.rewrite(pieces[1], true, &mut out);
        assert!(catch_unwind(AssertUnwindSafe(rewrite)).is_err());
        assert_eq!([&*out, document.pending()].concat(), pieces.concat());
    }
}
