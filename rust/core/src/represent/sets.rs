//! Shingle sets as sorted arrays, and the overlap of two of them.
//!
//! There are two kinds. Plain sets hold every shingle. Counted sets omit the shingles that occur once in the collection
//! (no other document can share them; they only count in the size) and have the others in the order that the join
//! needs: rare before common. The order is part of the value: four bits of approximate frequency above sixty bits of
//! hash.

use rayon::prelude::*;

use crate::represent::counts::{Counts, put_above};
use crate::represent::shingles::{Selection, Shingling, gather};
use crate::support::interrupt::checkpoint;
use crate::support::simd::{Kernel, Vectors, dispatch};
use crate::support::sorting::Sorter;
use crate::text::collection::{Collection, Reader};

const CHUNK: usize = 128;

/// One sorted set of numbers per document.
pub struct Sets {
    chunks: Vec<Chunk>,
    sizes: Vec<u32>,
}

#[derive(Default)]
struct Chunk {
    values: Vec<u64>,
    ends: Vec<u32>,
}

impl Sets {
    /// Builds the shingle sets of these documents.
    pub fn plain(collection: &Collection, documents: &[u32], shingling: Shingling, selection: Selection) -> Self {
        Self::build(collection, documents, false, |document, reader, values| {
            let units = collection.units(document, shingling.unit, reader);
            gather(units, shingling.size, selection, values);
            0
        })
    }

    /// Builds the counted shingle sets of these documents, no two of which were counted as one; shingling and selection
    /// are those of the counts.
    ///
    /// A document that cannot reach the threshold of the counts gets an empty set, of size 0.
    pub fn counted(
        collection: &Collection,
        documents: &[u32],
        shingling: Shingling,
        selection: Selection,
        counts: &Counts,
    ) -> Self {
        Self::build(collection, documents, true, |document, reader, values| {
            let Some(classes) = counts.classes(document) else {
                return 0;
            };
            let units = collection.units(document, shingling.unit, reader);
            gather(units, shingling.size, selection, values);
            put_above(classes, values) as u32
        })
    }

    /// Builds sets from flat arrays, each ascending without repeats.
    pub fn from_arrays(values: &[u64], offsets: &[u64]) -> Self {
        let documents: Vec<usize> = (0..offsets.len().saturating_sub(1)).collect();
        let chunks = documents
            .chunks(CHUNK)
            .map(|chunk| {
                let mut made = Chunk::default();
                for &document in chunk {
                    made.values.extend(&values[offsets[document] as usize..offsets[document + 1] as usize]);
                    made.ends.push(made.values.len() as u32);
                }
                made
            })
            .collect();
        let sizes = offsets.windows(2).map(|pair| (pair[1] - pair[0]) as u32).collect();
        Self { chunks, sizes }
    }

    /// Builds sets from their shared elements, ascending without repeats, rare ones first; `sizes` counts the other
    /// elements too.
    pub fn from_shared(values: &[u64], offsets: &[u64], sizes: Vec<u32>) -> Self {
        Self { sizes, ..Self::from_arrays(values, offsets) }
    }

    /// Builds sets in parallel; `fill` collects the values of a document and returns how many more count in its size.
    fn build(
        collection: &Collection,
        documents: &[u32],
        skewed: bool,
        fill: impl Fn(usize, &mut Reader, &mut Vec<u64>) -> u32 + Sync,
    ) -> Self {
        debug_assert!(documents.iter().all(|&document| (document as usize) < collection.len()));
        let made: Vec<(Chunk, Vec<u32>)> = documents
            .par_chunks(CHUNK)
            .map_init(<(Reader, Sorter, Vec<u64>)>::default, |(reader, sorter, sorted), documents| {
                let (mut ends, mut sizes) = (Vec::with_capacity(documents.len()), Vec::with_capacity(documents.len()));
                sorted.clear();
                for &document in documents {
                    sorter.values.clear();
                    let unseen = fill(document as usize, reader, &mut sorter.values);
                    let length = sorter.append_sorted(skewed, sorted);
                    ends.push(sorted.len() as u32);
                    sizes.push(length as u32 + unseen);
                }
                (Chunk { values: sorted.clone(), ends }, sizes)
            })
            .collect();
        let sizes = made.iter().flat_map(|(_, sizes)| sizes.iter().copied()).collect();
        Self { chunks: made.into_iter().map(|(chunk, _)| chunk).collect(), sizes }
    }

