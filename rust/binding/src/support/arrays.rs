//! NumPy arrays in and out, without copying where that is possible.

use neardup_core::candidates::keys::KeyTable;
use numpy::{Element, IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A NumPy array of one dimension.
pub type Array<'py, T> = Bound<'py, PyArray1<T>>;

/// The elements of an array that must be contiguous.
pub fn slice<'a, T: Element>(array: &'a PyReadonlyArray1<'_, T>, name: &str) -> PyResult<&'a [T]> {
    array.as_slice().map_err(|_| PyValueError::new_err(format!("{name} must be a contiguous array")))
}

/// Pairs from two arrays of equal length whose elements are below `bound`.
pub fn pairs(a: &PyReadonlyArray1<'_, u32>, b: &PyReadonlyArray1<'_, u32>, bound: usize) -> PyResult<Vec<(u32, u32)>> {
    let (a, b) = (slice(a, "a")?, slice(b, "b")?);
    if a.len() != b.len() {
        return Err(PyValueError::new_err("a and b must have the same length"));
    }
    below(a, bound)?;
    below(b, bound)?;
    Ok(a.iter().copied().zip(b.iter().copied()).collect())
}

/// Checks that all numbers are below `bound`.
pub fn below(numbers: &[u32], bound: usize) -> PyResult<()> {
    match numbers.iter().find(|&&number| number as usize >= bound) {
        Some(number) => Err(PyValueError::new_err(format!("{number} is not below {bound}"))),
        None => Ok(()),
    }
}

/// Two columns from pairs.
pub fn columns(py: Python<'_>, pairs: Vec<(u32, u32)>) -> (Array<'_, u32>, Array<'_, u32>) {
    let (a, b): (Vec<u32>, Vec<u32>) = pairs.into_iter().unzip();
    (a.into_pyarray(py), b.into_pyarray(py))
}

/// The elements of an optional array; an absent one is empty.
pub fn optional<T: Element + Copy>(
    array: Option<&PyReadonlyArray1<'_, T>>,
    length: usize,
    name: &str,
) -> PyResult<Vec<T>> {
    let Some(array) = array else { return Ok(Vec::new()) };
    let elements = slice(array, name)?;
    if elements.len() != length {
        return Err(PyValueError::new_err(format!("{name} has {} elements, not {length}", elements.len())));
    }
    Ok(elements.to_vec())
}

/// A Rust vector as an array that owns it.
pub fn array<T: Element>(py: Python<'_>, values: Vec<T>) -> Array<'_, T> {
    values.into_pyarray(py)
}

/// Borrows a stored array.
pub fn borrow<'py, T: Element>(py: Python<'py>, stored: &Py<PyArray1<T>>) -> PyReadonlyArray1<'py, T> {
    stored.bind(py).readonly()
}

/// Sets as a table; set i has the elements `elements[offsets[i]:offsets[i+1]]`.
pub fn set_table<'a>(
    offsets: &'a PyReadonlyArray1<'_, u64>,
    elements: &'a PyReadonlyArray1<'_, u64>,
) -> PyResult<KeyTable<'a>> {
    let (offsets, elements) = (slice(offsets, "offsets")?, slice(elements, "elements")?);
    if !offsets.is_sorted() || offsets.last().is_none_or(|&end| end as usize != elements.len()) {
        return Err(PyValueError::new_err("offsets and elements do not belong together"));
    }
    Ok(KeyTable { offsets, keys: elements })
}

/// Lists end to end: their elements, and the offset of each, with the end of the last.
pub fn flatten<'py, T: Element + Copy>(py: Python<'py>, lists: &[Vec<T>]) -> (Array<'py, T>, Array<'py, u64>) {
    let mut offsets = vec![0u64];
    lists.iter().for_each(|list| offsets.push(offsets[offsets.len() - 1] + list.len() as u64));
    (array(py, lists.concat()), array(py, offsets))
}
