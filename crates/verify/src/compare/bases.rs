//! The `base` elements of the old document, and the base URL that its references were resolved
//! against.

use encoding_rs::UTF_8;

use crate::compare::values::Rules;
use crate::markup::document::Document;
use crate::markup::{Tag, Token};
use crate::meaning::Targets;
use abslink_html::Syntax;
use abslink_html::shared::Namespace;
use abslink_url::BaseUrl;

/// What was read of the `base` elements.
#[derive(Debug)]
pub(crate) struct Bases {
    /// The base URL that counts so far.
    current: Option<BaseUrl>,
    /// Where the first element is.
    first: Option<usize>,
    /// Whether that, or the lack of any, gives the base URL that was told.
    agrees: bool,
    /// Whether another one or their lack does.
    other_agrees: bool,
    /// Whether there is what moves the first one, takes it away or adds one before it.
    may_move: bool,
}

impl Bases {
    /// Before any was read.
    pub(crate) fn new(targets: &Targets<'_>) -> Bases {
        let current = targets.base_of(None);
        let agrees = is_same(current.as_ref(), targets.base.as_ref());
        Bases {
            current,
            first: None,
            agrees,
            other_agrees: agrees,
            may_move: false,
        }
    }

    /// Takes a start tag into account.
    pub(crate) fn read(&mut self, document: &Document, tag: &Tag, rules: &Rules<'_>) {
        /// Elements that a tree builder moves a `base` out of, or drops it in. In XML nothing is moved.
        const MOVE: [&[u8]; 3] = [b"table", b"select", b"template"];
        let name = document.name(tag);
        let is =
            |other: &[u8]| document.syntax() == Syntax::Html && name.eq_ignore_ascii_case(other);
        // Where the reader is not sure, any of them may count.
        let is_before = self.first.is_none();
        self.may_move |= is_before && (!tag.is_sure || MOVE.into_iter().any(is));
        // It may take the place of all that stands in the body.
        self.may_move |= is(b"frameset");
        let counts = tag.base_applies || !tag.is_sure;
        let Some(raw) = base_href(document, tag).filter(|_| counts) else {
            return;
        };
        let read = rules.targets.base_of(Some(&rules.decode(raw)));
        let agrees = is_same(read.as_ref(), rules.targets.base.as_ref());
        self.other_agrees |= agrees;
        if is_before {
            (self.current, self.first, self.agrees) = (read, Some(tag.start), agrees);
        }
    }

    /// The base URLs that may count so far, other than the one that counts in the end.
    pub(crate) fn moments(&self, targets: &Targets<'_>) -> impl Iterator<Item = BaseUrl> {
        let without = self.may_move.then(|| targets.base_of(None)).flatten();
        let all = self.current.clone().into_iter().chain(without);
        all.filter(|moment| !is_same(Some(moment), targets.base.as_ref()))
    }

    /// Compares the base URL that was told with what was read, at the end. If not, the answer is
    /// where the element is.
    pub(crate) fn check(&self, document: &Document) -> Result<(), usize> {
        // A document type declaration may spell a `base` element, or a part of one, and raw text may hide one that
        // is none.
        let may_be_hidden = document.syntax() == Syntax::Html && document.doubt().is_some();
        let may_be_another =
            document.has_declarations() || may_be_hidden || self.may_move && self.other_agrees;
        if self.agrees || may_be_another {
            return Ok(());
        }
        Err(self.first.unwrap_or_default())
    }
}

/// Whether two base URLs are the same, or both are missing.
pub(crate) fn is_same(one: Option<&BaseUrl>, other: Option<&BaseUrl>) -> bool {
    one.map(BaseUrl::as_str) == other.map(BaseUrl::as_str)
}

/// What the first `base` element of an HTML document says that is there as a whole.
pub(crate) fn first(html: &str) -> Option<String> {
    memchr::memmem::find(html.to_ascii_lowercase().as_bytes(), b"<base")?;
    let mut document = Document::new(Syntax::Html);
    document.take(html.as_bytes(), true);
    while let Some(token) = document.next() {
        if let Token::Tag(tag) = token
            && tag.base_applies
            && let Some(raw) = base_href(&document, &tag)
        {
            let (raw, _) = UTF_8.decode_without_bom_handling(raw);
            return Some(htmlize::unescape_attribute(raw).into_owned());
        }
    }
    None
}

/// The value of the `href` of a `base` element.
pub(super) fn base_href<'s>(document: &'s Document, tag: &'s Tag) -> Option<&'s [u8]> {
    let is_it = is_base(document, tag);
    is_it.then(|| document.value(tag, "href")).flatten()
}

pub(super) fn is_base(document: &Document, tag: &Tag) -> bool {
    let is_html = tag.namespaces.contains(&Namespace::Html);
    is_html && document.is_name(document.local_name(tag), b"base")
}
