//! The search for linked documents under the terms that they share, and under their keys.

use rayon::prelude::*;

use super::dates::Dates;
use super::rule::{Ground, Linked, Rule, key_number};
use crate::candidates::guard::GUARDED_PARTNERS;
use crate::candidates::keys::{Guarded, Limits, concatenate, guarded_pairs};
use crate::represent::signatures::Signatures;
use crate::support::fraction::Fraction;
use crate::support::grouping::{Entry, Grouped};

const UNDATED: i32 = i32::MIN;

/// A document on one of its days, with the class of its length.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Appearance {
    class: u32,
    day: i32,
    document: u32,
}

/// Every pair of documents that the rule links, in order; what was guarded; and how many pairs were compared.
pub fn duplicates(signatures: &Signatures, dates: &Dates, rule: &Rule, limits: &Limits) -> (Vec<Linked>, Guarded, u64) {
    let search = Search { signatures, dates, rule, limits, appearances: appear(signatures, dates, rule) };
    let (mut found, guarded, compared) = search.by_terms();
    let (same, more, compared_too) = search.by_key();
    found.extend(same);
    found.par_sort_unstable();
    // Of two reasons for one pair the key comes first.
    found.dedup_by_key(|link| (link.0, link.1));
    let guarded = Guarded { keys: guarded.keys + more.keys, pairs: guarded.pairs + more.pairs };
    (found, guarded, compared + compared_too)
}

/// Lists the appearances of all documents that are compared, by class of length, then day.
fn appear(signatures: &Signatures, dates: &Dates, rule: &Rule) -> Vec<Appearance> {
    let bounds = class_bounds(rule.tolerance, signatures.lengths.iter().copied().max().unwrap_or(0));
    let mut appearances: Vec<Appearance> = Vec::with_capacity(signatures.len());
    for document in 0..signatures.len() {
        if signatures.terms(document) < rule.reliable.max(1) {
            continue;
        }
        let class = bounds.partition_point(|&bound| bound <= signatures.lengths[document]) as u32;
        let days = dates.of(document);
        let days = if days.is_empty() { &[UNDATED] } else { days };
        appearances.extend(days.iter().map(|&day| Appearance { class, day, document: document as u32 }));
    }
    appearances.par_sort_unstable();
    appearances
}

/// The lengths at which classes begin: documents of similar length are in the same class or in adjacent ones.
fn class_bounds(tolerance: Fraction, longest: u32) -> Vec<u32> {
    let kept = tolerance.denominator - tolerance.numerator;
    let mut bounds = Vec::new();
    let mut bound = 1u64;
    while bound <= u64::from(longest) {
        bounds.push(bound as u32);
        if kept == 0 {
            break;
        }
        bound = bound * tolerance.denominator / kept + 1;
    }
    bounds
}

struct Search<'a> {
    signatures: &'a Signatures,
    dates: &'a Dates<'a>,
    rule: &'a Rule,
    limits: &'a Limits<'a>,
    appearances: Vec<Appearance>,
}

