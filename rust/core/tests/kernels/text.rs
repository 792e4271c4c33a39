use neardup_core::support::hash;
use neardup_core::text::characters::unicode::{MARK, SINGLE, WORD, properties};
use neardup_core::text::characters::utf8;
use neardup_core::text::collapse::representatives;
use neardup_core::text::fingerprint::Fingerprint;
use neardup_core::text::markup;
use neardup_core::text::normaliser::{Form, Normaliser};
use neardup_core::text::words::tokens::{Tokens, fold_into};
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

use crate::{PLAIN, cases};

/// Characters that the tokeniser treats differently, and any others.
fn texts() -> impl Strategy<Value = String> {
    let chosen = prop::sample::select(
        "abcXYZ019_ \t\n.,!?-éßΣωя中文かなไทย❤👍🏽🇩\u{fe0f}\u{301}\u{327}\u{3099}\u{1100}\u{1161}\u{11a8}ﬁＡ①\0\u{a0}"
            .chars()
            .collect::<Vec<_>>(),
    );
    prop::collection::vec(prop_oneof![8 => chosen, 1 => any::<char>()], 0..200)
        .prop_map(|characters| characters.into_iter().collect())
}

/// The spans of tokens, character by character.
fn slow_spans(text: &str) -> Vec<(usize, usize)> {
    let mut spans: Vec<(usize, usize, bool)> = Vec::new();
    for (start, character) in text.char_indices() {
        let end = start + character.len_utf8();
        let kind = match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => WORD,
            '\0'..='\x7f' => 0,
            _ => properties(character),
        };
        if kind & SINGLE != 0 {
            spans.push((start, end, true));
        } else if kind & WORD != 0 {
            match spans.last_mut() {
                Some(last) if last.1 == start && (!last.2 || kind & MARK != 0) => last.1 = end,
                _ => spans.push((start, end, false)),
            }
        }
    }
    let blank = |c: char| c.is_whitespace() || c.is_control();
    let trimmed = text.trim_matches(blank);
    if spans.is_empty() && !trimmed.is_empty() {
        let start = text.len() - text.trim_start_matches(blank).len();
        return vec![(start, start + trimmed.len())];
    }
    spans.into_iter().map(|(start, end, _)| (start, end)).collect()
}

fn read(text: &str) -> Tokens {
    let mut tokens = Tokens::default();
    tokens.read(text);
    tokens
}

