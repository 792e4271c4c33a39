//! The first pass over a collection: the fingerprint of every text, and what else a representation needs from all
//! texts.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use rayon::prelude::*;

use crate::represent::counts::{Counting, Counts, Tally};
use crate::represent::shingles::Shingling;
use crate::represent::shingles::{Selection, gather};
use crate::represent::sketch::{Bands, Slots};
use crate::represent::term_table::TermTable;
use crate::support::fraction::Fraction;
use crate::support::hash;
use crate::support::huge_pages::Pages;
use crate::support::simd::prefetch;
use crate::text::collection::{Collection, Reader, Unit};
use crate::text::fingerprint::Fingerprint;

/// How many documents a thread takes at a time.
const CHUNK: usize = 128;
/// What the first pass computes besides the fingerprints.
pub enum FirstPass {
    /// Nothing.
    Fingerprints,
    /// The fingerprint of the words written together: "to get her" is "together".
    Joined,
    /// A banded sketch.
    Sketch(Shingling, Bands),
    /// How common the shingles of each document are; identical texts of a group are counted once. With a threshold of
    /// the Jaccard similarity, documents that cannot reach it are marked.
    Count(Shingling, Selection, Option<Fraction>),
    /// The terms; texts are identical if their terms are.
    Terms,
}

/// What the first pass found.
#[derive(Default)]
pub struct Survey {
    /// The fingerprint of each document.
    pub fingerprints: Vec<Fingerprint>,
    /// The band keys of each document, row by row.
    pub keys: Vec<u64>,
    /// The low byte of each slot of each document's sketch, row by row.
    pub slots: Vec<u8>,
    /// The counts, on request.
    pub counts: Option<Counts>,
    /// The terms, on request.
    pub terms: Option<TermTable>,
}

/// Reads every document once. Texts of different `groups` are distinct even if they are identical; without groups,
/// `groups` is empty.
pub fn survey(collection: &Collection, groups: &[u32], first_pass: &FirstPass) -> Survey {
    match first_pass {
        FirstPass::Fingerprints => {
            print_all(collection, |document, reader| Fingerprint::of(collection.units(document, Unit::Word, reader)))
        }
        FirstPass::Joined => print_all(collection, |document, reader| {
            let joined = collection.joined(document, reader);
            let units: Vec<u64> = joined.chunks(8).map(|chunk| hash::halves(chunk).0).collect();
            Fingerprint { words: reader.tokens.len() as u32, ..Fingerprint::of(&units) }
        }),
        FirstPass::Sketch(shingling, bands) => sketch_all(collection, *shingling, bands),
        FirstPass::Count(shingling, selection, threshold) => {
            count_all(collection, groups, (*shingling, *selection), *threshold)
        }
        FirstPass::Terms => {
            let (terms, fingerprints) = TermTable::read(collection);
            Survey { fingerprints, terms: Some(terms), ..Survey::default() }
        }
    }
}

fn print_all(collection: &Collection, print: impl Fn(usize, &mut Reader) -> Fingerprint + Sync) -> Survey {
    let documents = (0..collection.len()).into_par_iter().with_min_len(CHUNK);
    let fingerprints = documents.map_init(Reader::default, |reader, document| print(document, reader)).collect();
    Survey { fingerprints, ..Survey::default() }
}

fn sketch_all(collection: &Collection, shingling: Shingling, bands: &Bands) -> Survey {
    let (width, count) = (bands.bands(), bands.count());
    let mut made = Survey {
        fingerprints: vec![Fingerprint::default(); collection.len()],
        keys: vec![0; collection.len() * width],
        slots: vec![0; collection.len() * count],
        ..Survey::default()
    };
    let prints = made.fingerprints.par_chunks_mut(CHUNK);
    let keys = made.keys.par_chunks_mut(CHUNK * width);
    let bytes = made.slots.par_chunks_mut(CHUNK * count);
    prints.zip(keys).zip(bytes).enumerate().for_each_init(<(Reader, Slots)>::default, |scratch, (chunk, rows)| {
        let (reader, slots) = scratch;
        let ((prints, keys), bytes) = rows;
        let rows = keys.chunks_exact_mut(width).zip(bytes.chunks_exact_mut(count));
        for ((within, print), (keys, bytes)) in prints.iter_mut().enumerate().zip(rows) {
            let document = chunk * CHUNK + within;
            *print = read(collection, document, shingling.unit, reader);
            bands.sketch(reader.units(shingling.unit), shingling.size, slots);
            bands.keys(slots, keys);
            bytes.iter_mut().zip(&slots.values).for_each(|(byte, value)| *byte = *value as u8);
        }
    });
    made
}

