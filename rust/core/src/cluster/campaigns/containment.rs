//! Which references a letter contains, in whole or in part.

use rayon::prelude::*;

use super::divergence::{Background, Bag, Table, compare};
use crate::explain::align::{ReferenceIndex, Tile, Tokens};
use crate::represent::shingles::shingles;
use crate::text::collection::{Collection, Reader};
use crate::text::paragraphs::paragraphs;
use crate::text::words::tokens;

const SHINGLE: usize = 5;
const WINDOW: usize = 16;
/// The most by which matched words can reduce the distance.
const SLACK: f64 = 0.367_879_441_171_442_33;

/// How much of a reference a letter contains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Containment {
    /// The letter, as an index into the documents.
    pub letter: u32,
    /// The reference, as an index into the references.
    pub reference: u32,
    /// The distance.
    pub distance: f64,
    /// Shared words over the longer text.
    pub overlap: f64,
    /// How many words of the reference occur in the letter in runs.
    pub contained: u32,
    /// Whether every paragraph of the reference occurs in the letter.
    pub whole: bool,
    /// Whether a long enough paragraph of the reference occurs in the letter.
    pub paragraph: bool,
}

/// The settings of the comparison.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The weight of the background.
    pub mu: f64,
    /// The largest distance to report.
    pub farthest: f64,
    /// The fewest words of a paragraph that counts as long enough.
    pub paragraph: usize,
    /// Whether to compute distances even for a letter that contains a paragraph of some reference.
    pub thorough: bool,
}

struct Reference {
    tokens: tokens::Tokens,
    paragraphs: Vec<u32>,
    bag: Bag,
}

/// Compares each document with the references that it is near to. The references are indices into the documents and are
/// not compared with each other.
pub fn compare_with_references(
    collection: &Collection,
    documents: &[u32],
    references: &[u32],
    background: &Background,
    bounds: &Bounds,
) -> Vec<Containment> {
    let read: Vec<Reference> = references
        .par_iter()
        .map(|&position| {
            let mut reader = Reader::default();
            let text = collection.read(documents[position as usize] as usize, &mut reader).text.into_owned();
            let paragraphs = paragraphs(text.as_bytes(), &reader.tokens.starts, &reader.tokens.ends);
            let bag = Bag::of(&reader.tokens.hashes, background);
            Reference { tokens: reader.tokens, paragraphs, bag }
        })
        .collect();
    let indexes: Vec<ReferenceIndex> = read.iter().map(|reference| ReferenceIndex::new(reference.view())).collect();
    let search = ReferenceSearch::new(&read, &indexes, bounds);
    let mut is_reference = vec![false; documents.len()];
    references.iter().for_each(|&position| is_reference[position as usize] = true);
    documents
        .par_iter()
        .enumerate()
        .filter(|(position, _)| !is_reference[*position])
        .map_init(
            || (Reader::default(), Scratch::new(read.len())),
            |(reader, scratch), (position, &document)| {
                collection.read(document as usize, reader);
                search.compare_letter(position as u32, &reader.tokens, background, scratch)
            },
        )
        .flatten()
        .collect()
}

impl Reference {
    fn view(&self) -> Tokens<'_> {
        view(&self.tokens, &self.paragraphs)
    }
}

fn view<'a>(tokens: &'a tokens::Tokens, paragraphs: &'a [u32]) -> Tokens<'a> {
    Tokens { hashes: &tokens.hashes, starts: &tokens.starts, ends: &tokens.ends, paragraphs }
}

/// The references, indexed so that those near to a letter are found quickly.
struct ReferenceSearch<'a> {
    references: &'a [Reference],
    indexes: &'a [ReferenceIndex<'a>],
    bounds: &'a Bounds,
    shingles: Table<Vec<u32>>,
    /// For each significant word of a reference: the reference and the two parts of the word's cost.
    significant: Table<Vec<(u32, f64, f64)>>,
    /// The cost of all significant words of each reference.
    costs: Vec<(f64, f64)>,
    holders: Table<Vec<u32>>,
}

/// Buffers for the search of one letter.
struct Scratch {
    found: Vec<(f64, f64)>,
    chosen: Vec<bool>,
    /// How many of the shingles of each reference occur in the letter.
    runs: Vec<u32>,
    tiles: Vec<Tile>,
    covered: Vec<bool>,
    no_paragraphs: Vec<u32>,
}

