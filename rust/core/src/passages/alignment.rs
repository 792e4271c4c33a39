//! Alignment of two sequences of tokens outwards from a common run, until they differ too much.
//!
//! The greedy algorithm of Zhang, Schwartz, Wagner & Miller 2000: for one edit after the other, the furthest token that
//! each diagonal reaches. A match scores 1, a replaced token -1 and an inserted or missing one -1.5, so that the score
//! depends only on the tokens reached and on the number of edits. Diagonals whose score is [`DROP`] below the best are
//! given up. The alignment ends where the score is highest, which is always after an equal token. Time is proportional
//! to the equal tokens and the edits.

use std::ops::Range;

use crate::support::hash::{CHAIN, fold};

/// Twice the score by which a diagonal may be below the best one.
const DROP: i64 = 24;
/// Twice the score that an edit costs: the tokens that it passes are counted as if they were equal.
const EDIT: i64 = 4;
/// The number of tokens of an anchor that [`densest_anchor`] looks for.
pub const ANCHOR: usize = 3;
/// Diagonals are counted in buckets of this many.
const BUCKET: i64 = 8;
/// A window that occurs more often in a source is no anchor.
const FREQUENT: usize = 8;

/// A run of equal tokens of two sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EqualRun {
    /// Where it begins in the first sequence.
    pub a: usize,
    /// Where it begins in the second sequence.
    pub b: usize,
    /// The number of tokens.
    pub words: usize,
}

/// Aligns two sequences from their starts on.
pub fn extend_right(a: &[u32], b: &[u32]) -> Vec<EqualRun> {
    Extension { a: |i| a[i], b: |i| b[i], lengths: (a.len(), b.len()), levels: Levels::default() }.align()
}

/// Aligns two sequences from their ends on; the runs are in ascending order.
pub fn extend_left(a: &[u32], b: &[u32]) -> Vec<EqualRun> {
    let lengths = (a.len(), b.len());
    let (from_a, from_b) = (|i: usize| a[lengths.0 - 1 - i], |i: usize| b[lengths.1 - 1 - i]);
    let backwards = Extension { a: from_a, b: from_b, lengths, levels: Levels::default() };
    let turned = |run: EqualRun| EqualRun { a: lengths.0 - run.a - run.words, b: lengths.1 - run.b - run.words, ..run };
    backwards.align().into_iter().rev().map(turned).collect()
}

/// Marks a diagonal that was given up; one more than it is below every token, too.
const NOWHERE: i64 = i64::MIN / 2;

/// For each number of edits, the furthest tokens that some neighbouring diagonals reach.
#[derive(Default)]
struct Levels {
    /// The lowest diagonal of each level, and where its tokens begin in `reached`.
    starts: Vec<(i64, usize)>,
    reached: Vec<i64>,
}

impl Levels {
    /// The lowest diagonal of a level and what each of its diagonals reached.
    fn level(&self, edits: usize) -> (i64, &[i64]) {
        let (lowest, start) = self.starts[edits];
        let end = self.starts.get(edits + 1).map_or(self.reached.len(), |next| next.1);
        (lowest, &self.reached[start..end])
    }
}

/// The best end of an alignment.
#[derive(Clone, Copy)]
struct End {
    score: i64,
    edits: usize,
    diagonal: i64,
    reached: i64,
}

struct Extension<A, B> {
    a: A,
    b: B,
    lengths: (usize, usize),
    levels: Levels,
}

impl<A: Fn(usize) -> u32, B: Fn(usize) -> u32> Extension<A, B> {
    fn align(mut self) -> Vec<EqualRun> {
        let reached = self.slide(0, 0);
        let mut best = End { score: 2 * reached, edits: 0, diagonal: 0, reached };
        self.levels.starts.push((0, 0));
        self.levels.reached.push(reached);
        while self.add_level(&mut best) {}
        self.trace(best)
    }

    /// Passes equal tokens from token `i` of the first sequence on; returns where they end.
    fn slide(&self, i: i64, diagonal: i64) -> i64 {
        let (mut i, mut j) = (i as usize, (i + diagonal) as usize);
        while i < self.lengths.0 && j < self.lengths.1 && (self.a)(i) == (self.b)(j) {
            (i, j) = (i + 1, j + 1);
        }
        i as i64
    }

    /// Computes what can be reached with one edit more; returns whether anything can.
    fn add_level(&mut self, best: &mut End) -> bool {
        let edits = self.levels.starts.len();
        let (last, count) = (self.levels.level(edits - 1).0, self.levels.level(edits - 1).1.len() as i64);
        let start = self.levels.reached.len();
        let mut lowest = last - 1;
        self.levels.starts.push((lowest, start));
        for diagonal in last - 1..=last + count {
            let mut here = self.after_edit(edits, diagonal).0;
            if here >= 0 {
                here = self.slide(here, diagonal);
                let score = 2 * here + diagonal - EDIT * edits as i64;
                if score > best.score {
                    *best = End { score, edits, diagonal, reached: here };
                } else if score < best.score - DROP {
                    here = NOWHERE;
                }
            }
            if here < 0 && self.levels.reached.len() == start {
                lowest = diagonal + 1;
            } else {
                self.levels.reached.push(here);
            }
        }
        while self.levels.reached.len() > start && self.levels.reached.last().is_some_and(|&last| last < 0) {
            self.levels.reached.pop();
        }
        self.levels.starts[edits] = (lowest, start);
        self.levels.reached.len() > start
    }

