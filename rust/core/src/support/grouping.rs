//! Groups entries that share a key: partition by the high bits of the key, drop keys that occur once, sort the rest.
//!
//! Each partition fits the cache and is independent of the others, so that the work is both parallel and fast. The
//! entries of a group are in the order of their payloads for any number of threads.

use rayon::prelude::*;

use crate::support::hash;
use crate::support::interrupt::checkpoint;

/// About this many documents share a partition, which then fits the cache.
const DOCUMENTS_A_PARTITION: usize = 512;
const PARTITION_BITS: std::ops::RangeInclusive<u32> = 8..=12;
/// A run of at least this many entries, which has many pairs, begins with a checkpoint.
const LONG_RUN: usize = 64;

/// A key and its payload.
pub type Entry = (u64, u64);

/// All entries that share a key with another, sorted by key and payload, in parts of disjoint keys.
pub struct Grouped {
    parts: Vec<Vec<Entry>>,
    /// How many high bits of a mixed key select its part.
    bits: u32,
}

impl Grouped {
    /// Collects the entries that `emit` produces for each of `documents` documents and keeps those that share a key.
    pub fn collect(documents: usize, emit: impl Fn(usize, &mut dyn FnMut(Entry)) + Sync) -> Self {
        let bits = (documents / DOCUMENTS_A_PARTITION).max(1).ilog2();
        let bits = bits.clamp(*PARTITION_BITS.start(), *PARTITION_BITS.end());
        let chunk = (documents / (rayon::current_num_threads() * 4)).max(256);
        let starts: Vec<usize> = (0..documents).step_by(chunk).collect();
        let produced: Vec<Vec<Vec<Entry>>> = starts
            .par_iter()
            .map(|&start| {
                let mut parts = vec![Vec::new(); 1 << bits];
                for document in start..(start + chunk).min(documents) {
                    if document % 1024 == 0 {
                        checkpoint();
                    }
                    emit(document, &mut |entry| parts[partition(entry.0, bits)].push(entry));
                }
                parts
            })
            .collect();
        let parts = (0..1usize << bits)
            .into_par_iter()
            .map(|part| shared(produced.iter().map(|chunk| chunk[part].as_slice())))
            .collect();
        Self { parts, bits }
    }

    /// Groups entries that are given in parts of disjoint keys, and drops those that are alone with their key.
    pub fn of_parts(parts: impl IndexedParallelIterator<Item = Vec<Entry>>) -> Self {
        Self { parts: parts.map(sorted_runs).collect(), bits: 0 }
    }

    /// The run of a key; empty if no two entries share it.
    pub fn run(&self, key: u64) -> &[Entry] {
        let part = &self.parts[partition(key, self.bits)];
        let start = part.partition_point(|entry| entry.0 < key);
        &part[start..start + part[start..].partition_point(|entry| entry.0 == key)]
    }

    /// The runs of entries with one key, part by part.
    pub fn runs(&self) -> impl ParallelIterator<Item = &[Entry]> {
        self.parts.par_iter().flat_map_iter(|part| {
            checkpoint();
            part.chunk_by(|a, b| a.0 == b.0).inspect(|run| {
                if run.len() >= LONG_RUN {
                    checkpoint();
                }
            })
        })
    }
}

fn partition(key: u64, bits: u32) -> usize {
    hash::mix(key).checked_shr(64 - bits).unwrap_or(0) as usize
}

/// Keeps the entries whose key occurs more than once.
fn shared<'a>(chunks: impl Iterator<Item = &'a [Entry]> + Clone) -> Vec<Entry> {
    checkpoint();
    let total: usize = chunks.clone().map(<[Entry]>::len).sum();
    let slots = (total * 4).next_power_of_two();
    let mut counts = vec![0u8; slots];
    let slot = |key: u64| (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) as usize & (slots - 1);
    for (key, _) in chunks.clone().flatten() {
        let count = &mut counts[slot(*key)];
        *count = count.saturating_add(1);
    }
    // The filter is approximate: the sort drops the entries that are alone after all.
    sorted_runs(chunks.flatten().filter(|(key, _)| counts[slot(*key)] > 1).copied().collect())
}

/// Sorts entries by key and payload, and drops those that are alone with their key.
fn sorted_runs(mut entries: Vec<Entry>) -> Vec<Entry> {
    checkpoint();
    entries.sort_unstable();
    let mut kept = 0;
    let mut last = None;
    for i in 0..entries.len() {
        let entry = entries[i];
        entries[kept] = entry;
        let next = entries.get(i + 1).map(|next| next.0);
        kept += usize::from(last == Some(entry.0) || next == Some(entry.0));
        last = Some(entry.0);
    }
    entries.truncate(kept);
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_shared_keys_remain() {
        let keys: Vec<Vec<u64>> =
            (0..2000u64).map(|d| vec![hash::mix(d), hash::mix(d % 700 + 10_000), d / 1999]).collect();
        let grouped = Grouped::collect(keys.len(), |d, emit| keys[d].iter().for_each(|&key| emit((key, d as u64))));
        let mut runs: Vec<Vec<Entry>> = grouped.runs().map(<[Entry]>::to_vec).collect();
        runs.sort();
        assert!(runs.iter().all(|run| grouped.run(run[0].0) == run) && grouped.run(12345).is_empty());
        let mut expected: std::collections::BTreeMap<u64, Vec<Entry>> = Default::default();
        for (d, keys) in keys.iter().enumerate() {
            keys.iter().for_each(|&key| expected.entry(key).or_default().push((key, d as u64)));
        }
        let mut expected: Vec<Vec<Entry>> = expected.into_values().filter(|run| run.len() > 1).collect();
        expected.sort();
        assert_eq!(runs, expected);
    }
}
