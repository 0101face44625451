//! What has to be known about a document as a whole before its first reference can be resolved.

mod mentions;
mod search;
pub(crate) mod utf8;

use encoding_rs::Encoding;

use crate::locate::window::Window;
use crate::locate::{Pieces, Syntax};
use crate::places::ignore;
use crate::report::growth::OUTGROWN;
use crate::text::encoding::{self, Charset, HEAD, Handling};
use mentions::Mentions;
use utf8::Utf8;

pub use search::BasePrescan;

/// Looks through a document that comes in pieces.
///
/// It finds out which encoding the document seems to be in, and whether it can have a `base`
/// element, an element that changes the encoding, or one for which HTML's tree is needed;
/// [`BasePrescan`] finds out in a second look whether it has one, and what that says.
#[derive(Clone, Debug)]
pub struct EncodingPrescan {
    pub(crate) syntax: Syntax,
    charset: Option<String>,
    head: Vec<u8>,
    utf8: Utf8,
    /// Whether the encoding depends on that.
    bytes_decide: bool,
    mentions: Mentions,
    /// The rest from a tag on of which the pieces so far do not show enough.
    window: Window,
}

impl EncodingPrescan {
    /// The first reading of a document of which nothing was seen yet. `charset`:
    /// what [`crate::base::Context`] has.
    pub fn new(syntax: Syntax, charset: Option<&str>) -> EncodingPrescan {
        EncodingPrescan {
            syntax,
            charset: charset.map(str::to_owned),
            head: Vec::new(),
            utf8: Utf8::default(),
            bytes_decide: true,
            // In XML the name may have a prefix; such documents get the second look.
            mentions: match syntax {
                Syntax::Html => Mentions::default(),
                Syntax::Xml => Mentions::default().and_any(),
            },
            window: Window::default(),
        }
    }

    /// Takes the next piece.
    pub fn look(&mut self, piece: &[u8]) {
        let missing = HEAD.saturating_sub(self.head.len());
        self.head.extend(piece.iter().take(missing));
        if missing > 0 && self.has_head() {
            self.bytes_decide = self.declares_none();
        }
        if self.bytes_decide {
            self.utf8.look(piece);
        }
        if self.syntax == Syntax::Html {
            let mentions = &mut self.mentions;
            (self.window).take(piece, false, |bytes, _, _| mentions.look(bytes));
        }
    }

    /// What the pieces showed, for a search in the same reading: whatever it looks for may still
    /// come.
    pub(crate) fn so_far(&self) -> DocumentInfo {
        DocumentInfo {
            mentions: self.mentions.and_any(),
            ..self.early()
        }
    }

    /// The facts about most documents that begin with these bytes, the pieces so far: nothing that
    /// affects the document as a whole comes later, and nothing depends on HTML's tree. If that is
    /// wrong, [`ChunkedRewriter::late`](crate::ChunkedRewriter::late) says so. `None` if markup cannot be found
    /// on the document's bytes.
    pub fn presume(&self, beginning: &[u8]) -> Option<DocumentInfo> {
        let mut facts = DocumentInfo {
            encoding: self.encoding(false),
            needs_tree: Some(false),
            ..self.so_far()
        };
        BasePrescan::new(&mut facts).look(beginning, false);
        (facts.handling == Handling::Bytes).then(|| facts.of_beginning(self))
    }

    /// Whether the pieces contain everything before the first tag that may declare the encoding.
    pub(crate) fn has_head(&self) -> bool {
        self.head.len() == HEAD
    }

    /// Whether the pieces may have a `base` element.
    pub(crate) fn may_have_base(&self) -> bool {
        self.mentions.bases > 0
    }

    /// The encoding, unless an element changes it: if none is declared, the bytes decide.
    /// `last`: there are no more pieces.
    pub(crate) fn encoding(&self, last: bool) -> &'static Encoding {
        self.charset().encoding_or(|| self.utf8.is_valid(last))
    }

    /// Whether no encoding is declared, so the bytes decide.
    fn declares_none(&self) -> bool {
        self.charset().declares_none()
    }

    fn charset(&self) -> Charset<'_> {
        let is_xml = self.syntax == Syntax::Xml;
        encoding::sniff(&self.head, self.charset.as_deref(), is_xml)
    }

    /// What the pieces showed, when there are no more.
    pub fn finish(self) -> DocumentInfo {
        self.early().with_tree_for(&self)
    }

    /// Whether anything that came depends on HTML's tree; `None` if a second look has to show that.
    fn needs_tree(&self) -> Option<bool> {
        let mentions = self.mentions.and_end(&self.window);
        let may_need_tree = self.syntax == Syntax::Html && mentions.may_need_tree();
        (!may_need_tree).then_some(false)
    }

    /// What the pieces showed, when more may follow.
    pub fn early(&self) -> DocumentInfo {
        let charset = self.charset();
        DocumentInfo {
            syntax: self.syntax,
            handling: charset.handling(),
            encoding: self.encoding(true),
            tentative: charset.is_tentative(),
            mentions: self.mentions.and_end(&self.window),
            needs_tree: Some(true),
            may_be_refused: false,
            may_be_contradicted: false,
            is_guess: false,
            is_ignored: ignore::is_ignored(&self.head, self.syntax),
            base: None,
            base_is_settled: false,
            base_final_from: 0,
        }
    }
}

