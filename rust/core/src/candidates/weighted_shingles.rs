//! Fingerprints of runs of discriminative terms, and the pairs that share one (Gong et al. 2008, section 3.2).
//!
//! The sets are in the order of descending weight. Of a set of m terms the first k+extra are features, where k is the
//! smallest number with more than the threshold's share of the weight (inequality 5). Each run of `size` features is a
//! fingerprint. A set with fewer terms has one fingerprint of all of them. With `thorough`, sets of up to size+1 terms
//! also have the fingerprints of all subsequences that are one shorter, so that a missing or an added word does not
//! separate them.

use rayon::prelude::*;

use crate::candidates::guard::Guard;
use crate::candidates::keys::{
    Guarded, KeyTable, Limits, common_keys, concatenate, count_guarded, first_shared, guarded_pairs,
};
use crate::represent::shingles::shingles;
use crate::represent::weighted_sets::{Shared, WeightedSets, flatten, similar};
use crate::support::fraction::Fraction;
use crate::support::grouping::{Entry, Grouped};
use crate::support::interrupt::checkpoint;

/// Which fingerprints a set has.
#[derive(Clone, Copy, Debug)]
pub struct WeightedShingling {
    /// How many features make a fingerprint.
    pub size: usize,
    /// How many features there are beyond k.
    pub extra: usize,
    /// Whether short sets have more fingerprints.
    pub thorough: bool,
}

/// How many features a set has.
fn features(sets: &WeightedSets, set: usize, threshold: Fraction, extra: usize) -> usize {
    let (ranks, total) = (sets.of(set), u128::from(sets.totals()[set]));
    let mut sum = 0u128;
    let heavy = ranks.iter().position(|&rank| {
        sum += u128::from(sets.weight(rank));
        sum * u128::from(threshold.denominator) > total * u128::from(threshold.numerator)
    });
    // With a threshold of 1 no number of terms has more than that share.
    (heavy.map_or(ranks.len(), |index| index + 1) + extra).min(ranks.len())
}

/// The fingerprints of each set, ascending.
pub fn shingle_keys(sets: &WeightedSets, threshold: Fraction, shingling: WeightedShingling) -> (Vec<u64>, Vec<u64>) {
    let size = shingling.size.max(1);
    let lists = (0..sets.len()).into_par_iter().with_min_len(1024).map(|set| {
        let ranks = sets.of(set);
        let features: Vec<u64> =
            ranks[..features(sets, set, threshold, shingling.extra)].iter().map(|&rank| sets.hash(rank)).collect();
        let mut keys = Vec::with_capacity(features.len());
        if !features.is_empty() {
            shingles(&features, size, |key| keys.push(key));
        }
        if shingling.thorough && ranks.len() <= size + 1 {
            let all: Vec<u64> = ranks.iter().map(|&rank| sets.hash(rank)).collect();
            let shorter = size.min(ranks.len()).saturating_sub(1).max(1);
            each_subsequence(&all, shorter, |some| shingles(some, shorter, |key| keys.push(key)));
        }
        keys.sort_unstable();
        keys.dedup();
        keys
    });
    flatten(&lists.collect::<Vec<_>>())
}

/// Calls `visit` with every choice of `length` of the items, in their order.
fn each_subsequence(items: &[u64], length: usize, mut visit: impl FnMut(&[u64])) {
    let mut chosen = Vec::with_capacity(length);
    for choice in 0u32..1 << items.len().min(16) {
        if choice.count_ones() as usize == length {
            chosen.clear();
            chosen.extend(items.iter().enumerate().filter(|(i, _)| choice >> i & 1 == 1).map(|(_, &item)| item));
            visit(&chosen);
        }
    }
}

/// The result of comparing all sets that share a fingerprint.
pub struct Compared {
    /// The similar pairs, in order.
    pub pairs: Vec<Shared>,
    /// How many pairs were compared.
    pub compared: u64,
    /// What was guarded.
    pub guarded: Guarded,
}

/// Compares the sets that share a key, each pair once. With `skip_connected`, pairs that are already connected by found
/// pairs are not compared (Remark 2); keys and sets are then visited one after the other, in order.
pub fn compare_sharing(
    sets: &WeightedSets,
    table: KeyTable,
    threshold: Fraction,
    limits: &Limits,
    skip_connected: bool,
) -> Compared {
    let grouped = Grouped::collect(table.len(), |set, emit| {
        table.of(set).iter().for_each(|&key| emit((key, set as u64)));
    });
    let buckets = Buckets { sets, table, threshold, limits };
    if skip_connected { buckets.connect(&grouped) } else { buckets.compare(&grouped) }
}

struct Buckets<'a> {
    sets: &'a WeightedSets,
    table: KeyTable<'a>,
    threshold: Fraction,
    limits: &'a Limits<'a>,
}

