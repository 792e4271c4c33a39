//! The exact join of weighted sets: every pair whose shared weight reaches the threshold.
//!
//! Sets are sorted by an order that all share, rare terms first. Two sets at the threshold share one of the first terms
//! of each (the weighted prefix filter, after Chaudhuri et al. 2006). Messages consist of common words, so the list of
//! sets that have a term among their first can be long. A long list is split: two of its similar sets either share
//! enough already, or have a second term in common that is early enough in the rest of both, and so on. Each pair is
//! found once, under the terms that it shares first. The entries of a list contain the total and the remaining weight,
//! so that most pairs are ruled out without access to their sets.
//!
//! If there are more pairs than the budget allows, lists are guarded: in lists from a certain size on, each set is
//! compared only with the first few of the list. The omitted comparisons are counted.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;

use crate::candidates::keys::{Guarded, Limits};
use crate::represent::weighted_sets::{Shared, WeightedSets, each_common, reaches, similar};
use crate::support::fraction::Fraction;
use crate::support::hash;
use crate::support::interrupt::checkpoint;

/// Lists up to this size are compared pair by pair.
const SMALL: usize = 128;
/// Longer lists too, if at least the first number of the second number of sampled pairs are similar: splitting would
/// only find them repeatedly.
const DENSE: (usize, usize) = (4, 64);
/// How much more a split entry costs than the check of a pair.
const SPLIT_COST: usize = 12;
const DEEPEST: usize = 24;
const PARTS: usize = 256;
/// How many entries are in memory at a time.
const BATCH: u64 = 24_000_000;
/// Lists of more sets than this are guarded if necessary, the longest first.
const GUARDS: [usize; 4] = [usize::MAX, 256, 32, 4];
/// How many of the first sets of a guarded list each other one is compared with.
const HUBS: usize = 8;
const PARALLEL: usize = 1 << 16;
/// From this many entries on, one list in `SAMPLED` is tried first to determine the guard.
const LARGE: u64 = 4_000_000;
const SAMPLED: u64 = 16;
/// Sets are copied next to each other if there are at least this many, with at most this many terms on average.
const FEWEST_GATHERED: usize = 8;
const MOST_GATHERED: usize = 200;

/// A set that has the term `rank`; `rest` is its weight from that term on, `total` its whole weight, both scaled.
#[derive(Clone, Copy)]
struct Entry {
    rank: u32,
    set: u32,
    rest: u32,
    total: u32,
}

/// Finds every pair of sets that reaches the threshold, in order.
///
/// The budget of the limits is how many pairs may be found before lists are guarded.
pub fn similar_pairs(sets: &WeightedSets, threshold: Fraction, limits: &Limits) -> (Vec<Shared>, Guarded) {
    let sizes = Join::new(sets, threshold, limits, usize::MAX, 0).list_sizes();
    let mut number = choose_guard(sets, threshold, limits, &sizes);
    loop {
        let budget = if number + 1 < GUARDS.len() { limits.budget } else { u64::MAX };
        let join = Join::new(sets, threshold, limits, GUARDS[number], budget);
        if let Some(mut found) = join.run(&sizes) {
            found.par_sort_unstable();
            found.dedup();
            let guarded = Guarded { keys: join.guarded.into_inner(), pairs: join.left_out.into_inner() };
            return (found, guarded);
        }
        number += 1;
    }
}

/// The first guard under which a sample of the lists stays within its share of the budget. This only avoids futile
/// attempts: the budget itself is checked by the join.
fn choose_guard(sets: &WeightedSets, threshold: Fraction, limits: &Limits, sizes: &[u32]) -> usize {
    if sizes.iter().map(|&size| u64::from(size)).sum::<u64>() < LARGE {
        return 0;
    }
    let sampled = |rank: usize| hash::mix(rank as u64).is_multiple_of(SAMPLED);
    let some: Vec<u32> = sizes.iter().enumerate().map(|(rank, &size)| if sampled(rank) { size } else { 0 }).collect();
    let fits = |guard: &usize| {
        let budget = limits.budget / SAMPLED;
        Join::new(sets, threshold, limits, *guard, budget).run(&some).is_some()
    };
    GUARDS.iter().position(fits).unwrap_or(GUARDS.len() - 1)
}

