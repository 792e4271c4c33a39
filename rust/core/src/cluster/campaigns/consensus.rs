//! The consensus of a campaign: the text that most of its letters keep, where nobody sent the original unchanged.
//!
//! The consensus consists of pieces of real letters. It begins with the letter that has most of the common text, without
//! the words that too few letters have. Common text that it lacks is taken from other letters and inserted after the
//! words that precede it there. Where two wordings compete, the one that more letters have wins.
//!
//! How many letters are enough depends on the campaign: half as many as have a common word at the median. So a campaign
//! whose letters choose from a menu of passages has all of them, and one whose letters are all rewritten, each in other
//! places, still has a whole text.

use super::divergence::Table;
use crate::represent::shingles::shingles;
use crate::support::hash::mix;
use crate::text::characters::unicode::{self, SINGLE, WORD};
use crate::text::collection::{Collection, Reader};
use crate::text::paragraphs::paragraphs;

/// How many words a window has.
const WINDOW: usize = 6;
/// How many letters of a campaign are read.
const READ: usize = 300;
/// A word that fewer than one in this many letters have does not count for the median.
const RARE: u32 = 20;
/// Without a place between words of the consensus, fewer words than this are not inserted.
const LEAST_INSERTED: usize = 4;
/// How many words a short run has.
const SHORT: usize = 3;
/// Two wordings compete if one has at most this many words more than the other.
const COMPETING: usize = 8;
/// How often a letter is asked for missing text.
const ROUNDS: usize = 400;
/// A point of a menu has at least this many words.
const POINT_WORDS: usize = 8;

/// The common text of a campaign.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Consensus {
    /// The text; empty if the letters have no text in common.
    pub text: String,
    /// The points of a menu, in the order of the text; empty if the letters do not choose from a menu.
    pub points: Vec<Point>,
}

/// A passage that letters of a campaign choose or leave out as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Point {
    /// Its text.
    pub text: String,
    words: Vec<u64>,
}

/// A letter with its words.
struct Letter {
    text: String,
    hashes: Vec<u64>,
    starts: Vec<u32>,
    ends: Vec<u32>,
    paragraphs: Vec<u32>,
    windows: Vec<u64>,
    copies: u32,
    /// How many letters have a window with the word.
    support: Vec<u32>,
}

/// A word of the consensus: the letter and the number of the word in it.
type Place = (u32, u32);

/// Assembles the consensus of these documents; `copies` counts the identical copies of each.
pub fn consensus(collection: &Collection, documents: &[u32], copies: &[u32]) -> Consensus {
    let count = documents.len().min(READ);
    let chosen = (0..count).map(|number| number * documents.len() / count);
    let mut letters: Vec<Letter> =
        chosen.map(|index| Letter::read(collection, documents[index] as usize, copies[index])).collect();
    let support = count_windows(&letters);
    letters.iter_mut().for_each(|letter| letter.weigh(&support));
    let enough = find_enough(&letters);
    let mut draft = Draft::new(&letters, &support, enough);
    draft.complete();
    draft.write()
}

impl Letter {
    fn read(collection: &Collection, document: usize, copies: u32) -> Self {
        let mut reader = Reader::default();
        let text = collection.read(document, &mut reader).text.into_owned();
        let tokens = reader.tokens;
        let paragraphs = paragraphs(text.as_bytes(), &tokens.starts, &tokens.ends);
        let windows = number_windows(&tokens.hashes);
        let (hashes, starts, ends) = (tokens.hashes, tokens.starts, tokens.ends);
        Self { text, hashes, starts, ends, paragraphs, windows, copies, support: Vec::new() }
    }

    /// Finds how many letters have each word in a common window.
    fn weigh(&mut self, support: &Table<u32>) {
        self.support = vec![0; self.hashes.len()];
        for (start, window) in self.windows.iter().enumerate() {
            let letters = support.get(window).copied().unwrap_or(0);
            for word in &mut self.support[start..start + WINDOW] {
                *word = letters.max(*word);
            }
        }
    }
}

/// The windows of words; of several equal ones, each has another number.
fn number_windows(hashes: &[u64]) -> Vec<u64> {
    let mut windows = Vec::new();
    if hashes.len() < WINDOW {
        return windows;
    }
    let mut times: Table<u64> = Table::default();
    shingles(hashes, WINDOW, |window| {
        let earlier = times.entry(window).or_default();
        windows.push(if *earlier == 0 { window } else { mix(window ^ *earlier) });
        *earlier += 1;
    });
    windows
}

/// How many letters have each window.
fn count_windows(letters: &[Letter]) -> Table<u32> {
    let mut support: Table<u32> = Table::default();
    let mut own = Vec::new();
    for letter in letters {
        own.clone_from(&letter.windows);
        own.sort_unstable();
        own.dedup();
        own.iter().for_each(|&window| *support.entry(window).or_default() += letter.copies);
    }
    support
}

