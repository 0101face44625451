//! What the standard says by name about SVG and MathML elements.

use super::super::{Namespace, RawText};
use super::tag::{Tag, is};

/// Which content an element in a foreign namespace lets HTML into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Integration {
    /// None.
    No,
    /// A MathML text integration point.
    MathMlText,
    /// An HTML integration point.
    Html,
    /// `annotation-xml` without an HTML encoding: `svg` only.
    Svg,
}

/// HTML standard, "tree construction": "MathML text integration point" and "HTML integration
/// point", and what the dispatcher says of `annotation-xml`: which of them a foreign element is.
pub(super) fn integration(namespace: Namespace, tag: &Tag<'_, '_>) -> Integration {
    let any = |names: &[&str]| names.iter().any(|name| is(tag.name, name.as_bytes()));
    match namespace {
        Namespace::MathMl if any(&["mi", "mo", "mn", "ms", "mtext"]) => Integration::MathMlText,
        Namespace::MathMl if any(&["annotation-xml"]) => {
            let html = ["text/html", "application/xhtml+xml"];
            if html
                .iter()
                .any(|encoding| tag.value_is("encoding", encoding))
            {
                Integration::Html
            } else {
                Integration::Svg
            }
        }
        Namespace::Svg if any(&["foreignobject", "desc", "title"]) => Integration::Html,
        _ => Integration::No,
    }
}

/// HTML standard, "the rules for parsing tokens in foreign content": a start tag that is one of
/// [`BREAK_OUT`], or a `font` with one of three attributes, ends the foreign content.
pub(super) fn breaks_out(tag: &Tag<'_, '_>) -> bool {
    BREAK_OUT.iter().any(|name| is(tag.name, name.as_bytes()))
        || (is(tag.name, b"font") && ["color", "face", "size"].iter().any(|name| tag.has(name)))
}

/// Start tags that no foreign content may hold.
const BREAK_OUT: [&str; 44] = [
    "b",
    "big",
    "blockquote",
    "body",
    "br",
    "center",
    "code",
    "dd",
    "div",
    "dl",
    "dt",
    "em",
    "embed",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "hr",
    "i",
    "img",
    "li",
    "listing",
    "menu",
    "meta",
    "nobr",
    "ol",
    "p",
    "pre",
    "ruby",
    "s",
    "small",
    "span",
    "strong",
    "strike",
    "sub",
    "sup",
    "table",
    "tt",
    "u",
    "ul",
    "var",
];

/// Which text of a foreign element is reported, as style sheet or script (SVG 2, "styling" and
/// "scripting"): MathML has neither style sheets nor scripts.
pub(super) fn reported_text(namespace: Namespace, name: &[u8]) -> Option<RawText> {
    if namespace != Namespace::Svg {
        None
    } else if is(name, b"style") {
        Some(RawText::Style)
    } else if is(name, b"script") {
        Some(RawText::Script)
    } else {
        None
    }
}
