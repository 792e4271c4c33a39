//! The head of a letter that shares its line with the text, as portals that drop line breaks leave it.
//!
//! "January 12, 2024 Docket Center 100 Main Avenue Washington, DC 20001 Re: Docket ID EPA-HQ-2024-0056 Dear Director, I
//! write …" A head ends in a greeting, or in the number of a docket before the first sentence. Before a greeting, all words
//! are those of names, addresses and dates, or follow a label such as "Re:".

use super::draft::Draft;
use super::greetings::salutation;
use super::letter::Kind::{self, Address, Header, Main, Salutation, Subject};
use super::lines::{has_word, is_one_of, tokens, words};
use super::shapes::{is_date, is_firm_address};
use super::vocabulary::{DOCKET_WORDS, PARTICLES, SUBJECT_FIELDS, TALK, WHOM};
use crate::letters::dockets::{DocketRules, docket_numbers};

/// The head is in the first this many bytes of a line, and has at most this many words.
const HEAD_BYTES: usize = 480;
const MOST_WORDS: usize = 48;
/// The longest subject before a greeting, in words.
const MOST_SUBJECT_WORDS: usize = 24;
/// The longest date, in words.
const MOST_DATE_WORDS: usize = 5;
/// A line of this many words has text, even if it has a label.
const LONG: usize = 25;
/// Words before a docket number that belong to a sentence unless a label precedes them.
const SMALL_WORDS: &[&str] = &["on", "for", "to", "the", "agency", "no", "dhs", "epa"];

/// Marks the head at the start of the first line, if text follows it there; says whether it did.
pub(super) fn mark(draft: &mut Draft, dockets: &DocketRules) -> bool {
    let body: Vec<usize> = draft.body().take(2).collect();
    let Some(&at) = body.first() else { return false };
    let alone = body.len() == 1;
    let line = draft.line(at);
    let Some(pieces) = read(line, alone, dockets) else { return false };
    // From the last to the first: splitting a line moves those after it.
    let ends: Vec<usize> = pieces.iter().map(|piece| piece.0).collect();
    for index in (0..pieces.len()).rev() {
        let next = pieces.get(index + 1).map_or(Main, |piece| piece.1);
        if ends[index] < line.len() {
            draft.split(at, ends[index], next);
        }
    }
    draft.kinds[at] = pieces[0].1;
    true
}

/// The end and the kind of each piece of the head.
fn read(line: &str, alone: bool, dockets: &DocketRules) -> Option<Vec<(usize, Kind)>> {
    let limit = (0..=line.len().min(HEAD_BYTES)).rev().find(|&at| line.is_char_boundary(at))?;
    let window = &line[..limit];
    if let Some((start, end)) = greeting(line, window) {
        if !is_head(&line[..start], dockets) {
            return None;
        }
        let mut pieces = divide(&line[..start]);
        pieces.push((end, Salutation));
        return Some(pieces);
    }
    let end = docket_end(window, dockets)?;
    let long = alone || words(line, LONG) >= LONG;
    (long && line[end..].contains(char::is_alphanumeric)).then(|| divide(&line[..end]))
}

/// The first greeting inside a line that has a mark at its end.
fn greeting(line: &str, window: &str) -> Option<(usize, usize)> {
    word_starts(window).skip(1).find_map(|at| {
        let rest = &line[at..];
        let opens = rest.starts_with("Dear ") || rest.starts_with("DEAR ") || WHOM.after(rest).is_some();
        let length = if opens { salutation(rest)? } else { return None };
        let greeting = rest[..length].trim_end();
        (opens && greeting.ends_with([',', ':', ';', '-', '–', '—'])).then_some((at, at + length))
    })
}

/// The offsets at which words begin.
fn word_starts(text: &str) -> impl Iterator<Item = usize> {
    let mut inside = false;
    text.char_indices().filter_map(move |(at, character)| {
        let starts = !inside && !character.is_whitespace();
        inside = !character.is_whitespace();
        starts.then_some(at)
    })
}

/// Whether everything before a greeting is date, addresses and subject.
fn is_head(head: &str, dockets: &DocketRules) -> bool {
    if words(head, MOST_WORDS + 1) > MOST_WORDS {
        return false;
    }
    let label = subject_start(head);
    let (block, subject) = head.split_at(label.unwrap_or(head.len()));
    let brief = words(subject, MOST_SUBJECT_WORDS + 1) <= MOST_SUBJECT_WORDS && !has_word(subject, &["i", "we", "my"]);
    let known = || date_end(block) > 0 || address_end(block) > 0 || !docket_numbers(block, dockets).is_empty();
    brief && is_block(block) && (label.is_some() || known())
}

