//! What the first pass over a collection found, as arrays.

use neardup_core::counts::Counts;
use neardup_core::survey;
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::arrays::array;

/// What the first pass over a collection found.
#[pyclass(frozen)]
pub struct Survey {
    /// For each document the one that stands for it among identical texts.
    #[pyo3(get)]
    representatives: Py<PyArray1<u32>>,
    /// The number of words of each document.
    #[pyo3(get)]
    words: Py<PyArray1<u32>>,
    /// Half of each document's fingerprint.
    #[pyo3(get)]
    fingerprints: Py<PyArray1<u64>>,
    /// The band keys of each document, row by row.
    #[pyo3(get)]
    keys: Py<PyArray1<u64>>,
    /// The low bytes of each document's sketch, row by row.
    #[pyo3(get)]
    slots: Py<PyArray1<u8>>,
    pub(crate) counts: Option<Counts>,
}

impl Survey {
    pub(crate) fn new(py: Python<'_>, survey: survey::Survey, representatives: Vec<u32>) -> PyResult<Self> {
        let words = survey.fingerprints.iter().map(|print| print.words).collect();
        let fingerprints = survey.fingerprints.iter().map(|print| print.hash as u64).collect();
        Ok(Self {
            fingerprints: array(py, fingerprints).unbind(),
            representatives: array(py, representatives).unbind(),
            words: array(py, words).unbind(),
            keys: array(py, survey.keys).unbind(),
            slots: array(py, survey.slots).unbind(),
            counts: survey.counts,
        })
    }
}
