//! Weighted terms: the vocabulary of a collection, sets of terms, and the pairs that share enough weight.

use neardup_core::candidates::keys::{KeyTable, Limits};
use neardup_core::candidates::weighted_join;
use neardup_core::candidates::weighted_shingles::{self, WeightedShingling, shingle_keys};
use neardup_core::represent::term_table;
use neardup_core::represent::weighted_sets::{self, Shared};
use neardup_core::support::hash;
use neardup_core::text::words::word_class;
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::support::arrays::{Array, array, below, optional, pairs, slice};
use crate::support::parsing::parse_fraction;
use crate::support::pools;

/// The terms of a collection.
#[pyclass(frozen)]
pub struct TermTable {
    table: term_table::TermTable,
    threads: usize,
}

impl TermTable {
    pub fn new(table: term_table::TermTable, threads: usize) -> Self {
        Self { table, threads }
    }
}

/// Hashes, classes, lengths in characters, whether Chinese.
type Traits<'py> = (Array<'py, u64>, Array<'py, u8>, Array<'py, u8>, Array<'py, bool>);

#[pymethods]
impl TermTable {
    /// How many terms there are.
    fn __len__(&self) -> usize {
        self.table.words.len()
    }

    /// Return the spellings of the terms, in the order of their hashes: offsets and bytes.
    fn spellings<'py>(&self, py: Python<'py>) -> (Array<'py, i64>, Array<'py, u8>) {
        let mut offsets = vec![0i64];
        let mut bytes = Vec::new();
        for word in &self.table.words {
            bytes.extend_from_slice(word.spelling.as_bytes());
            offsets.push(bytes.len() as i64);
        }
        (array(py, offsets), array(py, bytes))
    }

    /// Return the hash, the class number, the length in characters (at most 255) and whether it is Chinese, for each
    /// term in the order of their hashes.
    fn traits<'py>(&self, py: Python<'py>) -> Traits<'py> {
        let words = &self.table.words;
        let hashes = words.iter().map(|word| word.hash).collect();
        let classes = words.iter().map(|word| word.class).collect();
        let lengths = words.iter().map(|word| word.length).collect();
        let han = words.iter().map(|word| word.han).collect();
        (array(py, hashes), array(py, classes), array(py, lengths), array(py, han))
    }

    /// Return in how many of these documents each term occurs.
    fn counts<'py>(&self, py: Python<'py>, documents: PyReadonlyArray1<'py, u32>) -> PyResult<Array<'py, u32>> {
        let documents = slice(&documents, "documents")?;
        below(documents, self.table.len())?;
        Ok(array(py, pools::run(py, self.threads, || self.table.count(documents))?))
    }

    /// Return the terms of one document as indices into the vocabulary, each once, in reading order.
    fn of<'py>(&self, py: Python<'py>, document: usize) -> PyResult<Array<'py, u32>> {
        if document >= self.table.len() {
            return Err(PyValueError::new_err("no such document"));
        }
        Ok(array(py, self.table.of(document).collect()))
    }

    /// Return the rank of each term in the order of their spellings.
    fn spelling_ranks<'py>(&self, py: Python<'py>) -> PyResult<Array<'py, u32>> {
        let ranks = pools::run(py, self.threads, || self.table.spelling_ranks())?;
        Ok(array(py, ranks))
    }

    /// Return the sets of these documents, with the ranks (a permutation) and weights of the terms.
    fn weigh(
        &self,
        py: Python<'_>,
        documents: PyReadonlyArray1<'_, u32>,
        ranks: PyReadonlyArray1<'_, u32>,
        weights: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<WeightedSets> {
        let (documents, ranks, weights) =
            (slice(&documents, "documents")?, slice(&ranks, "ranks")?, slice(&weights, "weights")?);
        below(documents, self.table.len())?;
        below(ranks, self.table.words.len())?;
        let whole = ranks.len() == self.table.words.len() && weights.len() == ranks.len();
        if !whole || weights.contains(&0) || !is_permutation(ranks) {
            return Err(PyValueError::new_err("a rank of its own and a positive weight for each term are needed"));
        }
        let sets =
            pools::run(py, self.threads, || weighted_sets::WeightedSets::new(&self.table, documents, ranks, weights))?;
        Ok(WeightedSets { sets, threads: self.threads })
    }
}

fn is_permutation(ranks: &[u32]) -> bool {
    let mut seen = vec![false; ranks.len()];
    ranks.iter().all(|&rank| !std::mem::replace(&mut seen[rank as usize], true))
}

/// Sets of weighted terms.
#[pyclass(frozen)]
pub struct WeightedSets {
    sets: weighted_sets::WeightedSets,
    threads: usize,
}

/// Pairs and the weight that each shares.
type Matches<'py> = (Array<'py, u32>, Array<'py, u32>, Array<'py, u64>);

/// Keys and offsets.
type Keys<'py> = (Array<'py, u64>, Array<'py, u64>);

fn matched<'py>(py: Python<'py>, found: &[Shared]) -> Matches<'py> {
    (
        array(py, found.iter().map(|pair| pair.0).collect()),
        array(py, found.iter().map(|pair| pair.1).collect()),
        array(py, found.iter().map(|pair| pair.2).collect()),
    )
}

#[pymethods]
impl WeightedSets {
    fn __len__(&self) -> usize {
        self.sets.len()
    }