/// A piece of a page.
#[derive(Clone, Debug)]
enum Piece {
    Word(String),
    Space,
    Tag(&'static str),
    /// An entity, and the character that it encodes.
    Entity(&'static str, char),
}

fn pieces() -> impl Strategy<Value = Vec<Piece>> {
    let tags = [
        "<b>",
        "</b>",
        "<p class=\"a>b\">",
        "</div>",
        "<br/>",
        "<td>",
        "<!-- a < b -->",
        "<script>var a = '<p>';</script>",
        "<style>p {}</style>",
    ];
    let entities = [("&amp;", '&'), ("&lt;", '<'), ("&eacute;", 'é'), ("&#65;", 'A'), ("&#x4e2d;", '中')];
    let piece = prop_oneof![
        4 => "[a-zé中.]{1,6}".prop_map(Piece::Word),
        2 => Just(Piece::Space),
        3 => prop::sample::select(tags.to_vec()).prop_map(Piece::Tag),
        1 => prop::sample::select(entities.to_vec()).prop_map(|(name, character)| Piece::Entity(name, character)),
    ];
    prop::collection::vec(piece, 0..40)
}

/// The page, and each of its visible characters with its span in the page.
fn write_page(pieces: &[Piece]) -> (String, Vec<(char, usize, usize)>) {
    let (mut page, mut visible) = (String::new(), Vec::new());
    for piece in pieces {
        let start = page.len();
        match piece {
            Piece::Word(word) => {
                let span = |(at, c): (usize, char)| (c, start + at, start + at + c.len_utf8());
                visible.extend(word.char_indices().map(span));
                page.push_str(word);
            }
            Piece::Space => page.push_str(" \n "),
            Piece::Tag(tag) => page.push_str(tag),
            Piece::Entity(name, character) => {
                visible.push((*character, start, start + name.len()));
                page.push_str(name);
            }
        }
    }
    (page, visible)
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn tokens_are_those_found_character_by_character(text in texts()) {
        let tokens = read(&text);
        let spans: Vec<(usize, usize)> =
            tokens.starts.iter().zip(&tokens.ends).map(|(&start, &end)| (start as usize, end as usize)).collect();
        prop_assert_eq!(&spans, &slow_spans(&text));
        let mut folded = Vec::new();
        for (&(start, end), &found) in spans.iter().zip(&tokens.hashes) {
            fold_into(&text[start..end], &mut folded);
            prop_assert_eq!(found, hash::word(&folded));
        }
    }

    #[test]
    fn token_hashes_ignore_ascii_case(text in texts()) {
        prop_assert_eq!(read(&text.to_ascii_uppercase()).hashes, read(&text.to_ascii_lowercase()).hashes);
    }

    #[test]
    fn normalised_tokens_are_those_of_the_whole_text_and_lead_back(text in texts(), compatible in any::<bool>()) {
        let form = if compatible { Form::Nfkc } else { Form::Nfc };
        let normal: String = if compatible { text.nfkc().collect() } else { text.nfc().collect() };
        let mut tokens = Tokens::default();
        let prepared = Normaliser { form, ..PLAIN }.read(&text, false, &mut tokens);
        prop_assert_eq!(&*prepared.text, normal.as_str());
        prop_assert_eq!(&tokens.hashes, &read(&normal).hashes);
        let mut last = 0;
        for (&start, &end) in tokens.starts.iter().zip(&tokens.ends) {
            let (first, end) = prepared.original_span(start as usize, end as usize);
            prop_assert!(last <= first && first < end && end <= text.len());
            prop_assert!(text.is_char_boundary(first) && text.is_char_boundary(end));
            last = first;
        }
    }

    #[test]
    fn visible_characters_of_a_page_keep_their_offsets(pieces in pieces()) {
        let (page, visible) = write_page(&pieces);
        let stripped = markup::strip(&page);
        let found: Vec<(char, usize, usize)> = stripped
            .text
            .char_indices()
            .filter(|(_, c)| !c.is_whitespace())
            .map(|(at, c)| (c, stripped.source_of_start(at), stripped.source_of_end(at + c.len_utf8())))
            .collect();
        prop_assert_eq!(found, visible);
    }

    #[test]
    fn a_column_is_text_if_each_of_its_parts_is(bytes in prop::collection::vec(any::<u8>(), 0..40),
                                                text in texts(), cut in 0usize..300) {
        let content = [text.as_bytes(), &bytes].concat();
        let cut = cut.min(content.len());
        let expected = std::str::from_utf8(&content[..cut]).is_ok() && std::str::from_utf8(&content[cut..]).is_ok();
        prop_assert_eq!(utf8::is_column(&[0, cut as i64, content.len() as i64], &content), expected);
    }

    #[test]
    fn identical_texts_share_the_member_of_the_lowest_rank(
        texts in prop::collection::vec((0u128..6, 0u32..3, 0u32..2), 0..60), seed in any::<u64>(),
    ) {
        // Some hashes differ in their high half only.
        let prints: Vec<Fingerprint> =
            texts.iter().map(|&(hash, words, _)| Fingerprint { hash: (hash % 3) | ((hash / 3) << 64), words }).collect();
        let groups: Vec<u32> = texts.iter().map(|text| text.2).collect();
        let mut order: Vec<u32> = (0..texts.len() as u32).collect();
        order.sort_by_key(|&document| hash::mix(seed ^ u64::from(document)));
        let mut ranks = vec![0; texts.len()];
        order.iter().enumerate().for_each(|(rank, &document)| ranks[document as usize] = rank as u32);
        let slow = |document: usize| {
            let identity = |other: usize| (prints[other].hash, groups[other]);
            let same = |other: &usize| identity(*other) == identity(document);
            let empty = |other: usize| prints[other].words == 0;
            let copies = (0..texts.len()).filter(|other| same(other) && !empty(*other));
            if empty(document) { document } else { copies.min_by_key(|&other| ranks[other]).unwrap() }
        };
        let expected: Vec<u32> = (0..texts.len()).map(|document| slow(document) as u32).collect();
        prop_assert_eq!(representatives(&prints, &ranks, &groups), expected);
    }
}
