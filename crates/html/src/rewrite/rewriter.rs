//! A document that comes in pieces, and goes out as one: the public face of [`ChunkedRewriter`].

use std::borrow::Cow;
use std::fmt;
use std::io::Write;

use super::chunked::ChunkedRewriter;
use super::document;
use super::error::RewriteError;
use super::prescan::{BasePrescan, DocumentInfo, EncodingPrescan};
use crate::base::Context;
use crate::locate::Syntax;
use crate::report::examined::Examined;
use crate::settings::Settings;
use crate::text::encoding::{HEAD, Handling};

/// Rewrites a document that comes in pieces, with the same result as
/// [`rewrite_bytes`](crate::rewrite_bytes) on the whole: [`write`](Rewriter::write) takes the pieces,
/// [`end`](Rewriter::end) says that there are no more.
///
/// The base URL (RFC 1808 §3.1) and the character encoding of a document count for all of it, and it
/// may say either at any place. What comes before that is held back, up to a limit
/// ([`hold`](Rewriter::hold)). Where the limit is reached, the document goes on as if it said
/// nothing more of that kind; should it do so after all, that is an error, and what was written is
/// of no use. Whoever can read a document twice lets a [`Prescan`] read it first
/// ([`after`](Rewriter::after)): then nothing is held back but the token that a piece ends in.
///
/// # Examples
/// ```
/// use abslink_html::{Context, Rewriter, Settings, Syntax};
///
/// let context = Context::retrieved_from("http://h/a/b.html")?;
/// let settings = Settings::default();
/// let mut rewriter = Rewriter::new(Syntax::Html, &context, &settings, Vec::new());
/// for piece in ["<img src=i.png><a hr", "ef='../x'>"] {
///     rewriter.write(piece.as_bytes())?;
/// }
/// let ended = rewriter.end()?;
/// assert_eq!(ended.out, b"<img src=http://h/a/i.png><a href='http://h/x'>");
/// assert_eq!(ended.examined.tally.rewritten, 2);
/// # Ok::<(), abslink_html::RewriteError>(())
/// ```
pub struct Rewriter<'p, W> {
    out: W,
    context: &'p Context,
    settings: &'p Settings,
    hold: usize,
    state: Phase<'p>,
    /// What is to be written next; its memory is reused.
    new: Vec<u8>,
}

enum Phase<'p> {
    /// What counts for the whole document is not known.
    Collecting(Box<Prescan>),
    /// It is known, or taken as known.
    Flowing(Box<ChunkedRewriter<'p>>),
}

/// What [`Rewriter::end`] leaves.
///
/// # Examples
/// ```
/// use abslink_html::{Context, Rewriter, Settings, Syntax};
///
/// let (context, settings) = (Context::default(), Settings::default());
/// let mut rewriter = Rewriter::new(Syntax::Html, &context, &settings, Vec::new());
/// rewriter.write(b"<p>")?;
/// let ended = rewriter.end()?;
/// assert_eq!((ended.out, ended.is_changed), (b"<p>".to_vec(), false));
/// # Ok::<(), abslink_html::RewriteError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ended<W> {
    /// Where the document was written to.
    pub out: W,
    /// What reading it told.
    pub examined: Examined,
    /// Whether the new document differs.
    pub is_changed: bool,
}

const NEEDS_WHOLE: &str =
    "the end of a document whose character encoding has to be decoded as a whole";

/// How much is held back unless [`Rewriter::hold`] says something else: 8 MiB.
const HELD: usize = 8 << 20;

impl<W> fmt::Debug for Rewriter<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_held = matches!(self.state, Phase::Collecting { .. });
        f.debug_struct("Rewriter")
            .field("context", self.context)
            .field("settings", self.settings)
            .field("hold", &self.hold)
            .field("is_held", &is_held)
            .finish_non_exhaustive()
    }
}

