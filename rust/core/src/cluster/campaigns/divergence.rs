//! The distance of two texts: a smoothed Kullback-Leibler divergence of their words.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use rayon::prelude::*;

use crate::support::hash::AsIs;
use crate::support::interrupt::checkpoint;
use crate::text::collection::{Collection, Reader, Unit};

/// A hash table with word hashes as its keys.
pub(super) type Table<V> = HashMap<u64, V, BuildHasherDefault<AsIs>>;

/// How many of the most significant words of a text bound its distance.
const SIGNIFICANT_WORDS: usize = 48;

/// The probability of each word in the collection; a word that does not occur counts as seen once.
pub struct Background {
    table: Table<f64>,
    unseen: f64,
}

impl Background {
    /// Counts the words of these documents, each as often as the document has copies.
    pub fn count(collection: &Collection, documents: &[u32], copies: &[u32]) -> Self {
        let counts = documents
            .par_chunks(1024)
            .zip(copies.par_chunks(1024))
            .map_init(Reader::default, |reader, (documents, copies)| {
                let mut counts: Table<u64> = Table::default();
                for (&document, &copies) in documents.iter().zip(copies) {
                    for &word in collection.units(document as usize, Unit::Word, reader) {
                        *counts.entry(word).or_default() += u64::from(copies);
                    }
                }
                counts
            })
            .reduce(Table::default, |mut into, mut other| {
                if into.len() < other.len() {
                    std::mem::swap(&mut into, &mut other);
                }
                other.into_iter().for_each(|(word, count)| *into.entry(word).or_default() += count);
                into
            });
        Self::from_counts(counts)
    }

    /// Creates a background from word hashes and their counts.
    pub fn from_counts(counts: impl IntoIterator<Item = (u64, u64)>) -> Self {
        let counts: Vec<(u64, u64)> = counts.into_iter().collect();
        let total: u64 = counts.iter().map(|count| count.1).sum();
        let table = counts.into_iter().map(|(word, count)| (word, count as f64 / total as f64)).collect();
        Self { table, unseen: 1.0 / (total as f64 + 1.0) }
    }

    pub(super) fn of(&self, word: u64) -> f64 {
        self.table.get(&word).copied().unwrap_or(self.unseen)
    }
}

/// A word of a text: its hash, how often it occurs, its probability in the background.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    pub(super) hash: u64,
    pub(super) count: f64,
    pub(super) background: f64,
}

/// The words of a text in the order of their hashes, and its divergence from the background.
#[derive(Clone, Debug, Default)]
pub(super) struct Bag {
    pub(super) words: Vec<Word>,
    pub(super) length: f64,
    pub(super) divergence: f64,
}

impl Bag {
    pub(super) fn of(units: &[u64], background: &Background) -> Self {
        let mut sorted = units.to_vec();
        sorted.sort_unstable();
        let length = sorted.len() as f64;
        let words: Vec<Word> = sorted
            .chunk_by(|a, b| a == b)
            .map(|run| Word { hash: run[0], count: run.len() as f64, background: background.of(run[0]) })
            .collect();
        let share = |word: &Word| word.count / length;
        let divergence = words.iter().map(|word| share(word) * (share(word) / word.background).ln()).sum();
        Self { words, length, divergence }
    }

    /// The words whose absence costs most, each with the two parts of that cost: `first + second * ln(mu + n)` if a
    /// text of n words lacks the word.
    pub(super) fn significant(&self, mu: f64) -> Vec<(u64, f64, f64)> {
        let cost = |word: &Word| {
            let share = word.count / self.length;
            (word.hash, share * (share / (mu * word.background)).ln(), share)
        };
        let mut costs: Vec<(u64, f64, f64)> = self.words.iter().map(cost).collect();
        costs.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        costs.truncate(SIGNIFICANT_WORDS);
        costs
    }
}

/// The distance of two texts and the number of shared words, each counted as often as in the text that has it less
/// often.
pub(super) fn compare(a: &Bag, b: &Bag, mu: f64) -> (f64, f64) {
    let (mut matched_a, mut matched_b, mut shared) = (0.0, 0.0, 0.0);
    let (mut i, mut j) = (0, 0);
    while i < a.words.len() && j < b.words.len() {
        let (x, y) = (&a.words[i], &b.words[j]);
        match x.hash.cmp(&y.hash) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                matched_a += x.count / a.length * (1.0 + y.count / (mu * x.background)).ln();
                matched_b += y.count / b.length * (1.0 + x.count / (mu * x.background)).ln();
                shared += x.count.min(y.count);
                i += 1;
                j += 1;
            }
        }
    }
    if shared == a.length && shared == b.length {
        return (0.0, shared);
    }
    let from_a = a.divergence - matched_a + (1.0 + b.length / mu).ln();
    let from_b = b.divergence - matched_b + (1.0 + a.length / mu).ln();
    (from_a.min(from_b).max(0.0), shared)
}

/// The distance of each pair of documents.
pub fn distances(collection: &Collection, background: &Background, mu: f64, pairs: &[(u32, u32)]) -> Vec<f64> {
    let mut documents: Vec<u32> = pairs.iter().flat_map(|pair| [pair.0, pair.1]).collect();
    documents.par_sort_unstable();
    documents.dedup();
    let bags = collection.map(&documents, Unit::Word, |units| Bag::of(units, background));
    let bag = |document: u32| &bags[documents.partition_point(|&other| other < document)];
    let distance = |(): &mut (), &(a, b): &(u32, u32)| compare(bag(a), bag(b), mu).0;
    pairs.par_iter().with_min_len(64).with_max_len(1 << 12).map_init(checkpoint, distance).collect()
}