    /// Where a diagonal begins after the last of `edits` edits, and the diagonal before it: a replaced token stays on
    /// the diagonal, a token missing in the second sequence comes from the next one, an inserted one from the previous.
    fn after_edit(&self, edits: usize, diagonal: i64) -> (i64, i64) {
        let (lowest, reached) = self.levels.level(edits - 1);
        let at = |diagonal: i64| reached.get((diagonal - lowest) as usize).copied().unwrap_or(NOWHERE);
        let highest = (self.lengths.0 as i64).min(self.lengths.1 as i64 - diagonal);
        let fitting = |i: i64| if i <= highest && i + diagonal >= 0 { i } else { NOWHERE };
        let mut best = (fitting(at(diagonal) + 1), diagonal);
        for (i, before) in [(fitting(at(diagonal + 1) + 1), diagonal + 1), (fitting(at(diagonal - 1)), diagonal - 1)] {
            if i > best.0 {
                best = (i, before);
            }
        }
        best
    }

    /// The equal runs on the way to an end.
    fn trace(&self, end: End) -> Vec<EqualRun> {
        let (mut diagonal, mut reached) = (end.diagonal, end.reached);
        let mut runs = Vec::new();
        let mut add = |from: i64, to: i64, diagonal: i64| {
            if to > from {
                runs.push(EqualRun { a: from as usize, b: (from + diagonal) as usize, words: (to - from) as usize });
            }
        };
        for edits in (1..=end.edits).rev() {
            let (from, before) = self.after_edit(edits, diagonal);
            add(from, reached, diagonal);
            let (lowest, level) = self.levels.level(edits - 1);
            (diagonal, reached) = (before, level[(before - lowest) as usize]);
        }
        add(0, reached, diagonal);
        runs.reverse();
        runs
    }
}

/// The range of runs that covers most tokens and of whose tokens at least this share is equal.
pub fn longest_similar(runs: &[EqualRun], similarity: f64) -> Option<Range<usize>> {
    // Twice the surplus of equal tokens before and after each run, and the number of tokens up to there.
    let (mut surplus, mut columns) = (0.0, 0usize);
    let (mut before, mut after) = (Vec::with_capacity(runs.len()), Vec::with_capacity(runs.len()));
    for (index, run) in runs.iter().enumerate() {
        if let Some(last) = index.checked_sub(1).map(|last| runs[last]) {
            let gap = (run.a - last.a - last.words).max(run.b - last.b - last.words);
            columns += gap;
            surplus -= similarity * gap as f64;
        }
        before.push((surplus, columns));
        columns += run.words;
        surplus += (1.0 - similarity) * run.words as f64;
        after.push((surplus, columns));
    }
    // Only starts with a smaller surplus than all earlier starts can begin the longest range.
    let mut starts: Vec<usize> = Vec::new();
    for index in 0..runs.len() {
        if starts.last().is_none_or(|&last| before[index].0 < before[last].0) {
            starts.push(index);
        }
    }
    let mut best: Option<(usize, Range<usize>)> = None;
    for end in (0..runs.len()).rev() {
        while let Some(&start) = starts.last() {
            if start > end || after[end].0 < before[start].0 {
                if start <= end {
                    break;
                }
                starts.pop();
                continue;
            }
            let length = after[end].1 - before[start].1;
            if best.as_ref().is_none_or(|(longest, _)| length > *longest) {
                best = Some((length, start..end + 1));
            }
            starts.pop();
        }
    }
    best.map(|(_, range)| range)
}

/// A window that two sequences share, on the diagonals on which they share most of them.
pub fn densest_anchor(a: &[u32], b: &[u32]) -> Option<(usize, usize)> {
    let key = |window: &[u32]| window.iter().fold(0, |key, &token| fold(key ^ u64::from(token), CHAIN));
    let mut places: Vec<(u64, usize)> = b.windows(ANCHOR).map(key).zip(0..).collect();
    places.sort_unstable();
    let mut hits: Vec<(i64, usize, usize)> = Vec::new();
    for (i, window) in a.windows(ANCHOR).enumerate() {
        let first = places.partition_point(|place| place.0 < key(window));
        let same = places[first..].iter().take(FREQUENT).take_while(|place| place.0 == key(window));
        hits.extend(same.map(|&(_, j)| ((j as i64 - i as i64).div_euclid(BUCKET), i, j)));
    }
    hits.sort_unstable();
    let buckets = hits.chunk_by(|one, other| one.0 == other.0);
    let densest = buckets.max_by_key(|bucket| (bucket.len(), std::cmp::Reverse(bucket[0].0)))?;
    densest.iter().map(|&(_, i, j)| (i, j)).find(|&(i, j)| a[i..i + ANCHOR] == b[j..j + ANCHOR])
}
