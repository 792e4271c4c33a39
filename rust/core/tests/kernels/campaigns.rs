use std::collections::{BTreeMap, BTreeSet};

use neardup_core::cluster::campaigns::passages::{
    Given, Groups, Letters, NO_GROUP, PassageTable, Sharing, find_groups, find_passages,
};
use neardup_core::cluster::campaigns::{Background, consensus, find_rewritings};
use neardup_core::support::hash::mix;
use neardup_core::text::collection::Collection;
use proptest::prelude::*;

use crate::{PLAIN, cases};

/// Letters that begin, end and are interrupted by words of their own, around parts of two drafts.
fn letters() -> impl Strategy<Value = Vec<Vec<u32>>> {
    let letter = (0u32..2, 0usize..30, 0usize..40, prop::collection::vec(1000u32..1400, 0..6), any::<bool>());
    prop::collection::vec(letter, 0..14).prop_map(|made| {
        made.into_iter()
            .map(|(draft, start, length, own, before)| {
                let end = (start + length).min(30);
                let mut words: Vec<u32> = (start.min(end)..end).map(|word| draft * 100 + word as u32).collect();
                let at = if before { 0 } else { words.len() / 2 };
                words.splice(at..at, own);
                words
            })
            .collect()
    })
}

fn spell(letters: &[Vec<u32>]) -> Vec<String> {
    letters.iter().map(|words| words.iter().map(|word| format!("w{word} ")).collect()).collect()
}

/// Which words are in a run of `size` words that at least `least` letters have, by comparing all runs.
fn slow_shared(letters: &[Vec<u32>], copies: &[u32], size: usize, least: u32) -> Vec<u32> {
    let mut holders: BTreeMap<&[u32], BTreeSet<usize>> = BTreeMap::new();
    for (number, words) in letters.iter().enumerate() {
        for run in words.windows(size) {
            holders.entry(run).or_default().insert(number);
        }
    }
    let count = |letters: &BTreeSet<usize>| letters.iter().map(|&letter| copies[letter]).sum::<u32>();
    letters
        .iter()
        .map(|words| {
            let mut shared = vec![false; words.len()];
            for (start, run) in words.windows(size).enumerate() {
                if count(&holders[run]) >= least {
                    shared[start..start + size].fill(true);
                }
            }
            shared.iter().filter(|&&shared| shared).count() as u32
        })
        .collect()
}

fn table(letters: &[Vec<u32>], copies: &[u32], sharing: Sharing) -> PassageTable {
    let texts = spell(letters);
    let slices: Vec<&str> = texts.iter().map(String::as_str).collect();
    let documents: Vec<u32> = (0..letters.len() as u32).collect();
    find_passages(&Collection::new(&slices, &[], PLAIN), &documents, copies, sharing)
}

fn group(table: &PassageTable, lengths: &[u32], copies: &[u32]) -> Groups {
    let given = Given { groups: &vec![NO_GROUP; lengths.len()], references: &[] };
    find_groups(table, Letters { lengths, copies }, given, 3)
}

/// The score of the best local alignment, cell by cell with every gap length.
fn slow_alignment(a: &[u32], b: &[u32], information: impl Fn(u32) -> f64) -> f64 {
    let mut scores = vec![vec![0.0f64; b.len() + 1]; a.len() + 1];
    let mut best = 0.0f64;
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let step = if a[i - 1] == b[j - 1] { information(a[i - 1]) } else { -4.0 };
            let mut score = (scores[i - 1][j - 1] + step).max(0.0);
            for gap in 1..=i {
                score = score.max(scores[i - gap][j] - 6.0 - 0.5 * gap as f64);
            }
            for gap in 1..=j {
                score = score.max(scores[i][j - gap] - 6.0 - 0.5 * gap as f64);
            }
            scores[i][j] = score;
            best = best.max(score);
        }
    }
    best
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn passages_cover_the_runs_that_enough_letters_have(letters in letters(), seed in any::<u64>()) {
        let copies: Vec<u32> = (0..letters.len() as u64).map(|letter| 1 + (mix(seed ^ letter) % 3) as u32).collect();
        let table = table(&letters, &copies, Sharing { window: 4, letters: 3 });
        let covered: Vec<u32> =
            (0..letters.len() as u32).map(|letter| table.row(letter).map(|entry| entry.1).sum()).collect();
        prop_assert_eq!(covered, slow_shared(&letters, &copies, 4, 3));
    }

    #[test]
    fn members_of_a_group_have_enough_of_its_text(letters in letters()) {
        let copies = vec![1; letters.len()];
        let lengths: Vec<u32> = letters.iter().map(|words| words.len() as u32).collect();
        let table = table(&letters, &copies, Sharing { window: 4, letters: 3 });
        let groups = group(&table, &lengths, &copies);
        for (letter, &group) in groups.group_of.iter().enumerate().filter(|(_, group)| **group != NO_GROUP) {
            prop_assert!((group as usize) < groups.passages.len());
            let shared: u32 = table.row(letter as u32).map(|entry| entry.1).sum();
            prop_assert!(shared >= 12 && f64::from(shared) >= 0.3 * f64::from(lengths[letter]));
        }
    }

    #[test]
    fn the_consensus_of_letters_with_personal_words_is_the_draft(seed in any::<u64>(), count in 5u64..12) {
        let draft: Vec<u32> = (0..60).collect();
        let letters: Vec<Vec<u32>> = (0..count)
            .map(|letter| {
                let mut words = draft.clone();
                let at = (letter * 60 / count + mix(seed) % (60 / count)) as usize;
                words.splice(at..at, (0..8).map(|own| 10_000 + 100 * letter as u32 + own));
                words
            })
            .collect();
        let texts = spell(&letters);
        let slices: Vec<&str> = texts.iter().map(String::as_str).collect();
        let documents: Vec<u32> = (0..count as u32).collect();
        let copies = vec![1; documents.len()];
        let agreed = consensus(&Collection::new(&slices, &[], PLAIN), &documents, &copies);
        let expected: Vec<String> = draft.iter().map(|word| format!("w{word}")).collect();
        let found: Vec<&str> = agreed.text.split_whitespace().collect();
        prop_assert_eq!(found, expected);
        prop_assert!(agreed.points.is_empty());
    }

    #[test]
    fn the_share_of_a_rewriting_is_that_of_the_best_alignment(
        reference in prop::collection::vec(0u32..200, 20..80),
        replaced in prop::collection::vec((0usize..80, 0u32..300), 0..40),
    ) {
        let mut letter = reference.clone();
        for (at, word) in replaced {
            let at = at % letter.len();
            letter[at] = word;
        }
        let texts = spell(&[reference.clone(), letter.clone()]);
        let slices: Vec<&str> = texts.iter().map(String::as_str).collect();
        let collection = Collection::new(&slices, &[], PLAIN);
        let background = Background::count(&collection, &[0, 1], &[1, 1]);
        let total = (reference.len() + letter.len()) as f64;
        let count = |word: u32| reference.iter().chain(&letter).filter(|&&other| other == word).count() as f64;
        let information = |word: u32| -(count(word) / total).ln();
        let whole = |words: &[u32]| words.iter().map(|&word| information(word)).sum::<f64>();
        let score = slow_alignment(&letter, &reference, information);
        let expected = score / whole(&letter).min(whole(&reference));
        let runs = |words: &[u32]| words.windows(3).map(<[u32]>::to_vec).collect::<BTreeSet<_>>();
        let (own, other) = (runs(&letter), runs(&reference));
        let common = own.intersection(&other).count() as f64 / own.len().min(other.len()) as f64;
        let found = find_rewritings(&collection, &[1], &[0], &background, 0.3);
        if common >= 0.08 && expected >= 0.3001 && score >= 120.01 {
            prop_assert_eq!(found.len(), 1);
            prop_assert!((found[0].share - expected).abs() < 1e-4, "{} {}", found[0].share, expected);
        } else if expected < 0.2999 || score < 119.99 {
            prop_assert!(found.is_empty());
        }
    }
}

