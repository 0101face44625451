//! What has to be known of a document as a whole before its first reference can be resolved.

use encoding_rs::Encoding;
use memchr::memchr_iter;

use super::Syntax;
use super::encoding::{self, Charset, HEAD, Handling};
use super::groups::Groups;
use super::locate::Pieces;
use super::places::Places;
use super::window::Window;

/// Looks through a document that comes in pieces.
///
/// It gathers which encoding the document is in, and whether it can have a `base` element; whether
/// it has one, and what that says, [`BaseSearch`] finds out by a second look.
#[derive(Clone, Debug)]
pub struct Survey {
    syntax: Syntax,
    head: Vec<u8>,
    utf8: Utf8,
    mentions_base: bool,
    /// The last bytes of the pieces so far, where `<base` may begin.
    seam: Vec<u8>,
}

impl Survey {
    /// A survey of a document of which nothing was seen yet.
    pub fn new(syntax: Syntax) -> Survey {
        Survey {
            syntax,
            head: Vec::new(),
            utf8: Utf8::default(),
            // In XML the name may have a prefix; such documents get the second look.
            mentions_base: syntax == Syntax::Xml,
            seam: Vec::new(),
        }
    }

    /// Takes the next piece.
    pub fn look(&mut self, piece: &[u8]) {
        let missing = HEAD.saturating_sub(self.head.len());
        self.head.extend(piece.iter().take(missing));
        self.utf8.look(piece);
        if self.mentions_base {
            return;
        }
        let needed = BASE.len() - 1;
        self.seam.extend(piece.iter().take(needed));
        self.mentions_base = mentions_base(&self.seam) || mentions_base(piece);
        if piece.len() >= needed {
            self.seam.clear();
            self.seam.extend(&piece[piece.len() - needed..]);
        } else {
            self.seam.drain(..self.seam.len().saturating_sub(needed));
        }
    }

    /// Whether the document says what encoding it is in. If not, every byte counts.
    pub fn knows_encoding(&self) -> bool {
        encoding::sniff(&self.head, self.syntax == Syntax::Xml).is_declared()
    }

    /// What the pieces told, when there are no more.
    pub fn finish(self) -> Facts {
        let charset = encoding::sniff(&self.head, self.syntax == Syntax::Xml);
        Facts {
            syntax: self.syntax,
            handling: charset.handling(),
            encoding: charset.encoding_or(|| self.utf8.is_valid()),
            may_have_base: self.mentions_base,
            base: None,
        }
    }
}

/// What is known of a document as a whole.
#[derive(Clone, Debug)]
pub struct Facts {
    pub(super) syntax: Syntax,
    pub(super) handling: Handling,
    pub(super) encoding: &'static Encoding,
    may_have_base: bool,
    /// What the `base` element that counts says.
    pub(super) base: Option<String>,
}

impl Facts {
    /// Whether the document has to be held in memory as a whole, because markup cannot be found on
    /// its bytes: it is in UTF-16 or ISO-2022-JP.
    pub fn need_whole(&self) -> bool {
        matches!(self.handling, Handling::Transcode(_))
    }

    /// Whether a [`BaseSearch`] can find anything.
    pub fn may_have_base(&self) -> bool {
        self.may_have_base && self.handling == Handling::Bytes
    }
}

/// RFC 1808 §3.1: looks for the `base` element that counts in a document that comes in pieces.
pub struct BaseSearch<'f> {
    facts: &'f mut Facts,
    pieces: Pieces,
    window: Window,
    places: Places,
}

impl<'f> BaseSearch<'f> {
    /// A search from the start of a document; what it finds goes into `facts`.
    pub fn new(facts: &'f mut Facts) -> BaseSearch<'f> {
        BaseSearch {
            pieces: Pieces::new(facts.syntax),
            facts,
            window: Window::default(),
            places: Places::default(),
        }
    }

    /// Takes the next piece; says whether the element was found.
    pub fn look(&mut self, piece: &[u8], last: bool) -> bool {
        if self.window.push(piece, last) {
            let (places, window) = (&mut self.places, &self.window);
            let done = places.find_next(window, last, &mut self.pieces, Groups::NONE);
            let charset = Charset::known(self.facts.encoding, window);
            let href = places.base_href(window, &charset, self.facts.syntax);
            self.facts.base = href.map(|href| href.into_owned());
            self.window.advance(done);
        }
        self.facts.base.is_some()
    }
}

const BASE: &[u8] = b"<base";

fn mentions_base(bytes: &[u8]) -> bool {
    memchr_iter(b'<', bytes).any(|at| {
        let tag = bytes.get(at..at + BASE.len());
        tag.is_some_and(|tag| tag.eq_ignore_ascii_case(BASE))
    })
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

    fn survey(document: &[u8], length: usize) -> Survey {
        let mut survey = Survey::new(Syntax::Html);
        for piece in document.chunks(length) {
            survey.look(piece);
        }
        survey
    }

    #[test]
    fn base_is_found_across_pieces() {
        for length in 1..20 {
            let mentions = |document: &str| survey(document.as_bytes(), length).mentions_base;
            assert!(mentions("<p><b><BaSe href=x>"));
            assert!(mentions("<base"));
            assert!(!mentions("<bas e><bbase ><b"));
        }
    }

    #[test]
    fn utf8_is_told_across_pieces() {
        for length in 1..8 {
            let valid = |document: &[u8]| survey(document, length).utf8.is_valid();
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
            let mut facts = survey(document, length).finish();
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
