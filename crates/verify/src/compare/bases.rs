//! The `base` elements of the old document, and the base URL that its references were resolved
//! against.

use encoding_rs::UTF_8;

use crate::compare::values::{Rules, is_name};
use crate::markup::document::Document;
use crate::markup::html::TagFilter;
use crate::markup::{Tag, Token};
use crate::meaning::Targets;
use abslink_html::Syntax;
use abslink_html::shared::Namespace;
use abslink_url::BaseUrl;

/// What was read of the `base` elements.
#[derive(Debug)]
pub(crate) struct Bases {
    /// The base URL that counts so far.
    pub(crate) current: Option<BaseUrl>,
    first: Option<FirstBase>,
    /// Whether any gives the base URL that was told.
    any_agrees: bool,
    /// Whether there is what moves such an element, takes one away or adds one.
    moves: bool,
    /// Whether there is a `frameset`: it may take the place of all that stands in the body.
    has_frameset: bool,
}

/// The first `base` element.
#[derive(Debug)]
struct FirstBase {
    at: usize,
    /// Whether it gives the base URL that was told.
    agrees: bool,
    /// Whether nothing that moves elements comes before it: what comes behind it adds no element that
    /// stands before it, and only a `frameset` takes one away.
    is_sure: bool,
}

impl Bases {
    /// Before any was read.
    pub(crate) fn new(targets: &Targets<'_>) -> Bases {
        Bases {
            current: targets.fallback(),
            first: None,
            any_agrees: false,
            moves: false,
            has_frameset: false,
        }
    }

    /// Takes a start tag into account.
    pub(crate) fn read(&mut self, document: &Document, tag: &Tag, rules: &Rules<'_>) {
        /// Elements that a tree builder moves a `base` out of, or drops it in.
        const MOVE: [&[u8]; 4] = [b"table", b"frameset", b"select", b"template"];
        let name = document.name(tag);
        // In XML nothing is moved.
        let is_html = document.syntax() == Syntax::Html;
        self.moves |= is_html && MOVE.iter().any(|moves| name.eq_ignore_ascii_case(moves));
        self.has_frameset |= is_html && name.eq_ignore_ascii_case(b"frameset");
        // Where the reader is not sure, any of them may count.
        self.moves |= !tag.is_sure;
        let counts = tag.base_counts || !tag.is_sure;
        let Some(raw) = base_href(document, tag).filter(|_| counts) else {
            return;
        };
        let href = rules.decode(raw);
        let targets = &rules.targets;
        let read = targets.base_of(Some(&href));
        let agrees = is_same(read.as_ref(), targets.base.as_ref());
        self.any_agrees |= agrees;
        if self.first.is_none() {
            self.current = read;
            self.first = Some(FirstBase {
                at: tag.start,
                agrees,
                is_sure: !self.moves,
            });
        }
    }

    /// Compares the base URL that was told with what was read, at the end. If not, the answer is
    /// where the element is.
    pub(crate) fn check(&self, document: &Document, rules: &Rules<'_>) -> Result<(), usize> {
        let targets = &rules.targets;
        let is_fallback = is_same(targets.base.as_ref(), targets.fallback().as_ref());
        let first = self.first.as_ref();
        let agrees = first.map_or(is_fallback, |first| first.agrees);
        let is_sure = first.is_some_and(|first| first.is_sure) && !self.has_frameset;
        let may_move = self.moves && !is_sure;
        // A document type declaration may spell a `base` element, or a part of one.
        let is_declared = document.has_declarations();
        if agrees || is_declared || may_move && (self.any_agrees || is_fallback) {
            return Ok(());
        }
        Err(first.map_or(0, |first| first.at))
    }
}

/// Whether two base URLs are the same, or both are missing.
pub(crate) fn is_same(one: Option<&BaseUrl>, other: Option<&BaseUrl>) -> bool {
    one.map(BaseUrl::as_str) == other.map(BaseUrl::as_str)
}

/// What the first `base` element of an HTML document says that is there as a whole.
pub(crate) fn first(html: &str) -> Option<String> {
    memchr::memmem::find(html.to_ascii_lowercase().as_bytes(), b"<base")?;
    let mut document = Document::new(Syntax::Html, TagFilter::Usual);
    document.take(html.as_bytes(), true).ok()?;
    while document.has_next() {
        if let Some(Token::Tag(tag)) = document.next.take()
            && let Some(raw) = href(&document, &tag)
        {
            let (raw, _) = UTF_8.decode_without_bom_handling(raw);
            return Some(htmlize::unescape_attribute(raw).into_owned());
        }
    }
    None
}

/// The value of the `href` of a `base` element that counts.
pub(crate) fn href<'s>(document: &'s Document, tag: &'s Tag) -> Option<&'s [u8]> {
    base_href(document, tag).filter(|_| tag.base_counts)
}

pub(super) fn base_href<'s>(document: &'s Document, tag: &'s Tag) -> Option<&'s [u8]> {
    let syntax = document.syntax();
    let name = match syntax {
        Syntax::Html => document.name(tag),
        Syntax::Xml => document.name(tag).rsplit(|&byte| byte == b':').next()?,
    };
    let is_html = tag.namespaces.contains(&Namespace::Html);
    if !is_html || !is_name(syntax, name, b"base") {
        return None;
    }
    let href = (document.attributes(tag)).find(|(name, _)| is_name(syntax, name, b"href"))?;
    Some(href.1)
}