struct Join<'a> {
    sets: &'a WeightedSets,
    threshold: Fraction,
    limits: &'a Limits<'a>,
    guard: usize,
    budget: u64,
    /// Weights in entries are shifted right by this, so that they fit 32 bits.
    shift: u32,
    found: AtomicU64,
    full: AtomicBool,
    guarded: AtomicU64,
    left_out: AtomicU64,
}

/// The terms that all sets of a list share, and their weight without the last one.
#[derive(Clone)]
struct Path {
    ranks: Vec<u32>,
    before: u64,
}

impl<'a> Join<'a> {
    fn new(sets: &'a WeightedSets, threshold: Fraction, limits: &'a Limits<'a>, guard: usize, budget: u64) -> Self {
        let largest = sets.totals().iter().copied().max().unwrap_or(0);
        let shift = (64 - largest.leading_zeros()).saturating_sub(31);
        Self {
            sets,
            threshold,
            limits,
            guard,
            budget,
            shift,
            found: AtomicU64::new(0),
            full: AtomicBool::new(false),
            guarded: AtomicU64::new(0),
            left_out: AtomicU64::new(0),
        }
    }

    /// All pairs, or nothing if there are more than the budget allows.
    fn run(&self, lists: &[u32]) -> Option<Vec<Shared>> {
        let mut found = Vec::new();
        for (first, last) in batches(lists) {
            let parts = self.collect(lists, first, last);
            let made: Vec<Vec<Shared>> = parts.into_par_iter().map(|mut part| self.join_part(&mut part)).collect();
            if self.full.load(Ordering::Relaxed) {
                return None;
            }
            made.into_iter().for_each(|mut some| found.append(&mut some));
        }
        Some(found)
    }

    /// How many sets have each term among their first.
    fn list_sizes(&self) -> Vec<u32> {
        let terms = self.sets.terms();
        let piece = self.sets.len() / rayon::current_num_threads() + 1;
        let starts: Vec<usize> = (0..self.sets.len()).step_by(piece).collect();
        let counted: Vec<Vec<u32>> = starts
            .par_iter()
            .map(|&start| {
                let mut counts = vec![0u32; terms];
                for set in start..(start + piece).min(self.sets.len()) {
                    self.each_first(set, |entry| counts[entry.rank as usize] += 1);
                }
                counts
            })
            .collect();
        (0..terms).map(|rank| counted.iter().map(|counts| counts[rank]).sum()).collect()
    }

    /// Visits the first terms of a set: those from which on its weight still reaches the threshold.
    fn each_first(&self, set: usize, mut visit: impl FnMut(Entry)) {
        let total = self.sets.totals()[set];
        let mut rest = total;
        for &rank in self.sets.of(set) {
            if !reaches(rest, total, self.threshold) {
                return;
            }
            visit(self.entry(rank, set as u32, rest, total));
            rest -= self.sets.weight(rank);
        }
    }

    /// Rounded so that filters let too much through rather than too little.
    fn entry(&self, rank: u32, set: u32, rest: u64, total: u64) -> Entry {
        let up = (1u64 << self.shift) - 1;
        Entry { rank, set, rest: ((rest + up) >> self.shift) as u32, total: (total >> self.shift) as u32 }
    }

