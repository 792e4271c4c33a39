//! A longest common subsequence of two short sequences of hashes, by bit-parallel dynamic programming.
//!
//! One row of the table is a bit vector over the first sequence in which a zero marks an increase of the length. Each
//! element of the second sequence makes the next row with two additions and a few logical operations for 64 cells
//! (Hyyrö 2004, *Bit-parallel LCS-length computation revisited*). The rows are kept, so that the subsequence can be
//! read from them. Time and memory O(|a||b|/64).
//!
//! Longer sequences, beyond [`MAX_ROW_WORDS`], are first cut at the elements that occur once in each and are in the
//! same order in both (patience diff, B. Cohen). A piece between two cuts that is still too large stays unmatched. So
//! the time is O(n log n) with a bounded constant for any input, and the result is always a common subsequence, a
//! longest one up to the bound.

/// The most 64-bit words that one table may take: 2,000 by 2,000 elements, half a megabyte.
pub const MAX_ROW_WORDS: usize = 1 << 16;

/// A run of equal hashes in the sorted first sequence.
#[derive(Clone, Copy)]
struct Group {
    hash: u64,
    start: u32,
    end: u32,
    /// The offset of the group's bit mask in `dense`, or `SPARSE`.
    dense: u32,
}

const SPARSE: u32 = u32::MAX;

/// Finds common subsequences and keeps its buffers between calls.
#[derive(Default)]
pub struct SubsequenceFinder {
    order: Vec<(u64, u32)>,
    groups: Vec<Group>,
    dense: Vec<u64>,
    mask: Vec<u64>,
    rows: Vec<u64>,
    words: usize,
    first_length: usize,
}

impl SubsequenceFinder {
    /// Find the pairs of positions of a common subsequence of `a` and `b`, in order, and append them to `pairs`.
    pub fn find_pairs(&mut self, a: &[u64], b: &[u64], pairs: &mut Vec<(u32, u32)>) {
        let whole = Piece { a: (0, a.len()), b: (0, b.len()) };
        if fits(a.len(), b.len()) {
            return self.match_piece(a, b, whole, pairs);
        }
        let mut next = (0, 0);
        for (at_a, at_b) in find_unique_anchors(a, b) {
            self.match_piece(a, b, Piece { a: (next.0, at_a), b: (next.1, at_b) }, pairs);
            pairs.push((at_a as u32, at_b as u32));
            next = (at_a + 1, at_b + 1);
        }
        self.match_piece(a, b, Piece { a: (next.0, a.len()), b: (next.1, b.len()) }, pairs);
    }

    /// Take `a` as the first sequence of the following calls of [`Self::length_with`].
    pub fn set_first(&mut self, a: &[u64]) {
        self.first_length = a.len();
        self.words = a.len().div_ceil(64);
        self.order.clear();
        self.order.extend(a.iter().zip(0u32..).map(|(&hash, at)| (hash, at)));
        self.order.sort_unstable();
        self.groups.clear();
        self.dense.clear();
        for run in self.order.chunk_by(|left, right| left.0 == right.0) {
            let start = self.groups.last().map_or(0, |group| group.end);
            let end = start + run.len() as u32;
            let mut dense = SPARSE;
            // Setting more bits than there are words would cost more than copying a prepared mask.
            if run.len() > self.words {
                dense = self.dense.len() as u32;
                self.dense.resize(self.dense.len() + self.words, 0);
                let mask = &mut self.dense[dense as usize..];
                run.iter().for_each(|&(_, at)| mask[at as usize / 64] |= 1 << (at % 64));
            }
            self.groups.push(Group { hash: run[0].0, start, end, dense });
        }
    }

    /// Compute the length of a longest common subsequence of the first sequence and `b`.
    pub fn length_with(&mut self, b: &[u64]) -> usize {
        self.rows.clear();
        self.rows.resize(self.words, u64::MAX);
        for &hash in b {
            if self.load_mask(hash) {
                let mut carry = false;
                let words = self.rows.iter_mut().zip(&self.mask);
                words.for_each(|(row, &mask)| *row = advance(*row, mask, &mut carry));
            }
        }
        self.rows.iter().map(|row| row.count_zeros() as usize).sum()
    }

    fn match_piece(&mut self, a: &[u64], b: &[u64], piece: Piece, pairs: &mut Vec<(u32, u32)>) {
        let Piece { a: (mut a_start, mut a_end), b: (mut b_start, mut b_end) } = piece;
        while a_start < a_end && b_start < b_end && a[a_start] == b[b_start] {
            pairs.push((a_start as u32, b_start as u32));
            a_start += 1;
            b_start += 1;
        }
        let (a_tail, b_tail) = (a_end, b_end);
        while a_start < a_end && b_start < b_end && a[a_end - 1] == b[b_end - 1] {
            a_end -= 1;
            b_end -= 1;
        }
        if a_start < a_end && b_start < b_end && fits(a_end - a_start, b_end - b_start) {
            self.set_first(&a[a_start..a_end]);
            self.fill_rows(&b[b_start..b_end]);
            self.trace(b_end - b_start, (a_start as u32, b_start as u32), pairs);
        }
        pairs.extend((a_end..a_tail).zip(b_end..b_tail).map(|(left, right)| (left as u32, right as u32)));
    }

