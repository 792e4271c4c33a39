//! The end of a letter: closing, name, address.

use super::draft::Draft;
use super::letter::Kind::{self, Address, Signature};
use super::lines::{after, after_any, has_word, is_one_of, tokens, words};
use super::shapes::{is_address, is_firm_address, is_name, is_named, is_postscript, is_signature_like};
use super::vocabulary::{FIRM, LIGHT, NO_NAMES, PARTICLES, SIGNERS, TITLES};

/// The longest closing line, in words.
const MOST_WORDS: usize = 8;
/// The most words that may follow a closing inside a line.
const MOST_TAIL_WORDS: usize = 12;
/// The closing is in the last this many lines, or above a list of names only.
const LAST_LINES: usize = 15;
const LIST_LINES: usize = 400;
/// A closing inside a line begins in its last this many bytes.
const TAIL_BYTES: usize = 240;
/// The longest closing that no list has, and the longest block of a name and an address, in words.
const MOST_CLOSING_WORDS: usize = 5;
const MOST_BLOCK_WORDS: usize = 24;

/// Marks closings, signatures and the addresses in them.
pub(super) fn mark(draft: &mut Draft) {
    let body: Vec<usize> = draft.body().collect();
    let found = find_all(draft, &body);
    if let Some(last) = found.last() {
        mark_repeats(draft, &body, last);
        // From the last to the first: splitting a line moves those after it.
        for closing in found.iter().rev() {
            apply(draft, &body, closing);
        }
    } else {
        mark_unclosed(draft, &body);
    }
}

/// A closing: the index of its line in the body, its offset in the line, and the number of signature lines below.
struct Closing {
    index: usize,
    offset: usize,
    signed: usize,
}

fn find_all(draft: &Draft, body: &[usize]) -> Vec<Closing> {
    let signs = |index: usize| is_signature_like(draft.line(body[index]));
    let list = (0..body.len()).rev().take(LIST_LINES).take_while(|&index| signs(index)).count();
    let mut index = body.len() - list.max(LAST_LINES).min(body.len());
    let mut found = Vec::new();
    while index < body.len() {
        let closing = find(draft, body, index, list);
        index += 1 + closing.as_ref().map_or(0, |closing| closing.signed);
        found.extend(closing);
    }
    found
}

/// The closing in this line, if the lines after it can be a signature.
fn find(draft: &Draft, body: &[usize], index: usize, list: usize) -> Option<Closing> {
    let line = draft.line(body[index]);
    let below = body.len() - index - 1;
    if let Some(closed) = closing(line) {
        let signed = signed_below(draft, &body[index + 1..], closed != Closed::Lightly);
        let told = body.get(index + 1 + signed).is_none_or(|&at| is_postscript(draft.line(at)));
        let enough = match closed {
            Closed::Barely => index + signed > 0,
            Closed::Firmly => signed > 0 || told && index > 0,
            Closed::Lightly if index > 0 && is_addressed(draft, &body[index + 1..][..signed]) => true,
            Closed::Lightly => index > 0 && told && (signed == 0 || is_signer(draft.line(body[index + 1]), MOST_WORDS)),
        };
        return enough.then_some(Closing { index, offset: 0, signed });
    }
    if below > list {
        return None;
    }
    if below > 0 && closes_before_name(draft, &body[index..]) {
        return (index > 0).then_some(Closing { index, offset: 0, signed: below });
    }
    let offset = closing_inside(line).or_else(|| if below == 0 { signed_tail(line) } else { None })?;
    Some(Closing { index, offset: with_thanks(line, offset), signed: below })
}

/// Whether a line of a few words with a comma stands above a name, which ends the letter with its address.
fn closes_before_name(draft: &Draft, lines: &[usize]) -> bool {
    let (line, name) = (draft.line(lines[0]), draft.line(lines[1]));
    lines.len() <= LAST_LINES
        && line.ends_with(',')
        && words(line, MOST_CLOSING_WORDS + 1) <= MOST_CLOSING_WORDS
        && line.starts_with(char::is_uppercase)
        && !draft.lines[lines[1]].gap
        && (is_name(name) || words(name, 2) == 1 && is_named(name, 1))
        && !is_address(line)
}

