//! One document.

use std::borrow::Cow;

use abslink::batch::Located;
use abslink::feed::{self, FeedBase};
use abslink::{Context, Examined, Reference, Tally, bindings, markdown, message, rewrite_bytes};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::errors::{Error, detached, left, masked};
use crate::named_tuple;
use crate::options::{Kind, Options};
use crate::text::{Document, Indices};

/// Make the references of an HTML document absolute, and change no other byte.
///
/// html: the document. A str is decoded already, so that neither its <meta> nor charset matters. Of a
///     bytearray or a memoryview, the bytes are taken.
/// base_url: the URL that the document was retrieved from (RFC 1808 section 3.3). A <base> element in
///     the document takes precedence. Without either, references stay as they are.
/// charset: the label of the encoding that the transport gave (Content-Type). It takes precedence over
///     <meta>, and a byte order mark over it. An unknown label is ignored.
/// read_as: "html", "xhtml" or "markdown"; "feed" for RSS, Atom, JSON Feed, sitemaps and OPML, or "message" for
///     mail and MHTML, both of which are given as bytes.
/// resolver: "rfc1808", "rfc3986" or "whatwg".
/// fragments: "auto" or "resolve" to take href="#x" like any other, "keep" to leave it. They differ in
///     Markdown alone, where "auto" leaves it.
/// placeholders: "keep" leaves references that begin with a template placeholder, such as {{ url }};
///     "resolve" takes them for text like any other.
/// also, skip, only: groups of places to take too, to leave alone, and to take alone, such as "lazy"
///     and "css".
/// attr: attributes to take too, such as "img@data-full" and "@data-set:srcset", and the text of elements in feeds
/// and XHTML, such as "g:link:url".
/// exclude_url: a regular expression; references that match stay.
/// to: "relative" or "root" for references to what is on the same server as base_url.
/// site: more URLs that stand for the same tree.
/// move_url: prefixes of URLs to replace in every reference, absolute ones too.
/// remove_base: take out each <base href> on which no reference depends any more.
///
/// Returns a document of the same type; the same object if nothing changes.
/// Raises BaseUrlError, EncodingError, GrowthError, UsageError for wrong options, and Error for a feed
/// that is damaged and a part of a message that cannot be read.
#[pyfunction]
#[pyo3(signature = (html, base_url=None, **options))]
#[pyo3(
    text_signature = "(html, base_url=None, *, charset=None, read_as='html', resolver='rfc1808', \
                      fragments='auto', placeholders='keep', also=(), skip=(), only=(), attr=(), exclude_url=None, to='absolute', site=(), move_url=(), remove_base=False, unwrap=False)"
)]
pub(crate) fn rewrite<'py>(
    html: Document<'py>,
    base_url: Option<&Bound<'py, PyString>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = Options::of(options)?;
    rewritten(&options, &html, base_url, None).map(|(new, _)| new)
}

/// The new document, and the counts of its references.
pub(crate) fn rewritten<'py>(
    options: &Options,
    html: &Document<'py>,
    base_url: Option<&Bound<'py, PyString>>,
    charset: Option<&Bound<'py, PyString>>,
) -> PyResult<(Bound<'py, PyAny>, Tally)> {
    if html.is_text && matches!(options.kind, Kind::Feed | Kind::Message) {
        let message = "give a feed or a message as bytes: it says itself how it is encoded";
        return Err(PyTypeError::new_err(message));
    }
    let context = options.context(base_url, charset, html.is_text)?;
    let bytes = html.bytes();
    let (new, tally) = detached(html.py(), || made_absolute(bytes, options, &context))??;
    let new = match &new {
        Cow::Owned(new) => Some(&**new),
        Cow::Borrowed(_) => None,
    };
    Ok((html.changed_to(new)?, tally))
}

/// The new bytes, borrowed where nothing changes.
fn made_absolute<'d>(
    bytes: &'d [u8],
    options: &Options,
    context: &Context,
) -> PyResult<(Cow<'d, [u8]>, Tally)> {
    let settings = &options.settings;
    let rewritten = match options.kind {
        Kind::Html(_) | Kind::Markdown => {
            let rewritten = match options.kind {
                Kind::Html(syntax) => rewrite_bytes(bytes, syntax, context, settings),
                _ => markdown::rewrite(bytes, context, settings),
            };
            left(rewritten.examined.left)?;
            return Ok((rewritten.document, rewritten.examined.tally));
        }
        Kind::Feed => feed::rewrite(bytes, context, settings, FeedBase::default()),
        Kind::Message => message::rewrite(bytes, context, settings),
    };
    let examined = rewritten.examined;
    if let Some(damage) = &examined.damage {
        return Err(Error::new_err(masked(damage)));
    }
    left(examined.left)?;
    if let Some(refusal) = examined.refusals.first() {
        return Err(Error::new_err(masked(refusal)));
    }
    let mut tally = Tally::default();
    for (_, document) in examined.all() {
        tally.merge(&document.tally);
    }
    Ok((rewritten.document, tally))
}

