//! The beginning of a letter: date, addresses, subject, salutation.

use super::draft::Draft;
use super::letter::Kind::{self, Address, Header, Main, Salutation, Subject};
use super::lines::{after, after_any, has_word, is_one_of, tokens, words};
use super::quotes::header_field;
use super::shapes::{is_address, is_date, is_firm_address, is_sentence};
use super::vocabulary::{ADDRESSED, ADDRESSEES, ALONE, DOCKET_WORDS, LABELS, SPEECH, SUBJECT_FIELDS, TITLES, WHOM};
use crate::letters::dockets::{DocketRules, docket_numbers};

/// The longest salutation, in words.
const MOST_WORDS: usize = 8;
/// The salutation is in the first this many lines; further down only if nothing but the head of a letter is above it.
const FIRST_LINES: usize = 5;
const HEAD_LINES: usize = 16;
/// The longest line that a label or a docket number makes part of the head, in words.
const MOST_LABEL_WORDS: usize = 12;
/// The same for a line of docket numbers only, whose dashes may be separate words.
const MOST_DOCKET_WORDS: usize = 20;

/// Marks everything before the text of the letter.
pub(super) fn mark(draft: &mut Draft, dockets: &DocketRules) {
    let body: Vec<usize> = draft.body().take(HEAD_LINES).collect();
    match find_salutation(draft, &body) {
        Some((index, length)) => {
            mark_head(draft, &body[..index], dockets);
            let at = body[index];
            draft.kinds[at] = Salutation;
            if length < draft.line(at).len() {
                draft.split(at, length, Main);
            }
            mark_repeats(draft, at);
            if length >= draft.line(at).len() {
                mark_labels(draft, &body[index + 1..], dockets);
            }
        }
        None => mark_labels(draft, &body, dockets),
    }
}

/// The line index in the body, and the length of the salutation.
fn find_salutation(draft: &Draft, body: &[usize]) -> Option<(usize, usize)> {
    for (index, &at) in body.iter().enumerate() {
        let line = draft.line(at);
        if let Some(length) = salutation(line) {
            return Some((index, length));
        }
        let long = words(line, 13) > 12;
        let subject = header_field(line).is_some_and(|(name, _)| is_one_of(name, SUBJECT_FIELDS));
        let talks = !subject && (long || index + 1 >= FIRST_LINES && is_sentence(line) && !is_address(line));
        if talks || long && words(line, 25) >= 25 {
            return None;
        }
    }
    None
}

/// The number of bytes of a line that are a greeting.
pub(super) fn salutation(line: &str) -> Option<usize> {
    if let Some(rest) = WHOM.after(line) {
        let marks = rest.len() - rest.trim_start_matches([',', ':', ';', '.', '!', '-', ' ']).len();
        return Some(line.len() - rest.len() + marks);
    }
    let (rest, alone) = match ADDRESSED.after(line) {
        Some(rest) => (rest, false),
        None => match ALONE.after(line) {
            Some(rest) => (rest, true),
            None => (to_somebody(line)?, false),
        },
    };
    let whole = words(line, MOST_WORDS + 1) <= MOST_WORDS && is_addressee(rest, alone, line);
    if whole {
        return Some(line.len());
    }
    let stop = terminator(rest)?;
    let (addressee, tail) = rest.split_at(stop);
    let length = line.len() - tail.len();
    let fits = words(&line[..length], MOST_WORDS + 1) <= MOST_WORDS && is_addressee(addressee, alone, &line[..length]);
    fits.then_some(length)
}

/// "To the EPA:", "Administrator Wheeler,": only with the mark at the end of the line.
fn to_somebody(line: &str) -> Option<&str> {
    if !line.ends_with([',', ':']) || words(line, 7) > 6 {
        return None;
    }
    let titled = after_any(line, &["administrator", "secretary", "senator", "president", "commissioner", "director"]);
    titled.or_else(|| after(line, "to"))
}

