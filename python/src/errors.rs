//! What is raised.

use std::fmt::Display;

use abslink::UnsuitableBase;
use abslink::bindings::{OUTGROWN, catch_panic, password};
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

create_exception!(
    abslink,
    Error,
    PyValueError,
    "Something cannot be done: the subclasses say what."
);
create_exception!(
    abslink,
    UsageError,
    Error,
    "An option has an invalid value, or options cannot be combined."
);
create_exception!(
    abslink,
    BaseUrlError,
    Error,
    "What was given as base URL cannot be one (RFC 1808 section 2.3): it is relative, or nothing is \
     relative to it."
);
create_exception!(
    abslink,
    ResolveError,
    Error,
    "The chosen resolver gives the reference no absolute form."
);
create_exception!(
    abslink,
    EncodingError,
    Error,
    "The document's character encoding cannot be handled, or the document is not in it."
);
create_exception!(
    abslink,
    GrowthError,
    Error,
    "Made absolute, the document would be longer than 16 MiB plus 256 times its length, or \
     than 256 MiB."
);
create_exception!(
    abslink,
    InternalError,
    Error,
    "A bug in abslink; please report it."
);

/// What was given as base URL cannot be one.
pub(crate) fn unsuitable(url: &str, reason: &UnsuitableBase) -> PyErr {
    let url = password::masked_url(url);
    BaseUrlError::new_err(masked(format_args!(
        "cannot use {url} as a base URL: {reason}"
    )))
}

/// A message as it may be shown: without passwords.
pub(crate) fn masked(message: impl Display) -> String {
    password::masked_line(&message.to_string()).into_owned()
}

/// Why a document had to be left as it is, if it had to be.
pub(crate) fn left(reason: Option<&'static str>) -> PyResult<()> {
    match reason {
        None => Ok(()),
        Some(OUTGROWN) => Err(GrowthError::new_err(OUTGROWN)),
        Some(reason) => Err(EncodingError::new_err(reason)),
    }
}

/// Turns a bug that ends some work into an exception.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    catch_panic(work).map_err(internal)
}

/// Lets other Python threads run during some work, and turns a bug that ends it into an exception.
pub(crate) fn detached<T: Send>(py: Python<'_>, work: impl Send + FnOnce() -> T) -> PyResult<T> {
    py.detach(|| catch_panic(work)).map_err(internal)
}

/// A bug, with the message that it left.
pub(crate) fn internal(message: String) -> PyErr {
    InternalError::new_err(format!("abslink failed ({message}); please report this"))
}

/// Fail as a bug would, so that tests see what happens to one.
#[pyfunction]
pub(crate) fn fail(py: Python<'_>, message: String) -> PyResult<()> {
    detached(py, || std::panic::panic_any(message))
}
