//! Long documents in memory, which are read in pieces all the same: listed all at once, the places
//! of a document that consists only of links would take eight times its length.

use super::chunked::{ChunkedRewriter, Seen};
use super::document::Document;
use super::prescan::{BasePrescan, DocumentInfo, EncodingPrescan};
use crate::report::examined::Examined;
use crate::report::reference::Reference;

/// Documents of more bytes are long.
const LONG: usize = 16 << 20;

/// How much is read at once.
const PIECE: usize = 256 << 10;

impl Document<'_> {
    pub(super) fn is_long(&self) -> bool {
        self.bytes.len() > LONG
    }

    /// What decides how it is read in pieces; `None` if it has to be decoded whole. `lists`: all its references will
    /// be shown.
    pub(super) fn facts(&self, lists: bool) -> Option<DocumentInfo> {
        let mut first = EncodingPrescan::new(self.syntax, self.context.charset.as_deref());
        pieces(self.bytes, PIECE).for_each(|(piece, _)| first.look(piece));
        let mut facts = first.finish();
        if facts.need_search() {
            let mut search = BasePrescan::new(&mut facts);
            pieces(self.bytes, PIECE).any(|(piece, last)| search.look(piece, last));
        }
        if facts.need_whole() {
            return None;
        }
        if self.outgrows(&facts, lists) {
            facts.leave();
        }
        Some(facts)
    }

    /// Whether a document with a long base URL would grow by more than it may.
    fn outgrows(&self, facts: &DocumentInfo, lists: bool) -> bool {
        let mut document = self.piecewise(facts);
        let size = document.piece(PIECE);
        document.has_long_base()
            && pieces(self.bytes, size).any(|(piece, last)| {
                document.measure(piece, last, lists);
                document.is_outgrown()
            })
    }

    fn piecewise<'p>(&'p self, facts: &'p DocumentInfo) -> ChunkedRewriter<'p> {
        let document = ChunkedRewriter::new(facts, self.context, self.settings);
        document.in_memory(self.bytes.len() as u64)
    }

    /// Shows every reference.
    pub(super) fn examine_long(
        &self,
        facts: &DocumentInfo,
        each: &mut dyn FnMut(&Reference<'_>),
    ) -> Examined {
        let mut document = self.piecewise(facts);
        let size = document.piece(PIECE);
        for (piece, last) in pieces(self.bytes, size) {
            document.examine(piece, last, &mut |seen| match seen {
                Seen::Reference(reference, _) => each(reference),
                Seen::Passed(_) => {}
            });
        }
        document.finish().0
    }

    /// Appends the document with absolute references to `out`, if anything changes; returns whether
    /// it does.
    pub(super) fn rewrite_long(&self, facts: &DocumentInfo, out: &mut Vec<u8>) -> (Examined, bool) {
        let start = out.len();
        let mut document = self.piecewise(facts);
        let size = document.piece(PIECE);
        for (piece, last) in pieces(self.bytes, size) {
            if document.goes_on() {
                document.rewrite(piece, last, out);
            }
        }
        let is_whole = document.goes_on();
        let (examined, changed) = document.finish();
        let changed = changed && is_whole;
        if !changed {
            out.truncate(start);
        }
        (examined, changed)
    }
}

/// A document in pieces of this size; the last one is empty.
fn pieces(bytes: &[u8], size: usize) -> impl Iterator<Item = (&[u8], bool)> {
    let pieces = bytes.chunks(size).map(|piece| (piece, false));
    pieces.chain([(&[][..], true)])
}

#[cfg(test)]
mod tests {
    use crate::base::Context;
    use crate::locate::Syntax;
    use crate::settings::Settings;

    use super::super::document::{examine, rewrite_bytes};
    use super::*;

    /// The new document, the result of reading it, and the references.
    type Made = (Vec<u8>, Examined, Vec<String>);

    fn both(bytes: &[u8], charset: Option<&str>, syntax: Syntax) -> [Made; 2] {
        let mut context = Context::retrieved_from("http://h/a/b").unwrap();
        context.charset = charset.map(str::to_owned);
        let settings = Settings::default();
        let mut found = Vec::new();
        let spelled = |found: &Reference<'_>| {
            format!("{:?} {} {:?}", found.span, found.reference, found.absolute)
        };
        let mut each = |reference: &Reference<'_>| found.push(spelled(reference));
        examine(bytes, syntax, &context, &settings, &mut each);
        let whole = rewrite_bytes(bytes, syntax, &context, &settings);
        let whole = (whole.document.into_owned(), whole.examined, found);
        let mut found = Vec::new();
        let document = Document::new(bytes, syntax, &context, &settings);
        let facts = document.facts(true).unwrap();
        document.examine_long(&facts, &mut |reference| found.push(spelled(reference)));
        let mut out = Vec::new();
        let (examined, changed) = document.rewrite_long(&facts, &mut out);
        let new = if changed { out } else { bytes.to_vec() };
        [whole, (new, examined, found)]
    }

    #[test]
    fn a_long_document_becomes_what_a_short_one_does() {
        for document in [
            "<a href=x><img src='y z'><base href=/c/>",
            "<p>nothing",
            "",
            "<a href=\u{e9}><meta charset=windows-1251>",
            "<svg><a xlink:href=x></svg><template><base href=/d/><a href=y></template>",
        ] {
            let document = format!("{document}{}", "<a href='#x y'>\u{e9}".repeat(16_000));
            for syntax in [Syntax::Html, Syntax::Xml] {
                for charset in [None, Some("windows-1252")] {
                    let [whole, long] = both(document.as_bytes(), charset, syntax);
                    assert!(whole.0 == long.0, "{}", &document[..60]);
                    assert_eq!(whole.1, long.1);
                    assert!(whole.2 == long.2);
                }
            }
        }
    }

    #[test]
    fn a_long_document_that_outgrows_its_limit_is_left() {
        let base = format!("<base href='http://h/{}/'>", "b".repeat(50_000));
        for (references, is_left) in [(500, false), (6_000, true)] {
            let document = format!("{base}{}", "<a href=x>".repeat(references));
            let [whole, long] = both(document.as_bytes(), None, Syntax::Html);
            assert_eq!(long.1.left.is_some(), is_left);
            assert_eq!(whole.1.left, long.1.left);
            assert_eq!(whole.1.tally, long.1.tally);
            assert!(whole.0 == long.0 && whole.2 == long.2);
            assert_eq!(long.2.is_empty(), is_left);
        }
    }
}