fn is_addressee(phrase: &str, alone: bool, line: &str) -> bool {
    let bare = phrase.trim_matches([',', ':', ';', '.', '!', '-', '–', '—', '/', ' ', '*']);
    if bare.is_empty() {
        return alone || line.ends_with([',', ':']);
    }
    if phrase.trim_end().ends_with('?') || has_word(bare, SPEECH) || alone && words(bare, 5) > 4 {
        return false;
    }
    let marked = phrase.trim_end().ends_with([',', ':', ';', '-', '–', '—']);
    let shouted = !line.bytes().any(|byte| byte.is_ascii_lowercase());
    // A comma inside means that the sentence continues, unless the line is a list of names.
    let listed = marked || !bare.contains([',', ':', '!']);
    let titled = after_any(line, &["mr", "ms", "mrs", "honorable", "the honorable"]).is_some();
    listed
        && (marked || !shouted || words(bare, 4) <= 3)
        && (marked || !titled)
        && tokens(bare).all(|word| word.starts_with(char::is_uppercase) || is_one_of(word, ADDRESSEES))
}

/// Where the greeting ends inside a line, after its mark.
fn terminator(rest: &str) -> Option<usize> {
    let limit = rest.char_indices().map(|(at, _)| at).take_while(|&at| at <= 100).last()?;
    let window = &rest[..limit];
    for (at, character) in window.char_indices() {
        let end = at + character.len_utf8();
        match character {
            ',' | ':' | ';' | '!' => return Some(end),
            '–' | '—' => return Some(end),
            '-' if window[..at].ends_with(' ') || window[end..].starts_with(['-', ' ']) => {
                return Some(end + window[end..].bytes().take_while(|&byte| byte == b'-').count());
            }
            '.' if !is_abbreviation(&window[..at]) && window[end..].starts_with(char::is_whitespace) => {
                return Some(end);
            }
            _ => {}
        }
    }
    None
}

fn is_abbreviation(before: &str) -> bool {
    let word = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    word.len() <= 1 || is_one_of(word, TITLES)
}

/// Marks the lines between the top and the salutation: subject, date, the block of an address.
fn mark_head(draft: &mut Draft, lines: &[usize], dockets: &DocketRules) {
    let firm = |at: &usize| is_firm_address(draft.line(*at));
    let honoured = |at: &usize| after_any(draft.line(*at), &["the honorable", "hon.", "attn", "attention"]).is_some();
    let last = lines.iter().rposition(firm).or_else(|| lines.iter().any(honoured).then_some(lines.len()));
    for (index, &at) in lines.iter().enumerate() {
        let line = draft.line(at);
        let brief = words(line, MOST_WORDS + 1) <= MOST_WORDS && !is_sentence(line);
        draft.kinds[at] = match (label(line, dockets), last) {
            (Main, Some(last)) if brief && index <= last => Address,
            (Main, Some(_)) if brief => Subject,
            (kind, _) => kind,
        };
    }
}

/// Below the salutation, or without one, only labelled lines are claimed, from the top down.
fn mark_labels(draft: &mut Draft, lines: &[usize], dockets: &DocketRules) {
    for &at in lines {
        match label(draft.line(at), dockets) {
            Main => return,
            kind => draft.kinds[at] = kind,
        }
    }
}

/// The kind of a labelled line: its subject, the date, sender and receiver.
fn label(line: &str, dockets: &DocketRules) -> Kind {
    let count = words(line, 25);
    let field = header_field(line).map_or("", |(name, _)| name);
    if count >= 25 {
        return Main;
    }
    if is_one_of(field, SUBJECT_FIELDS) || count <= MOST_DOCKET_WORDS && is_docket_line(line, dockets) {
        return Subject;
    }
    if count > MOST_LABEL_WORDS {
        return Main;
    }
    match field {
        _ if is_date(line) || is_one_of(field, &["to", "from", "date", "cc", "sent"]) => Header,
        _ if is_one_of(field, LABELS) => Address,
        _ => Main,
    }
}

fn is_docket_line(line: &str, dockets: &DocketRules) -> bool {
    let cited = docket_numbers(line, dockets);
    let mut at = 0;
    let mut covered = !cited.is_empty();
    for citation in &cited {
        covered &= tokens(&line[at..citation.start as usize]).all(|word| is_one_of(word, DOCKET_WORDS));
        at = citation.end as usize;
    }
    covered && tokens(&line[at..]).all(|word| is_one_of(word, DOCKET_WORDS))
}

/// A text that repeats a letter greets with the same line each time.
fn mark_repeats(draft: &mut Draft, salutation: usize) {
    let greeting = draft.line(salutation).to_owned();
    for at in salutation + 1..draft.lines.len() {
        if draft.kinds[at] == Main
            && draft.lines[at].end - draft.lines[at].start == greeting.len() as u32
            && draft.line(at) == greeting
        {
            draft.kinds[at] = Salutation;
        }
    }
}