    /// The entries of the terms from `first` to before `last` that two sets or more have, in parts of disjoint terms.
    fn collect(&self, lists: &[u32], first: u32, last: u32) -> Vec<Vec<Entry>> {
        let part_of = parts_of(lists, first, last);
        let piece = self.sets.len() / (rayon::current_num_threads() * 2) + 1;
        let starts: Vec<usize> = (0..self.sets.len()).step_by(piece).collect();
        let produced: Vec<Vec<Vec<Entry>>> = starts
            .par_iter()
            .map(|&start| {
                let mut parts = vec![Vec::new(); PARTS];
                for set in start..(start + piece).min(self.sets.len()) {
                    self.each_first(set, |entry| {
                        if entry.rank >= first && entry.rank < last && lists[entry.rank as usize] > 1 {
                            parts[usize::from(part_of[(entry.rank - first) as usize])].push(entry);
                        }
                    });
                }
                parts
            })
            .collect();
        (0..PARTS)
            .into_par_iter()
            .map(|part| produced.iter().flat_map(|parts| &parts[part]).copied().collect())
            .collect()
    }

    fn join_part(&self, part: &mut [Entry]) -> Vec<Shared> {
        checkpoint();
        sort(part);
        let mut found = Vec::new();
        let mut path = Path { ranks: Vec::new(), before: 0 };
        for run in part.chunk_by(|a, b| a.rank == b.rank) {
            self.join_run(run, &mut path, &mut found);
        }
        found
    }

    /// Finds the pairs of a list: sets that share the terms of the path and, as the next, that of the list.
    fn join_run(&self, run: &[Entry], path: &mut Path, found: &mut Vec<Shared>) {
        if run.len() < 2 || self.full.load(Ordering::Relaxed) {
            return;
        }
        if run.len() > SMALL {
            checkpoint();
        }
        path.ranks.push(run[0].rank);
        if self.stays_whole(run, path) {
            self.compare_all(run, path, found);
        } else {
            self.split(run, path, found);
        }
        path.ranks.pop();
    }

    /// Whether looking at all pairs of the list costs less than splitting it.
    fn stays_whole(&self, run: &[Entry], path: &Path) -> bool {
        if run.len() <= SMALL || path.ranks.len() >= DEEPEST {
            return true;
        }
        if self.is_dense(run) {
            return true;
        }
        let step = run.len() / 8;
        let ahead: usize = run.iter().step_by(step).map(|entry| self.ahead(*entry, path)).sum();
        let sampled = run.len().div_ceil(step);
        run.len() < 2 * SPLIT_COST * (1 + ahead / sampled)
    }

    /// Whether many of the pairs are similar, by a fixed sample.
    fn is_dense(&self, run: &[Entry]) -> bool {
        let pick = |number: usize| run[(hash::mix(number as u64) % run.len() as u64) as usize].set as usize;
        let totals = self.sets.totals();
        let alike = (0..DENSE.1).filter(|&number| {
            let (a, b) = (pick(2 * number), pick(2 * number + 1));
            similar(self.sets.shared(a, b), totals[a], totals[b], self.threshold)
        });
        alike.count() >= DENSE.0
    }

    /// About how many entries a split makes of this one.
    fn ahead(&self, entry: Entry, path: &Path) -> usize {
        let mut count = 0;
        self.each_next(entry, path, |_| count += 1);
        count
    }

    /// Visits the terms of a set after the last of the path that may be the next one shared with a partner.
    fn each_next(&self, entry: Entry, path: &Path, mut visit: impl FnMut(Entry)) -> u64 {
        let set = entry.set as usize;
        let (ranks, total) = (self.sets.of(set), self.sets.totals()[set]);
        let last = path.ranks[path.ranks.len() - 1];
        let acquired = path.before + self.sets.weight(last);
        let mut index = 0;
        let mut rest = total;
        while ranks[index] < last {
            rest -= self.sets.weight(ranks[index]);
            index += 1;
        }
        rest -= self.sets.weight(last);
        for &rank in &ranks[index + 1..] {
            if !reaches(acquired + rest, total, self.threshold) {
                break;
            }
            visit(self.entry(rank, entry.set, rest, total));
            rest -= self.sets.weight(rank);
        }
        acquired
    }

