//! Signatures for changing collections: the rare terms of a document, its length, and a key of its six rarest terms.
//!
//! Conrad, Guo & Schriber 2003, sections 6 and 7. A frozen table orders the known terms in two ways: the order in which
//! they are chosen, and their rank, rarest first. The vector of a document holds the terms that are chosen first, in
//! the order of rank; if there are too few, it is filled up. The key is the SHA-1 of six terms and their offsets from
//! the first of them. Each document is read once and takes a few hundred bytes.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use rayon::prelude::*;
use sha1::{Digest, Sha1};

use crate::support::hash::AsIs;
use crate::support::hash::mix;
use crate::text::collection::{Collection, Reader};
use crate::text::words::tokens::folded_word;

/// Values from here on are tokens that are not terms: three bits of how common they are, then bits of a hash.
pub const OWN: u32 = 1 << 31;
/// How many classes of common tokens there are.
pub const CLASSES: u8 = 8;
const OWN_HASH_BITS: u32 = 28;
/// Values from here on are padding.
pub const PAD: u32 = 0xff00_0000;
/// How many terms make the key.
pub const KEY_TERMS: usize = 6;
/// How many bytes a key has.
pub const KEY_BYTES: usize = 20;

const CHUNK: usize = 256;

/// The known words. For a term: when it is chosen, its rank, and whether a key may contain it. For any other word: how
/// common it is.
pub struct TermTable {
    words: HashMap<u64, Word, BuildHasherDefault<AsIs>>,
}

#[derive(Clone, Copy)]
enum Word {
    Term { turn: u32, rank: u32, keyed: bool },
    Other { class: u8 },
}

impl TermTable {
    /// Builds a table from the hashes of the terms in the order in which they are chosen, their ranks (below [`OWN`]),
    /// and whether a key may contain them; and from the hashes of other words, and how common each is (below
    /// [`CLASSES`]).
    pub fn new(hashes: &[u64], ranks: &[u32], keyed: &[bool], others: &[u64], classes: &[u8]) -> Self {
        let others = others.iter().zip(classes).map(|(&hash, &class)| (hash, Word::Other { class }));
        let terms = hashes.iter().enumerate().zip(ranks.iter().zip(keyed));
        let term = |((turn, &hash), (&rank, &keyed))| (hash, Word::Term { turn: turn as u32, rank, keyed });
        Self { words: others.chain(terms.map(term)).collect() }
    }
}

/// What fills up the vector of a document with too few known terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Short {
    /// Its other tokens, chosen by their hashes; a document of few tokens has a short vector.
    Own,
    /// Padding that is the same for all documents.
    Constant,
}

/// How signatures are made.
#[derive(Clone, Copy, Debug)]
pub struct Making {
    /// How many entries a vector has.
    pub terms: usize,
    /// What it is filled up with.
    pub short: Short,
    /// The offsets in a key are rounded up to multiples of this; 0 or 1 leaves them unchanged.
    pub bin: u32,
}

/// The signatures of a batch of documents as flat arrays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signatures {
    /// The offset of each document's vector, and the end of the last.
    pub offsets: Vec<u64>,
    /// The vectors, each ascending: ranks of known terms, then the entries that fill it up.
    pub values: Vec<u32>,
    /// The number of tokens of each document.
    pub lengths: Vec<u32>,
    /// The key of each document, [`KEY_BYTES`] bytes each.
    pub keys: Vec<u8>,
    /// The offset of each document's numerals, and the end of the last.
    pub numeral_offsets: Vec<u64>,
    /// The hashes of the numerals, ascending, at most as many as a vector has entries.
    pub numerals: Vec<u32>,
    /// How many tokens of each document are numerals.
    pub numeral_counts: Vec<u32>,
    /// What the vectors were filled up with.
    pub short: Short,
}

impl Signatures {
    /// Creates an empty batch.
    pub fn empty(short: Short) -> Self {
        Self {
            offsets: vec![0],
            values: Vec::new(),
            lengths: Vec::new(),
            keys: Vec::new(),
            numeral_offsets: vec![0],
            numerals: Vec::new(),
            numeral_counts: Vec::new(),
            short,
        }
    }

