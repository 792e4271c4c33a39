//! A document and its partners, as bits: each partner is the set of the document's units that it lacks.
//!
//! Units that no partner lacks need no bit. If there are many units, those that the same partners lack become one bit
//! with a weight, which collapses identical rows.

use std::collections::HashMap;

use super::graph::Graph;
use crate::support::hash;

/// Up to this many bits, counting them is cheaper than weighing.
const PLAIN_BITS: usize = 128;
/// Beyond that, weighing is cheaper if each weight represents at least this many bits on average.
const LEAST_COLLAPSE: usize = 4;
const NO_BIT: u32 = u32::MAX;

/// The units of a document that its partners lack.
pub struct Local {
    /// The item of the document.
    pub item: u32,
    /// Its partners.
    pub partners: Vec<u32>,
    /// How many of its units any other document has.
    pub shared: u32,
    /// How many words of bits each partner has.
    pub width: usize,
    missing: Vec<u64>,
    /// The weight of each bit; empty if each counts one.
    pub weights: Vec<u32>,
    bits: Vec<u32>,
}

impl Local {
    /// Compares an item with its partners.
    pub fn new(graph: &Graph, item: u32) -> Self {
        let sets = graph.context.sets();
        let own = sets.values(item as usize);
        let partners = graph.partners(item).to_vec();
        let width = own.len().div_ceil(64).max(1);
        let mut missing = vec![0u64; partners.len() * width];
        for (partner, words) in partners.iter().zip(missing.chunks_exact_mut(width)) {
            mark_missing(own, sets.values(*partner as usize), words);
        }
        let bits = (0..own.len() as u32).collect();
        let shared = own.len() as u32;
        Self { item, partners, shared, width, missing, weights: Vec::new(), bits }.packed()
    }

    /// The bits that a partner lacks.
    pub fn missing(&self, partner: usize) -> &[u64] {
        &self.missing[partner * self.width..(partner + 1) * self.width]
    }

    /// The rows of the document without those whose bit is among the removed.
    pub fn rows<'a>(&'a self, own: &'a [u64], removed: &'a [u64]) -> impl Iterator<Item = u64> + 'a {
        let kept = |bit: u32| bit == NO_BIT || removed[bit as usize / 64] >> (bit % 64) & 1 == 0;
        own.iter().zip(&self.bits).filter(move |(_, bit)| kept(**bit)).map(|(row, _)| *row)
    }

    /// The same with fewer bits, if that takes fewer words.
    fn packed(self) -> Self {
        let mut used = vec![0u64; self.width];
        for words in self.missing.chunks_exact(self.width) {
            used.iter_mut().zip(words).for_each(|(all, word)| *all |= word);
        }
        let count: usize = used.iter().map(|word| word.count_ones() as usize).sum();
        let (mut bits, mut weights) = if count > PLAIN_BITS { self.patterns() } else { Default::default() };
        if weights.len() * LEAST_COLLAPSE > count || weights.is_empty() {
            weights.clear();
            let mut next = 0u32;
            let number = |bit: usize| {
                let is_used = used[bit / 64] >> (bit % 64) & 1 == 1;
                next += u32::from(is_used);
                if is_used { next - 1 } else { NO_BIT }
            };
            bits = (0..self.bits.len()).map(number).collect();
        }
        let needed = if weights.is_empty() { count } else { weights.len() };
        let width = needed.div_ceil(64).max(1);
        if width == self.width && weights.is_empty() {
            return self;
        }
        let mut missing = vec![0u64; self.partners.len() * width];
        for (old, new) in self.missing.chunks_exact(self.width).zip(missing.chunks_exact_mut(width)) {
            for_each_bit(old, |bit| {
                let bit: u32 = bits[bit];
                new[bit as usize / 64] |= 1 << (bit % 64);
            });
        }
        Self { width, missing, weights, bits, ..self }
    }

    /// Assigns one bit to all units that the same partners lack, and counts the units of each.
    fn patterns(&self) -> (Vec<u32>, Vec<u32>) {
        let mut prints = vec![(0u64, 0u64); self.bits.len()];
        for (partner, words) in self.missing.chunks_exact(self.width).enumerate() {
            let (first, second) = (hash::mix(2 * partner as u64 + 1), hash::mix(2 * partner as u64 + 2));
            for_each_bit(words, |bit| {
                prints[bit].0 ^= first;
                prints[bit].1 = prints[bit].1.wrapping_add(second);
            });
        }
        let (mut numbers, mut weights) = (HashMap::new(), Vec::new());
        let mut number = |print: &(u64, u64)| {
            if *print == (0, 0) {
                return NO_BIT;
            }
            let bit = *numbers.entry(*print).or_insert(weights.len() as u32);
            if bit as usize == weights.len() {
                weights.push(0);
            }
            weights[bit as usize] += 1;
            bit
        };
        (prints.iter().map(&mut number).collect(), weights)
    }
}

