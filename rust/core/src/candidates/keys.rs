//! From shared keys to candidate pairs.
//!
//! Two documents are candidates if they share a key. Each pair is emitted once, at the smallest key that both have. A
//! key is guarded if it is so common that examining all its pairs would exceed the budget: each of its documents is
//! then compared only with the first few documents of the key (hubs) and with those nearest to it in length
//! (neighbours). The omitted pairs are counted.

use std::cmp::Ordering;
use std::collections::HashSet;

use rayon::prelude::*;

use crate::candidates::guard::{GUARDED_PARTNERS, Guard, pairs_of};
use crate::support::grouping::{Entry, Grouped};

/// Two documents, the smaller number first.
pub type Pair = (u32, u32);

/// The keys of documents, ascending within each document.
#[derive(Clone, Copy)]
pub struct KeyTable<'a> {
    /// All keys, document by document.
    pub keys: &'a [u64],
    /// The offset of each document's keys, and the end of the last; one more than there are documents.
    pub offsets: &'a [u64],
}

impl<'a> KeyTable<'a> {
    /// The keys of one document.
    pub fn of(&self, document: usize) -> &'a [u64] {
        &self.keys[self.offsets[document] as usize..self.offsets[document + 1] as usize]
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Whether there is no document.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Which pairs are allowed, and how many may be examined.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// The length of each document, for neighbours under a guarded key.
    pub lengths: &'a [u32],
    /// How many copies each document has, for hubs under a guarded key. Empty: one each.
    pub copies: &'a [u32],
    /// The collection each document belongs to; only pairs between different ones count. Empty: one collection.
    pub sides: &'a [u8],
    /// How many pairs may be examined before keys are guarded.
    pub budget: u64,
}

impl Limits<'_> {
    /// Whether the two documents may be paired.
    pub fn allow(&self, a: u32, b: u32) -> bool {
        self.sides.is_empty() || self.sides[a as usize] != self.sides[b as usize]
    }
}

/// The guarded keys of a search and what they cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Guarded {
    /// How many keys were guarded.
    pub keys: u64,
    /// How many pairs under these keys were not examined.
    pub pairs: u64,
}

/// The pairs of documents that share a key, each once, in order.
pub fn candidates(table: KeyTable, limits: &Limits) -> (Vec<Pair>, Guarded) {
    let grouped = Grouped::collect(table.len(), |document, emit| {
        let keys = table.of(document);
        for (i, &key) in keys.iter().enumerate() {
            if i == 0 || keys[i - 1] != key {
                emit((key, document as u64));
            }
        }
    });
    pairs_of_runs(&grouped, limits, |a, b, common| first_shared(table.of(a as usize), table.of(b as usize), common))
}

/// The pairs of all runs; `first` names the first key that two documents share apart from the common ones.
fn pairs_of_runs(
    grouped: &Grouped,
    limits: &Limits,
    first: impl Fn(u32, u32, &HashSet<u64>) -> Option<u64> + Sync,
) -> (Vec<Pair>, Guarded) {
    let guard = Guard::within(grouped, limits.budget);
    let common = common_keys(grouped, guard);
    let mut pairs: Vec<Pair> = grouped
        .runs()
        .fold(Vec::new, |mut found, run| {
            if run.len() > guard.largest {
                guarded_pairs(run, limits, |a, b| push_allowed(&mut found, limits, a, b));
            } else {
                all_pairs(run, |a, b| {
                    if first(a, b, &common) == Some(run[0].0) {
                        push_allowed(&mut found, limits, a, b);
                    }
                });
            }
            found
        })
        .reduce(Vec::new, concatenate);
    pairs.par_sort_unstable();
    pairs.dedup();
    (pairs, count_guarded(grouped, guard))
}

/// Appends the shorter of two lists to the longer.
pub(crate) fn concatenate<T>(mut a: Vec<T>, mut b: Vec<T>) -> Vec<T> {
    if a.len() < b.len() {
        std::mem::swap(&mut a, &mut b);
    }
    a.append(&mut b);
    a
}

fn push_allowed(found: &mut Vec<Pair>, limits: &Limits, a: u32, b: u32) {
    if limits.allow(a, b) {
        found.push((a.min(b), a.max(b)));
    }
}

/// The keys whose runs are longer than the guard examines in full.
pub(crate) fn common_keys(grouped: &Grouped, guard: Guard) -> HashSet<u64> {
    if guard.largest == usize::MAX {
        return HashSet::new();
    }
    grouped.runs().filter(|run| run.len() > guard.largest).map(|run| run[0].0).collect()
}

