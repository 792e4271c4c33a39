//! The words between the tiles: matches them, moves insertions to natural boundaries, and removes accidental matches.
//!
//! Two unrelated texts of a hundred words have about twenty-five words in common in the same order (*the*, *of*, *to*).
//! An edit distance counts these as kept, but a reader would not. Beyond [`SMALL`] words, paragraphs of a gap are
//! therefore matched only with those of which they keep half the words, or half of the shorter one in runs of three
//! words, in the order that keeps the most words.

use super::subsequence::{SubsequenceFinder, fits};
use super::tiles::{Tile, Tokens, WINDOW, is_paragraph_start};

/// The most words of a small change; longer runs are blocks.
pub const SMALL: usize = 15;

/// The most pairs of paragraphs of one gap that are compared.
const MAX_PARAGRAPH_PAIRS: usize = 4096;

/// The most words that an insertion is moved by.
const MAX_SLIDE: usize = 256;

/// One of the two texts, with the first token of each paragraph (and the number of tokens).
#[derive(Clone, Copy)]
pub struct Side<'a> {
    pub tokens: Tokens<'a>,
    pub paragraph_starts: &'a [u32],
}

impl Side<'_> {
    pub fn len(&self) -> usize {
        self.tokens.hashes.len()
    }

    /// The index in `paragraph_starts` of the paragraph that holds a token.
    ///
    /// The last paragraph for the token after the last, and the only one for an empty text.
    pub fn paragraph_of(&self, token: u32) -> usize {
        let starts = &self.paragraph_starts[..self.paragraph_starts.len() - 1];
        starts.partition_point(|&start| start <= token).saturating_sub(1)
    }

    /// How natural a cut before a token is: the edge of a paragraph, punctuation or only a space.
    fn cut_quality(&self, token: usize) -> u32 {
        let Tokens { starts, ends, paragraphs, .. } = self.tokens;
        if is_paragraph_start(paragraphs, token) {
            8
        } else if starts[token] > ends[token - 1] + 1 {
            2
        } else {
            0
        }
    }
}

/// Append a run of matched words, joined to the last one if it continues that.
pub fn push_run(runs: &mut Vec<Tile>, run: Tile) {
    match runs.last_mut() {
        _ if run.length == 0 => {}
        Some(last) if last.reference_end() == run.reference && last.document_end() == run.document => {
            last.length += run.length;
        }
        _ => runs.push(run),
    }
}

/// The free tokens of one side of a gap.
#[derive(Default)]
struct FreeTokens {
    positions: Vec<u32>,
    hashes: Vec<u64>,
    /// Where each paragraph starts in `positions`, and the length.
    pieces: Vec<u32>,
    /// Whether the first piece continues a paragraph from before the gap, and whether the last continues after it.
    open: (bool, bool),
}

impl FreeTokens {
    fn gather(&mut self, side: Side, range: (u32, u32), taken: &[bool]) {
        let free = (range.0..range.1).filter(|&token| !taken[token as usize]);
        self.positions.clear();
        self.positions.extend(free);
        self.hashes.clear();
        self.hashes.extend(self.positions.iter().map(|&token| side.tokens.hashes[token as usize]));
        self.pieces.clear();
    }

    /// Find the paragraphs of the tokens.
    fn cut(&mut self, side: Side) {
        let paragraphs = side.tokens.paragraphs;
        self.pieces.push(0);
        for at in 1..self.positions.len() {
            if paragraphs[self.positions[at] as usize] != paragraphs[self.positions[at - 1] as usize] {
                self.pieces.push(at as u32);
            }
        }
        self.pieces.push(self.positions.len() as u32);
        let (first, last) = (self.positions[0] as usize, self.positions[self.positions.len() - 1] as usize);
        self.open = (!is_paragraph_start(paragraphs, first), !is_paragraph_start(paragraphs, last + 1));
    }

    fn piece(&self, number: usize) -> (usize, usize) {
        (self.pieces[number] as usize, self.pieces[number + 1] as usize)
    }

    fn piece_count(&self) -> usize {
        self.pieces.len() - 1
    }
}

