//! What both readers, that for HTML and that for XML, find in a document.

pub(crate) mod document;
pub(crate) mod html;
pub(crate) mod xml;

use std::ops::Range;

use abslink_html::shared::{Delimiter, Namespace};

/// What stands between two runs of plain bytes.
#[derive(Debug)]
pub(crate) enum Token {
    /// A start tag.
    Tag(Tag),
    /// The text of the last open [`Tag::text`] ends here.
    Close(usize),
}

/// A start tag.
#[derive(Debug)]
pub(crate) struct Tag {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) attributes: Vec<Attribute>,
    /// The values of `xml:base` that count there, the outermost first, with NULs between them.
    pub(crate) xml_bases: String,
    /// Where its element may be.
    pub(crate) namespaces: &'static [Namespace],
    /// Whether a `base` here would count.
    pub(crate) base_counts: bool,
    /// Whether its reader is sure what follows: markup, or text.
    pub(crate) is_sure: bool,
    /// If what follows, up to [`Token::Close`], is the text of its element: how that is delimited.
    pub(crate) text: Option<Delimiter>,
}

/// An attribute of a start tag.
#[derive(Debug)]
pub(crate) struct Attribute {
    pub(crate) name: Range<usize>,
    /// Its value without the quotes, if it has one.
    pub(crate) value: Option<Range<usize>>,
}

/// Those that have places of URLs.
pub(crate) const NAMESPACES: &[Namespace] = &[Namespace::Html, Namespace::Svg, Namespace::MathMl];