    /// How many sets there are.
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Whether there is no set.
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// The values of one set, ascending; for counted sets, without those that no other document has.
    #[inline]
    pub fn values(&self, set: usize) -> &[u64] {
        let chunk = &self.chunks[set / CHUNK];
        let within = set % CHUNK;
        let start = if within == 0 { 0 } else { chunk.ends[within - 1] as usize };
        &chunk.values[start..chunk.ends[within] as usize]
    }

    /// The size of one set, with the values that are not stored.
    #[inline]
    pub fn size(&self, set: usize) -> u32 {
        self.sizes[set]
    }

    /// The sizes of all sets.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// The number of common elements of each pair, or 0 if it is below `needed` for the two sizes.
    pub fn overlaps(&self, pairs: &[(u32, u32)], needed: impl Fn(u32, u32) -> u32 + Sync) -> Vec<u32> {
        let overlap = |&(a, b): &(u32, u32)| {
            let (a, b) = (a as usize, b as usize);
            let needed = needed(self.size(a), self.size(b));
            overlap_of_at_least(self.values(a), self.values(b), needed).unwrap_or(0)
        };
        pairs.par_iter().with_min_len(64).with_max_len(1 << 12).map_init(checkpoint, |(), pair| overlap(pair)).collect()
    }
}

/// The number of elements that two ascending lists share.
pub fn overlap(a: &[u64], b: &[u64]) -> u32 {
    overlap_of_at_least(a, b, 0).unwrap_or(0)
}

/// The number of shared elements, or nothing as soon as it cannot reach `needed`.
pub fn overlap_of_at_least(a: &[u64], b: &[u64], needed: u32) -> Option<u32> {
    dispatch(Overlapping { a, b, needed })
}

/// Compares two ascending lists in blocks of eight; the block that ends first is replaced by the next of its list.
struct Overlapping<'a> {
    a: &'a [u64],
    b: &'a [u64],
    needed: u32,
}

