//! Explanations: the concept lattice of a few sets. Alignments and relations are methods of `Texts`.

use neardup_core::explain::lattice as lattices;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::support::arrays::{Array, array, columns, set_table};
use crate::support::pools;

/// Lists one behind the other: where each begins, with the end of the last, and their elements.
type Lists<'py, T> = (Array<'py, u64>, Array<'py, T>);

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

fn lists<'py, T: numpy::Element + Copy>(py: Python<'py>, lists: &[Vec<T>]) -> Lists<'py, T> {
    let mut offsets = vec![0u64];
    lists.iter().for_each(|list| offsets.push(offsets[offsets.len() - 1] + list.len() as u64));
    (array(py, offsets), array(py, lists.concat()))
}
