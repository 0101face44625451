//! URLs, without a document.

use abslink::bindings::Login;
use abslink::rfc1808::Components;
use abslink::{BaseUrl, Resolver, pre_step};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors::{BaseUrlError, Error, ResolveError, UsageError, guarded, masked, unsuitable};
use crate::named_tuple;
use crate::text::utf8;

/// Resolve a reference against a base URL (RFC 1808 section 4).
///
/// resolver: "rfc1808", "rfc3986" or "whatwg". White space around both is removed first.
/// Raises BaseUrlError if base cannot be a base URL, and ResolveError if the resolver has no result.
#[pyfunction]
#[pyo3(signature = (base, reference, *, resolver=None))]
#[pyo3(text_signature = "(base, reference, *, resolver='rfc1808')")]
pub(crate) fn resolve(
    base: &Bound<'_, PyString>,
    reference: &Bound<'_, PyString>,
    resolver: Option<&Bound<'_, PyString>>,
) -> PyResult<String> {
    let base = utf8::<BaseUrlError>(base, "base")?;
    let reference = utf8::<ResolveError>(reference, "reference")?;
    let resolver = match resolver {
        None => Resolver::default(),
        Some(name) => (utf8::<UsageError>(name, "resolver")?.parse())
            .map_err(|error: abslink::UnknownResolver| UsageError::new_err(error.to_string()))?,
    };
    guarded(|| {
        let url = BaseUrl::parse(&pre_step(&base)).map_err(|reason| unsuitable(&base, &reason))?;
        let reference = pre_step(&reference);
        let resolved = resolver.resolve(&url, &reference).map(String::from);
        resolved.map_err(|reason| {
            ResolveError::new_err(masked(format_args!(
                "cannot resolve {reference:?}: {reason}"
            )))
        })
    })?
}

/// Split a URL into its components (RFC 1808 section 2.4; user, password, host and port by RFC 1738
/// section 3.1).
///
/// Returns Components. A missing component is None, which is not the same as empty. Every text can
/// be split; Error is for lone surrogates.
#[pyfunction]
pub(crate) fn parse<'py>(url: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
    let py = url.py();
    let url = utf8::<Error>(url, "url")?;
    let (parts, login) = guarded(|| {
        let parts = Components::parse(&url);
        (parts, parts.net_loc.map(Login::parse))
    })?;
    named_tuple(py, "Components")?.call1((
        parts.scheme,
        parts.net_loc,
        parts.path,
        parts.params,
        parts.query,
        parts.fragment,
        login.and_then(|login| login.user),
        login.and_then(|login| login.password),
        login.map(|login| login.host),
        login.and_then(|login| login.port),
    ))
}
