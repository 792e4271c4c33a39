//! Explanations: the concept lattice of a few sets. Alignments and relations are methods of `Texts`.

use neardup_core::explain::lattice as lattices;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::support::arrays::{Array, columns, flatten, set_table};
use crate::support::pools;

/// Lists end to end: the offset of each, with the end of the last, and their elements.
type Lists<'py, T> = (Array<'py, u64>, Array<'py, T>);

/// Documents and units of each concept, covers (lower and upper), and how many documents are included.
type Concepts<'py> = (Lists<'py, u32>, Lists<'py, u64>, (Array<'py, u32>, Array<'py, u32>), usize);

/// Return the concept lattice of the first sets that have at most `most` concepts.
#[pyfunction]
pub fn lattice<'py>(
    py: Python<'py>,
    offsets: PyReadonlyArray1<'py, u64>,
    elements: PyReadonlyArray1<'py, u64>,
    most: usize,
) -> PyResult<Concepts<'py>> {
    let sets = set_table(&offsets, &elements)?;
    let found = pools::run(py, 0, || lattices::build(sets, most))?;
    let (documents, document_offsets) = flatten(py, &found.documents);
    let (units, unit_offsets) = flatten(py, &found.units);
    Ok(((document_offsets, documents), (unit_offsets, units), columns(py, found.covers), found.included))
}