/// Whether lines are a name and, below it, an address: then anything may follow.
fn is_addressed(draft: &Draft, lines: &[usize]) -> bool {
    let (name, below) = match lines.split_first() {
        Some((&name, below)) => (name, below),
        None => return false,
    };
    is_name(draft.line(name)) && below.iter().any(|&at| is_firm_address(draft.line(at)))
}

fn signed_below(draft: &Draft, below: &[usize], firmly: bool) -> usize {
    // The name is directly below a firm closing, possibly with a description of the writer.
    let named = |line: &str| line.starts_with(char::is_uppercase) && !line.ends_with(['.', '!', '?', ':']);
    let first = below.first().map(|&at| draft.line(at));
    let first = usize::from(first.is_some_and(|line| firmly && named(line) && words(line, 9) <= MOST_WORDS));
    let signs = |at: &&usize| is_signature_like(draft.line(**at));
    first + below[first..].iter().take(LIST_LINES).take_while(signs).count()
}

/// How clearly a line closes a letter: only the phrase, the phrase with a name or more words, or only thanks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closed {
    Barely,
    Firmly,
    Lightly,
}

/// Whether a line is a closing.
pub(super) fn closing(line: &str) -> Option<Closed> {
    let (rest, firm) = phrase(line)?;
    if words(line, MOST_WORDS + 1) > MOST_WORDS {
        return None;
    }
    let named = rest.trim_start_matches([',', '.', ';', ':', '!', '-', '–', '—', '~', '*', '/', ' ', '\t', '\u{a0}']);
    let marked = named.len() < rest.trim_start().len();
    let signed = if marked { is_signer(named, 6) } else { firm && is_signer(named, 5) };
    let trailing = line.ends_with([',', '-', '–', '—'])
        && !has_word(rest, &["i", "we", "it", "that", "but"])
        && after_any(line, &["with", "in"]).is_none()
        && (firm || after_any(rest.trim_start(), &["for", "in", "again"]).is_some());
    match firm {
        true if named.is_empty() => Some(Closed::Barely),
        true if signed || trailing => Some(Closed::Firmly),
        false if named.is_empty() || signed || trailing => Some(Closed::Lightly),
        _ => None,
    }
}

/// What follows the phrase that a closing begins with, and whether it is a firm one.
fn phrase(line: &str) -> Option<(&str, bool)> {
    let (rest, firm) = match FIRM.after(line) {
        Some(rest) => (rest, true),
        None => (LIGHT.after(line)?, false),
    };
    let joined = rest.trim_start_matches([',', ' ', '.']);
    let second =
        after(joined, "and").or_else(|| joined.strip_prefix('&')).and_then(|more| FIRM.after(more.trim_start()));
    Some(second.map_or((rest, firm), |rest| (rest, true)))
}

/// What follows a closing phrase, when it can be the signer.
pub(super) fn after_closing(line: &str) -> Option<&str> {
    let (rest, _) = phrase(line)?;
    Some(rest.trim_start_matches(|c: char| !c.is_alphanumeric()))
}

fn is_signer(phrase: &str, most: usize) -> bool {
    if words(phrase, most + 1) > most || phrase.ends_with('?') {
        return false;
    }
    let describes = |word: &str| is_one_of(word, SIGNERS) || word.starts_with(char::is_uppercase);
    let begins = tokens(phrase).next().is_some_and(|word| is_one_of(word, &["a", "an", "your"]));
    is_named(phrase, most) || begins && tokens(phrase).all(describes)
}

