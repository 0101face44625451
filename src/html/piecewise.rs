//! A document that is never held as a whole.

use super::document::{Examined, Rewritten};
use super::encoding::{Charset, Handling};
use super::judge::Judge;
use super::locate::Pieces;
use super::pass::Pass;
use super::places::Places;
use super::splice::Edits;
use super::survey::Facts;
use super::window::Window;
use super::{Reference, Settings, Tally};
use crate::base::retrieval::confirmation::Confirmation;
use crate::base::{self, Context, Established};

/// Rewrites or examines a document that comes in pieces, with the same result as
/// [`rewrite`](super::rewrite) and [`examine`](super::examine) on the whole.
///
/// # Examples
/// ```
/// use abslink::base::Context;
/// use abslink::html::{BaseSearch, Piecewise, Settings, Survey, Syntax};
///
/// let pieces: [&[u8]; 2] = [b"<img src=", b"i.png><base href=http://h/>"];
/// let mut survey = Survey::new(Syntax::Html);
/// pieces.iter().for_each(|piece| survey.look(piece));
/// let mut facts = survey.finish();
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
    tally: Tally,
    confirmation: Confirmation,
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
            tally: Tally::default(),
            confirmation: Confirmation::default(),
            changed: false,
        }
    }

    /// Takes the next piece, and appends to `out` as much of the new document as is sure.
    pub fn rewrite(&mut self, piece: &[u8], last: bool, out: &mut Vec<u8>) {
        if self.left.is_some() {
            out.extend_from_slice(piece);
        } else if self.window.push(piece, last) {
            let mut edits = Edits::default();
            let done = self.references(last, None, Some(&mut edits));
            edits.apply(&self.window[..done], out);
            self.changed |= !edits.is_empty();
            self.window.advance(done);
        }
    }

    /// Takes the next piece, and tells `each` what is in it.
    pub fn examine(&mut self, piece: &[u8], last: bool, each: &mut dyn FnMut(Seen<'_>)) {
        if self.left.is_none() && self.window.push(piece, last) {
            let done = self.references(last, Some(each), None);
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

    /// What the document came to, when there are no more pieces.
    pub fn finish(self) -> Rewritten {
        let examined = match self.left {
            Some(reason) => Examined::left(self.context, reason),
            None => {
                let mut established = self.established;
                established.take(&self.confirmation);
                Examined::new(established, self.tally)
            }
        };
        Rewritten {
            examined,
            changed: self.changed,
        }
    }

    /// Finds the references in the window; returns how much of it is done with.
    fn references(
        &mut self,
        last: bool,
        each: Option<&mut dyn FnMut(Seen<'_>)>,
        edits: Option<&mut Edits>,
    ) -> usize {
        let (window, start) = (&*self.window, self.window.start());
        let groups = self.settings.groups;
        let done = self
            .places
            .find_next(window, last, &mut self.pieces, groups);
        let charset = Charset::known(self.facts.encoding, window);
        let mut judge = Judge::new(self.settings, self.context, &self.established, &charset);
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
        let mut pass = Pass::new(self.settings, self.facts.syntax, each);
        pass.places(window, &charset, &self.places, &mut judge, edits);
        self.tally.merge(&pass.tally);
        self.confirmation.merge(&pass.confirmation);
        done
    }
}
