//! Clusters: components, stars, bisection, and letters against the reference copies of campaigns.

use neardup_core::cluster::campaigns::passages::{self, Given, Letters, Sharing};
use neardup_core::cluster::campaigns::{self, Bounds, Containment, Rewriting};
use neardup_core::cluster::{bisection, groups};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::support::arrays::{Array, array, below, pairs, set_table, slice};
use crate::support::pools;
use crate::text::Texts;

/// Return the smallest node of the connected component of each node.
#[pyfunction]
pub fn components<'py>(
    py: Python<'py>,
    nodes: usize,
    a: PyReadonlyArray1<'py, u32>,
    b: PyReadonlyArray1<'py, u32>,
) -> PyResult<Array<'py, u32>> {
    let pairs = pairs(&a, &b, nodes)?;
    Ok(array(py, py.detach(|| groups::components(nodes, &pairs))))
}

/// Return the leader of each node under star linkage; nodes are visited in `order`.
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
    Ok(array(py, py.detach(|| groups::stars(order, &pairs, similarities))))
}

/// Return the cluster of each set, for each of these ascending numbers of clusters; set i has the elements
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

/// The group of each letter, the letters with a good part of another group, and these groups.
type LetterGroups<'py> = (Array<'py, u32>, Array<'py, u32>, Array<'py, u32>);

/// Group letters by the passages that they share: the group of each document (the largest number for none), and
/// documents with other groups of which they have a good part.
///
/// `lengths` and `copies` are the words and identical copies of each document, `given` the group of those that have one
/// already, `references` one document of each given group. `sharing` is how many words a window has and how many
/// letters must have it.
#[pyfunction]
pub fn group_by_passages<'py>(
    py: Python<'py>,
    texts: &Texts,
    documents: PyReadonlyArray1<'py, u32>,
    nodes: (PyReadonlyArray1<'py, u32>, PyReadonlyArray1<'py, u32>),
    given: (PyReadonlyArray1<'py, u32>, PyReadonlyArray1<'py, u32>),
    sharing: (usize, u32),
) -> PyResult<LetterGroups<'py>> {
    let documents = texts.documents(&documents)?;
    let (lengths, copies) = (slice(&nodes.0, "lengths")?, slice(&nodes.1, "copies")?);
    let (given, references) = (slice(&given.0, "given")?, slice(&given.1, "references")?);
    if [lengths.len(), copies.len(), given.len()] != [documents.len(); 3] {
        return Err(PyValueError::new_err("one length, number of copies and group for each document is needed"));
    }
    below(references, documents.len())?;
    if given.iter().any(|&group| group != passages::NO_GROUP && group as usize >= references.len()) {
        return Err(PyValueError::new_err("one reference for each given group is needed"));
    }
    let sharing = Sharing { window: sharing.0, letters: sharing.1 };
    let found = texts.run(py, |collection| {
        let table = passages::find_passages(collection, &documents, copies, sharing);
        let (letters, given) = (Letters { lengths, copies }, Given { groups: given, references });
        passages::find_groups(&table, letters, given, sharing.letters)
    })?;
    let (letters, others) = found.also.into_iter().unzip();
    Ok((array(py, found.group_of), array(py, letters), array(py, others)))
}

/// A consensus text, the texts of its points, and the points that each document of the campaign has.
type Agreement = (String, Vec<String>, Vec<Vec<u32>>);

/// Assemble the consensus of campaigns; those of campaign i are `documents[offsets[i]:offsets[i+1]]`.
#[pyfunction]
pub fn assemble_consensus(
    py: Python<'_>,
    texts: &Texts,
    offsets: PyReadonlyArray1<'_, u64>,
    documents: PyReadonlyArray1<'_, u32>,
    copies: PyReadonlyArray1<'_, u32>,
) -> PyResult<Vec<Agreement>> {
    let (offsets, documents) = (slice(&offsets, "offsets")?, texts.documents(&documents)?);
    let copies = slice(&copies, "copies")?;
    if !offsets.is_sorted() || offsets.last().is_some_and(|&last| last as usize != documents.len()) {
        return Err(PyValueError::new_err("offsets and documents do not belong together"));
    }
    if copies.len() != documents.len() {
        return Err(PyValueError::new_err("one number of copies for each document is needed"));
    }
    texts.run(py, |collection| {
        let one = |bounds: &[u64]| {
            let range = bounds[0] as usize..bounds[1] as usize;
            let agreed = campaigns::consensus(collection, &documents[range.clone()], &copies[range.clone()]);
            let points = |&document: &u32| campaigns::find_points(collection, document, &agreed.points);
            let held =
                if agreed.points.is_empty() { Vec::new() } else { documents[range].iter().map(points).collect() };
            (agreed.text, agreed.points.into_iter().map(|point| point.text).collect(), held)
        };
        offsets.par_windows(2).map(one).collect()
    })
}