    fn split(&self, run: &[Entry], path: &mut Path, found: &mut Vec<Shared>) {
        let mut next: Vec<Entry> = Vec::with_capacity(run.len() * 2);
        let mut enough: Vec<Entry> = Vec::new();
        for &entry in run {
            let acquired = self.each_next(entry, path, |entry| next.push(entry));
            if reaches(acquired, self.sets.totals()[entry.set as usize], self.threshold) {
                enough.push(entry);
            }
        }
        self.compare_enough(&enough, path, found);
        drop(enough);
        sort(&mut next);
        let last = path.ranks[path.ranks.len() - 1];
        let deeper = Path { ranks: path.ranks.clone(), before: path.before + self.sets.weight(last) };
        let runs = next.chunk_by(|a, b| a.rank == b.rank);
        if next.len() < PARALLEL {
            let mut deeper = deeper;
            runs.for_each(|run| self.join_run(run, &mut deeper, found));
            return;
        }
        let runs: Vec<&[Entry]> = runs.filter(|run| run.len() > 1).collect();
        let made: Vec<Vec<Shared>> = runs
            .par_iter()
            .fold(Vec::new, |mut found, run| {
                self.join_run(run, &mut deeper.clone(), &mut found);
                found
            })
            .collect();
        made.into_iter().for_each(|mut some| found.append(&mut some));
    }

    /// The pairs of a list that pass the filters of total and remaining weight.
    fn compare_all(&self, run: &[Entry], path: &Path, found: &mut Vec<Shared>) {
        if run.len() > self.guard {
            self.compare_hubs(run, path, None, found);
            return;
        }
        let Fraction { numerator, denominator } = self.threshold;
        let before = path.before >> self.shift;
        let slack = u64::from(self.shift > 0) * 4;
        let start = found.len();
        let gathered = Gathered::new(self.sets, run);
        let mut first = 0;
        for (i, larger) in run.iter().enumerate() {
            while (u64::from(run[first].total) + slack) * denominator < u64::from(larger.total) * numerator {
                first += 1;
            }
            for (j, smaller) in run[first..i].iter().enumerate() {
                let reachable = before + u64::from(larger.rest.min(smaller.rest)) + slack;
                let both = u64::from(larger.total) + u64::from(smaller.total);
                if reachable * (numerator + denominator) >= both * numerator {
                    let sets = (gathered.of(i), gathered.of(first + j));
                    found.extend(self.verify_here((larger.set, smaller.set), sets, path));
                }
            }
        }
        self.note(found.len() - start);
    }

    /// The pair, if it is similar and the terms that it shares first are the path.
    #[inline]
    fn verify_here(&self, (a, b): (u32, u32), sets: (&[u32], &[u32]), path: &Path) -> Option<Shared> {
        if !self.limits.allow(a, b) {
            return None;
        }
        let (mut shared, mut count, mut here) = (0u64, 0, true);
        each_common(sets.0, sets.1, |rank| {
            here = path.ranks.get(count).is_none_or(|&expected| expected == rank);
            shared += self.sets.weight(rank);
            count += 1;
            here
        });
        let totals = self.sets.totals();
        let passes = here && similar(shared, totals[a as usize], totals[b as usize], self.threshold);
        passes.then_some((a.min(b), a.max(b), shared))
    }

    /// The pairs of the sets whose share of the path is enough by itself and that have no further term in common.
    fn compare_enough(&self, enough: &[Entry], path: &Path, found: &mut Vec<Shared>) {
        let exactly = Some(path.ranks.len());
        if enough.len() > self.guard {
            self.compare_hubs(enough, path, exactly, found);
            return;
        }
        for (i, larger) in enough.iter().enumerate() {
            let start = found.len();
            for smaller in &enough[..i] {
                found.extend(self.verify(larger.set, smaller.set, path, exactly).filter(|pair| pair.2 > 0));
            }
            self.note(found.len() - start);
            if self.full.load(Ordering::Relaxed) {
                return;
            }
        }
    }

