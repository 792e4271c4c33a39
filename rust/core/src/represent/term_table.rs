//! The terms of a collection, numbered in one pass: each document is the set of its terms, each term is once in a
//! vocabulary.
//!
//! Each thread keeps a table of the terms that it has seen, which recognises known terms and repeats within a document;
//! only new terms are looked up in the shared table. The number of a term depends on the order in which threads meet
//! it. Outside this file a term is therefore identified by its index in the order of the hashes.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::support::hash;
use crate::support::hash::AsIs;
use crate::text::characters::han;
use crate::text::collection::Collection;
use crate::text::fingerprint::Fingerprint;
use crate::text::words::lexemes::{Found, TermReader};
use crate::text::words::word_class::{Class, classify};

/// How many documents make a block.
const BLOCK: usize = 1 << 14;
const SHARD_BITS: u32 = 6;

/// A term of the vocabulary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The hash of the spelling.
    pub hash: u64,
    /// The spelling.
    pub spelling: Box<str>,
    /// The class.
    pub class: Class,
    /// The length in characters, at most 255.
    pub length: u8,
    /// Whether it is a Chinese word.
    pub han: bool,
}

/// The sets of terms of a collection.
pub struct TermTable {
    blocks: Vec<Block>,
    /// All terms, in the order of their hashes.
    pub words: Vec<Word>,
    /// The index in `words` of each number that the blocks use.
    positions: Vec<u32>,
    documents: usize,
}

#[derive(Default)]
struct Block {
    numbers: Vec<u32>,
    ends: Vec<u32>,
}

type Shard = HashMap<u64, (u32, Word), BuildHasherDefault<AsIs>>;

impl TermTable {
    /// Reads every document; also returns the fingerprint of each document's sequence of terms.
    pub fn read(collection: &Collection) -> (Self, Vec<Fingerprint>) {
        let all = Vocabulary::default();
        let count = collection.len().div_ceil(BLOCK);
        let next = AtomicUsize::new(0);
        let mut read: Vec<(usize, Block, Vec<Fingerprint>)> = (0..rayon::current_num_threads())
            .into_par_iter()
            .with_max_len(1)
            .flat_map_iter(|_| {
                let mut reader = BlockReader::default();
                let mut made = Vec::new();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return made;
                    }
                    let documents = number * BLOCK..((number + 1) * BLOCK).min(collection.len());
                    let (block, prints) = reader.read(collection, documents, &all);
                    made.push((number, block, prints));
                }
            })
            .collect();
        read.sort_unstable_by_key(|(number, ..)| *number);
        let (mut blocks, mut prints) = (Vec::with_capacity(count), Vec::with_capacity(collection.len()));
        for (_, block, mut more) in read {
            blocks.push(block);
            prints.append(&mut more);
        }
        let (words, positions) = all.order();
        (Self { blocks, words, positions, documents: collection.len() }, prints)
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.documents
    }

    /// Whether there is no document.
    pub fn is_empty(&self) -> bool {
        self.documents == 0
    }

    fn numbers(&self, document: usize) -> &[u32] {
        let (block, within) = (&self.blocks[document / BLOCK], document % BLOCK);
        let start = if within == 0 { 0 } else { block.ends[within - 1] as usize };
        &block.numbers[start..block.ends[within] as usize]
    }

    /// How many terms a document has.
    pub fn size(&self, document: usize) -> usize {
        self.numbers(document).len()
    }

    /// The terms of a document as indices into `words`, each once, in reading order.
    pub fn of(&self, document: usize) -> impl ExactSizeIterator<Item = u32> {
        self.numbers(document).iter().map(|&number| self.positions[number as usize])
    }

    /// In how many of these documents each term occurs.
    pub fn count(&self, documents: &[u32]) -> Vec<u32> {
        let piece = documents.len() / rayon::current_num_threads() + 1;
        let counted: Vec<Vec<u32>> = documents
            .par_chunks(piece)
            .map(|documents| {
                let mut counts = vec![0u32; self.words.len()];
                for &document in documents {
                    self.numbers(document as usize).iter().for_each(|&number| counts[number as usize] += 1);
                }
                counts
            })
            .collect();
        let mut total = vec![0u32; self.words.len()];
        for (number, &position) in self.positions.iter().enumerate() {
            total[position as usize] = counted.iter().map(|counts| counts[number]).sum();
        }
        total
    }

    /// The rank of each term in the order of their spellings' bytes.
    pub fn spelling_ranks(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.words.len() as u32).collect();
        order.par_sort_unstable_by_key(|&position| self.words[position as usize].spelling.as_bytes());
        let mut ranks = vec![0u32; order.len()];
        order.iter().enumerate().for_each(|(rank, &position)| ranks[position as usize] = rank as u32);
        ranks
    }

    /// Reorders values that are given by index so that they are by number, as the documents store them.
    pub(crate) fn by_number(&self, values: &[u32]) -> Vec<u32> {
        self.positions.iter().map(|&position| values[position as usize]).collect()
    }

    /// The terms of a document as the values that [`Self::by_number`] made.
    pub(crate) fn exchanged<'a>(
        &'a self,
        document: usize,
        values: &'a [u32],
    ) -> impl ExactSizeIterator<Item = u32> + 'a {
        self.numbers(document).iter().map(|&number| values[number as usize])
    }
}

/// The shared table of all terms so far, in shards with a lock each.
struct Vocabulary {
    shards: Vec<Mutex<Shard>>,
    next: AtomicU32,
}

impl Default for Vocabulary {
    fn default() -> Self {
        Self { shards: (0..1 << SHARD_BITS).map(|_| Mutex::default()).collect(), next: AtomicU32::new(0) }
    }
}