/// The background model of a collection: the probability of each word.
#[pyclass(frozen)]
pub struct Background {
    background: campaigns::Background,
}

#[pymethods]
impl Background {
    /// Create a background from word hashes and their numbers of occurrences.
    #[staticmethod]
    fn from_counts(hashes: PyReadonlyArray1<'_, u64>, counts: PyReadonlyArray1<'_, u64>) -> PyResult<Self> {
        let (hashes, counts) = (slice(&hashes, "hashes")?, slice(&counts, "counts")?);
        let counts = hashes.iter().copied().zip(counts.iter().copied());
        Ok(Self { background: campaigns::Background::from_counts(counts) })
    }

    /// Count the words of these documents, each as often as the document has copies.
    #[staticmethod]
    fn count(
        py: Python<'_>,
        texts: &Texts,
        documents: PyReadonlyArray1<'_, u32>,
        copies: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<Self> {
        let (documents, copies) = (texts.documents(&documents)?, slice(&copies, "copies")?);
        if documents.len() != copies.len() {
            return Err(PyValueError::new_err("one number of copies for each document is needed"));
        }
        let background = texts.run(py, |collection| campaigns::Background::count(collection, &documents, copies))?;
        Ok(Self { background })
    }

    /// Return the distance of each pair of documents.
    fn distances<'py>(
        &self,
        py: Python<'py>,
        texts: &Texts,
        a: PyReadonlyArray1<'py, u32>,
        b: PyReadonlyArray1<'py, u32>,
        mu: f64,
    ) -> PyResult<Array<'py, f64>> {
        let pairs = pairs(&a, &b, texts.length())?;
        let found = texts.run(py, |collection| campaigns::distances(collection, &self.background, mu, &pairs))?;
        Ok(array(py, found))
    }

    /// Return the letters that rewrite a reference, as columns: the indices of letter and reference, the share of the
    /// shorter text that is aligned, and the share of the reference from the first aligned word to the last.
    fn rewritten<'py>(
        &self,
        py: Python<'py>,
        texts: &Texts,
        letters: PyReadonlyArray1<'py, u32>,
        references: PyReadonlyArray1<'py, u32>,
        least: f64,
    ) -> PyResult<Rewritten<'py>> {
        let (letters, references) = (texts.documents(&letters)?, texts.documents(&references)?);
        let found = texts.run(py, |collection| {
            campaigns::find_rewritings(collection, &letters, &references, &self.background, least)
        })?;
        let column = |value: fn(&Rewriting) -> u32| array(py, found.iter().map(value).collect());
        let shares = array(py, found.iter().map(|found| found.share).collect());
        let spans = array(py, found.iter().map(|found| found.span).collect());
        Ok((column(|found| found.letter), column(|found| found.reference), shares, spans))
    }

    /// Return how much of each near reference every document contains, as columns: the indices of document and
    /// reference, distance, overlap, words contained, and whether the whole or a paragraph of the reference is
    /// contained.
    fn hold<'py>(
        &self,
        py: Python<'py>,
        texts: &Texts,
        documents: PyReadonlyArray1<'py, u32>,
        references: PyReadonlyArray1<'py, u32>,
        bounds: (f64, f64, usize),
        thorough: bool,
    ) -> PyResult<Columns<'py>> {
        let (documents, references) = (texts.documents(&documents)?, slice(&references, "references")?);
        below(references, documents.len())?;
        let bounds = Bounds { mu: bounds.0, farthest: bounds.1, paragraph: bounds.2, thorough };
        let found = texts.run(py, |collection| {
            campaigns::compare_with_references(collection, &documents, references, &self.background, &bounds)
        })?;
        Ok((
            column(py, &found, |found| found.letter),
            column(py, &found, |found| found.reference),
            column(py, &found, |found| found.distance),
            column(py, &found, |found| found.overlap),
            column(py, &found, |found| found.contained),
            column(py, &found, |found| found.whole),
            column(py, &found, |found| found.paragraph),
        ))
    }
}

/// Letter, reference, aligned share, aligned span.
type Rewritten<'py> = (Array<'py, u32>, Array<'py, u32>, Array<'py, f64>, Array<'py, f64>);

type Columns<'py> = (
    Array<'py, u32>,
    Array<'py, u32>,
    Array<'py, f64>,
    Array<'py, f64>,
    Array<'py, u32>,
    Array<'py, bool>,
    Array<'py, bool>,
);

fn column<'py, T: numpy::Element>(
    py: Python<'py>,
    found: &[Containment],
    value: impl Fn(&Containment) -> T,
) -> Array<'py, T> {
    array(py, found.iter().map(value).collect())
}
