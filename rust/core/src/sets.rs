//! Shingle sets as sorted arrays, and how much two of them have in common.
//!
//! Two kinds. Plain sets hold every shingle. Counted sets leave out the shingles that occur once in the collection (no
//! other document can share them; they only count in the size) and put the rest in the order in which the join wants
//! them: rare before common. The order is part of the value: four bits of approximate frequency above sixty of hash.

use rayon::prelude::*;

use crate::collection::{Collection, Reader, Shingling};
use crate::hash;

const CHUNK: usize = 128;
const CLASS_SHIFT: u32 = 60;
const COUNT_PARTITION_BITS: u32 = 6;

/// Which shingles of a document stand for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// All of them.
    All,
    /// Every n-th by its position, beginning with the first.
    Position(usize),
    /// Those whose hash is a multiple of n.
    Hash(u64),
}

/// One sorted set of numbers per document.
pub struct Sets {
    chunks: Vec<Chunk>,
    sizes: Vec<u32>,
}

#[derive(Default)]
struct Chunk {
    values: Vec<u64>,
    ends: Vec<u32>,
}

impl Sets {
    /// The shingle sets of these documents.
    pub fn plain(collection: &Collection, documents: &[u32], shingling: Shingling, selection: Selection) -> Self {
        Self::build(collection, documents, |document, reader, values| {
            let units = collection.units(document, shingling.unit, reader);
            gather(units, shingling.size, selection, values);
            0
        })
    }

    /// The counted shingle sets of these documents; `counts` covers them all, by the same shingling and selection.
    pub fn counted(
        collection: &Collection,
        documents: &[u32],
        shingling: Shingling,
        selection: Selection,
        counts: &Counts,
    ) -> Self {
        Self::build(collection, documents, |document, reader, values| {
            let units = collection.units(document, shingling.unit, reader);
            let start = values.len();
            gather(units, shingling.size, selection, values);
            let mut kept = start;
            let mut alone = 0;
            for i in start..values.len() {
                let shingle = values[i];
                match counts.class(shingle) {
                    0 => alone += 1,
                    class => {
                        values[kept] = (class << CLASS_SHIFT) | (shingle & ((1 << CLASS_SHIFT) - 1));
                        kept += 1;
                    }
                }
            }
            values.truncate(kept);
            alone
        })
    }

    /// Sets that are given as flat arrays, each ascending without repeats.
    pub fn from_arrays(values: &[u64], offsets: &[u64]) -> Self {
        let documents: Vec<usize> = (0..offsets.len().saturating_sub(1)).collect();
        let chunks = documents
            .chunks(CHUNK)
            .map(|chunk| {
                let mut made = Chunk::default();
                for &document in chunk {
                    made.values.extend(&values[offsets[document] as usize..offsets[document + 1] as usize]);
                    made.ends.push(made.values.len() as u32);
                }
                made
            })
            .collect();
        let sizes = offsets.windows(2).map(|pair| (pair[1] - pair[0]) as u32).collect();
        Self { chunks, sizes }
    }

    /// Sets of which only the shared elements are given, ascending without repeats, rare ones first; `sizes` counts the
    /// others too.
    pub fn from_shared(values: &[u64], offsets: &[u64], sizes: Vec<u32>) -> Self {
        Self { sizes, ..Self::from_arrays(values, offsets) }
    }

    /// Builds sets in parallel; `fill` appends a document's values and says how many more count in its size.
    fn build(
        collection: &Collection,
        documents: &[u32],
        fill: impl Fn(usize, &mut Reader, &mut Vec<u64>) -> u32 + Sync,
    ) -> Self {
        debug_assert!(documents.iter().all(|&document| (document as usize) < collection.len()));
        let made: Vec<(Chunk, Vec<u32>)> = documents
            .par_chunks(CHUNK)
            .map_init(Reader::default, |reader, documents| {
                let (mut chunk, mut sizes) = (Chunk::default(), Vec::with_capacity(documents.len()));
                for &document in documents {
                    let start = chunk.values.len();
                    let unseen = fill(document as usize, reader, &mut chunk.values);
                    let length = sort_tail(&mut chunk.values, start);
                    chunk.ends.push(chunk.values.len() as u32);
                    sizes.push(length as u32 + unseen);
                }
                chunk.values.shrink_to_fit();
                (chunk, sizes)
            })
            .collect();
        let sizes = made.iter().flat_map(|(_, sizes)| sizes.iter().copied()).collect();
        Self { chunks: made.into_iter().map(|(chunk, _)| chunk).collect(), sizes }
    }

