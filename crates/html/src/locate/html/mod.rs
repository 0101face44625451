//! A locator for documents held in memory or read a piece at a time: HTML's tokenizer states,
//! driven by memchr.
//!
//! It finds what a scripting browser's parser finds. `tokenizer` follows the tokenizer states of
//! the HTML standard under their own names; only the tree construction stage can tell which state
//! comes after a start tag, and which namespace its element is in. There are two of these:
//!
//! - `foreign_stack` knows the current foreign element and its foreign ancestors, and how many
//!   templates are open, and nothing else about HTML's tree. Until something needs more, that
//!   decides every question exactly.
//! - `tree` keeps the stack of open elements, the list of active formatting elements and the
//!   insertion mode, by the standard's rules, and knows which `base` comes first in tree order. It
//!   is needed for `frameset`, for a second `base` with an `href`, for a `col` in a `template` that
//!   has no `table`, for HTML inside SVG or MathML, and for an end tag inside SVG or MathML that
//!   closes nothing there. Then the beginning of the document is read again, silently, to build the
//!   tree. Of a document in pieces, a first reading (`rewrite::prescan`) shows whether that will
//!   happen.
//!
//! Time is linear in the document's length. Memory is what the deepest nesting of foreign elements
//! takes (of all elements, once `tree` is needed), and the attributes of one tag.
//!
//! # What is left out, and why that is safe
//!
//! - Nothing is decoded: names and values are compared as bytes, in any ASCII-compatible encoding.
//!   A NUL in a name, which a browser reads as U+FFFD, is not part of any name that matters.
//! - Start tags that a tree builder drops (a `td` outside a table, a second `form`) are reported as
//!   if they counted: no element has their attributes, so rewriting them has no effect. The same
//!   holds for the attributes of a second `html` or `body` that the first one has already. Tags
//!   dropped with the markup that follows (after `frameset`, after `col` in a `template`) are not
//!   reported.
//! - Quirks mode depends only on whether there is a DOCTYPE for `html`, without the list of public
//!   identifiers: it only decides whether a `table` closes an open `p`.
//! - The text of SVG's `style` is reported run by run: CSS on both sides of an end tag in it that
//!   closes nothing is read as two style sheets.
//! - Of the formatting elements (`b`, `font`) that no table cell, caption, `object` or `template`
//!   separates, 64 are remembered, and none is moved over more than 64 open elements; two are told
//!   apart by the bytes of their values. A browser has no such limit, and takes quadratic time. It
//!   matters only for what is open at an end tag inside SVG or MathML.

pub(crate) mod cut;
mod foreign;
mod foreign_stack;
mod raw;
mod skip;
pub(crate) mod tag;
mod tokenizer;
mod tree;

use std::ops::Range;

use memchr::memchr;

use self::foreign_stack::ForeignStack;
use self::tag::Tag;
use self::tokenizer::{RawElement, Tokenizer};
use self::tree::TreeBuilder;
use super::{Handler, Namespace, RawText, Spelling, StartTag};

/// Reports every start tag, raw text and comment of a document to `handler`. `scripting` tells
/// whether `noscript` is raw text.
///
/// ```
/// use std::ops::Range;
/// use abslink_html::locate::{Handler, RawText, Spelling, StartTag};
/// use abslink_html::locate::html::locate;
///
/// struct Links(Vec<Range<usize>>);
///
/// impl Handler for Links {
///     fn start_tag(&mut self, tag: &StartTag<'_>) {
///         self.0.extend(tag.attributes.iter().map(|attribute| attribute.value.clone()));
///     }
///     fn raw_text(&mut self, _: RawText, _: Spelling, _: Range<usize>) {}
///     fn comment(&mut self, _: Range<usize>) {}
/// }
///
/// let document = b"<p>See <a href=x.html>x</a><script>'<a href=y>'</script>";
/// let mut links = Links(Vec::new());
/// locate(document, true, &mut links);
/// assert_eq!(links.0, [15..21]);
/// assert_eq!(&document[15..21], b"x.html");
/// ```
pub fn locate<H: Handler>(document: &[u8], scripting: bool, handler: &mut H) {
    Tokenization::new(scripting, false).locate(document, true, true, handler);
}

/// The state of a locator between two pieces of a document.
///
/// What came before cannot be read again, so there is a tree from the start, unless the document is
/// known to need none, or is a single piece. Memory is what the deepest nesting
/// of elements takes, and the names of elements that no standard knows; without a tree, that of
/// foreign elements.
pub(super) struct Tokenization {
    scripting: bool,
    /// For the tree construction stage, as long as there is no tree.
    stack: ForeignStack,
    tree: Option<Box<TreeBuilder>>,
    open: Option<RawElement>,
}

