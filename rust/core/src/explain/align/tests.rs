//! Tests of the alignment: against the slow twin, on text with known edits, and on adversarial input.

use std::time::{Duration, Instant};

use super::samples::{Random, Text, slow_common_length};
use super::subsequence::SubsequenceFinder;
use super::*;

/// Check that the hunks make up both texts, and return the number of words matched in order.
fn check(reference: &Text, document: &Text, hunks: &[Hunk]) -> usize {
    let mut at = 0;
    let mut in_order = (0, 0);
    let mut covered = vec![0; reference.hashes.len()];
    for hunk in hunks {
        let (left, right) = (hunk.reference, hunk.document);
        assert_eq!(right.0, at, "the document spans follow each other");
        assert!(left.0 < left.1 || right.0 < right.1);
        at = right.1;
        if matches!(hunk.kind, HunkKind::Equal | HunkKind::Moved | HunkKind::Repeated) {
            let words = &reference.hashes[left.0 as usize..left.1 as usize];
            assert_eq!(words, &document.hashes[right.0 as usize..right.1 as usize]);
        }
        if hunk.kind == HunkKind::Equal {
            assert!(left.0 >= in_order.0, "equal hunks are in order");
            in_order = (left.1, in_order.1 + (right.1 - right.0) as usize);
        }
        if hunk.kind != HunkKind::Repeated {
            covered[left.0 as usize..left.1 as usize].iter_mut().for_each(|count| *count += 1);
        }
    }
    assert_eq!(at as usize, document.hashes.len());
    assert!(covered.iter().all(|&count| count == 1), "each word of the reference in one hunk");
    in_order.1
}

/// Describe the hunks of two texts by a letter for the kind and their words.
fn describe(reference: &str, document: &str) -> Vec<String> {
    let (reference, document) = (Text::read(reference), Text::read(document));
    let alignment = align(&reference.tokens(), &document.tokens());
    check(&reference, &document, &alignment.hunks);
    let words = |text: &Text, span: Span| {
        let spans: Vec<Span> = (span.0..span.1).map(|at| (text.starts[at as usize], text.ends[at as usize])).collect();
        text.quote(&spans).join(" ")
    };
    let lines = alignment.hunks.iter().map(|hunk| match hunk.kind {
        HunkKind::Equal => format!("= {}", words(&document, hunk.document)),
        HunkKind::Added => format!("+ {}", words(&document, hunk.document)),
        HunkKind::Removed => format!("- {}", words(&reference, hunk.reference)),
        HunkKind::Replaced => {
            format!("{} -> {}", words(&reference, hunk.reference), words(&document, hunk.document))
        }
        HunkKind::Moved => format!("moved {}", words(&document, hunk.document)),
        HunkKind::Repeated => format!("again {}", words(&document, hunk.document)),
    });
    lines.collect()
}

const RIVER: &str = "We drink from this river and so do the towns below the plant every day of the year.";
const HEALTH: &str = "We worry about mercury because doctors find it in the blood of children near the lake.";
const URGE: &str = "We ask the agency to keep the standard that it adopted after ten years of careful study.";

#[test]
fn replaced_added_and_removed_words_are_found() {
    let reference = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen";
    let document = "one two three four five SIX and a half seven eight zero ten eleven twelve fourteen";
    let expected = [
        "= one two three four five SIX",
        "+ and a half",
        "= seven eight",
        "nine -> zero",
        "= ten eleven twelve",
        "- thirteen",
        "= fourteen",
    ];
    assert_eq!(describe(reference, document), expected);
}

#[test]
fn an_inserted_paragraph_is_whole_even_if_it_starts_like_the_next() {
    let document = [RIVER, HEALTH, URGE].join("\n\n");
    let expected = [format!("= {}", plain(RIVER)), format!("+ {}", plain(HEALTH)), format!("= {}", plain(URGE))];
    assert_eq!(describe(&[RIVER, URGE].join("\n\n"), &document), expected);
    let expected = [format!("= {}", plain(RIVER)), format!("- {}", plain(HEALTH)), format!("= {}", plain(URGE))];
    assert_eq!(describe(&document, &[RIVER, URGE].join("\n\n")), expected);
}

#[test]
fn an_inserted_sentence_starts_and_ends_at_punctuation() {
    let reference = "Our lakes are poisoned. The agency should act now and not in twenty years.";
    let document = "Our lakes are poisoned. The fish are too. The agency should act now and not in twenty years.";
    let hunks = describe(reference, document);
    assert_eq!(hunks[1], "+ The fish are too");
}