    /// How many sets there are.
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Whether there is no set.
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// The values of one set, ascending; for counted sets without those that no other document has.
    #[inline]
    pub fn values(&self, set: usize) -> &[u64] {
        let chunk = &self.chunks[set / CHUNK];
        let within = set % CHUNK;
        let start = if within == 0 { 0 } else { chunk.ends[within - 1] as usize };
        &chunk.values[start..chunk.ends[within] as usize]
    }

    /// The size of one set, with the values that are not stored.
    #[inline]
    pub fn size(&self, set: usize) -> u32 {
        self.sizes[set]
    }

    /// The sizes of all sets.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// The number of common elements of each pair, or 0 where it is below what `needed` asks of the two sizes.
    pub fn overlaps(&self, pairs: &[(u32, u32)], needed: impl Fn(u32, u32) -> u32 + Sync) -> Vec<u32> {
        let overlap = |&(a, b): &(u32, u32)| {
            let (a, b) = (a as usize, b as usize);
            let needed = needed(self.size(a), self.size(b));
            overlap_of_at_least(self.values(a), self.values(b), needed).unwrap_or(0)
        };
        pairs.par_iter().with_min_len(64).map(overlap).collect()
    }
}

pub(crate) fn gather(units: &[u64], size: usize, selection: Selection, values: &mut Vec<u64>) {
    match selection {
        Selection::All => hash::shingles(units, size, |shingle| values.push(shingle)),
        Selection::Position(step) => {
            let mut position = 0usize;
            hash::shingles(units, size, |shingle| {
                if position.is_multiple_of(step.max(1)) {
                    values.push(shingle);
                }
                position += 1;
            });
        }
        Selection::Hash(modulus) => hash::shingles(units, size, |shingle| {
            if shingle % modulus.max(1) == 0 {
                values.push(shingle);
            }
        }),
    }
}

/// Sorts the values from `start` on and removes repeats; returns how many are left of them.
pub(crate) fn sort_tail(values: &mut Vec<u64>, start: usize) -> usize {
    values[start..].sort_unstable();
    let mut kept = start;
    for i in start..values.len() {
        if i == start || values[i] != values[kept - 1] {
            values[kept] = values[i];
            kept += 1;
        }
    }
    values.truncate(kept);
    kept - start
}

/// The number of elements that two ascending lists share.
pub fn overlap(a: &[u64], b: &[u64]) -> u32 {
    overlap_of_at_least(a, b, 0).unwrap_or(0)
}

/// The number of shared elements, or nothing as soon as it is sure to stay below `needed`.
#[inline]
pub fn overlap_of_at_least(a: &[u64], b: &[u64], needed: u32) -> Option<u32> {
    let needed = needed as usize;
    let (mut spare_a, mut spare_b) = (a.len().checked_sub(needed)?, b.len().checked_sub(needed)?);
    let (mut i, mut j, mut shared) = (0, 0, 0u32);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i], b[j]);
        if x == y {
            shared += 1;
            i += 1;
            j += 1;
        } else if x < y {
            spare_a = spare_a.checked_sub(1)?;
            i += 1;
        } else {
            spare_b = spare_b.checked_sub(1)?;
            j += 1;
        }
    }
    (shared as usize >= needed).then_some(shared)
}

/// Approximate occurrence counts of shingles: never too small, so a count of one is certain.
pub struct Counts {
    slots: Vec<u8>,
    shift: u32,
}

/// Slots to be counted, by the high bits of the slot: what one thread hands over.
pub struct Tally {
    parts: Vec<Vec<u32>>,
}

impl Counts {
    /// Counters for the shingles of this many bytes of text: about two slots for each shingle of English words.
    pub fn for_bytes(bytes: usize) -> Self {
        let bits = (bytes / 3).max(1 << 12).next_power_of_two().trailing_zeros();
        Self { slots: vec![0; 1 << bits], shift: 64 - bits }
    }

    fn part_bits(&self) -> u32 {
        64 - self.shift - COUNT_PARTITION_BITS
    }

    /// An empty tally.
    pub fn tally(&self) -> Tally {
        Tally { parts: vec![Vec::new(); 1 << COUNT_PARTITION_BITS] }
    }