    /// Compares each set with the first of the list, until one is similar.
    fn compare_hubs(&self, run: &[Entry], path: &Path, exactly: Option<usize>, found: &mut Vec<Shared>) {
        let copies = |set: u32| self.limits.copies.get(set as usize).copied().unwrap_or(1);
        let side = |set: u32| self.limits.sides.get(set as usize).copied().unwrap_or(0);
        let mut order: Vec<(u32, u32)> = run.iter().map(|entry| (u32::MAX - copies(entry.set), entry.set)).collect();
        order.sort_unstable();
        let hubs: Vec<u32> = (0..=1u8)
            .flat_map(|wanted| order.iter().filter(move |(_, set)| side(*set) == wanted).take(HUBS))
            .map(|&(_, set)| set)
            .collect();
        let start = found.len();
        let mut compared = 0u64;
        for &(_, set) in &order {
            for &hub in hubs.iter().take_while(|hub| **hub != set).filter(|hub| self.limits.allow(set, **hub)) {
                compared += 1;
                if let Some(pair) = self.verify(set, hub, path, exactly) {
                    found.extend((pair.2 > 0).then_some(pair));
                    break;
                }
            }
        }
        self.note(found.len() - start);
        self.guarded.fetch_add(1, Ordering::Relaxed);
        let pairs = crate::candidates::guard::pairs_of(run.len()).saturating_sub(compared);
        self.left_out.fetch_add(pairs, Ordering::Relaxed);
    }

    fn note(&self, more: usize) {
        if more > 0 && self.found.fetch_add(more as u64, Ordering::Relaxed) + more as u64 > self.budget {
            self.full.store(true, Ordering::Relaxed);
        }
    }

    /// The pair, if it is similar; with a shared weight of 0 if it is found in another list: if the terms that it
    /// shares first are not the path, or, with `exactly`, if they are more than this many.
    fn verify(&self, a: u32, b: u32, path: &Path, exactly: Option<usize>) -> Option<Shared> {
        if !self.limits.allow(a, b) {
            return None;
        }
        let (mut shared, mut count, mut here) = (0u64, 0, true);
        each_common(self.sets.of(a as usize), self.sets.of(b as usize), |rank| {
            here &= path.ranks.get(count).is_none_or(|&expected| expected == rank);
            shared += self.sets.weight(rank);
            count += 1;
            true
        });
        here &= exactly.is_none_or(|exactly| count == exactly);
        let totals = self.sets.totals();
        let passes = similar(shared, totals[a as usize], totals[b as usize], self.threshold);
        passes.then_some((a.min(b), a.max(b), if here { shared } else { 0 }))
    }
}

/// The sets of a list, copied next to each other so that comparing them all stays in the cache.
struct Gathered<'a> {
    sets: &'a WeightedSets,
    run: &'a [Entry],
    ranks: Vec<u32>,
    ends: Vec<u32>,
}

impl<'a> Gathered<'a> {
    fn new(sets: &'a WeightedSets, run: &'a [Entry]) -> Self {
        let mut made = Self { sets, run, ranks: Vec::new(), ends: Vec::new() };
        if run.len() < FEWEST_GATHERED {
            return made;
        }
        for entry in run {
            made.ranks.extend_from_slice(sets.of(entry.set as usize));
            made.ends.push(made.ranks.len() as u32);
            if made.ranks.len() > MOST_GATHERED * run.len() {
                made.ends.clear();
                break;
            }
        }
        made
    }

    #[inline]
    fn of(&self, index: usize) -> &[u32] {
        if self.ends.is_empty() {
            return self.sets.of(self.run[index].set as usize);
        }
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.ranks[start..self.ends[index] as usize]
    }
}

