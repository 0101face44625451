//! The second look at a document in pieces: finds the elements that affect all of it.

use std::ops::DerefMut;

use encoding_rs::Encoding;

use super::DocumentInfo;
use crate::locate::Pieces;
use crate::locate::html::Quiet;
use crate::locate::window::Window;
use crate::places::custom_attributes::Wanted;
use crate::places::list::Places;
use crate::text::encoding::{Charset, Handling};

/// Looks for the elements that affect a document as a whole, in one that comes in pieces: RFC
/// 1808 §3.1, the `base` element, and the `meta` element that says what encoding it is in.
pub struct BasePrescan<F> {
    facts: F,
    pieces: Pieces,
    window: Window,
    places: Places,
    /// The value of the `base` element, in the document's encoding.
    href: Option<Vec<u8>>,
    /// Locates without HTML's tree, to see whether that is enough.
    trial: (Pieces, Window),
}

impl<F: DerefMut<Target = DocumentInfo>> BasePrescan<F> {
    /// A search from the start of a document; what it finds goes into `facts`.
    pub fn new(facts: F) -> BasePrescan<F> {
        BasePrescan {
            pieces: facts.pieces(),
            trial: (Pieces::without_tree(facts.syntax), Window::default()),
            facts,
            window: Window::default(),
            places: Places::default(),
            href: None,
        }
    }

    /// Takes the next piece; returns whether everything was found, and nothing that
    /// follows can come before it.
    pub fn look(&mut self, piece: &[u8], last: bool) -> bool {
        // Whatever the bytes look like, there may be no markup on them.
        if !self.facts.need_search() {
            return true;
        }
        if self.facts.need_elements() {
            let mut window = std::mem::take(&mut self.window);
            window.take(piece, last, |bytes, start, last| {
                self.look_at(bytes, start, last)
            });
            self.window = window;
        }
        self.try_without_tree(piece, last);
        !self.facts.need_search()
    }

    fn look_at(&mut self, bytes: &[u8], start: usize, last: bool) -> usize {
        let (facts, places) = (&mut *self.facts, &mut self.places);
        let done = places.find_next(bytes, last, &mut self.pieces, Wanted::NOTHING);
        // What the element says is read again only where that may have changed.
        let mut is_new = false;
        if facts.tentative
            && let Some(encoding) = places.declares
        {
            is_new = true;
            facts.tentative = false;
            facts.encoding = encoding;
            facts.handling = Handling::of(encoding);
        }
        facts.may_be_refused = places.may_be_refused();
        if let Some(change) = places.bases.last() {
            is_new = true;
            self.href = change.value(bytes).map(<[u8]>::to_vec);
            facts.base_final_from = start + change.at;
        }
        if is_new {
            self.read();
        }
        let (facts, places) = (&mut *self.facts, &mut self.places);
        let is_there = self.href.is_some();
        facts.base_is_settled = is_there && (last || self.pieces.base_is_settled());
        if let Some(reason) = places.refused {
            facts.handling = Handling::Leave(reason);
            (self.href, facts.base) = (None, None);
        }
        done
    }

    /// What was found so far.
    pub(crate) fn facts(&self) -> &DocumentInfo {
        &self.facts
    }

    /// What was found, in a document whose bytes turned out to be in this encoding, unless an
    /// element declares another.
    pub(crate) fn facts_in(&mut self, encoding: &'static Encoding) -> &DocumentInfo {
        if self.facts.tentative && self.facts.encoding != encoding {
            self.facts.encoding = encoding;
            self.read();
        }
        &self.facts
    }

    /// Locates, without HTML's tree, what may depend on it. Whatever needs the tree here will need it
    /// again when the document is located for its references: only the bytes decide.
    fn try_without_tree(&mut self, piece: &[u8], last: bool) {
        let (pieces, window) = &mut self.trial;
        if self.facts.needs_tree.is_none() {
            window.take(piece, last, |bytes, _, last| {
                pieces.locate(bytes, last, &mut Quiet)
            });
            if pieces.has_tree() || last {
                self.facts.needs_tree = Some(pieces.has_tree());
            }
        }
    }

    /// Reads the value of the `base` element.
    fn read(&mut self) {
        let facts = &mut *self.facts;
        facts.base = None;
        if let Some(href) = &self.href {
            let charset = Charset::known(facts.encoding, href);
            match self.places.href(href, &charset, facts.syntax) {
                Ok(href) => facts.base = Some(href.into_owned()),
                Err(reason) => facts.handling = Handling::Leave(reason),
            }
        }
    }
}
