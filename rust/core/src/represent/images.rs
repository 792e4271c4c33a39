//! Document images: the few description units that represent a document (Ignatov & Kuznetsov 2009, section 2.1).
//!
//! "n minimal elements in a permutation" takes the n smallest shingle hashes in one order of all hashes; "minimal
//! elements in n permutations" takes the smallest in each of n orders. The hashes are already well mixed, so the first
//! order is their own; others come from mixing in a seed. The second method tags each minimum with the number of its
//! order: a shingle that is the minimum twice counts twice, and the share of common units estimates the Jaccard
//! similarity. The paper's own orders, products with random binary matrices, are available for comparison: a linear map
//! fixes 0 and is not min-wise independent. Lexical images are the words of a lexicon that a document contains.

use crate::represent::shingles::Shingling;
use crate::represent::shingles::{Selection, gather};
use crate::support::hash;
use crate::text::collection::Collection;

/// No image has more units than this.
pub const MOST_UNITS: usize = 10_000;

/// How units are chosen among a document's shingles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The smallest in one order.
    Bottom,
    /// The smallest in each of many orders.
    Permutations,
}

/// How the size of an image depends on the number of distinct shingles of its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// Not at all.
    Fixed,
    /// With its logarithm: the full size at a thousand shingles.
    Logarithmic,
    /// In proportion: the full size at a thousand shingles.
    Linear,
}

impl Growth {
    /// How many units an image has for this many distinct shingles, if `size` is requested.
    pub fn units(self, size: usize, shingles: usize) -> usize {
        let units = match self {
            Self::Fixed => size,
            Self::Logarithmic => (size * (shingles.max(1).ilog2() as usize + 1)).div_ceil(10),
            Self::Linear => (size * shingles).div_ceil(1000),
        };
        units.clamp(1, MOST_UNITS)
    }
}

/// What an image is made of.
#[derive(Clone, Debug)]
pub struct Imaging {
    /// The shingles.
    pub shingling: Shingling,
    /// How far the beginnings of two shingles are apart, in units.
    pub offset: usize,
    /// How units are chosen.
    pub choice: Choice,
    /// How many.
    pub size: usize,
    /// Whether longer documents have more.
    pub growth: Growth,
    /// The paper's orders by binary matrices, and minima without tags.
    pub literal: bool,
}

/// The orders of one kind of image, prepared once.
pub struct Imager {
    imaging: Imaging,
    matrices: Vec<Matrix>,
}

impl Imager {
    /// Draws the orders.
    pub fn new(imaging: Imaging) -> Self {
        let orders = match (imaging.literal, imaging.choice, imaging.growth) {
            (false, ..) => 0,
            (true, Choice::Bottom, _) => 1,
            (true, Choice::Permutations, Growth::Fixed) => imaging.size.min(MOST_UNITS),
            (true, Choice::Permutations, _) => MOST_UNITS.min(imaging.size * 10),
        };
        Self { imaging, matrices: (0..orders as u64).map(Matrix::draw).collect() }
    }

    /// The images of these documents, each ascending, and where each begins.
    pub fn images(&self, collection: &Collection, documents: &[u32]) -> (Vec<u64>, Vec<u64>) {
        let unit = self.imaging.shingling.unit;
        flatten(&collection.map(documents, unit, |units| self.image(units)))
    }

    /// The image of a sequence of units.
    pub fn image(&self, units: &[u64]) -> Vec<u64> {
        let Imaging { shingling, offset, choice, size, growth, .. } = self.imaging;
        let mut shingles = Vec::new();
        gather(units, shingling.size, Selection::Position(offset.max(1)), &mut shingles);
        if growth != Growth::Fixed || choice == Choice::Permutations {
            shingles.sort_unstable();
            shingles.dedup();
        }
        let wanted = growth.units(size, shingles.len());
        match choice {
            Choice::Bottom => self.bottom(shingles, wanted),
            Choice::Permutations if self.imaging.literal => self.literal_minima(&shingles, wanted),
            Choice::Permutations => minima(&shingles, wanted),
        }
    }

    fn bottom(&self, mut shingles: Vec<u64>, wanted: usize) -> Vec<u64> {
        if let Some(matrix) = self.matrices.first() {
            shingles.iter_mut().for_each(|shingle| *shingle = matrix.times(*shingle));
        }
        // There may be repeats among the smallest: take more until there are enough distinct ones.
        let mut looked_at = 2 * wanted;
        while looked_at < shingles.len() {
            shingles.select_nth_unstable(looked_at);
            let mut first = shingles[..looked_at].to_vec();
            first.sort_unstable();
            first.dedup();
            if first.len() >= wanted {
                first.truncate(wanted);
                return first;
            }
            looked_at *= 2;
        }
        shingles.sort_unstable();
        shingles.dedup();
        shingles.truncate(wanted);
        shingles
    }

    fn literal_minima(&self, shingles: &[u64], wanted: usize) -> Vec<u64> {
        let least = |matrix: &Matrix| shingles.iter().copied().min_by_key(|&shingle| matrix.times(shingle));
        let mut image: Vec<u64> = self.matrices.iter().take(wanted).filter_map(least).collect();
        image.sort_unstable();
        image.dedup();
        image
    }
}

/// The smallest shingle in each of several orders, tagged with the number of the order.
fn minima(shingles: &[u64], wanted: usize) -> Vec<u64> {
    if shingles.is_empty() {
        return Vec::new();
    }
    let seeds: Vec<u64> = (1..=wanted as u64).map(hash::mix).collect();
    let mut least = vec![u64::MAX; wanted];
    for &shingle in shingles {
        for (least, seed) in least.iter_mut().zip(&seeds) {
            *least = (*least).min(hash::mix(shingle ^ seed));
        }
    }
    let mut image: Vec<u64> = least.iter().zip(&seeds).map(|(&least, &seed)| hash::fold(least, seed | 1)).collect();
    image.sort_unstable();
    image.dedup();
    image
}

