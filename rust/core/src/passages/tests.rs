use crate::passages::alignment::{EqualRun, extend_left, extend_right, longest_similar};
use crate::passages::sequences::Order;
use crate::passages::{Found, Settings, find};
use crate::text::collection::Collection;
use crate::text::normaliser::{Boilerplate, Form, Markup, Normaliser};

fn found(texts: &[&str], settings: Settings) -> Found {
    let normaliser = Normaliser { form: Form::Nfc, markup: Markup::Plain, boilerplate: Boilerplate::Keep };
    let ranks: Vec<u32> = (0..texts.len() as u32).collect();
    find(&Collection::new(texts, &[], normaliser), Order { ranks: &ranks, sources: &[] }, settings)
}

fn spans(found: &Found) -> Vec<(u32, u32, u32, bool)> {
    found.occurrences.iter().map(|one| (one.document, one.start, one.end, one.first)).collect()
}

#[test]
fn a_shared_run_is_a_passage_with_both_places() {
    let texts = ["x a b c d e f y", "z z a b c d e f", "a b c d e"];
    let exact = found(&texts, Settings { min_words: 5, similarity: 1.0 });
    assert_eq!(spans(&exact), [(0, 2, 13, true), (1, 4, 15, false), (2, 0, 9, false)]);
    assert!(exact.occurrences.iter().all(|one| one.similarity == 1.0));
}

#[test]
fn an_edited_run_is_found_with_its_similarity() {
    let texts = ["a b c d e f g h i j k l", "a b c d e f X h i j k l"];
    let edited = found(&texts, Settings { min_words: 10, similarity: 0.8 });
    assert_eq!(spans(&edited), [(0, 0, 23, true), (1, 0, 23, false)]);
    assert_eq!(edited.occurrences[1].similarity, 11.0 / 12.0);
    assert!(found(&texts, Settings { min_words: 10, similarity: 1.0 }).occurrences.is_empty());
}

#[test]
fn places_that_overlap_in_one_text_are_no_repetition() {
    let word = |count: usize| "a ".repeat(count);
    let settings = Settings { min_words: 5, similarity: 1.0 };
    assert!(found(&[&word(9)], settings).occurrences.is_empty());
    assert_eq!(spans(&found(&[&word(10)], settings)), [(0, 0, 9, true), (0, 10, 19, false)]);
}

#[test]
fn only_sources_have_first_places() {
    let normaliser = Normaliser { form: Form::Nfc, markup: Markup::Plain, boilerplate: Boilerplate::Keep };
    let texts = ["a b c d e x", "y a b c d e", "p q r s t", "p q r s t u"];
    let order = Order { ranks: &[1, 0, 2, 3], sources: &[false, true, false, false] };
    let settings = Settings { min_words: 5, similarity: 0.8 };
    let asked = find(&Collection::new(&texts, &[], normaliser), order, settings);
    assert_eq!(spans(&asked), [(1, 2, 11, true), (0, 0, 9, false)]);
}

#[test]
fn an_alignment_ends_after_the_last_equal_token_that_pays() {
    let a = [1, 2, 3, 4, 5, 6, 7, 8, 90, 91, 92];
    let b = [1, 2, 3, 0, 5, 6, 7, 8, 80, 81, 82];
    let runs = [EqualRun { a: 0, b: 0, words: 3 }, EqualRun { a: 4, b: 4, words: 4 }];
    assert_eq!(extend_right(&a, &b), runs);
    let inserted = [1, 2, 3, 7, 7, 4, 5, 6, 7, 8];
    let runs = [EqualRun { a: 0, b: 0, words: 3 }, EqualRun { a: 3, b: 5, words: 5 }];
    assert_eq!(extend_right(&a[..8], &inserted), runs);
    assert!(extend_right(&[1, 2], &[3, 4]).is_empty());
}

#[test]
fn an_alignment_to_the_left_mirrors_one_to_the_right() {
    let a: Vec<u32> = (0..60).map(|n| if n % 7 == 3 { 100 + n } else { n }).collect();
    let b: Vec<u32> = (0..60).filter(|n| n % 11 != 5).collect();
    let reversed = |tokens: &[u32]| tokens.iter().rev().copied().collect::<Vec<u32>>();
    let left = extend_left(&a, &b);
    let right = extend_right(&reversed(&a), &reversed(&b));
    let mirrored: Vec<EqualRun> = right
        .iter()
        .rev()
        .map(|run| EqualRun { a: a.len() - run.a - run.words, b: b.len() - run.b - run.words, words: run.words })
        .collect();
    assert_eq!(left, mirrored);
    assert!(left.iter().all(|run| a[run.a..run.a + run.words] == b[run.b..run.b + run.words]));
}

#[test]
fn the_longest_similar_part_is_that_of_all_ranges() {
    let runs: Vec<EqualRun> = [(0, 0, 9), (12, 11, 3), (20, 30, 1), (21, 35, 8), (30, 44, 10), (90, 60, 2)]
        .map(|(a, b, words)| EqualRun { a, b, words })
        .to_vec();
    let measure = |part: &[EqualRun]| {
        let gaps: usize = part
            .windows(2)
            .map(|pair| (pair[1].a - pair[0].a - pair[0].words).max(pair[1].b - pair[0].b - pair[0].words))
            .sum();
        let equal: usize = part.iter().map(|run| run.words).sum();
        (equal, equal + gaps)
    };
    for similarity in [0.5, 0.6, 0.7, 0.8, 0.9, 0.95] {
        let longest = (0..runs.len())
            .flat_map(|start| (start + 1..=runs.len()).map(move |end| start..end))
            .filter(|range| {
                let (equal, all) = measure(&runs[range.clone()]);
                equal as f64 >= similarity * all as f64
            })
            .map(|range| measure(&runs[range]).1)
            .max();
        let chosen = longest_similar(&runs, similarity).map(|range| measure(&runs[range]).1);
        assert_eq!(chosen, longest, "{similarity}");
    }
}
