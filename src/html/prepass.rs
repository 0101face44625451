//! What has to be known of a document as a whole before its first reference can be resolved.

use std::ops::DerefMut;

use encoding_rs::Encoding;
use memchr::memchr_iter;

use super::Syntax;
use super::encoding::{self, Charset, HEAD, Handling};
use super::groups::Groups;
use super::growth::OUTGROWN;
use super::locate::Pieces;
use super::places::Places;
use super::window::Window;

/// Looks through a document that comes in pieces.
///
/// It gathers which encoding the document seems to be in, and whether it can have a `base` element
/// or one that changes the encoding; whether it has one, and what that says, [`BaseSearch`] finds
/// out by a second look.
#[derive(Clone, Debug)]
pub struct FirstLook {
    syntax: Syntax,
    charset: Option<String>,
    head: Vec<u8>,
    utf8: Utf8,
    mentions: Mentions,
    /// The last bytes of the pieces so far, where a tag may begin.
    seam: Vec<u8>,
}

impl FirstLook {
    /// The first reading of a document of which nothing was seen yet. `charset`:
    /// what [`crate::base::Context`] has.
    pub fn new(syntax: Syntax, charset: Option<&str>) -> FirstLook {
        FirstLook {
            syntax,
            charset: charset.map(str::to_owned),
            head: Vec::new(),
            utf8: Utf8::default(),
            // In XML the name may have a prefix; such documents get the second look.
            mentions: Mentions {
                base: syntax == Syntax::Xml,
                meta: syntax == Syntax::Xml,
            },
            seam: Vec::new(),
        }
    }

    /// Takes the next piece.
    pub fn look(&mut self, piece: &[u8]) {
        let missing = HEAD.saturating_sub(self.head.len());
        self.head.extend(piece.iter().take(missing));
        self.utf8.look(piece);
        if self.mentions.base && self.mentions.meta {
            return;
        }
        let needed = NAME + "<".len() - 1;
        self.seam.extend(piece.iter().take(needed));
        self.mentions.look(&self.seam);
        self.mentions.look(piece);
        if piece.len() >= needed {
            self.seam.clear();
            self.seam.extend(&piece[piece.len() - needed..]);
        } else {
            self.seam.drain(..self.seam.len().saturating_sub(needed));
        }
    }

    /// What the pieces told, for a search in the same reading: whatever it looks for may still come.
    pub(super) fn so_far(&self) -> Facts {
        let mentions = Mentions {
            base: true,
            meta: true,
        };
        Facts {
            mentions,
            encoding: self.encoding(false),
            ..self.clone().finish()
        }
    }

    /// Whether the pieces hold all that may declare the encoding before the first tag.
    pub(super) fn has_head(&self) -> bool {
        self.head.len() == HEAD
    }

    /// The encoding, unless an element changes it: where none is declared, the bytes decide.
    /// `last`: there are no more pieces.
    pub(super) fn encoding(&self, last: bool) -> &'static Encoding {
        let is_valid = || match last {
            true => self.utf8.is_valid(),
            false => !self.utf8.invalid,
        };
        self.charset().encoding_or(is_valid)
    }

    fn charset(&self) -> Charset<'_> {
        let is_xml = self.syntax == Syntax::Xml;
        encoding::sniff(&self.head, self.charset.as_deref(), is_xml)
    }

    /// What the pieces told, when there are no more.
    pub fn finish(self) -> Facts {
        let charset = self.charset();
        Facts {
            syntax: self.syntax,
            handling: charset.handling(),
            encoding: self.encoding(true),
            tentative: charset.is_tentative(),
            mentions: self.mentions,
            may_be_refused: false,
            base: None,
            base_is_settled: false,
            settled: 0,
        }
    }
}

/// What is known of a document as a whole.
#[derive(Clone, Debug)]
pub struct Facts {
    pub(super) syntax: Syntax,
    pub(super) handling: Handling,
    pub(super) encoding: &'static Encoding,
    /// Whether a `meta` element may change the encoding.
    pub(super) tentative: bool,
    mentions: Mentions,
    /// Whether an XML document declares what may be a reason to leave it as it is.
    may_be_refused: bool,
    /// What the `base` element that counts says.
    pub(super) base: Option<String>,
    /// Whether no later one can take its place.
    base_is_settled: bool,
    /// Where that element is: what stands before it is parsed with another base URL.
    pub(super) settled: usize,
}

impl Facts {
    /// Whether the document has to be held in memory as a whole, because markup cannot be found on
    /// its bytes: it is in UTF-16 or ISO-2022-JP.
    pub fn need_whole(&self) -> bool {
        matches!(self.handling, Handling::Transcode(_))
    }

    /// The document is to be left as it is, because it would grow by more than
    /// [`growth_limit`](super::growth_limit).
    pub fn leave(&mut self) {
        self.handling = Handling::Leave(OUTGROWN);
    }

    /// Whether a [`BaseSearch`] can find anything.
    pub fn need_search(&self) -> bool {
        let base = self.mentions.base && !self.base_is_settled;
        let meta = self.mentions.meta && self.tentative;
        self.handling == Handling::Bytes && (base || meta || self.may_be_refused)
    }

    /// Whether nothing that the document may go on with changes the facts.
    pub fn are_final(&self) -> bool {
        self.handling == Handling::Bytes
            && self.base_is_settled
            && !self.tentative
            && !self.may_be_refused
    }
}