    /// Notes shingles in a tally.
    #[inline]
    pub fn note(&self, shingles: &[u64], tally: &mut Tally) {
        let bits = self.part_bits();
        for shingle in shingles {
            let slot = shingle >> self.shift;
            tally.parts[(slot >> bits) as usize].push((slot & ((1 << bits) - 1)) as u32);
        }
    }

    /// Adds tallies to the counts: each part by one thread, in a piece of the table that fits its cache.
    pub fn add(&mut self, tallies: &[Tally]) {
        let size = 1 << self.part_bits();
        self.slots.par_chunks_mut(size).enumerate().for_each(|(part, slots)| {
            for slot in tallies.iter().flat_map(|tally| &tally.parts[part]) {
                let count = &mut slots[*slot as usize];
                *count = count.saturating_add(1);
            }
        });
    }

    /// The frequency class of a shingle: 0 for one that occurs once, up to 15 for the most common.
    #[inline]
    fn class(&self, shingle: u64) -> u64 {
        u64::from(CLASSES[self.slots[(shingle >> self.shift) as usize] as usize])
    }
}

/// Two classes for each doubling of the count.
const CLASSES: [u8; 256] = {
    let mut classes = [0u8; 256];
    let borders = [2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 255];
    let mut count = 2;
    while count < 256 {
        let mut class = 0;
        while class < borders.len() && borders[class] <= count {
            class += 1;
        }
        classes[count] = class as u8;
        count += 1;
    }
    classes
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collection::Unit;
    use crate::survey::{Along, survey};
    use crate::text::{Form, Frames, Markup, Normaliser};

    const NORMALISER: Normaliser = Normaliser { form: Form::Nfc, markup: Markup::Auto, frames: Frames::Keep };
    const PAIRS_OF_WORDS: Shingling = Shingling { size: 2, unit: Unit::Word };

    fn texts() -> Vec<String> {
        let word = |n: u64| format!("w{}", hash::mix(n) % 60);
        (0..400u64).map(|d| (0..d % 23 + 1).map(|i| word(d * 100 + i) + " ").collect()).collect()
    }

    #[test]
    fn counted_sets_have_the_sizes_and_overlaps_of_plain_ones() {
        let texts = texts();
        let slices: Vec<&str> = texts.iter().map(String::as_str).collect();
        let collection = Collection::new(&slices, &[], NORMALISER);
        let documents: Vec<u32> = (0..texts.len() as u32).collect();
        let plain = Sets::plain(&collection, &documents, PAIRS_OF_WORDS, Selection::All);
        let along = Along::Count(PAIRS_OF_WORDS, Selection::All);
        let counts = survey(&collection, &along).counts.expect("asked for");
        let counted = Sets::counted(&collection, &documents, PAIRS_OF_WORDS, Selection::All, &counts);
        assert_eq!(plain.sizes(), counted.sizes());
        let pairs: Vec<(u32, u32)> = (0..399).map(|i| (i, (i * 7 + 1) % 400)).filter(|(a, b)| a != b).collect();
        assert_eq!(plain.overlaps(&pairs, |_, _| 0), counted.overlaps(&pairs, |_, _| 0));
        assert!((0..400).all(|i| counted.values(i).is_sorted() && counted.values(i).len() <= plain.values(i).len()));
    }

    #[test]
    fn giving_up_early_gives_up_rightly() {
        let a: Vec<u64> = (0..50).collect();
        let b: Vec<u64> = (25..75).collect();
        for needed in 0..60 {
            assert_eq!(overlap_of_at_least(&a, &b, needed), (needed <= 25).then_some(25), "needed {needed}");
        }
    }

    #[test]
    fn selections_choose() {
        let units: Vec<u64> = (0..23u64).map(hash::mix).collect();
        let (mut all, mut fifth, mut modulo) = (Vec::new(), Vec::new(), Vec::new());
        gather(&units, 3, Selection::All, &mut all);
        gather(&units, 3, Selection::Position(5), &mut fifth);
        gather(&units, 3, Selection::Hash(2), &mut modulo);
        assert_eq!(all.len(), 21);
        assert_eq!(fifth, all.iter().copied().step_by(5).collect::<Vec<_>>());
        assert!(modulo.iter().all(|value| value % 2 == 0) && !modulo.is_empty());
    }
}