/// How many letters must have a word: half of the median over the common words, and at least two.
fn find_enough(letters: &[Letter]) -> u32 {
    let total: u32 = letters.iter().map(|letter| letter.copies).sum();
    let rare = (total / RARE).max(2);
    let mut common: Vec<u32> =
        letters.iter().flat_map(|letter| letter.support.iter().copied()).filter(|&support| support >= rare).collect();
    common.sort_unstable();
    common.get(common.len() / 2).map_or(u32::MAX, |median| median.div_ceil(2).max(2))
}

/// A consensus in the making.
struct Draft<'a> {
    letters: &'a [Letter],
    support: &'a Table<u32>,
    enough: u32,
    words: Vec<Place>,
    /// Where each window of the draft begins.
    windows: Table<u32>,
}

/// A run of words that the draft lacks: the words of the letter, and between which words of the draft they belong.
struct Missing {
    words: std::ops::Range<usize>,
    after: Option<usize>,
    before: Option<usize>,
}

impl<'a> Draft<'a> {
    fn new(letters: &'a [Letter], support: &'a Table<u32>, enough: u32) -> Self {
        let weight = |letter: &Letter| -> u64 {
            letter.support.iter().filter(|&&support| support >= enough).map(|&support| u64::from(support)).sum()
        };
        let best = (0..letters.len()).max_by_key(|&number| {
            let letter = &letters[number];
            (weight(letter), std::cmp::Reverse(letter.hashes.len()), std::cmp::Reverse(number))
        });
        let mut draft = Self { letters, support, enough, words: Vec::new(), windows: Table::default() };
        if let Some(best) = best {
            let kept = (0..letters[best].hashes.len()).filter(|&word| letters[best].support[word] >= enough);
            draft.words = kept.map(|word| (best as u32, word as u32)).collect();
        }
        draft.drop_echoes();
        draft.index();
        draft
    }

    /// Drops words that are repeated across the place of a passage that was left out: it began, or ended, with the same
    /// words as the text that follows, or precedes, it.
    fn drop_echoes(&mut self) {
        let mut at = 1;
        while at < self.words.len() {
            let repeats = |size: &usize| {
                (0..*size).all(|word| self.hash(self.words[at - size + word]) == self.hash(self.words[at + word]))
            };
            let longest = WINDOW.min(at).min(self.words.len() - at);
            if !self.continues(at)
                && let Some(size) = (1..=longest).rev().find(repeats)
            {
                self.words.drain(at - size..at);
                at = (at - size).max(1);
            } else {
                at += 1;
            }
        }
    }

    fn hash(&self, place: Place) -> u64 {
        self.letters[place.0 as usize].hashes[place.1 as usize]
    }

    fn index(&mut self) {
        let hashes: Vec<u64> = self.words.iter().map(|&place| self.hash(place)).collect();
        self.windows = number_windows(&hashes).into_iter().zip(0..).collect();
    }

    /// Inserts what the draft lacks, letter by letter, the one with most missing text first. Text with a place between
    /// words of the draft comes first, other text only when there is no more of that.
    fn complete(&mut self) {
        let mut refused = [vec![false; self.letters.len()], vec![false; self.letters.len()]];
        for _ in 0..ROUNDS {
            let weights: Vec<u64> = (0..self.letters.len()).map(|number| self.missing_weight(number)).collect();
            let heaviest = |refused: &[bool]| {
                let open = (0..weights.len()).filter(|&number| !refused[number] && weights[number] > 0);
                open.max_by_key(|&number| (weights[number], std::cmp::Reverse(number)))
            };
            let (anywhere, number) = match (heaviest(&refused[0]), heaviest(&refused[1])) {
                (Some(number), _) => (false, number),
                (None, Some(number)) => (true, number),
                (None, None) => return,
            };
            if self.insert_from(number, anywhere) {
                refused[0].fill(false);
            }
            refused[usize::from(anywhere)][number] = true;
        }
    }

    /// Which words of a letter are in windows of the draft.
    fn present(&self, letter: &Letter) -> Vec<bool> {
        let mut present = vec![false; letter.hashes.len()];
        for (start, window) in letter.windows.iter().enumerate() {
            if self.windows.contains_key(window) {
                present[start..start + WINDOW].fill(true);
            }
        }
        present
    }

    fn missing_weight(&self, number: usize) -> u64 {
        let letter = &self.letters[number];
        let present = self.present(letter);
        let missing = (0..letter.hashes.len()).filter(|&word| !present[word] && letter.support[word] >= self.enough);
        missing.map(|word| u64::from(letter.support[word])).sum()
    }

