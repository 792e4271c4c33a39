//! Signatures of rare terms, and the duplicates that they find.

use neardup_core::candidates::keys::Limits;
use neardup_core::candidates::term_search::{self, Dates, Rule};
use neardup_core::index::packed_signatures;
use neardup_core::represent::signatures::{self, CLASSES, KEY_BYTES, Making, OWN, PAD, Short};
use neardup_core::support::fraction::Fraction;
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::support::arrays::{Array, array, below, flatten, optional, pairs, slice};
use crate::support::pools;
use crate::text::Texts;

/// A frozen table of known terms.
#[pyclass(frozen)]
pub struct RankTable {
    table: signatures::TermTable,
}

#[pymethods]
impl RankTable {
    /// Create a table from the hashes of the terms in the order in which they are chosen, their ranks, rarest first,
    /// and whether keys may contain them; and from the hashes of other words and how common each is.
    #[staticmethod]
    fn from_arrays(
        hashes: PyReadonlyArray1<'_, u64>,
        ranks: PyReadonlyArray1<'_, u32>,
        keyed: PyReadonlyArray1<'_, bool>,
        others: PyReadonlyArray1<'_, u64>,
        classes: PyReadonlyArray1<'_, u8>,
    ) -> PyResult<Self> {
        let (others, classes) = (slice(&others, "others")?, slice(&classes, "classes")?);
        if others.len() != classes.len() || classes.iter().any(|&class| class >= CLASSES) {
            return Err(PyValueError::new_err(format!("one class below {CLASSES} for each other word is needed")));
        }
        let (hashes, ranks, keyed) = (slice(&hashes, "hashes")?, slice(&ranks, "ranks")?, slice(&keyed, "keyed")?);
        if hashes.len() != ranks.len() || hashes.len() != keyed.len() {
            return Err(PyValueError::new_err("one rank and one flag for each hash is needed"));
        }
        below(ranks, OWN as usize)?;
        Ok(Self { table: signatures::TermTable::new(hashes, ranks, keyed, others, classes) })
    }
}

/// The signatures of a batch of documents.
#[pyclass(frozen)]
pub struct Signatures {
    made: signatures::Signatures,
    threads: usize,
}

/// Vectors (offsets and values), lengths, keys, numerals (offsets, values, counts).
type Arrays<'py> = (
    Array<'py, u64>,
    Array<'py, u32>,
    Array<'py, u32>,
    Array<'py, u8>,
    Array<'py, u64>,
    Array<'py, u32>,
    Array<'py, u32>,
);

/// Threshold, days, tolerances of length without and with the same key, least terms, whether numerals must agree.
type RuleArguments = ((u64, u64), u32, (u64, u64), (u64, u64), usize, bool);

/// The offsets of the days of each document, and the days.
type Days<'py> = (PyReadonlyArray1<'py, u64>, PyReadonlyArray1<'py, i32>);

/// Pairs, what links them (1 the key, 2 the terms), and how many entries they share.
type Duplicates<'py> = (Array<'py, u32>, Array<'py, u32>, Array<'py, u8>, Array<'py, u32>);

#[pymethods]
impl Signatures {
    /// Compute the signatures of these documents; `short` is `own` or `pad_constant`.
    #[staticmethod]
    fn make(
        py: Python<'_>,
        texts: &Texts,
        documents: PyReadonlyArray1<'_, u32>,
        table: &RankTable,
        terms: usize,
        short: &str,
        bin: u32,
    ) -> PyResult<Self> {
        let documents = texts.documents(&documents)?;
        if terms == 0 || terms > (u32::MAX - PAD) as usize {
            return Err(PyValueError::new_err("a vector has at least one entry, and not millions"));
        }
        let making = Making { terms, short: parse_short(short)?, bin };
        let made =
            texts.run(py, |collection| signatures::Signatures::make(collection, &documents, &table.table, making))?;
        Ok(Self { made, threads: texts.threads() })
    }

