//! Text in a letter that is not its own: mail headers in the body, and quoted or forwarded messages.
//!
//! A header block before the first sentence belongs to the letter; so does one directly after it, in a message that was
//! forwarded without comment. After text of the writer, a header block or a line such as "Original Message" opens a
//! quotation that extends to the end. Lines marked with `>` are quotations anywhere, if there is evidence that they are
//! not a list: a line such as "On … wrote:", a second level, or text that continues from line to line.

use super::draft::Draft;
use super::letter::Kind::{Header, Main, Notice, Quoted, Subject};
use super::lines::{after, after_any, has_word, is_one_of, words};
use super::vocabulary::{OTHER_HEADERS, SEPARATORS, SUBJECT_FIELDS, WROTE};

/// Which headers a block has.
const FROM: u8 = 1;
const TO: u8 = 2;
const DATE: u8 = 4;
const SUBJECT: u8 = 8;
const OTHER: u8 = 16;

/// A header block at or below this line is not the header of the letter itself.
const HEAD_LINES: usize = 12;

/// Marks header and quoted lines.
pub(super) fn mark(draft: &mut Draft) {
    let mut state = State::default();
    let mut at = 0;
    while at < draft.lines.len() {
        let step = step(draft, at, &mut state);
        if step == 0 {
            return;
        }
        at += step;
    }
}

#[derive(Default)]
struct State {
    /// A header block was found.
    headed: bool,
    /// Text of the writer was found.
    spoken: bool,
    /// A line such as "On … wrote:" was found.
    attributed: bool,
    /// There is no header block before this line: nothing is tried twice.
    no_header: usize,
    /// The marked lines before this one are a list.
    no_quote: usize,
}

/// Marks from this line on; returns the number of lines that were decided, 0 at the end.
fn step(draft: &mut Draft, at: usize, state: &mut State) -> usize {
    let line = draft.line(at);
    if let Some(lines) = opening(draft, at, state) {
        if state.spoken {
            draft.kinds[at..].fill(Quoted);
            return 0;
        }
        draft.kinds[at..at + lines].fill(Header);
        state.headed = true;
        return lines;
    }
    if let Some(lines) = attribution(draft, at) {
        let follows = at + lines < draft.lines.len() && quote_depth(draft.line(at + lines), true) > 0;
        if follows {
            state.attributed = true;
            draft.kinds[at..at + lines].fill(Quoted);
            return lines;
        }
        if state.spoken && is_mail_attribution(line) {
            draft.kinds[at..].fill(Quoted);
            return 0;
        }
    }
    let run = quoted_run(draft, at, state);
    if run > 0 {
        draft.kinds[at..at + run].fill(Quoted);
        return run;
    }
    state.spoken |= says_something(line, state.headed) || at >= HEAD_LINES;
    1
}

/// Before a header block, a stamp or a title is not text of the writer; after it, every word is. A subject never is.
fn says_something(line: &str, headed: bool) -> bool {
    let speech = headed || line.ends_with(['.', '!', '?', ',', ':', ';']);
    let subject = || header_field(line).is_some_and(|(name, _)| is_one_of(name, SUBJECT_FIELDS));
    speech && words(line, 1) > 0 && !subject()
}

/// The number of lines of a separator or a header block that begins here.
fn opening(draft: &Draft, at: usize, state: &mut State) -> Option<usize> {
    if is_separator(draft.line(at)) {
        return Some(1);
    }
    if at < state.no_header {
        return None;
    }
    let mut seen = header(draft.line(at))?;
    let mut end = at + 1;
    while end < draft.lines.len() {
        let (next, line) = (draft.lines[end], draft.line(end));
        match header(line) {
            Some(name) if !next.gap || seen & name == 0 => seen |= name,
            Some(_) => break,
            None if !next.gap && (next.from != next.start || line.contains('@') || line.ends_with(';')) => {}
            None => break,
        }
        end += 1;
    }
    let named = (seen & (FROM | TO | DATE | SUBJECT)).count_ones();
    // "From: Monday, To: Friday" is not a mail header.
    let mailed = seen & FROM != 0 && seen & (DATE | SUBJECT) != 0;
    if mailed || named >= 2 && !state.spoken {
        return Some(end - at);
    }
    state.no_header = end;
    None
}

/// The name and the value of a header line.
pub(super) fn header_field(line: &str) -> Option<(&str, &str)> {
    let window = line.as_bytes().get(..line.len().min(28))?;
    if !window.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'*') {
        return None;
    }
    let colon = memchr::memchr(b':', window)?;
    let name = line[..colon].trim_matches(['*', ' ', '\t']);
    Some((name, line[colon + 1..].trim_start_matches(['*', ' ', '\t'])))
}

fn header(line: &str) -> Option<u8> {
    let (name, _) = header_field(line)?;
    match name.len() {
        2 if name.eq_ignore_ascii_case("to") => Some(TO),
        4 if name.eq_ignore_ascii_case("from") => Some(FROM),
        4 if is_one_of(name, &["sent", "date"]) => Some(DATE),
        7 if name.eq_ignore_ascii_case("subject") => Some(SUBJECT),
        _ if is_one_of(name, OTHER_HEADERS) => Some(OTHER),
        length if length > 3 && name.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("x-")) => Some(OTHER),
        _ => None,
    }
}

