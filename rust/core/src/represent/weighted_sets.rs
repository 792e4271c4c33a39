//! Sets of weighted terms, and how much weight two of them have in common (Gong et al. 2008, equation 4).
//!
//! A set holds the ranks of its terms in an order that all sets agree on, ascending. Weights are whole numbers, one for
//! each rank, so sums and the comparison with a threshold are exact.

use rayon::prelude::*;

use crate::represent::term_table::TermTable;
use crate::support::fraction::Fraction;
use crate::support::interrupt::checkpoint;

const CHUNK: usize = 1 << 12;

/// Two sets, the smaller number first, and the weight that they share.
pub type Shared = (u32, u32, u64);

/// One set of weighted terms per document.
pub struct WeightedSets {
    ranks: Vec<u32>,
    /// The offset of each set, and the end of the last.
    offsets: Vec<u64>,
    totals: Vec<u64>,
    weights: Vec<u32>,
    hashes: Vec<u64>,
}

impl WeightedSets {
    /// Builds the sets of these documents; `ranks` (a permutation) and `weights` have one value for each word of the
    /// table.
    pub fn new(table: &TermTable, documents: &[u32], ranks: &[u32], weights: &[u32]) -> Self {
        let mut by_rank = vec![0u32; weights.len()];
        let mut hashes = vec![0u64; weights.len()];
        for ((&rank, &weight), word) in ranks.iter().zip(weights).zip(&table.words) {
            by_rank[rank as usize] = weight;
            hashes[rank as usize] = word.hash;
        }
        let exchanged = table.by_number(ranks);
        let mut offsets = Vec::with_capacity(documents.len() + 1);
        offsets.push(0u64);
        for &document in documents {
            offsets.push(offsets[offsets.len() - 1] + table.size(document as usize) as u64);
        }
        let mut made = Self {
            ranks: vec![0; offsets[documents.len()] as usize],
            offsets,
            totals: vec![0; documents.len()],
            weights: by_rank,
            hashes,
        };
        made.fill(table, documents, &exchanged);
        made
    }

    /// Writes the sets, each chunk of documents into its own part of the arrays.
    fn fill(&mut self, table: &TermTable, documents: &[u32], exchanged: &[u32]) {
        let mut rest = &mut self.ranks[..];
        let mut pieces = Vec::with_capacity(documents.len() / CHUNK + 1);
        for (number, chunk) in documents.chunks(CHUNK).enumerate() {
            let length = self.offsets[number * CHUNK + chunk.len()] - self.offsets[number * CHUNK];
            let (piece, behind) = rest.split_at_mut(length as usize);
            pieces.push((chunk, piece));
            rest = behind;
        }
        let weights = &self.weights;
        pieces.into_par_iter().zip(self.totals.par_chunks_mut(CHUNK)).for_each(|((documents, mut piece), totals)| {
            for (&document, total) in documents.iter().zip(totals) {
                let (set, behind) = piece.split_at_mut(table.size(document as usize));
                let terms = table.exchanged(document as usize, exchanged);
                set.iter_mut().zip(terms).for_each(|(index, rank)| *index = rank);
                set.sort_unstable();
                *total = set.iter().map(|&rank| u64::from(weights[rank as usize])).sum();
                piece = behind;
            }
        });
    }

    /// How many sets there are.
    pub fn len(&self) -> usize {
        self.totals.len()
    }

    /// Whether there is no set.
    pub fn is_empty(&self) -> bool {
        self.totals.is_empty()
    }

    /// The ranks of one set, ascending.
    #[inline]
    pub fn of(&self, set: usize) -> &[u32] {
        &self.ranks[self.offsets[set] as usize..self.offsets[set + 1] as usize]
    }

    /// The weight of each set.
    pub fn totals(&self) -> &[u64] {
        &self.totals
    }

    /// How many different terms there are.
    pub(crate) fn terms(&self) -> usize {
        self.weights.len()
    }

    /// The weight of the term of a rank.
    #[inline]
    pub(crate) fn weight(&self, rank: u32) -> u64 {
        u64::from(self.weights[rank as usize])
    }

    /// The hash of the term of a rank.
    #[inline]
    pub(crate) fn hash(&self, rank: u32) -> u64 {
        self.hashes[rank as usize]
    }

    /// The weight that two sets share.
    pub fn shared(&self, a: usize, b: usize) -> u64 {
        let mut sum = 0;
        each_common(self.of(a), self.of(b), |rank| {
            sum += self.weight(rank);
            true
        });
        sum
    }

    /// The weight that each of these pairs of sets shares.
    pub fn shared_all(&self, pairs: &[(u32, u32)]) -> Vec<u64> {
        let shared = |(): &mut (), &(a, b): &(u32, u32)| self.shared(a as usize, b as usize);
        pairs.par_iter().with_min_len(256).with_max_len(1 << 12).map_init(checkpoint, shared).collect()
    }

