//! The first pass over a collection: a fingerprint of every text, and what else can be had while it is being read.

use rayon::prelude::*;

use crate::collection::{Collection, Reader, Shingling, Unit};
use crate::counts::{Counts, Tally};
use crate::hash;
use crate::interning::TermTable;
use crate::sets::{Selection, gather};
use crate::sketch::{Bands, Slots};

/// How many documents a thread takes at a time.
const CHUNK: usize = 128;
/// How many bytes of text are counted at a time, at least: bounds the memory for tallies in flight.
const BATCH_BYTES: usize = 16 << 20;
/// Each batch goes through the whole table, so there are no more than this, about.
const MOST_BATCHES: usize = 4;

/// What the exact collapse needs to know of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fingerprint {
    /// Equal for equal sequences of folded words.
    pub hash: u128,
    /// The number of words.
    pub words: u32,
}

/// What is computed along with the fingerprints.
pub enum Along {
    /// Nothing.
    Nothing,
    /// The fingerprint of the words written together: "to get her" is "together".
    Joined,
    /// A banded sketch.
    Sketch(Shingling, Bands),
    /// The occurrence counts of the shingles.
    Count(Shingling, Selection),
    /// The terms; texts are the same if their terms are.
    Terms,
}

/// What the first pass found.
#[derive(Default)]
pub struct Survey {
    /// One for each document.
    pub fingerprints: Vec<Fingerprint>,
    /// The band keys of each document, row by row.
    pub keys: Vec<u64>,
    /// The low byte of each slot of each document's sketch, row by row.
    pub slots: Vec<u8>,
    /// The counts, if asked for.
    pub counts: Option<Counts>,
    /// The terms, if asked for.
    pub terms: Option<TermTable>,
}

/// Reads every document once.
pub fn survey(collection: &Collection, along: &Along) -> Survey {
    match along {
        Along::Nothing => {
            print_all(collection, |document, reader| fingerprint(collection.units(document, Unit::Word, reader)))
        }
        Along::Joined => print_all(collection, |document, reader| {
            let joined = collection.joined(document, reader);
            let units: Vec<u64> = joined.chunks(8).map(|chunk| hash::halves(chunk).0).collect();
            Fingerprint { words: reader.tokens.len() as u32, ..fingerprint(&units) }
        }),
        Along::Sketch(shingling, bands) => sketch_all(collection, *shingling, bands),
        Along::Count(shingling, selection) => count_all(collection, *shingling, *selection),
        Along::Terms => {
            let (terms, fingerprints) = TermTable::read(collection);
            Survey { fingerprints, terms: Some(terms), ..Survey::default() }
        }
    }
}

fn fingerprint(units: &[u64]) -> Fingerprint {
    Fingerprint { hash: hash::text(units), words: units.len() as u32 }
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
            *print = read(collection, document, shingling.unit, reader, |units| {
                bands.sketch(units, shingling.size, slots);
            });
            bands.keys(slots, keys);
            bytes.iter_mut().zip(&slots.values).for_each(|(byte, value)| *byte = *value as u8);
        }
    });
    made
}

/// The fingerprint of a document's words, after `use_units` saw its units.
fn read(
    collection: &Collection,
    document: usize,
    unit: Unit,
    reader: &mut Reader,
    use_units: impl FnOnce(&[u64]),
) -> Fingerprint {
    use_units(collection.units(document, unit, reader));
    fingerprint(&reader.tokens.hashes)
}

fn count_all(collection: &Collection, shingling: Shingling, selection: Selection) -> Survey {
    let bytes: usize = (0..collection.len()).map(|document| collection.bytes(document)).sum();
    let batch = BATCH_BYTES.max(bytes / MOST_BATCHES);
    let mut counts = Counts::for_bytes(bytes);
    let mut fingerprints = Vec::with_capacity(collection.len());
    let mut start = 0;
    while start < collection.len() {
        let end = batch_end(collection, start, batch);
        let (prints, tallies) = tally(collection, start..end, shingling, selection, &counts);
        fingerprints.extend(prints.into_iter().flatten());
        counts.add(&tallies);
        start = end;
    }
    counts.settle();
    Survey { fingerprints, counts: Some(counts), ..Survey::default() }
}

fn batch_end(collection: &Collection, start: usize, most: usize) -> usize {
    let (mut bytes, mut end) = (0, start);
    while end < collection.len() && (end == start || bytes < most) {
        bytes += collection.bytes(end);
        end += 1;
    }
    end
}

fn tally(
    collection: &Collection,
    documents: std::ops::Range<usize>,
    shingling: Shingling,
    selection: Selection,
    counts: &Counts,
) -> (Vec<Vec<Fingerprint>>, Vec<Tally>) {
    let chunk = (documents.len() / (rayon::current_num_threads() * 8)).max(16);
    let starts: Vec<usize> = documents.clone().step_by(chunk).collect();
    starts
        .par_iter()
        .map_init(<(Reader, Vec<u64>)>::default, |(reader, shingles), &start| {
            let own = start..(start + chunk).min(documents.end);
            let mut tally = counts.tally(own.clone().map(|document| collection.bytes(document)).sum());
            let prints = own.map(|document| {
                let print = read(collection, document, shingling.unit, reader, |units| {
                    shingles.clear();
                    gather(units, shingling.size, selection, shingles);
                });
                counts.note(shingles, &mut tally);
                print
            });
            (prints.collect(), tally)
        })
        .unzip()
}
