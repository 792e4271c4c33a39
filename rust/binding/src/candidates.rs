//! Pairs: of documents that share a key, of similar sketches, of similar images, and of a small edit distance.

use std::sync::Arc;

use neardup_core::candidates::bands::{self, Agreement, Sketches};
use neardup_core::candidates::keys::{self, Guarded, KeyTable, Limits};
use neardup_core::candidates::measure::{Match, Measure};
use neardup_core::candidates::{context, edit_join};
use neardup_core::cluster::concepts::{self, Bounds, Graph, Kind, WIDEST};
use neardup_core::represent::sketch;
use neardup_core::support::fraction::Fraction;
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::represent::sets::{Matches, matched};
use crate::support::arrays::{Array, array, below, columns, optional, pairs, slice};
use crate::support::pools;
use crate::text::Texts;

/// Candidate pairs, the number of guarded keys, and the number of pairs that were not examined.
pub type Found<'py> = (Array<'py, u32>, Array<'py, u32>, u64, u64);

/// Return the pairs of documents that share a key; document i has the ascending keys `keys[offsets[i]:offsets[i+1]]`.
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

/// Return the pairs of nodes whose sketches share a band key and agree in `agreement[0]` slots.
///
/// Nodes of length up to `agreement[1]` agree with all longer ones and are not paired with each other. `widths` is the
/// number of keys and of slots of each document, `nodes` the document of each node. After the pairs follow the number
/// of pairs examined, of guarded keys, and of pairs not examined.
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

/// Return which pairs of documents agree in at least `needed` of their `count` sketch bytes.
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

/// Return the keys under which hashes that differ in at most `bits` bits meet, and their number for each hash.
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

/// Return every pair of these documents whose edit similarity is above the threshold: indices into `documents`, and
/// distances.
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
        return Err(PyValueError::new_err("the threshold must be between 0 and 1"));
    }
    let threshold = Fraction { numerator, denominator };
    Ok(matched(py, texts.run(py, |collection| edit_join::similar_texts(collection, &documents, threshold))?))
}

/// Images, reduced to the units that their documents share.
#[pyclass(frozen)]
pub struct Context {
    context: Arc<context::Context>,
    threads: usize,
}

#[pymethods]
impl Context {
    /// Create the context of images: document i has the ascending units `units[offsets[i]:offsets[i+1]]`.
    #[staticmethod]
    #[pyo3(signature = (units, offsets, copies=None, threads=0))]
    fn from_arrays(
        py: Python<'_>,
        units: PyReadonlyArray1<'_, u64>,
        offsets: PyReadonlyArray1<'_, u64>,
        copies: Option<PyReadonlyArray1<'_, u32>>,
        threads: usize,
    ) -> PyResult<Self> {
        let (keys, offsets) = (slice(&units, "units")?, slice(&offsets, "offsets")?);
        let images = KeyTable { keys, offsets };
        let fits = offsets.is_sorted()
            && offsets.first() == Some(&0)
            && offsets.last().is_some_and(|&end| end as usize == keys.len());
        if !fits {
            return Err(PyValueError::new_err("units and offsets do not belong together"));
        }
        let copies = optional(copies.as_ref(), images.len(), "copies")?;
        let fits = |document: usize| {
            let image = images.of(document);
            image.len() <= WIDEST * 64 && image.is_sorted_by(|a, b| a < b)
        };
        let made =
            pools::run(py, threads, || (0..images.len()).all(fits).then(|| context::Context::new(images, &copies)))?;
        let Some(context) = made else {
            let most = WIDEST * 64;
            return Err(PyValueError::new_err(format!(
                "each image must be ascending, without repeats, of at most {most} units"
            )));
        };
        Ok(Self { context: Arc::new(context), threads })
    }

    fn __len__(&self) -> usize {
        self.context.len()
    }

    /// Return the number of distinct images, of distinct units, of shared units, and of sets of images that share a
    /// unit.
    fn counts(&self) -> (usize, usize, usize, usize) {
        let (units, rows, patterns) = self.context.counts();
        (self.context.items(), units, rows, patterns)
    }

