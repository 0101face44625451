//! The Python package: arguments in, values and exceptions out, with the interpreter free meanwhile.
//! All work on documents is in the crate.
//!
//! - `options`: keyword arguments are options of the command, and read by its parser.
//! - `text`: documents as `bytes` or `str`; `surrogates`: characters that a `str` may have and
//!   UTF-8 may not.
//! - `document`: one document; `rewriter`: many, with the same options.
//! - `files`: directories and web archives, and the command itself.
//! - `url`: URLs, without a document.
//! - `errors`: what is raised.
//!
//! Results are the named tuples of `abslink/_types.py`.

use pyo3::prelude::*;

mod document;
mod errors;
mod files;
mod options;
mod rewriter;
mod surrogates;
mod text;
mod url;

#[pymodule]
mod _abslink {
    use super::*;

    #[pymodule_export]
    use document::{find_base, links, rewrite};
    #[pymodule_export]
    use errors::{
        BaseUrlError, EncodingError, Error, GrowthError, InternalError, ResolveError, UsageError,
        fail,
    };
    #[pymodule_export]
    use files::{check, command, inputs, rewrite_tree, rewrite_warc, run};
    #[pymodule_export]
    use rewriter::Rewriter;
    #[pymodule_export]
    use url::{parse, resolve};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // A bug is an exception, and not also a text on standard error.
        abslink::bindings::silence();
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

/// A class of `abslink/_types.py`.
fn named_tuple<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("abslink._types")?.getattr(name)
}
