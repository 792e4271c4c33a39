//! Matches: runs of tokens of a text with the earlier runs that they are equal or similar to.

use rayon::prelude::*;

use crate::passages::alignment::{self, EqualRun};
use crate::passages::seeds::{TokenPlace, text_and_token};
use crate::passages::sequences::Sequences;
use crate::support::interrupt::checkpoint;

/// What counts as a passage.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The smallest number of tokens.
    pub min_words: usize,
    /// The smallest share of equal tokens; 1 for exact passages only.
    pub similarity: f64,
}

/// A run of tokens of a text, and the earlier run of tokens that it is equal or similar to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Match {
    /// The text.
    pub number: u32,
    /// The first token.
    pub start: u32,
    /// The token after the last one.
    pub end: u32,
    /// The text that the source is in.
    pub source: u32,
    /// The first token of the source.
    pub source_start: u32,
    /// The token after the last one of the source.
    pub source_end: u32,
    /// How many tokens are equal.
    pub equal: u32,
}

impl Match {
    /// A match of two equal runs.
    pub fn equal(place: TokenPlace, source: TokenPlace, words: usize) -> Self {
        let ((number, start), (source, source_start)) = (text_and_token(place), text_and_token(source));
        Self::spanning((number, source), &[EqualRun { a: start, b: source_start, words }])
    }

    /// The match of a text with a source, from the first to the last of these equal runs; there must be one.
    fn spanning((number, source): (u32, u32), runs: &[EqualRun]) -> Self {
        let (first, last) = (runs[0], runs[runs.len() - 1]);
        Self {
            number,
            start: first.a as u32,
            end: (last.a + last.words) as u32,
            source,
            source_start: first.b as u32,
            source_end: (last.b + last.words) as u32,
            equal: runs.iter().map(|run| run.words as u32).sum(),
        }
    }

    /// The number of tokens in the text.
    pub fn words(&self) -> usize {
        (self.end - self.start) as usize
    }

    /// The number of tokens in the source.
    pub fn source_words(&self) -> usize {
        (self.source_end - self.source_start) as usize
    }

    /// The number of tokens in the longer of the two.
    pub fn longer(&self) -> usize {
        self.words().max(self.source_words())
    }

    /// How far the text is from its source, in tokens.
    pub fn diagonal(&self) -> i64 {
        i64::from(self.start) - i64::from(self.source_start)
    }

    /// Whether another match is inside of this one, on both sides.
    pub fn contains(&self, other: &Self) -> bool {
        (self.number, self.source) == (other.number, other.source)
            && self.start <= other.start
            && other.end <= self.end
            && self.source_start <= other.source_start
            && other.source_end <= self.source_end
    }

    /// Whether all tokens of two runs of the same length are equal.
    pub fn is_equal(&self, sequences: &Sequences) -> bool {
        let text = &sequences.tokens(self.number)[self.start as usize..self.end as usize];
        text == &sequences.tokens(self.source)[self.source_start as usize..self.source_end as usize]
    }

    /// The longest match of equal runs around this one.
    pub fn extended(&self, sequences: &Sequences) -> Self {
        let (text, source) = (sequences.tokens(self.number), sequences.tokens(self.source));
        let (before, after) = (&text[..self.start as usize], &text[self.end as usize..]);
        let (source_before, source_after) =
            (&source[..self.source_start as usize], &source[self.source_end as usize..]);
        let left = before.iter().rev().zip(source_before.iter().rev()).take_while(|(a, b)| a == b).count() as u32;
        let right = after.iter().zip(source_after).take_while(|(a, b)| a == b).count() as u32;
        Self {
            start: self.start - left,
            end: self.end + right,
            source_start: self.source_start - left,
            source_end: self.source_end + right,
            equal: self.equal + left + right,
            ..*self
        }
    }

    /// Whether a match is long and similar enough.
    pub fn passes(&self, settings: Settings) -> bool {
        self.words().min(self.source_words()) >= settings.min_words
            && f64::from(self.equal) >= settings.similarity * self.longer() as f64
    }

    /// Whether the text and its source share tokens: they are places of one text that overlap.
    fn overlaps_itself(&self) -> bool {
        self.number == self.source && self.start < self.source_end && self.source_start < self.end
    }
}

