//! Which references a letter contains, in whole or in part.

use rayon::prelude::*;

use super::divergence::{Background, Bag, Table, compare};
use crate::explain::align::{ReferenceIndex, Tile, Tokens};
use crate::represent::shingles::shingles;
use crate::text::collection::{Collection, Reader};
use crate::text::paragraphs::paragraphs;
use crate::text::words::tokens;

const GRAM: usize = 5;
const WINDOW: usize = 16;
/// The most that matched words can give back.
const SLACK: f64 = 0.367_879_441_171_442_33;

/// What a letter has of a reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Held {
    /// The letter, by its place among the documents.
    pub letter: u32,
    /// The reference, by its place among the references.
    pub reference: u32,
    /// The distance.
    pub distance: f64,
    /// Shared words over the longer text.
    pub overlap: f64,
    /// How many words of the reference stand in the letter in runs.
    pub contained: u32,
    /// Whether every paragraph of the reference stands in the letter.
    pub whole: bool,
    /// Whether a paragraph of the reference of at least as many words as asked stands in the letter.
    pub paragraph: bool,
}

/// How letters are held against references.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The weight of the background.
    pub mu: f64,
    /// The largest distance that is of interest.
    pub farthest: f64,
    /// The fewest words of a paragraph that counts.
    pub paragraph: usize,
    /// Whether distances are also wanted for a letter that holds a paragraph of some reference.
    pub thorough: bool,
}

struct Reference {
    tokens: tokens::Tokens,
    paragraphs: Vec<u32>,
    bag: Bag,
}