/// Matches the words between tiles and keeps its buffers between calls.
#[derive(Default)]
pub struct GapFiller {
    finder: SubsequenceFinder,
    left: FreeTokens,
    right: FreeTokens,
    pairs: Vec<(u32, u32)>,
    /// For each pair of paragraphs the words that they keep, and the most that any pairing up to there keeps.
    kept: Vec<(u32, u32)>,
    chosen: Vec<(usize, usize)>,
}

impl GapFiller {
    /// Match the words of a gap that are not taken and append the runs to `runs`.
    pub fn fill(&mut self, sides: [Side; 2], gap: [(u32, u32); 2], taken: &[Vec<bool>; 2], runs: &mut Vec<Tile>) {
        if gap[0].0 == gap[0].1 || gap[1].0 == gap[1].1 {
            return;
        }
        self.left.gather(sides[0], gap[0], &taken[0]);
        self.right.gather(sides[1], gap[1], &taken[1]);
        if self.left.positions.is_empty() || self.right.positions.is_empty() {
            return;
        }
        self.pairs.clear();
        let (left, right) = (self.left.hashes.len(), self.right.hashes.len());
        if left.max(right) <= SMALL {
            self.finder.find_pairs(&self.left.hashes, &self.right.hashes, &mut self.pairs);
        } else {
            self.left.cut(sides[0]);
            self.right.cut(sides[1]);
            self.match_paragraphs();
        }
        for &(left, right) in &self.pairs {
            let (reference, document) = (self.left.positions[left as usize], self.right.positions[right as usize]);
            push_run(runs, Tile { reference, document, length: 1 });
        }
    }

    /// Pair the paragraphs of the gap and match the words of each pair.
    fn match_paragraphs(&mut self) {
        let (rows, columns) = (self.left.piece_count(), self.right.piece_count());
        let (left, right) = (self.left.hashes.len(), self.right.hashes.len());
        if rows * columns == 1 || rows * columns > MAX_PARAGRAPH_PAIRS || !fits(left, right) || self.is_mostly_kept() {
            return self.match_words((0, left, 0, right));
        }
        self.compare_paragraphs(rows, columns);
        self.choose_paragraphs(rows, columns);
        for pair in 0..self.chosen.len() {
            let (row, column) = self.chosen[pair];
            let (left, right) = (self.left.piece(row), self.right.piece(column));
            self.match_words((left.0, left.1, right.0, right.1));
        }
    }

    /// Whether half of the words of the gap are kept, so that it does not matter where its paragraphs end.
    fn is_mostly_kept(&mut self) -> bool {
        self.finder.set_first(&self.left.hashes);
        self.finder.length_with(&self.right.hashes) * 2 >= self.left.hashes.len().max(self.right.hashes.len())
    }

    /// Fill `kept` for each pair of paragraphs.
    fn compare_paragraphs(&mut self, rows: usize, columns: usize) {
        self.kept.clear();
        for row in 0..rows {
            let (start, end) = self.left.piece(row);
            let left = &self.left.hashes[start..end];
            self.finder.set_first(left);
            for column in 0..columns {
                let (start, end) = self.right.piece(column);
                let right = &self.right.hashes[start..end];
                let (shorter, longer) = (left.len().min(right.len()), left.len().max(right.len()));
                let is_pair = |kept: usize| kept * 2 >= longer || (kept >= WINDOW && kept * 2 >= shorter);
                let anchored = self.is_anchored(row, column);
                let mut kept = if anchored || is_pair(shorter) { self.finder.length_with(right) } else { 0 };
                if !anchored && !is_pair(kept) {
                    kept = 0;
                }
                let above = if row > 0 { self.kept[(row - 1) * columns + column].1 } else { 0 };
                let before = if column > 0 { self.kept[row * columns + column - 1].1 } else { 0 };
                let both = if row > 0 && column > 0 { self.kept[(row - 1) * columns + column - 1].1 } else { 0 };
                self.kept.push((kept as u32, (both + kept as u32).max(above).max(before)));
            }
        }
    }

