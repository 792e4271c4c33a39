//! Images of documents, the context that they make, its pairs and clusters.

use std::sync::Arc;

use neardup_core::concepts::local::WIDEST;
use neardup_core::concepts::{self, Bounds, Graph, Kind};
use neardup_core::context;
use neardup_core::images::{Choice, Growth, Imager, Imaging, word_images};
use neardup_core::join::{Fraction, Match, Measure};
use neardup_core::keys::{Guarded, KeyTable};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{Array, array, optional, slice};
use crate::parsing::parse_shingling;
use crate::pools;
use crate::sets::{Matches, matched};
use crate::texts::Texts;

/// The units of documents, end to end, and where those of each begin.
pub type Images<'py> = (Array<'py, u64>, Array<'py, u64>);

/// The images of these documents. `choice` is `bottom` or `permutations`, `growth` is `fixed`, `log` or `linear`;
/// `literal` takes the paper's orders.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // the settings of an image
pub fn images<'py>(
    py: Python<'py>,
    texts: &Texts,
    documents: PyReadonlyArray1<'py, u32>,
    shingling: (usize, String),
    offset: usize,
    choice: &str,
    size: usize,
    growth: &str,
    literal: bool,
) -> PyResult<Images<'py>> {
    let (documents, shingling) = (texts.documents(&documents)?, parse_shingling(&shingling)?);
    let choice = match choice {
        "bottom" => Choice::Bottom,
        "permutations" => Choice::Permutations,
        other => return Err(PyValueError::new_err(format!("unknown choice {other}"))),
    };
    let growth = match growth {
        "fixed" => Growth::Fixed,
        "log" => Growth::Logarithmic,
        "linear" => Growth::Linear,
        other => return Err(PyValueError::new_err(format!("unknown growth {other}"))),
    };
    let imaging = Imaging { shingling, offset, choice, size, growth, literal };
    let (units, offsets) = texts.run(py, |collection| Imager::new(imaging).images(collection, &documents))?;
    Ok((array(py, units), array(py, offsets)))
}

/// The words of these documents that are among the ascending `hashes`.
#[pyfunction]
#[pyo3(name = "word_images")]
pub fn images_of_words<'py>(
    py: Python<'py>,
    texts: &Texts,
    documents: PyReadonlyArray1<'py, u32>,
    hashes: PyReadonlyArray1<'py, u64>,
) -> PyResult<Images<'py>> {
    let (documents, hashes) = (texts.documents(&documents)?, slice(&hashes, "hashes")?);
    let (units, offsets) = texts.run(py, |collection| word_images(collection, &documents, hashes))?;
    Ok((array(py, units), array(py, offsets)))
}

/// Images reduced to what their documents share.
#[pyclass(frozen)]
pub struct Context {
    context: Arc<context::Context>,
    threads: usize,
}

#[pymethods]
impl Context {
    /// The context of images: document i has the ascending units `units[offsets[i]:offsets[i+1]]`.
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

    /// How many distinct images there are, distinct units, units of several images, and sets of images that share one.
    fn counts(&self) -> (usize, usize, usize, usize) {
        let (units, rows, patterns) = self.context.counts();
        (self.context.items(), units, rows, patterns)
    }

    /// The number of units of each document.
    fn sizes<'py>(&self, py: Python<'py>) -> Array<'py, u32> {
        let size = |document| self.context.sets().size(self.context.item(document));
        array(py, (0..self.context.len()).map(size).collect())
    }

    /// Who shares enough with whom: `shared` (at least so many units, over 1) or `share` (of the larger image).
    fn overlaps(&self, py: Python<'_>, measure: &str, threshold: (u64, u64), budget: u64) -> PyResult<Overlaps> {
        let measure = parse_measure(measure, threshold)?;
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

/// Offsets, members and shared units of clusters; components, and how many were given maximal clusters or a cover.
pub type Found<'py> = (Array<'py, u64>, Array<'py, u32>, Array<'py, u32>, (u64, u64, u64));

#[pymethods]
impl Overlaps {
    /// Keys that were guarded, and pairs not looked at for it.
    #[getter]
    fn guarded(&self) -> (u64, u64) {
        (self.guarded.keys, self.guarded.pairs)
    }

    /// Which documents have too few units to share enough with any other.
    fn short<'py>(&self, py: Python<'py>) -> Array<'py, bool> {
        let is_short = |document| self.context.is_short(self.context.item(document), self.measure);
        array(py, (0..self.context.len()).map(is_short).collect())
    }

    /// The pairs of documents with the number of units that each shares, and how many beyond `most` were not listed.
    fn pairs<'py>(&self, py: Python<'py>, most: u64) -> PyResult<(Matches<'py>, u64)> {
        let listed = || self.context.document_pairs(&self.pairs, self.measure, most);
        let (pairs, unlisted) = pools::run(py, self.threads, listed)?;
        Ok((matched(py, pairs), unlisted))
    }

    /// The clusters: `closed`, `maximal` or a `cover`; where a component has more than `most`, or all take more steps
    /// than allowed, the next cheaper.
    fn clusters<'py>(&self, py: Python<'py>, kind: &str, most: u64, steps: u64) -> PyResult<Found<'py>> {
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

fn parse_measure(measure: &str, (numerator, denominator): (u64, u64)) -> PyResult<Measure> {
    match (measure, numerator, denominator) {
        ("shared", 1..=0xffff_ffff, 1) => Ok(Measure::Shared(numerator as u32)),
        ("share", 1.., ..=0xff_ffff) if numerator <= denominator => {
            Ok(Measure::SharedOfLarger(Fraction { numerator, denominator }))
        }
        _ => Err(PyValueError::new_err("the measure is shared with a number over 1, or share with a fraction up to 1")),
    }
}
