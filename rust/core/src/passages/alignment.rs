//! Alignment of two sequences of tokens outwards from a common run, until they differ too much.
//!
//! The greedy algorithm of Zhang, Schwartz, Wagner & Miller 2000: for one edit after the other, the furthest token that
//! each diagonal reaches. A match scores 1, a replaced token -1 and an inserted or missing one -1.5, so that the score
//! depends only on the tokens reached and on the number of edits. Diagonals whose score is [`DROP`] below the best are
//! given up. The alignment ends where the score is highest, which is always after an equal token. Time is proportional
//! to the equal tokens and the edits.

use std::collections::HashMap;
use std::ops::Range;

/// Twice the score by which a diagonal may be below the best one.
const DROP: i64 = 30;
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
    Extension { a: |i| a[i], b: |i| b[i], lengths: (a.len(), b.len()), levels: Vec::new() }.align()
}

/// Aligns two sequences from their ends on; the runs are in ascending order.
pub fn extend_left(a: &[u32], b: &[u32]) -> Vec<EqualRun> {
    let lengths = (a.len(), b.len());
    let backwards = Extension { a: |i| a[lengths.0 - 1 - i], b: |i| b[lengths.1 - 1 - i], lengths, levels: Vec::new() };
    let turned = |run: EqualRun| EqualRun { a: lengths.0 - run.a - run.words, b: lengths.1 - run.b - run.words, ..run };
    backwards.align().into_iter().rev().map(turned).collect()
}

/// The furthest tokens that the diagonals from `lowest` on reach with some number of edits; None where given up.
struct Level {
    lowest: i64,
    reached: Vec<Option<usize>>,
}

impl Level {
    fn at(&self, diagonal: i64) -> Option<usize> {
        self.reached.get(usize::try_from(diagonal - self.lowest).ok()?).copied().flatten()
    }
}

/// The best end of an alignment.
#[derive(Clone, Copy)]
struct End {
    score: i64,
    edits: usize,
    diagonal: i64,
    reached: usize,
}

struct Extension<A, B> {
    a: A,
    b: B,
    lengths: (usize, usize),
    levels: Vec<Level>,
}

impl<A: Fn(usize) -> u32, B: Fn(usize) -> u32> Extension<A, B> {
    fn align(mut self) -> Vec<EqualRun> {
        let reached = self.slide(0, 0);
        let mut best = End { score: 2 * reached as i64, edits: 0, diagonal: 0, reached };
        self.levels.push(Level { lowest: 0, reached: vec![Some(reached)] });
        while self.add_level(&mut best) {}
        self.trace(best)
    }

    /// Passes equal tokens from token `i` of the first sequence on; returns where they end.
    fn slide(&self, mut i: usize, diagonal: i64) -> usize {
        let mut j = (i as i64 + diagonal) as usize;
        while i < self.lengths.0 && j < self.lengths.1 && (self.a)(i) == (self.b)(j) {
            (i, j) = (i + 1, j + 1);
        }
        i
    }

    /// Computes what can be reached with one edit more; returns whether anything can.
    fn add_level(&mut self, best: &mut End) -> bool {
        let edits = self.levels.len();
        let last = &self.levels[edits - 1];
        let (lowest, highest) = (last.lowest - 1, last.lowest + last.reached.len() as i64);
        let mut reached: Vec<Option<usize>> = Vec::with_capacity((highest - lowest) as usize + 1);
        for diagonal in lowest..=highest {
            let here = self.after_edit(edits, diagonal).map(|(i, _)| self.slide(i, diagonal));
            let score = |i: usize| 2 * i as i64 + diagonal - EDIT * edits as i64;
            let kept = here.filter(|&i| score(i) >= best.score - DROP);
            if let Some(i) = kept.filter(|&i| score(i) > best.score) {
                *best = End { score: score(i), edits, diagonal, reached: i };
            }
            reached.push(kept);
        }
        let skipped = reached.iter().take_while(|i| i.is_none()).count();
        reached.drain(..skipped);
        while reached.last().is_some_and(Option::is_none) {
            reached.pop();
        }
        let any = !reached.is_empty();
        self.levels.push(Level { lowest: lowest + skipped as i64, reached });
        any
    }

    /// Where a diagonal begins after the last of `edits` edits, and the diagonal before it: a replaced token stays on
    /// the diagonal, a token missing in the second sequence comes from the next one, an inserted one from the previous.
    fn after_edit(&self, edits: usize, diagonal: i64) -> Option<(usize, i64)> {
        let last = &self.levels[edits - 1];
        let fits = |&(i, _): &(usize, i64)| {
            let j = i as i64 + diagonal;
            i <= self.lengths.0 && (0..=self.lengths.1 as i64).contains(&j)
        };
        let replaced = last.at(diagonal).map(|i| (i + 1, diagonal)).filter(fits);
        let missing = last.at(diagonal + 1).map(|i| (i + 1, diagonal + 1)).filter(fits);
        let inserted = last.at(diagonal - 1).map(|i| (i, diagonal - 1)).filter(fits);
        [inserted, missing, replaced].into_iter().flatten().max_by_key(|&(i, _)| i)
    }

    /// The equal runs on the way to an end.
    fn trace(&self, end: End) -> Vec<EqualRun> {
        let (mut diagonal, mut reached) = (end.diagonal, end.reached);
        let mut runs = Vec::new();
        let mut add = |from: usize, to: usize, diagonal: i64| {
            if to > from {
                runs.push(EqualRun { a: from, b: (from as i64 + diagonal) as usize, words: to - from });
            }
        };
        for edits in (1..=end.edits).rev() {
            let Some((from, before)) = self.after_edit(edits, diagonal) else { break };
            add(from, reached, diagonal);
            diagonal = before;
            reached = self.levels[edits - 1].at(before).unwrap_or(0);
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
    let mut places: HashMap<&[u32], Vec<usize>> = HashMap::new();
    b.windows(ANCHOR).enumerate().for_each(|(j, window)| places.entry(window).or_default().push(j));
    let mut counts: HashMap<i64, (usize, usize, usize)> = HashMap::new();
    for (i, window) in a.windows(ANCHOR).enumerate() {
        let found = places.get(window).map(Vec::as_slice).unwrap_or_default();
        for &j in found.iter().take(FREQUENT) {
            counts.entry((j as i64 - i as i64).div_euclid(BUCKET)).or_insert((0, i, j)).0 += 1;
        }
    }
    let densest = counts.into_iter().max_by_key(|&(bucket, (count, _, _))| (count, std::cmp::Reverse(bucket)));
    densest.map(|(_, (_, i, j))| (i, j))
}
