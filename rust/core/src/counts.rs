//! How often shingles occur in a collection, about: one byte for each slot of a table.

use rayon::prelude::*;

const COUNT_PARTITION_BITS: u32 = 6;
const CLASS_SHIFT: u32 = 60;
/// How many shingles are looked up before it is asked whether that is enough.
const STRETCH: usize = 16;

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

    /// Puts the class of each shingle above sixty bits of its hash and drops those that occur once; returns how many
    /// these are, or nothing as soon as there are more than `most`.
    pub(crate) fn classify(&self, shingles: &mut Vec<u64>, most: usize) -> Option<usize> {
        let (mut kept, mut seen) = (0, 0);
        while seen < shingles.len() {
            for _ in 0..STRETCH.min(shingles.len() - seen) {
                let shingle = shingles[seen];
                let class = u64::from(CLASSES[self.slots[(shingle >> self.shift) as usize] as usize]);
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
