//! A collection of texts, and everything that is computed from it.

use std::sync::Arc;

use neardup_core::candidates::partners::partners;
use neardup_core::explain::align::HunkKind;
use neardup_core::explain::describe::{self, Stretch};
use neardup_core::represent::{first_pass as passes, sets, sketch, terms};
use neardup_core::text::collapse;
use neardup_core::text::collection::{Collection, Parts, Reader};
use neardup_core::text::normaliser::Normaliser;
use neardup_core::text::words::lexemes::TermReader;
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::source::{BorrowedColumn, Column, OwnedParts, Source, backed, check_column, checked, prefetched};
use crate::represent::first_pass::{FirstPass, Survey};
use crate::represent::sets::{Matches, Sets, matched};
use crate::support::arrays::{Array, array, below, borrow, flatten, optional, slice};
use crate::support::parsing::{parse_measure, parse_normaliser, parse_selection, parse_shingling};
use crate::support::pools;

/// A collection of texts and how to read them.
#[pyclass(frozen)]
pub struct Texts {
    source: Arc<Source>,
    html: Vec<bool>,
    normaliser: Normaliser,
    threads: usize,
    length: usize,
    parts: OwnedParts,
    /// Texts after those of the source.
    further: Vec<String>,
    /// The number of lone surrogates that were replaced.
    #[pyo3(get)]
    replaced: usize,
}

#[pymethods]
impl Texts {
    /// Create texts from a list of strings; anything that is not a string is read as empty.
    #[staticmethod]
    #[pyo3(signature = (strings, html, form, markup, threads, boilerplate="keep"))]
    fn from_strings(
        strings: &Bound<'_, PyList>,
        html: Option<PyReadonlyArray1<'_, bool>>,
        form: &str,
        markup: &str,
        threads: usize,
        boilerplate: &str,
    ) -> PyResult<Self> {
        let mut replaced = 0;
        let strings = prefetched(strings).map(|item| backed(&item, &mut replaced)).collect::<PyResult<Vec<_>>>()?;
        let length = strings.len();
        let made = Self::new(Source::Strings(strings), length, html, (form, markup, boilerplate), threads)?;
        Ok(Self { replaced, ..made })
    }

    /// Create texts from the offsets and bytes of string columns.
    #[staticmethod]
    #[pyo3(signature = (columns, html, form, markup, threads, boilerplate="keep"))]
    fn from_columns(
        columns: Vec<(Array<'_, i64>, Array<'_, u8>)>,
        html: Option<PyReadonlyArray1<'_, bool>>,
        form: &str,
        markup: &str,
        threads: usize,
        boilerplate: &str,
    ) -> PyResult<Self> {
        let mut length = 0;
        let mut checked = Vec::with_capacity(columns.len());
        for (offsets, bytes) in columns {
            length += check_column(&offsets, &bytes, threads)?;
            checked.push(Column { offsets: offsets.unbind(), bytes: bytes.unbind() });
        }
        Self::new(Source::Columns(checked), length, html, (form, markup, boilerplate), threads)
    }

    fn __len__(&self) -> usize {
        self.length
    }