/// Sets the bits of the values that one set has and another lacks, without a branch that depends on the values.
fn mark_missing(own: &[u64], other: &[u64], words: &mut [u64]) {
    let (mut i, mut j) = (0, 0);
    while i < own.len() && j < other.len() {
        let (a, b) = (own[i], other[j]);
        words[i / 64] |= u64::from(a < b) << (i % 64);
        i += usize::from(a <= b);
        j += usize::from(b <= a);
    }
    (i..own.len()).for_each(|bit| words[bit / 64] |= 1 << (bit % 64));
}

fn for_each_bit(words: &[u64], mut visit: impl FnMut(usize)) {
    for (at, &word) in words.iter().enumerate() {
        let mut rest = word;
        while rest != 0 {
            visit(at * 64 + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
}

/// The size of a set of bits.
pub trait Count: Copy {
    /// The number or the weight of the bits.
    fn count<const W: usize>(self, bits: &[u64; W]) -> u32;
}

/// Each bit counts one.
#[derive(Clone, Copy)]
pub struct Plain;

impl Count for Plain {
    #[inline(always)]
    fn count<const W: usize>(self, bits: &[u64; W]) -> u32 {
        bits.iter().map(|word| word.count_ones()).sum()
    }
}

/// Each bit has a weight.
#[derive(Clone, Copy)]
pub struct Weighted<'a>(pub &'a [u32]);

impl Count for Weighted<'_> {
    #[inline]
    fn count<const W: usize>(self, bits: &[u64; W]) -> u32 {
        let mut sum = 0;
        for_each_bit(bits, |bit| sum += self.0[bit]);
        sum
    }
}

/// Whether all bits of one set are in another.
#[inline(always)]
pub fn is_within<const W: usize>(inner: &[u64; W], outer: &[u64; W]) -> bool {
    inner.iter().zip(outer).fold(0, |extra, (a, b)| extra | (a & !b)) == 0
}

/// The bits of one set that are not in another.
#[inline(always)]
pub fn without<const W: usize>(a: &[u64; W], b: &[u64; W]) -> [u64; W] {
    std::array::from_fn(|word| a[word] & !b[word])
}

/// The bits of either set.
#[inline(always)]
pub fn union<const W: usize>(a: &[u64; W], b: &[u64; W]) -> [u64; W] {
    std::array::from_fn(|word| a[word] | b[word])
}

/// Words of bits as an array, with zeros after them.
pub fn padded<const W: usize>(words: &[u64]) -> [u64; W] {
    std::array::from_fn(|word| words.get(word).copied().unwrap_or(0))
}

/// The widest bit set that is searched, in words; an image has at most 64 times as many units.
pub const WIDEST: usize = 256;

/// Calls a generic function with the smallest width that is enough, counting or weighing as the bits require.
macro_rules! by_width {
    ($local:expr, $function:ident ( $($argument:expr),* )) => {
        if $local.weights.is_empty() {
            by_width!($local, Plain, $function($($argument),*))
        } else {
            by_width!($local, Weighted(&$local.weights), $function($($argument),*))
        }
    };
    ($local:expr, $counter:expr, $function:ident ( $($argument:expr),* )) => {
        match $local.width {
            0 | 1 => $function::<1, _>($local, $counter, $($argument),*),
            2 => $function::<2, _>($local, $counter, $($argument),*),
            3 | 4 => $function::<4, _>($local, $counter, $($argument),*),
            5..=8 => $function::<8, _>($local, $counter, $($argument),*),
            9..=32 => $function::<32, _>($local, $counter, $($argument),*),
            _ => $function::<WIDEST, _>($local, $counter, $($argument),*),
        }
    };
}
pub(crate) use by_width;
