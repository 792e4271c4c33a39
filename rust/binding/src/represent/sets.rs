//! Shingle sets, compared with each other.

use neardup_core::candidates::keys::Limits;
use neardup_core::candidates::set_join::{keys_alone, similar_pairs};
use neardup_core::represent::sets;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::support::arrays::{Array, array, columns, optional, pairs};
use crate::support::parsing::parse_measure;
use crate::support::pools;

/// Sorted shingle sets.
#[pyclass(frozen)]
pub struct Sets {
    pub(crate) sets: sets::Sets,
    pub(crate) threads: usize,
}

/// Keys, the offset of those of each set, and how many are its first elements.
type KeysAlone<'py> = (Array<'py, u64>, Array<'py, u64>, Array<'py, u32>);

/// Pairs and the number of elements that each shares.
pub type Matches<'py> = (Array<'py, u32>, Array<'py, u32>, Array<'py, u32>);

/// Matches as columns.
pub fn matched(py: Python<'_>, found: Vec<(u32, u32, u32)>) -> Matches<'_> {
    let shared = found.iter().map(|found| found.2).collect();
    let (a, b) = columns(py, found.into_iter().map(|(a, b, _)| (a, b)).collect());
    (a, b, array(py, shared))
}

#[pymethods]
impl Sets {
    fn __len__(&self) -> usize {
        self.sets.len()
    }

    /// The size of each set.
    fn sizes<'py>(&self, py: Python<'py>) -> Array<'py, u32> {
        array(py, self.sets.sizes().to_vec())
    }

    /// Return the number of elements that each pair of sets shares; with a measure, 0 for the pairs below its
    /// threshold.
    #[pyo3(signature = (a, b, measure=None, threshold=(1, 1)))]
    fn overlaps<'py>(
        &self,
        py: Python<'py>,
        a: PyReadonlyArray1<'py, u32>,
        b: PyReadonlyArray1<'py, u32>,
        measure: Option<&str>,
        threshold: (u64, u64),
    ) -> PyResult<Array<'py, u32>> {
        let pairs = pairs(&a, &b, self.sets.len())?;
        let measure = measure.map(|measure| parse_measure(measure, threshold)).transpose()?;
        let needed = |a, b| measure.map_or(0, |measure| measure.needed(a, b));
        Ok(array(py, pools::run(py, self.threads, || self.sets.overlaps(&pairs, needed))?))
    }

    /// Return the keys under which each set meets every partner at the threshold, independent of all other sets:
    /// values, offsets, and how many of the keys of each set are its first elements.
    fn keys<'py>(&self, py: Python<'py>, measure: &str, threshold: (u64, u64)) -> PyResult<KeysAlone<'py>> {
        let measure = parse_measure(measure, threshold)?;
        let (values, offsets, firsts) = py.detach(|| keys_alone(&self.sets, measure));
        Ok((array(py, values), array(py, offsets), array(py, firsts)))
    }

    /// Return every pair of sets that reaches the threshold: `jaccard` at least, or `overlap` of the smaller set above.
    ///
    /// After the pairs and what they share follow the numbers of guarded keys and of pairs not examined.
    #[pyo3(signature = (measure, threshold, sides, budget, copies=None))]
    fn similar<'py>(
        &self,
        py: Python<'py>,
        measure: &str,
        threshold: (u64, u64),
        sides: Option<PyReadonlyArray1<'py, u8>>,
        budget: u64,
        copies: Option<PyReadonlyArray1<'py, u32>>,
    ) -> PyResult<(Matches<'py>, (u64, u64))> {
        let measure = parse_measure(measure, threshold)?;
        let sides = optional(sides.as_ref(), self.sets.len(), "sides")?;
        let copies = optional(copies.as_ref(), self.sets.len(), "copies")?;
        let limits = Limits { lengths: self.sets.sizes(), copies: &copies, sides: &sides, budget };
        let (found, guarded) = pools::run(py, self.threads, || similar_pairs(&self.sets, measure, &limits))?;
        Ok((matched(py, found), (guarded.keys, guarded.pairs)))
    }
}
