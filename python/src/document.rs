//! One document.

use abslink::batch::Located;
use abslink::{Context, Examined, Reference, bindings, rewrite_bytes};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::errors::{detached, left};
use crate::named_tuple;
use crate::options::Options;
use crate::text::{Document, Indices};

/// Make the references of an HTML document absolute, and change no other byte.
///
/// html: the document. A str is decoded already, so that neither its <meta> nor charset matters.
/// base_url: the URL that the document was retrieved from (RFC 1808 section 3.3). A <base> element in
///     the document counts more. Without either, references stay as they are.
/// charset: the label of the encoding that the transport gave (Content-Type). It counts more than
///     <meta>, and less than a byte order mark. One that is not known counts as none.
/// read_as: "html" or "xhtml".
/// resolver: "rfc1808", "rfc3986" or "whatwg".
/// fragments: "resolve", or "keep" to leave href="#x" of links within the document.
/// also, skip: groups of places to take too, and to leave alone, such as "lazy" and "css".
/// attr: attributes to take too, such as "img@data-full" and "@data-set:srcset".
/// exclude_url: a regular expression; references that match stay.
/// map_url: prefixes of URLs to replace, such as "http://localhost/=https://example.org/".
///
/// Returns a document of the same type; the same object if nothing changes.
/// Raises BaseUrlError, EncodingError, GrowthError, and UsageError for wrong options.
#[pyfunction]
#[pyo3(signature = (html, base_url=None, **options))]
#[pyo3(
    text_signature = "(html, base_url=None, *, charset=None, read_as='html', resolver='rfc1808', \
                      fragments='resolve', also=(), skip=(), attr=(), exclude_url=None, map_url=())"
)]
pub(crate) fn rewrite<'py>(
    html: Document<'py>,
    base_url: Option<String>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = Options::of(options)?;
    rewritten(&options, &html, base_url.as_deref(), None).map(|(new, _)| new)
}

/// The new document, and what reading it told.
pub(crate) fn rewritten<'py>(
    options: &Options,
    html: &Document<'py>,
    base_url: Option<&str>,
    charset: Option<&str>,
) -> PyResult<(Bound<'py, PyAny>, Examined)> {
    let context = options.context(base_url, charset, html.is_text)?;
    let bytes = html.bytes();
    let rewritten = detached(html.py(), || {
        rewrite_bytes(bytes, options.syntax, &context, &options.settings)
    })?;
    left(&rewritten.examined)?;
    let new = rewritten.is_changed().then_some(&*rewritten.document);
    Ok((html.changed_to(new)?, rewritten.examined))
}

/// List the references of an HTML document, in the order in which abslink links has them.
///
/// The arguments are those of rewrite. Returns a list of Link; start and end are offsets in html, of
/// bytes if it is bytes and of characters if it is a str, so that html[link.start:link.end] is what
/// would be replaced.
/// Raises BaseUrlError, EncodingError, GrowthError, and UsageError for wrong options.
#[pyfunction]
#[pyo3(signature = (html, base_url=None, **options))]
#[pyo3(
    text_signature = "(html, base_url=None, *, charset=None, read_as='html', resolver='rfc1808', \
                      fragments='resolve', also=(), skip=(), attr=(), exclude_url=None, map_url=())"
)]
pub(crate) fn links<'py>(
    html: Document<'py>,
    base_url: Option<String>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyList>> {
    let options = Options::of(options)?;
    let context = options.context(base_url.as_deref(), None, html.is_text)?;
    let mut found = Vec::new();
    let mut indices = html.is_text.then(|| Indices::new(html.bytes()));
    examined(&html, &options, &context, &mut |located| {
        found.push(Link::new(located, indices.as_mut()));
    })?;
    let class = named_tuple(html.py(), "Link")?;
    let links: PyResult<Vec<_>> = found.into_iter().map(|link| link.of(&class)).collect();
    PyList::new(html.py(), links?)
}

/// Find the base URL of an HTML document (RFC 1808 section 3).
///
/// The arguments are those of rewrite. Returns a Base with the URL and the rung that gave it, such as
/// "embedded" for a <base> element and "layout" for base_url; None if there is none.
/// Raises BaseUrlError, EncodingError, GrowthError, and UsageError for wrong options.
#[pyfunction]
#[pyo3(signature = (html, base_url=None, **options))]
#[pyo3(
    text_signature = "(html, base_url=None, *, charset=None, read_as='html', resolver='rfc1808', \
                      fragments='resolve', also=(), skip=(), attr=(), exclude_url=None, map_url=())"
)]
pub(crate) fn find_base<'py>(
    html: Document<'py>,
    base_url: Option<String>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let options = Options::of(options)?;
    let context = options.context(base_url.as_deref(), None, html.is_text)?;
    let established = examined(&html, &options, &context, &mut |_| {})?.established;
    let Some(base) = established.base else {
        return Ok(None);
    };
    let class = named_tuple(html.py(), "Base")?;
    class
        .call1((base.as_str(), established.rung.name()))
        .map(Some)
}

/// Goes through the references of a document.
fn examined(
    html: &Document<'_>,
    options: &Options,
    context: &Context,
    each: &mut (dyn FnMut(&Located<'_>) + Send),
) -> PyResult<Examined> {
    let bytes = html.bytes();
    let examined = detached(html.py(), || {
        bindings::examine(bytes, options.syntax, context, &options.settings, each)
    })?;
    left(&examined)?;
    Ok(examined)
}

/// A reference, taken out of its document.
struct Link {
    place: (usize, usize, usize, usize),
    names: (String, String, &'static str),
    reference: String,
    absolute: Option<String>,
    base: Option<String>,
    base_from: &'static str,
    outcome: &'static str,
    divergent: Option<String>,
}

impl Link {
    fn new(located: &Located<'_>, indices: Option<&mut Indices<'_>>) -> Link {
        let Reference {
            span,
            element,
            attribute,
            kind,
            reference,
            absolute,
            base,
            base_from,
            outcome,
            divergent,
            ..
        } = located.reference;
        let (start, end) = match indices {
            None => (span.start, span.end),
            Some(indices) => (indices.index(span.start), indices.index(span.end)),
        };
        // A browser that gets a failure gets no URL: the field stays text.
        let divergent = divergent.map(|it| it.browser.clone().unwrap_or_default());
        Link {
            place: (located.line, located.column, start, end),
            names: ((*element).to_owned(), (*attribute).to_owned(), kind.name()),
            reference: (*reference).to_owned(),
            absolute: absolute.map(str::to_owned),
            base: base.map(str::to_owned),
            base_from: base_from.name(),
            outcome: outcome.name(),
            divergent,
        }
    }

    /// As the named tuple.
    fn of<'py>(self, class: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (line, column, start, end) = self.place;
        let (element, attribute, kind) = self.names;
        // A tuple of Rust's has twelve fields at most that go to Python at once.
        let rest = (self.base_from, self.outcome, self.divergent);
        let first = (
            line,
            column,
            start,
            end,
            element,
            attribute,
            kind,
            self.reference,
            self.absolute,
            self.base,
        );
        let py = class.py();
        let fields = first.into_pyobject(py)?.add(rest.into_pyobject(py)?)?;
        class.call_method1("_make", (fields,))
    }
}
