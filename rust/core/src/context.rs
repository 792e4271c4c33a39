//! The context of a collection of images: which description units which documents have, reduced without loss.
//!
//! Documents of the same image are one item. A unit that only one item has cannot be shared and is dropped; the others
//! are rows, numbered from the rarest, as the overlap join wants them. Everything here is exact: clusters and pairs of
//! the reduced context, with items replaced by their documents, are those of the whole.

use rayon::prelude::*;

use crate::collapse;
use crate::group::{Entry, Grouped};
use crate::hash;
use crate::join::{Match, Measure, similar_pairs};
use crate::keys::{Guarded, KeyTable, Limits};
use crate::sets::Sets;
use crate::survey::Fingerprint;

/// Images reduced to items and rows.
pub struct Context {
    /// The item of each document.
    items: Vec<u32>,
    starts: Vec<u32>,
    documents: Vec<u32>,
    sets: Sets,
    copies: Vec<u32>,
    rows: usize,
    patterns: usize,
    units: usize,
}

impl Context {
    /// Reduces the images of documents, each ascending; `copies` says how many texts each document stands for, one each
    /// where it is empty.
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
        let shared: usize = runs.iter().map(|run| run.len()).sum();
        let (rows, patterns) = (runs.len(), count_patterns(&runs));
        let sets = transpose(&runs, sizes);
        let copy = |document: &u32| u64::from(copies.get(*document as usize).copied().unwrap_or(1));
        let copies = (0..count).map(|item| {
            let members = &documents[starts[item] as usize..starts[item + 1] as usize];
            members.iter().map(copy).sum::<u64>().min(u64::from(u32::MAX)) as u32
        });
        let copies = copies.collect();
        Self { items, starts, documents, sets, copies, rows, patterns, units: rows + occurrences - shared }
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
        (self.units, self.rows, self.patterns)
    }

    /// The rows of each item, ascending; its size counts the units that it alone has too.
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

    /// How many texts an item stands for.
    pub fn copies(&self, item: usize) -> u32 {
        self.copies[item]
    }

    /// How many units an item must share with whatever it is put together with.
    pub fn need(&self, item: usize, measure: Measure) -> u32 {
        measure.least(self.sets.size(item)).max(1)
    }

    /// Whether an item has too few units to share enough with anything.
    pub fn is_short(&self, item: usize, measure: Measure) -> bool {
        self.sets.size(item) < self.need(item, measure)
    }

    /// Every pair of items that share enough units.
    pub fn item_pairs(&self, measure: Measure, budget: u64) -> (Vec<Match>, Guarded) {
        let limits = Limits { lengths: self.sets.sizes(), copies: &self.copies, sides: &[], budget };
        similar_pairs(&self.sets, measure, &limits)
    }

    /// The pairs of documents that pairs of items stand for, and those of documents with the same image; then how many
    /// were not listed. Up to `most` all are. Beyond, the first document of an item speaks for the others of its image.
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

/// The number of each document's image, counted by first appearance.
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

/// The places of each number, in order, and where those of each begin.
pub(crate) fn group_by(numbers: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let count = numbers.iter().max().map_or(0, |&most| most as usize + 1);
    let mut starts = vec![0u32; count + 1];
    numbers.iter().for_each(|&number| starts[number as usize + 1] += 1);
    (0..count).for_each(|number| starts[number + 1] += starts[number]);
    let mut ends = starts.clone();
    let mut places = vec![0u32; numbers.len()];
    for (place, &number) in numbers.iter().enumerate() {
        places[ends[number as usize] as usize] = place as u32;
        ends[number as usize] += 1;
    }
    (starts, places)
}

fn count_patterns(runs: &[&[Entry]]) -> usize {
    let pattern = |run: &&[Entry]| run.iter().fold(0, |sum, entry| hash::fold(sum ^ entry.1, 0x9e37_79b9_7f4a_7c15));
    let mut patterns: Vec<u64> = runs.par_iter().map(pattern).collect();
    patterns.par_sort_unstable();
    patterns.dedup();
    patterns.len()
}

/// The rows of each item from the items of each row.
fn transpose(runs: &[&[Entry]], sizes: Vec<u32>) -> Sets {
    let mut offsets = vec![0u64; sizes.len() + 1];
    runs.iter().copied().flatten().for_each(|entry| offsets[entry.1 as usize + 1] += 1);
    (0..sizes.len()).for_each(|item| offsets[item + 1] += offsets[item]);
    let mut ends = offsets.clone();
    let mut rows = vec![0u64; offsets[sizes.len()] as usize];
    for (row, run) in runs.iter().enumerate() {
        for entry in *run {
            let end = &mut ends[entry.1 as usize];
            rows[*end as usize] = row as u64;
            *end += 1;
        }
    }
    Sets::from_shared(&rows, &offsets, sizes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context(images: &[&[u64]]) -> Context {
        let mut offsets = vec![0u64];
        images.iter().for_each(|image| offsets.push(offsets[offsets.len() - 1] + image.len() as u64));
        Context::new(KeyTable { keys: &images.concat(), offsets: &offsets }, &[])
    }

    #[test]
    fn equal_images_are_one_item_and_lonely_units_are_no_rows() {
        let made = context(&[&[1, 2, 3, 9], &[1, 2, 3, 9], &[1, 2, 4], &[], &[7], &[]]);
        assert_eq!((made.len(), made.items(), made.counts()), (6, 4, (6, 2, 1)));
        assert_eq!((made.documents(0), made.documents(2), made.copies(0)), (&[0, 1][..], &[3, 5][..], 2));
        assert_eq!((made.sets().size(0), made.sets().values(0)), (4, &[0, 1][..]));
        let (pairs, guarded) = made.item_pairs(Measure::Shared(2), u64::MAX);
        assert_eq!((pairs.as_slice(), guarded), (&[(0, 1, 2)][..], Guarded::default()));
    }

    #[test]
    fn pairs_of_documents_are_all_listed_or_by_the_first_of_each_image() {
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