    /// Read the best pairing back from `kept`.
    fn choose_paragraphs(&mut self, rows: usize, columns: usize) {
        self.chosen.clear();
        let total = |row: usize, column: usize| {
            if row == 0 || column == 0 { 0 } else { self.kept[(row - 1) * columns + column - 1].1 }
        };
        let (mut row, mut column) = (rows, columns);
        while row > 0 && column > 0 {
            if total(row, column) == total(row - 1, column) {
                row -= 1;
            } else if total(row, column) == total(row, column - 1) {
                column -= 1;
            } else {
                row -= 1;
                column -= 1;
                self.chosen.push((row, column));
            }
        }
        self.chosen.reverse();
    }

    /// Whether two pieces are the remainders of paragraphs that are matched next to the gap.
    fn is_anchored(&self, row: usize, column: usize) -> bool {
        let first = row == 0 && column == 0 && self.left.open.0 && self.right.open.0;
        let last = row + 1 == self.left.piece_count() && column + 1 == self.right.piece_count();
        first || (last && self.left.open.1 && self.right.open.1)
    }

    /// Match the words of two pieces, unless they are mostly different.
    fn match_words(&mut self, (start, end, other_start, other_end): (usize, usize, usize, usize)) {
        let from = self.pairs.len();
        let (left, right) = (&self.left.hashes[start..end], &self.right.hashes[other_start..other_end]);
        self.finder.find_pairs(left, right, &mut self.pairs);
        if is_accidental(&self.pairs[from..], left.len().min(right.len()), left.len().max(right.len())) {
            self.pairs.truncate(from);
        }
        for pair in &mut self.pairs[from..] {
            *pair = (pair.0 + start as u32, pair.1 + other_start as u32);
        }
    }
}

/// Whether the matches of two pieces of these lengths are accidental: beyond small changes less than half of the longer
/// piece is kept, neither piece is wholly kept, and less than half of the shorter one is in runs of three words.
fn is_accidental(pairs: &[(u32, u32)], shorter: usize, longer: usize) -> bool {
    if longer <= SMALL || pairs.len() == shorter || pairs.len() * 2 >= longer {
        return false;
    }
    let runs = pairs.chunk_by(|left, right| left.0 + 1 == right.0 && left.1 + 1 == right.1);
    let telling: usize = runs.map(<[_]>::len).filter(|&length| length >= 3).sum();
    telling * 2 < shorter
}

/// Move insertions and deletions to where they start and end with a paragraph, else next to punctuation.
///
/// Before *"I urge you"* an inserted *"I live here."* can as well be read as the insertion of *"live here. I"* after
/// the first word; both keep the same words.
pub fn slide_cuts(sides: [Side; 2], taken: &[Vec<bool>; 2], runs: &mut Vec<Tile>) {
    let none = Tile { reference: 0, document: 0, length: 0 };
    let end = Tile { reference: sides[0].len() as u32, document: sides[1].len() as u32, length: 0 };
    for position in 0..=runs.len() {
        let before = if position > 0 { runs[position - 1] } else { none };
        let after = runs.get(position).copied().unwrap_or(end);
        let removed = (before.reference_end() as usize, after.reference as usize);
        let added = (before.document_end() as usize, after.document as usize);
        let limits = (before.length as usize, after.length as usize);
        let shift = if removed.0 == removed.1 && added.0 < added.1 {
            best_shift([sides[1], sides[0]], added, removed.0, limits, &taken[1])
        } else if added.0 == added.1 && removed.0 < removed.1 {
            best_shift([sides[0], sides[1]], removed, added.0, limits, &taken[0])
        } else {
            continue;
        };
        if position > 0 {
            runs[position - 1].length = (i64::from(before.length) + shift) as u32;
        }
        if let Some(run) = runs.get_mut(position) {
            run.reference = (i64::from(run.reference) + shift) as u32;
            run.document = (i64::from(run.document) + shift) as u32;
            run.length = (i64::from(run.length) - shift) as u32;
        }
    }
    runs.retain(|run| run.length > 0);
    runs.dedup_by(|run, last| {
        let goes_on = last.reference_end() == run.reference && last.document_end() == run.document;
        last.length += if goes_on { run.length } else { 0 };
        goes_on
    });
}

