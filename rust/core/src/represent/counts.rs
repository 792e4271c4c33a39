//! Approximate frequencies: how often the shingles of each document occur in the collection, as one class for each.
//!
//! A table of counts for a large collection does not fit the caches, and each lookup would miss them. Shingles are
//! therefore partitioned by the upper bits of their hashes into parts that are small enough to be counted in the cache,
//! one after the other. The count of each shingle is written back to its position in the part, and from there to its
//! document in the original order.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

use crate::support::fraction::Fraction;
use crate::support::huge_pages::Pages;
use crate::support::interrupt::checkpoint;

/// About this many shingles are counted at a time, as a power of two, and in this many slots: they fit a cache.
const PART_BITS: u32 = 19;
const SLOTS_BITS: u32 = 20;
/// The most parts that are written at a time: each needs its own cache line.
const MOST_PARTS_BITS: u32 = 11;
/// With at least this many parts, all threads have work until the end.
const ENOUGH_PARTS_BITS: u32 = 6;
/// How many shingles of a part are stored in one block.
const BLOCK: usize = 256;
const CLASS_SHIFT: u32 = 60;

/// Collects shingles and counts them.
#[derive(Clone, Copy)]
pub struct Counting {
    parts_bits: u32,
}

/// The shingles of consecutive documents, collected by one thread.
pub struct Tally {
    /// Blocks of shingles of the same part, 32 bits of the hash of each. After counting, the classes: four in a cell,
    /// from the start of the block.
    cells: Pages<AtomicU32>,
    /// The block that follows each in its part; the first block of a part has the number of the part.
    following: Vec<u32>,
    /// The position at which each part continues.
    ends: Vec<usize>,
    /// The part of each shingle, in order.
    order: Pages<u16>,
    /// Where the shingles of each document end.
    documents: Vec<usize>,
}

/// The classes of the shingles of each document: 0 for those that certainly occur in no other document, 15 for the most
/// common.
pub struct Counts {
    pieces: Vec<Piece>,
    /// How many documents a piece has.
    piece: usize,
    /// The document that was counted in place of each.
    holders: Vec<u32>,
}

/// The classes of consecutive documents.
struct Piece {
    classes: Vec<u8>,
    /// The end of the classes of each document, and whether it has too many unique shingles: then it has no classes.
    ends: Vec<(usize, bool)>,
}

impl Counting {
    /// Prepares to count the shingles of this many bytes of text.
    pub fn of_bytes(bytes: usize) -> Self {
        let shingles = (bytes / 5).max(1).ilog2();
        let enough = shingles.saturating_sub(10).min(ENOUGH_PARTS_BITS);
        Self { parts_bits: shingles.saturating_sub(PART_BITS - 1).clamp(enough, MOST_PARTS_BITS) }
    }

    /// An empty tally with room for the shingles of this many bytes of text.
    pub fn tally(&self, bytes: usize) -> Tally {
        let parts = 1 << self.parts_bits;
        let (room, likely) = (bytes / 2 + 1, bytes / 5);
        Tally {
            cells: Pages::zeroed(room + parts * BLOCK, likely),
            following: vec![0; parts],
            ends: (0..parts).map(|part| part * BLOCK).collect(),
            order: Pages::zeroed(room, likely),
            documents: Vec::new(),
        }
    }

    /// Adds the shingles of the next document.
    pub fn note(&self, shingles: &[u64], tally: &mut Tally) {
        let start = tally.documents.last().copied().unwrap_or(0);
        let end = start + shingles.len();
        while tally.order.len() < end {
            tally.order.double();
        }
        for (shingle, part) in shingles.iter().zip(&mut tally.order[start..end]) {
            let above = u128::from(*shingle) << self.parts_bits;
            *part = (above >> 64) as u16;
            let position = &mut tally.ends[usize::from(*part)];
            tally.cells[*position].store((above as u64 >> 32) as u32, Relaxed);
            *position += 1;
            if position.is_multiple_of(BLOCK) {
                *position = take_block(&mut tally.cells, &mut tally.following, *position / BLOCK - 1);
            }
        }
        tally.documents.push(end);
    }