    /// Fill one row for each element of `b` below the first row of ones.
    fn fill_rows(&mut self, b: &[u64]) {
        let words = self.words;
        self.rows.clear();
        self.rows.resize(words * (b.len() + 1), u64::MAX);
        for (row, &hash) in b.iter().enumerate() {
            let known = self.load_mask(hash);
            let (done, next) = self.rows.split_at_mut(words * (row + 1));
            let last = &done[words * row..];
            if !known {
                next[..words].copy_from_slice(last);
                continue;
            }
            let mut carry = false;
            for ((next, &row), &mask) in next.iter_mut().zip(last).zip(&self.mask) {
                *next = advance(row, mask, &mut carry);
            }
        }
    }

    /// Read the pairs back from the rows, last first, and append them in order.
    fn trace(&self, b_length: usize, offset: (u32, u32), pairs: &mut Vec<(u32, u32)>) {
        let grows = |row: usize, column: usize| self.rows[row * self.words + column / 64] >> (column % 64) & 1 == 0;
        let from = pairs.len();
        let (mut row, mut column) = (b_length, self.first_length);
        while row > 0 && column > 0 {
            if !grows(row, column - 1) {
                column -= 1;
            } else if grows(row - 1, column - 1) {
                row -= 1;
            } else {
                row -= 1;
                column -= 1;
                pairs.push((offset.0 + column as u32, offset.1 + row as u32));
            }
        }
        pairs[from..].reverse();
    }

    /// Set `mask` to the positions of a hash in the first sequence; say whether there are any.
    fn load_mask(&mut self, hash: u64) -> bool {
        let Ok(found) = self.groups.binary_search_by_key(&hash, |group| group.hash) else { return false };
        let group = self.groups[found];
        self.mask.clear();
        if group.dense == SPARSE {
            self.mask.resize(self.words, 0);
            for &(_, at) in &self.order[group.start as usize..group.end as usize] {
                self.mask[at as usize / 64] |= 1 << (at % 64);
            }
        } else {
            let start = group.dense as usize;
            self.mask.extend_from_slice(&self.dense[start..start + self.words]);
        }
        true
    }
}

/// Ranges of the two sequences that are to be matched with each other.
#[derive(Clone, Copy)]
struct Piece {
    a: (usize, usize),
    b: (usize, usize),
}

/// Whether the table of two sequences of these lengths stays within the bound.
pub fn fits(a_length: usize, b_length: usize) -> bool {
    a_length.div_ceil(64).saturating_mul(b_length) <= MAX_ROW_WORDS
}

/// One word of the next row; bits beyond the first sequence stay ones, since their mask is zero.
fn advance(row: u64, mask: u64, carry: &mut bool) -> u64 {
    let matched = row & mask;
    let (sum, first) = row.overflowing_add(matched);
    let (sum, second) = sum.overflowing_add(u64::from(*carry));
    *carry = first || second;
    sum | (row & !matched)
}

/// Find the positions of the elements that occur once in each sequence and are in the same order in both.
fn find_unique_anchors(a: &[u64], b: &[u64]) -> Vec<(usize, usize)> {
    let (once_a, once_b) = (sort_unique(a), sort_unique(b));
    let mut shared = Vec::new();
    let (mut left, mut right) = (0, 0);
    while left < once_a.len() && right < once_b.len() {
        match once_a[left].0.cmp(&once_b[right].0) {
            std::cmp::Ordering::Less => left += 1,
            std::cmp::Ordering::Greater => right += 1,
            std::cmp::Ordering::Equal => {
                shared.push((once_a[left].1, once_b[right].1));
                left += 1;
                right += 1;
            }
        }
    }
    shared.sort_unstable();
    longest_increasing(&shared)
}

/// The elements that occur once, with their positions, sorted.
fn sort_unique(sequence: &[u64]) -> Vec<(u64, usize)> {
    let mut order: Vec<(u64, usize)> = sequence.iter().copied().zip(0..).collect();
    order.sort_unstable();
    let runs = order.chunk_by(|left, right| left.0 == right.0);
    runs.filter(|run| run.len() == 1).map(|run| run[0]).collect()
}

/// A longest run of pairs, sorted by their first member, in which the second member grows too.
fn longest_increasing(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut tails: Vec<usize> = Vec::new();
    let mut before = vec![usize::MAX; pairs.len()];
    for (index, pair) in pairs.iter().enumerate() {
        let position = tails.partition_point(|&tail| pairs[tail].1 < pair.1);
        if position > 0 {
            before[index] = tails[position - 1];
        }
        if position == tails.len() {
            tails.push(index);
        } else {
            tails[position] = index;
        }
    }
    let mut chosen = Vec::with_capacity(tails.len());
    let mut at = tails.last().copied().unwrap_or(usize::MAX);
    while at != usize::MAX {
        chosen.push(pairs[at]);
        at = before[at];
    }
    chosen.reverse();
    chosen
}