impl Tokenization {
    /// Of a document of which nothing was read; with HTML's tree from the start, or not before something needs it.
    pub(super) fn new(scripting: bool, has_tree: bool) -> Tokenization {
        Tokenization {
            scripting,
            stack: ForeignStack::default(),
            tree: has_tree.then(|| Box::new(TreeBuilder::new(scripting))),
            open: None,
        }
    }

    /// See [`crate::locate::Pieces::locate`].
    pub(super) fn locate<H: Handler>(
        &mut self,
        piece: &[u8],
        first: bool,
        last: bool,
        handler: &mut H,
    ) -> usize {
        let scripting = self.scripting;
        let mut tokenizer = Tokenizer::new(piece, scripting);
        tokenizer.goes_on = !last;
        if !first {
            tokenizer.position = 0;
            tokenizer.open = self.open.take();
        }
        let end = piece.len();
        if self.tree.is_none()
            && let Err(Halt::NeedsTree) = tokenizer.run(&mut self.stack, handler, end)
        {
            let mut tree = Box::new(TreeBuilder::new(scripting));
            if first && last {
                let at = tokenizer.position;
                tokenizer = Tokenizer::new(piece, scripting);
                // The tree never halts.
                let _ = tokenizer.run(&mut *tree, &mut Quiet, at);
            }
            self.tree = Some(tree);
        }
        if let Some(tree) = &mut self.tree {
            // The tree never halts, and the next piece starts where this one ends.
            let _ = tokenizer.run(&mut **tree, handler, end);
        }
        self.open = tokenizer.open;
        tokenizer.position
    }

    /// See [`crate::locate::Pieces::has_tree`].
    pub(super) fn has_tree(&self) -> bool {
        self.tree.is_some()
    }

    /// See [`crate::locate::Pieces::base_is_settled`].
    pub(super) fn base_is_settled(&self) -> bool {
        // A second `base`, or a `frameset` that removes the first one, would need the tree.
        (self.tree.as_ref()).is_none_or(|tree| tree.base_is_settled())
    }
}

/// Goes through the foreign content at the beginning of a part of a document; returns its length.
///
/// It is the same as a locator without a tree finds at this tag, wherever the tag is.
pub(crate) fn foreign_content(document: &[u8]) -> Result<usize, Halt> {
    let mut tokenizer = Tokenizer::new(document, true);
    let mut stack = ForeignStack::default();
    while let Some(next) = find(b'<', &document[tokenizer.position..]) {
        let end = tokenizer.position + next + 1;
        tokenizer.run(&mut stack, &mut Quiet, end)?;
        if tokenizer.position >= document.len() {
            break;
        }
        if stack.is_empty() {
            return Ok(tokenizer.position);
        }
    }
    Err(Halt::Incomplete)
}

/// What is still open where a document breaks off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// A tag, which begins there.
    Tag(usize),
    /// The text of an element that has no markup in it. Its name in the start tag stands there.
    RawText(Range<usize>),
}

/// What is still open where a document breaks off, if that is a tag or raw text.
///
/// ```
/// use abslink_html::locate::html::{Unfinished, unfinished};
///
/// assert_eq!(unfinished(b"<p><a href='x>y</a>"), Some(Unfinished::Tag(3)));
/// assert_eq!(unfinished(b"<p><title>x<b"), Some(Unfinished::RawText(4..9)));
/// assert_eq!(unfinished(b"<p title='<title>'><!-- <a"), None);
/// ```
pub fn unfinished(document: &[u8]) -> Option<Unfinished> {
    struct LastName(Range<usize>);
    impl Handler for LastName {
        fn wants(&self, attribute: &[u8]) -> bool {
            Quiet.wants(attribute)
        }
        fn wants_bare(&self) -> bool {
            false
        }
        fn start_tag(&mut self, tag: &StartTag<'_>) {
            self.0 = tag.name.clone();
        }
    }
    let mut last = LastName(0..0);
    let mut tokenizer = Tokenizer::new(document, false);
    tokenizer.goes_on = true;
    let halt = tokenizer.run(&mut ForeignStack::default(), &mut last, document.len());
    if let Err(Halt::NeedsTree) = halt {
        tokenizer = Tokenizer::new(document, false);
        tokenizer.goes_on = true;
        // The tree never halts for that.
        let _ = tokenizer.run(&mut TreeBuilder::new(false), &mut last, document.len());
    }
    if tokenizer.open.is_some() {
        return Some(Unfinished::RawText(last.0));
    }
    let at = tokenizer.position;
    let is_tag = match document.get(at..)? {
        [b'<', b'/', letter, ..] | [b'<', letter, ..] => letter.is_ascii_alphabetic(),
        _ => false,
    };
    is_tag.then_some(Unfinished::Tag(at))
}