    /// Return the number of units of each document.
    fn sizes<'py>(&self, py: Python<'py>) -> Array<'py, u32> {
        let size = |document| self.context.sets().size(self.context.item(document));
        array(py, (0..self.context.len()).map(size).collect())
    }

    /// Find the pairs that share enough: `shared` (at least this many units, over 1) or `share` (of the larger image).
    fn overlaps(&self, py: Python<'_>, measure: &str, threshold: (u64, u64), budget: u64) -> PyResult<Overlaps> {
        let measure = parse_image_measure(measure, threshold)?;
        let (pairs, guarded) = pools::run(py, self.threads, || self.context.item_pairs(measure, budget))?;
        Ok(Overlaps { context: Arc::clone(&self.context), threads: self.threads, measure, pairs, guarded })
    }
}

/// The pairs of images that share enough units.
#[pyclass(frozen)]
pub struct Overlaps {
    context: Arc<context::Context>,
    threads: usize,
    measure: Measure,
    pairs: Vec<Match>,
    guarded: Guarded,
}

/// Offsets, members and shared units of clusters; the number of components, and how many got maximal clusters or a
/// cover.
pub type Clusters<'py> = (Array<'py, u64>, Array<'py, u32>, Array<'py, u32>, (u64, u64, u64));

#[pymethods]
impl Overlaps {
    /// The number of guarded keys, and of pairs not examined.
    #[getter]
    fn guarded(&self) -> (u64, u64) {
        (self.guarded.keys, self.guarded.pairs)
    }

    /// Return which documents have too few units to share enough with any other.
    fn short<'py>(&self, py: Python<'py>) -> Array<'py, bool> {
        let is_short = |document| self.context.is_short(self.context.item(document), self.measure);
        array(py, (0..self.context.len()).map(is_short).collect())
    }

    /// Return the pairs of documents with the number of units that each shares, and how many beyond `most` were not
    /// listed.
    fn pairs<'py>(&self, py: Python<'py>, most: u64) -> PyResult<(Matches<'py>, u64)> {
        let listed = || self.context.document_pairs(&self.pairs, self.measure, most);
        let (pairs, unlisted) = pools::run(py, self.threads, listed)?;
        Ok((matched(py, pairs), unlisted))
    }

    /// Return the clusters: `closed`, `maximal` or a `cover`; if a component has more than `most`, or takes too many
    /// steps, the next cheaper kind.
    fn clusters<'py>(&self, py: Python<'py>, kind: &str, most: u64, steps: u64) -> PyResult<Clusters<'py>> {
        let kind = match kind {
            "closed" => Kind::Closed,
            "maximal" => Kind::Maximal,
            "cover" => Kind::Cover,
            other => return Err(PyValueError::new_err(format!("unknown kind of clusters {other}"))),
        };
        let mined = pools::run(py, self.threads, || {
            let complete = self.guarded == Guarded::default();
            let graph = Graph::new(&self.context, self.measure, &self.pairs, complete);
            concepts::mine(&graph, &self.pairs, kind, Bounds { clusters: most, steps })
        })?;
        let clusters = mined.clusters;
        let offsets = std::iter::once(0).chain(clusters.ends.iter().map(|&end| end as u64)).collect();
        let counts = (mined.components, mined.degraded.0, mined.degraded.1);
        Ok((array(py, offsets), array(py, clusters.members), array(py, clusters.units), counts))
    }
}

fn parse_image_measure(measure: &str, (numerator, denominator): (u64, u64)) -> PyResult<Measure> {
    match (measure, numerator, denominator) {
        ("shared", 1..=0xffff_ffff, 1) => Ok(Measure::Shared(numerator as u32)),
        ("share", 1.., ..=0xff_ffff) if numerator <= denominator => {
            Ok(Measure::SharedOfLarger(Fraction { numerator, denominator }))
        }
        _ => Err(PyValueError::new_err("the measure is shared with a number over 1, or share with a fraction up to 1")),
    }
}
