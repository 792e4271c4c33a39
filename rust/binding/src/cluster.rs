//! Clusters: components, stars, bisection, and letters against the reference copies of campaigns.

use neardup_core::cluster::campaigns::{self, Bounds, Containment};
use neardup_core::cluster::{bisection, groups};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::support::arrays::{Array, array, below, pairs, set_table, slice};
use crate::support::pools;
use crate::text::Texts;

/// Return the smallest node of the connected component of each node.
#[pyfunction]
pub fn components<'py>(
    py: Python<'py>,
    nodes: usize,
    a: PyReadonlyArray1<'py, u32>,
    b: PyReadonlyArray1<'py, u32>,
) -> PyResult<Array<'py, u32>> {
    let pairs = pairs(&a, &b, nodes)?;
    Ok(array(py, py.detach(|| groups::components(nodes, &pairs))))
}

/// Return the leader of each node under star linkage; nodes are visited in `order`.
#[pyfunction]
pub fn stars<'py>(
    py: Python<'py>,
    order: PyReadonlyArray1<'py, u32>,
    a: PyReadonlyArray1<'py, u32>,
    b: PyReadonlyArray1<'py, u32>,
    similarities: PyReadonlyArray1<'py, f64>,
) -> PyResult<Array<'py, u32>> {
    let order = slice(&order, "order")?;
    below(order, order.len())?;
    let pairs = pairs(&a, &b, order.len())?;
    let similarities = slice(&similarities, "similarities")?;
    if similarities.len() != pairs.len() {
        return Err(PyValueError::new_err("one similarity for each pair is needed"));
    }
    Ok(array(py, py.detach(|| groups::stars(order, &pairs, similarities))))
}

/// Return the cluster of each set, for each of these ascending numbers of clusters; set i has the elements
/// `elements[offsets[i]:offsets[i+1]]`.
#[pyfunction]
pub fn bisect<'py>(
    py: Python<'py>,
    offsets: PyReadonlyArray1<'py, u64>,
    elements: PyReadonlyArray1<'py, u64>,
    clusters: Vec<usize>,
    trials: usize,
    seed: u64,
    threads: usize,
) -> PyResult<Vec<Array<'py, u32>>> {
    let sets = set_table(&offsets, &elements)?;
    if !clusters.is_sorted() {
        return Err(PyValueError::new_err("the numbers of clusters must ascend"));
    }
    let found = pools::run(py, threads, || bisection::bisect(sets, &clusters, trials, seed))?;
    Ok(found.into_iter().map(|labels| array(py, labels)).collect())
}

/// The background model of a collection: the probability of each word.
#[pyclass(frozen)]
pub struct Background {
    background: campaigns::Background,
}

#[pymethods]
impl Background {
    /// Create a background from word hashes and their numbers of occurrences.
    #[staticmethod]
    fn from_counts(hashes: PyReadonlyArray1<'_, u64>, counts: PyReadonlyArray1<'_, u64>) -> PyResult<Self> {
        let (hashes, counts) = (slice(&hashes, "hashes")?, slice(&counts, "counts")?);
        let counts = hashes.iter().copied().zip(counts.iter().copied());
        Ok(Self { background: campaigns::Background::from_counts(counts) })
    }

    /// Count the words of these documents, each as often as the document has copies.
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

    /// Return the distance of each pair of documents.
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

    /// Return how much of each near reference every document contains, as columns: the indices of document and
    /// reference, distance, overlap, words contained, and whether the whole or a paragraph of the reference is
    /// contained.
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
        let found = texts.run(py, |collection| {
            campaigns::compare_with_references(collection, &documents, references, &self.background, &bounds)
        })?;
        Ok((
            column(py, &found, |found| found.letter),
            column(py, &found, |found| found.reference),
            column(py, &found, |found| found.distance),
            column(py, &found, |found| found.overlap),
            column(py, &found, |found| found.contained),
            column(py, &found, |found| found.whole),
            column(py, &found, |found| found.paragraph),
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

fn column<'py, T: numpy::Element>(
    py: Python<'py>,
    found: &[Containment],
    value: impl Fn(&Containment) -> T,
) -> Array<'py, T> {
    array(py, found.iter().map(value).collect())
}