    /// Inserts the runs of a letter that the draft lacks, also those without a place if they may go anywhere; returns
    /// whether the draft changed.
    fn insert_from(&mut self, number: usize, anywhere: bool) -> bool {
        let letter = &self.letters[number];
        let present = self.present(letter);
        let wanted = |word: usize| !present[word] && letter.support[word] >= self.enough;
        let (mut runs, mut word) = (Vec::new(), 0);
        while word < letter.hashes.len() {
            let start = word;
            while word < letter.hashes.len() && wanted(word) {
                word += 1;
            }
            if word > start {
                runs.push(self.locate(letter, start..word));
            }
            word += 1;
        }
        // From the last to the first, so that earlier positions stay valid.
        runs.sort_by_key(|run| std::cmp::Reverse((run.after.map_or(0, |after| after + 1), run.words.start)));
        let length = self.words.len();
        let mut changed = false;
        for run in runs {
            changed |= self.insert(number, run, length, anywhere);
        }
        if changed {
            self.drop_echoes();
            self.index();
        }
        changed
    }

    /// Finds the words of the draft before and after a run: those of the nearest windows that the draft has.
    fn locate(&self, letter: &Letter, words: std::ops::Range<usize>) -> Missing {
        let before = (0..(words.start + 1).saturating_sub(WINDOW)).rev();
        let after = before.filter_map(|start| self.windows.get(&letter.windows[start])).next();
        let following = (words.end..letter.windows.len()).filter_map(|start| self.windows.get(&letter.windows[start]));
        let before = following.copied().next().map(|start| start as usize);
        Missing { words, after: after.map(|&start| start as usize + WINDOW - 1), before }
    }

    fn insert(&mut self, number: usize, run: Missing, length: usize, anywhere: bool) -> bool {
        let letter = &self.letters[number];
        let strength = letter.support[run.words.clone()].iter().copied().max().unwrap_or(0);
        let places = run.words.clone().map(|word| (number as u32, word as u32));
        match (run.after, run.before) {
            (Some(after), Some(before)) if after < before && before - after - 1 <= run.words.len() + COMPETING => {
                let rival = self.strength(after, before);
                if before <= self.words.len() && strength > rival {
                    self.words.splice(after + 1..before, places);
                    return true;
                }
                false
            }
            _ if !anywhere || run.words.len() < LEAST_INSERTED || self.resembles(&letter.hashes[run.words.clone()]) => {
                false
            }
            (Some(after), _) => {
                self.words.splice(after + 1..after + 1, places);
                true
            }
            (None, Some(before)) => {
                self.words.splice(before..before, places);
                true
            }
            (None, None) => {
                let middle = (run.words.start + run.words.end) / 2;
                let at = (middle * length / letter.hashes.len().max(1)).min(self.words.len());
                let at = self.piece_start(at);
                self.words.splice(at..at, places);
                true
            }
        }
    }

    /// Whether half of the short runs of these words are in the draft already: another wording of the same text.
    fn resembles(&self, words: &[u64]) -> bool {
        let known: Vec<u64> = self.words.iter().map(|&place| self.hash(place)).collect();
        let (mut runs, mut found, mut all) = (Table::<()>::default(), 0, 0);
        shingles(&known, SHORT, |run| {
            runs.insert(run, ());
        });
        shingles(words, SHORT, |run| {
            all += 1;
            found += usize::from(runs.contains_key(&run));
        });
        found * 2 >= all
    }

    /// How many letters have the words of the draft between two of its words, or have nothing there.
    fn strength(&self, after: usize, before: usize) -> u32 {
        let between = after + 1..before.min(self.words.len());
        if !between.is_empty() {
            let supports =
                self.words[between].iter().map(|place| self.letters[place.0 as usize].support[place.1 as usize]);
            return supports.max().unwrap_or(0);
        }
        let (first, last) = ((after + 1).saturating_sub(WINDOW / 2), (after + 1 + WINDOW / 2).min(self.words.len()));
        let hashes: Vec<u64> = self.words[first..last].iter().map(|&place| self.hash(place)).collect();
        let mut letters = 0;
        if hashes.len() >= WINDOW {
            shingles(&hashes, WINDOW, |window| letters = self.support.get(&window).copied().unwrap_or(0));
        }
        letters
    }

    /// The nearest word from here on that does not continue the word before it in the same letter.
    fn piece_start(&self, at: usize) -> usize {
        (at..self.words.len()).find(|&word| word == 0 || !self.continues(word)).unwrap_or(self.words.len())
    }

    fn continues(&self, word: usize) -> bool {
        let (before, place) = (self.words[word - 1], self.words[word]);
        before.0 == place.0 && before.1 + 1 == place.1
    }

