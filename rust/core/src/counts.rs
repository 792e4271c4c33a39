//! How often shingles occur in a collection, about: one byte for each slot of a table.

use rayon::prelude::*;

use crate::interrupt::checkpoint;

const COUNT_PARTITION_BITS: u32 = 6;
const CLASS_SHIFT: u32 = 60;
/// How many shingles are looked up before it is asked whether that is enough.
const STRETCH: usize = 64;

/// Approximate occurrence counts of shingles: never too small, so a count of one is certain.
pub struct Counts {
    slots: Vec<u8>,
    /// A bit for each slot that was counted more than once: small enough to stay in the cache.
    shared: Vec<u64>,
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
        let slots = vec![0; 1 << bits];
        advise_large_pages(&slots);
        Self { slots, shared: Vec::new(), shift: 64 - bits }
    }

    fn part_bits(&self) -> u32 {
        64 - self.shift - COUNT_PARTITION_BITS
    }

    /// An empty tally with room for the shingles of this many bytes of English.
    pub fn tally(&self, bytes: usize) -> Tally {
        let room = (bytes / 5) >> COUNT_PARTITION_BITS;
        Tally { parts: (0..1 << COUNT_PARTITION_BITS).map(|_| Vec::with_capacity(room)).collect() }
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
    pub fn settle(&mut self) {
        self.shared = self.slots.par_chunks(64).with_min_len(1 << 12).map(above_one).collect();
    }

    /// Puts the class of each shingle above sixty bits of its hash and drops those that occur once; returns how many
    /// these are, or nothing as soon as there are more than `most`.
    pub(crate) fn classify(&self, shingles: &mut Vec<u64>, most: usize) -> Option<usize> {
        let (mut kept, mut seen) = (0, 0);
        while seen < shingles.len() {
            for _ in 0..STRETCH.min(shingles.len() - seen) {
                let shingle = shingles[seen];
                let slot = shingle >> self.shift;
                shingles[kept] = shingle;
                kept += (self.shared[(slot / 64) as usize] >> (slot % 64) & 1) as usize;
                seen += 1;
            }
            if seen - kept > most {
                return None;
            }
        }
        shingles.truncate(kept);
        for shingle in shingles.iter_mut() {
            let class = u64::from(CLASSES[self.slots[(*shingle >> self.shift) as usize] as usize]);
            *shingle = (class << CLASS_SHIFT) | (*shingle & ((1 << CLASS_SHIFT) - 1));
        }
        Some(seen - kept)
    }
}

/// A bit for each of up to 64 counts that is above one; eight are looked at at a time.
fn above_one(counts: &[u8]) -> u64 {
    let mut bits = 0;
    for (place, eight) in counts.as_chunks::<8>().0.iter().enumerate() {
        let eight = u64::from_le_bytes(*eight);
        // The high bit of each byte: set before, or carried into from two and more.
        let high = (((eight & 0x7f7f_7f7f_7f7f_7f7f) + 0x7e7e_7e7e_7e7e_7e7e) | eight) & 0x8080_8080_8080_8080;
        // The product brings the eight bits together in its highest byte.
        bits |= ((high >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * place);
    }
    bits
}

/// Asks the system for large pages, where it has them: the table is read at random, and page tables cost as much.
fn advise_large_pages(table: &[u8]) {
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 2 << 20;
        let start = (table.as_ptr() as usize).next_multiple_of(PAGE);
        let end = (table.as_ptr() as usize + table.len()) / PAGE * PAGE;
        if start < end {
            // SAFETY: this is advice on whole pages inside the table; their content stays as it is.
            unsafe { libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_HUGEPAGE) };
        }
    }
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
    fn counts_above_one_have_their_bit() {
        for seed in 0..300u64 {
            let counts: Vec<u8> =
                (0..64).map(|n| [0, 1, 2, 3, 127, 128, 129, 255][mix(seed * 64 + n) as usize % 8]).collect();
            let expected = (0..64).fold(0, |bits, n| bits | u64::from(counts[n] > 1) << n);
            assert_eq!(above_one(&counts), expected);
        }
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
