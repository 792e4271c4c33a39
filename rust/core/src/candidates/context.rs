//! The context of a collection of images: which description units which documents have, reduced without loss.
//!
//! Documents of the same image are one item. A unit that only one item has cannot be shared and is dropped; the others
//! are rows, numbered from the rarest, as the overlap join needs them. The reduction is exact: clusters and pairs of
//! the reduced context, with items replaced by their documents, are those of the whole.

use rayon::prelude::*;

use crate::candidates::guard::pairs_of;
use crate::candidates::keys::{Guarded, KeyTable, Limits};
use crate::candidates::measure::{Match, Measure};
use crate::candidates::set_join::similar_pairs;
use crate::represent::sets::Sets;
use crate::support::grouping::{Entry, Grouped};
use crate::support::hash;
use crate::support::interrupt::checkpoint;
use crate::text::collapse;
use crate::text::fingerprint::Fingerprint;

/// Images reduced to items and rows.
pub struct Context {
    /// The item of each document.
    items: Vec<u32>,
    starts: Vec<u32>,
    documents: Vec<u32>,
    sets: Sets,
    copies: Vec<u32>,
    /// The items of each row, and where those of each begin.
    holders: Vec<u32>,
    rows: Vec<usize>,
    patterns: usize,
    units: usize,
}

/// Up to this many meetings of two items in a row, and this many for each item, every meeting is counted; beyond that,
/// the prefix filter is cheaper.
const COUNTED_MEETINGS: u64 = 10_000_000;
const COUNTED_MEETINGS_EACH: u64 = 100;
/// How many items a thread takes at a time.
const COUNTED_ITEMS: usize = 256;