/// Where a closing begins in a line that holds text as well.
fn closing_inside(line: &str) -> Option<usize> {
    let from = (line.len().saturating_sub(TAIL_BYTES)..line.len()).find(|&at| line.is_char_boundary(at))?;
    let bytes = line.as_bytes();
    (from.max(1)..line.len()).find(|&at| {
        bytes[at].is_ascii_uppercase() && bytes[at - 1].is_ascii_whitespace() && closes(&line[..at], &line[at..])
    })
}

/// Where the signature begins that follows the last sentence of a line: a closing, a name, an address.
fn signed_tail(line: &str) -> Option<usize> {
    let from = (line.len().saturating_sub(TAIL_BYTES)..line.len()).find(|&at| line.is_char_boundary(at))?;
    let bytes = line.as_bytes();
    (from.max(2)..line.len()).find(|&at| {
        let starts = bytes[at].is_ascii_uppercase() && bytes[at - 1].is_ascii_whitespace();
        let before = line[..if starts { at } else { 0 }].trim_end().trim_end_matches(['"', '\'', ')', '”', '’']);
        starts && ends_sentence(before) && words(before, 4) > 3 && is_signed(&line[at..])
    })
}

/// Whether a text ends with a sentence, and not with an initial or a title.
fn ends_sentence(text: &str) -> bool {
    let last = tokens(text).last().unwrap_or_default();
    text.ends_with(['!', '?']) || text.ends_with('.') && last.len() > 1 && !is_one_of(last, TITLES)
}

/// Whether the end of a line is a name, with a closing before it or an address after it.
fn is_signed(tail: &str) -> bool {
    let closing = match phrase(tail) {
        Some((rest, _)) if rest.starts_with([',', '.', '!', ';', ' ']) => {
            Some(rest.trim_start_matches([',', '.', '!', ';', ' ']))
        }
        _ => tail
            .split_once(", ")
            .filter(|(head, _)| words(head, MOST_CLOSING_WORDS) < MOST_CLOSING_WORDS)
            .map(|parts| parts.1),
    };
    let addressed = |text: &str| is_block(text) && has_address(text);
    if let Some(name) = closing {
        let alone = is_name(name) && words(name, 5) <= 4;
        return alone || addressed(name) || addressed(tail);
    }
    is_name(tail) && words(tail, 5) <= 4 && tail.split_whitespace().all(is_part_of_name) || addressed(tail)
}

/// Whether a word with a full stop is an initial or a title.
fn is_part_of_name(word: &str) -> bool {
    let bare = word.trim_end_matches('.');
    bare.len() == word.len() || bare.len() < 2 || is_one_of(bare, TITLES) || is_one_of(bare, &["jr", "sr", "esq"])
}

/// Whether all words are those of names and addresses.
fn is_block(text: &str) -> bool {
    let fits = |word: &str| {
        let first = word.chars().next().unwrap_or(' ');
        first.is_uppercase() || first.is_ascii_digit() || word.contains('@') || is_one_of(word, PARTICLES)
    };
    let first = tokens(text).next().unwrap_or_default();
    words(text, MOST_BLOCK_WORDS + 1) <= MOST_BLOCK_WORDS
        && tokens(text).all(fits)
        && first.starts_with(char::is_uppercase)
        && !is_one_of(first, NO_NAMES)
}

/// Whether a street, a ZIP code, a mail address or a telephone number is at some point of a block.
fn has_address(text: &str) -> bool {
    let starts = text.char_indices().filter(|&(at, _)| at == 0 || text.as_bytes()[at - 1].is_ascii_whitespace());
    starts.map(|(at, _)| &text[at..]).any(|rest| {
        let head = rest.char_indices().filter(|(_, c)| c.is_whitespace()).nth(3).map_or(rest, |(end, _)| &rest[..end]);
        is_firm_address(rest) || is_firm_address(head)
    })
}