/// By term, then from the lightest set to the heaviest.
fn sort(entries: &mut [Entry]) {
    let key = |entry: &Entry| (u128::from(entry.rank) << 64) | (u128::from(entry.total) << 32) | u128::from(entry.set);
    if entries.len() < PARALLEL {
        entries.sort_unstable_by_key(key);
    } else {
        entries.par_sort_unstable_by_key(key);
    }
}

/// Ranges of terms that together have about [`BATCH`] entries.
fn batches(lists: &[u32]) -> Vec<(u32, u32)> {
    let (mut made, mut first, mut entries) = (Vec::new(), 0, 0u64);
    for (rank, &size) in lists.iter().enumerate() {
        entries += u64::from(size);
        if entries >= BATCH {
            made.push((first, rank as u32 + 1));
            (first, entries) = (rank as u32 + 1, 0);
        }
    }
    made.push((first, lists.len() as u32));
    made
}

/// The part of each term of a range: neighbours in one part, all parts of about the same size.
fn parts_of(lists: &[u32], first: u32, last: u32) -> Vec<u8> {
    let range = &lists[first as usize..last as usize];
    let total: u64 = range.iter().filter(|size| **size > 1).map(|&size| u64::from(size)).sum();
    let each = total / PARTS as u64 + 1;
    let mut entries = 0u64;
    range
        .iter()
        .map(|&size| {
            let part = (entries / each).min(PARTS as u64 - 1) as u8;
            entries += u64::from(if size > 1 { size } else { 0 });
            part
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::represent::weighted_sets::tests::{TWO_THIRDS, nested_loops, sets};

    fn limits(budget: u64) -> Limits<'static> {
        Limits { lengths: &[], copies: &[], sides: &[], budget }
    }

    #[test]
    fn every_pair_is_found_once() {
        for (seed, count, vocabulary) in [(1, 400, 3000), (2, 600, 40), (3, 700, 12), (4, 300, 5), (5, 1500, 25)] {
            let sets = sets(seed, count, vocabulary);
            for (numerator, denominator) in [(1, 2), (13, 20), (9, 10), (1, 1), (1, 10)] {
                let threshold = Fraction { numerator, denominator };
                let (found, guarded) = similar_pairs(&sets, threshold, &limits(u64::MAX));
                assert_eq!(found, nested_loops(&sets, threshold), "{seed} {numerator}/{denominator}");
                assert_eq!(guarded, Guarded::default());
            }
        }
    }

    #[test]
    fn only_pairs_between_two_sides_count() {
        let sets = sets(7, 500, 30);
        let sides: Vec<u8> = (0..500).map(|set| (set % 3 == 0).into()).collect();
        let limits = Limits { sides: &sides, ..limits(u64::MAX) };
        let mut expected = nested_loops(&sets, TWO_THIRDS);
        expected.retain(|&(a, b, _)| sides[a as usize] != sides[b as usize]);
        assert_eq!(similar_pairs(&sets, TWO_THIRDS, &limits).0, expected);
    }

    #[test]
    fn too_many_pairs_are_guarded_and_counted() {
        let sets = sets(9, 3000, 9);
        let all = nested_loops(&sets, TWO_THIRDS);
        let (found, guarded) = similar_pairs(&sets, TWO_THIRDS, &limits(all.len() as u64 / 20));
        assert!(guarded.keys > 0 && guarded.pairs > 0);
        assert!(found.len() < all.len() / 5);
        assert!(found.iter().all(|pair| all.binary_search(pair).is_ok()));
        let linked = |pairs: &[Shared]| {
            let mut linked = vec![false; sets.len()];
            pairs.iter().for_each(|&(a, b, _)| (linked[a as usize], linked[b as usize]) = (true, true));
            linked.iter().filter(|linked| **linked).count()
        };
        // Random sets of nine words are the worst case for a guard: few are similar to the first of a list.
        assert!(linked(&found) * 2 >= linked(&all), "{} of {}", linked(&found), linked(&all));
    }
}
