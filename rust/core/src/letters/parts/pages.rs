//! What portals and printers put around the text: fields above the letter, numbers and running lines of pages.
//!
//! A preamble is a block at the top with two or more lines "Name: value", and the headings of a portal among them. The
//! number of a page is on a line of its own: "Page 2 of 3", "- 2 -", or bare numbers that count from 1 or 2. A running line
//! is next to the break of a page or its number, and occurs at least twice, whatever its digits.

use super::draft::Draft;
use super::footers::line_hash;
use super::greetings::salutation;
use super::letter::Kind::{Header, Main};
use super::lines::{after_any, has_word, is_one_of, words};
use super::quotes::header_field;
use super::shapes::is_address;
use super::vocabulary::{PORTAL_WORDS, SUBJECT_FIELDS};

const PREAMBLE_LINES: usize = 16;
const MOST_FIELD_WORDS: usize = 3;
const MOST_VALUE_WORDS: usize = 10;
const MOST_HEADING_WORDS: usize = 8;
/// The longest running line, in words.
const MOST_RUNNING_WORDS: usize = 14;

/// Marks the preamble, the numbers of pages and the running lines.
pub(super) fn mark(draft: &mut Draft) {
    mark_pages(draft);
    mark_preamble(draft);
}

fn mark_preamble(draft: &mut Draft) {
    let body: Vec<usize> = draft.body().take(PREAMBLE_LINES).collect();
    let (mut fields, mut end) = (0, 0);
    for (index, &at) in body.iter().enumerate() {
        let line = draft.line(at);
        let is_field = is_field(line);
        if salutation(line).is_some() || !(is_field || is_heading(line) || fields > 0 && is_address(line)) {
            break;
        }
        fields += usize::from(is_field);
        end = index + 1;
    }
    if fields < 2 {
        return;
    }
    for &at in &body[..end] {
        // A subject keeps its kind, which is found later.
        let subject = header_field(draft.line(at)).is_some_and(|(name, _)| is_one_of(name, SUBJECT_FIELDS));
        if !subject {
            draft.kinds[at] = Header;
        }
    }
}

/// "Date Received: Feb 11, 2020", "Tracking No. 1k4-9gx2".
fn is_field(line: &str) -> bool {
    if after_any(line, &["tracking no", "tracking number", "docket no", "document no"]).is_some() {
        return words(line, MOST_VALUE_WORDS) < MOST_VALUE_WORDS;
    }
    header_field(line).is_some_and(|(name, value)| {
        name.starts_with(char::is_uppercase)
            && words(name, MOST_FIELD_WORDS + 1) <= MOST_FIELD_WORDS
            && words(value, MOST_VALUE_WORDS + 1) <= MOST_VALUE_WORDS
            && !value.ends_with(['!', '?'])
            && !(value.ends_with('.') && words(value, 4) > 3)
    })
}

fn is_heading(line: &str) -> bool {
    words(line, MOST_HEADING_WORDS + 1) <= MOST_HEADING_WORDS
        && line.starts_with(char::is_uppercase)
        && !line.ends_with(['.', '!', '?', ','])
        && has_word(line, PORTAL_WORDS)
        && (line.ends_with(':')
            || line.split_whitespace().all(|word| word.len() <= 3 || word.starts_with(char::is_uppercase)))
}

fn mark_pages(draft: &mut Draft) {
    let body: Vec<usize> = draft.body().collect();
    let numbers: Vec<(usize, usize, bool)> = body
        .iter()
        .enumerate()
        .filter_map(|(index, &at)| page_number(draft.line(at)).map(|(number, sure)| (index, number, sure)))
        .collect();
    let counted =
        numbers.windows(2).all(|pair| pair[1].1 == pair[0].1 + 1) && numbers.first().is_some_and(|first| first.1 <= 2);
    let alone = numbers.len() == 1 && numbers[0].0 + 1 < body.len();
    let breaks: Vec<usize> = (0..body.len()).filter(|&index| begins_page(draft, body[index])).collect();
    let edges: Vec<usize> = numbers.iter().filter(|each| each.2 || counted && !alone).map(|each| each.0).collect();
    if edges.is_empty() && breaks.is_empty() {
        return;
    }
    mark_running_lines(draft, &body, &edges, &breaks);
    edges.iter().for_each(|&index| draft.kinds[body[index]] = Header);
}

/// Lines next to the end of a page that occur again there, and are not much longer than a title.
fn mark_running_lines(draft: &mut Draft, body: &[usize], edges: &[usize], breaks: &[usize]) {
    let mut near: Vec<usize> = vec![0];
    near.extend(edges.iter().flat_map(|&index| [index.saturating_sub(1), index + 1]));
    near.extend(breaks.iter().flat_map(|&index| [index.saturating_sub(1), index]));
    near.retain(|&index| index < body.len() && !edges.contains(&index));
    near.sort_unstable();
    near.dedup();
    let fits =
        |index: &usize| (1..=MOST_RUNNING_WORDS).contains(&words(draft.line(body[*index]), MOST_RUNNING_WORDS + 1));
    let mut hashed: Vec<(u64, usize)> =
        near.into_iter().filter(fits).map(|index| (line_hash(draft.line(body[index])), index)).collect();
    hashed.sort_unstable();
    for group in hashed.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
        group.iter().for_each(|&(_, index)| draft.kinds[body[index]] = Header);
    }
}

/// Whether a form feed precedes the line.
fn begins_page(draft: &Draft, at: usize) -> bool {
    let line = draft.lines[at];
    draft.kinds[at] == Main && draft.text[line.from as usize..line.start as usize].contains('\u{c}')
}

/// The number of a page, and whether the line says that it is one.
fn page_number(line: &str) -> Option<(usize, bool)> {
    if line.len() > 20 {
        return None;
    }
    let said = after_any(line, &["page", "p.", "pg.", "pg"]);
    let rest = said.unwrap_or(line).trim_matches(|c: char| c.is_whitespace() || matches!(c, '-' | '–' | '—' | '|'));
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let number = rest[..digits].parse().ok().filter(|_| digits <= 3)?;
    let tail = rest[digits..].trim_start();
    let total = tail.trim_start_matches(['/', '|']).trim_start();
    let total = total.strip_prefix("of").unwrap_or(total).trim();
    let complete =
        tail.is_empty() || total.len() < tail.len() && !total.is_empty() && total.bytes().all(|b| b.is_ascii_digit());
    complete.then_some((number, said.is_some()))
}