impl Buckets<'_> {
    fn verify(&self, a: u32, b: u32) -> Option<Shared> {
        let shared = self.sets.shared(a as usize, b as usize);
        let totals = self.sets.totals();
        let passes = shared > 0 && similar(shared, totals[a as usize], totals[b as usize], self.threshold);
        passes.then_some((a.min(b), a.max(b), shared))
    }

    fn compare(&self, grouped: &Grouped) -> Compared {
        let guard = Guard::within(grouped, self.limits.budget);
        let common = common_keys(grouped, guard);
        let (mut pairs, compared) = grouped
            .runs()
            .fold(
                || (Vec::new(), 0u64),
                |(mut found, mut compared), run| {
                    let mut visit = |a: u32, b: u32| {
                        compared += 1;
                        found.extend(self.verify(a, b));
                    };
                    if run.len() > guard.largest {
                        guarded_pairs(run, self.limits, |a, b| {
                            if self.limits.allow(a, b) {
                                visit(a, b)
                            }
                        });
                    } else {
                        let first = |a: u32, b: u32| {
                            first_shared(self.table.of(a as usize), self.table.of(b as usize), &common)
                        };
                        for (i, &(key, b)) in run.iter().enumerate() {
                            for &(_, a) in &run[..i] {
                                let (a, b) = (a as u32, b as u32);
                                if self.limits.allow(a, b) && first(a, b) == Some(key) {
                                    visit(a, b);
                                }
                            }
                        }
                    }
                    (found, compared)
                },
            )
            .reduce(|| (Vec::new(), 0), |a, b| (concatenate(a.0, b.0), a.1 + b.1));
        pairs.par_sort_unstable();
        pairs.dedup();
        Compared { pairs, compared, guarded: count_guarded(grouped, guard) }
    }

    fn connect(&self, grouped: &Grouped) -> Compared {
        let mut runs: Vec<&[Entry]> = grouped.runs().collect();
        runs.par_sort_unstable_by_key(|run| run[0].0);
        let mut parents: Vec<u32> = (0..self.sets.len() as u32).collect();
        let mut made = Compared { pairs: Vec::new(), compared: 0, guarded: Guarded::default() };
        let none = std::collections::HashSet::new();
        for run in runs {
            checkpoint();
            // The sets of this key, by what is connected so far.
            let mut groups: Vec<Vec<u32>> = Vec::new();
            for &(key, set) in run {
                let set = set as u32;
                let mut own = vec![set];
                let mut apart = Vec::with_capacity(groups.len());
                for group in groups {
                    let mut together = find(&mut parents, group[0]) == find(&mut parents, set);
                    for &other in group.iter().take_while(|_| !together) {
                        let (a, b) = (self.table.of(other as usize), self.table.of(set as usize));
                        if !self.limits.allow(other, set) || first_shared(a, b, &none) != Some(key) {
                            continue;
                        }
                        made.compared += 1;
                        if let Some(pair) = self.verify(other, set) {
                            made.pairs.push(pair);
                            let (a, b) = (find(&mut parents, other), find(&mut parents, set));
                            parents[a.max(b) as usize] = a.min(b);
                            together = true;
                            break;
                        }
                    }
                    if together {
                        own.splice(0..0, group);
                    } else {
                        apart.push(group)
                    }
                }
                apart.push(own);
                groups = apart;
            }
        }
        made.pairs.par_sort_unstable();
        made
    }
}

fn find(parents: &mut [u32], mut set: u32) -> u32 {
    while parents[set as usize] != set {
        parents[set as usize] = parents[parents[set as usize] as usize];
        set = parents[set as usize];
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::groups::components;
    use crate::represent::weighted_sets::tests::{TWO_THIRDS, nested_loops, sets};

    const PAPER: WeightedShingling = WeightedShingling { size: 3, extra: 3, thorough: false };

    fn run(sets: &WeightedSets, shingling: WeightedShingling, skip: bool, budget: u64) -> Compared {
        let (keys, offsets) = shingle_keys(sets, TWO_THIRDS, shingling);
        let limits = Limits { lengths: &vec![1; sets.len()], copies: &[], sides: &[], budget };
        compare_sharing(sets, KeyTable { keys: &keys, offsets: &offsets }, TWO_THIRDS, &limits, skip)
    }

    #[test]
    fn found_pairs_are_similar_and_thorough_finds_more_of_short_sets() {
        let sets = sets(11, 900, 60);
        let all = nested_loops(&sets, TWO_THIRDS);
        let plain = run(&sets, PAPER, false, u64::MAX);
        let thorough = run(&sets, WeightedShingling { thorough: true, ..PAPER }, false, u64::MAX);
        let one = run(&sets, WeightedShingling { size: 1, extra: 20, thorough: false }, false, u64::MAX);
        assert!(plain.pairs.iter().all(|pair| all.binary_search(pair).is_ok()));
        assert!(plain.pairs.len() < thorough.pairs.len() && thorough.pairs.len() < all.len());
        assert!(plain.pairs.len() as u64 <= plain.compared && plain.compared < one.compared);
        assert_eq!(one.pairs, all);
    }

    #[test]
    fn skipping_connected_pairs_does_not_change_components() {
        let sets = sets(12, 1200, 20);
        let (all, some) = (run(&sets, PAPER, false, u64::MAX), run(&sets, PAPER, true, u64::MAX));
        let grouped = |found: &Compared| {
            let pairs: Vec<(u32, u32)> = found.pairs.iter().map(|pair| (pair.0, pair.1)).collect();
            components(sets.len(), &pairs)
        };
        assert_eq!(grouped(&all), grouped(&some));
        assert!(some.compared < all.compared && some.pairs.len() < all.pairs.len());
    }

    #[test]
    fn over_common_fingerprints_are_guarded() {
        let sets = sets(13, 2000, 6);
        let all = run(&sets, PAPER, false, u64::MAX);
        let some = run(&sets, PAPER, false, 20_000);
        assert!(some.guarded.keys > 0 && some.compared < all.compared);
        assert!(some.pairs.iter().all(|pair| all.pairs.binary_search(pair).is_ok()));
    }
}