    /// Computes the signatures of these documents.
    pub fn make(collection: &Collection, documents: &[u32], table: &TermTable, making: Making) -> Self {
        let chunks: Vec<Self> = documents
            .par_chunks(CHUNK)
            .map_init(<(Reader, Scratch)>::default, |(reader, scratch), chunk| {
                let mut made = Self::empty(making.short);
                for &document in chunk {
                    scratch.read(collection, document as usize, table, reader);
                    scratch.write(making, &mut made);
                }
                made
            })
            .collect();
        let mut all = Self::empty(making.short);
        for chunk in chunks {
            all.append(chunk);
        }
        all
    }

    fn append(&mut self, mut other: Self) {
        let (values, numerals) = (self.values.len() as u64, self.numerals.len() as u64);
        self.offsets.extend(other.offsets[1..].iter().map(|end| end + values));
        self.numeral_offsets.extend(other.numeral_offsets[1..].iter().map(|end| end + numerals));
        self.values.append(&mut other.values);
        self.lengths.append(&mut other.lengths);
        self.keys.append(&mut other.keys);
        self.numerals.append(&mut other.numerals);
        self.numeral_counts.append(&mut other.numeral_counts);
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Whether there is no document.
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// The vector of a document.
    pub fn vector(&self, document: usize) -> &[u32] {
        &self.values[self.offsets[document] as usize..self.offsets[document + 1] as usize]
    }

    /// The numerals of a document.
    pub fn numerals(&self, document: usize) -> &[u32] {
        &self.numerals[self.numeral_offsets[document] as usize..self.numeral_offsets[document + 1] as usize]
    }

    /// The key of a document.
    pub fn key(&self, document: usize) -> &[u8] {
        &self.keys[document * KEY_BYTES..(document + 1) * KEY_BYTES]
    }

    /// How many entries of a vector are not padding.
    pub fn terms(&self, document: usize) -> usize {
        let vector = self.vector(document);
        match self.short {
            Short::Own => vector.len(),
            Short::Constant => vector.partition_point(|&value| value < PAD),
        }
    }
}

/// A known term of a document: when it is chosen, the index of its first token, its rank, and whether a key may contain
/// it.
type Known = (u32, u32, u32, bool);

#[derive(Default)]
struct Scratch {
    known: Vec<Known>,
    /// The other tokens: their hashes, and how common they are.
    own: Vec<(u64, u8)>,
    numerals: Vec<u32>,
    numeral_count: u32,
    length: u32,
    key: [u8; KEY_BYTES],
    /// The six terms of the key, in the order of their choice: each with its offset from the first of them.
    fingerprint: Vec<(String, u32)>,
    words: Vec<u8>,
}

impl Scratch {
    fn read(&mut self, collection: &Collection, document: usize, table: &TermTable, reader: &mut Reader) {
        let prepared = collection.read(document, reader);
        let tokens = &reader.tokens;
        self.known.clear();
        self.own.clear();
        self.numerals.clear();
        self.numeral_count = 0;
        self.length = tokens.len() as u32;
        for (index, &hash) in tokens.hashes.iter().enumerate() {
            match table.words.get(&hash) {
                Some(&Word::Term { turn, rank, keyed }) => self.known.push((turn, index as u32, rank, keyed)),
                Some(&Word::Other { class }) => self.own.push((hash, class)),
                None => self.own.push((hash, 0)),
            }
            if is_numeral(&prepared.text[tokens.starts[index] as usize..tokens.ends[index] as usize]) {
                self.numeral_count += 1;
                self.numerals.push((hash >> 33) as u32);
            }
        }
        self.known.sort_unstable();
        self.known.dedup_by_key(|term| term.0);
        let word = |index: u32| {
            let index = index as usize;
            folded_word(&prepared.text[tokens.starts[index] as usize..tokens.ends[index] as usize])
        };
        self.fingerprint.clear();
        let keyed = self.known.iter().filter(|term| term.3).take(KEY_TERMS);
        let first = keyed.clone().map(|term| term.1).min().unwrap_or(0);
        self.fingerprint.extend(keyed.map(|term| (word(term.1), term.1 - first)));
        self.words.clear();
        if self.fingerprint.is_empty() {
            for index in 0..self.length {
                self.words.extend_from_slice(word(index).as_bytes());
                self.words.push(0x1f);
            }
        }
    }

