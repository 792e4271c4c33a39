//! Letters against reference copies.

use neardup_core::campaigns::{self, Bounds, Held};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{Array, array, below, pairs, slice};
use crate::texts::Texts;

/// The background model of a collection: the probability of each word.
#[pyclass(frozen)]
pub struct Background {
    background: campaigns::Background,
}

#[pymethods]
impl Background {
    /// A background from word hashes and their numbers of occurrences.
    #[staticmethod]
    fn from_counts(hashes: PyReadonlyArray1<'_, u64>, counts: PyReadonlyArray1<'_, u64>) -> PyResult<Self> {
        let (hashes, counts) = (slice(&hashes, "hashes")?, slice(&counts, "counts")?);
        let counts = hashes.iter().copied().zip(counts.iter().copied());
        Ok(Self { background: campaigns::Background::from_counts(counts) })
    }

    /// The words of these documents, each as often as the document has copies.
    #[staticmethod]
    fn count(
        py: Python<'_>,
        texts: &Texts,
        documents: PyReadonlyArray1<'_, u32>,
        copies: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<Self> {
        let (documents, copies) = (texts.documents(&documents)?, slice(&copies, "copies")?);
        if documents.len() != copies.len() {
            return Err(PyValueError::new_err("one number of copies for each document is needed"));
        }
        let background = texts.run(py, |collection| campaigns::Background::count(collection, &documents, copies))?;
        Ok(Self { background })
    }

    /// The distance of each pair of documents.
    fn distances<'py>(
        &self,
        py: Python<'py>,
        texts: &Texts,
        a: PyReadonlyArray1<'py, u32>,
        b: PyReadonlyArray1<'py, u32>,
        mu: f64,
    ) -> PyResult<Array<'py, f64>> {
        let pairs = pairs(&a, &b, texts.length())?;
        let found = texts.run(py, |collection| campaigns::distances(collection, &self.background, mu, &pairs))?;
        Ok(array(py, found))
    }

    /// What each document has of each reference that it comes near to, in columns: the document and the reference by
    /// their places, distance, overlap, words contained, and whether the whole or a paragraph of the reference is there.
    fn hold<'py>(
        &self,
        py: Python<'py>,
        texts: &Texts,
        documents: PyReadonlyArray1<'py, u32>,
        references: PyReadonlyArray1<'py, u32>,
        bounds: (f64, f64, usize),
        thorough: bool,
    ) -> PyResult<Columns<'py>> {
        let (documents, references) = (texts.documents(&documents)?, slice(&references, "references")?);
        below(references, documents.len())?;
        let bounds = Bounds { mu: bounds.0, farthest: bounds.1, paragraph: bounds.2, thorough };
        let held = texts.run(py, |collection| {
            campaigns::hold_against(collection, &documents, references, &self.background, &bounds)
        })?;
        Ok((
            column(py, &held, |held| held.letter),
            column(py, &held, |held| held.reference),
            column(py, &held, |held| held.distance),
            column(py, &held, |held| held.overlap),
            column(py, &held, |held| held.contained),
            column(py, &held, |held| held.whole),
            column(py, &held, |held| held.paragraph),
        ))
    }
}

type Columns<'py> = (
    Array<'py, u32>,
    Array<'py, u32>,
    Array<'py, f64>,
    Array<'py, f64>,
    Array<'py, u32>,
    Array<'py, bool>,
    Array<'py, bool>,
);

fn column<'py, T: numpy::Element>(py: Python<'py>, held: &[Held], value: impl Fn(&Held) -> T) -> Array<'py, T> {
    array(py, held.iter().map(value).collect())
}
