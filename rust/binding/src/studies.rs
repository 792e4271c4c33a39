//! The kernels behind studies of a collection: gold pairs by edit distance, repeated bisection, concept lattices.

use neardup_core::join::Fraction;
use neardup_core::keys::KeyTable;
use neardup_core::{bisection, edits, lattice as lattices};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{Array, array, columns, slice};
use crate::pools;
use crate::sets::{Matches, matched};
use crate::texts::Texts;

/// Lists one behind the other: where each begins, with the end of the last, and their elements.
type Lists<'py, T> = (Array<'py, u64>, Array<'py, T>);

/// Every pair of these documents whose edit similarity lies above the threshold: places in `documents`, and distances.
#[pyfunction]
pub fn edit_pairs<'py>(
    py: Python<'py>,
    texts: &Texts,
    documents: PyReadonlyArray1<'py, u32>,
    threshold: (u64, u64),
) -> PyResult<Matches<'py>> {
    let documents = texts.documents(&documents)?;
    let (numerator, denominator) = threshold;
    if denominator == 0 || numerator > denominator || denominator > 1 << 24 {
        return Err(PyValueError::new_err("the threshold must lie between 0 and 1"));
    }
    let threshold = Fraction { numerator, denominator };
    Ok(matched(py, texts.run(py, |collection| edits::similar_texts(collection, &documents, threshold))?))
}

/// The cluster of each set, for each of these ascending numbers of clusters; set i has the elements
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

/// Documents and units of each concept, covers (lower and upper), and how many documents are included.
type Concepts<'py> = (Lists<'py, u32>, Lists<'py, u64>, (Array<'py, u32>, Array<'py, u32>), usize);

/// The concept lattice of the first sets that have at most `most` concepts.
#[pyfunction]
pub fn lattice<'py>(
    py: Python<'py>,
    offsets: PyReadonlyArray1<'py, u64>,
    elements: PyReadonlyArray1<'py, u64>,
    most: usize,
) -> PyResult<Concepts<'py>> {
    let sets = set_table(&offsets, &elements)?;
    let found = pools::run(py, 0, || lattices::build(sets, most))?;
    let (documents, units) = (lists(py, &found.documents), lists(py, &found.units));
    Ok((documents, units, columns(py, found.covers), found.included))
}

fn set_table<'a>(
    offsets: &'a PyReadonlyArray1<'_, u64>,
    elements: &'a PyReadonlyArray1<'_, u64>,
) -> PyResult<KeyTable<'a>> {
    let (offsets, elements) = (slice(offsets, "offsets")?, slice(elements, "elements")?);
    if !offsets.is_sorted() || offsets.last().is_none_or(|&end| end as usize != elements.len()) {
        return Err(PyValueError::new_err("offsets and elements do not belong together"));
    }
    Ok(KeyTable { offsets, keys: elements })
}

fn lists<'py, T: numpy::Element + Copy>(py: Python<'py>, lists: &[Vec<T>]) -> Lists<'py, T> {
    let mut offsets = vec![0u64];
    lists.iter().for_each(|list| offsets.push(offsets[offsets.len() - 1] + list.len() as u64));
    (array(py, offsets), array(py, lists.concat()))
}
