//! The exact join by edit similarity: every pair of texts whose Levenshtein distance is small for their length.
//!
//! The join compares the characters of the texts as they are read, with white space folded to single blanks. The
//! distance of two texts is computed by bit-parallel dynamic programming (Myers 1999, in the block form of Hyyrö 2003)
//! within the band of diagonals that a distance within the bound can use (Ukkonen 1985): time O(nd/64) for length n and
//! bound d. Before that, three lower bounds of the distance rule pairs out: the difference of the lengths, the bag
//! distance of the characters, and the number of common runs of three characters, of which one edit destroys at most
//! three. Each text is compared with all texts of a suitable length: time O(N²) for N distinct texts, memory
//! O(characters).

use std::collections::HashMap;

use rayon::prelude::*;

use crate::candidates::measure::Match;
use crate::support::fraction::Fraction;
use crate::support::interrupt::checkpoint;
use crate::text::collection::{Collection, Reader};

const RUN: usize = 3;
const BUCKETS: usize = 64;
const WORD: usize = 64;

/// Finds every pair of these documents whose similarity, 1 - distance/length of the longer, is above the threshold.
///
/// Returns indices into `documents`, the smaller first, and the distance. Identical texts are a pair for any threshold.
/// Documents without a character have no pairs.
pub fn similar_texts(collection: &Collection, documents: &[u32], threshold: Fraction) -> Vec<Match> {
    let spelled = spell(collection, documents);
    let (texts, groups) = collapse(&spelled);
    let outlines: Vec<Outline> = texts.par_iter().map(|text| Outline::of(text)).collect();
    let found: Vec<Vec<Match>> = (0..texts.len())
        .into_par_iter()
        .map_init(Pattern::default, |pattern, at| {
            checkpoint();
            partners(&texts, &outlines, at, threshold, pattern)
        })
        .collect();
    expand(&found.concat(), &groups)
}

/// The Levenshtein distance of two sequences if it is at most `most`; `a` is not the longer one.
pub fn bounded_distance(a: &[u32], b: &[u32], most: usize) -> Option<usize> {
    let mut pattern = Pattern::default();
    pattern.set(a);
    pattern.distance(b, most)
}

/// The characters of each document, white space folded, as numbers of a common alphabet.
fn spell(collection: &Collection, documents: &[u32]) -> Vec<Vec<u32>> {
    let read: Vec<Vec<char>> = documents
        .par_iter()
        .map_init(Reader::default, |reader, &document| fold(&collection.read(document as usize, reader).text))
        .collect();
    let mut alphabet: HashMap<char, u32> = HashMap::new();
    let mut number = |character| {
        let next = alphabet.len() as u32;
        *alphabet.entry(character).or_insert(next)
    };
    read.into_iter().map(|text| text.into_iter().map(&mut number).collect()).collect()
}

fn fold(text: &str) -> Vec<char> {
    let mut folded = Vec::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.extend(word.chars());
    }
    folded
}

/// The distinct texts that are not empty, the shortest first, and the indices of each.
fn collapse(spelled: &[Vec<u32>]) -> (Vec<&[u32]>, Vec<Vec<u32>>) {
    let mut order: Vec<u32> = (0..spelled.len() as u32).filter(|&at| !spelled[at as usize].is_empty()).collect();
    let text = |at: u32| &spelled[at as usize][..];
    order.par_sort_by(|&x, &y| text(x).len().cmp(&text(y).len()).then_with(|| text(x).cmp(text(y))).then(x.cmp(&y)));
    let groups: Vec<Vec<u32>> = order.chunk_by(|&x, &y| text(x) == text(y)).map(<[u32]>::to_vec).collect();
    (groups.iter().map(|group| text(group[0])).collect(), groups)
}

/// The features that rule a text out: the counts of its characters, by bucket, and its runs of three, sorted.
struct Outline {
    counts: [u32; BUCKETS],
    runs: Vec<u64>,
}

impl Outline {
    fn of(text: &[u32]) -> Self {
        let mut counts = [0; BUCKETS];
        text.iter().for_each(|&symbol| counts[symbol as usize % BUCKETS] += 1);
        // Symbols are below the number of code points, so that three fit without loss.
        let pack = |run: &[u32]| run.iter().fold(0u64, |packed, &symbol| packed << 21 | u64::from(symbol));
        let mut runs: Vec<u64> = text.windows(RUN).map(pack).collect();
        runs.sort_unstable();
        Self { counts, runs }
    }

