use std::collections::BTreeSet;

use neardup_core::candidates::bands::{Agreement, Sketches};
use neardup_core::candidates::edit_join::{bounded_distance, similar_texts};
use neardup_core::candidates::keys::{Guarded, KeyTable, Limits, candidates};
use neardup_core::candidates::measure::{Match, Measure};
use neardup_core::candidates::partners::partners;
use neardup_core::candidates::set_join::similar_pairs;
use neardup_core::candidates::weighted_join;
use neardup_core::represent::sets::Sets;
use neardup_core::represent::shingles::{Selection, Shingling};
use neardup_core::represent::term_table::TermTable;
use neardup_core::represent::weighted_sets::WeightedSets;
use neardup_core::support::hash;
use neardup_core::text::collection::{Collection, Unit};
use proptest::prelude::*;

use crate::{PLAIN, cases, flatten, fractions, similar_sets, word_texts};

/// All pairs of the numbers below `count`, the smaller first, in order.
fn all_pairs(count: usize) -> impl Iterator<Item = (u32, u32)> {
    (0..count as u32).flat_map(move |a| (a + 1..count as u32).map(move |b| (a, b)))
}

fn unlimited<'a>(lengths: &'a [u32], sides: &'a [u8]) -> Limits<'a> {
    Limits { lengths, copies: &[], sides, budget: u64::MAX }
}

fn shared(a: &[u64], b: &[u64]) -> u32 {
    a.iter().filter(|element| b.contains(element)).count() as u32
}

