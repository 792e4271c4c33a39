//! Letters of others that a writer quotes in order to answer them.
//!
//! A sentence such as "The form letter says:" or "You wrote:" announces a quotation. What follows is quoted if it is set in
//! quotation marks and has 20 words or more, or if its lines begin with `>`; on lines of its own or inside a line. A
//! quotation that nothing announces stays main text, since many letters agree with the words of a politician; so does
//! one in a letter that has no other text.

use memchr::{memchr, memchr2};

use super::draft::Draft;
use super::letter::Kind::{Main, Quoted};
use super::lines::{has_word, is_one_of, tokens, words};
use super::vocabulary::{LETTER_WORDS, SAYS};

const LEAST_WORDS: usize = 20;
const MOST_LINES: usize = 60;
/// The longest announcement, in words.
const MOST_WORDS: usize = 15;
const OPEN: [char; 4] = ['"', '“', '«', '„'];
const CLOSED: [char; 4] = ['"', '”', '»', '“'];

/// Marks announced quotations.
pub(super) fn mark(draft: &mut Draft) {
    // Most letters have none of the signs; the first bytes of the quotation marks outside ASCII are enough to tell.
    let bytes = draft.text.as_bytes();
    if memchr(b':', bytes).is_none() || memchr2(b'"', b'>', bytes).or_else(|| memchr2(0xe2, 0xc2, bytes)).is_none() {
        return;
    }
    let mut at = 0;
    while at < draft.lines.len() {
        if draft.kinds[at] == Main {
            at += quote_below(draft, at);
            quote_inside(draft, at);
        }
        at += 1;
    }
}

/// Marks the lines below an announcement that are quoted, and returns their number.
fn quote_below(draft: &mut Draft, at: usize) -> usize {
    if !announces(draft.line(at)) || at + 1 == draft.lines.len() {
        return 0;
    }
    let below = &draft.lines[at + 1..];
    let marked = below.iter().take_while(|line| line.of(draft.text).starts_with('>')).count();
    let closes = |line: &str| line.trim_end_matches(['.', ',', ' ']).ends_with(CLOSED);
    let size = if marked > 0 {
        marked
    } else if draft.line(at + 1).starts_with(OPEN) {
        below.iter().take(MOST_LINES).position(|line| closes(line.of(draft.text))).map_or(0, |last| last + 1)
    } else {
        0
    };
    let total: usize = (at + 1..=at + size).map(|line| words(draft.line(line), LEAST_WORDS)).sum();
    if marked == 0 && total < LEAST_WORDS {
        return 0;
    }
    draft.kinds[at + 1..=at + size].fill(Quoted);
    size
}

/// Splits a line around a quotation that it announces.
fn quote_inside(draft: &mut Draft, at: usize) {
    let line = draft.line(at);
    let Some(colon) = line
        .match_indices(':')
        .map(|(colon, _)| colon + 1)
        .find(|&end| line[end..].trim_start().starts_with(OPEN) && announces(&line[..end]))
    else {
        return;
    };
    let start = line.len() - line[colon..].trim_start().len();
    let body = start + line[start..].chars().next().map_or(0, char::len_utf8);
    let Some(end) =
        line[body..].char_indices().find(|(_, c)| CLOSED.contains(c)).map(|(end, c)| body + end + c.len_utf8())
    else {
        return;
    };
    if words(&line[start..end], LEAST_WORDS) < LEAST_WORDS {
        return;
    }
    if end < line.len() {
        draft.split(at, end, Main);
    }
    draft.split(at, start, Quoted);
}

/// Whether the last sentence of a text announces the letter of another writer.
fn announces(text: &str) -> bool {
    let Some(bare) = text.trim_end().strip_suffix(':') else { return false };
    let start = bare.rfind(['.', '!', '?']).map_or(0, |at| at + 1);
    let sentence = &bare[start..];
    words(sentence, MOST_WORDS + 1) <= MOST_WORDS && has_word(sentence, SAYS) && {
        let words: Vec<&str> = tokens(sentence).collect();
        let says = |word: &&str| is_one_of(word, SAYS);
        let speaks = |pair: &[&str]| is_one_of(pair[0], LETTER_WORDS) && pair[1..].iter().any(says);
        has_word(sentence, &["form", "template"]) || words.windows(2).any(speaks) || words.windows(3).any(speaks)
    }
}
