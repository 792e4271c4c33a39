//! Learns which lines of a collection are footers.

use std::collections::HashMap;

use super::closings::closing;
use super::footers::{Footers, LONG, has_footer_words, line_hash, window};
use super::letter::Kind::{self, Main, Signature};
use super::lines::words;
use super::marking;
use super::shapes::{is_address, is_postscript};

const MIN_LETTERS: usize = 20;

/// The counts of a line at the end of letters.
#[derive(Clone, Copy, Default)]
struct Seen {
    letters: u32,
    after: u32,
    last: u32,
    marked: bool,
    /// Bits of the hashed lines above it, and of those that begin its letters: enough to distinguish one from many.
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
        let mut draft = marking::open(text, &Footers::default());
        marking::close(&mut draft);
        let foreign = |kind| matches!(kind, Kind::Quoted | Kind::Header | Kind::Footer);
        let own: Vec<usize> = (0..draft.lines.len()).filter(|&at| !foreign(draft.kinds[at])).collect();
        let signed = |index: &usize| matches!(draft.kinds[own[*index]], Signature | Kind::Address);
        let last = own.iter().rposition(|&at| draft.kinds[at] == Signature);
        let signature = last.map(|last| last - (0..last).rev().take_while(signed).count());
        let mut counted: Vec<u64> = Vec::new();
        for index in window(own.len())..own.len() {
            let line = draft.line(own[index]);
            if !is_countable(line, draft.kinds[own[index]]) {
                continue;
            }
            let hash = line_hash(line);
            if counted.contains(&hash) {
                continue;
            }
            counted.push(hash);
            let fresh = || Seen { marked: has_footer_words(line), ..Seen::default() };
            let seen = self.lines.entry(hash).or_insert_with(fresh);
            seen.letters += 1;
            // The line below the closing is the writer's name.
            seen.after += u32::from(signature.is_some_and(|first| index > first + 1));
            seen.last += u32::from(index + 3 > own.len());
            if seen.marked {
                let bit = |at: Option<&usize>| at.map_or(0, |&at| 1 << (line_hash(beginning(draft.line(at))) & 63));
                seen.above |= bit(index.checked_sub(1).and_then(|above| own.get(above)));
                seen.leads |= bit(own.iter().find(|&&at| words(draft.line(at), 5) >= 5));
            }
        }
    }

    /// Adds the counts of another counter.
    pub fn merge(&mut self, other: Self) {
        self.letters += other.letters;
        for (hash, more) in other.lines {
            let seen = self.lines.entry(hash).or_default();
            seen.letters += more.letters;
            seen.after += more.after;
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
    share(seen.after, 80) || seen.marked && varied && share(seen.last, 95)
}

fn is_countable(line: &str, kind: Kind) -> bool {
    let size = words(line, LONG);
    matches!(kind, Main | Signature)
        && size < LONG
        && (size >= 3 || has_footer_words(line))
        && !is_address(line)
        && !is_postscript(line)
        && closing(line).is_none()
}

/// The beginning of a line, which is enough to distinguish it.
fn beginning(line: &str) -> &str {
    let end = (64..68).find(|&end| end >= line.len() || line.is_char_boundary(end)).unwrap_or(0);
    line.get(..end).unwrap_or(line)
}