/// Aligns exact matches and anchors outwards to matches that may be edited. Matches inside of others are dropped.
pub fn align(sequences: &Sequences, exact: Vec<Match>, anchors: Vec<Match>, settings: Settings) -> Vec<Match> {
    let mut all = exact;
    all.extend(anchors);
    all.par_sort_unstable_by_key(|found| {
        (found.number, found.source, found.start, found.source_start, u32::MAX - found.equal)
    });
    let pairs: Vec<&[Match]> = all.chunk_by(|a, b| (a.number, a.source) == (b.number, b.source)).collect();
    let mut aligned: Vec<Match> =
        pairs.par_iter().flat_map_iter(|pair| align_pair(sequences, pair, settings)).collect();
    aligned.par_sort_unstable();
    aligned
}

/// Aligns the anchors of one text and one source, which are sorted by their start.
fn align_pair(sequences: &Sequences, anchors: &[Match], settings: Settings) -> Vec<Match> {
    checkpoint();
    let (mut open, mut found): (Vec<Match>, Vec<Match>) = (Vec::new(), Vec::new());
    for anchor in anchors {
        open.retain(|tried: &Match| tried.end > anchor.start);
        if open.iter().any(|tried| tried.contains(anchor)) {
            continue;
        }
        if anchor.overlaps_itself() {
            found.push(*anchor);
            continue;
        }
        let runs = align_anchor(sequences, anchor);
        open.push(Match::spanning((anchor.number, anchor.source), &runs));
        let passing = passing_matches((anchor.number, anchor.source), &runs, settings);
        if anchor.passes(settings) && !passing.iter().any(|longer| longer.contains(anchor)) {
            found.push(*anchor);
        }
        found.extend(passing);
    }
    found
}

/// The equal runs around an anchor, in order.
fn align_anchor(sequences: &Sequences, anchor: &Match) -> Vec<EqualRun> {
    let (text, source) = (sequences.tokens(anchor.number), sequences.tokens(anchor.source));
    let (start, end) = (anchor.start as usize, anchor.end as usize);
    let (source_start, source_end) = (anchor.source_start as usize, anchor.source_end as usize);
    // Two places in one text may grow up to the middle between them.
    let middle = (anchor.number == anchor.source).then_some((source_end + start) / 2);
    let (lowest, highest) = (middle.unwrap_or(0), middle.unwrap_or(source.len()));
    let mut runs = alignment::extend_left(&text[lowest..start], &source[..source_start]);
    runs.iter_mut().for_each(|run| run.a += lowest);
    runs.push(EqualRun { a: start, b: source_start, words: end - start });
    let right = alignment::extend_right(&text[end..], &source[source_end..highest]);
    runs.extend(right.iter().map(|run| EqualRun { a: run.a + end, b: run.b + source_end, ..*run }));
    runs
}

/// The longest parts of an alignment that pass.
fn passing_matches(pair: (u32, u32), runs: &[EqualRun], settings: Settings) -> Vec<Match> {
    let whole = Match::spanning(pair, runs);
    if whole.passes(settings) {
        return vec![whole];
    }
    let (mut found, mut left) = (Vec::new(), vec![runs]);
    while let Some(runs) = left.pop() {
        let Some(part) = alignment::longest_similar(runs, settings.similarity) else { continue };
        let longest = Match::spanning(pair, &runs[part.clone()]);
        if longest.longer() < settings.min_words {
            continue;
        }
        if longest.passes(settings) {
            found.push(longest);
        }
        left.push(&runs[..part.start]);
        left.push(&runs[part.end..]);
    }
    found
}

/// Aligns a run of one text with a run of an earlier one, if they are similar enough.
pub fn align_places(sequences: &Sequences, place: &Match, settings: Settings) -> Option<Match> {
    let anchor = find_anchor(sequences, place)?;
    let runs = align_anchor(sequences, &anchor);
    let passing = passing_matches((place.number, place.source), &runs, settings);
    passing.into_iter().max_by_key(|found| (shared(found, place), std::cmp::Reverse(found.start)))
}

fn shared(a: &Match, b: &Match) -> u32 {
    a.end.min(b.end).saturating_sub(a.start.max(b.start))
}

/// A window of few tokens that is in both runs, on the diagonal that has most of them.
fn find_anchor(sequences: &Sequences, place: &Match) -> Option<Match> {
    let text = &sequences.tokens(place.number)[place.start as usize..place.end as usize];
    let source = &sequences.tokens(place.source)[place.source_start as usize..place.source_end as usize];
    let (a, b) = alignment::densest_anchor(text, source)?;
    let words = alignment::ANCHOR;
    let anchor = EqualRun { a: place.start as usize + a, b: place.source_start as usize + b, words };
    Some(Match::spanning((place.number, place.source), &[anchor]))
}