    /// The weight of each set.
    fn totals<'py>(&self, py: Python<'py>) -> Array<'py, u64> {
        array(py, self.sets.totals().to_vec())
    }

    /// The number of terms of each set.
    fn sizes<'py>(&self, py: Python<'py>) -> Array<'py, u32> {
        array(py, (0..self.sets.len()).map(|set| self.sets.of(set).len() as u32).collect())
    }

    /// The ranks of the terms of one set, ascending.
    fn of<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Array<'py, u32>> {
        if number >= self.sets.len() {
            return Err(PyValueError::new_err("no such set"));
        }
        Ok(array(py, self.sets.of(number).to_vec()))
    }

    /// The weight that each pair of sets shares.
    fn shared<'py>(
        &self,
        py: Python<'py>,
        a: PyReadonlyArray1<'py, u32>,
        b: PyReadonlyArray1<'py, u32>,
    ) -> PyResult<Array<'py, u64>> {
        let pairs = pairs(&a, &b, self.sets.len())?;
        Ok(array(py, pools::run(py, self.threads, || self.sets.shared_all(&pairs))?))
    }

    /// Every pair of sets whose shared weight over all weight is at least the threshold; then how many lists were
    /// guarded because more than `budget` pairs would come out, and how many pairs were not compared for it.
    #[pyo3(signature = (threshold, sides, budget, copies=None))]
    fn similar<'py>(
        &self,
        py: Python<'py>,
        threshold: (u64, u64),
        sides: Option<PyReadonlyArray1<'py, u8>>,
        budget: u64,
        copies: Option<PyReadonlyArray1<'py, u32>>,
    ) -> PyResult<(Matches<'py>, (u64, u64))> {
        let threshold = parse_fraction(threshold)?;
        let sides = optional(sides.as_ref(), self.sets.len(), "sides")?;
        let copies = optional(copies.as_ref(), self.sets.len(), "copies")?;
        let limits = Limits { lengths: &[], copies: &copies, sides: &sides, budget };
        let (found, guarded) =
            pools::run(py, self.threads, || weighted_join::similar_pairs(&self.sets, threshold, &limits))?;
        Ok((matched(py, &found), (guarded.keys, guarded.pairs)))
    }

    /// Return the keys of each set, of which two sets at the threshold share one: the hashes of their first terms by
    /// rank.
    fn prefix_keys<'py>(&self, py: Python<'py>, threshold: (u64, u64)) -> PyResult<Keys<'py>> {
        let threshold = parse_fraction(threshold)?;
        let (keys, offsets) = pools::run(py, self.threads, || self.sets.prefix_keys(threshold))?;
        Ok((array(py, keys), array(py, offsets)))
    }

    /// Return the fingerprints of each set: one for each `size` consecutive terms of the first k + `extra` by rank.
    fn gram_keys<'py>(
        &self,
        py: Python<'py>,
        threshold: (u64, u64),
        size: usize,
        extra: usize,
        thorough: bool,
    ) -> PyResult<Keys<'py>> {
        let threshold = parse_fraction(threshold)?;
        if size == 0 || size > 12 {
            return Err(PyValueError::new_err("a shingle has from 1 to 12 terms"));
        }
        let shingling = WeightedShingling { size, extra, thorough };
        let (keys, offsets) = pools::run(py, self.threads, || shingle_keys(&self.sets, threshold, shingling))?;
        Ok((array(py, keys), array(py, offsets)))
    }

    /// Compare the sets that share one of these keys: the pairs at the threshold, the number of pairs compared, and the
    /// numbers of guarded keys and of pairs not compared.
    #[pyo3(signature = (keys, offsets, threshold, sides, budget, copies=None, skip_connected=false))]
    #[allow(clippy::too_many_arguments)] // the arrays of one batch
    fn compare_sharing<'py>(
        &self,
        py: Python<'py>,
        keys: PyReadonlyArray1<'py, u64>,
        offsets: PyReadonlyArray1<'py, u64>,
        threshold: (u64, u64),
        sides: Option<PyReadonlyArray1<'py, u8>>,
        budget: u64,
        copies: Option<PyReadonlyArray1<'py, u32>>,
        skip_connected: bool,
    ) -> PyResult<(Matches<'py>, u64, (u64, u64))> {
        let (keys, offsets, threshold) =
            (slice(&keys, "keys")?, slice(&offsets, "offsets")?, parse_fraction(threshold)?);
        let fits = offsets.is_sorted() && offsets.last().is_some_and(|&end| end as usize == keys.len());
        if !fits || offsets.len() != self.sets.len() + 1 {
            return Err(PyValueError::new_err("keys and offsets do not belong together"));
        }
        let sides = optional(sides.as_ref(), self.sets.len(), "sides")?;
        let copies = optional(copies.as_ref(), self.sets.len(), "copies")?;
        let lengths: Vec<u32> =
            self.sets.totals().iter().map(|&total| u32::try_from(total).unwrap_or(u32::MAX)).collect();
        let limits = Limits { lengths: &lengths, copies: &copies, sides: &sides, budget };
        let made = pools::run(py, self.threads, || {
            weighted_shingles::compare_sharing(
                &self.sets,
                KeyTable { keys, offsets },
                threshold,
                &limits,
                skip_connected,
            )
        })?;
        Ok((matched(py, &made.pairs), made.compared, (made.guarded.keys, made.guarded.pairs)))
    }
}

/// Return the hash and the class of terms in their final spelling.
#[pyfunction]
pub fn classify_terms<'py>(py: Python<'py>, terms: Vec<String>) -> (Array<'py, u64>, Array<'py, u8>) {
    let hashes = terms.iter().map(|term| hash::word(term.as_bytes())).collect();
    (array(py, hashes), array(py, terms.iter().map(|term| word_class::classify(term)).collect()))
}