    /// Counts the tallies, all but the last of which have the same number of documents.
    ///
    /// With a threshold of the Jaccard similarity, documents with so many unique shingles that they cannot reach it are
    /// marked. `holders` names the document that was counted in place of each.
    pub fn finish(&self, tallies: Vec<Tally>, threshold: Option<Fraction>, holders: Vec<u32>) -> Counts {
        let piece = tallies.first().map_or(1, |tally| tally.documents.len());
        (0..1usize << self.parts_bits).into_par_iter().for_each_init(Vec::new, |slots, part| {
            classify(&tallies, part, slots);
        });
        let pieces = tallies.into_par_iter().map(|tally| Piece::of(&tally, threshold)).collect();
        Counts { pieces, piece, holders }
    }
}

/// Allocates the block that follows a full one, and returns its start.
#[cold]
fn take_block(cells: &mut Pages<AtomicU32>, following: &mut Vec<u32>, full: usize) -> usize {
    let block = following.len();
    following[full] = block as u32;
    following.push(0);
    if cells.len() < (block + 1) * BLOCK {
        cells.double();
    }
    block * BLOCK
}

impl Tally {
    /// The cells of a part, in order.
    fn stretches(&self, part: usize) -> impl Iterator<Item = &[AtomicU32]> {
        let (end, mut block) = (self.ends[part], Some(part));
        std::iter::from_fn(move || {
            let number = block?;
            let is_last = number == end / BLOCK;
            block = (!is_last).then(|| self.following[number] as usize);
            let start = number * BLOCK;
            Some(&self.cells[start..if is_last { end } else { start + BLOCK }])
        })
    }
}

/// Counts the shingles of one part and writes their classes over them.
fn classify(tallies: &[Tally], part: usize, slots: &mut Vec<u8>) {
    checkpoint();
    let stretches = || tallies.iter().flat_map(|tally| tally.stretches(part));
    let shingles: usize = stretches().map(<[_]>::len).sum();
    let bits = (4 * shingles).max(1 << 10).ilog2().min(SLOTS_BITS.max((2 * shingles).max(1).ilog2()));
    slots.clear();
    slots.resize(1 << bits, 0);
    let slot = |cell: &AtomicU32| (cell.load(Relaxed) >> (32 - bits)) as usize;
    for cell in stretches().flatten() {
        let count = &mut slots[slot(cell)];
        *count = count.saturating_add(1);
    }
    for stretch in stretches() {
        for (four, cells) in stretch.chunks(4).enumerate() {
            let mut classes = [0; 4];
            classes.iter_mut().zip(cells).for_each(|(class, cell)| *class = CLASSES[usize::from(slots[slot(cell)])]);
            stretch[four].store(u32::from_le_bytes(classes), Relaxed);
        }
    }
}

impl Piece {
    /// Brings the classes back into the order of the shingles.
    fn of(tally: &Tally, threshold: Option<Fraction>) -> Self {
        checkpoint();
        let mut made = Self { classes: Vec::new(), ends: Vec::with_capacity(tally.documents.len()) };
        let mut positions: Vec<usize> = (0..tally.ends.len()).map(|part| part * BLOCK).collect();
        let (mut start, mut own) = (0, Vec::new());
        for &end in &tally.documents {
            own.clear();
            own.extend(tally.order[start..end].iter().map(|&part| {
                let position = &mut positions[usize::from(part)];
                let within = *position % BLOCK;
                let four = tally.cells[*position - within + within / 4].load(Relaxed);
                *position += 1;
                if within + 1 == BLOCK {
                    *position = tally.following[*position / BLOCK - 1] as usize * BLOCK;
                }
                (four >> (within % 4 * 8)) as u8
            }));
            let most_unique = threshold.map_or(own.len(), |threshold| own.len() - threshold.of(own.len()));
            let is_isolated = own.iter().filter(|&&class| class == 0).count() > most_unique;
            if !is_isolated {
                made.classes.extend_from_slice(&own);
            }
            made.ends.push((made.classes.len(), is_isolated));
            start = end;
        }
        made
    }
}

impl Counts {
    /// The class of each shingle of a document, or nothing if it cannot reach the threshold.
    pub(crate) fn classes(&self, document: usize) -> Option<&[u8]> {
        let document = self.holders[document] as usize;
        let (piece, within) = (&self.pieces[document / self.piece], document % self.piece);
        let start = if within == 0 { 0 } else { piece.ends[within - 1].0 };
        let (end, is_isolated) = piece.ends[within];
        (!is_isolated).then_some(&piece.classes[start..end])
    }
}

