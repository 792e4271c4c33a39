//! How often shingles occur in a collection, about: one byte for each slot of a table.

use rayon::prelude::*;

use crate::interrupt::checkpoint;
use crate::pages::Pages;
use crate::simd::prefetch;

/// A part of the table is at most this large, as a power of two: it fits the cache of a processor.
const LARGEST_PART_BITS: u32 = 19;
const FEWEST_PARTS_BITS: u32 = 6;
const CLASS_SHIFT: u32 = 60;
/// How many shingles are looked up before it is asked whether that is enough.
const STRETCH: usize = 16;
/// How many shingles are on their way at a time.
const AHEAD: usize = 3 * STRETCH;
/// How many slots share a class.
const FOLDED: usize = 4;

/// Approximate occurrence counts of shingles: never too small, so a shingle of the lowest class is alone for certain.
pub struct Counts {
    slots: Pages,
    /// The class of every four slots, in half a byte: what is left of them when all is counted.
    classes: Pages,
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
        Self { slots: Pages::zeroed(1 << bits), classes: Pages::zeroed(0), shift: 64 - bits }
    }

    fn part_bits(&self) -> u32 {
        (64 - self.shift - FEWEST_PARTS_BITS).min(LARGEST_PART_BITS)
    }

    fn parts(&self) -> usize {
        self.slots.len() >> self.part_bits()
    }

    /// An empty tally with room for the shingles of this many bytes of English.
    pub fn tally(&self, bytes: usize) -> Tally {
        let room = bytes / 5 / self.parts();
        Tally { parts: (0..self.parts()).map(|_| Vec::with_capacity(room)).collect() }
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
            checkpoint();
            for slot in tallies.iter().flat_map(|tally| &tally.parts[part]) {
                let count = &mut slots[*slot as usize];
                *count = count.saturating_add(1);
            }
        });
    }

    /// Ends the counting: from now on shingles can be looked up.
    ///
    /// Four slots get the class of the most frequent: a table that is small enough is worth a few shingles that are
    /// alone and do not look it.
    pub fn settle(&mut self) {
        let slots = std::mem::replace(&mut self.slots, Pages::zeroed(0));
        self.classes = Pages::zeroed(slots.len() / (2 * FOLDED));
        let classes = self.classes.par_iter_mut().with_min_len(1 << 14);
        classes.zip(slots.as_chunks::<{ 2 * FOLDED }>().0).for_each(|(class, counts)| *class = fold(*counts));
    }

    /// Puts the class of each shingle above sixty bits of its hash and drops those that are alone for certain; returns
    /// how many these are, or nothing as soon as there are more than `most`.
    pub(crate) fn classify(&self, shingles: &mut Vec<u64>, most: usize) -> Option<usize> {
        let (mut kept, mut seen, mut fetched) = (0, 0, 0);
        while seen < shingles.len() {
            // The table lies beyond the caches: what will be asked soon is asked for now.
            for &shingle in &shingles[fetched..shingles.len().min(seen + AHEAD)] {
                prefetch(self.classes.as_ptr().wrapping_add((shingle >> self.shift) as usize / (2 * FOLDED)));
                fetched += 1;
            }
            for _ in 0..STRETCH.min(shingles.len() - seen) {
                let shingle = shingles[seen];
                let four = (shingle >> self.shift) as usize / FOLDED;
                let class = u64::from(self.classes[four / 2] >> (four % 2 * 4) & 15);
                shingles[kept] = (class << CLASS_SHIFT) | (shingle & ((1 << CLASS_SHIFT) - 1));
                kept += usize::from(class > 0);
                seen += 1;
            }
            if seen - kept > most {
                return None;
            }
        }
        shingles.truncate(kept);
        Some(seen - kept)
    }
}

/// The classes of twice four counts.
fn fold(counts: [u8; 2 * FOLDED]) -> u8 {
    if u64::from_le_bytes(counts) & 0xfefe_fefe_fefe_fefe == 0 {
        return 0;
    }
    let class = |counts: &[u8]| CLASSES[counts.iter().fold(0, |most, &count| most.max(usize::from(count)))];
    class(&counts[..FOLDED]) | class(&counts[FOLDED..]) << 4
}

/// The frequency class of each count: 0 for one, then two classes for each doubling, up to 15 for the most common.
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
    use crate::hash::mix;

    #[test]
    fn fours_have_the_class_of_the_most_frequent() {
        for seed in 0..300u64 {
            let some = [0, 1, 1, 2, 3, 127, 128, 255];
            let counts = std::array::from_fn(|n| some[mix(seed * 8 + n as u64) as usize % some.len()]);
            let class = |counts: &[u8]| counts.iter().map(|&count| CLASSES[usize::from(count)]).max().unwrap_or(0);
            assert_eq!(fold(counts), class(&counts[..4]) + class(&counts[4..]) * 16);
        }
        assert_eq!(fold([1, 0, 1, 1, 0, 0, 0, 1]), 0);
    }

    #[test]
    fn shingles_are_classified_by_their_counts_until_too_many_are_alone() {
        let (once, thrice): (Vec<u64>, Vec<u64>) = ((0..200).map(mix).collect(), (200..300).map(mix).collect());
        let mut counts = Counts::for_bytes(1 << 22);
        let mut tally = counts.tally(0);
        for shingles in [&once, &thrice, &thrice, &thrice] {
            counts.note(shingles, &mut tally);
        }
        counts.add(&[tally]);
        counts.settle();
        let mut shingles = [once.as_slice(), &thrice].concat();
        assert_eq!(counts.classify(&mut shingles.clone(), 150), None);
        assert_eq!(counts.classify(&mut shingles, 200), Some(200));
        let sixty = (1 << CLASS_SHIFT) - 1;
        assert_eq!(shingles, thrice.iter().map(|shingle| 2 << CLASS_SHIFT | shingle & sixty).collect::<Vec<_>>());
    }
}
