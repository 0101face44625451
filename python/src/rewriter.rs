//! Many documents with the same options.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::document::rewritten;
use crate::options::Options;
use crate::text::Document;

/// Rewrites documents with the same options, which are those of rewrite.
///
/// One object may be used by any number of threads at a time, and can be pickled.
#[pyclass(frozen, module = "abslink")]
pub(crate) struct Rewriter {
    options: Arc<Options>,
    given: Py<PyDict>,
}

#[pymethods]
impl Rewriter {
    #[new]
    #[pyo3(signature = (**options))]
    #[pyo3(
        text_signature = "(*, charset=None, read_as='html', resolver='rfc1808', \
                          fragments='auto', placeholders='keep', also=(), skip=(), only=(), attr=(), exclude_url=None, to='absolute', site=(), move_url=(), remove_base=False, unwrap=False)"
    )]
    fn new(py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Rewriter> {
        let given = match options {
            Some(options) => options.copy()?,
            None => PyDict::new(py),
        };
        Ok(Rewriter {
            options: Options::of(options)?,
            given: given.unbind(),
        })
    }

    /// Make the references of an HTML document absolute, as abslink.rewrite does.
    ///
    /// charset: the label of this document's encoding, in place of the one in the options.
    #[pyo3(signature = (html, base_url=None, *, charset=None))]
    fn rewrite<'py>(
        &self,
        html: Document<'py>,
        base_url: Option<&Bound<'py, PyString>>,
        charset: Option<&Bound<'py, PyString>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        rewritten(&self.options, &html, base_url, charset).map(|(new, _)| new)
    }

    /// The same, and how many references there are, were made absolute, and cannot be made absolute.
    #[pyo3(signature = (html, base_url=None, *, charset=None))]
    fn rewrite_and_count<'py>(
        &self,
        html: Document<'py>,
        base_url: Option<&Bound<'py, PyString>>,
        charset: Option<&Bound<'py, PyString>>,
    ) -> PyResult<(Bound<'py, PyAny>, u64, u64, u64)> {
        let (new, tally) = rewritten(&self.options, &html, base_url, charset)?;
        Ok((new, tally.references, tally.rewritten, tally.unresolved))
    }

    /// Make the documents of an Arrow record batch absolute; needs pyarrow (abslink[arrow]).
    ///
    /// batch: anything with the Arrow PyCapsule interface.
    /// html, url, charset: the names of its columns with documents, with the URLs that they were
    ///     retrieved from, and with the labels of their encodings.
    ///
    /// Returns a pyarrow.RecordBatch with the columns html, references, rewritten, unresolved and
    /// error. A document that cannot be rewritten stays, and error says why.
    #[pyo3(signature = (batch, *, html="html", url=Some("url"), charset=None))]
    #[pyo3(text_signature = "($self, batch, *, html='html', url='url', charset=None)")]
    fn rewrite_batch<'py>(
        this: &Bound<'py, Self>,
        batch: &Bound<'py, PyAny>,
        html: &str,
        url: Option<&str>,
        charset: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let module = this.py().import("abslink._batch")?;
        module.call_method1("rewrite_batch", (this, batch, html, url, charset))
    }

    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        Ok((PyTuple::empty(py), self.given.bind(py).copy()?))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut options = Vec::new();
        for (name, value) in self.given.bind(py) {
            options.push(format!("{name}={}", value.repr()?));
        }
        Ok(format!("abslink.Rewriter({})", options.join(", ")))
    }
}