    /// Return the same texts restricted to these parts: bytes of the comparable text, ascending and disjoint; those of
    /// document i are `offsets[i]:offsets[i+1]`.
    fn restricted(
        &self,
        offsets: PyReadonlyArray1<'_, u64>,
        starts: PyReadonlyArray1<'_, u32>,
        ends: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<Self> {
        let (offsets, starts, ends) = (slice(&offsets, "offsets")?, slice(&starts, "starts")?, slice(&ends, "ends")?);
        let fits = offsets.len() == self.length + 1 && offsets.is_sorted() && starts.len() == ends.len();
        if !fits || offsets[self.length] as usize != starts.len() {
            return Err(PyValueError::new_err("offsets, starts and ends do not belong together"));
        }
        let parts = OwnedParts { offsets: offsets.to_vec(), starts: starts.to_vec(), ends: ends.to_vec() };
        let (source, html, further) = (Arc::clone(&self.source), self.html.clone(), self.further.clone());
        let Self { normaliser, threads, length, replaced, .. } = *self;
        Ok(Self { source, html, normaliser, threads, length, parts, further, replaced })
    }

    /// Return the same texts and further ones after them, of which everything is compared.
    fn extended(&self, strings: Vec<String>) -> Self {
        let mut parts = self.parts.clone();
        if !parts.offsets.is_empty() {
            for string in &strings {
                parts.starts.push(0);
                parts.ends.push(string.len() as u32);
                parts.offsets.push(parts.starts.len() as u64);
            }
        }
        let (source, mut html) = (Arc::clone(&self.source), self.html.clone());
        let length = self.length + strings.len();
        if !html.is_empty() {
            html.resize(length, false);
        }
        let mut further = self.further.clone();
        further.extend(strings);
        let Self { normaliser, threads, replaced, .. } = *self;
        Self { source, html, normaliser, threads, length, parts, further, replaced }
    }

    /// Read every text once: the representatives of identical texts, and what the first pass computes.
    ///
    /// Only texts of the same group are collapsed.
    #[pyo3(signature = (ranks, groups=None, first_pass=None))]
    fn survey(
        &self,
        py: Python<'_>,
        ranks: PyReadonlyArray1<'_, u32>,
        groups: Option<PyReadonlyArray1<'_, u32>>,
        first_pass: Option<&FirstPass>,
    ) -> PyResult<Survey> {
        let ranks = slice(&ranks, "ranks")?;
        if ranks.len() != self.length {
            return Err(PyValueError::new_err("one rank for each document is needed"));
        }
        let groups = optional(groups.as_ref(), self.length, "groups")?;
        let wanted = first_pass.map_or(&passes::FirstPass::Fingerprints, |pass| &pass.wanted);
        let (survey, representatives) = self.run(py, |collection| {
            let survey = passes::survey(collection, &groups, wanted);
            let representatives = collapse::representatives(&survey.fingerprints, ranks, &groups);
            (survey, representatives)
        })?;
        Survey::new(py, survey, representatives, self.threads)
    }

    /// Return the smallest `count` shingle hashes of each of these documents: values and offsets.
    fn bottom<'py>(
        &self,
        py: Python<'py>,
        documents: PyReadonlyArray1<'py, u32>,
        shingling: (usize, String),
        count: usize,
    ) -> PyResult<(Array<'py, u64>, Array<'py, u64>)> {
        let (documents, shingling) = (self.documents(&documents)?, parse_shingling(&shingling)?);
        let lists = self.run(py, |collection| {
            collection.map(&documents, shingling.unit, |units| sketch::bottom(units, shingling.size, count))
        })?;
        Ok(flatten(py, &lists))
    }