    fn write(&mut self, making: Making, made: &mut Signatures) {
        let start = made.values.len();
        made.values.extend(self.known.iter().take(making.terms).map(|term| term.2));
        made.values[start..].sort_unstable();
        let filled = made.values.len() - start;
        match making.short {
            // Most documents have enough known terms; then the other tokens need not be sorted.
            Short::Own if filled == making.terms => {}
            Short::Own => {
                self.own.sort_unstable();
                self.own.dedup();
                let own = self.own.iter().take(making.terms - filled);
                made.values.extend(own.map(|&(hash, class)| own_value(hash, class)));
                made.values[start + filled..].sort_unstable();
            }
            Short::Constant => made.values.extend((filled..making.terms).map(|entry| PAD + entry as u32)),
        }
        made.offsets.push(made.values.len() as u64);
        made.lengths.push(self.length);
        self.hash_key(making.bin);
        made.keys.extend_from_slice(&self.key);
        sort_distinct(&mut self.numerals);
        made.numerals.extend(self.numerals.iter().take(making.terms));
        made.numeral_offsets.push(made.numerals.len() as u64);
        made.numeral_counts.push(self.numeral_count);
    }

    /// Hashes the terms of the key with their offsets; for a document without such terms, all its words.
    fn hash_key(&mut self, bin: u32) {
        let mut hash = Sha1::new();
        for (term, offset) in &self.fingerprint {
            let offset = offset.div_ceil(bin.max(1)) * bin.max(1);
            hash.update(term.as_bytes());
            hash.update(format!("\u{1f}{offset}\u{1e}"));
        }
        hash.update(&self.words);
        self.key = hash.finalize().into();
    }
}

fn sort_distinct(values: &mut Vec<u32>) {
    values.sort_unstable();
    values.dedup();
}

/// The entry of a token that is not a term, rare before common.
///
/// Tokens are chosen by their hashes, so the chosen hashes are small: other bits distinguish them.
fn own_value(hash: u64, class: u8) -> u32 {
    OWN | u32::from(class) << OWN_HASH_BITS | (mix(hash) >> (64 - OWN_HASH_BITS)) as u32
}

fn is_numeral(word: &str) -> bool {
    let begins = word.as_bytes().first().is_some_and(|&byte| byte.is_ascii_digit() || byte >= 0x80);
    begins && word.chars().all(char::is_numeric)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::hash;
    use crate::text::normaliser::{Boilerplate, Form, Markup, Normaliser};

    const NORMALISER: Normaliser =
        Normaliser { form: Form::Nfc, markup: Markup::Plain, boilerplate: Boilerplate::Keep };

    fn make(texts: &[&str], known: &[&str], making: Making) -> Signatures {
        let hashes: Vec<u64> = known.iter().map(|word| hash::word(word.as_bytes())).collect();
        let ranks: Vec<u32> = (0..known.len() as u32).collect();
        let table = TermTable::new(&hashes, &ranks, &vec![true; known.len()], &[], &[]);
        let documents: Vec<u32> = (0..texts.len() as u32).collect();
        Signatures::make(&Collection::new(texts, &[], NORMALISER), &documents, &table, making)
    }

    #[test]
    fn a_vector_has_the_rarest_terms_first_and_is_filled_up_with_others() {
        let making = Making { terms: 3, short: Short::Own, bin: 0 };
        let made = make(&["theatre hostage of the hostage 12", "of"], &["hostage", "theatre"], making);
        assert_eq!(&made.vector(0)[..2], [0, 1]);
        assert!(made.vector(0)[2] >= OWN && made.vector(0).len() == 3);
        assert_eq!((made.vector(1).len(), made.lengths[0], made.numeral_counts[0]), (1, 6, 1));
        let padded =
            make(&["theatre", "hostage"], &["hostage", "theatre"], Making { short: Short::Constant, ..making });
        assert_eq!(padded.vector(0), [1, PAD + 1, PAD + 2]);
        assert_eq!(padded.terms(1), 1);
    }

    #[test]
    fn a_key_holds_terms_and_relative_offsets() {
        let making = Making { terms: 60, short: Short::Own, bin: 0 };
        let known = ["hostage", "theatre"];
        let made = make(&["theatre a hostage", "so theatre a hostage", "theatre a a hostage"], &known, making);
        let wanted: [u8; KEY_BYTES] = Sha1::digest("hostage\u{1f}2\u{1e}theatre\u{1f}0\u{1e}").into();
        assert_eq!(made.key(0), wanted);
        assert_eq!(made.key(0), made.key(1));
        assert_ne!(made.key(0), made.key(2));
        let binned = make(&["theatre a hostage", "theatre a a hostage"], &known, Making { bin: 10, ..making });
        assert_eq!(binned.key(0), binned.key(1));
    }
}