/// What is known about a document as a whole.
#[derive(Clone, Debug)]
pub struct DocumentInfo {
    pub(crate) syntax: Syntax,
    pub(crate) handling: Handling,
    pub(crate) encoding: &'static Encoding,
    /// Whether a `meta` element may change the encoding.
    pub(crate) tentative: bool,
    mentions: Mentions,
    /// Whether anything depends on HTML's tree, so the document has to be located with it; `None`
    /// if a second look has to show that.
    needs_tree: Option<bool>,
    /// Whether an XML document declares something that may be a reason to leave it as it is.
    may_be_refused: bool,
    /// Whether these are the facts of the document's beginning, which the rest may contradict.
    pub(crate) may_be_contradicted: bool,
    /// Whether the encoding is UTF-8 as long as the bytes are.
    pub(crate) is_guess: bool,
    /// Whether a comment asks to leave all of the document.
    pub(crate) is_ignored: bool,
    /// What the `base` element that counts says.
    pub(crate) base: Option<String>,
    /// Whether no later one can take its place.
    base_is_settled: bool,
    /// Where that element is: what comes before it is parsed with another base URL.
    pub(crate) base_final_from: usize,
}

impl DocumentInfo {
    /// The same, located with HTML's tree only if the first look, which has seen the whole
    /// document, has found something that may depend on it.
    pub(crate) fn with_tree_for(self, first: &EncodingPrescan) -> DocumentInfo {
        let needs_tree = first.needs_tree();
        DocumentInfo { needs_tree, ..self }
    }

    /// The same, for a document of which only what the first look has was seen.
    pub(crate) fn of_beginning(self, first: &EncodingPrescan) -> DocumentInfo {
        let is_guess = self.tentative && first.declares_none() && first.utf8.is_valid(false);
        DocumentInfo {
            may_be_contradicted: true,
            is_guess,
            ..self
        }
    }

    /// Whether the document has to be held whole in memory, because markup cannot be found on
    /// its bytes: it is in UTF-16 or ISO-2022-JP.
    pub fn need_whole(&self) -> bool {
        matches!(self.handling, Handling::Transcode(_))
    }

    /// The document has to be left as it is, because it would grow by more than
    /// [`growth_limit`](crate::report::growth::limit).
    pub fn leave(&mut self) {
        self.handling = Handling::Leave(OUTGROWN);
    }

    /// Whether a [`BasePrescan`] can find anything.
    pub fn need_search(&self) -> bool {
        self.handling == Handling::Bytes && (self.need_elements() || self.needs_tree.is_none())
    }

    /// Whether there may be elements that affect the document as a whole.
    fn need_elements(&self) -> bool {
        let base = self.mentions.bases > 0 && !self.base_is_settled;
        let meta = self.mentions.meta && self.tentative;
        base || meta || self.may_be_refused
    }

    pub(crate) fn pieces(&self) -> Pieces {
        match self.needs_tree {
            Some(false) => Pieces::without_tree(self.syntax),
            Some(true) | None => Pieces::new(self.syntax),
        }
    }

    /// Whether a locator made from these facts has found nothing that they rule out.
    pub(crate) fn allow(&self, pieces: &Pieces) -> bool {
        self.needs_tree != Some(false) || !pieces.has_tree()
    }

