//! The exact set-similarity join: every pair that reaches the threshold.
//!
//! Two sets that overlap enough share an element among the first few of each, in any order that all sets use (Chaudhuri
//! et al. 2006). With rare elements first, few sets share these (AllPairs, Bayardo et al. 2007; positional filter of
//! PPJoin, Xiao et al. 2008; no suffix filter, after Mann et al. 2016). The first elements are keys: sets that share
//! one are verified at the first key that they share, so that each pair is examined once. All bounds are integers: the
//! threshold is a fraction.

use rayon::prelude::*;

use crate::candidates::guard::Guard;
use crate::candidates::keys::{Guarded, Limits, common_keys, concatenate, count_guarded, first_shared, guarded_pairs};
use crate::candidates::measure::{Match, Measure};
use crate::represent::sets::{Sets, overlap_of_at_least};
use crate::support::bit_filter::Filter;
use crate::support::grouping::{Entry, Grouped};
use crate::support::interrupt::checkpoint;

/// Returns the keys under which a set meets every partner that reaches the threshold, independent of all other sets.
///
/// The sets must be plain, so that their order is that of the hashes. Returns the keys, the offset of those of each
/// set, and how many of them are its first elements. Under Jaccard all keys are first elements. If a small set may be
/// inside a large one, every element is a key, and two sets meet under a key that is a first element of either.
pub fn keys_alone(sets: &Sets, measure: Measure) -> (Vec<u64>, Vec<u64>, Vec<u32>) {
    let (mut values, mut offsets, mut firsts) = (Vec::new(), vec![0], Vec::with_capacity(sets.len()));
    for set in 0..sets.len() {
        let prefix = measure.prefix(sets.size(set)).min(sets.values(set).len());
        let kept = if matches!(measure, Measure::Jaccard(_)) { prefix } else { sets.values(set).len() };
        values.extend(&sets.values(set)[..kept]);
        offsets.push(values.len() as u64);
        firsts.push(prefix as u32);
    }
    (values, offsets, firsts)
}

/// Every pair of sets that reaches the threshold, in order.
pub fn similar_pairs(sets: &Sets, measure: Measure, limits: &Limits) -> (Vec<Match>, Guarded) {
    match measure {
        Measure::Jaccard(_) | Measure::Shared(_) | Measure::SharedOfLarger(_) => {
            Join::new(sets, measure, limits).symmetric()
        }
        Measure::OverlapAbove(_) => Join::new(sets, measure, limits).contained(),
    }
}

struct Join<'a> {
    sets: &'a Sets,
    measure: Measure,
    limits: &'a Limits<'a>,
    /// The sets from the smallest to the largest, without those that store nothing, which share nothing.
    by_size: Vec<u32>,
}

impl<'a> Join<'a> {
    fn new(sets: &'a Sets, measure: Measure, limits: &'a Limits<'a>) -> Self {
        let mut by_size: Vec<u32> =
            (0..sets.len() as u32).filter(|&set| !sets.values(set as usize).is_empty()).collect();
        by_size.par_sort_unstable_by_key(|&set| (sets.size(set as usize), set));
        Self { sets, measure, limits, by_size }
    }

    /// The stored first elements of the set at `rank`: elements that no other set has come before them.
    fn stored_prefix(&self, rank: usize, prefix: usize) -> &[u64] {
        let set = self.by_size[rank] as usize;
        let values = self.sets.values(set);
        let unseen = self.sets.size(set) as usize - values.len();
        &values[..prefix.saturating_sub(unseen).min(values.len())]
    }

    fn size(&self, rank: usize) -> u32 {
        self.sets.size(self.by_size[rank] as usize)
    }