impl Search<'_> {
    fn by_terms(&self) -> (Vec<Linked>, Guarded, u64) {
        let grouped = Grouped::collect(self.appearances.len(), |at, emit| {
            let vector = self.signatures.vector(self.appearances[at].document as usize);
            for (index, &value) in vector[..self.rule.prefix(vector.len())].iter().enumerate() {
                emit((u64::from(value), (at as u64) << 32 | index as u64));
            }
        });
        let most = affordable(grouped.runs().map(|run| self.looks(run)), self.limits.budget);
        let common: Vec<u32> = if most == u64::MAX {
            Vec::new()
        } else {
            let mut common: Vec<u32> =
                grouped.runs().filter(|run| self.looks(run) > most).map(|run| run[0].0 as u32).collect();
            common.sort_unstable();
            common
        };
        let visit = |mut sum: Sum, run: &[Entry]| {
            let looks = self.looks(run);
            if looks > most {
                let visited = self.visit_guarded(run, &mut sum.found);
                sum.guard(looks, visited);
            } else {
                self.windows(run, |at, others| {
                    for other in others {
                        self.meet(run[at].1, run[other].1, &common, &mut sum);
                    }
                });
            }
            sum
        };
        let sum = grouped.runs().fold(Sum::default, visit).reduce(Sum::default, Sum::join);
        (sum.found, sum.guarded, sum.compared)
    }

    /// Calls `show` for each entry of a run with the ranges of earlier entries that days and length classes allow.
    fn windows(&self, run: &[Entry], mut show: impl FnMut(usize, std::ops::Range<usize>)) {
        let at = |index: usize| self.appearances[(run[index].1 >> 32) as usize];
        let window = i64::from(self.rule.window);
        let apart = |early: usize, late: usize| i64::from(at(late).day) - i64::from(at(early).day) > window;
        // The class before: its number, its start, and the start of its dated entries.
        let mut before: Option<(u32, usize, usize)> = None;
        let mut start = 0;
        while start < run.len() {
            let class = at(start).class;
            let end =
                start + run[start..].partition_point(|entry| self.appearances[(entry.1 >> 32) as usize].class == class);
            let dated = start + (start..end).take_while(|&index| at(index).day == UNDATED).count();
            let mut low = dated;
            for index in start..end {
                if index < dated {
                    show(index, start..index);
                    continue;
                }
                while apart(low, index) {
                    low += 1;
                }
                show(index, start..dated);
                show(index, low..index);
            }
            if let Some((number, earlier, earlier_dated)) = before
                && number + 1 == class
            {
                let (mut low, mut high) = (earlier_dated, earlier_dated);
                for index in start..end {
                    if index < dated {
                        show(index, earlier..start);
                        continue;
                    }
                    while low < start && apart(low, index) {
                        low += 1;
                    }
                    high = high.max(low);
                    while high < start && !apart(index, high) {
                        high += 1;
                    }
                    show(index, earlier..earlier_dated);
                    show(index, low..high);
                }
            }
            before = Some((class, start, dated));
            start = end;
        }
    }

    fn looks(&self, run: &[Entry]) -> u64 {
        let mut looks = 0;
        self.windows(run, |_, others| looks += others.len() as u64);
        looks
    }

    /// Verifies two documents that share a rare entry, unless they share an earlier one.
    fn meet(&self, one: u64, other: u64, common: &[u32], sum: &mut Sum) {
        let unpack =
            |payload: u64| (self.appearances[(payload >> 32) as usize].document as usize, payload as u32 as usize);
        let ((a, index), (b, other_index)) = (unpack(one), unpack(other));
        if a == b || !Rule::alike(self.rule.tolerance, self.signatures.lengths[a], self.signatures.lengths[b]) {
            return;
        }
        let (first, second) = (self.signatures.vector(a), self.signatures.vector(b));
        let reachable = (first.len() - index).min(second.len() - other_index);
        // The entries that they share before this one are all common, and each of them may count.
        let spared = if common.is_empty() { 0 } else { index.min(other_index) };
        if reachable + spared < self.rule.needed(first.len(), second.len())
            || shares_any(&first[..index], &second[..other_index], common)
            || !self.limits.allow(a as u32, b as u32)
        {
            return;
        }
        sum.compared += 1;
        if let Some(shared) = self.rule.verify(self.signatures, a, b) {
            sum.found.push((a.min(b) as u32, a.max(b) as u32, Ground::Terms, shared));
        }
    }

    /// Compares the documents of a common entry with hubs and neighbours; returns how many pairs that were.
    fn visit_guarded(&self, run: &[Entry], found: &mut Vec<Linked>) -> u64 {
        let as_documents: Vec<Entry> = run
            .iter()
            .map(|&(key, payload)| (key, u64::from(self.appearances[(payload >> 32) as usize].document)))
            .collect();
        let mut visited = 0;
        guarded_pairs(&as_documents, self.limits, |a, b| {
            visited += 1;
            found.extend(self.judge(a, b));
        });
        visited
    }

    fn judge(&self, a: u32, b: u32) -> Option<Linked> {
        let (a, b) = (a.min(b), a.max(b));
        if !self.limits.allow(a, b) {
            return None;
        }
        let (ground, shared) = self.rule.judge(self.signatures, self.dates, a as usize, b as usize)?;
        Some((a, b, ground, shared))
    }

    /// The documents with the same key, at any distance in time.
    fn by_key(&self) -> (Vec<Linked>, Guarded, u64) {
        let grouped = Grouped::collect(self.signatures.len(), |document, emit| {
            if self.signatures.terms(document) >= self.rule.reliable.max(1) {
                emit((key_number(self.signatures, document), document as u64));
            }
        });
        let pairs = |run: &[Entry]| (run.len() * (run.len() - 1) / 2) as u64;
        let most = affordable(grouped.runs().map(pairs), self.limits.budget);
        let visit = |mut sum: Sum, run: &[Entry]| {
            if pairs(run) > most {
                let mut visited = 0;
                guarded_pairs(run, self.limits, |a, b| {
                    visited += 1;
                    sum.found.extend(self.judge(a, b));
                });
                sum.guard(pairs(run), visited);
                return sum;
            }
            sum.compared += pairs(run);
            for (i, &(_, b)) in run.iter().enumerate() {
                sum.found.extend(run[..i].iter().filter_map(|&(_, a)| self.judge(a as u32, b as u32)));
            }
            sum
        };
        let sum = grouped.runs().fold(Sum::default, visit).reduce(Sum::default, Sum::join);
        (sum.found, sum.guarded, sum.compared)
    }
}