/// The values of attributes of the tag whose name ends at `name_end`.
pub(crate) fn values<const N: usize>(
    document: &[u8],
    name_end: usize,
    wanted: [&str; N],
) -> [Option<Range<usize>>; N] {
    let mut found = [const { None }; N];
    let end = tag::attributes(document, name_end, |attribute| {
        let name = &document[attribute.name];
        let is = |wanted: &&str| tag::is(name, wanted.as_bytes());
        if let Some(index) = wanted.iter().position(is) {
            found[index].get_or_insert(attribute.value);
        }
    });
    match end {
        Some(_) => found,
        None => [const { None }; N],
    }
}

/// The value of one of them.
pub(crate) fn attribute(document: &[u8], name_end: usize, wanted: &str) -> Option<Range<usize>> {
    let [found] = values(document, name_end, [wanted]);
    found
}

/// The tree construction stage, as far as it decides how reading goes on.
trait Construction {
    /// HTML standard, "tree construction dispatcher": a start tag. `None`: the tree builder drops
    /// it, and so does the locator.
    fn start_tag(&mut self, tag: &Tag<'_, '_>) -> Result<Option<Placement>, Halt>;

    /// "Tree construction dispatcher": an end tag.
    fn end_tag(&mut self, name: &[u8]) -> Result<(), Halt>;

    /// "Tree construction dispatcher": the characters between two other tokens.
    fn text(&mut self, text: &[u8], spelling: Spelling);

    /// "Tree construction dispatcher": a comment, or what becomes one.
    fn comment(&mut self);

    /// "Tree construction dispatcher": a DOCTYPE; `html` says whether it names HTML.
    fn doctype(&mut self, html: bool);

    /// Whether end tags, text, and start tags of ordinary elements lead to nothing here.
    fn is_plain(&self) -> bool;

    /// Whether the next start tag's attributes matter here.
    fn looks_at_attributes(&self) -> bool;

    /// Whether a start tag of this name makes an HTML element, and leads to nothing else.
    fn is_ordinary(&self, name: &[u8]) -> bool;

    /// "Document base URL": whether a `base` that is inserted now counts. In the contents of an
    /// HTML `template` none is in the document tree.
    fn base_applies(&self) -> bool;

    /// Whether a start tag here is in a template that declares no shadow root, or in one inside such a template.
    fn is_inert(&self) -> bool;

    /// Whether the "adjusted current node" is foreign.
    fn is_foreign(&self) -> bool;

    /// Which it is, if it is foreign and its text is reported.
    fn reported_text(&self) -> Option<RawText>;
}

/// Why the tokenizer does not go on. As wide as a position, so that registers hold either.
#[repr(usize)]
pub(crate) enum Halt {
    /// The tree construction stage knows too little about the token that starts at the position.
    NeedsTree,
    /// What starts at the position ends in a later piece.
    Incomplete,
}

/// Where a start tag's element goes.
struct Placement {
    namespace: Namespace,
    content: Content,
    base: BaseOrder,
}

impl Placement {
    const fn of(namespace: Namespace, content: Content) -> Placement {
        let base = BaseOrder::Stays;
        Placement {
            namespace,
            content,
            base,
        }
    }
}

/// What a start tag does to the order of the `base` elements that have an `href`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BaseOrder {
    /// Nothing, or it is the last of them.
    Stays,
    /// It is one, and the first in tree order.
    Precedes,
    /// It removes them.
    Removed,
}

/// The tokenizer state in which an element's content starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Data,
    Rcdata,
    Rawtext,
    ScriptData,
    Plaintext,
}

/// Takes what was reported before, or is not wanted.
pub(crate) struct Quiet;

impl Handler for Quiet {
    /// Tree construction asks whether a `base` has one.
    fn wants(&self, attribute: &[u8]) -> bool {
        tag::is(attribute, b"href")
    }
    fn wants_bare(&self) -> bool {
        false
    }
    fn start_tag(&mut self, _: &StartTag<'_>) {}
}

/// Infra standard, "ASCII whitespace". This includes CR, since the input stream turns it into LF.
pub(crate) fn is_whitespace(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ')
}

/// The first `needle` in a haystack, which is often near.
///
/// Most texts and values are so short that a call of memchr costs more than the search.
#[inline]
pub(crate) fn find(needle: u8, haystack: &[u8]) -> Option<usize> {
    const LOW: u64 = u64::from_ne_bytes([0x01; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    const NEAR: usize = 32;
    let Some(near) = haystack.first_chunk::<NEAR>() else {
        return memchr(needle, haystack);
    };
    for (index, bytes) in near.as_chunks::<8>().0.iter().enumerate() {
        // A byte that is 0 here is the needle; then its high bit is set, and no lower one is.
        let differing = u64::from_le_bytes(*bytes) ^ u64::from_ne_bytes([needle; 8]);
        let equal = differing.wrapping_sub(LOW) & !differing & HIGH;
        if equal != 0 {
            return Some(8 * index + equal.trailing_zeros() as usize / 8);
        }
    }
    Some(NEAR + memchr(needle, &haystack[NEAR..])?)
}