    /// Create signatures from stored arrays.
    #[staticmethod]
    #[allow(clippy::too_many_arguments)] // the arrays of one batch
    fn from_arrays(
        offsets: PyReadonlyArray1<'_, u64>,
        values: PyReadonlyArray1<'_, u32>,
        lengths: PyReadonlyArray1<'_, u32>,
        keys: PyReadonlyArray1<'_, u8>,
        numeral_offsets: PyReadonlyArray1<'_, u64>,
        numerals: PyReadonlyArray1<'_, u32>,
        numeral_counts: PyReadonlyArray1<'_, u32>,
        short: &str,
        threads: usize,
    ) -> PyResult<Self> {
        let made = signatures::Signatures {
            offsets: slice(&offsets, "offsets")?.to_vec(),
            values: slice(&values, "values")?.to_vec(),
            lengths: slice(&lengths, "lengths")?.to_vec(),
            keys: slice(&keys, "keys")?.to_vec(),
            numeral_offsets: slice(&numeral_offsets, "numeral_offsets")?.to_vec(),
            numerals: slice(&numerals, "numerals")?.to_vec(),
            numeral_counts: slice(&numeral_counts, "numeral_counts")?.to_vec(),
            short: parse_short(short)?,
        };
        check_offsets(&made.offsets, made.len(), made.values.len())?;
        check_offsets(&made.numeral_offsets, made.len(), made.numerals.len())?;
        if made.keys.len() != made.len() * KEY_BYTES || made.numeral_counts.len() != made.len() {
            return Err(PyValueError::new_err("keys, numerals and lengths do not belong together"));
        }
        Ok(Self { made, threads })
    }

    fn __len__(&self) -> usize {
        self.made.len()
    }

    /// Return the arrays of these signatures, as `from_arrays` takes them.
    fn arrays<'py>(&self, py: Python<'py>) -> Arrays<'py> {
        let made = &self.made;
        (
            array(py, made.offsets.clone()),
            array(py, made.values.clone()),
            array(py, made.lengths.clone()),
            array(py, made.keys.clone()),
            array(py, made.numeral_offsets.clone()),
            array(py, made.numerals.clone()),
            array(py, made.numeral_counts.clone()),
        )
    }

    /// Return the bytes of each signature, for storage, and the offset of each.
    fn pack<'py>(&self, py: Python<'py>) -> (Array<'py, u8>, Array<'py, i64>) {
        let (bytes, offsets) = py.detach(|| packed_signatures::pack(&self.made));
        (array(py, bytes), array(py, offsets))
    }

    /// Read signatures from their bytes.
    #[staticmethod]
    fn unpack(
        bytes: PyReadonlyArray1<'_, u8>,
        offsets: PyReadonlyArray1<'_, i64>,
        short: &str,
        threads: usize,
    ) -> PyResult<Self> {
        let made = packed_signatures::unpack(slice(&bytes, "bytes")?, slice(&offsets, "offsets")?, parse_short(short)?);
        made.map(|made| Self { made, threads }).ok_or_else(|| PyValueError::new_err("these bytes are not signatures"))
    }

    /// Return the number of terms in the vector of each document.
    fn terms<'py>(&self, py: Python<'py>) -> Array<'py, u32> {
        array(py, (0..self.made.len()).map(|document| self.made.terms(document) as u32).collect())
    }

    /// Return the keys under which each document meets everything that it can be linked to, and their offsets. Two
    /// linked documents share at least `shared` keys of terms, or as many as they must share.
    #[pyo3(signature = (rule, salt, shared=1))]
    fn keys<'py>(
        &self,
        py: Python<'py>,
        rule: RuleArguments,
        salt: u64,
        shared: usize,
    ) -> PyResult<(Array<'py, u64>, Array<'py, u64>)> {
        let rule = parse_rule(rule)?;
        let lists: Vec<Vec<u64>> = pools::run(py, self.threads, || {
            (0..self.made.len()).into_par_iter().map(|document| rule.keys(&self.made, document, salt, shared)).collect()
        })?;
        Ok(flatten(py, &lists))
    }

    /// Return how many entries each pair of vectors shares.
    fn overlaps<'py>(
        &self,
        py: Python<'py>,
        a: PyReadonlyArray1<'py, u32>,
        b: PyReadonlyArray1<'py, u32>,
    ) -> PyResult<Array<'py, u32>> {
        let pairs = pairs(&a, &b, self.made.len())?;
        let shared = |&(a, b): &(u32, u32)| {
            let (first, second) = (self.made.vector(a as usize), self.made.vector(b as usize));
            term_search::overlap_of_at_least(first, second, 0).unwrap_or(0)
        };
        Ok(array(py, pools::run(py, self.threads, || pairs.par_iter().map(shared).collect())?))
    }

    /// Return what links each pair (0 nothing, 1 the key, 2 the terms), and how many entries a linked pair shares.
    fn judge<'py>(
        &self,
        py: Python<'py>,
        a: PyReadonlyArray1<'py, u32>,
        b: PyReadonlyArray1<'py, u32>,
        days: Days<'py>,
        rule: RuleArguments,
    ) -> PyResult<(Array<'py, u8>, Array<'py, u32>)> {
        let (rule, pairs) = (parse_rule(rule)?, pairs(&a, &b, self.made.len())?);
        let dates = self.dates(&days)?;
        let judge = |&(a, b): &(u32, u32)| {
            let verdict = rule.judge(&self.made, &dates, a as usize, b as usize);
            verdict.map_or((0, 0), |(ground, shared)| (ground as u8, shared))
        };
        let verdicts: Vec<(u8, u32)> = pools::run(py, self.threads, || pairs.par_iter().map(judge).collect())?;
        let (grounds, shared) = verdicts.into_iter().unzip();
        Ok((array(py, grounds), array(py, shared)))
    }

    /// Return every pair that the rule links; then the numbers of guarded keys, of pairs not examined, and of pairs
    /// compared.
    #[pyo3(signature = (days, rule, sides, copies, budget))]
    fn duplicates<'py>(
        &self,
        py: Python<'py>,
        days: Days<'py>,
        rule: RuleArguments,
        sides: Option<PyReadonlyArray1<'py, u8>>,
        copies: Option<PyReadonlyArray1<'py, u32>>,
        budget: u64,
    ) -> PyResult<(Duplicates<'py>, (u64, u64, u64))> {
        let rule = parse_rule(rule)?;
        let dates = self.dates(&days)?;
        let sides = optional(sides.as_ref(), self.made.len(), "sides")?;
        let copies = optional(copies.as_ref(), self.made.len(), "copies")?;
        let limits = Limits { lengths: &self.made.lengths, copies: &copies, sides: &sides, budget };
        let (found, guarded, compared) =
            pools::run(py, self.threads, || term_search::duplicates(&self.made, &dates, &rule, &limits))?;
        let columns = (
            array(py, found.iter().map(|link| link.0).collect()),
            array(py, found.iter().map(|link| link.1).collect()),
            array(py, found.iter().map(|link| link.2 as u8).collect()),
            array(py, found.iter().map(|link| link.3).collect()),
        );
        Ok((columns, (guarded.keys, guarded.pairs, compared)))
    }

    /// Return the cost of comparing every document with every other: pairs, those near in time, those of similar
    /// length, those of both; comparisons of entries of pairs that are not duplicates, of duplicates, and without
    /// stopping early; and the duplicates.
    fn effort(&self, py: Python<'_>, days: Days<'_>, rule: RuleArguments) -> PyResult<[u64; 8]> {
        let rule = parse_rule(rule)?;
        let dates = self.dates(&days)?;
        let effort = pools::run(py, self.threads, || term_search::compare_all(&self.made, &dates, &rule))?;
        Ok([
            effort.pairs,
            effort.dated,
            effort.sized,
            effort.compared,
            effort.steps_apart,
            effort.steps_alike,
            effort.steps_full,
            effort.alike,
        ])
    }
}

