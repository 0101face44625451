//! A document that is never held as a whole.

use super::document::Examined;
use super::encoding::{Charset, Handling};
use super::growth::{self, Growth, OUTGROWN};
use super::locate::Pieces;
use super::locate::xml::Allowance;
use super::moment::Moments;
use super::pass::Pass;
use super::places::Places;
use super::prepass::Facts;
use super::resolve::ReferenceResolver;
use super::splice::Edits;
use super::window::Window;
use super::{Reference, Settings, Tally};
use crate::base::retrieval::confirmation::Confirmation;
use crate::base::{self, Context, Established};

/// Rewrites or examines a document that comes in pieces, with the same result as
/// [`rewrite_bytes`](super::rewrite_bytes) and [`examine`](super::examine) on the whole.
///
/// # Examples
/// ```
/// use abslink::internals::html::{BaseSearch, Piecewise, Prepass};
/// use abslink::{Context, Settings, Syntax};
///
/// let pieces: [&[u8]; 2] = [b"<img src=", b"i.png><base href=http://h/>"];
/// let mut prepass = Prepass::new(Syntax::Html, None);
/// pieces.iter().for_each(|piece| prepass.look(piece));
/// let mut facts = prepass.finish();
/// let mut search = BaseSearch::new(&mut facts);
/// assert!(pieces.iter().zip([false, true]).any(|(piece, last)| search.look(piece, last)));
///
/// let (context, settings) = (Context::default(), Settings::default());
/// let mut document = Piecewise::new(&facts, &context, &settings);
/// let mut out = Vec::new();
/// document.rewrite(pieces[0], false, &mut out);
/// document.rewrite(pieces[1], true, &mut out);
/// assert_eq!(out, b"<img src=http://h/i.png><base href=http://h/>");
/// ```
pub struct Piecewise<'p> {
    settings: &'p Settings,
    context: &'p Context,
    facts: &'p Facts,
    established: Established,
    /// Why the document stays as it is, if it does.
    left: Option<&'static str>,
    pieces: Pieces,
    places: Places,
    window: Window,
    /// What the `base` element says that counts where the window starts.
    href: Option<String>,
    /// The document's length, if it is known.
    length: Option<u64>,
    growth: Growth,
    tally: Tally,
    confirmation: Confirmation,
    allowance: Allowance,
    changed: bool,
}