impl Kernel for Overlapping<'_> {
    type Output = Option<u32>;

    #[inline(always)]
    fn run<V: Vectors>(self, vectors: V) -> Option<u32> {
        let (a, b, needed) = (self.a, self.b, self.needed as usize);
        let (most_a, most_b) = (a.len().checked_sub(needed)?, b.len().checked_sub(needed)?);
        let (mut i, mut j, mut shared) = (0, 0, 0);
        while let (Some(x), Some(y)) = (a[i..].first_chunk(), b[j..].first_chunk()) {
            shared += vectors.common(x, y);
            i += if x[7] <= y[7] { 8 } else { 0 };
            j += if y[7] <= x[7] { 8 } else { 0 };
            // Elements that were passed without a match are lost.
            if i > most_a + shared || j > most_b + shared {
                return None;
            }
        }
        while i < a.len() && j < b.len() {
            let (x, y) = (a[i], b[j]);
            shared += usize::from(x == y);
            i += usize::from(x <= y);
            j += usize::from(y <= x);
        }
        (shared >= needed).then_some(shared as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::measure::Measure;
    use crate::represent::first_pass::{FirstPass, survey};
    use crate::support::fraction::Fraction;
    use crate::support::hash;
    use crate::text::collection::Unit;
    use crate::text::normaliser::{Boilerplate, Form, Markup, Normaliser};

    const NORMALISER: Normaliser = Normaliser { form: Form::Nfc, markup: Markup::Auto, boilerplate: Boilerplate::Keep };
    const PAIRS_OF_WORDS: Shingling = Shingling { size: 2, unit: Unit::Word };

    fn texts() -> Vec<String> {
        let word = |n: u64| format!("w{}", hash::mix(n) % 60);
        (0..400u64).map(|d| (0..d % 23 + 1).map(|i| word(d * 100 + i) + " ").collect()).collect()
    }

    #[test]
    fn counted_sets_have_the_sizes_and_overlaps_of_plain_ones() {
        let texts = texts();
        let slices: Vec<&str> = texts.iter().map(String::as_str).collect();
        let collection = Collection::new(&slices, &[], NORMALISER);
        let documents: Vec<u32> = (0..texts.len() as u32).collect();
        let plain = Sets::plain(&collection, &documents, PAIRS_OF_WORDS, Selection::All);
        let first_pass = FirstPass::Count(PAIRS_OF_WORDS, Selection::All, None);
        let counts = survey(&collection, &documents, &first_pass).counts.expect("asked for");
        let counted = Sets::counted(&collection, &documents, PAIRS_OF_WORDS, Selection::All, &counts);
        assert_eq!(plain.sizes(), counted.sizes());
        let pairs: Vec<(u32, u32)> = (0..399).map(|i| (i, (i * 7 + 1) % 400)).filter(|(a, b)| a != b).collect();
        assert_eq!(plain.overlaps(&pairs, |_, _| 0), counted.overlaps(&pairs, |_, _| 0));
        assert!((0..400).all(|i| counted.values(i).is_sorted() && counted.values(i).len() <= plain.values(i).len()));
    }

    #[test]
    fn only_sets_without_a_partner_are_left_empty() {
        let texts = texts();
        let slices: Vec<&str> = texts.iter().map(String::as_str).collect();
        let collection = Collection::new(&slices, &[], NORMALISER);
        let documents: Vec<u32> = (0..texts.len() as u32).collect();
        let make = |threshold| {
            let first_pass = FirstPass::Count(PAIRS_OF_WORDS, Selection::All, threshold);
            let counts = survey(&collection, &documents, &first_pass).counts.expect("asked for");
            Sets::counted(&collection, &documents, PAIRS_OF_WORDS, Selection::All, &counts)
        };
        let threshold = Fraction { numerator: 3, denominator: 5 };
        let (measure, whole, some) = (Measure::Jaccard(threshold), make(None), make(Some(threshold)));
        let mut emptied = 0;
        for a in 0..texts.len() {
            if some.values(a) != whole.values(a) {
                assert!(some.values(a).is_empty() && some.size(a) == 0);
                let reaches = |b: usize| {
                    let needed = measure.needed(whole.size(a), whole.size(b));
                    a != b && overlap_of_at_least(whole.values(a), whole.values(b), needed).is_some()
                };
                assert!(!(0..texts.len()).any(reaches));
                emptied += 1;
            }
        }
        assert!(emptied > 0 && emptied < texts.len());
    }

    #[test]
    fn the_overlap_gives_up_only_below_what_is_needed() {
        let a: Vec<u64> = (0..50).collect();
        let b: Vec<u64> = (25..75).collect();
        for needed in 0..60 {
            assert_eq!(overlap_of_at_least(&a, &b, needed), (needed <= 25).then_some(25), "needed {needed}");
        }
    }

    #[test]
    fn overlaps_are_those_of_sets() {
        use crate::support::simd::{Level, dispatch_at};
        for (length, modulus) in [(0u64, 3u64), (5, 2), (40, 3), (200, 9), (500, 50), (501, 1000)] {
            let some = |salt: u64| (0..length).filter(move |&n| !hash::mix(n + salt * 1000).is_multiple_of(modulus));
            let (a, b): (Vec<u64>, Vec<u64>) = (some(1).collect(), some(2).collect());
            let shared = a.iter().filter(|value| b.contains(value)).count() as u32;
            for level in [Level::Plain, Level::Wide, Level::Widest] {
                for needed in [0, shared.saturating_sub(1), shared, shared + 1] {
                    let found = dispatch_at(level, Overlapping { a: &a, b: &b, needed });
                    assert_eq!(found, (needed <= shared).then_some(shared), "{length} {modulus} {level:?}");
                }
            }
        }
    }
}
