//! Text of the reference that a document has in another place, or more than once.
//!
//! A run of matched words that is not in the chain is *moved* if the reference's words are matched nowhere else, and
//! *repeated* if they are. It must have [`SMALL`] words, apart from small changes inside it, or hold a whole paragraph
//! of either text.

use std::ops::Range;

use super::gaps::{SMALL, Side, push_run};
use super::subsequence::SubsequenceFinder;
use super::tiles::Tile;

/// The fewest words of a paragraph that counts as a block of its own.
pub const SHORTEST_PARAGRAPH: usize = 3;

/// The most paragraphs of equal words that are tried for one of a document.
const MAX_SAME_PARAGRAPHS: usize = 64;

/// For each side and word whether it is matched.
pub type Taken = [Vec<bool>; 2];

/// A run of matched words out of order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Displaced {
    pub tile: Tile,
    /// The reference's words are matched elsewhere too.
    pub repeated: bool,
}

/// Finds displaced runs and keeps its buffers between calls.
#[derive(Default)]
pub struct MoveFinder {
    finder: SubsequenceFinder,
    group: Vec<Displaced>,
    paragraphs: Vec<(u64, u32)>,
    ranges: Vec<Range<usize>>,
    pairs: Vec<(u32, u32)>,
    runs: Vec<Tile>,
}

impl MoveFinder {
    /// Choose the displaced runs among the tiles that are not in the chain, and mark their words as taken.
    pub fn choose(&mut self, sides: [Side; 2], rest: &[Tile], taken: &mut Taken, displaced: &mut Vec<Displaced>) {
        self.group.clear();
        for &tile in rest {
            let mut start = 0;
            while start < tile.length {
                let (reference, document) = (tile.reference + start, tile.document + start);
                if !self.goes_on(reference, document) {
                    self.close(sides, taken, displaced);
                }
                let words = &taken[0][reference as usize..tile.reference_end() as usize];
                let repeated = words[0];
                let length = words.iter().take_while(|&&taken| taken == repeated).count() as u32;
                if self.group.last().is_some_and(|last| last.repeated != repeated) {
                    self.close(sides, taken, displaced);
                }
                self.group.push(Displaced { tile: Tile { reference, document, length }, repeated });
                start += length;
            }
        }
        self.close(sides, taken, displaced);
    }

    /// Extend displaced runs over free words, add whole free paragraphs that moved, and match the words of moved
    /// paragraphs around small changes.
    pub fn complete(&mut self, sides: [Side; 2], taken: &mut Taken, displaced: &mut Vec<Displaced>) {
        for part in displaced.iter_mut() {
            let words = part.tile.reference as usize..part.tile.reference_end() as usize;
            // The words may be free again if their match in order was accidental.
            part.repeated &= taken[0][words].contains(&true);
            grow(sides, taken, part);
        }
        self.move_paragraphs(sides, taken, displaced);
        self.patch(sides, taken, displaced);
        displaced.sort_unstable_by_key(|part| part.tile.document);
    }

    /// Whether a match at these tokens follows the group after at most a small change.
    fn goes_on(&self, reference: u32, document: u32) -> bool {
        let near = |from: u32, to: u32| to >= from && (to - from) as usize <= SMALL;
        self.group
            .last()
            .is_some_and(|last| near(last.tile.reference_end(), reference) && near(last.tile.document_end(), document))
    }

    /// Take the group if it is large enough, and start another.
    fn close(&mut self, sides: [Side; 2], taken: &mut Taken, displaced: &mut Vec<Displaced>) {
        let words: usize = self.group.iter().map(|part| part.tile.length as usize).sum();
        let holds_paragraph = |part: &Displaced| {
            let Tile { reference, document, length } = part.tile;
            holds_paragraph(sides[0], reference, length) || holds_paragraph(sides[1], document, length)
        };
        if words >= SMALL || self.group.iter().any(holds_paragraph) {
            self.group.iter().for_each(|part| mark(taken, *part));
            displaced.extend_from_slice(&self.group);
        }
        self.group.clear();
    }

    /// Find paragraphs of the reference, free so far, that occur in the document as a paragraph or as a repeated run.
    fn move_paragraphs(&mut self, sides: [Side; 2], taken: &mut Taken, displaced: &mut Vec<Displaced>) {
        self.paragraphs.clear();
        for (number, range) in free_paragraphs(sides[0], &taken[0]) {
            self.paragraphs.push((content_key(&sides[0].tokens.hashes[range]), number));
        }
        if self.paragraphs.is_empty() {
            return;
        }
        self.paragraphs.sort_unstable();
        for part in displaced.iter_mut().filter(|part| part.repeated) {
            let range = part.tile.document as usize..part.tile.document_end() as usize;
            if let Some(tile) = self.find_paragraph(sides, range, &taken[0]) {
                *part = Displaced { tile, repeated: false };
                mark(taken, *part);
            }
        }
        self.ranges.clear();
        self.ranges.extend(free_paragraphs(sides[1], &taken[1]).map(|(_, range)| range));
        for range in &self.ranges {
            if let Some(tile) = self.find_paragraph(sides, range.clone(), &taken[0]) {
                let part = Displaced { tile, repeated: false };
                mark(taken, part);
                displaced.push(part);
            }
        }
    }