impl Signatures {
    fn dates<'a>(&self, (offsets, days): &'a Days<'_>) -> PyResult<Dates<'a>> {
        let dates = Dates { offsets: slice(offsets, "offsets")?, days: slice(days, "days")? };
        check_offsets(dates.offsets, self.made.len(), dates.days.len())?;
        Ok(dates)
    }
}

fn check_offsets(offsets: &[u64], documents: usize, values: usize) -> PyResult<()> {
    let fits = offsets.len() == documents + 1
        && offsets.is_sorted()
        && offsets.first() == Some(&0)
        && offsets.last() == Some(&(values as u64));
    if fits { Ok(()) } else { Err(PyValueError::new_err("offsets and values do not belong together")) }
}

fn parse_short(short: &str) -> PyResult<Short> {
    match short {
        "own" => Ok(Short::Own),
        "pad_constant" => Ok(Short::Constant),
        other => Err(PyValueError::new_err(format!("unknown way to fill up {other}"))),
    }
}

fn parse_rule((threshold, window, tolerance, key_tolerance, reliable, numerals): RuleArguments) -> PyResult<Rule> {
    let fraction = |(numerator, denominator): (u64, u64)| Fraction { numerator, denominator };
    let share = |(numerator, denominator)| denominator > 0 && numerator <= denominator && denominator <= 1 << 24;
    if !share(threshold) || threshold.0 == 0 || !share(tolerance) || !share(key_tolerance) {
        return Err(PyValueError::new_err("threshold and tolerances are shares"));
    }
    Ok(Rule {
        threshold: fraction(threshold),
        window,
        tolerance: fraction(tolerance),
        key_tolerance: fraction(key_tolerance),
        reliable,
        numerals,
    })
}
