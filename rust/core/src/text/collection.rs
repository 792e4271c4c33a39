//! A collection of raw texts, and how its documents are read in parallel.

use rayon::prelude::*;

use crate::support::hash;
use crate::support::interrupt::checkpoint;
use crate::text::characters::unicode;
use crate::text::normaliser::{Normaliser, Prepared};
use crate::text::words::tokens::{Tokens, fold_into};

/// A reader passes a checkpoint once for each of this many bytes.
const CHECKED_BYTES: usize = 1 << 16;

/// What a shingle is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Words.
    Word,
    /// Characters of the words, with one blank between words of scripts that have blanks.
    Char,
}

/// The parts of texts that are compared, in bytes of the comparable text: ascending and disjoint for each document.
#[derive(Clone, Copy, Default)]
pub struct Parts<'a> {
    /// The offset of each document's parts in the other two, and the end of the last; empty if whole texts are
    /// compared.
    pub offsets: &'a [u64],
    /// Where the parts begin.
    pub starts: &'a [u32],
    /// Where the parts end.
    pub ends: &'a [u32],
}

impl<'a> Parts<'a> {
    fn of(&self, document: usize) -> Option<(&'a [u32], &'a [u32])> {
        let range = *self.offsets.get(document)? as usize..*self.offsets.get(document + 1)? as usize;
        Some((&self.starts[range.clone()], &self.ends[range]))
    }
}

/// Raw texts and how to read them.
pub struct Collection<'a> {
    texts: &'a [&'a str],
    html: &'a [bool],
    normaliser: Normaliser,
    parts: Parts<'a>,
}

/// Scratch space of one thread.
#[derive(Default)]
pub struct Reader {
    /// The tokens of the text read last.
    pub tokens: Tokens,
    characters: Vec<u64>,
    folded: Vec<u8>,
    unchecked: usize,
}

impl<'a> Collection<'a> {
    /// Creates a collection; `html` marks web pages and is empty if none is known to be one.
    pub fn new(texts: &'a [&'a str], html: &'a [bool], normaliser: Normaliser) -> Self {
        Self { texts, html, normaliser, parts: Parts::default() }
    }

    /// The same collection, of which only these parts are compared.
    pub fn restricted(self, parts: Parts<'a>) -> Self {
        Self { parts, ..self }
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there is no document.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The parts of a document that are compared, if not all of it is.
    pub fn parts(&self, document: usize) -> Option<(&'a [u32], &'a [u32])> {
        self.parts.of(document)
    }

    /// The raw text of a document.
    pub fn text(&self, document: usize) -> &'a str {
        self.texts[document]
    }

    /// The length of a document's raw text in bytes.
    pub fn bytes(&self, document: usize) -> usize {
        self.texts[document].len()
    }

    /// Reads one document in full, even if only parts of it are compared.
    pub fn prepared(&self, document: usize, reader: &mut Reader) -> Prepared<'a> {
        reader.pass_checkpoint(self.texts[document].len());
        let is_html = self.html.get(document).copied().unwrap_or(false);
        self.normaliser.read(self.texts[document], is_html, &mut reader.tokens)
    }

    /// Reads one document into the reader's tokens.
    pub fn read(&self, document: usize, reader: &mut Reader) -> Prepared<'a> {
        let prepared = self.prepared(document, reader);
        if let Some((starts, ends)) = self.parts.of(document) {
            reader.tokens.keep_within(starts, ends);
        }
        prepared
    }

    /// Reads one document as hashes of units.
    pub fn units<'r>(&self, document: usize, unit: Unit, reader: &'r mut Reader) -> &'r [u64] {
        let prepared = self.read(document, reader);
        if unit == Unit::Char {
            reader.spell(&prepared.text);
        }
        reader.units(unit)
    }

    /// Applies a function to the units of each of these documents, in parallel, in order.
    pub fn map<T: Send>(&self, documents: &[u32], unit: Unit, work: impl Fn(&[u64]) -> T + Sync) -> Vec<T> {
        documents
            .par_iter()
            .with_min_len(32)
            .map_init(Reader::default, |reader, &document| work(self.units(document as usize, unit, reader)))
            .collect()
    }

    /// The tokens of a document: where they begin and end in the original, in code points, and their hashes.
    pub fn located(&self, document: usize) -> (Vec<u32>, Vec<u32>, Vec<u64>) {
        let mut reader = Reader::default();
        let prepared = self.read(document, &mut reader);
        let original = self.texts[document];
        let spans = reader.tokens.starts.iter().zip(&reader.tokens.ends);
        let spans: Vec<(usize, usize)> =
            spans.map(|(&start, &end)| prepared.original_span(start as usize, end as usize)).collect();
        let starts = code_points(original, spans.iter().map(|span| span.0));
        let ends = code_points(original, spans.iter().map(|span| span.1));
        (starts, ends, reader.tokens.hashes)
    }

    /// The folded words of a document, written without blanks.
    pub fn joined(&self, document: usize, reader: &mut Reader) -> Vec<u8> {
        let prepared = self.read(document, reader);
        let mut joined = Vec::with_capacity(prepared.text.len());
        for (&start, &end) in reader.tokens.starts.iter().zip(&reader.tokens.ends) {
            fold_into(&prepared.text[start as usize..end as usize], &mut reader.folded);
            joined.extend_from_slice(&reader.folded);
        }
        joined
    }
}

/// Turns ascending byte offsets into code-point offsets.
pub fn code_points(text: &str, offsets: impl Iterator<Item = usize>) -> Vec<u32> {
    let (mut position, mut count) = (0, 0);
    offsets
        .map(|offset| {
            count += text[position..offset].chars().count();
            position = offset;
            count as u32
        })
        .collect()
}

impl Reader {
    /// Every loop over texts reads them here, so that one checkpoint in many bytes costs nothing.
    fn pass_checkpoint(&mut self, bytes: usize) {
        if self.unchecked <= bytes {
            self.unchecked = CHECKED_BYTES;
            checkpoint();
        }
        self.unchecked = self.unchecked.saturating_sub(bytes);
    }

    /// Spells the tokens as characters, with one blank between words. A token that is not a word gets no blanks, even
    /// if the text has some around it: texts of the same tokens are spelled the same.
    fn spell(&mut self, text: &str) {
        let blank = hash::mix(u64::from(b' '));
        self.characters.clear();
        let mut last_is_word = false;
        for (&start, &end) in self.tokens.starts.iter().zip(&self.tokens.ends) {
            let first = text[start as usize..].chars().next();
            let is_word = first.is_some_and(|character| unicode::properties(character) & unicode::SINGLE == 0);
            if is_word && last_is_word {
                self.characters.push(blank);
            }
            last_is_word = is_word;
            fold_into(&text[start as usize..end as usize], &mut self.folded);
            let spelled = self.folded.utf8_chunks().flat_map(|chunk| chunk.valid().chars());
            self.characters.extend(spelled.map(|character| hash::mix(u64::from(character as u32))));
        }
    }

    /// The units of the document that was read last, which must have been read as these units.
    pub fn units(&self, unit: Unit) -> &[u64] {
        match unit {
            Unit::Word => &self.tokens.hashes,
            Unit::Char => &self.characters,
        }
    }
}
