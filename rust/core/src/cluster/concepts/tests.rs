use std::collections::BTreeSet;

use super::*;
use crate::candidates::keys::KeyTable;
use crate::candidates::measure::Measure;
use crate::support::fraction::Fraction;
use crate::support::hash::mix;

type Set = BTreeSet<u32>;

fn random_images(seed: u64) -> Vec<Vec<u64>> {
    let (documents, universe) = (2 + mix(seed) % 8, 3 + mix(seed ^ 1) % 12);
    let density = 20 + mix(seed ^ 2) % 75;
    let has = |document: u64, unit: u64| mix(seed * 1000 + document * 50 + unit) % 100 < density;
    (0..documents).map(|document| (0..universe).filter(|&unit| has(document, unit)).collect()).collect()
}

fn run(images: &[Vec<u64>], measure: Measure, kind: Kind, complete: bool, most: u64) -> (Vec<(Set, u32)>, (u64, u64)) {
    let mut offsets = vec![0u64];
    images.iter().for_each(|image| offsets.push(offsets[offsets.len() - 1] + image.len() as u64));
    let context = Context::new(KeyTable { keys: &images.concat(), offsets: &offsets }, &[]);
    let (pairs, _) = context.item_pairs(measure, u64::MAX);
    let graph = Graph::new(&context, measure, &pairs, complete);
    let mined = mine(&graph, &pairs, kind, Bounds { clusters: most, steps: u64::MAX });
    let clusters = &mined.clusters;
    let set = |cluster: usize| (clusters.of(cluster).iter().copied().collect(), clusters.units[cluster]);
    ((0..clusters.len()).map(set).collect(), mined.degraded)
}

/// All clusters of two or more documents by the definition: for every subset, the units that it shares, and the
/// documents that have them.
fn closed_by_subsets(images: &[Vec<u64>], measure: Measure) -> BTreeSet<(Set, u32)> {
    let mut found = BTreeSet::new();
    for subset in 1u32..1 << images.len() {
        let chosen: Vec<usize> = (0..images.len()).filter(|index| subset >> index & 1 == 1).collect();
        let mut common = images[chosen[0]].clone();
        chosen.iter().for_each(|&index| common.retain(|unit| images[index].contains(unit)));
        let enough = |index: &usize| measure.least(images[*index].len() as u32).max(1) <= common.len() as u32;
        let holds = |index: &usize| common.iter().all(|unit| images[*index].contains(unit));
        let members: Set = (0..images.len()).filter(|p| holds(p) && enough(p)).map(|p| p as u32).collect();
        let whole = chosen.iter().all(|&index| members.contains(&(index as u32)));
        if whole && members.len() > 1 {
            found.insert((members, common.len() as u32));
        }
    }
    found
}

fn maximal_of(closed: &BTreeSet<(Set, u32)>) -> BTreeSet<(Set, u32)> {
    let inside = |set: &Set| closed.iter().any(|(other, _)| set.is_subset(other) && set != other);
    closed.iter().filter(|(set, _)| !inside(set)).cloned().collect()
}

fn measures(seed: u64) -> [Measure; 2] {
    let share = Fraction { numerator: 1 + mix(seed ^ 9) % 9, denominator: 10 };
    [Measure::Shared(1 + (mix(seed ^ 8) % 6) as u32), Measure::SharedOfLarger(share)]
}

#[test]
fn clusters_equal_those_of_all_subsets() {
    for seed in 0..3000 {
        let images = random_images(seed);
        for measure in measures(seed) {
            let closed = closed_by_subsets(&images, measure);
            let (found, degraded) = run(&images, measure, Kind::Closed, true, u64::MAX);
            assert_eq!(found.len(), closed.len(), "seed {seed} {measure:?} found {found:?} not {closed:?}");
            assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), closed, "seed {seed} {measure:?}");
            let (found, _) = run(&images, measure, Kind::Maximal, true, u64::MAX);
            let maximal = maximal_of(&closed);
            assert_eq!(found.len(), maximal.len(), "seed {seed} {measure:?}");
            assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), maximal, "seed {seed} {measure:?}");
            assert_eq!(degraded, (0, 0));
        }
    }
}

#[test]
fn a_cover_consists_of_clusters_and_contains_every_document_with_a_partner() {
    for seed in 0..3000 {
        let images = random_images(seed);
        for measure in measures(seed) {
            let closed = closed_by_subsets(&images, measure);
            let partnered: Set = closed.iter().flat_map(|(set, _)| set.iter().copied()).collect();
            for complete in [true, false] {
                let (found, _) = run(&images, measure, Kind::Cover, complete, u64::MAX);
                assert!(found.iter().all(|cluster| closed.contains(cluster)), "seed {seed} {measure:?} {found:?}");
                let covered: Set = found.iter().flat_map(|(set, _)| set.iter().copied()).collect();
                assert_eq!(covered, partnered, "seed {seed} {measure:?}");
                let needless = |left_out: usize| {
                    let others = found.iter().enumerate().filter(|(index, _)| *index != left_out);
                    others.flat_map(|(_, (set, _))| set.iter().copied()).collect::<Set>() == partnered
                };
                assert!((0..found.len()).all(|index| !needless(index)));
            }
        }
    }
}

#[test]
fn too_many_clusters_degrade_the_result_and_are_reported() {
    let units = |document: u64| (0..40).filter(move |unit| !mix(document * 64 + unit).is_multiple_of(10)).collect();
    let images: Vec<Vec<u64>> = (0..20).map(units).collect();
    let measure = Measure::Shared(20);
    let (closed, _) = run(&images, measure, Kind::Closed, true, u64::MAX);
    let (maximal, _) = run(&images, measure, Kind::Maximal, true, u64::MAX);
    let (cover, _) = run(&images, measure, Kind::Cover, true, u64::MAX);
    assert!(closed.len() > maximal.len() && maximal.len() > cover.len());
    let closed_most = closed.len() as u64;
    assert_eq!(run(&images, measure, Kind::Closed, true, closed_most), (closed, (0, 0)));
    assert_eq!(run(&images, measure, Kind::Closed, true, closed_most - 1), (maximal.clone(), (1, 0)));
    assert_eq!(run(&images, measure, Kind::Closed, true, maximal.len() as u64 - 1), (cover.clone(), (0, 1)));
    assert_eq!(run(&images, measure, Kind::Maximal, false, u64::MAX), (cover, (0, 1)));
}

#[test]
fn images_of_many_units_are_searched_by_patterns() {
    let units =
        |document: u64| (0..2000u64).filter(move |unit| !mix(document * 7 + unit / 90).is_multiple_of(8)).collect();
    let images: Vec<Vec<u64>> = (0..9).map(units).collect();
    for measure in [Measure::Shared(500), Measure::SharedOfLarger(Fraction { numerator: 1, denominator: 2 })] {
        let closed = closed_by_subsets(&images, measure);
        let (found, _) = run(&images, measure, Kind::Closed, true, u64::MAX);
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), closed);
        let (found, _) = run(&images, measure, Kind::Maximal, true, u64::MAX);
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), maximal_of(&closed));
    }
}