#[test]
fn paragraphs_that_start_alike_can_be_swapped() {
    let reference = [RIVER, HEALTH, URGE].join("\n\n");
    let hunks = describe(&reference, &[HEALTH, RIVER, URGE].join("\n\n"));
    let expected = [format!("moved {}", plain(HEALTH)), format!("= {}", plain(RIVER)), format!("= {}", plain(URGE))];
    assert_eq!(hunks, expected);
}

#[test]
fn a_short_paragraph_moves_too() {
    let reference = format!("Protect our water!\n\n{RIVER}\n\n{URGE}");
    let hunks = describe(&reference, &format!("{RIVER}\n\n{URGE}\n\nProtect our water!"));
    assert_eq!(hunks.last().map(String::as_str), Some("moved Protect our water"));
}

#[test]
fn a_moved_paragraph_may_have_a_word_changed() {
    let reference = [RIVER, HEALTH, URGE].join("\n\n");
    let document = [HEALTH, URGE, &RIVER.replace("below", "behind")].join("\n\n");
    let hunks = describe(&reference, &document);
    assert_eq!(hunks[0], "- below");
    let expected =
        ["moved We drink from this river and so do the towns", "+ behind", "moved the plant every day of the year"];
    assert_eq!(hunks[2..], expected);
}

#[test]
fn a_copy_is_repeated_text_and_not_added_text() {
    let hunks = describe(&[RIVER, URGE].join("\n\n"), &[RIVER, URGE, RIVER].join("\n\n"));
    assert_eq!(hunks[1..], [format!("again {}", plain(RIVER))]);
}

#[test]
fn unrelated_paragraphs_are_not_matched_word_by_word() {
    let other = "The lake is where we swim and it is the best of all that we have in this part of the state.";
    let hunks = describe(&[RIVER, HEALTH, URGE].join("\n\n"), &[RIVER, other, URGE].join("\n\n"));
    assert_eq!(hunks[1], format!("{} -> {}", plain(HEALTH), plain(other)));
}

#[test]
fn empty_texts_align() {
    assert!(describe("", "").is_empty());
    assert_eq!(describe("", "a b"), ["+ a b"]);
    assert_eq!(describe("a b", ""), ["- a b"]);
}

/// The words of a text with single blanks between them.
fn plain(text: &str) -> String {
    text.trim_end_matches(['.', '!']).to_string()
}

/// A text of words of which some are far more frequent than others, and an edited copy.
fn edited_pair(random: &mut Random, vocabulary: usize, percent: usize) -> (Text, Text) {
    let word = |random: &mut Random| {
        let share = random.below(1 << 20) as f64 / f64::from(1 << 20);
        (vocabulary as f64).powf(share) as u64
    };
    let length = 1 + random.below(400);
    let size = if random.below(2) == 0 { 40 } else { usize::MAX };
    let original: Vec<u64> = (0..length).map(|_| word(random)).collect();
    let (mut copy, mut paragraphs) = (Vec::new(), Vec::new());
    for (at, &kept) in original.iter().enumerate() {
        match random.below(300) {
            case if case >= 3 * percent => copy.push(kept),
            case if case % 3 == 0 => copy.push(word(random)),
            case if case % 3 == 1 => copy.extend([kept, word(random)]),
            _ => {}
        }
        paragraphs.resize(copy.len(), (at / size) as u32);
    }
    let copy = Text::of_numbers(copy, |at| paragraphs[at]);
    (Text::of_numbers(original, |at| (at / size) as u32), copy)
}

#[test]
fn matches_are_nearly_as_long_as_those_of_the_slow_twin() {
    let mut random = Random(7);
    let mut aligner = Aligner::default();
    for (vocabulary, percent) in [(2000, 2), (2000, 10), (2000, 20), (50, 10), (2, 10)] {
        let (mut equal, mut lost, mut total) = (0, 0, 0);
        for _ in 0..100 {
            let (reference, document) = edited_pair(&mut random, vocabulary, percent);
            let index = ReferenceIndex::new(reference.tokens());
            let found = check(&reference, &document, aligner.align(&index, &document.tokens()));
            let best = slow_common_length(&reference.hashes, &document.hashes);
            assert!(found <= best);
            equal += usize::from(found == best);
            lost += best - found;
            total += best;
            let alone = align(&reference.tokens(), &document.tokens());
            assert_eq!(alone.hunks, aligner.hunks(), "what was aligned before does not matter");
        }
        assert!(equal >= 97, "{equal} of 100 equal for {vocabulary} words, {percent} %");
        assert!(lost * 200 <= total, "{lost} of {total} lost for {vocabulary} words, {percent} %");
    }
}