impl<'p, W: Write> Rewriter<'p, W> {
    /// A document of which nothing has come yet; the new one is written to `out`.
    pub fn new(
        syntax: Syntax,
        context: &'p Context,
        settings: &'p Settings,
        out: W,
    ) -> Rewriter<'p, W> {
        let mut prescan = Box::new(Prescan::new(syntax, context));
        prescan.holds = true;
        Rewriter {
            out,
            context,
            settings,
            hold: HELD,
            state: Phase::Collecting(prescan),
            new: Vec::new(),
        }
    }

    /// The same document, of which so many bytes may be held back; 8 MiB unless this is called. The
    /// first 1024 always are, since they tell the character encoding.
    pub fn hold(self, bytes: usize) -> Rewriter<'p, W> {
        Rewriter {
            hold: bytes,
            ..self
        }
    }

    /// The same document, which was read before: nothing is held back. One whose encoding has to be
    /// decoded as a whole (UTF-16, ISO-2022-JP) is left as it is then.
    ///
    /// # Examples
    /// ```
    /// use abslink_html::{Context, Prescan, Rewriter, Settings, Syntax};
    ///
    /// let pieces = [&b"<a href=x>"[..], b"<base href=http://h/>"];
    /// let context = Context::default();
    /// let mut prescan = Prescan::new(Syntax::Html, &context);
    /// pieces.iter().for_each(|piece| prescan.write(piece));
    /// let settings = Settings::default();
    /// let rewriter = Rewriter::new(Syntax::Html, &context, &settings, Vec::new());
    /// let mut rewriter = rewriter.after(prescan);
    /// for piece in pieces {
    ///     rewriter.write(piece)?;
    /// }
    /// assert_eq!(rewriter.end()?.out, b"<a href=http://h/x><base href=http://h/>");
    /// # Ok::<(), abslink_html::RewriteError>(())
    /// ```
    pub fn after(mut self, prescan: Prescan) -> Rewriter<'p, W> {
        let length = prescan.length;
        let document = self.document(prescan.finish()).with_length(length);
        self.state = Phase::Flowing(Box::new(document));
        self
    }

    /// Takes the next piece of the document.
    ///
    /// # Errors
    /// [`RewriteError::Late`], [`RewriteError::Output`], and [`RewriteError::Left`] where the
    /// document has grown by more than it may. None of them goes away: there is nothing to do but to
    /// drop the rewriter.
    pub fn write(&mut self, piece: &[u8]) -> Result<(), RewriteError> {
        let prescan = match &mut self.state {
            Phase::Collecting(prescan) => prescan,
            Phase::Flowing(_) => return self.flow(piece, false),
        };
        prescan.write(piece);
        let is_final = prescan.is_final();
        if !is_final && prescan.held.len() <= self.hold.max(HEAD) {
            return Ok(());
        }
        let facts = prescan.so_far();
        if facts.need_whole() {
            return Err(self.late(NEEDS_WHOLE));
        }
        let bytes = std::mem::take(&mut prescan.held);
        let document = self.document(facts);
        self.state = Phase::Flowing(Box::new(document));
        self.flow(&bytes, false)
    }

    /// Ends the document, and writes what is left of it.
    ///
    /// # Errors
    /// As [`Rewriter::write`].
    pub fn end(mut self) -> Result<Ended<W>, RewriteError> {
        self.flow(&[], true)?;
        let (examined, is_changed) = match self.state {
            Phase::Collecting(prescan) => {
                let Prescan { first, held, .. } = *prescan;
                let rewritten =
                    document::rewrite_bytes(&held, first.syntax, self.context, self.settings);
                self.out.write_all(&rewritten.document)?;
                let is_changed = rewritten.is_changed();
                (rewritten.examined, is_changed)
            }
            Phase::Flowing(document) => document.finish(),
        };
        Ok(Ended {
            out: self.out,
            examined,
            is_changed,
        })
    }

    fn document(&self, facts: DocumentInfo) -> ChunkedRewriter<'p> {
        ChunkedRewriter::of(Cow::Owned(facts), self.context, self.settings)
    }

    /// Takes the next piece where nothing is held back any more.
    fn flow(&mut self, piece: &[u8], last: bool) -> Result<(), RewriteError> {
        let Phase::Flowing(document) = &mut self.state else {
            return Ok(());
        };
        document.rewrite(piece, last, &mut self.new);
        if let Some(reason) = document.outgrown() {
            return Err(RewriteError::Left(reason));
        }
        if let Some(what) = document.late() {
            return Err(self.late(what));
        }
        if let Some(disagreement) = document.disagreement() {
            return Err(disagreement.clone().into());
        }
        self.out.write_all(&self.new)?;
        self.new.clear();
        Ok(())
    }

    fn late(&self, what: &'static str) -> RewriteError {
        let held = self.hold;
        RewriteError::Late { what, held }
    }
}

