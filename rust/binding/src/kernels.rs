//! The kernels that need no text: keys to pairs, pairs to groups.

use neardup_core::bands::{Agreement, Sketches};
use neardup_core::keys::{self, KeyTable, Limits};
use neardup_core::{bands, cluster, sketch};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{Array, array, below, columns, optional, pairs, slice};
use crate::pools;

/// Candidate pairs, then how many keys were guarded and how many pairs were not looked at for it.
pub type Found<'py> = (Array<'py, u32>, Array<'py, u32>, u64, u64);

/// The pairs of documents that share a key; document i has the ascending keys `keys[offsets[i]:offsets[i+1]]`.
#[pyfunction]
#[pyo3(signature = (keys, offsets, lengths, sides, budget, threads, copies=None))]
#[allow(clippy::too_many_arguments)] // the arrays of one batch
pub fn candidates<'py>(
    py: Python<'py>,
    keys: PyReadonlyArray1<'py, u64>,
    offsets: PyReadonlyArray1<'py, u64>,
    lengths: PyReadonlyArray1<'py, u32>,
    sides: Option<PyReadonlyArray1<'py, u8>>,
    budget: u64,
    threads: usize,
    copies: Option<PyReadonlyArray1<'py, u32>>,
) -> PyResult<Found<'py>> {
    let (keys, offsets, lengths) = (slice(&keys, "keys")?, slice(&offsets, "offsets")?, slice(&lengths, "lengths")?);
    let table = KeyTable { keys, offsets };
    let fits = offsets.is_sorted() && offsets.last().is_some_and(|&end| end as usize == keys.len());
    if !fits || lengths.len() != table.len() {
        return Err(PyValueError::new_err("offsets, keys and lengths do not belong together"));
    }
    let sides = optional(sides.as_ref(), lengths.len(), "sides")?;
    let copies = optional(copies.as_ref(), lengths.len(), "copies")?;
    let limits = Limits { lengths, copies: &copies, sides: &sides, budget };
    let (found, guarded) = pools::run(py, threads, || keys::candidates(table, &limits))?;
    let (a, b) = columns(py, found);
    Ok((a, b, guarded.keys, guarded.pairs))
}

/// The pairs of nodes whose sketches share a band key and agree in `agreement[0]` slots; nodes of length up to
/// `agreement[1]` agree with all longer ones, and are not paired with each other. `keys` and `slots` hold so many of each
/// for every document (`widths`), `nodes` the document of each node. Behind the pairs: how many were looked at, guarded
/// keys, and the pairs not looked at for it.
#[pyfunction]
#[pyo3(signature = (keys, slots, widths, nodes, agreement, lengths, sides, budget, threads, copies=None))]
#[allow(clippy::too_many_arguments, clippy::type_complexity)] // the arrays of one batch
pub fn banded_candidates<'py>(
    py: Python<'py>,
    keys: PyReadonlyArray1<'py, u64>,
    slots: PyReadonlyArray1<'py, u8>,
    widths: (usize, usize),
    nodes: PyReadonlyArray1<'py, u32>,
    agreement: (usize, u32),
    lengths: PyReadonlyArray1<'py, u32>,
    sides: Option<PyReadonlyArray1<'py, u8>>,
    budget: u64,
    threads: usize,
    copies: Option<PyReadonlyArray1<'py, u32>>,
) -> PyResult<(Array<'py, u32>, Array<'py, u32>, u64, u64, u64)> {
    let (keys, slots, (bands, count)) = (slice(&keys, "keys")?, slice(&slots, "slots")?, widths);
    let (nodes, lengths) = (slice(&nodes, "nodes")?, slice(&lengths, "lengths")?);
    let documents = keys.len().checked_div(bands).unwrap_or(0);
    let whole = documents.checked_mul(bands) == Some(keys.len()) && documents.checked_mul(count) == Some(slots.len());
    if bands == 0 || count == 0 || !whole || nodes.len() != lengths.len() {
        return Err(PyValueError::new_err("keys, slots, nodes and lengths do not belong together"));
    }
    below(nodes, documents)?;
    let sides = optional(sides.as_ref(), lengths.len(), "sides")?;
    let copies = optional(copies.as_ref(), lengths.len(), "copies")?;
    let limits = Limits { lengths, copies: &copies, sides: &sides, budget };
    let agreement = Agreement { needed: agreement.0, few: agreement.1 };
    let sketches = Sketches { keys, bands, slots, count, nodes };
    let found = pools::run(py, threads, || sketches.candidates(agreement, &limits))?;
    let (a, b) = columns(py, found.pairs);
    Ok((a, b, found.examined, found.guarded.keys, found.guarded.pairs))
}

/// Which pairs of documents agree in at least `needed` of the `count` sketch bytes that each has.
#[pyfunction]
pub fn agreeing<'py>(
    py: Python<'py>,
    slots: PyReadonlyArray1<'py, u8>,
    count: usize,
    a: PyReadonlyArray1<'py, u32>,
    b: PyReadonlyArray1<'py, u32>,
    needed: usize,
    threads: usize,
) -> PyResult<Array<'py, bool>> {
    let slots = slice(&slots, "slots")?;
    let pairs = pairs(&a, &b, slots.len() / count.max(1))?;
    Ok(array(py, pools::run(py, threads, || bands::agreeing(slots, count, &pairs, needed))?))
}

/// The keys under which hashes that differ in at most `bits` bits meet, and how many there are for each hash.
#[pyfunction]
pub fn block_keys<'py>(
    py: Python<'py>,
    hashes: PyReadonlyArray1<'py, u64>,
    bits: usize,
    blocks: usize,
) -> PyResult<Array<'py, u64>> {
    if blocks <= bits || blocks > 20 {
        return Err(PyValueError::new_err("blocks must be above bits and at most 20"));
    }
    let keys = slice(&hashes, "hashes")?.iter().flat_map(|&hash| sketch::block_keys(hash, bits, blocks)).collect();
    Ok(array(py, keys))
}

/// The smallest node of each node's connected component.
#[pyfunction]
pub fn components<'py>(
    py: Python<'py>,
    nodes: usize,
    a: PyReadonlyArray1<'py, u32>,
    b: PyReadonlyArray1<'py, u32>,
) -> PyResult<Array<'py, u32>> {
    let pairs = pairs(&a, &b, nodes)?;
    Ok(array(py, py.detach(|| cluster::components(nodes, &pairs))))
}

/// The leader of each node under star linkage, nodes taken in `order`.
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
    Ok(array(py, py.detach(|| cluster::stars(order, &pairs, similarities))))
}