#[test]
fn hunks_of_random_rearrangements_make_up_both_texts() {
    let mut random = Random(99);
    for round in 0..300 {
        let size = 1 + random.below(30);
        let mut blocks: Vec<Vec<u64>> = (0..1 + random.below(8))
            .map(|_| (0..size).map(|_| random.below(if round % 2 == 0 { 1000 } else { 12 }) as u64).collect())
            .collect();
        let reference = Text::of_numbers(blocks.concat(), |at| (at / size) as u32);
        random.shuffle(&mut blocks);
        let copy = blocks[random.below(blocks.len())].clone();
        blocks.push(copy);
        blocks.swap_remove(random.below(blocks.len()));
        let mut words = blocks.concat();
        for _ in 0..random.below(4) {
            let position = random.below(words.len());
            words[position] = 7777;
        }
        let size = 1 + random.below(40);
        let document = Text::of_numbers(words, |at| (at / size) as u32);
        check(&reference, &document, &align(&reference.tokens(), &document.tokens()).hunks);
    }
}

#[test]
fn the_subsequence_is_a_longest_one() {
    let mut random = Random(5);
    let mut finder = SubsequenceFinder::default();
    for _ in 0..300 {
        let vocabulary = [2, 5, 40, 1000][random.below(4)];
        let [a, b] = [0, 1].map(|_| {
            let length = random.below(200);
            (0..length).map(|_| random.below(vocabulary) as u64).collect::<Vec<u64>>()
        });
        let mut pairs = Vec::new();
        finder.find_pairs(&a, &b, &mut pairs);
        let best = slow_common_length(&a, &b);
        assert_eq!(pairs.len(), best);
        assert!(pairs.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1));
        assert!(pairs.iter().all(|&(left, right)| a[left as usize] == b[right as usize]));
        finder.set_first(&a);
        assert_eq!(finder.length_with(&b), best);
    }
}

#[test]
fn sequences_beyond_the_bound_are_cut_at_their_unique_elements() {
    let a: Vec<u64> = (0..20_000).collect();
    let b: Vec<u64> = a.iter().map(|&at| if at % 3 == 0 { at + 1_000_000 } else { at }).collect();
    let mut pairs = Vec::new();
    SubsequenceFinder::default().find_pairs(&a, &b, &mut pairs);
    assert_eq!(pairs.len(), 13_333);
}

#[test]
fn adversarial_input_stays_within_bounds() {
    const SIZE: u64 = 20_000;
    let mut random = Random(3);
    let mut few = |limit: usize| (0..SIZE).map(|_| random.below(limit) as u64).collect::<Vec<u64>>();
    let (coins, more_coins, dice, more_dice) = (few(2), few(2), few(8), few(8));
    let mut blocks: Vec<Vec<u64>> = (0..SIZE / 10).map(|block| (block * 10..block * 10 + 10).collect()).collect();
    Random(4).shuffle(&mut blocks);
    let cases: [(&str, Vec<u64>, Vec<u64>); 9] = [
        ("one word", vec![1; SIZE as usize], vec![1; SIZE as usize / 2]),
        ("one word, one other", with(vec![1; SIZE as usize], 10_000), with(vec![1; SIZE as usize], 5_000)),
        ("two words", coins, more_coins),
        ("eight words", dice, more_dice),
        ("two periods", (0..SIZE).map(|at| at % 7).collect(), (0..SIZE).map(|at| at % 5).collect()),
        ("reversed", (0..SIZE).collect(), (0..SIZE).rev().collect()),
        ("every fourth changed", (0..SIZE).collect(), (0..SIZE).map(|at| at + u64::from(at % 4 == 0) * SIZE).collect()),
        ("shuffled blocks", (0..SIZE).collect(), blocks.concat()),
        ("one short text over and over", (0..50).collect(), (0..SIZE).map(|at| at % 50).collect()),
    ];
    for (name, left, right) in cases {
        for paragraph in [1, 40, usize::MAX] {
            let reference = Text::of_numbers(left.clone(), |at| (at / paragraph) as u32);
            let document = Text::of_numbers(right.clone(), |at| (at / paragraph) as u32);
            let start = Instant::now();
            let alignment = align(&reference.tokens(), &document.tokens());
            // Tens of milliseconds when optimised; anything quadratic would take minutes.
            assert!(start.elapsed() < Duration::from_secs(20), "{name}: {:?}", start.elapsed());
            check(&reference, &document, &alignment.hunks);
        }
    }
}

fn with(mut words: Vec<u64>, position: usize) -> Vec<u64> {
    words[position] = position as u64;
    words
}