/// Looks for the elements that count for a document as a whole, in one that comes in pieces: RFC
/// 1808 §3.1, the `base` element, and the `meta` element that says what encoding it is in.
pub struct BaseSearch<F> {
    facts: F,
    pieces: Pieces,
    window: Window,
    places: Places,
    /// The value of the `base` element, in the document's encoding.
    href: Option<Vec<u8>>,
}

impl<F: DerefMut<Target = Facts>> BaseSearch<F> {
    /// A search from the start of a document; what it finds goes into `facts`.
    pub fn new(facts: F) -> BaseSearch<F> {
        BaseSearch {
            pieces: Pieces::new(facts.syntax),
            facts,
            window: Window::default(),
            places: Places::default(),
            href: None,
        }
    }

    /// Takes the next piece; says whether everything was found that there may be, and nothing that
    /// follows can come before it.
    pub fn look(&mut self, piece: &[u8], last: bool) -> bool {
        if self.window.push(piece, last) {
            let (facts, places) = (&mut *self.facts, &mut self.places);
            let done = places.find_next(&self.window, last, &mut self.pieces, Groups::NONE);
            // What the element says is read again only where that may have changed: its entities may
            // stand for much.
            let mut is_new = false;
            if let (Some(encoding), true) = (places.declares, facts.tentative) {
                is_new = true;
                facts.tentative = false;
                facts.encoding = encoding;
                facts.handling = Handling::of(encoding);
            }
            facts.may_be_refused = places.may_be_refused();
            if let Some(change) = places.bases.last() {
                is_new = true;
                self.href = change.value(&self.window).map(<[u8]>::to_vec);
                facts.settled = self.window.start() + change.at;
            }
            if is_new {
                self.read();
            }
            let (facts, places) = (&mut *self.facts, &mut self.places);
            let is_there = self.href.is_some();
            facts.base_is_settled = is_there && (last || self.pieces.base_is_settled());
            if let Some(reason) = places.refused {
                facts.handling = Handling::Leave(reason);
            }
            self.window.advance(done);
        }
        !self.facts.need_search()
    }

    /// What was found so far.
    pub(super) fn facts(&self) -> &Facts {
        &self.facts
    }

    /// What was found, in a document whose bytes turned out to be in this encoding, unless an
    /// element declares another one.
    pub(super) fn facts_in(&mut self, encoding: &'static Encoding) -> &Facts {
        if self.facts.tentative && self.facts.encoding != encoding {
            self.facts.encoding = encoding;
            self.read();
        }
        &self.facts
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

/// How long the names are that are looked for.
const NAME: usize = 4;

/// Which elements a document may have.
#[derive(Clone, Copy, Debug)]
struct Mentions {
    base: bool,
    meta: bool,
}

impl Mentions {
    fn look(&mut self, bytes: &[u8]) {
        for at in memchr_iter(b'<', bytes) {
            if let Some(name) = bytes[at + 1..].first_chunk::<NAME>() {
                self.base |= name.eq_ignore_ascii_case(b"base");
                self.meta |= name.eq_ignore_ascii_case(b"meta");
            }
        }
    }
}

/// Whether the pieces so far are valid UTF-8.
#[derive(Clone, Debug, Default)]
struct Utf8 {
    invalid: bool,
    /// The beginning of a character that goes on in the next piece.
    begun: Vec<u8>,
}

impl Utf8 {
    fn look(&mut self, mut piece: &[u8]) {
        while !self.begun.is_empty()
            && !self.invalid
            && let Some((&next, rest)) = piece.split_first()
        {
            self.begun.push(next);
            piece = rest;
            match std::str::from_utf8(&self.begun) {
                Ok(_) => self.begun.clear(),
                Err(error) => self.invalid = error.error_len().is_some(),
            }
        }
        if !self.invalid
            && let Err(error) = std::str::from_utf8(piece)
        {
            self.invalid = error.error_len().is_some();
            self.begun.extend(&piece[error.valid_up_to()..]);
        }
    }

    fn is_valid(&self) -> bool {
        !self.invalid && self.begun.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prepass(document: &[u8], length: usize) -> FirstLook {
        let mut prepass = FirstLook::new(Syntax::Html, None);
        for piece in document.chunks(length) {
            prepass.look(piece);
        }
        prepass
    }

    #[test]
    fn base_is_found_across_pieces() {
        for length in 1..20 {
            let mentions = |document: &str| prepass(document.as_bytes(), length).mentions.base;
            assert!(mentions("<p><b><BaSe href=x>"));
            assert!(mentions("<base"));
            assert!(!mentions("<bas e><bbase ><b"));
        }
    }

    #[test]
    fn utf8_is_told_across_pieces() {
        for length in 1..8 {
            let valid = |document: &[u8]| prepass(document, length).utf8.is_valid();
            assert!(valid("aé€😀b".as_bytes()));
            assert!(!valid(b"a\xe9b"));
            assert!(!valid(b"a\xe2\x82"));
            assert!(!valid(b"\xf0\x9f\x98a"));
            assert!(!valid(b"\x80"));
        }
    }

    #[test]
    fn the_base_that_counts_is_found() {
        let document = b"<!-- <base href=a> --><svg><base href=b></svg><p><base href='&#x63;'>";
        for length in 1..document.len() {
            let mut facts = prepass(document, length).finish();
            let mut search = BaseSearch::new(&mut facts);
            let pieces = document.chunks(length).count();
            let mut pieces = document
                .chunks(length)
                .zip(1..)
                .map(|(piece, nth)| (piece, nth == pieces));
            assert!(pieces.any(|(piece, last)| search.look(piece, last)));
            assert_eq!(facts.base.as_deref(), Some("c"));
        }
    }
}