/// Whether all words are those of names, addresses, dates and dockets.
fn is_block(text: &str) -> bool {
    let fits = |word: &str| {
        word.starts_with(char::is_uppercase)
            || word.bytes().any(|byte| byte.is_ascii_digit() || byte == b'@')
            || is_one_of(word, PARTICLES)
            || is_one_of(word, DOCKET_WORDS)
    };
    tokens(text).all(fits) && !has_word(text, TALK)
}

/// Where a label of the subject begins: "Re:", "Subject:", "Attention:".
fn subject_start(head: &str) -> Option<usize> {
    word_starts(head).find(|&at| {
        let word = head[at..].split_whitespace().next().unwrap_or_default();
        let name = word.strip_suffix(':').unwrap_or_default();
        is_one_of(name, SUBJECT_FIELDS) || is_one_of(name, &["attention", "attn"])
    })
}

/// The bytes of the date at the start of a text.
fn date_end(text: &str) -> usize {
    let ends = word_ends(text).take(MOST_DATE_WORDS).filter(|&end| is_date(text[..end].trim_end_matches(',')));
    ends.last().unwrap_or(0)
}

/// Where the last ZIP code of an address ends; 0 without one.
fn address_end(text: &str) -> usize {
    let ends = word_ends(text).filter(|&end| {
        let word = text[..end].rsplit(char::is_whitespace).next().unwrap_or_default();
        word.starts_with(|c: char| c.is_ascii_digit()) && is_firm_address(last_words(&text[..end], 3))
    });
    ends.last().unwrap_or(0)
}

/// The offsets at which words end.
fn word_ends(text: &str) -> impl Iterator<Item = usize> {
    word_starts(text).map(|at| at + text[at..].find(char::is_whitespace).unwrap_or(text.len() - at))
}

fn last_words(text: &str, count: usize) -> &str {
    text.rmatch_indices(char::is_whitespace).nth(count - 1).map_or(text, |(at, space)| &text[at + space.len()..])
}

/// The pieces of a head: date, address, subject. The last ends where the head does.
fn divide(head: &str) -> Vec<(usize, Kind)> {
    let shown = head.trim_end().len();
    let label = subject_start(head).unwrap_or(shown);
    let date = date_end(&head[..label]);
    let address = date + address_end(&head[date..label]);
    let mut pieces = Vec::with_capacity(4);
    for (end, kind) in [(date, Header), (address, Address), (shown, Subject)] {
        let start = pieces.last().map_or(0, |piece: &(usize, Kind)| piece.0);
        if head[start..end.max(start)].contains(char::is_alphanumeric) {
            pieces.push((end, kind));
        }
    }
    if let Some(last) = pieces.last_mut() {
        last.0 = head.len();
    }
    pieces
}

/// Where the docket numbers end that a line begins with, if a sentence begins after them.
fn docket_end(window: &str, dockets: &DocketRules) -> Option<usize> {
    let first = tokens(window).next()?;
    let opens = first.bytes().any(|byte| byte.is_ascii_digit())
        || is_one_of(first, DOCKET_WORDS) && !is_one_of(first, SMALL_WORDS)
        || subject_start(window) == Some(0)
        || date_end(window) > 0;
    if !opens {
        return None;
    }
    let cited = docket_numbers(window, dockets);
    let before = &window[..cited.first()?.start as usize];
    let label = subject_start(before);
    let block = &before[..label.unwrap_or_else(|| date_end(before).max(address_end(before)))];
    let start = label.map_or(block.len(), |at| at + before[at..].find(':').unwrap_or(0));
    let mut end = start;
    for citation in &cited {
        let between = window.get(end..citation.start as usize)?;
        if !tokens(between).all(|word| is_one_of(word, DOCKET_WORDS)) {
            break;
        }
        end = citation.end as usize;
    }
    let rest = &window[end..];
    let text = rest.trim_start_matches(['.', ':', ';', ')', ']', '-', '–', '—', ' ', '\u{a0}']);
    let begins = text.starts_with(|c: char| c.is_uppercase() || matches!(c, '"' | '“')) && text.len() < rest.len();
    (end > start && begins && is_block(block)).then(|| window.len() - text.len())
}
