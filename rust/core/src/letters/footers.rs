//! What stands below a letter: the lines of mail programs, lists and the organisations that relay letters.
//!
//! Some footers are known by how they begin. Others are learnt from the collection: a short line that stands behind the
//! signature in at least 20 letters and a thousandth of all, and hardly ever elsewhere at the end of one. The last
//! sentence of a form letter is as frequent, but it stands before the signature. Where letters have no signature, a line
//! is learnt only if it has the words of a footer, ends the letter, and the letters differ in how they begin and in what
//! stands above the line. Counting is a sum, so that parts of a collection can be counted apart.

use std::collections::HashMap;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::Draft;
use super::Kind::{self, Footer, Main, Signature};
use super::lines::words;
use super::shapes::{is_address, is_postscript, is_sentence};
use super::vocabulary::{MARKS, OPENINGS, OPENINGS_BEHIND};
use crate::hash;

/// A line of so many words or more is never learnt.
const LONG: usize = 25;
/// The longest notice that is taken for how it begins, in words and lines.
const MOST_WORDS: usize = 160;
const MOST_LINES: usize = 15;
/// A footer stands in the last so many lines, or the last quarter.
const LAST_LINES: usize = 6;
const MOST_WINDOW: usize = 40;
const MIN_LETTERS: usize = 20;
/// A footer inside a line begins in its last so many bytes.
const INSIDE_BYTES: usize = 600;

/// Footers that are looked for inside a line.
static INSIDE: LazyLock<[Finder<'static>; 3]> =
    LazyLock::new(|| ["This message was sent by ", "This email was sent by ", "Sent from my i"].map(Finder::new));

/// The lines of a collection that are footers, by their hashes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footers {
    hashes: Vec<u64>,
}