fn slow_distance(a: &[u32], b: &[u32]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = (diagonal + usize::from(x != y)).min(above + 1).min(row[j] + 1);
            diagonal = above;
        }
    }
    row[b.len()]
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn candidates_are_all_pairs_that_share_a_key(sets in similar_sets(40, 300), two_sides in any::<bool>()) {
        let (keys, offsets) = flatten(&sets);
        let lengths = vec![1; sets.len()];
        let sides: Vec<u8> = if two_sides { (0..sets.len()).map(|set| (set % 2) as u8).collect() } else { Vec::new() };
        let (found, guarded) = candidates(KeyTable { keys: &keys, offsets: &offsets }, &unlimited(&lengths, &sides));
        let meets = |&(a, b): &(u32, u32)| {
            let allowed = sides.is_empty() || sides[a as usize] != sides[b as usize];
            allowed && shared(&sets[a as usize], &sets[b as usize]) > 0
        };
        prop_assert_eq!(found, all_pairs(sets.len()).filter(meets).collect::<Vec<_>>());
        prop_assert_eq!(guarded, Guarded::default());
    }

    #[test]
    fn banded_candidates_are_all_pairs_that_share_a_band_and_agree(
        rows in prop::collection::vec(
            (prop::collection::vec(0u64..12, 3), prop::collection::vec(0u8..3, 6), 1u32..6), 0..40,
        ),
        needed in 0usize..7, few in 0u32..4,
    ) {
        // Keys as bands make them: spread over all bits, and different in each column.
        let key = |column: usize, value: u64| hash::mix(value * 10 + column as u64);
        let keys: Vec<u64> = rows
            .iter()
            .flat_map(|row| row.0.iter().enumerate().map(move |(column, &value)| key(column, value)))
            .collect();
        let slots: Vec<u8> = rows.iter().flat_map(|row| row.1.iter().copied()).collect();
        let lengths: Vec<u32> = rows.iter().map(|row| row.2).collect();
        let nodes: Vec<u32> = (0..rows.len() as u32).collect();
        let sketches = Sketches { keys: &keys, bands: 3, slots: &slots, count: 6, nodes: &nodes };
        let found = sketches.candidates(Agreement { needed, few }, &unlimited(&lengths, &[]));
        let equal = |a: &[u8], b: &[u8]| a.iter().zip(b).filter(|(x, y)| x == y).count();
        let meets = |&(a, b): &(u32, u32)| {
            let (a, b) = (&rows[a as usize], &rows[b as usize]);
            a.0.iter().zip(&b.0).any(|(x, y)| x == y) && (a.2 > few || b.2 > few)
        };
        let agrees = |&(a, b): &(u32, u32)| {
            let (a, b) = (&rows[a as usize], &rows[b as usize]);
            a.2 <= few || b.2 <= few || equal(&a.1, &b.1) >= needed
        };
        let met: Vec<(u32, u32)> = all_pairs(rows.len()).filter(meets).collect();
        prop_assert_eq!(found.examined, met.len() as u64);
        prop_assert_eq!(found.pairs, met.into_iter().filter(agrees).collect::<Vec<_>>());
    }

    #[test]
    fn the_set_join_equals_nested_loops(
        sets in similar_sets(50, 60), fraction in fractions(), two_sides in any::<bool>(),
    ) {
        let (values, offsets) = flatten(&sets);
        let made = Sets::from_arrays(&values, &offsets);
        let sides: Vec<u8> = if two_sides { (0..sets.len()).map(|set| (set % 2) as u8).collect() } else { Vec::new() };
        let (n, d) = (fraction.numerator as u32, fraction.denominator as u32);
        type Reaches = fn(u32, (u32, u32), (u32, u32)) -> bool;
        let measures: [(Measure, Reaches); 3] = [
            (Measure::Jaccard(fraction), |shared, (a, b), (n, d)| shared * d >= n * (a + b - shared)),
            (Measure::OverlapAbove(fraction), |shared, (a, b), (n, d)| shared * d > n * a.min(b)),
            (Measure::SharedOfLarger(fraction), |shared, (a, b), (n, d)| shared * d >= n * a.max(b)),
        ];
        for (measure, reaches) in measures {
            let (found, guarded) = similar_pairs(&made, measure, &unlimited(made.sizes(), &sides));
            let slow = all_pairs(sets.len()).filter_map(|(a, b)| {
                let (left, right) = (&sets[a as usize], &sets[b as usize]);
                let allowed = sides.is_empty() || sides[a as usize] != sides[b as usize];
                let shared = shared(left, right);
                let reached = shared > 0 && reaches(shared, (left.len() as u32, right.len() as u32), (n, d));
                (allowed && reached).then_some((a, b, shared))
            });
            prop_assert_eq!(found, slow.collect::<Vec<Match>>(), "{:?}", measure);
            prop_assert_eq!(guarded, Guarded::default());
        }
    }

    #[test]
    fn a_guarded_join_finds_only_similar_pairs(sets in similar_sets(60, 12), fraction in fractions()) {
        let (values, offsets) = flatten(&sets);
        let made = Sets::from_arrays(&values, &offsets);
        let measure = Measure::Jaccard(fraction);
        let (all, _) = similar_pairs(&made, measure, &unlimited(made.sizes(), &[]));
        let limits = Limits { lengths: made.sizes(), copies: &[], sides: &[], budget: 10 };
        let (found, _) = similar_pairs(&made, measure, &limits);
        prop_assert!(found.iter().all(|pair| all.contains(pair)));
    }

    #[test]
    fn the_weighted_join_equals_nested_loops(
        texts in word_texts(50, 40), threshold in fractions(), seed in any::<u64>(),
    ) {
        let slices: Vec<&str> = texts.iter().map(String::as_str).collect();
        let (table, _) = TermTable::read(&Collection::new(&slices, &[], PLAIN));
        let documents: Vec<u32> = (0..texts.len() as u32).collect();
        let weights: Vec<u32> = table.words.iter().map(|word| 1 + (hash::mix(word.hash ^ seed) % 5) as u32).collect();
        let mut order: Vec<usize> = (0..weights.len()).collect();
        order.sort_by_key(|&term| hash::mix(term as u64 ^ seed));
        let mut ranks = vec![0; weights.len()];
        order.iter().enumerate().for_each(|(rank, &term)| ranks[term] = rank as u32);
        let sets = WeightedSets::new(&table, &documents, &ranks, &weights);
        let (found, guarded) = weighted_join::similar_pairs(&sets, threshold, &unlimited(&[], &[]));
        let terms = |document: u32| table.of(document as usize).collect::<BTreeSet<u32>>();
        let weigh = |terms: &BTreeSet<u32>| terms.iter().map(|&term| u64::from(weights[term as usize])).sum::<u64>();
        let slow = all_pairs(texts.len()).filter_map(|(a, b)| {
            let (left, right) = (terms(a), terms(b));
            let shared = weigh(&left.intersection(&right).copied().collect());
            let all = weigh(&left.union(&right).copied().collect());
            (shared > 0 && shared * threshold.denominator >= all * threshold.numerator).then_some((a, b, shared))
        });
        prop_assert_eq!(found, slow.collect::<Vec<_>>());
        prop_assert_eq!(guarded, Guarded::default());
    }

    #[test]
    fn partners_are_those_of_the_join(texts in word_texts(30, 40), fraction in fractions(), step in 1usize..5) {
        let slices: Vec<&str> = texts.iter().map(String::as_str).collect();
        let collection = Collection::new(&slices, &[], PLAIN);
        let documents: Vec<u32> = (0..texts.len() as u32).collect();
        let chosen: Vec<u32> = documents.iter().copied().step_by(step).collect();
        let shingling = Shingling { size: 1, unit: Unit::Word };
        let sets = Sets::plain(&collection, &documents, shingling, Selection::All);
        let found = partners(&collection, &documents, &chosen, shingling, Measure::Jaccard(fraction));
        let (pairs, _) = similar_pairs(&sets, Measure::Jaccard(fraction), &unlimited(sets.sizes(), &[]));
        let both = pairs.iter().flat_map(|&(a, b, shared)| [(a, b, shared), (b, a, shared)]);
        let mut expected: Vec<Match> = both.filter(|pair| chosen.contains(&pair.0)).collect();
        expected.sort_unstable();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn a_bounded_distance_is_the_edit_distance_within_its_bound(
        a in prop::collection::vec(0u32..4, 0..150), b in prop::collection::vec(0u32..4, 0..150), most in 0usize..160,
    ) {
        let (short, long) = if a.len() <= b.len() { (&a, &b) } else { (&b, &a) };
        let distance = slow_distance(&a, &b);
        prop_assert_eq!(bounded_distance(short, long, most), (distance <= most).then_some(distance));
    }

    #[test]
    fn the_edit_join_equals_nested_loops(
        texts in prop::collection::vec("[ab]{0,12}", 0..20), threshold in fractions(),
    ) {
        let slices: Vec<&str> = texts.iter().map(String::as_str).collect();
        let documents: Vec<u32> = (0..texts.len() as u32).collect();
        let found = similar_texts(&Collection::new(&slices, &[], PLAIN), &documents, threshold);
        let spelled: Vec<Vec<u32>> = texts.iter().map(|text| text.bytes().map(u32::from).collect()).collect();
        let slow = all_pairs(texts.len()).filter_map(|(a, b)| {
            let (left, right) = (&spelled[a as usize], &spelled[b as usize]);
            let distance = slow_distance(left, right);
            let longer = left.len().max(right.len()) as u64;
            let above = (longer - distance as u64) * threshold.denominator > longer * threshold.numerator;
            // Identical texts are a pair whatever the threshold.
            (!left.is_empty() && !right.is_empty() && (above || distance == 0)).then_some((a, b, distance as u32))
        });
        prop_assert_eq!(found, slow.collect::<Vec<Match>>());
    }
}