impl Scratch {
    fn new(references: usize) -> Self {
        Self {
            found: vec![(0.0, 0.0); references],
            chosen: vec![false; references],
            runs: vec![0; references],
            tiles: Vec::new(),
            covered: Vec::new(),
            no_paragraphs: Vec::new(),
        }
    }
}

impl<'a> ReferenceSearch<'a> {
    fn new(references: &'a [Reference], indexes: &'a [ReferenceIndex<'a>], bounds: &'a Bounds) -> Self {
        let mut search = Self {
            references,
            indexes,
            bounds,
            shingles: Table::default(),
            significant: Table::default(),
            costs: Vec::new(),
            holders: Table::default(),
        };
        for (number, reference) in references.iter().enumerate() {
            let number = number as u32;
            for shingle in winnow(&reference.tokens.hashes) {
                search.shingles.entry(shingle).or_default().push(number);
            }
            let significant = reference.bag.significant(bounds.mu);
            search.costs.push(significant.iter().fold((0.0, 0.0), |sum, word| (sum.0 + word.1, sum.1 + word.2)));
            for (word, first, second) in significant {
                search.significant.entry(word).or_default().push((number, first, second));
            }
            for word in &reference.bag.words {
                search.holders.entry(word.hash).or_default().push(number);
            }
        }
        search
    }

    fn compare_letter(
        &self,
        letter: u32,
        tokens: &tokens::Tokens,
        background: &Background,
        scratch: &mut Scratch,
    ) -> Vec<Containment> {
        let bag = Bag::of(&tokens.hashes, background);
        scratch.chosen.fill(false);
        scratch.runs.fill(0);
        shingles(&tokens.hashes, SHINGLE, |shingle| {
            for &number in self.shingles.get(&shingle).into_iter().flatten() {
                scratch.runs[number as usize] += 1;
            }
        });
        // A reference that shares less than half as many shingles as the best one has little in common with the letter,
        // for example a paragraph that several campaigns use.
        let most = scratch.runs.iter().copied().max().unwrap_or(0);
        scratch.runs.iter_mut().filter(|runs| **runs * 2 < most).for_each(|runs| *runs = 0);
        let mut held = Vec::new();
        for number in 0..self.references.len() {
            if scratch.runs[number] > 0 {
                held.extend(self.compare(letter, number, tokens, &bag, scratch));
            }
        }
        if self.bounds.thorough || !held.iter().any(|held| held.whole || held.paragraph) {
            self.choose_by_reference(&bag, scratch);
            self.choose_by_letter(&bag, scratch);
            for number in 0..self.references.len() {
                if scratch.chosen[number] && scratch.runs[number] == 0 {
                    held.extend(self.compare(letter, number, tokens, &bag, scratch));
                }
            }
            held.sort_unstable_by_key(|held| held.reference);
        }
        held
    }

    /// Chooses the references of whose significant words the letter lacks few enough.
    fn choose_by_reference(&self, bag: &Bag, scratch: &mut Scratch) {
        scratch.found.fill((0.0, 0.0));
        for word in &bag.words {
            for &(number, first, second) in self.significant.get(&word.hash).into_iter().flatten() {
                let found = &mut scratch.found[number as usize];
                *found = (found.0 + first, found.1 + second);
            }
        }
        let grown = (self.bounds.mu + bag.length).ln();
        for ((found, costs), chosen) in scratch.found.iter().zip(&self.costs).zip(&mut scratch.chosen) {
            *chosen |= (costs.0 - found.0) + (costs.1 - found.1) * grown - SLACK <= self.bounds.farthest;
        }
    }

    /// Chooses the references that lack few enough of the significant words of the letter.
    fn choose_by_letter(&self, bag: &Bag, scratch: &mut Scratch) {
        let significant = bag.significant(self.bounds.mu);
        let costs = significant.iter().fold((0.0, 0.0), |sum, word| (sum.0 + word.1, sum.1 + word.2));
        scratch.found.fill((0.0, 0.0));
        for (word, first, second) in significant {
            for &number in self.holders.get(&word).into_iter().flatten() {
                let found = &mut scratch.found[number as usize];
                *found = (found.0 + first, found.1 + second);
            }
        }
        for (number, found) in scratch.found.iter().enumerate() {
            let grown = (self.bounds.mu + self.references[number].bag.length).ln();
            scratch.chosen[number] |= (costs.0 - found.0) + (costs.1 - found.1) * grown - SLACK <= self.bounds.farthest;
        }
    }

    fn compare(
        &self,
        letter: u32,
        number: usize,
        tokens: &tokens::Tokens,
        bag: &Bag,
        scratch: &mut Scratch,
    ) -> Option<Containment> {
        let reference = &self.references[number];
        let (distance, shared) = compare(&reference.bag, bag, self.bounds.mu);
        let overlap = shared / reference.bag.length.max(bag.length);
        let (contained, whole, paragraph) =
            if scratch.runs[number] > 0 { self.contain(number, tokens, scratch) } else { (0, false, false) };
        let near = distance <= self.bounds.farthest || whole || paragraph;
        near.then_some(Containment { letter, reference: number as u32, distance, overlap, contained, whole, paragraph })
    }

    /// How many words of a reference occur in a letter in runs, whether all its paragraphs do, and whether a long one
    /// does.
    fn contain(&self, number: usize, tokens: &tokens::Tokens, scratch: &mut Scratch) -> (u32, bool, bool) {
        let reference = &self.references[number];
        scratch.no_paragraphs.resize(tokens.len().max(scratch.no_paragraphs.len()), 0);
        let letter = view(tokens, &scratch.no_paragraphs[..tokens.len()]);
        self.indexes[number].find_tiles(&letter, &mut scratch.tiles);
        scratch.covered.clear();
        scratch.covered.resize(reference.tokens.len(), false);
        for tile in &scratch.tiles {
            scratch.covered[tile.reference as usize..tile.reference_end() as usize].fill(true);
        }
        let contained = scratch.covered.iter().filter(|&&covered| covered).count() as u32;
        let (mut whole, mut long, mut start) = (true, false, 0);
        for run in reference.paragraphs.chunk_by(|a, b| a == b) {
            let covered = scratch.covered[start..start + run.len()].iter().all(|&covered| covered);
            // A paragraph that is shorter than a shingle cannot be found and is not required.
            whole &= covered || run.len() < SHINGLE;
            long |= covered && run.len() >= self.bounds.paragraph;
            start += run.len();
        }
        (contained, whole && contained > 0, long)
    }
}

/// The shingles of five words that represent a text: of every 16 in a row the smallest, so that any 20 words in common
/// share one.
fn winnow(words: &[u64]) -> Vec<u64> {
    let mut all = Vec::new();
    shingles(words, SHINGLE, |shingle| all.push(shingle));
    let width = WINDOW.min(all.len()).max(1);
    let mut chosen: Vec<u64> = all.windows(width).filter_map(|window| window.iter().min().copied()).collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

#[cfg(test)]
mod tests {
    use super::super::divergence::distances;
    use super::*;
    use crate::support::hash::mix;
    use crate::text::normaliser::{Boilerplate, Form, Markup, Normaliser};

    const NORMALISER: Normaliser =
        Normaliser { form: Form::Nfc, markup: Markup::Plain, boilerplate: Boilerplate::Keep };

    /// Equation 1 with a smoothed right side, word by word.
    fn literal(a: &[&str], b: &[&str], all: &[&str], mu: f64) -> f64 {
        let count = |words: &[&str], word: &str| words.iter().filter(|&&other| other == word).count() as f64;
        let mut distinct: Vec<&str> = a.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        distinct
            .iter()
            .map(|word| {
                let p = count(a, word) / a.len() as f64;
                let background = count(all, word) / all.len() as f64;
                p * (p / ((count(b, word) + mu * background) / (b.len() as f64 + mu))).ln()
            })
            .sum()
    }

    fn random_text(seed: u64, length: u64) -> String {
        (0..length).map(|i| format!("w{} ", mix(seed * 1000 + i) % (8 + mix(seed + i) % 60))).collect()
    }

    #[test]
    fn the_distance_equals_equation_nine() {
        let texts: Vec<String> = (0..12).map(|seed| random_text(seed, 5 + seed * 4)).collect();
        let slices: Vec<&str> = texts.iter().map(String::as_str).collect();
        let collection = Collection::new(&slices, &[], NORMALISER);
        let documents: Vec<u32> = (0..12).collect();
        let background = Background::count(&collection, &documents, &[1; 12]);
        let words: Vec<Vec<&str>> = texts.iter().map(|text| text.split_whitespace().collect()).collect();
        let all: Vec<&str> = words.iter().flatten().copied().collect();
        let pairs: Vec<(u32, u32)> =
            (0..12).flat_map(|a| (0..12).map(move |b| (a, b))).filter(|(a, b)| a != b).collect();
        for (pair, distance) in pairs.iter().zip(distances(&collection, &background, 1.0, &pairs)) {
            let (a, b) = (&words[pair.0 as usize], &words[pair.1 as usize]);
            let expected = literal(a, b, &all, 1.0).min(literal(b, a, &all, 1.0));
            assert!((distance - expected).abs() < 1e-9, "{pair:?}: {distance} for {expected}");
        }
        assert_eq!(distances(&collection, &background, 1.0, &[(3, 3)]), [0.0]);
    }

    #[test]
    fn every_near_letter_is_found() {
        let mut texts: Vec<String> = (0..8).map(|seed| random_text(seed * 7, 60)).collect();
        for seed in 0..300u64 {
            let base: Vec<&str> = texts[(seed % 8) as usize].split_whitespace().collect();
            let kept = |i: usize| !mix(seed * 100 + i as u64).is_multiple_of(12);
            let mut words: Vec<String> =
                base.iter().enumerate().filter(|(i, _)| kept(*i)).map(|(_, w)| w.to_string()).collect();
            words.extend((0..seed % 40).map(|i| format!("x{}", mix(seed + i) % 500)));
            if seed % 3 == 0 {
                words.sort_by_key(|word| mix(seed ^ crate::support::hash::word(word.as_bytes())));
            }
            texts.push(words.join(" "));
        }
        let slices: Vec<&str> = texts.iter().map(String::as_str).collect();
        let collection = Collection::new(&slices, &[], NORMALISER);
        let documents: Vec<u32> = (0..texts.len() as u32).collect();
        let background = Background::count(&collection, &documents, &vec![1; texts.len()]);
        let bounds = Bounds { mu: 1.0, farthest: 1.0, paragraph: 20, thorough: true };
        let references: Vec<u32> = (0..8).collect();
        let held = compare_with_references(&collection, &documents, &references, &background, &bounds);
        let pairs: Vec<(u32, u32)> = (8..texts.len() as u32).flat_map(|d| (0..8).map(move |r| (d, r))).collect();
        let mut near = 0;
        for (pair, distance) in pairs.iter().zip(distances(&collection, &background, 1.0, &pairs)) {
            let found = held.iter().find(|held| (held.letter, held.reference) == *pair);
            if distance <= 1.0 {
                near += 1;
                assert_eq!(found.map(|held| held.distance), Some(distance), "{pair:?}");
            }
        }
        assert!(near > 200, "{near}");
    }

    #[test]
    fn contained_paragraphs_are_found() {
        let paragraph = |seed: u64| random_text(seed, 30);
        let reference = format!("{}\n\n{}\n\n{}", paragraph(1), paragraph(2), paragraph(3));
        let own = random_text(77, 400).replace('w', "y");
        let texts = [
            reference.clone(),
            format!("{own}\n\n{}", paragraph(2)),
            format!("{own}\n\n{reference}\n\n{own}"),
            own.clone(),
            format!("{own} {}", random_text(2, 12)),
        ];
        let slices: Vec<&str> = texts.iter().map(String::as_str).collect();
        let collection = Collection::new(&slices, &[], NORMALISER);
        let documents: Vec<u32> = (0..5).collect();
        let background = Background::count(&collection, &documents, &[1; 5]);
        let bounds = Bounds { mu: 1.0, farthest: 0.1, paragraph: 20, thorough: false };
        let held = compare_with_references(&collection, &documents, &[0], &background, &bounds);
        let facts: Vec<(u32, u32, bool, bool)> =
            held.iter().map(|held| (held.letter, held.contained, held.whole, held.paragraph)).collect();
        assert_eq!(facts, [(1, 30, false, true), (2, 90, true, true)]);
    }
}
