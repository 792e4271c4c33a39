//! Banded sketches to candidate pairs: two documents that share a band and whose slots agree often enough.
//!
//! A band key can only meet another in its own column. Each column drops the keys that occur once by two tables of bits
//! that fit the cache, sorts the rest, and every pair is examined in the first column that its rows share.

use std::collections::HashSet;

use rayon::prelude::*;

use crate::candidates::guard::Guard;
use crate::candidates::keys::{
    Guarded, Limits, Pair, all_pairs, common_keys, concatenate, count_guarded, guarded_pairs,
};
use crate::support::grouping::{Entry, Grouped};
use crate::support::simd::{Kernel, Vectors, dispatch};

/// How many columns are read at a time: their keys are side by side in a row.
const COLUMNS: usize = 3;

/// The sketches of a collection's documents, row by row, and which of them are examined.
#[derive(Clone, Copy)]
pub struct Sketches<'a> {
    /// The band keys.
    pub keys: &'a [u64],
    /// How many keys a row has.
    pub bands: usize,
    /// The low byte of each slot.
    pub slots: &'a [u8],
    /// How many slots a row has.
    pub count: usize,
    /// The document of each node; pairs are pairs of nodes.
    pub nodes: &'a [u32],
}

/// When the sketches of two nodes agree.
#[derive(Clone, Copy)]
pub struct Agreement {
    /// How many slots have to be equal.
    pub needed: usize,
    /// Nodes up to this length have too few shingles for that: one of them agrees with any longer node, and two of them
    /// are not compared.
    pub few: u32,
}

/// What the bands found.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The pairs that agree, each once, in order.
    pub pairs: Vec<Pair>,
    /// How many pairs were examined.
    pub examined: u64,
    /// The guarded keys.
    pub guarded: Guarded,
}

impl Sketches<'_> {
    #[inline]
    fn keys(&self, node: u32) -> &[u64] {
        let document = self.nodes[node as usize] as usize;
        &self.keys[document * self.bands..(document + 1) * self.bands]
    }

    #[inline]
    fn slots(&self, node: u32) -> &[u8] {
        let document = self.nodes[node as usize] as usize;
        &self.slots[document * self.count..(document + 1) * self.count]
    }

    /// The pairs of nodes that share a band and agree.
    pub fn candidates(&self, agreement: Agreement, limits: &Limits) -> Found {
        let grouped = self.group();
        let guard = Guard::within(&grouped, limits.budget);
        let common = common_keys(&grouped, guard);
        let (mut pairs, examined) = grouped
            .runs()
            .fold(
                || (Vec::new(), 0),
                |(mut pairs, mut examined), run| {
                    let mut visit = |a: u32, b: u32| {
                        let few = |node: u32| limits.lengths[node as usize] <= agreement.few;
                        if !limits.allow(a, b) || (few(a) && few(b)) {
                            return;
                        }
                        examined += 1;
                        if few(a) || few(b) || equal_bytes(self.slots(a), self.slots(b)) >= agreement.needed {
                            pairs.push((a.min(b), a.max(b)));
                        }
                    };
                    if run.len() > guard.largest {
                        guarded_pairs(run, limits, visit);
                    } else {
                        let key = run[0].0;
                        all_pairs(run, |a, b| {
                            if self.is_first(key, a, b, &common) {
                                visit(a, b);
                            }
                        });
                    }
                    (pairs, examined)
                },
            )
            .reduce(|| (Vec::new(), 0), |a, b| (concatenate(a.0, b.0), a.1 + b.1));
        pairs.par_sort_unstable();
        pairs.dedup();
        Found { pairs, examined, guarded: count_guarded(&grouped, guard) }
    }

    /// The entries that share their key with another of their column.
    fn group(&self) -> Grouped {
        let mut in_order: Vec<(u32, u32)> = self.nodes.iter().copied().zip(0..).collect();
        in_order.par_sort_unstable();
        let columns: Vec<Vec<Entry>> = (0..self.bands)
            .into_par_iter()
            .step_by(COLUMNS)
            .flat_map_iter(|first| self.shared(first..(first + COLUMNS).min(self.bands), &in_order))
            .collect();
        Grouped::of_parts(columns.into_par_iter())
    }

    /// For each of these columns the entries whose key is likely to occur again.
    fn shared(&self, columns: std::ops::Range<usize>, in_order: &[(u32, u32)]) -> Vec<Vec<Entry>> {
        let row = |document: u32| &self.keys[document as usize * self.bands..][columns.clone()];
        let mut seen: Vec<Seen> = columns.clone().map(|_| Seen::new(self.nodes.len(), 17)).collect();
        for &(document, _) in in_order {
            for (column, &key) in row(document).iter().enumerate() {
                seen[column].note(key);
            }
        }
        let mut kept = vec![Vec::new(); columns.len()];
        for &(document, node) in in_order {
            for (column, &key) in row(document).iter().enumerate() {
                if seen[column].again(key) {
                    kept[column].push((key, u64::from(node)));
                }
            }
        }
        // Once more with other bits, to drop chance collisions before the sort.
        for kept in &mut kept {
            let mut seen = Seen::new(kept.len(), 40);
            kept.iter().for_each(|entry| seen.note(entry.0));
            kept.retain(|entry| seen.again(entry.0));
        }
        kept
    }

    /// Whether this key, which both rows have, is the first that they share apart from the common ones.
    #[inline]
    fn is_first(&self, key: u64, a: u32, b: u32, common: &HashSet<u64>) -> bool {
        let (a, b) = (self.keys(a), self.keys(b));
        for (band, &own) in a.iter().enumerate() {
            if own == b[band] && (common.is_empty() || !common.contains(&own)) {
                return own == key;
            }
        }
        false
    }
}