    /// The first free paragraph of the reference that has the words of a range of the document.
    fn find_paragraph(&self, sides: [Side; 2], range: Range<usize>, taken: &[bool]) -> Option<Tile> {
        let hashes = &sides[1].tokens.hashes[range.clone()];
        let key = content_key(hashes);
        let from = self.paragraphs.partition_point(|&(other, _)| other < key);
        let same = self.paragraphs[from..].iter().take_while(|&&(other, _)| other == key);
        let starts = same.take(MAX_SAME_PARAGRAPHS).map(|&(_, number)| sides[0].paragraph_starts[number as usize]);
        let mut free = starts.filter(|&start| {
            let position = start as usize;
            !taken[position] && sides[0].tokens.hashes.get(position..position + hashes.len()) == Some(hashes)
        });
        let tile = |reference| Tile { reference, document: range.start as u32, length: hashes.len() as u32 };
        free.next().map(tile)
    }

    /// Match the free words next to each moved run within the paragraphs of its ends.
    fn patch(&mut self, sides: [Side; 2], taken: &mut Taken, displaced: &mut Vec<Displaced>) {
        for position in 0..displaced.len() {
            let Displaced { tile, repeated } = displaced[position];
            if repeated {
                continue;
            }
            let starts = [tile.reference, tile.document];
            let ends = [tile.reference_end(), tile.document_end()];
            for is_before in [true, false] {
                let region = [0, 1].map(|side| match is_before {
                    true => free_before(sides[side], &taken[side], starts[side]),
                    false => free_after(sides[side], &taken[side], ends[side]),
                });
                self.match_region(sides, region);
                for &tile in &self.runs {
                    let part = Displaced { tile, repeated: false };
                    mark(taken, part);
                    displaced.push(part);
                }
            }
        }
    }

    /// Put the runs of matched words of two regions into `runs`; none if the regions are long and mostly different.
    fn match_region(&mut self, sides: [Side; 2], [left, right]: [(u32, u32); 2]) {
        self.runs.clear();
        self.pairs.clear();
        let first = &sides[0].tokens.hashes[left.0 as usize..left.1 as usize];
        let second = &sides[1].tokens.hashes[right.0 as usize..right.1 as usize];
        self.finder.find_pairs(first, second, &mut self.pairs);
        let longer = first.len().max(second.len());
        if longer > SMALL && self.pairs.len() * 2 < longer {
            return;
        }
        for &(reference, document) in &self.pairs {
            push_run(&mut self.runs, Tile { reference: left.0 + reference, document: right.0 + document, length: 1 });
        }
    }
}

/// Mark the words of a displaced run as taken; a repeated one takes none of the reference.
fn mark(taken: &mut Taken, part: Displaced) {
    let Tile { reference, document, length } = part.tile;
    if !part.repeated {
        taken[0][reference as usize..(reference + length) as usize].fill(true);
    }
    taken[1][document as usize..(document + length) as usize].fill(true);
}

/// Extend a displaced run in both directions over words that are free and the same.
fn grow(sides: [Side; 2], taken: &mut Taken, part: &mut Displaced) {
    let free = |taken: &Taken, left: u32, right: u32| {
        let (left, right) = (left as usize, right as usize);
        left < taken[0].len()
            && right < taken[1].len()
            && !taken[1][right]
            && (part.repeated || !taken[0][left])
            && sides[0].tokens.hashes[left] == sides[1].tokens.hashes[right]
    };
    let mut tile = part.tile;
    while tile.reference > 0 && tile.document > 0 && free(taken, tile.reference - 1, tile.document - 1) {
        tile = Tile { reference: tile.reference - 1, document: tile.document - 1, length: tile.length + 1 };
    }
    while free(taken, tile.reference_end(), tile.document_end()) {
        tile.length += 1;
    }
    part.tile = tile;
    mark(taken, *part);
}

/// The paragraphs of which no word is taken, with their numbers.
fn free_paragraphs<'a>(side: Side<'a>, taken: &'a [bool]) -> impl Iterator<Item = (u32, Range<usize>)> + 'a {
    let ranges = side.paragraph_starts.windows(2).map(|pair| pair[0] as usize..pair[1] as usize);
    let numbered = (0u32..).zip(ranges);
    numbered.filter(|(_, range)| range.len() >= SHORTEST_PARAGRAPH && !taken[range.clone()].contains(&true))
}

/// Whether a run of words holds a whole paragraph.
fn holds_paragraph(side: Side, start: u32, length: u32) -> bool {
    let next = side.paragraph_starts.partition_point(|&other| other < start);
    side.paragraph_starts.get(next + 1).is_some_and(|&end| end <= start + length)
}

fn content_key(hashes: &[u64]) -> u64 {
    hashes.iter().fold(0, |key: u64, &hash| (key.rotate_left(7) ^ hash).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// The free tokens before a token in its paragraph.
fn free_before(side: Side, taken: &[bool], token: u32) -> (u32, u32) {
    let start = side.paragraph_starts[side.paragraph_of(token)] as usize;
    let region = &taken[start..token as usize];
    let free = region.iter().rev().take(4 * SMALL).take_while(|taken| !**taken).count() as u32;
    (token - free, token)
}

/// The free tokens from `end` on in the paragraph of the token before it.
fn free_after(side: Side, taken: &[bool], end: u32) -> (u32, u32) {
    let stop = side.paragraph_starts[side.paragraph_of(end - 1) + 1] as usize;
    let region = &taken[end as usize..stop];
    let free = region.iter().take(4 * SMALL).take_while(|taken| !**taken).count() as u32;
    (end, end + free)
}