impl Vocabulary {
    /// The number of a term.
    fn number(&self, hash: u64, found: Found) -> u32 {
        let shard = &self.shards[(hash >> (64 - SHARD_BITS)) as usize];
        let mut known = shard.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = known.entry(hash).or_insert_with(|| {
            let spelling = found.spelling().into_boxed_str();
            let length = spelling.chars().count().min(255) as u8;
            let (class, han) = (classify(&spelling), han::begins_with_han(&spelling));
            (self.next.fetch_add(1, Ordering::Relaxed), Word { hash, spelling, class, length, han })
        });
        entry.0
    }

    /// The terms in the order of their hashes, and the index of each number.
    fn order(self) -> (Vec<Word>, Vec<u32>) {
        let mut numbered: Vec<(u32, Word)> = Vec::with_capacity(self.next.into_inner() as usize);
        for shard in self.shards {
            numbered.extend(shard.into_inner().unwrap_or_else(PoisonError::into_inner).into_values());
        }
        numbered.par_sort_unstable_by_key(|(_, word)| word.hash);
        let mut positions = vec![0u32; numbered.len()];
        for (position, (number, _)) in numbered.iter().enumerate() {
            positions[*number as usize] = position as u32;
        }
        (numbered.into_iter().map(|(_, word)| word).collect(), positions)
    }
}

/// The buffers with which one thread reads blocks.
#[derive(Default)]
struct BlockReader {
    reader: TermReader,
    known: Known,
    hashes: Vec<u64>,
}

impl BlockReader {
    fn read(
        &mut self,
        collection: &Collection,
        documents: std::ops::Range<usize>,
        all: &Vocabulary,
    ) -> (Block, Vec<Fingerprint>) {
        let mut block = Block::default();
        let mut prints = Vec::with_capacity(documents.len());
        for document in documents {
            let (known, hashes, numbers) = (&mut self.known, &mut self.hashes, &mut block.numbers);
            hashes.clear();
            self.reader.read(collection, document, |hash, found| {
                hashes.push(hash);
                if let Some(number) = known.note(hash, document as u32, || all.number(hash, found)) {
                    numbers.push(number);
                }
            });
            prints.push(Fingerprint { hash: hash::text(hashes), words: hashes.len() as u32 });
            block.ends.push(block.numbers.len() as u32);
        }
        block.numbers.shrink_to_fit();
        (block, prints)
    }
}

/// The terms that a thread has seen: a hash table with open addressing that stores the last document of each.
struct Known {
    slots: Vec<Slot>,
    filled: usize,
}

impl Default for Known {
    fn default() -> Self {
        Self { slots: vec![FREE; 1 << 12], filled: 0 }
    }
}

#[derive(Clone, Copy)]
struct Slot {
    hash: u64,
    number: u32,
    document: u32,
}

const FREE: Slot = Slot { hash: 0, number: u32::MAX, document: 0 };

impl Known {
    /// The number of a term, or nothing if the document had it before; `ask` returns the number of a new term.
    #[inline]
    fn note(&mut self, hash: u64, document: u32, ask: impl FnOnce() -> u32) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = &mut self.slots[at];
            if slot.number == u32::MAX {
                break;
            }
            if slot.hash == hash {
                if slot.document == document {
                    return None;
                }
                slot.document = document;
                return Some(slot.number);
            }
            at = (at + 1) & mask;
        }
        let number = ask();
        self.slots[at] = Slot { hash, number, document };
        self.filled += 1;
        if self.filled * 2 > self.slots.len() {
            self.grow();
        }
        Some(number)
    }

    fn grow(&mut self) {
        let doubled = vec![FREE; self.slots.len() * 2];
        let mask = doubled.len() - 1;
        for slot in std::mem::replace(&mut self.slots, doubled).into_iter().filter(|slot| slot.number != u32::MAX) {
            let mut at = slot.hash as usize & mask;
            while self.slots[at].number != u32::MAX {
                at = (at + 1) & mask;
            }
            self.slots[at] = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::normaliser::{Boilerplate, Form, Markup, Normaliser};

    const NORMALISER: Normaliser = Normaliser { form: Form::Nfc, markup: Markup::Auto, boilerplate: Boilerplate::Keep };

    #[test]
    fn documents_are_sets_of_terms_and_terms_are_counted() {
        let texts: Vec<String> =
            (0..40_000u64).map(|d| format!("The cat {} the n{} {}", d % 7, hash::mix(d) % 9000, d / 2)).collect();
        let slices: Vec<&str> = texts.iter().map(String::as_str).collect();
        let (table, prints) = TermTable::read(&Collection::new(&slices, &[], NORMALISER));
        assert_eq!((table.len(), prints.len(), prints[5].words), (40_000, 40_000, 6));
        assert!(table.words.is_sorted_by_key(|word| word.hash));
        let spelled = |document: usize| -> Vec<&str> {
            table.of(document).map(|position| &*table.words[position as usize].spelling).collect()
        };
        assert_eq!(spelled(0)[..3], ["the", "cat", "0"]);
        assert_eq!(spelled(39_999).last(), Some(&"19999"));
        let documents: Vec<u32> = (0..40_000).collect();
        let counts = table.count(&documents);
        for (word, &count) in table.words.iter().zip(&counts) {
            let slow =
                (0..40_000).filter(|&d| table.of(d).any(|position| table.words[position as usize].hash == word.hash));
            if &*word.spelling == "cat" || &*word.spelling == "3" || &*word.spelling == "n17" {
                assert_eq!(slow.count(), count as usize, "{}", word.spelling);
            }
        }
    }
}