/// Which keys were added at least twice, with a few false positives.
struct Seen {
    once: Vec<u64>,
    twice: Vec<u64>,
    shift: u32,
}

impl Seen {
    fn new(keys: usize, shift: u32) -> Self {
        let words = (keys * 4).next_power_of_two().div_ceil(64);
        Self { once: vec![0; words], twice: vec![0; words], shift }
    }

    #[inline(always)]
    fn index(&self, key: u64) -> (usize, u64) {
        ((key >> self.shift) as usize & (self.once.len() - 1), 1 << (key & 63))
    }

    #[inline(always)]
    fn note(&mut self, key: u64) {
        let (word, bit) = self.index(key);
        self.twice[word] |= self.once[word] & bit;
        self.once[word] |= bit;
    }

    #[inline(always)]
    fn again(&self, key: u64) -> bool {
        let (word, bit) = self.index(key);
        self.twice[word] & bit != 0
    }
}

/// How many bytes of two rows of the same length are equal.
pub fn equal_bytes(a: &[u8], b: &[u8]) -> usize {
    dispatch(Equality { a, b })
}

struct Equality<'a> {
    a: &'a [u8],
    b: &'a [u8],
}

impl Kernel for Equality<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<V: Vectors>(self, _vectors: V) -> usize {
        let mut equal = 0;
        // Partial counts fit a byte, so that the lanes stay narrow.
        for (a, b) in self.a.chunks(255).zip(self.b.chunks(255)) {
            let mut some = 0u8;
            for (x, y) in a.iter().zip(b) {
                some += u8::from(x == y);
            }
            equal += usize::from(some);
        }
        equal
    }
}

/// Which of these pairs of documents agree in at least `needed` of the `count` slot bytes that each has in `slots`.
pub fn agreeing(slots: &[u8], count: usize, pairs: &[(u32, u32)], needed: usize) -> Vec<bool> {
    let row = |document: u32| &slots[document as usize * count..(document as usize + 1) * count];
    pairs.par_iter().with_min_len(256).map(|&(a, b)| equal_bytes(row(a), row(b)) >= needed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::hash::mix;
    use crate::support::simd::{Level, dispatch_at};

    const BANDS: usize = 7;
    const COUNT: usize = 14;

    /// Rows whose keys and slots agree now and then, and the pairs that a nested loop finds.
    fn rows(documents: u64) -> (Vec<u64>, Vec<u8>) {
        let keys = (0..documents * BANDS as u64).map(|n| mix(mix(n) % 40 + n % BANDS as u64 * 1000)).collect();
        let slots = (0..documents * COUNT as u64).map(|n| (mix(n + 5) % 2) as u8).collect();
        (keys, slots)
    }

    fn nested_loops(sketches: &Sketches, agreement: Agreement, limits: &Limits) -> (Vec<Pair>, u64) {
        let (mut pairs, mut examined) = (Vec::new(), 0);
        for a in 0..sketches.nodes.len() as u32 {
            for b in a + 1..sketches.nodes.len() as u32 {
                let few = [a, b].map(|node| limits.lengths[node as usize] <= agreement.few);
                let shared = sketches.keys(a).iter().zip(sketches.keys(b)).any(|(x, y)| x == y);
                if !shared || few == [true, true] || !limits.allow(a, b) {
                    continue;
                }
                examined += 1;
                let equal = sketches.slots(a).iter().zip(sketches.slots(b)).filter(|(x, y)| x == y).count();
                if few[0] || few[1] || equal >= agreement.needed {
                    pairs.push((a, b));
                }
            }
        }
        (pairs, examined)
    }

    #[test]
    fn pairs_are_those_of_a_nested_loop() {
        let (keys, slots) = rows(160);
        let nodes: Vec<u32> = (0..160).filter(|n| n % 5 != 0).map(|n| (n * 37) % 160).collect();
        let lengths: Vec<u32> = nodes.iter().map(|n| n % 4).collect();
        let sides: Vec<u8> = nodes.iter().map(|n| (n % 2) as u8).collect();
        let sketches = Sketches { keys: &keys, bands: BANDS, slots: &slots, count: COUNT, nodes: &nodes };
        for sides in [&[][..], &sides] {
            for agreement in [Agreement { needed: 9, few: 0 }, Agreement { needed: 0, few: 2 }] {
                let limits = Limits { lengths: &lengths, copies: &[], sides, budget: u64::MAX };
                let found = sketches.candidates(agreement, &limits);
                let (pairs, examined) = nested_loops(&sketches, agreement, &limits);
                assert!(!pairs.is_empty());
                assert_eq!(found, Found { pairs, examined, guarded: Guarded::default() });
                let guarded = sketches.candidates(agreement, &Limits { budget: 50, ..limits });
                assert!(guarded.pairs.iter().all(|pair| found.pairs.contains(pair)));
            }
        }
    }

    #[test]
    fn equal_bytes_are_counted_at_every_level() {
        for length in [0usize, 1, 90, 254, 255, 256, 1000] {
            let (a, b): (Vec<u8>, Vec<u8>) =
                (0..length as u64).map(|n| ((mix(n) % 3) as u8, (mix(n + 9999) % 3) as u8)).unzip();
            let expected = a.iter().zip(&b).filter(|(x, y)| x == y).count();
            for level in [Level::Plain, Level::Wide, Level::Widest] {
                assert_eq!(dispatch_at(level, Equality { a: &a, b: &b }), expected);
                assert_eq!(dispatch_at(level, Equality { a: &a, b: &a }), length);
            }
        }
    }
}
