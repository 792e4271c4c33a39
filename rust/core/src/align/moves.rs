//! Text of the reference that a document has in another place, or more than once.
//!
//! A run of matched words that is not in the chain is *moved* if the reference's words are matched nowhere else, and
//! *repeated* if they are. It must have [`SMALL`] words, apart from small changes inside it, or hold a whole paragraph
//! of either text.

use super::gaps::{SMALL, Side, push_run};
use super::subsequence::SubsequenceFinder;
use super::tiles::Tile;

/// The fewest words of a paragraph that counts as a block of its own.
pub const SHORTEST_PARAGRAPH: usize = 3;

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
    pairs: Vec<(u32, u32)>,
    runs: Vec<Tile>,
    buffer: Vec<Displaced>,
}

impl MoveFinder {
    /// Choose the displaced runs among the tiles that are not in the chain, and mark their words as taken.
    pub fn choose(
        &mut self,
        sides: [Side; 2],
        rest: &[Tile],
        taken: [&mut Vec<bool>; 2],
        displaced: &mut Vec<Displaced>,
    ) {
        let [taken_reference, taken_document] = taken;
        self.group.clear();
        for &tile in rest {
            let mut start = 0;
            while start < tile.length {
                let first = (tile.reference + start) as usize;
                if !self.goes_on(tile.reference + start, tile.document + start) {
                    self.close(sides, taken_reference, taken_document, displaced);
                }
                let repeated = taken_reference[first];
                let alike = taken_reference[first..(tile.reference + tile.length) as usize].iter();
                let length = alike.take_while(|&&taken| taken == repeated).count() as u32;
                let part = Tile { reference: first as u32, document: tile.document + start, length };
                if self.group.last().is_some_and(|last| last.repeated != repeated) {
                    self.close(sides, taken_reference, taken_document, displaced);
                }
                self.group.push(Displaced { tile: part, repeated });
                start += length;
            }
        }
        self.close(sides, taken_reference, taken_document, displaced);
    }

    /// Whether a match at these tokens follows the group after at most a small change.
    fn goes_on(&self, reference: u32, document: u32) -> bool {
        let near = |from: u32, to: u32| to >= from && (to - from) as usize <= SMALL;
        self.group
            .last()
            .is_some_and(|last| near(last.tile.reference_end(), reference) && near(last.tile.document_end(), document))
    }

    fn close(
        &mut self,
        sides: [Side; 2],
        reference: &mut [bool],
        document: &mut [bool],
        displaced: &mut Vec<Displaced>,
    ) {
        let words: usize = self.group.iter().map(|part| part.tile.length as usize).sum();
        let whole = |part: &Displaced| {
            let Tile { reference, document, length } = part.tile;
            holds_paragraph(sides[0], reference, length) || holds_paragraph(sides[1], document, length)
        };
        if words >= SMALL || self.group.iter().any(whole) {
            for part in &self.group {
                mark(reference, document, *part);
                displaced.push(*part);
            }
        }
        self.group.clear();
    }

    /// Let displaced runs grow over free words, add whole free paragraphs that moved, and match the words of moved
    /// paragraphs around small changes.
    pub fn complete(&mut self, sides: [Side; 2], taken: [&mut Vec<bool>; 2], displaced: &mut Vec<Displaced>) {
        let [reference, document] = taken;
        for part in displaced.iter_mut() {
            grow(sides, reference, document, part);
        }
        self.move_paragraphs(sides, reference, document, displaced);
        self.patch(sides, reference, document, displaced);
        displaced.sort_unstable_by_key(|part| part.tile.document);
    }

