//! What the standard says about SVG and MathML elements by name.

use super::super::name_filter::{NameSet, is, is_in};
use super::super::{Namespace, RawText};
use super::tag::Tag;

/// Which content an element in a foreign namespace lets HTML into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Integration {
    No,
    /// A MathML text integration point.
    MathMlText,
    Html,
    /// `annotation-xml` without an HTML encoding: `svg` only.
    Svg,
}

impl Integration {
    /// Whether text in it is text of HTML.
    pub(super) fn takes_html(self) -> bool {
        matches!(self, Integration::Html | Integration::MathMlText)
    }
}

/// HTML standard, "tree construction": "MathML text integration point" and "HTML integration
/// point", and what the dispatcher says about `annotation-xml`: which of them a foreign element is.
pub(super) fn integration(namespace: Namespace, tag: &Tag<'_, '_>) -> Integration {
    let is_any = |list| is_in(tag.name, list);
    match namespace {
        Namespace::MathMl if is_any("mi mo mn ms mtext") => Integration::MathMlText,
        Namespace::MathMl if is_any("annotation-xml") => {
            if tag.value_is("encoding", "text/html application/xhtml+xml") {
                Integration::Html
            } else {
                Integration::Svg
            }
        }
        Namespace::Svg if is_any("foreignobject desc title") => Integration::Html,
        _ => Integration::No,
    }
}

/// HTML standard, "the rules for parsing tokens in foreign content": a start tag that is one of
/// [`BREAK_OUT`], or a `font` with one of three attributes, ends the foreign content.
pub(super) fn breaks_out(tag: &Tag<'_, '_>) -> bool {
    BREAK_OUT.holds(tag.name)
        || (is(tag.name, b"font") && ["color", "face", "size"].iter().any(|name| tag.has(name)))
}

/// Start tags that foreign content cannot contain.
static BREAK_OUT: NameSet = NameSet::of(
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i \
     img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt \
     u ul var",
);

/// Which text of an element is reported; that of SVG's as style sheet or script (SVG 2, "styling"
/// and "scripting"): MathML has neither style sheets nor scripts.
pub(super) fn reported_text(namespace: Namespace, name: &[u8]) -> Option<RawText> {
    let reported: &[_] = match namespace {
        Namespace::Html => &[
            ("style", RawText::Style),
            ("script", RawText::Script),
            ("noscript", RawText::Noscript),
            ("noframes", RawText::Noframes),
        ],
        Namespace::Svg => &[("style", RawText::Style), ("script", RawText::Script)],
        Namespace::MathMl => &[],
    };
    let found = reported
        .iter()
        .find(|(each, _)| is(name, each.as_bytes()))?;
    Some(found.1)
}