impl Footers {
    /// Takes up hashes that were learnt before.
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

/// The hash of a line without its white space, whatever the case; a number is as good as any other.
fn line_hash(line: &str) -> u64 {
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

/// What is known of a line that ends letters.
#[derive(Clone, Copy, Default)]
struct Seen {
    letters: u32,
    behind: u32,
    last: u32,
    marked: bool,
    /// Which of 64 hashed lines stand above it, and which begin its letters: enough to tell one from many.
    above: u64,
    leads: u64,
}

/// Counts the lines at the end of letters; counters of parts of a collection can be merged.
#[derive(Default)]
pub struct FooterCounter {
    letters: usize,
    lines: HashMap<u64, Seen>,
}

impl FooterCounter {
    /// Counts the last lines of one letter.
    pub fn observe(&mut self, text: &str) {
        self.letters += 1;
        let mut draft = Draft::open(text, &Footers::default());
        draft.close();
        let foreign = |kind| matches!(kind, Kind::Quoted | Kind::Header | Kind::Footer);
        let own: Vec<usize> = (0..draft.lines.len()).filter(|&at| !foreign(draft.kinds[at])).collect();
        let signed = |place: &usize| matches!(draft.kinds[own[*place]], Signature | Kind::Address);
        let last = own.iter().rposition(|&at| draft.kinds[at] == Signature);
        let signature = last.map(|last| last - (0..last).rev().take_while(signed).count());
        let mut counted: Vec<u64> = Vec::new();
        for place in window(own.len())..own.len() {
            let line = draft.line(own[place]);
            if !is_countable(line, draft.kinds[own[place]]) {
                continue;
            }
            let hash = line_hash(line);
            if counted.contains(&hash) {
                continue;
            }
            counted.push(hash);
            let fresh = || Seen { marked: is_marked(line), ..Seen::default() };
            let seen = self.lines.entry(hash).or_insert_with(fresh);
            seen.letters += 1;
            // The line below the closing is the writer's name.
            seen.behind += u32::from(signature.is_some_and(|first| place > first + 1));
            seen.last += u32::from(place + 3 > own.len());
            if seen.marked {
                let bit = |at: Option<&usize>| at.map_or(0, |&at| 1 << (line_hash(beginning(draft.line(at))) & 63));
                seen.above |= bit(place.checked_sub(1).and_then(|above| own.get(above)));
                seen.leads |= bit(own.iter().find(|&&at| words(draft.line(at), 5) >= 5));
            }
        }
    }

    /// Adds what another counter saw.
    pub fn merge(&mut self, other: Self) {
        self.letters += other.letters;
        for (hash, more) in other.lines {
            let seen = self.lines.entry(hash).or_default();
            seen.letters += more.letters;
            seen.behind += more.behind;
            seen.last += more.last;
            seen.marked |= more.marked;
            seen.above |= more.above;
            seen.leads |= more.leads;
        }
    }

    /// The lines that are footers.
    pub fn finish(&self) -> Footers {
        let needed = MIN_LETTERS.max(self.letters.div_ceil(1000)) as u32;
        let frequent = self.lines.iter().filter(|(_, seen)| seen.letters >= needed);
        Footers::from_hashes(frequent.filter(|(_, seen)| is_footer(seen)).map(|(&hash, _)| hash).collect())
    }
}

fn is_footer(seen: &Seen) -> bool {
    // Sixteen of 64 are set by about eighteen different lines.
    let varied = seen.above.count_ones() >= 16 && seen.leads.count_ones() >= 16;
    let share = |part: u32, percent: u64| u64::from(part) * 100 >= u64::from(seen.letters) * percent;
    share(seen.behind, 80) || seen.marked && varied && share(seen.last, 95)
}

fn is_countable(line: &str, kind: Kind) -> bool {
    let size = words(line, LONG);
    matches!(kind, Main | Signature)
        && size < LONG
        && (size >= 3 || is_marked(line))
        && !is_address(line)
        && !is_postscript(line)
        && super::closings::closing(line).is_none()
}

fn is_marked(line: &str) -> bool {
    let folded = line.to_ascii_lowercase();
    MARKS.iter().any(|mark| folded.contains(mark))
}

/// As much of a line as tells it from others.
fn beginning(line: &str) -> &str {
    let end = (64..68).find(|&end| end >= line.len() || line.is_char_boundary(end)).unwrap_or(0);
    line.get(..end).unwrap_or(line)
}

/// Where the end of a letter of so many lines begins.
fn window(lines: usize) -> usize {
    lines - (lines / 4).clamp(LAST_LINES, MOST_WINDOW).min(lines)
}

/// Marks the footers that are known.
pub(super) fn mark(draft: &mut Draft, footers: &Footers) {
    cut_inside(draft);
    let body: Vec<usize> = draft.body().collect();
    let mut place = window(body.len());
    while place < body.len() {
        let line = draft.line(body[place]);
        let size = if OPENINGS.after(line).is_some() {
            paragraph(draft, &body[place..])
        } else if is_delimiter(draft, &body[place..]) {
            body.len() - place
        } else {
            usize::from(footers.holds(line))
        };
        body[place..place + size].iter().for_each(|&at| draft.kinds[at] = Footer);
        place += size.max(1);
    }
}

/// Marks what can only behind a signature be a footer.
pub(super) fn mark_behind(draft: &mut Draft) {
    let Some(signature) = draft.kinds.iter().rposition(|&kind| kind == Signature) else { return };
    let body: Vec<usize> = draft.body().filter(|&at| at > signature).collect();
    for place in 0..body.len() {
        let line = draft.line(body[place]);
        if draft.kinds[body[place]] == Main && OPENINGS_BEHIND.after(line).is_some() {
            let size = paragraph(draft, &body[place..]);
            body[place..place + size].iter().for_each(|&at| draft.kinds[at] = Footer);
        }
    }
}

/// The number of lines of the paragraph, 0 if it is too long for a footer or long and without the marks of one.
fn paragraph(draft: &Draft, lines: &[usize]) -> usize {
    let follows = |pair: &&[usize]| pair[1] == pair[0] + 1 && !draft.lines[pair[1]].gap;
    let size = (1 + lines.windows(2).take_while(follows).count()).min(MOST_LINES);
    let total: usize = lines[..size].iter().map(|&at| words(draft.line(at), MOST_WORDS)).sum();
    let believed = total < LONG || total < MOST_WORDS && lines[..size].iter().any(|&at| is_marked(draft.line(at)));
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

/// Cuts off a footer that stands on one line with the text.
fn cut_inside(draft: &mut Draft) {
    let Some(last) = draft.body().next_back() else { return };
    let line = draft.line(last);
    let from = line.len().saturating_sub(INSIDE_BYTES);
    let found = INSIDE.iter().filter_map(|opening| opening.find(&line.as_bytes()[from..])).min();
    if let Some(offset) = found.filter(|&offset| from + offset > 0) {
        draft.split(last, from + offset, Footer);
    }
}
