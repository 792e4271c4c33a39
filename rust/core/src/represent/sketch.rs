//! Sketches of shingle sets: one-permutation MinHash with densification and its band keys, bottom-k, SimHash.
//!
//! One-permutation MinHash (Li, Owen & Zhang 2012) hashes each shingle once: the high half of the hash chooses a slot,
//! the low half competes in it. Empty slots borrow from a filled one by a probe sequence of their own ("optimal
//! densification", Shrivastava 2017), so that two sets agree in a slot with probability equal to their Jaccard
//! similarity, also when there are fewer shingles than slots. Time O(shingles + slots).

use crate::represent::shingles::{ShingleKernel, shingles};
use crate::support::hash;
use crate::support::simd::{Kernel, Vectors, dispatch};

/// Marks an empty slot: a shingle whose half is this value counts as absent.
const EMPTY: u32 = u32::MAX;
const PROBES: usize = 64;
const MOST_TABLED: usize = 512;

/// A banded one-permutation sketch: `bands` keys of `rows` slots each.
pub struct Bands {
    bands: usize,
    rows: usize,
    /// For each attempt, the slot that each slot probes.
    probes: Vec<u16>,
    /// For each slot, the attempt at which it first probes each other slot; only for sketches of few slots.
    attempts: Vec<u16>,
}

/// The slots of one sketch, with the buffers to fill them.
#[derive(Default)]
pub struct Slots {
    first: Vec<u32>,
    /// The filled slots: two sets agree in each with probability equal to their similarity.
    pub values: Vec<u32>,
    waiting: Vec<u32>,
    shingles: Vec<u64>,
}

impl Bands {
    /// Prepares the probe sequences; `bands * rows` is at most 65,535.
    pub fn new(bands: usize, rows: usize) -> Self {
        let slots = bands * rows;
        let probes =
            (0..PROBES).flat_map(|attempt| (0..slots).map(move |slot| probe(slot, attempt, slots) as u16)).collect();
        let attempts = if slots <= MOST_TABLED { first_attempts(slots) } else { Vec::new() };
        Self { bands, rows, probes, attempts }
    }

    /// The number of slots.
    pub fn count(&self) -> usize {
        self.bands * self.rows
    }

    /// Sketches a sequence of units.
    pub fn sketch(&self, units: &[u64], size: usize, slots: &mut Slots) {
        dispatch(Sketching { bands: self, units, size, slots });
    }

    /// Fills each empty slot in rounds: in each round all empty slots probe the next slot of their sequence.
    #[inline(always)]
    fn densify<V: Vectors>(&self, slots: &mut Slots, vectors: V) {
        let count = self.count();
        let Slots { first, values, waiting, .. } = slots;
        values.clone_from(first);
        waiting.clear();
        vectors.append_equal(waiting, first, EMPTY);
        let mut left = waiting.len();
        let filled = count - left;
        if filled == 0 {
            return;
        }
        if filled * filled < count && !self.attempts.is_empty() {
            self.borrow_from_few(slots);
            return;
        }
        let (first, values, waiting) = (first.as_slice(), values.as_mut_slice(), waiting.as_mut_slice());
        let mut attempt = 0;
        while left > 0 {
            let row = self.probes.get(attempt * count..(attempt + 1) * count);
            let mut still = 0;
            for i in 0..left {
                let slot = waiting[i] as usize;
                let asked = row.map_or_else(|| probe(slot, attempt, count), |row| usize::from(row[slot]));
                let value = first[asked];
                values[slot] = value;
                waiting[still] = slot as u32;
                still += usize::from(value == EMPTY);
            }
            left = still;
            attempt += 1;
        }
    }

    /// The result of `densify` for few filled slots: each empty slot takes the value of the one that it would probe
    /// first.
    fn borrow_from_few(&self, slots: &mut Slots) {
        let count = self.count();
        let Slots { first, values, waiting, .. } = slots;
        waiting.clear();
        waiting.extend((0..count as u32).filter(|&slot| first[slot as usize] != EMPTY));
        for (slot, value) in values.iter_mut().enumerate().filter(|(_, value)| **value == EMPTY) {
            let attempts = &self.attempts[slot * count..(slot + 1) * count];
            if let Some(&lender) = waiting.iter().min_by_key(|&&lender| attempts[lender as usize]) {
                *value = first[lender as usize];
            }
        }
    }