pub(crate) fn count_guarded(grouped: &Grouped, guard: Guard) -> Guarded {
    let guarded: Vec<usize> = grouped.runs().map(<[Entry]>::len).filter(|&size| size > guard.largest).collect();
    let looked_at = |size: usize| (2 * GUARDED_PARTNERS * size) as u64;
    Guarded {
        keys: guarded.len() as u64,
        pairs: guarded.iter().map(|&size| pairs_of(size).saturating_sub(looked_at(size))).sum(),
    }
}

#[inline]
pub(crate) fn all_pairs(run: &[Entry], mut visit: impl FnMut(u32, u32)) {
    for (i, &(_, b)) in run.iter().enumerate() {
        for &(_, a) in &run[..i] {
            visit(a as u32, b as u32);
        }
    }
}

/// Pairs each document of a run with the hubs and with its neighbours by length.
///
/// Hubs are the documents with the lowest numbers and those with the most copies, so that a group stays connected to
/// its leader.
pub(crate) fn guarded_pairs(run: &[Entry], limits: &Limits, mut visit: impl FnMut(u32, u32)) {
    let mut documents: Vec<u32> = run.iter().map(|entry| entry.1 as u32).collect();
    documents.sort_unstable();
    documents.dedup();
    let mut hubs: Vec<u32> = documents.iter().copied().take(GUARDED_PARTNERS / 2).collect();
    let copies = |document: u32| limits.copies.get(document as usize).copied().unwrap_or(1);
    documents.sort_unstable_by_key(|&document| (std::cmp::Reverse(copies(document)), document));
    hubs.extend(documents.iter().take(GUARDED_PARTNERS / 2));
    hubs.sort_unstable();
    hubs.dedup();
    for &hub in &hubs {
        documents.iter().filter(|&&document| document != hub).for_each(|&document| visit(hub, document));
    }
    documents.sort_unstable_by_key(|&document| (limits.lengths[document as usize], document));
    for (i, &b) in documents.iter().enumerate() {
        documents[i.saturating_sub(GUARDED_PARTNERS)..i].iter().for_each(|&a| visit(a, b));
    }
}

/// The smallest element of both ascending lists that is not in `except`.
pub(crate) fn first_shared(a: &[u64], b: &[u64], except: &HashSet<u64>) -> Option<u64> {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            Ordering::Less => i += 1,
            Ordering::Greater => j += 1,
            Ordering::Equal if except.is_empty() || !except.contains(&a[i]) => return Some(a[i]),
            Ordering::Equal => {
                i += 1;
                j += 1;
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::hash::mix;

    fn table(lists: &[Vec<u64>]) -> (Vec<u64>, Vec<u64>) {
        let mut offsets = vec![0];
        let mut keys = Vec::new();
        for list in lists {
            let mut list = list.clone();
            list.sort_unstable();
            keys.extend(list);
            offsets.push(keys.len() as u64);
        }
        (keys, offsets)
    }

    fn nested_loops(lists: &[Vec<u64>], sides: &[u8]) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for a in 0..lists.len() {
            for b in a + 1..lists.len() {
                let apart = sides.is_empty() || sides[a] != sides[b];
                if apart && lists[a].iter().any(|key| lists[b].contains(key)) {
                    pairs.push((a as u32, b as u32));
                }
            }
        }
        pairs
    }

    #[test]
    fn each_pair_that_shares_a_key_is_found_once() {
        for seed in 0..20u64 {
            let lists: Vec<Vec<u64>> =
                (0..120).map(|d| (0..5).map(|i| mix(mix(seed * 10_000 + d * 10 + i) % 200)).collect()).collect();
            let (keys, offsets) = table(&lists);
            let lengths = vec![1; lists.len()];
            for sides in [vec![], (0..lists.len()).map(|i| (i % 2) as u8).collect()] {
                let limits = Limits { lengths: &lengths, copies: &[], sides: &sides, budget: u64::MAX };
                let (pairs, guarded) = candidates(KeyTable { keys: &keys, offsets: &offsets }, &limits);
                assert_eq!(pairs, nested_loops(&lists, &sides));
                assert_eq!(guarded, Guarded::default());
            }
        }
    }

    #[test]
    fn an_over_common_key_is_guarded_and_does_not_hide_other_keys() {
        let lists: Vec<Vec<u64>> = (0..5000u64).map(|d| vec![1, 1000 + d / 2]).collect();
        let (keys, offsets) = table(&lists);
        let lengths: Vec<u32> = (0..5000).collect();
        let limits = Limits { lengths: &lengths, copies: &[], sides: &[], budget: 100_000 };
        let (pairs, guarded) = candidates(KeyTable { keys: &keys, offsets: &offsets }, &limits);
        assert_eq!(guarded.keys, 1);
        assert!(guarded.pairs > 12_000_000);
        assert!(pairs.len() < 5000 * 2 * GUARDED_PARTNERS);
        assert!((0..2500u32).all(|i| pairs.binary_search(&(2 * i, 2 * i + 1)).is_ok()));
    }
}