    fn symmetric(&self) -> (Vec<Match>, Guarded) {
        let in_order = self.in_order();
        let grouped = Grouped::collect(in_order.len(), |index, emit| {
            let rank = in_order[index] as usize;
            let prefix = self.stored_prefix(rank, self.measure.prefix(self.size(rank)));
            for (index, &value) in prefix.iter().enumerate() {
                emit((value, payload(rank, index)));
            }
        });
        let guard = Guard::within(&grouped, self.limits.budget);
        let common = common_keys(&grouped, guard);
        let mut matches = grouped
            .runs()
            .fold(Vec::new, |mut found, run| {
                if run.len() > guard.largest {
                    self.visit_guarded(run, |larger, smaller| found.extend(self.verify(larger, smaller)));
                } else {
                    self.visit_run(run, &common, |larger, smaller| found.extend(self.verify(larger, smaller)));
                }
                found
            })
            .reduce(Vec::new, concatenate);
        matches.par_sort_unstable();
        matches.dedup();
        (matches, count_guarded(&grouped, guard))
    }

    /// The ranks of the sets in the order in which the sets are stored, which is the fastest to read.
    fn in_order(&self) -> Vec<u32> {
        let mut ranks = vec![u32::MAX; self.sets.len()];
        (0..).zip(&self.by_size).for_each(|(rank, &set)| ranks[set as usize] = rank);
        ranks.retain(|&rank| rank != u32::MAX);
        ranks
    }

    /// Visits the pairs of a run that pass the filters of size and position and have no earlier element in common.
    fn visit_run(&self, run: &[Entry], common: &std::collections::HashSet<u64>, mut visit: impl FnMut(usize, usize)) {
        let mut first = 0;
        for (i, &(_, larger)) in run.iter().enumerate() {
            let (rank, index) = unpack(larger);
            let size = self.size(rank);
            while self.size(unpack(run[first].1).0) < self.measure.least(size) {
                first += 1;
            }
            for &(_, smaller) in &run[first..i] {
                let (other, other_index) = unpack(smaller);
                let other_size = self.size(other);
                if self.stored_prefix(other, self.measure.smaller_prefix(other_size)).len() <= other_index {
                    continue;
                }
                let (a, b) = (self.values(rank), self.values(other));
                let reachable = (a.len() - index).min(b.len() - other_index) as u32;
                if reachable < self.measure.needed(size, other_size) {
                    continue;
                }
                if first_shared(&a[..index], &b[..other_index], common).is_none() {
                    visit(rank, other);
                }
            }
        }
    }

    fn visit_guarded(&self, run: &[Entry], mut visit: impl FnMut(usize, usize)) {
        let as_sets: Vec<Entry> = run.iter().map(|&(key, at)| (key, u64::from(self.by_size[unpack(at).0]))).collect();
        let rank_of = |set: u32| {
            let key = |&other: &u32| (self.sets.size(other as usize), other);
            self.by_size.partition_point(|other| key(other) < (self.sets.size(set as usize), set))
        };
        guarded_pairs(&as_sets, self.limits, |a, b| {
            let (a, b) = (rank_of(a), rank_of(b));
            visit(a.max(b), a.min(b));
        });
    }

    fn values(&self, rank: usize) -> &[u64] {
        self.sets.values(self.by_size[rank] as usize)
    }

    fn verify(&self, a: usize, b: usize) -> Option<Match> {
        let (first, second) = (self.by_size[a].min(self.by_size[b]), self.by_size[a].max(self.by_size[b]));
        if !self.limits.allow(first, second) {
            return None;
        }
        let needed = self.measure.needed(self.size(a), self.size(b));
        overlap_of_at_least(self.values(a), self.values(b), needed).map(|shared| (first, second, shared))
    }