/// What [`Piecewise::examine`] comes upon.
#[derive(Debug)]
pub enum Seen<'a> {
    /// A reference; it lies in these bytes, which follow those that were passed.
    Reference(&'a Reference<'a>, &'a [u8]),
    /// The next bytes of the document, in which there is nothing more to come.
    Passed(&'a [u8]),
}

const TOO_LARGE: &str = "it is too large for its character encoding, which has to be decoded as a \
                         whole; convert it to UTF-8";

impl<'p> Piecewise<'p> {
    /// A document of which nothing was seen but the facts.
    pub fn new(facts: &'p Facts, context: &'p Context, settings: &'p Settings) -> Piecewise<'p> {
        Piecewise {
            settings,
            context,
            facts,
            established: base::establish(facts.base.as_deref(), context, settings.resolver),
            left: match facts.handling {
                Handling::Bytes => None,
                Handling::Transcode(_) => Some(TOO_LARGE),
                Handling::Leave(reason) => Some(reason),
            },
            pieces: Pieces::new(facts.syntax),
            places: Places::default(),
            window: Window::default(),
            href: None,
            length: None,
            growth: Growth::up_to(u64::MAX),
            tally: Tally::default(),
            confirmation: Confirmation::default(),
            allowance: Allowance::default(),
            changed: false,
        }
    }

    /// The same document, which is known to have so many bytes. Of one that is not, what was taken
    /// so far says how much it may grow.
    pub fn with_length(self, length: u64) -> Piecewise<'p> {
        let length = Some(length);
        Piecewise { length, ..self }
    }

    /// Whether the base URL is so long that the document may grow by more than
    /// [`growth_limit`](super::growth_limit). Then [`Piecewise::measure`] is to be asked first.
    pub fn has_long_base(&self) -> bool {
        self.left.is_none() && growth::is_long(&self.established, self.context, 0)
    }

    /// Takes the next piece, and only sees how the document would grow. `shows`: if it is to be
    /// examined, and not rewritten.
    pub fn measure(&mut self, piece: &[u8], last: bool, shows: bool) {
        if self.left.is_none() && self.window.push(piece, last) {
            let done = self.references(last, Work::Measure { shows });
            self.window.advance(done);
        }
    }

    /// Whether the document would grow by more than it may.
    pub fn is_outgrown(&self) -> bool {
        self.growth.is_exceeded()
    }

    /// Why the document is left as it is from where it has outgrown its limit, if it has.
    pub fn outgrown(&self) -> Option<&'static str> {
        self.is_outgrown().then_some(OUTGROWN)
    }

    /// Takes the next piece, and appends to `out` as much of the new document as is sure.
    pub fn rewrite(&mut self, piece: &[u8], last: bool, out: &mut Vec<u8>) {
        if self.left.is_some() {
            out.extend_from_slice(piece);
        } else if self.window.push(piece, last) {
            let mut edits = Edits::default();
            let done = self.references(last, Work::Rewrite(&mut edits));
            if self.is_outgrown() {
                self.left = Some(OUTGROWN);
                return;
            }
            edits.apply(&self.window[..done], out);
            self.changed |= !edits.is_empty();
            self.window.advance(done);
        }
    }

    /// Takes the next piece, and tells `each` what is in it.
    pub fn examine(&mut self, piece: &[u8], last: bool, each: &mut dyn FnMut(Seen<'_>)) {
        if self.left.is_none() && self.window.push(piece, last) {
            let done = self.references(last, Work::Show(each));
            if self.is_outgrown() {
                self.left = Some(OUTGROWN);
                return;
            }
            each(Seen::Passed(&self.window[..done]));
            self.window.advance(done);
        }
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
    pub fn finish(self) -> (Examined, bool) {
        let mut established = self.established;
        established.take(&self.confirmation);
        let mut examined = Examined::new(established, self.tally, self.growth);
        examined.left = self.left;
        (examined, self.changed)
    }

    /// Finds the references in the window; returns how much of it is done with.
    fn references(&mut self, last: bool, work: Work<'_>) -> usize {
        let growth = Growth {
            limit: self.limit(),
            ..self.growth
        };
        let (window, start) = (&*self.window, self.window.start());
        let (settings, syntax) = (self.settings, self.facts.syntax);
        let done = self
            .places
            .find_next(window, last, &mut self.pieces, settings.groups);
        let charset = Charset::known(self.facts.encoding, window);
        let mut resolver =
            ReferenceResolver::new(settings, self.context, &self.established, &charset);
        let settled = self.facts.settled.saturating_sub(start);
        let (algorithm, href) = (settings.resolver, self.href.take());
        let moments = |href| Moments::new(self.context, algorithm, href, settled);
        let (each, edits, measured) = match work {
            Work::Measure { shows } => (None, None, Some(shows)),
            Work::Show(each) => (Some(each), None, None),
            Work::Rewrite(edits) => (None, Some(edits), None),
        };
        let mut located = each.map(|each| {
            move |reference: &Reference<'_>| {
                let span = start + reference.span.start..start + reference.span.end;
                let reference = Reference {
                    span,
                    ..reference.clone()
                };
                each(Seen::Reference(&reference, window));
            }
        });
        let each = located
            .as_mut()
            .map(|each| each as &mut dyn FnMut(&Reference<'_>));
        let places = &self.places;
        let allowance = self.allowance;
        let measuring = |shows| Pass::measuring(settings, syntax, shows, growth);
        if measured.is_none() && places.has_codebases() {
            let mut pass = measuring(each.is_some());
            let mut moments = moments(href.clone());
            pass.allowance = allowance;
            pass.places(window, &charset, places, &mut resolver, &mut moments, None);
            if pass.growth.is_exceeded() {
                self.growth = pass.growth;
                return done;
            }
        }
        let mut pass = match measured {
            Some(shows) => measuring(shows),
            None => Pass::new(settings, syntax, each, growth),
        };
        let mut moments = moments(href);
        pass.allowance = allowance;
        pass.places(window, &charset, places, &mut resolver, &mut moments, edits);
        self.tally.merge(&pass.tally);
        self.confirmation.merge(&pass.confirmation);
        self.growth = pass.growth;
        self.allowance = pass.allowance;
        self.href = moments.finish(places, window, &charset, syntax);
        done
    }

    /// By how many bytes the document may grow, as far as that is known.
    fn limit(&self) -> u64 {
        let taken = self.window.start() + self.window.len();
        growth::limit(self.length.unwrap_or(taken as u64))
    }
}

/// What is done with the references in a window.
enum Work<'w> {
    Measure { shows: bool },
    Show(&'w mut dyn FnMut(Seen<'_>)),
    Rewrite(&'w mut Edits),
}