    /// Return the SimHash of each of these documents.
    fn simhashes<'py>(
        &self,
        py: Python<'py>,
        documents: PyReadonlyArray1<'py, u32>,
        shingling: (usize, String),
    ) -> PyResult<Array<'py, u64>> {
        let (documents, shingling) = (self.documents(&documents)?, parse_shingling(&shingling)?);
        let hashes = self.run(py, |collection| {
            collection.map(&documents, shingling.unit, |units| sketch::simhash(units, shingling.size))
        })?;
        Ok(array(py, hashes))
    }

    /// Return the words of these documents in the order of their bytes: offsets and bytes of the words, their hashes,
    /// and the numbers of documents and of occurrences.
    fn vocabulary<'py>(&self, py: Python<'py>, documents: PyReadonlyArray1<'py, u32>) -> PyResult<Vocabulary<'py>> {
        let documents = self.documents(&documents)?;
        let found = self.run(py, |collection| terms::vocabulary(collection, &documents))?;
        let mut offsets = vec![0i64];
        let mut bytes = Vec::new();
        for term in &found {
            bytes.extend_from_slice(term.word.as_bytes());
            offsets.push(bytes.len() as i64);
        }
        let hashes = found.iter().map(|term| term.hash).collect();
        let counts = found.iter().map(|term| term.documents).collect();
        let occurrences = found.iter().map(|term| term.occurrences).collect();
        Ok(((array(py, offsets), array(py, bytes)), array(py, hashes), array(py, counts), array(py, occurrences)))
    }

    /// Return the signature of each of these documents from its words of low rank.
    fn signatures<'py>(
        &self,
        py: Python<'py>,
        documents: PyReadonlyArray1<'py, u32>,
        hashes: PyReadonlyArray1<'py, u64>,
        ranks: PyReadonlyArray1<'py, u32>,
        terms: usize,
        skip: usize,
    ) -> PyResult<Array<'py, u64>> {
        let documents = self.documents(&documents)?;
        let table = (slice(&hashes, "hashes")?, slice(&ranks, "ranks")?);
        let found = self.run(py, |collection| terms::signatures(collection, &documents, table, terms, skip))?;
        Ok(array(py, found))
    }

    /// Return the shingle sets of these documents. Sets for `similar` need the survey that counted their shingles and
    /// collapsed no two of them. If it counted for a threshold, sets that cannot reach it are left empty, of size 0.
    fn sets(
        &self,
        py: Python<'_>,
        documents: PyReadonlyArray1<'_, u32>,
        shingling: (usize, String),
        selection: (String, usize),
        counted_by: Option<&Survey>,
    ) -> PyResult<Sets> {
        let (documents, shingling) = (self.documents(&documents)?, parse_shingling(&shingling)?);
        let selection = parse_selection(&selection)?;
        let counts = counted_by.and_then(|survey| survey.counts.as_ref());
        let sets = self.run(py, |collection| match counts {
            Some(counts) => sets::Sets::counted(collection, &documents, shingling, selection, counts),
            None => sets::Sets::plain(collection, &documents, shingling, selection),
        })?;
        Ok(Sets { sets, threads: self.threads })
    }

    /// Return every partner of the chosen documents among these, in one pass: chosen, partner, shared shingles.
    fn partners<'py>(
        &self,
        py: Python<'py>,
        documents: PyReadonlyArray1<'py, u32>,
        chosen: PyReadonlyArray1<'py, u32>,
        shingling: (usize, String),
        measure: &str,
        threshold: (u64, u64),
    ) -> PyResult<Matches<'py>> {
        let (documents, shingling) = (self.documents(&documents)?, parse_shingling(&shingling)?);
        let (chosen, measure) = (slice(&chosen, "chosen")?, parse_measure(measure, threshold)?);
        below(chosen, documents.len())?;
        let found = self.run(py, |collection| partners(collection, &documents, chosen, shingling, measure))?;
        Ok(matched(py, found))
    }

    /// Return the relation of each member to the reference at the same index, the text that it added, and the text that
    /// it removed.
    fn describe(
        &self,
        py: Python<'_>,
        members: PyReadonlyArray1<'_, u32>,
        references: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<(Vec<&'static str>, Vec<String>, Vec<String>)> {
        let (members, references) = (self.documents(&members)?, self.documents(&references)?);
        if members.len() != references.len() {
            return Err(PyValueError::new_err("one reference for each member is needed"));
        }
        let found = self.run(py, |collection| describe::describe(collection, &members, &references))?;
        let relations = found.iter().map(|description| description.relation.name()).collect();
        let (added, removed) = found.into_iter().map(|description| (description.added, description.removed)).unzip();
        Ok((relations, added, removed))
    }

    /// Align two documents: kind, and start and end in either, in code points of the originals.
    fn align(&self, py: Python<'_>, a: usize, b: usize) -> PyResult<Vec<Stretched>> {
        let found = self.run_few(py, &[a, b], |collection| describe::stretches(collection, 0, 1))?;
        let named = |stretch: &Stretch| {
            let kind = match stretch.kind {
                HunkKind::Equal => "equal",
                HunkKind::Added => "added",
                HunkKind::Removed => "removed",
                HunkKind::Replaced => "replaced",
                HunkKind::Moved => "moved",
                HunkKind::Repeated => "repeated",
            };
            (kind, stretch.first.0, stretch.first.1, stretch.second.0, stretch.second.1)
        };
        Ok(found.iter().map(named).collect())
    }

    /// Return the start and end of each paragraph of a document, in code points of the original.
    fn paragraphs(&self, py: Python<'_>, document: usize) -> PyResult<Vec<(u32, u32)>> {
        self.run_few(py, &[document], |collection| describe::paragraph_spans(collection, 0))
    }

    /// Return the tokens of one document: code-point starts and ends in the original, and the hashes of the folded
    /// words.
    fn tokens<'py>(
        &self,
        py: Python<'py>,
        document: usize,
    ) -> PyResult<(Array<'py, u32>, Array<'py, u32>, Array<'py, u64>)> {
        let (starts, ends, hashes) = self.run_few(py, &[document], |collection| collection.located(0))?;
        Ok((array(py, starts), array(py, ends), array(py, hashes)))
    }

    /// Return the terms of one document, in reading order.
    fn terms(&self, py: Python<'_>, document: usize) -> PyResult<Vec<String>> {
        self.run_few(py, &[document], |collection| {
            let mut terms = Vec::new();
            TermReader::default().read(collection, 0, |_, found| terms.push(found.spelling()));
            terms
        })
    }

    /// Return excerpts of one document as it is compared, each from the start of one of its words to the end of
    /// another.
    fn excerpts(&self, py: Python<'_>, document: usize, spans: Vec<(usize, usize)>) -> PyResult<Vec<String>> {
        let found = self.run_few(py, &[document], |collection| {
            let mut reader = Reader::default();
            let prepared = collection.read(0, &mut reader);
            let (starts, ends) = (&reader.tokens.starts, &reader.tokens.ends);
            let cut = |&(first, last): &(usize, usize)| {
                let (start, end) = (*starts.get(first)? as usize, *ends.get(last)? as usize);
                prepared.text.get(start..end).map(str::to_owned)
            };
            spans.iter().map(cut).collect::<Option<Vec<String>>>()
        })?;
        found.ok_or_else(|| PyValueError::new_err("a span is outside of the document"))
    }

    /// Return the text of one document as it is compared.
    fn prepared(&self, py: Python<'_>, document: usize) -> PyResult<String> {
        self.run_few(py, &[document], |collection| collection.read(0, &mut Default::default()).text.into_owned())
    }
}