    /// Whether nothing that may follow in the document changes the facts.
    pub fn are_final(&self) -> bool {
        self.handling == Handling::Bytes
            && self.base_is_settled
            && !self.tentative
            && !self.may_be_refused
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prescan(document: &[u8], length: usize) -> EncodingPrescan {
        let mut prescan = EncodingPrescan::new(Syntax::Html, None);
        for piece in document.chunks(length) {
            prescan.look(piece);
        }
        prescan
    }

    #[test]
    fn base_is_found_across_pieces() {
        for length in 1..20 {
            let mentions =
                |document: &str| prescan(document.as_bytes(), length).finish().mentions.bases > 0;
            assert!(mentions("<p><b><BaSe href=x>"));
            assert!(mentions("<base"));
            assert!(!mentions("<bas e><bbase ><b"));
        }
        assert!(!prescan(b"<p><a href=x>", 4).finish().need_search());
    }

    /// Foreign content is looked at again for its contents, but not over and over.
    #[test]
    fn foreign_content_takes_time_in_proportion() {
        let twice = format!("<svg><svg>{}</svg></svg>", "<g/>".repeat(20)).repeat(30_000) + "<p>";
        let nested = "<svg><g>".repeat(2_000) + &"</g></svg>".repeat(2_000) + "<p>";
        for length in [1 << 12, 1 << 22] {
            let needs_tree =
                |document: &str| prescan(document.as_bytes(), length).finish().needs_tree;
            assert_eq!(needs_tree(&twice), Some(false));
            assert_eq!(needs_tree(&nested), None);
        }
        let endless = "<svg>".to_owned() + &"<g/>".repeat(1 << 19);
        assert!(prescan(endless.as_bytes(), 1 << 12).window.len() < 1 << 12);
    }

    /// What comes after foreign content that does not end is looked at too.
    #[test]
    fn base_is_found_in_foreign_content_that_does_not_end() {
        for (document, base) in [
            ("<svg><g><p><base href=x>", "x"),
            (
                "<template><svg></template><a href=y><base href=x><svg/>",
                "x",
            ),
        ] {
            for length in 1..document.len() {
                let mut facts = prescan(document.as_bytes(), length).finish();
                let mut search = BasePrescan::new(&mut facts);
                search.look(document.as_bytes(), true);
                assert_eq!(facts.base.as_deref(), Some(base), "{document} by {length}");
            }
        }
        let finds_meta = |document: &[u8]| prescan(document, 3).finish().mentions.meta;
        assert!(finds_meta(b"<svg><g><meta charset=windows-1251>"));
    }

    #[test]
    fn it_is_told_whether_the_tree_is_needed() {
        let needs_tree = |document: &str, length| {
            let mut facts = prescan(document.as_bytes(), length).finish();
            let first_look = facts.needs_tree;
            if facts.need_search() {
                let mut search = BasePrescan::new(&mut facts);
                let pieces = document.as_bytes().chunks(length);
                let mut pieces = pieces.map(|it| (it, false)).chain([([].as_slice(), true)]);
                pieces.any(|(piece, last)| search.look(piece, last));
            }
            (first_look, facts.needs_tree)
        };
        for length in 1..40 {
            for document in [
                "<p><table><col><a href=x>",
                "<base href=x><template><p><b></template>",
                "<sv><colgroup><mat><tem><meta charset=utf-8>",
                "<SVG a='<p>'><g><!-- </x> --></g><svg></svg><p>x</p>",
                "<math><mi>x</mi></math><svg/><meta charset=utf-8>",
                "<template><color><cola></template>",
            ] {
                let plain = (Some(false), Some(false));
                assert_eq!(needs_tree(document, length), plain, "{document}");
            }
            for (document, needed) in [
                ("<!-- <base> --><base href=x>", false),
                ("<base href=x><p><base href=y>", true),
                ("<base href=x><template><base href=y></template>", false),
                ("<title><frameset></title><p>", false),
                ("<title></title><frameset>", true),
                ("<svg><g></x></g></svg>", true),
                ("<!-- <svg></x> --><svg/><a>", false),
                ("<svg><g>", false),
                ("<math><mi><b>x</b></mi></math>", true),
                ("<template><table><col></table></template>", false),
                ("<template><col><a href=x></template>", true),
            ] {
                let expected = (None, Some(needed));
                assert_eq!(needs_tree(document, length), expected, "{document}");
            }
        }
        let beginning = prescan(b"<p>", 1).so_far();
        assert_eq!(beginning.needs_tree, Some(true));
    }

    #[test]
    fn some_facts_are_known_before_the_end() {
        let entity = "<!DOCTYPE html [<!ENTITY a 'b'>]>";
        let base = "<base xmlns='http://www.w3.org/1999/xhtml' href='/b/'/>";
        for (syntax, label, document, are_final) in [
            (Syntax::Html, Some("utf-8"), base.to_owned(), true),
            // A `meta` element may still change the encoding.
            (Syntax::Html, None, base.to_owned(), false),
            (Syntax::Html, Some("utf-8"), "<p>".to_owned(), false),
            (Syntax::Html, Some("utf-16le"), base.to_owned(), false),
            (Syntax::Xml, None, base.to_owned(), true),
            // An entity may still be a reason to leave it.
            (Syntax::Xml, None, format!("{entity}{base}"), false),
        ] {
            let mut prescan = EncodingPrescan::new(syntax, label);
            prescan.look(document.as_bytes());
            let mut facts = prescan.finish();
            BasePrescan::new(&mut facts).look(format!("{document} ").as_bytes(), false);
            assert_eq!(facts.are_final(), are_final, "{label:?} {document}");
        }
    }

    /// The prescan's result counts, if only to say that there is no markup on the bytes.
    #[test]
    fn nothing_is_presumed_where_markup_cannot_be_found() {
        let late = "<meta charset=utf-8><base href=/b/>";
        for (label, is_presumed) in [
            ("utf-8", true),
            ("shift_jis", true),
            ("iso-2022-kr", false),
            ("iso-2022-jp", false),
        ] {
            let document = format!("<title><meta charset={label}></title>{late}");
            let facts = prescan(document.as_bytes(), 9).presume(document.as_bytes());
            assert_eq!(facts.is_some(), is_presumed, "{label}");
        }
    }

    #[test]
    fn utf8_is_told_across_pieces() {
        for length in 1..8 {
            let valid = |document: &[u8]| prescan(document, length).utf8.is_valid(true);
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
            let mut facts = prescan(document, length).finish();
            let mut search = BasePrescan::new(&mut facts);
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