/// By how many words to move the run `cut` of the first side, which is before token `point` of the second, at most
/// by the lengths of the runs before and after it, and not so far that a displaced word would be matched.
fn best_shift(
    [side, other]: [Side; 2],
    cut: (usize, usize),
    point: usize,
    limits: (usize, usize),
    taken: &[bool],
) -> i64 {
    let hashes = side.tokens.hashes;
    let backward = (1..=limits.0.min(MAX_SLIDE).min(cut.1 - cut.0))
        .take_while(|step| hashes[cut.0 - step] == hashes[cut.1 - step] && !taken[cut.1 - step]);
    let forward = (0..limits.1.min(MAX_SLIDE).min(cut.1 - cut.0))
        .take_while(|step| hashes[cut.0 + step] == hashes[cut.1 + step] && !taken[cut.0 + step]);
    let quality = |shift: i64| {
        let moved = |token: usize| (token as i64 + shift) as usize;
        side.cut_quality(moved(cut.0)) + side.cut_quality(moved(cut.1)) + other.cut_quality(moved(point))
    };
    let shifts = -(backward.count() as i64)..=forward.count() as i64;
    shifts.max_by_key(|&shift| (quality(shift), -shift.abs(), shift)).unwrap_or(0)
}

/// Removes matches between paragraphs that have almost nothing in common, and keeps its buffers between calls.
#[derive(Default)]
pub struct AccidentFilter {
    pieces: Vec<(Tile, usize, usize)>,
    matched: [Vec<u32>; 2],
}

impl AccidentFilter {
    /// Drop the matches of two paragraphs if they are at most [`SMALL`] words and both paragraphs are mostly unmatched.
    pub fn filter(&mut self, sides: [Side; 2], runs: &mut Vec<Tile>) {
        self.cut(sides, runs);
        runs.clear();
        let [by_reference, by_document] = &self.matched;
        let mostly_new = |side: Side, paragraph: usize, matched: &[u32]| {
            let length = side.paragraph_starts[paragraph + 1] - side.paragraph_starts[paragraph];
            matched[paragraph] * 2 < length
        };
        for cell in self.pieces.chunk_by(|left, right| (left.1, left.2) == (right.1, right.2)) {
            let (_, row, column) = cell[0];
            let words: usize = cell.iter().map(|(tile, ..)| tile.length as usize).sum();
            let accident =
                words < SMALL && mostly_new(sides[0], row, by_reference) && mostly_new(sides[1], column, by_document);
            if !accident {
                cell.iter().for_each(|&(tile, ..)| push_run(runs, tile));
            }
        }
    }

    /// Cut the runs at the paragraphs of both sides and count the matched words of each paragraph.
    fn cut(&mut self, sides: [Side; 2], runs: &[Tile]) {
        for (side, matched) in sides.iter().zip(&mut self.matched) {
            matched.clear();
            matched.resize(side.paragraph_starts.len() - 1, 0);
        }
        self.pieces.clear();
        let (mut row, mut column) = (0, 0);
        for &run in runs {
            let mut rest = run;
            while rest.length > 0 {
                row = advance(sides[0].paragraph_starts, row, rest.reference);
                column = advance(sides[1].paragraph_starts, column, rest.document);
                let in_reference = sides[0].paragraph_starts[row + 1] - rest.reference;
                let in_document = sides[1].paragraph_starts[column + 1] - rest.document;
                let length = rest.length.min(in_reference).min(in_document);
                self.matched[0][row] += length;
                self.matched[1][column] += length;
                self.pieces.push((Tile { length, ..rest }, row, column));
                rest = Tile {
                    reference: rest.reference + length,
                    document: rest.document + length,
                    length: rest.length - length,
                };
            }
        }
    }
}

/// The paragraph at or after `from` that holds a token.
fn advance(starts: &[u32], from: usize, token: u32) -> usize {
    let mut paragraph = from;
    while starts[paragraph + 1] <= token {
        paragraph += 1;
    }
    paragraph
}
