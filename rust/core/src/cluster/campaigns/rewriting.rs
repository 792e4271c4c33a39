//! Letters that rewrite a reference: many words are replaced, but those that are kept are in the same order.
//!
//! The best local alignment of words decides. A common word counts by its information, -ln of its share in the
//! collection; a replaced word costs [`REPLACED`], and a gap of n words [`GAP`] + n [`GAP_WORD`]. The score is divided
//! by that of the reference against itself, or of the letter if it is less. Letters on the same subject share
//! words, but not their order: their alignments stay short.
//!
//! Only references are aligned with which a letter has enough runs of three words in common. With a third of the words
//! replaced at random, a third of these runs remain.

use rayon::prelude::*;

use super::divergence::{Background, Table};
use crate::represent::shingles::shingles;
use crate::support::interrupt::checkpoint;
use crate::text::collection::{Collection, Unit};

const REPLACED: f32 = 4.0;
const GAP: f32 = 6.0;
const GAP_WORD: f32 = 0.5;
/// An alignment of less information than about twenty words is a phrase, not a rewritten letter.
const LEAST_SCORE: f32 = 120.0;
/// A letter that consists of less aligned text than this quotes the reference.
const LEAST_PART: f32 = 0.1;
/// How many words a run has, which share of the runs of the shorter text must be common, and how many references are
/// aligned with a letter.
const RUN: usize = 3;
const COMMON_SHARE: f64 = 0.08;
const ALIGNED: usize = 3;
/// Longer texts are cut for the alignment.
const LONGEST: usize = 4000;

/// A letter, the reference that it rewrites, and how much of it is aligned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rewriting {
    /// The letter, as an index into the letters.
    pub letter: u32,
    /// The reference, as an index into the references.
    pub reference: u32,
    /// The score of the alignment by that of the shorter text with itself.
    pub share: f64,
    /// The share of the reference from the first aligned word to the last.
    pub span: f64,
}

struct Words {
    hashes: Vec<u64>,
    information: Vec<f32>,
    whole: f32,
}

impl Words {
    fn new(hashes: &[u64], background: &Background) -> Self {
        let hashes = hashes[..hashes.len().min(LONGEST)].to_vec();
        let information: Vec<f32> = hashes.iter().map(|&word| -(background.of(word).ln() as f32)).collect();
        let whole = information.iter().sum();
        Self { hashes, information, whole }
    }

    /// The runs of words, each once.
    fn runs(&self) -> Vec<u64> {
        let mut runs = Vec::new();
        shingles(&self.hashes, RUN, |run| runs.push(run));
        runs.sort_unstable();
        runs.dedup();
        runs
    }
}

/// Finds for each letter the reference that it rewrites, if the aligned share is at least `least`.
pub fn find_rewritings(
    collection: &Collection,
    letters: &[u32],
    references: &[u32],
    background: &Background,
    least: f64,
) -> Vec<Rewriting> {
    let read = collection.map(references, Unit::Word, |words| Words::new(words, background));
    let mut holders: Table<Vec<u32>> = Table::default();
    let mut counts = Vec::with_capacity(read.len());
    for (number, words) in read.iter().enumerate() {
        let runs = words.runs();
        counts.push(runs.len());
        runs.into_iter().for_each(|run| holders.entry(run).or_default().push(number as u32));
    }
    let one = |common: &mut Vec<u32>, index: usize, words: &Words| {
        let mut best: Option<Rewriting> = None;
        for reference in choose(words, &holders, &counts, common) {
            let target = &read[reference as usize];
            let (score, span) = align(words, target);
            let share = f64::from(score / words.whole.min(target.whole).max(f32::MIN_POSITIVE));
            let enough = score >= LEAST_SCORE.max(LEAST_PART * words.whole);
            if enough && share >= least && best.is_none_or(|best| share > best.share) {
                let span = span as f64 / target.hashes.len().max(1) as f64;
                best = Some(Rewriting { letter: index as u32, reference, share, span });
            }
        }
        best
    };
    let found: Vec<Vec<Rewriting>> = letters
        .par_chunks(64)
        .enumerate()
        .map(|(chunk, letters)| {
            checkpoint();
            let mut common = vec![0; read.len()];
            let words = collection.map(letters, Unit::Word, |words| Words::new(words, background));
            let rewritten = |(index, words): (usize, &Words)| one(&mut common, chunk * 64 + index, words);
            words.iter().enumerate().filter_map(rewritten).collect()
        })
        .collect();
    found.concat()
}

/// The references with which a letter has most runs of words in common.
fn choose(words: &Words, holders: &Table<Vec<u32>>, counts: &[usize], common: &mut [u32]) -> Vec<u32> {
    let own = words.runs();
    let mut touched = Vec::new();
    for run in &own {
        for &reference in holders.get(run).into_iter().flatten() {
            if common[reference as usize] == 0 {
                touched.push(reference);
            }
            common[reference as usize] += 1;
        }
    }
    let share = |reference: u32| {
        f64::from(common[reference as usize]) / own.len().min(counts[reference as usize]).max(1) as f64
    };
    let shares = touched.iter().map(|&reference| (reference, share(reference)));
    let mut chosen: Vec<(u32, f64)> = shares.filter(|choice| choice.1 >= COMMON_SHARE).collect();
    chosen.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    chosen.truncate(ALIGNED);
    touched.into_iter().for_each(|reference| common[reference as usize] = 0);
    chosen.into_iter().map(|choice| choice.0).collect()
}

/// A score, and the column in which its alignment began.
type Cell = (f32, u32);

/// The score of the best local alignment with affine gaps, and how many words of `b` it spans.
fn align(a: &Words, b: &Words) -> (f32, u32) {
    let columns = b.hashes.len();
    let better = |one: Cell, other: Cell| if other.0 > one.0 { other } else { one };
    let mut scores: Vec<Cell> = (0..=columns as u32).map(|column| (0.0, column)).collect();
    let mut gaps_down: Vec<Cell> = vec![(f32::NEG_INFINITY, 0); columns + 1];
    let mut best = (0.0, 0);
    for (&word, &information) in a.hashes.iter().zip(&a.information) {
        let (mut diagonal, mut gap_right) = (scores[0], (f32::NEG_INFINITY, 0));
        for column in 1..=columns {
            let step = if word == b.hashes[column - 1] { information } else { -REPLACED };
            let (above, left) = (scores[column], scores[column - 1]);
            let mut down = better((above.0 - GAP, above.1), gaps_down[column]);
            down.0 -= GAP_WORD;
            gap_right = better((left.0 - GAP, left.1), gap_right);
            gap_right.0 -= GAP_WORD;
            let along = (diagonal.0 + step, diagonal.1);
            let score = better((0.0, column as u32), better(better(along, down), gap_right));
            diagonal = above;
            scores[column] = score;
            gaps_down[column] = down;
            if score.0 > best.0 {
                best = (score.0, column as u32 - score.1);
            }
        }
    }
    best
}