    /// How many first terms of a set a partner at the threshold must share one of: without them, the rest of the set is
    /// too light.
    pub(crate) fn prefix(&self, set: usize, threshold: Fraction) -> usize {
        let ranks = self.of(set);
        let mut left = self.totals[set];
        ranks
            .iter()
            .position(|&rank| {
                let short = !reaches(left, self.totals[set], threshold);
                left -= self.weight(rank);
                short
            })
            .unwrap_or(ranks.len())
    }

    /// The hashes of the first terms of each set, ascending: sets at the threshold share one (keys of an index).
    pub fn prefix_keys(&self, threshold: Fraction) -> (Vec<u64>, Vec<u64>) {
        let lists = (0..self.len()).into_par_iter().with_min_len(CHUNK).map(|set| {
            let ranks = &self.of(set)[..self.prefix(set, threshold)];
            let mut keys: Vec<u64> = ranks.iter().map(|&rank| self.hashes[rank as usize]).collect();
            keys.sort_unstable();
            keys
        });
        flatten(&lists.collect::<Vec<_>>())
    }
}

/// Lists as values and offsets.
pub(crate) fn flatten(lists: &[Vec<u64>]) -> (Vec<u64>, Vec<u64>) {
    let mut offsets = Vec::with_capacity(lists.len() + 1);
    offsets.push(0u64);
    lists.iter().for_each(|list| offsets.push(offsets[offsets.len() - 1] + list.len() as u64));
    (lists.concat(), offsets)
}

/// Whether a part reaches the threshold as a share of the whole.
#[inline]
pub(crate) fn reaches(part: u64, whole: u64, threshold: Fraction) -> bool {
    u128::from(part) * u128::from(threshold.denominator) >= u128::from(whole) * u128::from(threshold.numerator)
}

/// Whether two sets of these weights that share this much reach the threshold.
#[inline]
pub(crate) fn similar(shared: u64, a: u64, b: u64, threshold: Fraction) -> bool {
    reaches(shared, a + b - shared, threshold)
}

/// Calls `visit` with each element of both ascending lists, until it returns false.
#[inline]
pub(crate) fn each_common(a: &[u32], b: &[u32], mut visit: impl FnMut(u32) -> bool) {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i], b[j]);
        if x == y && !visit(x) {
            return;
        }
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::support::hash::mix;
    use crate::text::collection::Collection;
    use crate::text::normaliser::{Boilerplate, Form, Markup, Normaliser};

    pub const NORMALISER: Normaliser =
        Normaliser { form: Form::Nfc, markup: Markup::Auto, boilerplate: Boilerplate::Keep };
    pub const TWO_THIRDS: Fraction = Fraction { numerator: 13, denominator: 20 };

    /// Texts, many of which differ in a word or two, as sets with weights and ranks made up from their hashes.
    pub fn sets(seed: u64, count: u64, vocabulary: u64) -> WeightedSets {
        let mut texts: Vec<String> = Vec::new();
        let mut last: Vec<u64> = Vec::new();
        for d in 0..count {
            if d % 4 == 0 || last.is_empty() {
                last = (0..1 + mix(seed + d) % 14).map(|i| mix(seed * 31 + d * 100 + i) % vocabulary).collect();
            } else {
                let at = (mix(seed ^ d) % last.len() as u64) as usize;
                last[at] = mix(d + seed) % vocabulary;
            }
            texts.push(last.iter().map(|word| format!("w{word}x ")).collect());
        }
        let slices: Vec<&str> = texts.iter().map(String::as_str).collect();
        let (table, _) = TermTable::read(&Collection::new(&slices, &[], NORMALISER));
        let documents: Vec<u32> = (0..count as u32).collect();
        let counts = table.count(&documents);
        let mut order: Vec<u32> = (0..table.words.len() as u32).collect();
        order.sort_unstable_by_key(|&index| (counts[index as usize], index));
        let mut ranks = vec![0u32; order.len()];
        order.iter().enumerate().for_each(|(rank, &index)| ranks[index as usize] = rank as u32);
        let weights: Vec<u32> = table.words.iter().map(|word| 1 + (word.hash % 4) as u32 * 7).collect();
        WeightedSets::new(&table, &documents, &ranks, &weights)
    }

    pub fn nested_loops(sets: &WeightedSets, threshold: Fraction) -> Vec<Shared> {
        let mut found = Vec::new();
        for a in 0..sets.len() {
            for b in a + 1..sets.len() {
                let shared = sets.shared(a, b);
                if shared > 0 && similar(shared, sets.totals()[a], sets.totals()[b], threshold) {
                    found.push((a as u32, b as u32, shared));
                }
            }
        }
        found
    }

    #[test]
    fn prefixes_of_similar_sets_share_a_key() {
        let sets = sets(3, 300, 60);
        let (keys, offsets) = sets.prefix_keys(TWO_THIRDS);
        let of = |set: u32| &keys[offsets[set as usize] as usize..offsets[set as usize + 1] as usize];
        let found = nested_loops(&sets, TWO_THIRDS);
        assert!(found.len() > 50);
        assert!(found.iter().all(|&(a, b, _)| of(a).iter().any(|key| of(b).contains(key))));
        assert!(keys.len() < sets.ranks.len() * 2 / 3);
    }
}
