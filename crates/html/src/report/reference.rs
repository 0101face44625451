//! One reference, as it is shown.

use super::outcome::Outcome;
use crate::base::BaseSource;
use crate::places::attributes::ValueKind;
use abslink_url::Divergence;

/// One reference of a document, as `links` and `check` show it. [`examine`](crate::examine) has an example.
///
/// # Examples
/// ```
/// use abslink_html::{Context, Settings, Syntax, examine};
///
/// let html = b"<img alt='' src=../i.png>";
/// let context = Context::retrieved_from("http://h/a/b.html")?;
/// examine(html, Syntax::Html, &context, &Settings::default(), &mut |reference| {
///     assert_eq!((reference.element, reference.attribute), ("img", "src"));
///     assert_eq!(html[reference.span.clone()], *b"../i.png");
///     assert_eq!(reference.absolute, Some("http://h/i.png"));
/// });
/// # Ok::<(), abslink_html::UnsuitableBase>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Reference<'a> {
    /// Byte range in the document of the part of the value that is replaced.
    pub span: std::ops::Range<usize>,
    /// The element's name in lower case.
    pub element: &'a str,
    /// The attribute's name in lower case; empty if the reference is in an element's text.
    pub attribute: &'a str,
    /// The grammar of the value that contains it.
    pub kind: ValueKind,
    /// The decoded value after the pre-step.
    pub reference: &'a str,
    /// Its absolute form, if it has one; if it is mapped, the URL that it is mapped to.
    pub absolute: Option<&'a str>,
    /// The base URL that it was resolved against.
    pub base: Option<&'a str>,
    /// Where the base URL comes from, by RFC 1808 §3.
    pub base_from: BaseSource,
    /// What became of it.
    pub outcome: Outcome,
    /// What `rewrite` writes in its place, if it does not stay: its absolute form, or with
    /// [`Settings::to`](crate::Settings::to) the form that is asked for.
    pub to: Option<&'a str>,
    /// What a browser gets, if that is another target.
    pub divergent: Option<&'a Divergence>,
}

impl Reference<'_> {
    /// The same reference at another place.
    #[doc(hidden)]
    pub fn at(&self, span: std::ops::Range<usize>) -> Self {
        Reference {
            span,
            ..self.clone()
        }
    }
}
