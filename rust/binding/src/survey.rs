//! What the first pass over a collection found, as arrays.

use neardup_core::counts::Counts;
use neardup_core::survey;
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::arrays::array;
use crate::weighted::TermTable;

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
    /// The other half.
    #[pyo3(get)]
    other_halves: Py<PyArray1<u64>>,
    /// The band keys of each document, row by row.
    #[pyo3(get)]
    keys: Py<PyArray1<u64>>,
    /// The low bytes of each document's sketch, row by row.
    #[pyo3(get)]
    slots: Py<PyArray1<u8>>,
    /// The terms of each document, if they were asked for.
    #[pyo3(get)]
    terms: Option<Py<TermTable>>,
    pub(crate) counts: Option<Counts>,
}

impl Survey {
    pub(crate) fn new(
        py: Python<'_>,
        survey: survey::Survey,
        representatives: Vec<u32>,
        threads: usize,
    ) -> PyResult<Self> {
        let words = survey.fingerprints.iter().map(|print| print.words).collect();
        let fingerprints = survey.fingerprints.iter().map(|print| print.hash as u64).collect();
        let other_halves = survey.fingerprints.iter().map(|print| (print.hash >> 64) as u64).collect();
        Ok(Self {
            fingerprints: array(py, fingerprints).unbind(),
            other_halves: array(py, other_halves).unbind(),
            representatives: array(py, representatives).unbind(),
            words: array(py, words).unbind(),
            keys: array(py, survey.keys).unbind(),
            slots: array(py, survey.slots).unbind(),
            terms: survey.terms.map(|table| Py::new(py, TermTable::new(table, threads))).transpose()?,
            counts: survey.counts,
        })
    }
}