#[derive(Default)]
struct Sum {
    found: Vec<Linked>,
    guarded: Guarded,
    compared: u64,
}

impl Sum {
    fn guard(&mut self, looks: u64, visited: u64) {
        self.guarded.keys += 1;
        self.guarded.pairs += looks.saturating_sub(visited);
        self.compared += visited;
    }

    fn join(self, other: Self) -> Self {
        let guarded =
            Guarded { keys: self.guarded.keys + other.guarded.keys, pairs: self.guarded.pairs + other.guarded.pairs };
        Self { found: concatenate(self.found, other.found), guarded, compared: self.compared + other.compared }
    }
}

/// The most comparisons that one run may take so that all runs up to that size stay within the budget.
fn affordable(looks: impl ParallelIterator<Item = u64>, budget: u64) -> u64 {
    let mut looks: Vec<u64> = looks.filter(|&looks| looks > 0).collect();
    looks.par_sort_unstable();
    let mut spent = 0u64;
    let least = (GUARDED_PARTNERS * GUARDED_PARTNERS) as u64;
    for &look in &looks {
        spent = spent.saturating_add(look);
        if spent > budget && look > least {
            // All runs of this many comparisons are guarded, so that their order does not matter.
            return (look - 1).max(least);
        }
    }
    u64::MAX
}