/// Letters of two drafts that have one paragraph in common, each with words of its own.
fn two_campaigns() -> Vec<Vec<u32>> {
    let common: Vec<u32> = (500..540).collect();
    (0..24)
        .map(|letter: u32| {
            let draft: Vec<u32> = if letter < 12 { (0..60).collect() } else { (100..160).collect() };
            let own = (0..10).map(|word| 10_000 + 100 * letter + word);
            draft.into_iter().chain(common.iter().copied()).chain(own).collect()
        })
        .collect()
}

#[test]
fn campaigns_with_a_common_paragraph_are_two_groups() {
    let letters = two_campaigns();
    let copies = vec![1; letters.len()];
    let lengths: Vec<u32> = letters.iter().map(|words| words.len() as u32).collect();
    let table = table(&letters, &copies, Sharing { window: 8, letters: 3 });
    let groups = group(&table, &lengths, &copies).group_of;
    assert!(
        groups[..12].iter().all(|&group| group == groups[0]) && groups[12..].iter().all(|&group| group == groups[12])
    );
    assert!(groups[0] != groups[12] && groups[0] != NO_GROUP && groups[12] != NO_GROUP);
}

#[test]
fn letters_that_choose_from_a_menu_are_one_group_with_its_points() {
    let letters: Vec<Vec<u32>> = (0..60u32)
        .map(|letter| {
            let mut points: Vec<u32> = (0..8).collect();
            points.sort_by_key(|&point| mix(u64::from(letter * 100 + point)));
            let own = (0..10).map(|word| 10_000 + 100 * letter + word);
            points[..3].iter().flat_map(|&point| point * 100..point * 100 + 20).chain(own).collect()
        })
        .collect();
    let copies = vec![1; letters.len()];
    let lengths: Vec<u32> = letters.iter().map(|words| words.len() as u32).collect();
    let found = table(&letters, &copies, Sharing { window: 8, letters: 3 });
    let groups = group(&found, &lengths, &copies).group_of;
    let members = groups.iter().filter(|&&group| group == 0).count();
    assert!(members >= 57 && groups.iter().all(|&group| group == 0 || group == NO_GROUP), "{groups:?}");
    let texts = spell(&letters);
    let slices: Vec<&str> = texts.iter().map(String::as_str).collect();
    let documents: Vec<u32> = (0..60).collect();
    let agreed = consensus(&Collection::new(&slices, &[], PLAIN), &documents, &copies);
    assert_eq!(agreed.points.len(), 8, "{}", agreed.text);
}

#[test]
fn a_letter_of_two_campaigns_is_in_the_larger_part_and_lists_the_other() {
    let mut letters = two_campaigns();
    letters.iter_mut().for_each(|letter| letter.retain(|&word| !(500..540).contains(&word)));
    letters.push((0..60).chain(100..130).collect());
    let copies = vec![1; letters.len()];
    let lengths: Vec<u32> = letters.iter().map(|words| words.len() as u32).collect();
    let table = table(&letters, &copies, Sharing { window: 8, letters: 3 });
    let groups = group(&table, &lengths, &copies);
    assert_eq!(groups.group_of[24], groups.group_of[0]);
    assert_eq!(groups.also, [(24, groups.group_of[12])]);
}
