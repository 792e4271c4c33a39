//! The documents as sequences of word numbers, in the order in which they count as first.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::support::hash::AsIs;
use crate::text::collapse::representatives;
use crate::text::collection::{Collection, Reader, Unit};
use crate::text::fingerprint::Fingerprint;

type Numbers = HashMap<u64, u32, BuildHasherDefault<AsIs>>;

const SHARDS: usize = 64;

/// In which order documents count as first, and which of them may.
#[derive(Clone, Copy, Default)]
pub struct Order<'a> {
    /// The rank of each document; all differ.
    pub ranks: &'a [u32],
    /// Whether the text of a document may be the source of others; empty if that of all may. Sources have lower ranks
    /// than all other documents.
    pub sources: &'a [bool],
}

/// The distinct texts of a collection as sequences of word numbers, in the given order. Equal numbers are equal words.
pub struct Sequences {
    tokens: Vec<Box<[u32]>>,
    copies: Vec<Vec<u32>>,
    words: Vec<u64>,
    sources: usize,
    bytes: usize,
}

impl Sequences {
    /// Reads a collection.
    pub fn read(collection: &Collection, order: Order) -> Self {
        let vocabulary = Vocabulary::default();
        let count = collection.len();
        let (fingerprints, mut read): (Vec<Fingerprint>, Vec<Box<[u32]>>) = (0..count)
            .into_par_iter()
            .with_min_len(16)
            .map_init(
                || (Reader::default(), Numbers::default()),
                |(reader, known), document| {
                    let units = collection.units(document, Unit::Word, reader);
                    (Fingerprint::of(units), units.iter().map(|&word| vocabulary.number(word, known)).collect())
                },
            )
            .unzip();
        let groups: Vec<u32> = order.sources.iter().map(|&source| u32::from(source)).collect();
        let chosen = representatives(&fingerprints, order.ranks, &groups);
        let mut ranked: Vec<u32> =
            (0..count as u32).filter(|&document| fingerprints[document as usize].words > 0).collect();
        ranked.par_sort_unstable_by_key(|&document| order.ranks[document as usize]);
        let mut numbers = vec![u32::MAX; count];
        let (mut tokens, mut copies, mut sources): (Vec<_>, Vec<Vec<u32>>, usize) = (Vec::new(), Vec::new(), 0);
        for document in ranked {
            let first = chosen[document as usize];
            if first == document {
                numbers[document as usize] = tokens.len() as u32;
                tokens.push(std::mem::take(&mut read[document as usize]));
                copies.push(vec![document]);
                sources += usize::from(order.sources.get(document as usize).copied().unwrap_or(true));
            } else {
                copies[numbers[first as usize] as usize].push(document);
            }
        }
        let bytes = (0..count).map(|document| collection.bytes(document)).sum();
        Self { tokens, copies, words: vocabulary.words(), sources, bytes }
    }

    /// How many distinct texts there are.
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Whether there is no text with words.
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// The tokens of a text.
    #[inline]
    pub fn tokens(&self, number: u32) -> &[u32] {
        &self.tokens[number as usize]
    }

    /// The hash of a token's word.
    #[inline]
    pub fn hash(&self, token: u32) -> u64 {
        self.words[token as usize]
    }

    /// The documents that have a text, in order.
    pub fn copies(&self, number: u32) -> &[u32] {
        &self.copies[number as usize]
    }

    /// Whether a text may be the source of others.
    pub fn is_source(&self, number: u32) -> bool {
        (number as usize) < self.sources
    }

    /// The number of all tokens.
    pub fn total(&self) -> usize {
        self.tokens.iter().map(|tokens| tokens.len()).sum()
    }

    /// The size of all texts in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// How many documents have the text of an earlier one.
    pub fn identical(&self) -> usize {
        self.copies.iter().map(|copies| copies.len() - 1).sum()
    }
}

/// Numbers words in the order in which the threads meet them: only equality of numbers has a meaning.
struct Vocabulary {
    shards: Vec<Mutex<Numbers>>,
    next: AtomicU32,
}

impl Default for Vocabulary {
    fn default() -> Self {
        Self { shards: (0..SHARDS).map(|_| Mutex::default()).collect(), next: AtomicU32::new(0) }
    }
}

impl Vocabulary {
    /// The number of a word; `known` are the numbers that this thread has met.
    fn number(&self, word: u64, known: &mut Numbers) -> u32 {
        *known.entry(word).or_insert_with(|| {
            let mut shard = self.shards[word as usize % SHARDS].lock().unwrap_or_else(PoisonError::into_inner);
            *shard.entry(word).or_insert_with(|| self.next.fetch_add(1, Ordering::Relaxed))
        })
    }

    fn words(self) -> Vec<u64> {
        let mut words = vec![0; self.next.into_inner() as usize];
        for shard in self.shards {
            for (word, number) in shard.into_inner().unwrap_or_else(PoisonError::into_inner) {
                words[number as usize] = word;
            }
        }
        words
    }
}