    /// Whether the outlines allow a distance of at most `most`.
    fn allows(&self, longer: &Self, most: usize) -> bool {
        let (mut fewer, mut more) = (0usize, 0usize);
        for (&own, &other) in self.counts.iter().zip(&longer.counts) {
            fewer += other.saturating_sub(own) as usize;
            more += own.saturating_sub(other) as usize;
        }
        let needed = longer.runs.len().saturating_sub(RUN * most);
        fewer.max(more) <= most && shares(&self.runs, &longer.runs, needed)
    }
}

/// Whether two sorted bags have at least `needed` elements in common.
fn shares(a: &[u64], b: &[u64], needed: usize) -> bool {
    let (mut at, mut index, mut common) = (0, 0, 0);
    while common < needed {
        if common + (a.len() - at).min(b.len() - index) < needed {
            return false;
        }
        match a[at].cmp(&b[index]) {
            std::cmp::Ordering::Less => at += 1,
            std::cmp::Ordering::Greater => index += 1,
            std::cmp::Ordering::Equal => (at, index, common) = (at + 1, index + 1, common + 1),
        }
    }
    true
}

/// The largest distance that a text of this length may have to a similar one, if any.
fn most_edits(length: usize, threshold: Fraction) -> Option<usize> {
    let allowed = (threshold.denominator - threshold.numerator) * length as u64;
    (allowed > 0).then(|| ((allowed - 1) / threshold.denominator) as usize)
}

/// The texts after this one, which are not shorter, that are similar to it.
fn partners(
    texts: &[&[u32]],
    outlines: &[Outline],
    at: usize,
    threshold: Fraction,
    pattern: &mut Pattern,
) -> Vec<Match> {
    let (own, mut found, mut ready) = (texts[at], Vec::new(), false);
    for (index, other) in texts.iter().enumerate().skip(at + 1) {
        let Some(most) = most_edits(other.len(), threshold) else { break };
        if other.len() - own.len() > most {
            break;
        }
        if !outlines[at].allows(&outlines[index], most) {
            continue;
        }
        if !ready {
            pattern.set(own);
            ready = true;
        }
        if let Some(distance) = pattern.distance(other, most) {
            found.push((at as u32, index as u32, distance as u32));
        }
    }
    found
}

/// Expands pairs of distinct texts to pairs of documents, and adds the pairs of identical ones.
fn expand(found: &[Match], groups: &[Vec<u32>]) -> Vec<Match> {
    let mut pairs = Vec::new();
    for group in groups {
        for (index, &a) in group.iter().enumerate() {
            pairs.extend(group[index + 1..].iter().map(|&b| (a, b, 0)));
        }
    }
    for &(first, second, distance) in found {
        for &a in &groups[first as usize] {
            pairs.extend(groups[second as usize].iter().map(|&b| (a.min(b), a.max(b), distance)));
        }
    }
    pairs.par_sort_unstable();
    pairs
}

/// A text prepared for many comparisons: for each symbol, its positions as bits.
#[derive(Default)]
struct Pattern {
    length: usize,
    blocks: usize,
    rows: Vec<u32>,
    bits: Vec<u64>,
    up: Vec<u64>,
    down: Vec<u64>,
}

impl Pattern {
    fn set(&mut self, text: &[u32]) {
        self.length = text.len();
        self.blocks = text.len().div_ceil(WORD);
        self.rows.clear();
        self.rows.resize(text.iter().max().map_or(0, |&most| most as usize + 1), 0);
        // The first row is that of symbols that do not occur.
        self.bits.clear();
        self.bits.resize(self.blocks, 0);
        for (index, &symbol) in text.iter().enumerate() {
            if self.rows[symbol as usize] == 0 {
                self.rows[symbol as usize] = (self.bits.len() / self.blocks) as u32;
                self.bits.resize(self.bits.len() + self.blocks, 0);
            }
            self.bits[self.rows[symbol as usize] as usize * self.blocks + index / WORD] |= 1 << (index % WORD);
        }
    }