/// Reads a document as units and returns the fingerprint of its words.
fn read(collection: &Collection, document: usize, unit: Unit, reader: &mut Reader) -> Fingerprint {
    collection.units(document, unit, reader);
    Fingerprint::of(&reader.tokens.hashes)
}

fn count_all(
    collection: &Collection,
    groups: &[u32],
    (shingling, selection): (Shingling, Selection),
    threshold: Option<Fraction>,
) -> Survey {
    let counting = Counting::of_bytes((0..collection.len()).map(|document| collection.bytes(document)).sum());
    let seen = SeenNumbers::with_capacity(collection.len());
    let identity = |document: usize, print: &Fingerprint| {
        print.hash as u64 ^ hash::mix(u64::from(groups.get(document).copied().unwrap_or(0)))
    };
    let tally = |(reader, shingles): &mut (Reader, Vec<u64>), documents: Range<usize>| {
        let (mut prints, mut copies) = (Vec::with_capacity(documents.len()), Vec::new());
        let mut tally = counting.tally(documents.clone().map(|document| collection.bytes(document)).sum());
        for document in documents {
            let print = read(collection, document, shingling.unit, reader);
            let identity = identity(document, &print);
            seen.prefetch(identity);
            shingles.clear();
            gather(reader.units(shingling.unit), shingling.size, selection, shingles);
            if !seen.is_new(identity, document) {
                copies.push(document);
                shingles.clear();
            }
            counting.note(shingles, &mut tally);
            prints.push(print);
        }
        (tally, (prints, copies))
    };
    let piece = (collection.len() / (rayon::current_num_threads() * 8)).max(16);
    let starts: Vec<usize> = (0..collection.len()).step_by(piece).collect();
    let (tallies, others): (Vec<Tally>, Vec<_>) = starts
        .into_par_iter()
        .map_init(Default::default, |scratch, start| tally(scratch, start..(start + piece).min(collection.len())))
        .unzip();
    let (prints, copies): (Vec<Vec<Fingerprint>>, Vec<Vec<usize>>) = others.into_iter().unzip();
    let fingerprints = prints.concat();
    let mut holders: Vec<u32> = (0..collection.len() as u32).collect();
    for document in copies.into_iter().flatten() {
        holders[document] = seen.first(identity(document, &fingerprints[document]));
    }
    let counts = counting.finish(tallies, threshold, holders);
    Survey { fingerprints, counts: Some(counts), ..Survey::default() }
}

/// A concurrent set of numbers: of the documents that add the same number, one learns that it is new.
struct SeenNumbers {
    numbers: Pages<AtomicU64>,
    documents: Pages<AtomicU32>,
}

impl SeenNumbers {
    fn with_capacity(count: usize) -> Self {
        let room = (2 * count).next_power_of_two();
        Self { numbers: Pages::zeroed(room, room), documents: Pages::zeroed(room, room / 2) }
    }

    fn index(&self, number: u64) -> usize {
        number as usize & (self.numbers.len() - 1)
    }

    /// Prefetches the slot of a number that will be added soon: it is not in the caches.
    fn prefetch(&self, number: u64) {
        prefetch((&raw const self.numbers[self.index(number)]).cast());
    }

    fn is_new(&self, number: u64, document: usize) -> bool {
        let (number, mut index) = (number.max(1), self.index(number));
        loop {
            match self.numbers[index].compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => {
                    self.documents[index].store(document as u32, Ordering::Relaxed);
                    return true;
                }
                Err(there) if there == number => return false,
                Err(_) => index = self.index(index as u64 + 1),
            }
        }
    }

    /// The document that added a number first; to be called when all numbers have been added.
    fn first(&self, number: u64) -> u32 {
        let (number, mut index) = (number.max(1), self.index(number));
        while self.numbers[index].load(Ordering::Relaxed) != number {
            index = self.index(index as u64 + 1);
        }
        self.documents[index].load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_documents_with_the_same_number_one_is_new() {
        let seen = SeenNumbers::with_capacity(4000);
        let number = |document: usize| hash::mix(document as u64 % 1000) << 7; // a few slots for all
        let new: Vec<bool> =
            (0..4000).into_par_iter().with_max_len(1).map(|document| seen.is_new(number(document), document)).collect();
        assert_eq!(new.iter().filter(|&&is_new| is_new).count(), 1000);
        for document in 0..4000 {
            let first = seen.first(number(document)) as usize;
            assert!(new[first] && first % 1000 == document % 1000);
        }
    }
}
