//! URLs, without a document.

use abslink::bindings::Login;
use abslink::rfc1808::Components;
use abslink::{BaseUrl, Resolver, pre_step};
use pyo3::prelude::*;

use crate::errors::{ResolveError, UsageError, guarded, unsuitable};
use crate::named_tuple;

/// Resolve a reference against a base URL (RFC 1808 section 4).
///
/// resolver: "rfc1808", "rfc3986" or "whatwg". White space around both is removed first.
/// Raises BaseUrlError if base cannot be a base URL, and ResolveError if the resolver has no result.
#[pyfunction]
#[pyo3(signature = (base, reference, *, resolver="rfc1808"))]
pub(crate) fn resolve(base: &str, reference: &str, resolver: &str) -> PyResult<String> {
    let resolver: Resolver = resolver
        .parse()
        .map_err(|error: abslink::UnknownResolver| UsageError::new_err(error.to_string()))?;
    guarded(|| {
        let url = BaseUrl::parse(&pre_step(base)).map_err(|reason| unsuitable(base, &reason))?;
        let reference = pre_step(reference);
        let resolved = resolver.resolve(&url, &reference).map(String::from);
        resolved.map_err(|reason| {
            ResolveError::new_err(format!("cannot resolve {reference:?}: {reason}"))
        })
    })?
}

/// Take a URL apart (RFC 1808 section 2.4; user, password, host and port by RFC 1738 section 3.1).
///
/// Returns Components. A component that is not there is None, which is not the same as empty. Every
/// text can be taken apart.
#[pyfunction]
pub(crate) fn parse<'py>(py: Python<'py>, url: &str) -> PyResult<Bound<'py, PyAny>> {
    let (parts, login) = guarded(|| {
        let parts = Components::parse(url);
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