/// The first reading of a document that is read twice: [`Rewriter::after`].
///
/// It finds what counts for the whole document: the `base` element (RFC 1808 §3.1) and the character
/// encoding, wherever they stand, and whether the document can have anything for which HTML's tree is
/// needed. Without the tree, the second reading takes a third of the time.
///
/// # Examples
/// ```
/// use abslink_html::{Context, Prescan, Rewriter, Settings, Syntax};
///
/// let (context, settings) = (Context::default(), Settings::default());
/// let document = b"<a href=x><base href=http://h/>";
/// let mut prescan = Prescan::new(Syntax::Html, &context);
/// document.chunks(4).for_each(|piece| prescan.write(piece));
/// let rewriter = Rewriter::new(Syntax::Html, &context, &settings, Vec::new());
/// let mut rewriter = rewriter.after(prescan);
/// document.chunks(4).try_for_each(|piece| rewriter.write(piece))?;
/// assert_eq!(rewriter.end()?.out, b"<a href=http://h/x><base href=http://h/>");
/// # Ok::<(), abslink_html::RewriteError>(())
/// ```
pub struct Prescan {
    first: EncodingPrescan,
    search: Option<BasePrescan<Box<DocumentInfo>>>,
    /// What has come before the search starts, or all of it.
    held: Vec<u8>,
    /// Whether all is held, so that the search need not start before there may be a `base` element.
    holds: bool,
    length: u64,
}

impl fmt::Debug for Prescan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prescan")
            .field("first", &self.first)
            .field("length", &self.length)
            .finish_non_exhaustive()
    }
}

impl Prescan {
    /// A document of which nothing has come yet.
    pub fn new(syntax: Syntax, context: &Context) -> Prescan {
        Prescan {
            first: EncodingPrescan::new(syntax, context.charset.as_deref()),
            search: None,
            held: Vec::new(),
            holds: false,
            length: 0,
        }
    }

    /// Takes the next piece.
    pub fn write(&mut self, piece: &[u8]) {
        self.length += piece.len() as u64;
        self.first.look(piece);
        if self.holds || self.search.is_none() {
            self.held.extend_from_slice(piece);
        }
        if self.search.is_some() {
            self.search(piece, false);
        } else if self.first.has_head() && (!self.holds || self.first.may_have_base()) {
            self.search_held();
        }
    }

    /// Whether nothing that may follow counts for the whole document.
    fn is_final(&self) -> bool {
        let search = self.search.as_ref();
        search.is_some_and(|search| search.facts().are_final())
    }

    /// What is known where more may follow.
    fn so_far(&mut self) -> DocumentInfo {
        self.search_held();
        let facts = self.facts_in(self.first.encoding(false));
        if facts.are_final() {
            facts
        } else {
            facts.of_beginning(&self.first)
        }
    }

    fn finish(mut self) -> DocumentInfo {
        self.search_held();
        self.search(&[], true);
        let encoding = self.first.encoding(true);
        self.facts_in(encoding).with_tree_for(&self.first)
    }

