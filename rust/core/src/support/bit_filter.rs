//! A Bloom filter with one hash function.

use crate::support::hash;

/// A set of numbers that may report a few more than were added.
pub struct Filter {
    bits: Vec<u64>,
}

impl Filter {
    pub fn new(expected: usize) -> Self {
        Self { bits: vec![0; (expected / 8).next_power_of_two().max(16)] }
    }

    fn bit(&self, value: u64) -> (usize, u64) {
        let hash = hash::mix(value);
        ((hash >> 6) as usize & (self.bits.len() - 1), 1 << (hash & 63))
    }

    pub fn add(&mut self, value: u64) {
        let (word, bit) = self.bit(value);
        self.bits[word] |= bit;
    }

    pub fn holds(&self, value: u64) -> bool {
        let (word, bit) = self.bit(value);
        self.bits[word] & bit != 0
    }
}