/// What each document has of each reference that it comes near to; the references are places among the documents and
/// are not held against each other.
pub fn hold_against(
    collection: &Collection,
    documents: &[u32],
    references: &[u32],
    background: &Background,
    bounds: &Bounds,
) -> Vec<Held> {
    let read: Vec<Reference> = references
        .par_iter()
        .map(|&place| {
            let mut reader = Reader::default();
            let text = collection.read(documents[place as usize] as usize, &mut reader).text.into_owned();
            let paragraphs = paragraphs(text.as_bytes(), &reader.tokens.starts, &reader.tokens.ends);
            let bag = Bag::of(&reader.tokens.hashes, background);
            Reference { tokens: reader.tokens, paragraphs, bag }
        })
        .collect();
    let indexes: Vec<ReferenceIndex> = read.iter().map(|reference| ReferenceIndex::new(reference.view())).collect();
    let shelf = Shelf::new(&read, &indexes, bounds);
    let mut is_reference = vec![false; documents.len()];
    references.iter().for_each(|&place| is_reference[place as usize] = true);
    documents
        .par_iter()
        .enumerate()
        .filter(|(place, _)| !is_reference[*place])
        .map_init(
            || (Reader::default(), Desk::new(read.len())),
            |(reader, desk), (place, &document)| {
                collection.read(document as usize, reader);
                shelf.hold(place as u32, &reader.tokens, background, desk)
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

/// The references, indexed for the question which of them a letter comes near to.
struct Shelf<'a> {
    references: &'a [Reference],
    indexes: &'a [ReferenceIndex<'a>],
    bounds: &'a Bounds,
    grams: Table<Vec<u32>>,
    /// For each telling word of a reference: the reference and the two parts of the word's cost.
    telling: Table<Vec<(u32, f64, f64)>>,
    /// The cost of all telling words of each reference.
    told: Vec<(f64, f64)>,
    holders: Table<Vec<u32>>,
}

/// Room for the questions of one letter.
struct Desk {
    found: Vec<(f64, f64)>,
    chosen: Vec<bool>,
    /// How many of the 5-grams of each reference stand in the letter.
    runs: Vec<u32>,
    tiles: Vec<Tile>,
    covered: Vec<bool>,
    no_paragraphs: Vec<u32>,
}

impl Desk {
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

impl<'a> Shelf<'a> {
    fn new(references: &'a [Reference], indexes: &'a [ReferenceIndex<'a>], bounds: &'a Bounds) -> Self {
        let mut shelf = Self {
            references,
            indexes,
            bounds,
            grams: Table::default(),
            telling: Table::default(),
            told: Vec::new(),
            holders: Table::default(),
        };
        for (number, reference) in references.iter().enumerate() {
            let number = number as u32;
            for gram in winnow(&reference.tokens.hashes) {
                shelf.grams.entry(gram).or_default().push(number);
            }
            let telling = reference.bag.telling(bounds.mu);
            shelf.told.push(telling.iter().fold((0.0, 0.0), |sum, word| (sum.0 + word.1, sum.1 + word.2)));
            for (word, first, second) in telling {
                shelf.telling.entry(word).or_default().push((number, first, second));
            }
            for word in &reference.bag.words {
                shelf.holders.entry(word.hash).or_default().push(number);
            }
        }
        shelf
    }

    fn hold(&self, letter: u32, tokens: &tokens::Tokens, background: &Background, desk: &mut Desk) -> Vec<Held> {
        let bag = Bag::of(&tokens.hashes, background);
        desk.chosen.fill(false);
        desk.runs.fill(0);
        shingles(&tokens.hashes, GRAM, |gram| {
            for &number in self.grams.get(&gram).into_iter().flatten() {
                desk.runs[number as usize] += 1;
            }
        });
        // What shares less than half of what the best one shares, a paragraph that several campaigns have, says little.
        let most = desk.runs.iter().copied().max().unwrap_or(0);
        desk.runs.iter_mut().filter(|runs| **runs * 2 < most).for_each(|runs| *runs = 0);
        let mut held = Vec::new();
        for number in 0..self.references.len() {
            if desk.runs[number] > 0 {
                held.extend(self.compare(letter, number, tokens, &bag, desk));
            }
        }
        if self.bounds.thorough || !held.iter().any(|held| held.whole || held.paragraph) {
            self.choose_by_reference(&bag, desk);
            self.choose_by_letter(&bag, desk);
            for number in 0..self.references.len() {
                if desk.chosen[number] && desk.runs[number] == 0 {
                    held.extend(self.compare(letter, number, tokens, &bag, desk));
                }
            }
            held.sort_unstable_by_key(|held| held.reference);
        }
        held
    }

    /// Chooses the references of whose telling words the letter lacks little enough.
    fn choose_by_reference(&self, bag: &Bag, desk: &mut Desk) {
        desk.found.fill((0.0, 0.0));
        for word in &bag.words {
            for &(number, first, second) in self.telling.get(&word.hash).into_iter().flatten() {
                let found = &mut desk.found[number as usize];
                *found = (found.0 + first, found.1 + second);
            }
        }
        let grown = (self.bounds.mu + bag.length).ln();
        for ((found, told), chosen) in desk.found.iter().zip(&self.told).zip(&mut desk.chosen) {
            *chosen |= (told.0 - found.0) + (told.1 - found.1) * grown - SLACK <= self.bounds.farthest;
        }
    }

    /// Chooses the references that lack little enough of the letter's telling words.
    fn choose_by_letter(&self, bag: &Bag, desk: &mut Desk) {
        let telling = bag.telling(self.bounds.mu);
        let told = telling.iter().fold((0.0, 0.0), |sum, word| (sum.0 + word.1, sum.1 + word.2));
        desk.found.fill((0.0, 0.0));
        for (word, first, second) in telling {
            for &number in self.holders.get(&word).into_iter().flatten() {
                let found = &mut desk.found[number as usize];
                *found = (found.0 + first, found.1 + second);
            }
        }
        for (number, found) in desk.found.iter().enumerate() {
            let grown = (self.bounds.mu + self.references[number].bag.length).ln();
            desk.chosen[number] |= (told.0 - found.0) + (told.1 - found.1) * grown - SLACK <= self.bounds.farthest;
        }
    }

    fn compare(&self, letter: u32, number: usize, tokens: &tokens::Tokens, bag: &Bag, desk: &mut Desk) -> Option<Held> {
        let reference = &self.references[number];
        let (distance, shared) = compare(&reference.bag, bag, self.bounds.mu);
        let overlap = shared / reference.bag.length.max(bag.length);
        let (contained, whole, paragraph) =
            if desk.runs[number] > 0 { self.contain(number, tokens, desk) } else { (0, false, false) };
        let near = distance <= self.bounds.farthest || whole || paragraph;
        near.then_some(Held { letter, reference: number as u32, distance, overlap, contained, whole, paragraph })
    }

    /// How many words of a reference stand in a letter in runs, whether all its paragraphs do, and whether a long one.
    fn contain(&self, number: usize, tokens: &tokens::Tokens, desk: &mut Desk) -> (u32, bool, bool) {
        let reference = &self.references[number];
        desk.no_paragraphs.resize(tokens.len().max(desk.no_paragraphs.len()), 0);
        let letter = view(tokens, &desk.no_paragraphs[..tokens.len()]);
        self.indexes[number].find_tiles(&letter, &mut desk.tiles);
        desk.covered.clear();
        desk.covered.resize(reference.tokens.len(), false);
        for tile in &desk.tiles {
            desk.covered[tile.reference as usize..tile.reference_end() as usize].fill(true);
        }
        let contained = desk.covered.iter().filter(|&&covered| covered).count() as u32;
        let (mut whole, mut long, mut start) = (true, false, 0);
        for run in reference.paragraphs.chunk_by(|a, b| a == b) {
            let covered = desk.covered[start..start + run.len()].iter().all(|&covered| covered);
            // Words fewer than a gram make no run: they cannot be asked for.
            whole &= covered || run.len() < GRAM;
            long |= covered && run.len() >= self.bounds.paragraph;
            start += run.len();
        }
        (contained, whole && contained > 0, long)
    }
}

/// The 5-grams that stand for a text: of every 16 in a row the smallest, so that any 20 words in common share one.
fn winnow(words: &[u64]) -> Vec<u64> {
    let mut grams = Vec::new();
    shingles(words, GRAM, |gram| grams.push(gram));
    let width = WINDOW.min(grams.len()).max(1);
    let mut chosen: Vec<u64> = grams.windows(width).filter_map(|window| window.iter().min().copied()).collect();
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
    fn the_distance_is_equation_nine() {
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
    fn no_near_letter_is_missed() {
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
        let held = hold_against(&collection, &documents, &references, &background, &bounds);
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
    fn what_is_contained_is_seen() {
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
        let held = hold_against(&collection, &documents, &[0], &background, &bounds);
        let facts: Vec<(u32, u32, bool, bool)> =
            held.iter().map(|held| (held.letter, held.contained, held.whole, held.paragraph)).collect();
        assert_eq!(facts, [(1, 30, false, true), (2, 90, true, true)]);
    }
}