/// Moves the start of a signature before a sentence that only thanks.
fn with_thanks(line: &str, offset: usize) -> usize {
    let before = line[..offset].trim_end();
    let start = before.trim_end_matches(['.', '!', '?']).rfind(['.', '!', '?']).map_or(0, |at| at + 1);
    let sentence = before.get(start..).unwrap_or_default();
    let bare = LIGHT.after(sentence.trim_start()).is_some_and(|rest| !rest.contains(char::is_alphanumeric));
    if bare && start > 0 { start + sentence.len() - sentence.trim_start().len() } else { offset }
}

fn closes(before: &str, line: &str) -> bool {
    let Some((rest, firm)) = phrase(line) else { return false };
    let name = rest.trim_start_matches([',', '.', ';', ':', '!', '-', '–', '—', ' ']);
    let marked = rest.starts_with([',', '.', ';', ':', '-', '–', '—', '!']);
    if firm {
        return name.is_empty() || is_signer(name, MOST_TAIL_WORDS) || marked && is_block(name) && has_address(name);
    }
    let ended = before.trim_end().ends_with(['.', '!', '?']);
    ended && marked && rest.starts_with(',') && is_signer(name, 4)
}

fn apply(draft: &mut Draft, body: &[usize], closing: &Closing) {
    for (below, &at) in body[closing.index + 1..][..closing.signed].iter().enumerate() {
        draft.kinds[at] = signed_kind(draft.line(at), below);
    }
    let at = body[closing.index];
    if closing.offset == 0 {
        draft.kinds[at] = Signature;
    } else {
        draft.split(at, closing.offset, Signature);
    }
}

/// "John Doe, MD" is a doctor directly below the closing, and in Maryland further down.
fn signed_kind(line: &str, below: usize) -> Kind {
    if is_firm_address(line) || below > 0 && is_address(line) { Address } else { Signature }
}

/// A text that repeats a letter is signed with the same lines each time.
fn mark_repeats(draft: &mut Draft, body: &[usize], closing: &Closing) {
    if closing.offset > 0 || closing.signed == 0 {
        return;
    }
    let block = &body[closing.index..=closing.index + closing.signed.min(LAST_LINES)];
    let mut index = 0;
    while index < closing.index {
        let pairs = block.iter().zip(&body[index..closing.index]);
        let same = pairs.take_while(|(one, other)| draft.line(**one) == draft.line(**other)).count();
        if same > 1 {
            for (below, &at) in body[index..index + same].iter().enumerate() {
                draft.kinds[at] = signed_kind(draft.line(at), below.saturating_sub(1));
            }
        }
        index += same.max(1);
    }
}

/// Without a closing: addresses at the very end, and the name above them or after the last sentence.
fn mark_unclosed(draft: &mut Draft, body: &[usize]) {
    let addressed = body.iter().rev().take(6).take_while(|&&at| is_firm_address(draft.line(at))).count();
    let rest = &body[..body.len() - addressed];
    // A letter that consists of an address only keeps it as its text.
    let Some((&above, text)) = rest.split_last() else { return };
    for &at in &body[rest.len()..] {
        draft.kinds[at] = Address;
    }
    let Some(&before) = text.last() else { return };
    let ended = |at: usize| draft.line(at).trim_end_matches(['"', '\'', ')', '”', '’']).ends_with(['.', '!', '?']);
    let short = |at: usize| words(draft.line(at).split(',').next().unwrap_or_default(), 4) <= 3;
    let named = |at: usize| is_name(draft.line(at));
    let alone = (addressed > 0 || ended(before) && short(above)) && named(above);
    // A name and, below it, the organisation that it represents.
    let earlier = text.len().checked_sub(2).map(|index| text[index]);
    let with_office = named(before)
        && short(before)
        && short(above)
        && !ended(above)
        && (addressed > 0 || named(above))
        && earlier.is_some_and(ended);
    if with_office {
        draft.kinds[before] = Signature;
    }
    if alone || with_office {
        draft.kinds[above] = Signature;
    }
}