impl Context {
    /// Reduces the images of documents, each ascending; `copies` is the number of texts that each document represents,
    /// and is empty if that is one each.
    pub fn new(images: KeyTable, copies: &[u32]) -> Self {
        let items = number_images(images);
        let (starts, documents) = group_by(&items);
        let first = |item: usize| documents[starts[item] as usize] as usize;
        let count = starts.len() - 1;
        let grouped = Grouped::collect(count, |item, emit| {
            images.of(first(item)).iter().for_each(|&unit| emit((unit, item as u64)));
        });
        let mut runs: Vec<&[Entry]> = grouped.runs().collect();
        runs.par_sort_unstable_by_key(|run| (run.len(), run[0].0));
        let sizes: Vec<u32> = (0..count).map(|item| images.of(first(item)).len() as u32).collect();
        let occurrences: usize = sizes.iter().map(|&size| size as usize).sum();
        let mut rows = vec![0];
        let mut holders = Vec::with_capacity(runs.iter().map(|run| run.len()).sum());
        for run in &runs {
            holders.extend(run.iter().map(|entry| entry.1 as u32));
            rows.push(holders.len());
        }
        let patterns = count_patterns(&holders, &rows);
        let units = runs.len() + occurrences - holders.len();
        drop(runs);
        drop(grouped);
        let sets = transpose(&holders, &rows, sizes);
        let copy = |document: &u32| u64::from(copies.get(*document as usize).copied().unwrap_or(1));
        let copies = (0..count).map(|item| {
            let members = &documents[starts[item] as usize..starts[item + 1] as usize];
            members.iter().map(copy).sum::<u64>().min(u64::from(u32::MAX)) as u32
        });
        let copies = copies.collect();
        Self { items, starts, documents, sets, copies, holders, rows, patterns, units }
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is no document.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// How many items, that is distinct images, there are.
    pub fn items(&self) -> usize {
        self.copies.len()
    }

    /// How many distinct units there are, how many of them are shared, and how many different sets of items share one.
    pub fn counts(&self) -> (usize, usize, usize) {
        (self.units, self.rows.len() - 1, self.patterns)
    }

    /// The rows of each item, ascending; its size also counts the units that only it has.
    pub fn sets(&self) -> &Sets {
        &self.sets
    }

    /// The item of a document.
    pub fn item(&self, document: usize) -> usize {
        self.items[document] as usize
    }

    /// The documents of an item, ascending.
    pub fn documents(&self, item: usize) -> &[u32] {
        &self.documents[self.starts[item] as usize..self.starts[item + 1] as usize]
    }

    /// How many texts an item represents.
    pub fn copies(&self, item: usize) -> u32 {
        self.copies[item]
    }

    /// How many units an item must share with any partner.
    pub fn need(&self, item: usize, measure: Measure) -> u32 {
        measure.least(self.sets.size(item)).max(1)
    }

    /// Whether an item has too few units to share enough with any other.
    pub fn is_short(&self, item: usize, measure: Measure) -> bool {
        self.sets.size(item) < self.need(item, measure)
    }

    /// The items that have a row, ascending.
    pub fn holders(&self, row: usize) -> &[u32] {
        &self.holders[self.rows[row]..self.rows[row + 1]]
    }

    /// Every pair of items that share enough units.
    pub fn item_pairs(&self, measure: Measure, budget: u64) -> (Vec<Match>, Guarded) {
        let meetings: u64 = self.rows.windows(2).map(|row| pairs_of(row[1] - row[0])).sum();
        let counted = COUNTED_MEETINGS + COUNTED_MEETINGS_EACH * self.items() as u64;
        if meetings <= counted.min(budget) {
            return (self.count_meetings(measure), Guarded::default());
        }
        let limits = Limits { lengths: self.sets.sizes(), copies: &self.copies, sides: &[], budget };
        similar_pairs(&self.sets, measure, &limits)
    }

    /// Counts how often each pair of items meets in a row.
    fn count_meetings(&self, measure: Measure) -> Vec<Match> {
        let pieces: Vec<usize> = (0..self.items()).step_by(COUNTED_ITEMS).collect();
        let count = |(counts, met): &mut (Vec<u32>, Vec<u32>), &start: &usize| {
            counts.resize(self.items(), 0);
            checkpoint();
            let mut found = Vec::new();
            for item in start..(start + COUNTED_ITEMS).min(self.items()) {
                if !self.is_short(item, measure) {
                    self.meet(item, measure, counts, met, &mut found);
                }
            }
            found
        };
        let found: Vec<Vec<Match>> = pieces.par_iter().map_init(Default::default, count).collect();
        found.concat()
    }

    /// Finds the later items that share enough with this one; `counts` is all zero before and after.
    fn meet(&self, item: usize, measure: Measure, counts: &mut [u32], met: &mut Vec<u32>, found: &mut Vec<Match>) {
        met.clear();
        for &row in self.sets.values(item) {
            let holders = self.holders(row as usize);
            for &other in &holders[holders.partition_point(|&other| other as usize <= item)..] {
                if counts[other as usize] == 0 {
                    met.push(other);
                }
                counts[other as usize] += 1;
            }
        }
        let size = self.sets.size(item);
        met.retain(|&other| {
            counts[other as usize] >= measure.needed(size, self.sets.size(other as usize)) || {
                counts[other as usize] = 0;
                false
            }
        });
        met.sort_unstable();
        for &other in met.iter() {
            found.push((item as u32, other, std::mem::take(&mut counts[other as usize])));
        }
    }

    /// The pairs of documents that pairs of items represent, and those of documents with the same image; then how many
    /// were not listed. Up to `most` all pairs are listed. Beyond that, only the pairs of the first document of each
    /// image are.
    pub fn document_pairs(&self, matches: &[Match], measure: Measure, most: u64) -> (Vec<Match>, u64) {
        let size = |item: u32| self.documents(item as usize).len() as u64;
        let alike = (0..self.items() as u32).filter(|&item| size(item) > 1 && !self.is_short(item as usize, measure));
        let same: Vec<Match> = alike.map(|item| (item, item, self.sets.size(item as usize))).collect();
        let of = |&(a, b, _): &Match| if a == b { size(a) * (size(a) - 1) / 2 } else { size(a) * size(b) };
        let total: u64 = matches.iter().chain(&same).map(of).sum();
        let all = total <= most;
        let mut pairs: Vec<Match> = matches
            .par_iter()
            .chain(&same)
            .flat_map_iter(|&(a, b, shared)| {
                let (left, right) = (self.documents(a as usize), self.documents(b as usize));
                left.iter().enumerate().flat_map(move |(i, &x)| {
                    let chosen = move |j: usize| (a != b || i < j) && (all || i == 0 || (a != b && j == 0));
                    let partners = right.iter().enumerate().filter(move |(j, _)| chosen(*j));
                    partners.map(move |(_, &y)| (x.min(y), x.max(y), shared))
                })
            })
            .collect();
        pairs.par_sort_unstable();
        let unlisted = total - pairs.len() as u64;
        (pairs, unlisted)
    }
}

/// Numbers the image of each document by first appearance.
fn number_images(images: KeyTable) -> Vec<u32> {
    let print = |document: usize| {
        let units = images.of(document);
        Fingerprint { hash: hash::text(units), words: units.len() as u32 + 1 }
    };
    let prints: Vec<Fingerprint> = (0..images.len()).into_par_iter().map(print).collect();
    let ranks: Vec<u32> = (0..images.len() as u32).collect();
    let first = collapse::representatives(&prints, &ranks, &[]);
    let mut numbers = vec![0; images.len()];
    let mut count = 0;
    for (document, &representative) in first.iter().enumerate() {
        numbers[document] = if representative as usize == document {
            count += 1;
            count - 1
        } else {
            numbers[representative as usize]
        };
    }
    numbers
}

/// The positions of each number, in order, and the offset of each list.
pub(crate) fn group_by(numbers: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let count = numbers.iter().max().map_or(0, |&most| most as usize + 1);
    let mut starts = vec![0u32; count + 1];
    numbers.iter().for_each(|&number| starts[number as usize + 1] += 1);
    (0..count).for_each(|number| starts[number + 1] += starts[number]);
    let mut ends = starts.clone();
    let mut indices = vec![0u32; numbers.len()];
    for (index, &number) in numbers.iter().enumerate() {
        indices[ends[number as usize] as usize] = index as u32;
        ends[number as usize] += 1;
    }
    (starts, indices)
}

fn count_patterns(holders: &[u32], rows: &[usize]) -> usize {
    let add = |sum: u64, &item: &u32| hash::fold(sum ^ u64::from(item), 0x9e37_79b9_7f4a_7c15);
    let mut patterns: Vec<u64> = rows.par_windows(2).map(|row| holders[row[0]..row[1]].iter().fold(1, add)).collect();
    patterns.par_sort_unstable();
    patterns.dedup();
    patterns.len()
}

/// The rows of each item from the items of each row.
fn transpose(holders: &[u32], rows: &[usize], sizes: Vec<u32>) -> Sets {
    let mut offsets = vec![0u64; sizes.len() + 1];
    holders.iter().for_each(|&item| offsets[item as usize + 1] += 1);
    (0..sizes.len()).for_each(|item| offsets[item + 1] += offsets[item]);
    let mut ends = offsets.clone();
    let mut values = vec![0u64; holders.len()];
    for (row, span) in rows.windows(2).enumerate() {
        for &item in &holders[span[0]..span[1]] {
            let end = &mut ends[item as usize];
            values[*end as usize] = row as u64;
            *end += 1;
        }
    }
    Sets::from_shared(&values, &offsets, sizes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::fraction::Fraction;
    use crate::support::hash::mix;

    fn context(images: &[&[u64]]) -> Context {
        let mut offsets = vec![0u64];
        images.iter().for_each(|image| offsets.push(offsets[offsets.len() - 1] + image.len() as u64));
        Context::new(KeyTable { keys: &images.concat(), offsets: &offsets }, &[])
    }

    #[test]
    fn equal_images_are_one_item_and_unshared_units_are_no_rows() {
        let made = context(&[&[1, 2, 3, 9], &[1, 2, 3, 9], &[1, 2, 4], &[], &[7], &[]]);
        assert_eq!((made.len(), made.items(), made.counts()), (6, 4, (6, 2, 1)));
        assert_eq!((made.documents(0), made.documents(2), made.copies(0)), (&[0, 1][..], &[3, 5][..], 2));
        assert_eq!((made.sets().size(0), made.sets().values(0)), (4, &[0, 1][..]));
        let (pairs, guarded) = made.item_pairs(Measure::Shared(2), u64::MAX);
        assert_eq!((pairs.as_slice(), guarded), (&[(0, 1, 2)][..], Guarded::default()));
    }

    #[test]
    fn counting_meetings_equals_the_prefix_filter() {
        for seed in 0..200u64 {
            let has = |document: u64, unit: u64| mix(seed * 1000 + document * 40 + unit) % 10 < 1 + seed % 9;
            let images: Vec<Vec<u64>> =
                (0..30).map(|document| (0..20).filter(|&unit| has(document, unit)).collect()).collect();
            let made = context(&images.iter().map(Vec::as_slice).collect::<Vec<_>>());
            for measure in [Measure::Shared(3), Measure::SharedOfLarger(Fraction { numerator: 7, denominator: 10 })] {
                let limits = Limits { lengths: made.sets.sizes(), copies: &[], sides: &[], budget: u64::MAX };
                assert_eq!(made.count_meetings(measure), similar_pairs(&made.sets, measure, &limits).0);
            }
        }
    }

    #[test]
    fn beyond_the_limit_only_pairs_with_the_first_document_of_an_image_are_listed() {
        let made = context(&[&[1, 2], &[1, 2], &[1, 2], &[1, 2, 3], &[1, 2, 3], &[5]]);
        let (matches, _) = made.item_pairs(Measure::Shared(2), u64::MAX);
        let (all, unlisted) = made.document_pairs(&matches, Measure::Shared(2), 10);
        assert_eq!((all.len(), unlisted), (10, 0));
        assert!(all.contains(&(3, 4, 3)) && all.contains(&(2, 4, 2)));
        let (some, unlisted) = made.document_pairs(&matches, Measure::Shared(2), 9);
        let expected = [(0, 1, 2), (0, 2, 2), (0, 3, 2), (0, 4, 2), (1, 3, 2), (2, 3, 2), (3, 4, 3)];
        assert_eq!((some.as_slice(), unlisted), (&expected[..], 3));
    }
}
