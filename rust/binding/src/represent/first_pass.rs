//! What the first pass over a collection computes, and its result as arrays.

use neardup_core::represent::counts::Counts;
use neardup_core::represent::first_pass;
use neardup_core::represent::sketch::Bands;
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::represent::weighted::TermTable;
use crate::support::arrays::array;
use crate::support::parsing::{parse_fraction, parse_selection, parse_shingling};

/// What the first pass over a collection computes besides fingerprints.
#[pyclass(frozen)]
pub struct FirstPass {
    pub(crate) wanted: first_pass::FirstPass,
}

#[pymethods]
impl FirstPass {
    /// Compute fingerprints of the words in their order, and nothing else.
    #[staticmethod]
    fn fingerprints() -> Self {
        Self { wanted: first_pass::FirstPass::Fingerprints }
    }

    /// Compute fingerprints of the words written without blanks.
    #[staticmethod]
    fn joined() -> Self {
        Self { wanted: first_pass::FirstPass::Joined }
    }

    /// Compute the sketch of each text and its band keys.
    #[staticmethod]
    fn sketches(shingling: (usize, String), bands: usize, rows: usize) -> PyResult<Self> {
        if bands == 0 || rows == 0 || bands * rows > usize::from(u16::MAX) {
            return Err(PyValueError::new_err("bands and rows must be positive and make at most 65535 slots"));
        }
        let wanted = first_pass::FirstPass::Sketch(parse_shingling(&shingling)?, Bands::new(bands, rows));
        Ok(Self { wanted })
    }

    /// Count how many texts have each shingle; with a threshold of the Jaccard similarity, as far as the join needs it.
    #[staticmethod]
    #[pyo3(signature = (shingling, selection, threshold=None))]
    fn counts(shingling: (usize, String), selection: (String, usize), threshold: Option<(u64, u64)>) -> PyResult<Self> {
        let threshold = threshold.map(parse_fraction).transpose()?;
        let (shingling, selection) = (parse_shingling(&shingling)?, parse_selection(&selection)?);
        Ok(Self { wanted: first_pass::FirstPass::Count(shingling, selection, threshold) })
    }

    /// Read the terms of each text.
    #[staticmethod]
    fn terms() -> Self {
        Self { wanted: first_pass::FirstPass::Terms }
    }
}

/// What the first pass over a collection found.
#[pyclass(frozen)]
pub struct Survey {
    /// The representative of each document among identical texts.
    #[pyo3(get)]
    representatives: Py<PyArray1<u32>>,
    /// The number of words of each document.
    #[pyo3(get)]
    words: Py<PyArray1<u32>>,
    /// The low half of the fingerprint of each document.
    #[pyo3(get)]
    fingerprints: Py<PyArray1<u64>>,
    /// The high half.
    #[pyo3(get)]
    other_halves: Py<PyArray1<u64>>,
    /// The band keys of each document, row by row.
    #[pyo3(get)]
    keys: Py<PyArray1<u64>>,
    /// The low bytes of each document's sketch, row by row.
    #[pyo3(get)]
    slots: Py<PyArray1<u8>>,
    /// The terms of each document, if they were requested.
    #[pyo3(get)]
    terms: Option<Py<TermTable>>,
    pub(crate) counts: Option<Counts>,
}

impl Survey {
    pub(crate) fn new(
        py: Python<'_>,
        survey: first_pass::Survey,
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