    /// The distance to a text that is not shorter, if it is at most `most`.
    ///
    /// A path of that cost stays on the diagonals from `below` under to `above` over the main one. Blocks of rows above
    /// the band are assumed to grow with each column and those below it with each row. Both are bounds that a path can
    /// reach, so the cells inside the band are exact wherever they are within the bound.
    fn distance(&mut self, text: &[u32], most: usize) -> Option<usize> {
        let longer = text.len() - self.length;
        if longer > most {
            return None;
        }
        if self.length == 0 {
            return Some(longer);
        }
        let (above, below) = ((most + longer) / 2, (most - longer) / 2);
        self.up.clear();
        self.down.clear();
        self.up.resize(self.blocks, !0);
        self.down.resize(self.blocks, 0);
        let (mut active, mut score) = (0, 0usize);
        for (column, &symbol) in text.iter().enumerate() {
            let first = (column + 1).saturating_sub(above).max(1) - 1;
            let last = (column + 1 + below).min(self.length) - 1;
            while active <= last / WORD {
                active += 1;
                score += WORD;
            }
            let row = self.rows.get(symbol as usize).map_or(0, |&row| row as usize) * self.blocks;
            let mut carry = 1;
            for block in first / WORD..active {
                carry = self.step(block, self.bits[row + block], carry);
            }
            score = score.wrapping_add_signed(carry);
        }
        let beyond = self.blocks * WORD - self.length;
        let (up, down) = (self.up[self.blocks - 1], self.down[self.blocks - 1]);
        let kept = if beyond == 0 { 0 } else { !0 << (WORD - beyond) };
        let distance = score + (down & kept).count_ones() as usize - (up & kept).count_ones() as usize;
        (distance <= most).then_some(distance)
    }

    /// One block of one column: takes the change along the row above it, and returns that of its last row.
    #[inline(always)]
    fn step(&mut self, block: usize, same: u64, carry: isize) -> isize {
        let (up, down) = (self.up[block], self.down[block]);
        let vertical = same | down;
        let same = same | u64::from(carry < 0);
        let across = ((same & up).wrapping_add(up) ^ up) | same;
        let (more, fewer) = (down | !(across | up), up & across);
        let out = (more >> (WORD - 1)) as isize - (fewer >> (WORD - 1)) as isize;
        let (more, fewer) = (more << 1 | u64::from(carry > 0), fewer << 1 | u64::from(carry < 0));
        self.up[block] = fewer | !(vertical | more);
        self.down[block] = more & vertical;
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slow(a: &[u32], b: &[u32]) -> usize {
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (index, x) in a.iter().enumerate() {
            let mut before = row[0];
            row[0] = index + 1;
            for (at, y) in b.iter().enumerate() {
                let best = (before + usize::from(x != y)).min(row[at] + 1).min(row[at + 1] + 1);
                before = std::mem::replace(&mut row[at + 1], best);
            }
        }
        row[b.len()]
    }

    #[test]
    fn distances_are_those_of_the_table() {
        let mut seed = 7u64;
        let mut draw = |below: u64| {
            seed = crate::support::hash::mix(seed.wrapping_add(0x9e37_79b9_7f4a_7c15));
            seed % below
        };
        for round in 0..600 {
            let length = draw(if round % 3 == 0 { 400 } else { 70 });
            let a: Vec<u32> = (0..length).map(|_| draw(4) as u32).collect();
            let mut b = a.clone();
            for _ in 0..draw(1 + length / 4) {
                let index = draw(b.len() as u64 + 1) as usize;
                match draw(3) {
                    0 => b.insert(index, draw(5) as u32),
                    1 if index < b.len() => drop(b.remove(index)),
                    _ if index < b.len() => b[index] = draw(5) as u32,
                    _ => {}
                }
            }
            let (a, b) = if a.len() <= b.len() { (a, b) } else { (b, a) };
            let distance = slow(&a, &b);
            for most in [0, distance.saturating_sub(1), distance, distance + 1, distance + 70, 500] {
                let expected = (distance <= most).then_some(distance);
                assert_eq!(bounded_distance(&a, &b, most), expected, "{a:?} {b:?} {most}");
            }
        }
    }

    #[test]
    fn bounds_are_strict() {
        let threshold = Fraction { numerator: 85, denominator: 100 };
        assert_eq!(most_edits(0, threshold), None);
        assert_eq!(most_edits(20, threshold), Some(2));
        assert_eq!(most_edits(100, threshold), Some(14));
        assert_eq!(most_edits(101, threshold), Some(15));
    }
}
