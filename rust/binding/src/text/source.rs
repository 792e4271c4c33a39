//! Where texts come from: strings of a Python list, or string columns of Arrow, both read without a copy.

use neardup_core::support::simd::prefetch;
use neardup_core::text::characters::utf8;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyList, PyString};

use crate::support::arrays::{Array, slice};
use crate::support::pools;

/// A column of texts: the offset of each in the bytes, with the end of the last.
pub struct Column {
    pub offsets: Py<PyArray1<i64>>,
    pub bytes: Py<PyArray1<u8>>,
}

pub type BorrowedColumn<'py> = (PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, u8>);

pub enum Source {
    Strings(Vec<PyBackedStr>),
    Columns(Vec<Column>),
}

/// Which parts of the texts are compared; empty for whole texts.
#[derive(Clone, Default)]
pub struct OwnedParts {
    pub offsets: Vec<u64>,
    pub starts: Vec<u32>,
    pub ends: Vec<u32>,
}

impl OwnedParts {
    /// The parts of some documents; empty as well if whole texts are compared.
    pub fn of(&self, documents: &[usize]) -> Self {
        let mut some = Self::default();
        if self.offsets.is_empty() {
            return some;
        }
        some.offsets.push(0);
        for &document in documents {
            let range = self.offsets[document] as usize..self.offsets[document + 1] as usize;
            some.starts.extend_from_slice(&self.starts[range.clone()]);
            some.ends.extend_from_slice(&self.ends[range]);
            some.offsets.push(some.starts.len() as u64);
        }
        some
    }
}

/// A string without a copy; lone surrogates, which UTF-8 cannot hold, become the replacement character and are counted.
pub fn backed(item: &Bound<'_, PyAny>, replaced: &mut usize) -> PyResult<PyBackedStr> {
    let Ok(string) = item.cast::<PyString>() else {
        return PyBackedStr::try_from(PyString::new(item.py(), ""));
    };
    if let Ok(backed) = PyBackedStr::try_from(string.clone()) {
        return Ok(backed);
    }
    let mut bytes: Vec<u8> = string.call_method1("encode", ("utf-8", "surrogatepass"))?.extract()?;
    for index in 0..bytes.len().saturating_sub(2) {
        // A surrogate is ED A0..BF and one more byte; nothing else begins that way.
        if bytes[index] == 0xed && bytes[index + 1] >= 0xa0 {
            bytes[index..index + 3].copy_from_slice("\u{fffd}".as_bytes());
            *replaced += 1;
        }
    }
    PyBackedStr::try_from(PyString::new(item.py(), &String::from_utf8_lossy(&bytes)))
}

/// A text of a column that [`check_column`] has validated.
pub fn checked(bytes: &[u8]) -> &str {
    // SAFETY: every column is validated when the texts are made, and Arrow's buffers do not change.
    unsafe { str::from_utf8_unchecked(bytes) }
}

pub fn check_column(offsets: &Array<'_, i64>, bytes: &Array<'_, u8>, threads: usize) -> PyResult<usize> {
    use numpy::PyArrayMethods;
    let py = offsets.py();
    let (offsets, bytes) = (offsets.readonly(), bytes.readonly());
    let (offsets, bytes) = (slice(&offsets, "offsets")?, slice(&bytes, "bytes")?);
    if !pools::run(py, threads, || utf8::is_column(offsets, bytes))? {
        return Err(PyValueError::new_err("a text column does not hold UTF-8"));
    }
    Ok(offsets.len() - 1)
}

/// Return whether the texts of a column, given by their offsets in the bytes, are all UTF-8.
#[pyfunction]
pub fn is_column(
    py: Python<'_>,
    offsets: PyReadonlyArray1<'_, i64>,
    content: PyReadonlyArray1<'_, u8>,
) -> PyResult<bool> {
    let (offsets, bytes) = (slice(&offsets, "offsets")?, slice(&content, "content")?);
    pools::run(py, 0, || utf8::is_column(offsets, bytes))
}

/// Return whether a list contains only strings.
#[pyfunction]
pub fn are_strings(strings: &Bound<'_, PyList>) -> bool {
    prefetched(strings).all(|item| item.is_exact_instance_of::<PyString>())
}

/// The items of a list; each is prefetched, since they are scattered in memory.
pub fn prefetched<'a, 'py>(list: &'a Bound<'py, PyList>) -> impl Iterator<Item = Bound<'py, PyAny>> + use<'a, 'py> {
    const PREFETCH: usize = 16;
    list.iter().enumerate().map(move |(index, item)| {
        if index + PREFETCH < list.len() {
            // SAFETY: the list has an item at this index, and only its address is used.
            let coming = unsafe { pyo3::ffi::PyList_GetItem(list.as_ptr(), (index + PREFETCH) as isize) };
            prefetch(coming.cast_const().cast());
        }
        item
    })
}