    /// The join for sets that may be inside a much larger one: the first elements of the smaller set against all
    /// elements of the larger, of which only those are kept that are a first element of some set.
    fn contained(&self) -> (Vec<Match>, Guarded) {
        let wanted = self.wanted_elements();
        let grouped = Grouped::collect(self.by_size.len(), |rank, emit| {
            let prefix = self.stored_prefix(rank, self.measure.prefix(self.size(rank))).len();
            for (index, &value) in self.values(rank).iter().enumerate() {
                if index < prefix || wanted.holds(value) {
                    emit((value, payload(rank, 0)));
                }
            }
        });
        let guard = Guard::within(&grouped, self.limits.budget);
        // Few large pieces: each needs a table as long as the collection.
        let piece = self.by_size.len() / (rayon::current_num_threads() * 8) + 1;
        let mut matches: Vec<Match> = (0..self.by_size.len())
            .into_par_iter()
            .with_min_len(piece)
            .map_init(|| vec![u32::MAX; self.by_size.len()], |met, rank| self.containing(rank, &grouped, guard, met))
            .flatten()
            .collect();
        let guarded: Vec<Match> = grouped
            .runs()
            .filter(|run| run.len() > guard.largest)
            .fold(Vec::new, |mut found, run| {
                self.visit_guarded(run, |larger, smaller| found.extend(self.verify(larger, smaller)));
                found
            })
            .reduce(Vec::new, concatenate);
        matches.extend(guarded);
        matches.par_sort_unstable();
        matches.dedup();
        (matches, count_guarded(&grouped, guard))
    }

    /// The matches of a set among the larger ones that have one of its first elements; `met` marks those already
    /// compared.
    fn containing(&self, rank: usize, grouped: &Grouped, guard: Guard, met: &mut [u32]) -> Vec<Match> {
        checkpoint();
        let mut found = Vec::new();
        for &value in self.stored_prefix(rank, self.measure.prefix(self.size(rank))) {
            let run = grouped.run(value);
            if run.len() > guard.largest {
                continue;
            }
            for &(_, larger) in &run[run.partition_point(|entry| (entry.1 >> 32) as usize <= rank)..] {
                let larger = (larger >> 32) as usize;
                if met[larger] != rank as u32 {
                    met[larger] = rank as u32;
                    found.extend(self.verify(larger, rank));
                }
            }
        }
        found
    }

    fn wanted_elements(&self) -> Filter {
        let total: usize = (0..self.by_size.len()).map(|rank| self.measure.prefix(self.size(rank))).sum();
        let mut wanted = Filter::new(total);
        for rank in 0..self.by_size.len() {
            let prefix = self.stored_prefix(rank, self.measure.prefix(self.size(rank)));
            prefix.iter().for_each(|&value| wanted.add(value));
        }
        wanted
    }
}

fn payload(rank: usize, index: usize) -> u64 {
    ((rank as u64) << 32) | index as u64
}