/// Whether two ascending lists share an element that is not among the common ones.
fn shares_any(a: &[u32], b: &[u32], common: &[u32]) -> bool {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i] == b[j] && (common.is_empty() || common.binary_search(&a[i]).is_err()) {
            return true;
        }
        let (left, right) = (a[i], b[j]);
        i += usize::from(left <= right);
        j += usize::from(right <= left);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::effort::compare_all;
    use super::*;
    use crate::represent::signatures::{KEY_BYTES, Short};
    use crate::support::hash::mix;

    const HALF: Fraction = Fraction { numerator: 1, denominator: 2 };
    const FIFTH: Fraction = Fraction { numerator: 1, denominator: 5 };
    const NONE: Fraction = Fraction { numerator: 0, denominator: 1 };
    const RULE: Rule =
        Rule { threshold: HALF, window: 3, tolerance: FIFTH, key_tolerance: NONE, reliable: 2, numerals: true };

    /// Random signatures in families, with no, one or several days.
    fn random(seed: u64, documents: u64) -> (Signatures, Vec<u64>, Vec<i32>) {
        let draw = |document: u64, what: u64| mix(mix(seed * 1_000_003 + document) ^ what);
        let mut made = Signatures::empty(Short::Own);
        let (mut offsets, mut days) = (vec![0], Vec::new());
        for document in 0..documents {
            let family = draw(document, 0) % (documents / 6);
            let mut vector: Vec<u32> = (0..draw(document, 1) % 12)
                .map(|index| {
                    let own = draw(document, 10 + index) % 4 == 0;
                    (mix(if own { draw(document, 30 + index) } else { family * 100 + index }) % 60) as u32
                })
                .collect();
            vector.sort_unstable();
            vector.dedup();
            made.values.extend(vector);
            made.offsets.push(made.values.len() as u64);
            made.lengths.push((20 + draw(document, 2) % 12) as u32);
            made.keys.extend([(draw(document, 3) % 9) as u8; KEY_BYTES]);
            let numerals = (draw(document, 4) % 3) as u32;
            made.numerals.extend((0..numerals).map(|numeral| numeral + (family % 2) as u32));
            made.numeral_offsets.push(made.numerals.len() as u64);
            made.numeral_counts.push(numerals * 5);
            let mut own: Vec<i32> = (0..draw(document, 5) % 4).map(|n| (draw(document, 6 + n) % 20) as i32).collect();
            own.sort_unstable();
            own.dedup();
            days.extend(own);
            offsets.push(days.len() as u64);
        }
        (made, offsets, days)
    }

    fn all_pairs(signatures: &Signatures, dates: &Dates, rule: &Rule) -> Vec<Linked> {
        let mut found = Vec::new();
        for a in 0..signatures.len() {
            for b in a + 1..signatures.len() {
                if let Some((ground, shared)) = rule.judge(signatures, dates, a, b) {
                    found.push((a as u32, b as u32, ground, shared));
                }
            }
        }
        found
    }

    #[test]
    fn exactly_the_duplicates_are_found() {
        let mut total = 0;
        for seed in 0..60 {
            let (signatures, offsets, days) = random(seed, 90);
            let dates = Dates { offsets: &offsets, days: &days };
            let limits = Limits { lengths: &signatures.lengths, copies: &[], sides: &[], budget: u64::MAX };
            for (threshold, window) in [((1, 2), 3), ((4, 5), 0), ((1, 3), 100), ((1, 1), 2)] {
                let threshold = Fraction { numerator: threshold.0, denominator: threshold.1 };
                let rule = Rule { threshold, window, ..RULE };
                let (found, guarded, _) = duplicates(&signatures, &dates, &rule, &limits);
                assert_eq!(found, all_pairs(&signatures, &dates, &rule), "seed {seed}");
                assert_eq!(guarded, Guarded::default());
                total += found.len();
            }
        }
        assert!(total > 1000, "{total}");
    }

    #[test]
    fn linked_documents_share_the_requested_number_of_keys() {
        for seed in 0..20 {
            let (signatures, offsets, days) = random(seed, 90);
            let dates = Dates { offsets: &offsets, days: &days };
            for (a, b, _, _) in all_pairs(&signatures, &dates, &RULE) {
                for asked in 1..6 {
                    // The last key is that of the document key, which is not a term.
                    let terms = |document: u32| {
                        let mut keys = RULE.keys(&signatures, document as usize, 7, asked);
                        keys.pop();
                        keys
                    };
                    let other = terms(b);
                    let shared = terms(a).iter().filter(|key| other.contains(key)).count();
                    let sure = RULE.share(signatures.vector(a as usize).len());
                    assert!(shared >= asked.min(sure), "seed {seed}: {shared} of {asked}");
                }
            }
        }
    }

    #[test]
    fn a_guarded_search_counts_omitted_pairs_and_finds_only_duplicates() {
        let (signatures, offsets, days) = random(1, 600);
        let dates = Dates { offsets: &offsets, days: &days };
        let rule = Rule { window: 100, ..RULE };
        let limits = Limits { lengths: &signatures.lengths, copies: &[], sides: &[], budget: 500 };
        let (found, guarded, _) = duplicates(&signatures, &dates, &rule, &limits);
        let all = all_pairs(&signatures, &dates, &rule);
        assert!(guarded.keys > 0 && guarded.pairs > 0);
        assert!(found.iter().all(|link| all.contains(link)) && found.len() < all.len());
    }

    #[test]
    fn the_effort_counts_the_comparisons_that_are_saved() {
        let (signatures, offsets, days) = random(2, 120);
        let dates = Dates { offsets: &offsets, days: &days };
        let rule = Rule { numerals: false, ..RULE };
        let effort = compare_all(&signatures, &dates, &rule);
        let by_terms = all_pairs(&signatures, &dates, &Rule { key_tolerance: NONE, ..rule });
        let near = by_terms.iter().filter(|link| rule.allows(&signatures, &dates, link.0 as usize, link.1 as usize));
        assert_eq!(effort.alike, near.count() as u64);
        assert!(effort.compared <= effort.dated.min(effort.sized) && effort.dated.max(effort.sized) <= effort.pairs);
        assert!(effort.steps_apart + effort.steps_alike < effort.steps_full);
    }
}
