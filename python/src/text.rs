//! Documents as Python has them.

use pyo3::exceptions::{PyTypeError, PyUnicodeEncodeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// A document that was given, and its bytes.
pub(crate) struct Document<'py> {
    given: Bound<'py, PyAny>,
    bytes: Bound<'py, PyBytes>,
    /// Whether it is a `str`: decoded already, so that what it or a transport says of its encoding
    /// does not matter. Its bytes are UTF-8, but for surrogates that stand alone, which are kept.
    pub(crate) is_text: bool,
}

impl<'py> FromPyObject<'_, 'py> for Document<'py> {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Document<'py>> {
        let (bytes, is_text) = if let Ok(bytes) = given.cast::<PyBytes>() {
            (bytes.to_owned(), false)
        } else if let Ok(text) = given.cast::<PyString>() {
            (encoded(&text)?, true)
        } else {
            let kind = given.get_type().name()?;
            let message = format!("a document is bytes or str, not {kind}");
            return Err(PyTypeError::new_err(message));
        };
        Ok(Document {
            given: given.to_owned(),
            bytes,
            is_text,
        })
    }
}

/// In UTF-8, as far as that has the characters.
fn encoded<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyBytes>> {
    match text.encode_utf8() {
        Err(error) if error.is_instance_of::<PyUnicodeEncodeError>(text.py()) => {
            let bytes = text.call_method1("encode", ("utf-8", "surrogatepass"))?;
            Ok(bytes.cast_into()?)
        }
        encoded => encoded,
    }
}

impl<'py> Document<'py> {
    pub(crate) fn py(&self) -> Python<'py> {
        self.given.py()
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.bytes.as_bytes()
    }

    /// A new document of the same type; the same object where nothing changes.
    pub(crate) fn changed_to(&self, new: Option<&[u8]>) -> PyResult<Bound<'py, PyAny>> {
        let Some(new) = new else {
            return Ok(self.given.clone());
        };
        let bytes = PyBytes::new(self.py(), new).into_any();
        match self.is_text {
            false => Ok(bytes),
            true => {
                let (encoding, errors) = (Some(c"utf-8"), Some(c"surrogatepass"));
                PyString::from_encoded_object(&bytes, encoding, errors).map(Bound::into_any)
            }
        }
    }
}

/// Indices into a `str`, by the offsets of its bytes; the text is passed over once as long as they
/// ascend.
pub(crate) struct Indices<'d> {
    bytes: &'d [u8],
    offset: usize,
    index: usize,
}

impl<'d> Indices<'d> {
    pub(crate) fn new(bytes: &'d [u8]) -> Self {
        Indices {
            bytes,
            offset: 0,
            index: 0,
        }
    }

    pub(crate) fn index(&mut self, offset: usize) -> usize {
        if offset < self.offset {
            *self = Indices::new(self.bytes);
        }
        let passed = self.bytes[self.offset..offset].iter();
        // A character begins with a byte that continues none.
        self.index += passed.filter(|byte| !matches!(byte, 0x80..=0xbf)).count();
        self.offset = offset;
        self.index
    }
}
