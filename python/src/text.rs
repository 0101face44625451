//! Documents as Python has them.

use pyo3::PyTypeInfo;

use crate::surrogates::StandIns;
use pyo3::exceptions::{PyTypeError, PyUnicodeEncodeError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PyString};

/// A document that was given, and its bytes.
pub(crate) struct Document<'py> {
    given: Bound<'py, PyAny>,
    bytes: Bound<'py, PyBytes>,
    /// Whether it is a `str`: decoded already, so what it or a transport says about its encoding
    /// does not matter. Its bytes are UTF-8.
    pub(crate) is_text: bool,
    /// What stands for surrogates in the bytes, if the `str` has some.
    stand_ins: Option<StandIns>,
}

impl<'py> FromPyObject<'_, 'py> for Document<'py> {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Document<'py>> {
        let mut given = given.to_owned();
        if given.is_instance_of::<PyByteArray>() || given.is_instance_of::<PyMemoryView>() {
            // Their contents may change meanwhile.
            given = given.py().get_type::<PyBytes>().call1((given,))?;
        }
        let (bytes, stand_ins, is_text) = if let Ok(bytes) = given.cast::<PyBytes>() {
            (bytes.clone(), None, false)
        } else if let Ok(text) = given.cast::<PyString>() {
            let (bytes, stand_ins) = encoded(text)?;
            (bytes, stand_ins, true)
        } else {
            let kind = given.get_type().name()?;
            let message = format!("a document is bytes or str, not {kind}");
            return Err(PyTypeError::new_err(message));
        };
        Ok(Document {
            given,
            bytes,
            is_text,
            stand_ins,
        })
    }
}

/// The UTF-8 of a text that has to consist of characters: a lone surrogate raises `E`, which names
/// `what` it is in.
pub(crate) fn utf8<E: PyTypeInfo>(text: &Bound<'_, PyString>, what: &str) -> PyResult<String> {
    text.extract()
        .map_err(|error: PyErr| unencoded::<E>(error, text, what))
}

/// `error`, or `E` if a text has a lone surrogate.
pub(crate) fn unencoded<E: PyTypeInfo>(error: PyErr, text: &Bound<'_, PyAny>, what: &str) -> PyErr {
    if !error.is_instance_of::<PyUnicodeEncodeError>(text.py()) {
        return error;
    }
    match text.repr() {
        Ok(text) => PyErr::new::<E, _>(format!(
            "{what} {text} has a lone surrogate, which is not a character"
        )),
        Err(error) => error,
    }
}

/// In UTF-8, and what stands for surrogates there.
fn encoded<'py>(text: &Bound<'py, PyString>) -> PyResult<(Bound<'py, PyBytes>, Option<StandIns>)> {
    match text.encode_utf8() {
        Err(error) if error.is_instance_of::<PyUnicodeEncodeError>(text.py()) => {
            let bytes = text.call_method1("encode", ("utf-8", "surrogatepass"))?;
            let bytes = bytes.cast_into::<PyBytes>()?;
            let stand_ins = StandIns::for_text(bytes.as_bytes());
            Ok(match stand_ins {
                Some(it) => (
                    PyBytes::new(text.py(), &it.put(bytes.as_bytes())),
                    stand_ins,
                ),
                None => (bytes, None),
            })
        }
        encoded => Ok((encoded?, None)),
    }
}

impl<'py> Document<'py> {
    pub(crate) fn py(&self) -> Python<'py> {
        self.given.py()
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.bytes.as_bytes()
    }

    /// A new document of the same type; the same object if nothing changes.
    pub(crate) fn changed_to(&self, new: Option<&[u8]>) -> PyResult<Bound<'py, PyAny>> {
        let Some(new) = new else {
            return Ok(self.given.clone());
        };
        match (self.is_text, self.stand_ins) {
            (false, _) => Ok(PyBytes::new(self.py(), new).into_any()),
            (true, None) => self.decoded(new),
            (true, Some(stand_ins)) => self.decoded(&stand_ins.taken_out(new)),
        }
    }

    /// Text that was read in the document.
    pub(crate) fn text(&self, text: &str) -> PyResult<Bound<'py, PyAny>> {
        match self.stand_ins {
            None => Ok(PyString::new(self.py(), text).into_any()),
            Some(stand_ins) => self.decoded(&stand_ins.taken_out(text.as_bytes())),
        }
    }

    fn decoded(&self, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        let bytes = PyBytes::new(self.py(), bytes).into_any();
        let (encoding, errors) = (Some(c"utf-8"), Some(c"surrogatepass"));
        PyString::from_encoded_object(&bytes, encoding, errors).map(Bound::into_any)
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
        // A character begins with a byte that is not a continuation byte.
        self.index += passed.filter(|byte| !matches!(byte, 0x80..=0xbf)).count();
        self.offset = offset;
        self.index
    }
}
