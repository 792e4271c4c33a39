//! Footers: the lines that mail programs, lists and relaying organisations add below a letter.
//!
//! Some footers are recognised by how they begin. Others are learnt from the collection: a short line that follows the
//! signature in at least 20 letters and a thousandth of all, and hardly ever occurs elsewhere at the end of a letter.
//! The last sentence of a form letter is as frequent, but it is before the signature. In letters without a signature, a
//! line is learnt only if it has the words of a footer, ends the letter, and the letters differ in how they begin and
//! in the line above it. Counts are sums, so that parts of a collection can be counted separately.

use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use super::draft::Draft;
use super::letter::Kind::{Footer, Main, Signature};
use super::lines::{has_word, words};
use super::shapes::{is_postscript, is_sentence};
use super::vocabulary::{FOOTER_PHRASES, FOOTER_WORDS, OPENINGS, OPENINGS_AFTER_SIGNATURE};
use crate::support::hash;

/// A line of this many words or more is never learnt.
pub(super) const LONG: usize = 25;
/// The longest notice that is recognised by how it begins, in words and lines.
const MOST_WORDS: usize = 160;
const MOST_LINES: usize = 15;
/// A footer is in the last this many lines, or in the last quarter.
const LAST_LINES: usize = 6;
const MOST_WINDOW: usize = 40;
/// A footer inside a line begins in its last this many bytes.
const INSIDE_BYTES: usize = 600;

/// Words of a writer about herself.
const OWN: &[&str] = &["i", "my", "me", "i'm", "i've"];

/// Footers that are searched for inside a line.
static INSIDE: LazyLock<[Finder<'static>; 3]> =
    LazyLock::new(|| ["This message was sent by ", "This email was sent by ", "Sent from my i"].map(Finder::new));

/// The lines of a collection that are footers, by their hashes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footers {
    hashes: Vec<u64>,
}

impl Footers {
    /// Creates footers from stored hashes.
    pub fn from_hashes(mut hashes: Vec<u64>) -> Self {
        hashes.sort_unstable();
        hashes.dedup();
        Self { hashes }
    }

    /// The hashes, sorted, to be stored.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    fn holds(&self, line: &str) -> bool {
        !self.hashes.is_empty() && words(line, LONG) < LONG && self.hashes.binary_search(&line_hash(line)).is_ok()
    }
}