    /// The number of keys.
    pub fn bands(&self) -> usize {
        self.bands
    }

    /// Writes the band keys of a sketch; keys of different bands never match.
    pub fn keys(&self, slots: &Slots, keys: &mut [u64]) {
        for (band, (rows, key)) in slots.values.chunks_exact(self.rows).zip(keys.iter_mut()).enumerate() {
            *key = rows.iter().fold(hash::mix(band as u64 + 1), |key, &value| {
                hash::fold(key ^ u64::from(value), 0x9e37_79b9_7f4a_7c15)
            });
        }
    }
}

/// Computes a sketch.
struct Sketching<'a> {
    bands: &'a Bands,
    units: &'a [u64],
    size: usize,
    slots: &'a mut Slots,
}

impl Kernel for Sketching<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors>(self, vectors: V) {
        let Self { bands, units, size, slots } = self;
        let count = bands.count();
        ShingleKernel { units, size, kept: 0, hashes: &mut slots.shingles }.run(vectors);
        slots.first.clear();
        slots.first.resize(count, EMPTY);
        let first = slots.first.as_mut_slice();
        for &shingle in &slots.shingles {
            let slot = (((shingle >> 32) * count as u64) >> 32) as usize;
            first[slot] = first[slot].min(shingle as u32);
        }
        bands.densify(slots, vectors);
    }
}

fn probe(slot: usize, attempt: usize, slots: usize) -> usize {
    let hash = hash::mix(((slot as u64) << 32) ^ attempt as u64 ^ 0x5bd1_e995_0000_0000);
    (((hash >> 32) * slots as u64) >> 32) as usize
}

/// For each slot, the attempt at which it first probes each slot.
fn first_attempts(slots: usize) -> Vec<u16> {
    let mut attempts = vec![u16::MAX; slots * slots];
    for (slot, row) in attempts.chunks_exact_mut(slots).enumerate() {
        let mut missing = slots;
        for attempt in 0..u16::MAX {
            let asked = &mut row[probe(slot, usize::from(attempt), slots)];
            if *asked == u16::MAX {
                *asked = attempt;
                missing -= 1;
                if missing == 0 {
                    break;
                }
            }
        }
    }
    attempts
}

/// The `count` smallest shingle hashes of a sequence of units, ascending; fewer where there are fewer.
pub fn bottom(units: &[u64], size: usize, count: usize) -> Vec<u64> {
    let mut smallest: Vec<u64> = Vec::with_capacity(2 * count + 1);
    let mut bar = u64::MAX;
    shingles(units, size, |shingle| {
        if shingle <= bar {
            smallest.push(shingle);
            if smallest.len() > 2 * count {
                cut(&mut smallest, count);
                // Repeated shingles can leave fewer than `count`: then every larger one is still wanted.
                if smallest.len() == count {
                    bar = smallest.last().copied().unwrap_or(u64::MAX);
                }
            }
        }
    });
    cut(&mut smallest, count);
    smallest
}

fn cut(values: &mut Vec<u64>, count: usize) {
    values.sort_unstable();
    values.dedup();
    values.truncate(count);
}

/// The 64-bit SimHash (Charikar 2002) of a sequence of units: each shingle votes on each bit.
pub fn simhash(units: &[u64], size: usize) -> u64 {
    let mut votes = [0i32; 64];
    shingles(units, size, |shingle| {
        for (bit, vote) in votes.iter_mut().enumerate() {
            *vote += ((shingle >> bit) & 1) as i32 * 2 - 1;
        }
    });
    votes.iter().enumerate().fold(0, |hash, (bit, &vote)| hash | (u64::from(vote > 0) << bit))
}

