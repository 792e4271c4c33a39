//! The words of a collection: how many documents have them, and signatures made from the rare ones.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use rayon::prelude::*;

use crate::support::hash;
use crate::support::hash::AsIs;
use crate::text::collection::{Collection, Reader, Unit};
use crate::text::words::tokens::folded_word;

/// How often a word occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The folded word.
    pub word: String,
    /// Its hash.
    pub hash: u64,
    /// The number of documents that have it.
    pub documents: u32,
    /// The number of times it occurs.
    pub occurrences: u64,
}

type Table<V> = HashMap<u64, V, BuildHasherDefault<AsIs>>;

/// A word while it is being counted, with the last document that had it.
struct Counting {
    term: Term,
    last: u32,
}

/// The words of these documents, in the order of their bytes.
pub fn vocabulary(collection: &Collection, documents: &[u32]) -> Vec<Term> {
    // Few large pieces: each has its own table, and the tables are merged at the end.
    let piece = documents.len().div_ceil(rayon::current_num_threads() * 2).max(1024);
    let merged = documents.par_chunks(piece).map(|piece| count(collection, piece)).reduce(Table::default, merge);
    let mut terms: Vec<Term> = merged.into_values().map(|counting| counting.term).collect();
    terms.par_sort_unstable_by(|a, b| a.word.cmp(&b.word));
    terms
}

fn count(collection: &Collection, documents: &[u32]) -> Table<Counting> {
    let mut counts: Table<Counting> = Table::default();
    let mut reader = Reader::default();
    for (number, &document) in documents.iter().enumerate() {
        let prepared = collection.read(document as usize, &mut reader);
        let tokens = &reader.tokens;
        for ((&hash, &start), &end) in tokens.hashes.iter().zip(&tokens.starts).zip(&tokens.ends) {
            let counting = counts.entry(hash).or_insert_with(|| {
                let word = folded_word(&prepared.text[start as usize..end as usize]);
                Counting { term: Term { word, hash, documents: 0, occurrences: 0 }, last: u32::MAX }
            });
            counting.term.occurrences += 1;
            if counting.last != number as u32 {
                counting.last = number as u32;
                counting.term.documents += 1;
            }
        }
    }
    counts
}

fn merge(mut into: Table<Counting>, mut other: Table<Counting>) -> Table<Counting> {
    if into.len() < other.len() {
        std::mem::swap(&mut into, &mut other);
    }
    for (hash, counting) in other {
        match into.entry(hash) {
            std::collections::hash_map::Entry::Occupied(mut known) => {
                known.get_mut().term.documents += counting.term.documents;
                known.get_mut().term.occurrences += counting.term.occurrences;
            }
            std::collections::hash_map::Entry::Vacant(index) => {
                index.insert(counting);
            }
        }
    }
    into
}

/// Computes signatures by rank: of the distinct known words of a document, ordered by rank, the first `skip` are left
/// out and the next `terms` are hashed together. If no more than `skip` are known, all words of the document are
/// hashed.
///
/// `hashes` is ascending; `ranks` has the rank of each.
pub fn signatures(
    collection: &Collection,
    documents: &[u32],
    (hashes, ranks): (&[u64], &[u32]),
    terms: usize,
    skip: usize,
) -> Vec<u64> {
    let by_hash: Table<u32> = hashes.iter().copied().zip(ranks.iter().copied()).collect();
    collection.map(documents, Unit::Word, |words| {
        let mut known: Vec<(u32, u64)> =
            words.iter().filter_map(|word| by_hash.get(word).map(|&rank| (rank, *word))).collect();
        known.sort_unstable();
        known.dedup();
        let mut chosen: Vec<u64> = known.iter().skip(skip).take(terms).map(|term| term.1).collect();
        let short = chosen.is_empty();
        if short {
            chosen = words.to_vec();
        }
        chosen.sort_unstable();
        chosen.dedup();
        (hash::text(&chosen) >> 64) as u64 ^ u64::from(short)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::normaliser::{Boilerplate, Form, Markup, Normaliser};

    const NORMALISER: Normaliser = Normaliser { form: Form::Nfc, markup: Markup::Auto, boilerplate: Boilerplate::Keep };

    #[test]
    fn words_are_counted_by_document_and_by_occurrence() {
        let texts = ["The cat the", "a CAT", "dog"];
        let terms = vocabulary(&Collection::new(&texts, &[], NORMALISER), &[0, 1, 2]);
        let counted: Vec<(&str, u32, u64)> =
            terms.iter().map(|term| (term.word.as_str(), term.documents, term.occurrences)).collect();
        assert_eq!(counted, [("a", 1, 1), ("cat", 2, 2), ("dog", 1, 1), ("the", 1, 2)]);
    }

    #[test]
    fn signatures_ignore_word_order_and_the_rarest_words() {
        let texts =
            ["x1 common words here today", "today here words common x2", "other words here today friend", "a b"];
        let collection = Collection::new(&texts, &[], NORMALISER);
        let terms = vocabulary(&collection, &[0, 1, 2, 3]);
        let mut ranked: Vec<&Term> = terms.iter().collect();
        ranked.sort_by_key(|term| (term.documents, term.word.clone()));
        let mut table: Vec<(u64, u32)> =
            ranked.iter().enumerate().map(|(rank, term)| (term.hash, rank as u32)).collect();
        table.sort_unstable();
        let (hashes, ranks): (Vec<u64>, Vec<u32>) = table.into_iter().unzip();
        let signatures = signatures(&collection, &[0, 1, 2, 3], (&hashes, &ranks), 3, 1);
        assert_eq!(signatures[0], signatures[1]);
        assert_ne!(signatures[0], signatures[2]);
        assert_ne!(signatures[3], signatures[0]);
    }
}