fn unpack(payload: u64) -> (usize, usize) {
    ((payload >> 32) as usize, (payload & 0xffff_ffff) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::fraction::Fraction;
    use crate::support::hash::mix;

    fn random_sets(seed: u64, count: u64, universe: u64) -> (Vec<u64>, Vec<u64>) {
        let (mut values, mut offsets) = (Vec::new(), vec![0]);
        let mut last: Vec<u64> = Vec::new();
        for d in 0..count {
            let mut set: Vec<u64> = if d % 3 == 0 || last.is_empty() {
                (0..mix(seed + d) % 25).map(|i| mix(seed * 31 + d * 100 + i) % universe).collect()
            } else {
                last.iter()
                    .map(|&v| if mix(seed ^ (d * 1000 + v)).is_multiple_of(8) { mix(v + d) % universe } else { v })
                    .collect()
            };
            set.sort_unstable();
            set.dedup();
            values.extend(&set);
            offsets.push(values.len() as u64);
            last = set;
        }
        (values, offsets)
    }

    fn nested_loops(sets: &Sets, accept: impl Fn(u32, u32, u32) -> bool) -> Vec<Match> {
        let mut matches = Vec::new();
        for a in 0..sets.len() {
            for b in a + 1..sets.len() {
                let shared = sets.values(a).iter().filter(|value| sets.values(b).contains(value)).count() as u32;
                if shared > 0 && accept(shared, sets.size(a), sets.size(b)) {
                    matches.push((a as u32, b as u32, shared));
                }
            }
        }
        matches
    }

    #[test]
    fn the_join_equals_nested_loops() {
        for seed in 0..60u64 {
            let (values, offsets) = random_sets(seed, 90, 40 + seed * 20);
            let sets = Sets::from_arrays(&values, &offsets);
            let limits = Limits { lengths: sets.sizes(), copies: &[], sides: &[], budget: u64::MAX };
            for (numerator, denominator) in [(1, 2), (3, 5), (7, 10), (4, 5), (9, 10), (19, 20), (1, 1)] {
                let fraction = Fraction { numerator, denominator };
                let (n, d) = (numerator as u32, denominator as u32);
                let (found, _) = similar_pairs(&sets, Measure::Jaccard(fraction), &limits);
                assert_eq!(found, nested_loops(&sets, |o, a, b| o * d >= n * (a + b - o)), "{n}/{d} seed {seed}");
                let (found, _) = similar_pairs(&sets, Measure::OverlapAbove(fraction), &limits);
                assert_eq!(found, nested_loops(&sets, |o, a, b| o * d > n * a.min(b)), "{n}/{d} seed {seed}");
                let (found, _) = similar_pairs(&sets, Measure::SharedOfLarger(fraction), &limits);
                assert_eq!(found, nested_loops(&sets, |o, a, b| o * d >= n * a.max(b)), "{n}/{d} seed {seed}");
            }
            for count in [1, 2, 7, 15] {
                let (found, _) = similar_pairs(&sets, Measure::Shared(count), &limits);
                assert_eq!(found, nested_loops(&sets, |o, _, _| o >= count), "{count} seed {seed}");
            }
        }
    }

    #[test]
    fn sets_that_reach_the_threshold_meet_under_a_key_of_their_own() {
        for seed in 0..30u64 {
            let (values, offsets) = random_sets(seed, 80, 40 + seed * 20);
            let sets = Sets::from_arrays(&values, &offsets);
            for (numerator, denominator) in [(1, 2), (4, 5), (19, 20)] {
                let fraction = Fraction { numerator, denominator };
                for measure in [Measure::Jaccard(fraction), Measure::OverlapAbove(fraction)] {
                    let (keys, starts, firsts) = keys_alone(&sets, measure);
                    let of = |set: u32| &keys[starts[set as usize] as usize..starts[set as usize + 1] as usize];
                    let limits = Limits { lengths: sets.sizes(), copies: &[], sides: &[], budget: u64::MAX };
                    for (a, b, _) in similar_pairs(&sets, measure, &limits).0 {
                        let first = |set: u32, key: &u64| of(set)[..firsts[set as usize] as usize].contains(key);
                        let met = of(a).iter().any(|key| of(b).contains(key) && (first(a, key) || first(b, key)));
                        assert!(met, "{measure:?} seed {seed}: {a} {b}");
                    }
                }
            }
        }
    }

    #[test]
    fn only_pairs_between_the_two_sides_are_found() {
        let (values, offsets) = random_sets(5, 90, 60);
        let sets = Sets::from_arrays(&values, &offsets);
        let sides: Vec<u8> = (0..90).map(|i| i % 2).collect();
        let limits = Limits { lengths: sets.sizes(), copies: &[], sides: &sides, budget: u64::MAX };
        let half = Fraction { numerator: 1, denominator: 2 };
        let (found, _) = similar_pairs(&sets, Measure::Jaccard(half), &limits);
        let mut expected = nested_loops(&sets, |o, a, b| o * 2 >= a + b - o);
        expected.retain(|m| sides[m.0 as usize] != sides[m.1 as usize]);
        assert_eq!(found, expected);
        assert!(!found.is_empty());
    }
}