/// The words of these documents that are among `hashes`, which is ascending, and where each image begins.
pub fn word_images(collection: &Collection, documents: &[u32], hashes: &[u64]) -> (Vec<u64>, Vec<u64>) {
    let lists = collection.map(documents, crate::text::collection::Unit::Word, |words| {
        let mut image = words.to_vec();
        image.sort_unstable();
        image.dedup();
        image.retain(|word| hashes.binary_search(word).is_ok());
        image
    });
    flatten(&lists)
}

fn flatten(lists: &[Vec<u64>]) -> (Vec<u64>, Vec<u64>) {
    let mut offsets = vec![0u64];
    let mut end = 0;
    for list in lists {
        end += list.len() as u64;
        offsets.push(end);
    }
    (lists.concat(), offsets)
}

/// An invertible binary matrix of 64 rows, as tables of its products with each byte of a number.
struct Matrix {
    tables: Vec<[u64; 256]>,
}

impl Matrix {
    /// Draws matrices until one is invertible, which about three in ten are.
    fn draw(number: u64) -> Self {
        let column = |attempt: u64, index: u64| hash::mix(hash::mix(number + 1) ^ hash::mix((attempt << 6) | index));
        for attempt in 0.. {
            let columns: Vec<u64> = (0..64).map(|index| column(attempt, index)).collect();
            if is_invertible(&columns) {
                return Self::tabled(&columns);
            }
        }
        unreachable!("one of the drawn matrices is invertible")
    }

    fn tabled(columns: &[u64]) -> Self {
        let product = |byte: usize, value: usize| {
            (0..8).filter(|bit| value >> bit & 1 == 1).fold(0, |sum, bit| sum ^ columns[byte * 8 + bit])
        };
        let table = |byte| std::array::from_fn(|value| product(byte, value));
        Self { tables: (0..8).map(table).collect() }
    }

    fn times(&self, value: u64) -> u64 {
        self.tables.iter().zip(value.to_le_bytes()).fold(0, |sum, (table, byte)| sum ^ table[byte as usize])
    }
}

fn is_invertible(columns: &[u64]) -> bool {
    let mut basis = [0u64; 64];
    columns.iter().all(|&column| {
        let mut rest = column;
        while rest != 0 {
            let top = 63 - rest.leading_zeros() as usize;
            if basis[top] == 0 {
                basis[top] = rest;
                return true;
            }
            rest ^= basis[top];
        }
        false
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::hash::mix;
    use crate::text::collection::Unit;

    fn imager(choice: Choice, size: usize, literal: bool) -> Imager {
        let shingling = Shingling { size: 3, unit: Unit::Word };
        Imager::new(Imaging { shingling, offset: 1, choice, size, growth: Growth::Fixed, literal })
    }

    fn shingles(units: &[u64]) -> Vec<u64> {
        let mut all = Vec::new();
        crate::represent::shingles::shingles(units, 3, |shingle| all.push(shingle));
        all.sort_unstable();
        all.dedup();
        all
    }

    #[test]
    fn the_smallest_shingles_are_distinct_even_if_they_repeat_in_the_text() {
        for period in [1, 2, 7, 50, 10_000] {
            let units: Vec<u64> = (0..2000u64).map(|i| mix(i % period)).collect();
            let all = shingles(&units);
            for size in [1, 10, 40, 3000] {
                assert_eq!(imager(Choice::Bottom, size, false).image(&units), all[..size.min(all.len())]);
            }
        }
    }

    #[test]
    fn tagged_minima_agree_as_often_as_the_sets_are_alike() {
        let (a, b): (Vec<u64>, Vec<u64>) = ((0..400).map(mix).collect(), (100..500).map(mix).collect());
        let image = imager(Choice::Permutations, 2000, false);
        let (a, b) = (image.image(&a), image.image(&b));
        assert_eq!((a.len(), b.len()), (2000, 2000));
        let shared = a.iter().filter(|unit| b.contains(unit)).count() as f64 / 2000.0;
        assert!((shared - 298.0 / 498.0).abs() < 0.04, "{shared}");
    }

    #[test]
    fn matrices_permute_and_literal_images_are_shingles() {
        let matrix = Matrix::draw(5);
        let mut products: Vec<u64> = (0..5000u64).map(|value| matrix.times(value)).collect();
        products.sort_unstable();
        products.dedup();
        assert_eq!(products.len(), 5000);
        assert_eq!(matrix.times(77) ^ matrix.times(1234), matrix.times(77 ^ 1234));
        let units: Vec<u64> = (0..60).map(mix).collect();
        let image = imager(Choice::Permutations, 100, true).image(&units);
        assert!(image.len() > 20 && image.iter().all(|unit| shingles(&units).contains(unit)));
        assert_eq!(imager(Choice::Bottom, 20, true).image(&units).len(), 20);
    }

    #[test]
    fn images_grow_with_the_document() {
        let sizes = |growth: Growth| [1, 10, 1000, 100_000].map(|shingles| growth.units(100, shingles));
        assert_eq!(sizes(Growth::Fixed), [100, 100, 100, 100]);
        assert_eq!(sizes(Growth::Logarithmic), [10, 40, 100, 170]);
        assert_eq!(sizes(Growth::Linear), [1, 1, 100, 10_000]);
    }
}
