use std::collections::BTreeSet;

use neardup_core::represent::first_pass::{FirstPass, survey};
use neardup_core::represent::sets::{Sets, overlap, overlap_of_at_least};
use neardup_core::represent::shingles::{Selection, Shingling, append_shingles, shingles};
use neardup_core::represent::sketch::{Bands, Slots, block_keys, bottom, simhash};
use neardup_core::support::hash;
use neardup_core::text::collection::{Collection, Unit};
use proptest::prelude::*;

use crate::{PLAIN, cases, word_texts};

fn units() -> impl Strategy<Value = Vec<u64>> {
    prop::collection::vec((0u64..30).prop_map(hash::mix), 0..150)
}

/// Each shingle hashed alone.
fn slow_shingles(units: &[u64], size: usize) -> Vec<u64> {
    let mut hashes = Vec::new();
    for window in units.windows(size.min(units.len()).max(1)) {
        shingles(window, size, |hash| hashes.push(hash));
    }
    hashes
}

/// The slots of a sketch: the smallest low half in each, else what the first filled slot of its probes has.
fn slow_slots(shingles: &[u64], count: usize) -> Vec<u32> {
    let choose = |high: u64| ((high * count as u64) >> 32) as usize;
    let smallest = |slot: usize| {
        let inside = shingles.iter().filter(|&&shingle| choose(shingle >> 32) == slot);
        inside.map(|&shingle| shingle as u32).filter(|&half| half < u32::MAX).min()
    };
    let first: Vec<Option<u32>> = (0..count).map(smallest).collect();
    let probe =
        |slot: usize, attempt: u64| choose(hash::mix(((slot as u64) << 32) ^ attempt ^ 0x5bd1_e995_0000_0000) >> 32);
    let value = |slot: usize| first[slot].or_else(|| (0..).find_map(|attempt| first[probe(slot, attempt)]));
    if first.iter().all(Option::is_none) {
        return vec![u32::MAX; count];
    }
    (0..count).map(|slot| value(slot).unwrap()).collect()
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn rolling_equals_hashing_each_shingle_alone(units in units(), size in 1usize..90) {
        let mut rolled = Vec::new();
        shingles(&units, size, |hash| rolled.push(hash));
        prop_assert_eq!(&rolled, &slow_shingles(&units, size));
        let mut appended = vec![7];
        append_shingles(&units, size, &mut appended);
        prop_assert_eq!(&appended[1..], &rolled[..]);
    }

    #[test]
    fn shingles_are_equal_if_their_units_are(units in units(), size in 1usize..6) {
        let mut hashes = Vec::new();
        shingles(&units, size, |hash| hashes.push(hash));
        let windows: Vec<&[u64]> = units.windows(size.min(units.len()).max(1)).collect();
        for a in 0..windows.len() {
            for b in 0..a {
                prop_assert_eq!(hashes[a] == hashes[b], windows[a] == windows[b]);
            }
        }
    }

    #[test]
    fn a_sketch_has_the_smallest_value_of_each_slot_or_a_borrowed_one(
        units in units(), size in 1usize..6, bands in 1usize..12, rows in 1usize..5,
    ) {
        let (sketcher, mut slots) = (Bands::new(bands, rows), Slots::default());
        sketcher.sketch(&units, size, &mut slots);
        prop_assert_eq!(&slots.values, &slow_slots(&slow_shingles(&units, size), bands * rows));
    }

    #[test]
    fn band_keys_are_equal_if_their_rows_are(a in units(), b in units(), bands in 1usize..12, rows in 1usize..4) {
        let (sketcher, mut slots) = (Bands::new(bands, rows), [Slots::default(), Slots::default()]);
        let mut keys = [vec![0; bands], vec![0; bands]];
        for (units, (slots, keys)) in [&a, &b].into_iter().zip(slots.iter_mut().zip(&mut keys)) {
            sketcher.sketch(units, 1, slots);
            sketcher.keys(slots, keys);
        }
        for (band, (a, b)) in keys[0].iter().zip(&keys[1]).enumerate() {
            let row = |side: usize| &slots[side].values[band * rows..(band + 1) * rows];
            prop_assert_eq!(a == b, row(0) == row(1));
        }
    }

    #[test]
    fn bottom_is_the_smallest_distinct_shingles(units in units(), size in 1usize..6, count in 0usize..40) {
        let smallest: BTreeSet<u64> = slow_shingles(&units, size).into_iter().collect();
        prop_assert_eq!(bottom(&units, size, count), smallest.into_iter().take(count).collect::<Vec<_>>());
    }

    #[test]
    fn simhash_is_the_majority_of_each_bit(units in units(), size in 1usize..6) {
        let all = slow_shingles(&units, size);
        for bit in 0..64 {
            let ones = all.iter().filter(|&&shingle| shingle >> bit & 1 == 1).count();
            prop_assert_eq!(simhash(&units, size) >> bit & 1 == 1, 2 * ones > all.len());
        }
    }

    #[test]
    fn hashes_that_differ_in_few_bits_share_a_block_key(
        value in any::<u64>(), flips in prop::collection::vec(0u32..64, 0..3),
    ) {
        let other = flips.iter().fold(value, |other, bit| other ^ 1 << bit);
        let (keys, others) = (block_keys(value, 2, 5), block_keys(other, 2, 5));
        prop_assert!(keys.iter().any(|key| others.contains(key)));
    }

    #[test]
    fn overlaps_are_those_of_sets(a in prop::collection::btree_set(0u64..200, 0..120),
                                  b in prop::collection::btree_set(0u64..200, 0..120), needed in 0u32..60) {
        let shared = a.intersection(&b).count() as u32;
        let (a, b): (Vec<u64>, Vec<u64>) = (a.into_iter().collect(), b.into_iter().collect());
        prop_assert_eq!(overlap(&a, &b), shared);
        prop_assert_eq!(overlap_of_at_least(&a, &b, needed), (shared >= needed).then_some(shared));
    }

    #[test]
    fn sets_hold_the_shingles_of_each_text_and_counted_ones_overlap_alike(texts in word_texts(30, 40)) {
        let slices: Vec<&str> = texts.iter().map(String::as_str).collect();
        let collection = Collection::new(&slices, &[], PLAIN);
        let documents: Vec<u32> = (0..texts.len() as u32).collect();
        let shingling = Shingling { size: 2, unit: Unit::Word };
        let plain = Sets::plain(&collection, &documents, shingling, Selection::All);
        for (document, text) in texts.iter().enumerate() {
            let words: Vec<u64> = text.split_whitespace().map(|word| hash::word(word.as_bytes())).collect();
            let expected: BTreeSet<u64> = slow_shingles(&words, 2).into_iter().collect();
            prop_assert_eq!(plain.values(document), expected.into_iter().collect::<Vec<_>>());
        }
        // Each document is a group of its own, so that none is counted as a copy.
        let counts = survey(&collection, &documents, &FirstPass::Count(shingling, Selection::All, None)).counts;
        let counted = Sets::counted(&collection, &documents, shingling, Selection::All, &counts.unwrap());
        prop_assert_eq!(plain.sizes(), counted.sizes());
        let pairs: Vec<(u32, u32)> =
            documents.iter().flat_map(|&a| documents[..a as usize].iter().map(move |&b| (b, a))).collect();
        prop_assert_eq!(plain.overlaps(&pairs, |_, _| 0), counted.overlaps(&pairs, |_, _| 0));
    }
}