fn is_separator(line: &str) -> bool {
    if line.len() > 120 {
        return false;
    }
    let bare = line.trim_start_matches(|c: char| !c.is_alphanumeric());
    let dashed = line.starts_with(['-', '_', '*']);
    let ends = |rest: &str| dashed || !rest.contains(char::is_alphanumeric);
    bare.starts_with(['O', 'o', 'F', 'f', 'B', 'b']) && after_any(bare, SEPARATORS).is_some_and(ends)
}

/// The number of lines of "On … wrote:" or "In article … writes:".
fn attribution(draft: &Draft, at: usize) -> Option<usize> {
    let line = draft.line(at);
    let ends = |line: &str| {
        let line = line.trim_end_matches(['.', ' ', '>']);
        ["wrote:", "writes:", "said:", "wrote"].iter().any(|end| {
            line.len()
                .checked_sub(end.len())
                .and_then(|cut| line.get(cut..))
                .is_some_and(|tail| tail.eq_ignore_ascii_case(end))
        })
    };
    let opens = after(line, "on").or_else(|| after(line, "in article")).is_some();
    let detailed = |line: &str| line.bytes().any(|byte| byte.is_ascii_digit() || byte == b'@' || byte == b'<');
    if ends(line) && line.len() < 300 && words(line, 40) < 40 && (line.contains('@') || opens && detailed(line)) {
        return Some(1);
    }
    if announces(line) && is_timed(line) && words(line, 40) < 40 {
        return Some(1);
    }
    let next = (at + 1 < draft.lines.len() && !draft.lines[at + 1].gap).then(|| draft.line(at + 1))?;
    let two = opens && detailed(line) && ends(next) || announces(next) && is_timed(line) && !line.ends_with(['.', '!']);
    (two && words(line, 26) < 25 && words(next, 26) < 25).then_some(2)
}

/// Whether a line in any language announces a quotation: it ends in a colon and has an address, or a verb of writing.
fn announces(line: &str) -> bool {
    line.trim_end_matches(['>', ' ', '\u{a0}']).ends_with(':') && (line.contains('@') || has_word(line, WROTE))
}

/// Whether a mail program wrote the line: it gives the time of day or the address.
fn is_mail_attribution(line: &str) -> bool {
    after(line, "on").is_some() && (is_timed(line) || line.contains('@')) || is_timed(line)
}

/// Whether a time of day such as 14:05 is in the line.
fn is_timed(line: &str) -> bool {
    line.as_bytes()
        .windows(4)
        .any(|four| four[0].is_ascii_digit() && four[1] == b':' && four[2].is_ascii_digit() && four[3].is_ascii_digit())
}

/// How many quotation marks a line begins with; a colon counts only after an announcement.
fn quote_depth(line: &str, announced: bool) -> usize {
    let marked = line.trim_start_matches('|');
    if let Some(rest) = marked.strip_prefix('>') {
        return 1 + rest.bytes().take_while(|byte| b"> |".contains(byte)).filter(|&byte| byte == b'>').count();
    }
    let initials = line.bytes().take_while(u8::is_ascii_uppercase).count();
    let initialled = (1..=3).contains(&initials) && line[initials..].starts_with('>');
    usize::from(initialled || announced && (line.starts_with(": ") || line == ":" || line.starts_with("| ")))
}

/// The number of quoted lines that begin here.
fn quoted_run(draft: &Draft, at: usize, state: &mut State) -> usize {
    let (first, attributed) = (draft.line(at), state.attributed);
    // Most lines are not quotations: the first bytes decide.
    if at < state.no_quote || !attributed && !first.as_bytes().iter().take(4).any(|&byte| byte == b'>') {
        return 0;
    }
    let depth = |index: usize| quote_depth(draft.line(index), attributed);
    let run = (at..draft.lines.len()).take_while(|&index| depth(index) > 0).count();
    if run == 0 || attributed {
        return run;
    }
    let nested = (at..at + run).any(|index| depth(index) > 1);
    let runs_on = (at + 1..at + run)
        .any(|index| draft.line(index).trim_start_matches(['>', '|', ' ']).starts_with(char::is_lowercase));
    if nested || runs_on {
        return run;
    }
    state.no_quote = at + run;
    0
}

/// Turns quoted text into main text for a letter that has no other, or else its subject; a notice says that there is none.
pub(super) fn restore(draft: &mut Draft) {
    if draft.kinds.contains(&Notice) {
        return;
    }
    for kind in [Quoted, Subject] {
        let says = |sought| (0..draft.lines.len()).any(|at| draft.kinds[at] == sought && words(draft.line(at), 1) > 0);
        if !says(Main) && says(kind) {
            draft.kinds.iter_mut().filter(|other| **other == kind).for_each(|other| *other = Main);
        }
    }
}