    /// Find whole paragraphs, free on both sides, that are the same.
    fn move_paragraphs(
        &mut self,
        sides: [Side; 2],
        reference: &mut [bool],
        document: &mut [bool],
        displaced: &mut Vec<Displaced>,
    ) {
        self.paragraphs.clear();
        for (number, range) in free_paragraphs(sides[0], reference) {
            self.paragraphs.push((content_key(&sides[0].tokens.hashes[range]), number));
        }
        if self.paragraphs.is_empty() {
            return;
        }
        self.paragraphs.sort_unstable();
        let found: Vec<_> = free_paragraphs(sides[1], document).collect();
        for (_, range) in found {
            let hashes = &sides[1].tokens.hashes[range.clone()];
            let key = content_key(hashes);
            let from = self.paragraphs.partition_point(|&(other, _)| other < key);
            let same = self.paragraphs[from..].iter().take_while(|&&(other, _)| other == key);
            let starts = same.map(|&(_, number)| sides[0].paragraph_starts[number as usize]);
            let place = starts.take(MAX_SAME_PARAGRAPHS).find(|&start| {
                let start = start as usize;
                let end = start + hashes.len();
                !reference[start] && sides[0].tokens.hashes.get(start..end) == Some(hashes)
            });
            if let Some(place) = place {
                let tile = Tile { reference: place, document: range.start as u32, length: hashes.len() as u32 };
                let part = Displaced { tile, repeated: false };
                mark(reference, document, part);
                displaced.push(part);
            }
        }
    }

    /// Match the free words beside each moved run within the paragraphs of its ends.
    fn patch(
        &mut self,
        sides: [Side; 2],
        reference: &mut [bool],
        document: &mut [bool],
        displaced: &mut Vec<Displaced>,
    ) {
        self.buffer.clear();
        for part in displaced.iter().filter(|part| !part.repeated) {
            let (before, after) = (
                [
                    free_before(sides[0], reference, part.tile.reference),
                    free_before(sides[1], document, part.tile.document),
                ],
                [
                    free_after(sides[0], reference, part.tile.reference_end()),
                    free_after(sides[1], document, part.tile.document_end()),
                ],
            );
            for region in [before, after] {
                self.match_region(sides, region);
                for &tile in &self.runs {
                    let part = Displaced { tile, repeated: false };
                    mark(reference, document, part);
                    self.buffer.push(part);
                }
            }
        }
        displaced.append(&mut self.buffer);
    }

    /// Put the runs of matched words of two regions into `runs`; none if the regions are long and mostly different.
    fn match_region(&mut self, sides: [Side; 2], [left, right]: [(u32, u32); 2]) {
        self.runs.clear();
        let first = &sides[0].tokens.hashes[left.0 as usize..left.1 as usize];
        let second = &sides[1].tokens.hashes[right.0 as usize..right.1 as usize];
        self.pairs.clear();
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

/// The most paragraphs of equal words that are tried for one of a document.
const MAX_SAME_PARAGRAPHS: usize = 64;

fn mark(reference: &mut [bool], document: &mut [bool], part: Displaced) {
    let Tile { reference: start, document: other, length } = part.tile;
    if !part.repeated {
        reference[start as usize..(start + length) as usize].fill(true);
    }
    document[other as usize..(other + length) as usize].fill(true);
}

fn grow(sides: [Side; 2], reference: &mut [bool], document: &mut [bool], part: &mut Displaced) {
    let same = |left: usize, right: usize| sides[0].tokens.hashes[left] == sides[1].tokens.hashes[right];
    loop {
        let Tile { reference: left, document: right, .. } = part.tile;
        let (Some(left), Some(right)) = (left.checked_sub(1), right.checked_sub(1)) else { break };
        let (left_at, right_at) = (left as usize, right as usize);
        if document[right_at] || (!part.repeated && reference[left_at]) || !same(left_at, right_at) {
            break;
        }
        part.tile = Tile { reference: left, document: right, length: part.tile.length + 1 };
        mark(reference, document, Displaced { tile: Tile { length: 1, ..part.tile }, ..*part });
    }
    loop {
        let (left, right) = (part.tile.reference_end(), part.tile.document_end());
        let (left_at, right_at) = (left as usize, right as usize);
        if left_at >= reference.len() || right_at >= document.len() {
            break;
        }
        if document[right_at] || (!part.repeated && reference[left_at]) || !same(left_at, right_at) {
            break;
        }
        part.tile.length += 1;
        mark(reference, document, Displaced { tile: Tile { reference: left, document: right, length: 1 }, ..*part });
    }
}

/// The paragraphs of which no word is taken, with their numbers.
fn free_paragraphs<'a>(side: Side<'a>, taken: &'a [bool]) -> impl Iterator<Item = (u32, std::ops::Range<usize>)> + 'a {
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