/// Puts the class of each shingle above sixty bits of its hash, drops unique shingles and returns how many there were.
pub(crate) fn put_above(classes: &[u8], shingles: &mut Vec<u64>) -> usize {
    let (all, mut kept) = (shingles.len(), 0);
    for (seen, &class) in classes.iter().enumerate().take(all) {
        shingles[kept] = (u64::from(class) << CLASS_SHIFT) | (shingles[seen] & ((1 << CLASS_SHIFT) - 1));
        kept += usize::from(class > 0);
    }
    shingles.truncate(kept);
    all - kept
}

/// The frequency class of each count: 0 for one, then two classes for each doubling, up to 15 for the most common.
const CLASSES: [u8; 256] = {
    let mut classes = [0u8; 256];
    let borders = [2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 255];
    let mut count = 2;
    while count < 256 {
        let mut class = 0;
        while class < borders.len() && borders[class] <= count {
            class += 1;
        }
        classes[count] = class as u8;
        count += 1;
    }
    classes
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::hash::mix;
    use std::collections::HashMap;

    /// Documents of shingles from a given number of them, in tallies of three documents, and the classes of each.
    fn count(documents: &[Vec<u64>], bytes: usize, threshold: Option<Fraction>) -> Counts {
        let counting = Counting::of_bytes(bytes);
        let tallies = documents.chunks(3).map(|chunk| {
            let mut tally = counting.tally(0);
            chunk.iter().for_each(|shingles| counting.note(shingles, &mut tally));
            tally
        });
        counting.finish(tallies.collect(), threshold, (0..documents.len() as u32).collect())
    }

    fn examples() -> Vec<Vec<u64>> {
        let shingle = |d: u64, n: u64| mix(if n.is_multiple_of(3) { d * 1000 + n } else { n * (1 + d % 7) });
        (0..40).map(|d| (0..mix(d) % 60).map(|n| shingle(d, n)).collect()).collect()
    }

    #[test]
    fn shingles_are_classified_by_their_counts_for_any_number_of_parts() {
        let documents = examples();
        let mut occurrences: HashMap<u64, usize> = HashMap::new();
        documents.iter().flatten().for_each(|&shingle| *occurrences.entry(shingle).or_default() += 1);
        for bytes in [0, 1 << 14, 1 << 20, 1 << 30] {
            let counts = count(&documents, bytes, None);
            let (mut all, mut right) = (0, 0);
            for (document, shingles) in documents.iter().enumerate() {
                let classes = counts.classes(document).expect("no threshold");
                assert_eq!(classes.len(), shingles.len());
                for (class, shingle) in classes.iter().zip(shingles) {
                    let wanted = CLASSES[occurrences[shingle]];
                    assert!(*class >= wanted, "never too small");
                    all += 1;
                    right += usize::from(*class == wanted);
                }
            }
            assert!(right * 2 > all, "{right} of {all}");
        }
    }

    #[test]
    fn documents_with_too_many_unique_shingles_are_marked() {
        let shared: Vec<u64> = (0..100).map(mix).collect();
        // The number of unique shingles of a document of a hundred.
        let shingle = |own: u64, n: u64| if n < own { mix(1000 * own + n) } else { shared[n as usize] };
        let documents: Vec<Vec<u64>> = (0..=100).map(|own| (0..100).map(|n| shingle(own, n)).collect()).collect();
        let counts = count(&documents, 1 << 20, Some(Fraction { numerator: 4, denominator: 5 }));
        assert!((0..=20).all(|own| counts.classes(own).is_some_and(|classes| classes.len() == 100)));
        assert!((40..=100).all(|own| counts.classes(own).is_none()));
    }

    #[test]
    fn the_class_is_put_above_the_hash_of_shared_shingles() {
        let mut shingles = vec![u64::MAX, 2, 3];
        assert_eq!(put_above(&[15, 0, 1], &mut shingles), 1);
        assert_eq!(shingles, [u64::MAX, (1 << CLASS_SHIFT) | 3]);
    }
}