    fn facts_in(&mut self, encoding: &'static encoding_rs::Encoding) -> DocumentInfo {
        let search = self.search.as_mut();
        search.map_or_else(|| self.first.so_far(), |it| it.facts_in(encoding).clone())
    }

    /// Begins the search, if that was not done.
    fn search_held(&mut self) {
        if self.search.is_none() {
            let facts = Box::new(self.first.so_far());
            self.search = Some(BasePrescan::new(facts));
            let held = std::mem::take(&mut self.held);
            self.search(&held, false);
            self.held = if self.holds { held } else { Vec::new() };
        }
    }

    fn search(&mut self, piece: &[u8], last: bool) {
        if let Some(search) = &mut self.search
            && search.facts().handling == Handling::Bytes
            && !search.facts().are_final()
        {
            search.look(piece, last);
        }
    }
}

#[cfg(test)]
mod tests {
    use encoding_rs::{UTF_8, WINDOWS_1252};

    use super::*;

    fn prescan(charset: Option<&str>, document: &[u8]) -> Prescan {
        let context = Context {
            charset: charset.map(str::to_owned),
            ..Context::default()
        };
        let mut prescan = Prescan::new(Syntax::Html, &context);
        document.chunks(7).for_each(|piece| prescan.write(piece));
        prescan
    }

    fn padded(start: &str, end: &[u8]) -> Vec<u8> {
        [start.as_bytes(), &vec![b' '; HEAD], end].concat()
    }

    #[test]
    fn some_documents_need_not_be_held() {
        let base = "<base href=/b/>";
        assert!(prescan(Some("utf-8"), &padded(base, b"")).is_final());
        // What declares the encoding may still come, or a base element.
        assert!(!prescan(Some("utf-8"), base.as_bytes()).is_final());
        assert!(!prescan(None, &padded(base, b"")).is_final());
        assert!(!prescan(Some("utf-8"), &padded("<p>", b"")).is_final());
    }

    #[test]
    fn an_encoding_is_guessed_where_none_is_declared() {
        for (document, is_guess) in [
            (&b"<p>\xc3\xa9"[..], true),
            // A character may go on.
            (b"<p>\xc3", true),
            (b"<p>\xe9.", false),
            (b"\xef\xbb\xbf<p>", false),
            (b"<meta charset=windows-1252>", false),
            // Only the first look takes it for a tag.
            (b"<title><meta charset=windows-1252></title>", false),
        ] {
            let found = prescan(None, document).so_far().is_guess;
            assert_eq!(found, is_guess, "{}", String::from_utf8_lossy(document));
        }
    }

    #[test]
    fn what_counts_for_the_document_is_found_wherever_it_stands() {
        for (start, end, base, encoding) in [
            ("", &b"<base href=/\xc3\xa9/>"[..], "/\u{e9}/", UTF_8),
            ("", b"<base href=/\xe9/>", "/\u{e9}/", WINDOWS_1252),
            ("<base href=/b/>", b"<p>\xe9", "/b/", WINDOWS_1252),
            (
                "<base href=/b/>",
                b"<meta charset=latin1>",
                "/b/",
                WINDOWS_1252,
            ),
        ] {
            let facts = prescan(None, &padded(start, end)).finish();
            assert_eq!(
                (facts.base.as_deref(), facts.encoding),
                (Some(base), encoding)
            );
        }
    }

    #[test]
    fn the_second_reading_has_a_tree_only_where_something_may_depend_on_it() {
        let has_tree = |document: &[u8]| {
            let mut prescan = Prescan::new(Syntax::Html, &Context::default());
            document.chunks(3).for_each(|piece| prescan.write(piece));
            prescan.finish().pieces().has_tree()
        };
        assert!(!has_tree(b"<p><base href=x><a href=y>"));
        assert!(has_tree(b"<title></title><frameset><frame src=x>"));
    }
}
