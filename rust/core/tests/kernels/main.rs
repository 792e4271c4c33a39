//! Property tests: each kernel against a slow twin that is obviously right.

// The twins state what a kernel computes; an unwrap in them is an assertion.
#![allow(clippy::unwrap_used)]

mod campaigns;
mod candidates;
mod cluster;
mod explain;
mod index;
mod represent;
mod text;

use neardup_core::text::normaliser::{Boilerplate, Form, Markup, Normaliser};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Reads texts as they are.
const PLAIN: Normaliser = Normaliser { form: Form::Nfc, markup: Markup::Plain, boilerplate: Boilerplate::Keep };

/// Runs this many cases of each property, the same in every run, and writes no file about failures.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() }
}

/// A list of up to `most` ascending sets of numbers below `universe`.
///
/// Half of the sets differ from the one before in a single element, so that there are similar ones.
fn similar_sets(most: usize, universe: u64) -> impl Strategy<Value = Vec<Vec<u64>>> {
    let set = proptest::collection::btree_set(0..universe, 0..25);
    proptest::collection::vec((set, any::<bool>(), 0..universe), 0..most).prop_map(move |made| {
        let mut sets: Vec<Vec<u64>> = Vec::new();
        for (fresh, derived, element) in made {
            let mut set: Vec<u64> = fresh.into_iter().collect();
            if let (true, Some(last)) = (derived, sets.last()) {
                set = last.iter().copied().filter(|&other| other != element).chain([universe + element]).collect();
                set.sort_unstable();
                set.dedup();
            }
            sets.push(set);
        }
        sets
    })
}

/// Lists end to end, and where each begins.
fn flatten<T: Copy>(lists: &[Vec<T>]) -> (Vec<T>, Vec<u64>) {
    let mut offsets = vec![0];
    lists.iter().for_each(|list| offsets.push(offsets[offsets.len() - 1] + list.len() as u64));
    (lists.concat(), offsets)
}

/// A fraction above 0 and not above 1.
fn fractions() -> impl Strategy<Value = neardup_core::support::fraction::Fraction> {
    (1u64..=20, 0u64..20).prop_map(|(numerator, more)| neardup_core::support::fraction::Fraction {
        numerator,
        denominator: numerator + more,
    })
}

/// Texts of a few words out of a small vocabulary, many of which differ in one word.
fn word_texts(most: usize, vocabulary: u64) -> impl Strategy<Value = Vec<String>> {
    similar_sets(most, vocabulary)
        .prop_map(|sets| sets.iter().map(|set| set.iter().map(|word| format!("w{word} ")).collect()).collect())
}