/// The hash of a line without white space, case and the value of numbers.
pub(super) fn line_hash(line: &str) -> u64 {
    let (mut state, mut digits) = (0xcbf2_9ce4_8422_2325u64, false);
    for byte in line.bytes() {
        let digit = byte.is_ascii_digit();
        if !(byte.is_ascii_whitespace() || digit && digits) {
            let folded = if digit { b'0' } else { byte.to_ascii_lowercase() };
            state = (state ^ u64::from(folded)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        digits = digit;
    }
    hash::mix(state)
}

pub(super) fn has_footer_words(line: &str) -> bool {
    let folded = line.to_ascii_lowercase();
    FOOTER_WORDS.iter().any(|mark| folded.contains(mark))
}

/// The line at which the end of a letter of this many lines begins.
pub(super) fn window(lines: usize) -> usize {
    lines - (lines / 4).clamp(LAST_LINES, MOST_WINDOW).min(lines)
}

/// Marks known footers.
pub(super) fn mark(draft: &mut Draft, footers: &Footers) {
    cut_inside(draft);
    let body: Vec<usize> = draft.body().collect();
    let mut index = window(body.len());
    while index < body.len() {
        let line = draft.line(body[index]);
        let size = if OPENINGS.after(line).is_some() {
            paragraph(draft, &body[index..])
        } else if is_delimiter(draft, &body[index..]) {
            body.len() - index
        } else {
            usize::from(footers.holds(line))
        };
        body[index..index + size].iter().for_each(|&at| draft.kinds[at] = Footer);
        index += size.max(1);
    }
}

/// Marks lines that are footers only after a signature.
pub(super) fn mark_after_signature(draft: &mut Draft) {
    let Some(signature) = draft.kinds.iter().rposition(|&kind| kind == Signature) else { return };
    let body: Vec<usize> = draft.body().filter(|&at| at > signature).collect();
    for index in 0..body.len() {
        let line = draft.line(body[index]);
        if draft.kinds[body[index]] != Main {
            continue;
        }
        let size = if OPENINGS_AFTER_SIGNATURE.after(line).is_some() {
            paragraph(draft, &body[index..])
        } else if index == 0 || draft.lines[body[index]].gap {
            notice_paragraph(draft, &body[index..])
        } else {
            0
        };
        body[index..index + size].iter().for_each(|&at| draft.kinds[at] = Footer);
    }
}

/// The number of lines of a paragraph below the signature that a program or an organisation added; 0 if the writer did.
fn notice_paragraph(draft: &Draft, lines: &[usize]) -> usize {
    let size = paragraph(draft, lines);
    let own = |&at: &usize| is_postscript(draft.line(at)) || has_word(draft.line(at), OWN);
    let phrased = |&at: &usize| {
        let folded = draft.line(at).to_ascii_lowercase();
        FOOTER_PHRASES.iter().any(|phrase| folded.contains(phrase))
    };
    if lines[..size].iter().any(phrased) && !lines[..size].iter().any(own) { size } else { 0 }
}

/// The number of lines of the paragraph; 0 if it is too long for a footer, or long and without the words of one.
fn paragraph(draft: &Draft, lines: &[usize]) -> usize {
    let follows = |pair: &&[usize]| pair[1] == pair[0] + 1 && !draft.lines[pair[1]].gap;
    let size = (1 + lines.windows(2).take_while(follows).count()).min(MOST_LINES);
    let total: usize = lines[..size].iter().map(|&at| words(draft.line(at), MOST_WORDS)).sum();
    let believed =
        total < LONG || total < MOST_WORDS && lines[..size].iter().any(|&at| has_footer_words(draft.line(at)));
    if believed { size } else { 0 }
}

/// Whether a line of dashes or the like opens a signature of a mail program or a list.
fn is_delimiter(draft: &Draft, lines: &[usize]) -> bool {
    let line = draft.line(lines[0]);
    let below = &lines[1..];
    if below.is_empty() || below.len() > MOST_LINES {
        return false;
    }
    if matches!(line, "--" | "—") {
        return below.iter().all(|&at| words(draft.line(at), LONG) < LONG);
    }
    let ruled = line.len() >= 5 && line.bytes().all(|byte| b"_=-*~".contains(&byte));
    ruled && below.iter().all(|&at| !is_sentence(draft.line(at)))
}

/// Cuts off a footer that is on one line with the text.
fn cut_inside(draft: &mut Draft) {
    let Some(last) = draft.body().next_back() else { return };
    let line = draft.line(last);
    let from = line.len().saturating_sub(INSIDE_BYTES);
    let found = INSIDE.iter().filter_map(|opening| opening.find(&line.as_bytes()[from..])).map(|at| from + at).min();
    let begins = |&at: &usize| OPENINGS.after(&line[at..]).is_some() && words(&line[at..], MOST_WORDS) < MOST_WORDS;
    let found = found.into_iter().chain(sentence_starts(line, from).find(begins)).chain(ruled_off(line, from)).min();
    if let Some(offset) = found.filter(|&offset| offset > 0) {
        draft.split(last, offset, Footer);
    }
}

/// Where a delimiter stands inside a line, with a footer after it and the end of a sentence, a name or an address before.
fn ruled_off(line: &str, from: usize) -> Option<usize> {
    let starts = memmem::find_iter(&line.as_bytes()[from..], b" ").map(|at| from + at + 1);
    starts.filter(|&at| line.is_char_boundary(at)).find(|&at| {
        let rule = line[at..].split(char::is_whitespace).next().unwrap_or_default();
        let footer = &line[at + rule.len()..];
        is_rule(rule) && is_footer(footer) && words(footer, MOST_WORDS) < MOST_WORDS && ends_letter(&line[..at])
    })
}

/// Whether a word is a delimiter: two dashes, or five marks or more.
fn is_rule(word: &str) -> bool {
    matches!(word, "--" | "—") || word.len() >= 5 && word.bytes().all(|byte| b"_=-*~".contains(&byte))
}

/// Whether a text has the phrases of a footer and is not the writer's.
fn is_footer(text: &str) -> bool {
    let folded = text.to_ascii_lowercase();
    FOOTER_PHRASES.iter().any(|phrase| folded.contains(phrase)) && !has_word(text, OWN)
}

/// Whether a text ends as a letter does: with a sentence, or with capitalised words and numbers as in a signature.
fn ends_letter(text: &str) -> bool {
    let text = text.trim_end();
    let signs = |word: &str| {
        word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit() || c == '(') || word.contains('@')
    };
    text.ends_with(['.', '!', '?', '"', '”']) || text.rsplit(' ').filter(|word| !word.is_empty()).take(2).all(signs)
}

/// Where capitalised words begin inside a line, from an offset on: after white space.
fn sentence_starts(line: &str, from: usize) -> impl Iterator<Item = usize> {
    let bytes = line.as_bytes();
    (from.max(1)..line.len()).filter(|&at| bytes[at].is_ascii_uppercase() && bytes[at - 1].is_ascii_whitespace())
}