impl Texts {
    fn new(
        source: Source,
        length: usize,
        html: Option<PyReadonlyArray1<'_, bool>>,
        (form, markup, boilerplate): (&str, &str, &str),
        threads: usize,
    ) -> PyResult<Self> {
        let html = optional(html.as_ref(), length, "html")?;
        let (source, normaliser) = (Arc::new(source), parse_normaliser(form, markup, boilerplate)?);
        Ok(Self {
            source,
            html,
            normaliser,
            threads,
            length,
            parts: OwnedParts::default(),
            further: Vec::new(),
            replaced: 0,
        })
    }

    /// Runs `work` over the collection without the interpreter's lock.
    pub(crate) fn run<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&Collection) -> T + Send) -> PyResult<T> {
        match &*self.source {
            Source::Strings(strings) => {
                let mut texts: Vec<&str> = strings.iter().map(|string| &**string).collect();
                texts.extend(self.further.iter().map(String::as_str));
                self.run_over(py, &texts, work)
            }
            Source::Columns(columns) => {
                let borrowed: Vec<_> = columns.iter().map(|c| (borrow(py, &c.offsets), borrow(py, &c.bytes))).collect();
                let mut texts: Vec<&str> = Vec::with_capacity(self.length);
                for (offsets, bytes) in &borrowed {
                    let (offsets, bytes) = (slice(offsets, "offsets")?, slice(bytes, "bytes")?);
                    texts.extend(offsets.windows(2).map(|pair| checked(&bytes[pair[0] as usize..pair[1] as usize])));
                }
                texts.extend(self.further.iter().map(String::as_str));
                self.run_over(py, &texts, work)
            }
        }
    }

    /// Runs `work` over a collection of only these documents, numbered from 0, on this thread: a caller that asks for
    /// one document at a time does not wait for all texts to be listed.
    fn run_few<T: Send>(
        &self,
        py: Python<'_>,
        documents: &[usize],
        work: impl FnOnce(&Collection) -> T + Send,
    ) -> PyResult<T> {
        if documents.iter().any(|&document| document >= self.length) {
            return Err(PyValueError::new_err("no such document"));
        }
        let columns = match &*self.source {
            Source::Strings(_) => &[][..],
            Source::Columns(columns) => columns,
        };
        let borrowed: Vec<_> = columns.iter().map(|c| (borrow(py, &c.offsets), borrow(py, &c.bytes))).collect();
        let texts = documents.iter().map(|&document| self.find(document, &borrowed)).collect::<PyResult<Vec<_>>>()?;
        let html: Vec<bool> = documents.iter().filter_map(|&document| self.html.get(document).copied()).collect();
        let parts = self.parts.of(documents);
        let parts = Parts { offsets: &parts.offsets, starts: &parts.starts, ends: &parts.ends };
        let collection = Collection::new(&texts, &html, self.normaliser).restricted(parts);
        pools::run(py, 1, || work(&collection))
    }

    /// The raw text of a document; `columns` are those of the source.
    fn find<'a>(&'a self, document: usize, columns: &'a [BorrowedColumn<'_>]) -> PyResult<&'a str> {
        if let Some(further) = document.checked_sub(self.length - self.further.len()) {
            return Ok(&self.further[further]);
        }
        if let Source::Strings(strings) = &*self.source {
            return Ok(&strings[document]);
        }
        let mut within = document;
        for (offsets, bytes) in columns {
            let offsets = slice(offsets, "offsets")?;
            if let Some(&[start, end]) = offsets.get(within..within + 2) {
                return Ok(checked(&slice(bytes, "bytes")?[start as usize..end as usize]));
            }
            within -= offsets.len() - 1;
        }
        Err(PyValueError::new_err("no such document"))
    }

    fn run_over<T: Send>(
        &self,
        py: Python<'_>,
        texts: &[&str],
        work: impl FnOnce(&Collection) -> T + Send,
    ) -> PyResult<T> {
        let parts = Parts { offsets: &self.parts.offsets, starts: &self.parts.starts, ends: &self.parts.ends };
        let collection = Collection::new(texts, &self.html, self.normaliser).restricted(parts);
        pools::run(py, self.threads, || work(&collection))
    }

    pub(crate) fn length(&self) -> usize {
        self.length
    }

    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    pub(crate) fn documents(&self, documents: &PyReadonlyArray1<'_, u32>) -> PyResult<Vec<u32>> {
        let documents = slice(documents, "documents")?;
        below(documents, self.length)?;
        Ok(documents.to_vec())
    }
}

/// A stretch of two aligned texts: its kind, and its start and end in either.
type Stretched = (&'static str, u32, u32, u32, u32);

/// Words (offsets and bytes), hashes, document counts, occurrence counts.
type Vocabulary<'py> = ((Array<'py, i64>, Array<'py, u8>), Array<'py, u64>, Array<'py, u32>, Array<'py, u64>);