/// List the references of an HTML document, in the order of abslink links.
///
/// The arguments are those of rewrite, with HTML only. Returns a list of Link; start and end are offsets in html, of
/// bytes if it is bytes and of characters if it is a str, so that html[link.start:link.end] is what
/// would be replaced.
/// Raises BaseUrlError, EncodingError, GrowthError, and UsageError for wrong options.
#[pyfunction]
#[pyo3(signature = (html, base_url=None, **options))]
#[pyo3(
    text_signature = "(html, base_url=None, *, charset=None, read_as='html', resolver='rfc1808', \
                      fragments='auto', placeholders='keep', also=(), skip=(), only=(), attr=(), exclude_url=None, to='absolute', site=(), move_url=(), remove_base=False, unwrap=False)"
)]
pub(crate) fn links<'py>(
    html: Document<'py>,
    base_url: Option<&Bound<'py, PyString>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyList>> {
    let options = Options::of(options)?;
    let context = options.context(base_url, None, html.is_text)?;
    let mut found = Vec::new();
    let mut indices = html.is_text.then(|| Indices::new(html.bytes()));
    examined(&html, &options, &context, &mut |located| {
        found.push(Link::new(located, indices.as_mut()));
    })?;
    let class = named_tuple(html.py(), "Link")?;
    let links: PyResult<Vec<_>> = found
        .into_iter()
        .map(|link| link.of(&class, &html))
        .collect();
    PyList::new(html.py(), links?)
}

/// Find the base URL of an HTML document (RFC 1808 section 3).
///
/// The arguments are those of rewrite, with HTML only. Returns a Base with the URL and where it comes from, such
/// as "embedded" for a <base> element and "layout" for base_url; None if there is none.
/// Raises BaseUrlError, EncodingError, GrowthError, and UsageError for wrong options.
#[pyfunction]
#[pyo3(signature = (html, base_url=None, **options))]
#[pyo3(
    text_signature = "(html, base_url=None, *, charset=None, read_as='html', resolver='rfc1808', \
                      fragments='auto', placeholders='keep', also=(), skip=(), only=(), attr=(), exclude_url=None, to='absolute', site=(), move_url=(), remove_base=False, unwrap=False)"
)]
pub(crate) fn find_base<'py>(
    html: Document<'py>,
    base_url: Option<&Bound<'py, PyString>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let options = Options::of(options)?;
    let context = options.context(base_url, None, html.is_text)?;
    let document_base = examined(&html, &options, &context, &mut |_| {})?.document_base;
    let Some(base) = document_base.base else {
        return Ok(None);
    };
    let class = named_tuple(html.py(), "Base")?;
    class
        .call1((html.text(base.as_str())?, document_base.source.name()))
        .map(Some)
}

/// Goes through the references of a document.
fn examined(
    html: &Document<'_>,
    options: &Options,
    context: &Context,
    each: &mut (dyn FnMut(&Located<'_>) + Send),
) -> PyResult<Examined> {
    let (bytes, syntax) = (html.bytes(), options.syntax()?);
    let examined = detached(html.py(), || {
        bindings::examine(bytes, syntax, context, &options.settings, each)
    })?;
    left(examined.left)?;
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
        // If a browser fails it gets no URL; the field is text all the same.
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
    fn of<'py>(
        self,
        class: &Bound<'py, PyAny>,
        html: &Document<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let text = |text: String| html.text(&text);
        let (line, column, start, end) = self.place;
        let (element, attribute, kind) = self.names;
        // At most twelve fields of a Rust tuple can go to Python at once.
        let rest = (
            self.base_from,
            self.outcome,
            self.divergent.map(text).transpose()?,
        );
        let first = (
            line,
            column,
            start,
            end,
            text(element)?,
            text(attribute)?,
            kind,
            text(self.reference)?,
            self.absolute.map(text).transpose()?,
            self.base.map(text).transpose()?,
        );
        let py = class.py();
        let fields = first.into_pyobject(py)?.add(rest.into_pyobject(py)?)?;
        class.call_method1("_make", (fields,))
    }
}