/// Keys under which every two hashes that differ in at most `bits` bits meet: ascending, several per hash.
///
/// The 64 bits are cut into `blocks` (more than `bits`). At least `blocks - bits` of them are equal (Manku et al.
/// 2007), so each choice of that many blocks is a key.
pub fn block_keys(hash: u64, bits: usize, blocks: usize) -> Vec<u64> {
    let chosen = blocks - bits;
    let mut keys = Vec::new();
    for choice in 0u64..(1 << blocks) {
        if choice.count_ones() as usize != chosen {
            continue;
        }
        let mask = (0..blocks).filter(|block| choice >> block & 1 == 1).fold(0, |mask, b| mask | block(b, blocks));
        keys.push(hash::fold(hash & mask ^ 0x2545_f491_4f6c_dd1d, hash::mix(choice)));
    }
    keys.sort_unstable();
    keys
}

fn block(number: usize, blocks: usize) -> u64 {
    let (start, end) = (number * 64 / blocks, (number + 1) * 64 / blocks);
    (u64::MAX >> (64 - (end - start))) << start
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(range: std::ops::Range<u64>) -> Vec<u64> {
        range.map(hash::mix).collect()
    }

    #[test]
    fn slots_agree_as_often_as_the_sets_are_similar() {
        for (length, jaccard) in [(10u64, 0.8), (40, 0.8), (400, 0.8), (60, 0.5), (1000, 0.5)] {
            let bands = Bands::new(16, 8);
            let (mut a, mut b) = (Slots::default(), Slots::default());
            let (mut agreed, trials) = (0, 400);
            for trial in 0..trials {
                let base = trial * 100_000;
                let shift = (length as f64 * (1.0 - jaccard) / (1.0 + jaccard)).round() as u64;
                bands.sketch(&units(base..base + length), 1, &mut a);
                bands.sketch(&units(base + shift..base + shift + length), 1, &mut b);
                agreed += a.values.iter().zip(&b.values).filter(|(x, y)| x == y).count();
            }
            let shift = (length as f64 * (1.0 - jaccard) / (1.0 + jaccard)).round();
            let exact = (length as f64 - shift) / (length as f64 + shift);
            let estimate = agreed as f64 / (trials as usize * bands.count()) as f64;
            assert!((estimate - exact).abs() < 0.02, "length {length}: {estimate} for {exact}");
        }
    }

    #[test]
    fn one_shingle_fills_every_slot() {
        let bands = Bands::new(18, 5);
        let mut slots = Slots::default();
        bands.sketch(&[7], 5, &mut slots);
        assert!(slots.values.iter().all(|&value| value == slots.values[0]));
    }

    #[test]
    fn both_ways_to_fill_empty_slots_agree() {
        let tabled = Bands::new(18, 5);
        let probing = Bands { attempts: Vec::new(), ..Bands::new(18, 5) };
        let (mut a, mut b) = (Slots::default(), Slots::default());
        for length in 1..30 {
            tabled.sketch(&units(length * 1000..length * 1000 + length), 1, &mut a);
            probing.sketch(&units(length * 1000..length * 1000 + length), 1, &mut b);
            assert_eq!(a.values, b.values);
        }
    }

    #[test]
    fn bottom_of_repeated_shingles_has_the_rare_ones_too() {
        let units: Vec<u64> = std::iter::repeat_n(0, 9).chain([1, 2]).collect();
        let mut all = Vec::new();
        shingles(&units, 1, |shingle| all.push(shingle));
        all.sort_unstable();
        all.dedup();
        assert_eq!(bottom(&units, 1, 3), all);
    }

    #[test]
    fn bottom_is_the_sorted_start_of_the_set() {
        let units = units(0..1000);
        let mut all = Vec::new();
        shingles(&units, 3, |shingle| all.push(shingle));
        all.sort_unstable();
        for count in [1, 10, 100, 998, 2000] {
            assert_eq!(bottom(&units, 3, count), all[..count.min(all.len())]);
        }
    }

    #[test]
    fn near_hashes_share_a_block_key() {
        let hash = 0x0123_4567_89ab_cdef_u64;
        for (bits, blocks) in [(3, 4), (3, 6), (1, 3), (6, 8)] {
            for seed in 0..200u64 {
                let flips = (0..bits).fold(0u64, |mask, i| mask | 1 << (hash::mix(seed * 100 + i as u64) % 64));
                let (a, b) = (block_keys(hash, bits, blocks), block_keys(hash ^ flips, bits, blocks));
                assert!(a.iter().any(|key| b.contains(key)));
            }
        }
    }
}
