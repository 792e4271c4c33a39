//! Passages: text that several places of a collection share.

use neardup_core::passages::sequences::Order;
use neardup_core::passages::{self as core, Settings};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::support::arrays::{Array, array, optional, slice};
use crate::text::Texts;

/// Passage, document, start, end and words of each occurrence, its similarity, and whether it is the first.
type Occurrences<'py> = ([Array<'py, u32>; 5], Array<'py, f64>, Array<'py, bool>);

/// All occurrences, those parts of them that are copies, and the counts: identical texts, limited places.
type Found<'py> = (Occurrences<'py>, Occurrences<'py>, (usize, usize));

/// Return the occurrences of all passages, by passage, and the parts of them that an earlier place has as well.
///
/// The first occurrence of a passage leads, and the others follow in the order of the ranks. Starts and ends are code
/// points of the originals. `sources` marks the texts that others are looked up in.
#[pyfunction]
pub fn find_passages<'py>(
    py: Python<'py>,
    texts: &Texts,
    ranks: PyReadonlyArray1<'py, u32>,
    sources: Option<PyReadonlyArray1<'py, bool>>,
    min_words: usize,
    similarity: f64,
) -> PyResult<Found<'py>> {
    let ranks = slice(&ranks, "ranks")?;
    if ranks.len() != texts.length() {
        return Err(PyValueError::new_err("one rank for each document is needed"));
    }
    if min_words < 2 || !(similarity > 0.0 && similarity <= 1.0) {
        return Err(PyValueError::new_err("min_words is below 2, or similarity is not above 0 and at most 1"));
    }
    let sources = optional(sources.as_ref(), texts.length(), "sources")?;
    let order = Order { ranks, sources: &sources };
    let found = texts.run(py, |collection| core::find(collection, order, Settings { min_words, similarity }))?;
    let counts = (found.identical, found.limited);
    Ok((columns(py, &found.occurrences), columns(py, &found.copies), counts))
}

fn columns<'py>(py: Python<'py>, occurrences: &[core::Occurrence]) -> Occurrences<'py> {
    let column = |value: fn(&core::Occurrence) -> u32| array(py, occurrences.iter().map(value).collect());
    let spans = [
        column(|occurrence| occurrence.passage),
        column(|occurrence| occurrence.document),
        column(|occurrence| occurrence.start),
        column(|occurrence| occurrence.end),
        column(|occurrence| occurrence.words),
    ];
    let similarities = occurrences.iter().map(|occurrence| occurrence.similarity).collect();
    let firsts = occurrences.iter().map(|occurrence| occurrence.first).collect();
    (spans, array(py, similarities), array(py, firsts))
}