    fn write(&self) -> Consensus {
        let mut text = String::new();
        let mut spans: Vec<(u32, u32)> = Vec::new();
        let mut first = 0;
        for word in 1..=self.words.len() {
            if word < self.words.len() && self.continues(word) {
                continue;
            }
            self.write_piece(first..word, &mut text, &mut spans);
            first = word;
        }
        let points = self.points(&spans, &text);
        Consensus { text, points }
    }

    /// Writes consecutive words of one letter as they are there, with adjacent punctuation.
    fn write_piece(&self, words: std::ops::Range<usize>, text: &mut String, spans: &mut Vec<(u32, u32)>) {
        let (Some(&(number, first)), Some(&(_, last))) = (self.words.get(words.start), self.words.get(words.end - 1))
        else {
            return;
        };
        let letter = &self.letters[number as usize];
        let (start, end) = (letter.starts[first as usize] as usize, letter.ends[last as usize] as usize);
        let opens_paragraph = first == 0 || letter.paragraphs[first as usize] != letter.paragraphs[first as usize - 1];
        if !text.is_empty() {
            text.push_str(if opens_paragraph { "\n\n" } else { " " });
        }
        let clings = |c: &char| !c.is_whitespace() && unicode::properties(*c) & (WORD | SINGLE) == 0;
        let before: usize = letter.text[..start].chars().rev().take_while(clings).map(char::len_utf8).sum();
        let after: usize = letter.text[end..].chars().take_while(clings).map(char::len_utf8).sum();
        let shift = text.len() + before;
        text.push_str(&letter.text[start - before..end + after]);
        for word in words {
            let (start_of, end_of) =
                (letter.starts[self.words[word].1 as usize], letter.ends[self.words[word].1 as usize]);
            spans.push(((start_of as usize - start + shift) as u32, (end_of as usize - start + shift) as u32));
        }
    }

    /// The points of a menu: runs of words that letters keep or drop as a whole. A campaign is a menu if it has three
    /// points and more, and its letters have two thirds of them at most.
    fn points(&self, spans: &[(u32, u32)], text: &str) -> Vec<Point> {
        let hashes: Vec<u64> = self.words.iter().map(|&place| self.hash(place)).collect();
        let support = |window: u64| self.support.get(&window).copied().unwrap_or(0);
        let windows: Vec<u32> = number_windows(&hashes).into_iter().map(support).collect();
        let runs = split_at_weak_joints(&windows, hashes.len());
        let long: Vec<std::ops::Range<usize>> = runs.into_iter().filter(|run| run.len() >= POINT_WORDS).collect();
        let total: u32 = self.letters.iter().map(|letter| letter.copies).sum();
        let held =
            long.iter().map(|run| f64::from(windows[run.start..=run.end - WINDOW].iter().copied().max().unwrap_or(0)));
        let mean = held.sum::<f64>() / (long.len().max(1) as f64 * f64::from(total.max(1)));
        if long.len() < 3 || mean > 2.0 / 3.0 {
            return Vec::new();
        }
        let point = |run: std::ops::Range<usize>| Point {
            text: text[spans[run.start].0 as usize..spans[run.end - 1].1 as usize].to_owned(),
            words: hashes[run].to_vec(),
        };
        long.into_iter().map(point).collect()
    }
}

/// Splits words where the windows across a joint have less than half of the letters of the windows on either side.
fn split_at_weak_joints(windows: &[u32], words: usize) -> Vec<std::ops::Range<usize>> {
    let mut runs = Vec::new();
    let mut start = 0;
    for joint in 1..words {
        // The windows that end before the joint, span it in the middle, and begin after it.
        let left = joint.checked_sub(WINDOW).and_then(|at| windows.get(at));
        let (Some(&left), Some(&right), Some(&across)) =
            (left, windows.get(joint), windows.get(joint.saturating_sub(WINDOW / 2)))
        else {
            continue;
        };
        if across * 2 < left.min(right) && joint > start {
            runs.push(start..joint);
            start = joint;
        }
    }
    if words > start {
        runs.push(start..words);
    }
    runs
}

/// The numbers of the points that a document has: at least half of the windows of the point.
pub fn find_points(collection: &Collection, document: u32, points: &[Point]) -> Vec<u32> {
    let mut reader = Reader::default();
    collection.read(document as usize, &mut reader);
    let mut own: Table<()> = Table::default();
    if reader.tokens.len() >= WINDOW {
        shingles(&reader.tokens.hashes, WINDOW, |window| {
            own.insert(window, ());
        });
    }
    let has = |point: &Point| {
        let (mut found, mut all) = (0, 0);
        shingles(&point.words, WINDOW, |window| {
            all += 1;
            found += usize::from(own.contains_key(&window));
        });
        found * 2 >= all
    };
    (0..points.len() as u32).filter(|&number| has(&points[number as usize])).collect()
}
