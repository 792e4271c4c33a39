//! The passages that several letters share, and how many words of each letter they cover.
//!
//! A *window* is a run of a few words. Windows that too few letters have are dropped. Two windows belong to the same
//! passage if one follows the other, one word later, in more than two thirds of the places of either. So a passage is a run
//! of text that letters keep or drop as a whole. Time is linear in the words, up to the sorting of windows.

use rayon::prelude::*;

use super::super::divergence::Table;
use crate::represent::shingles::shingles;
use crate::text::collection::{Collection, Unit};

/// How many windows are sorted at a time.
const SORTED: usize = 1 << 26;
const NONE: u32 = u32::MAX;

/// What counts as shared.
#[derive(Clone, Copy, Debug)]
pub struct Sharing {
    /// How many words a window has.
    pub window: usize,
    /// How many letters must have it, identical copies included.
    pub letters: u32,
}

/// The words of each letter in each shared passage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PassageTable {
    /// The offset of each letter's entries in the other two, and the end of the last.
    pub offsets: Vec<u64>,
    /// The passages of each letter, ascending.
    pub passages: Vec<u32>,
    /// How many words of the letter belong to the passage. A word in several windows belongs to the first.
    pub words: Vec<u32>,
    /// How many words each passage has.
    pub lengths: Vec<u32>,
}

impl PassageTable {
    /// The passages of a letter with the words in each.
    pub fn row(&self, letter: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let range = self.offsets[letter as usize] as usize..self.offsets[letter as usize + 1] as usize;
        self.passages[range.clone()].iter().copied().zip(self.words[range].iter().copied())
    }
}

/// Finds the passages that these documents share. `copies` counts the identical copies of each.
pub fn find_passages(collection: &Collection, documents: &[u32], copies: &[u32], sharing: Sharing) -> PassageTable {
    let windows = shared_windows(collection, documents, copies, sharing);
    let numbers: Table<u32> = windows.iter().enumerate().map(|(number, &window)| (window, number as u32)).collect();
    let letters: Vec<Vec<u32>> = collection.map(documents, Unit::Word, |words| {
        let mut found = Vec::new();
        if words.len() >= sharing.window {
            shingles(words, sharing.window, |window| found.push(numbers.get(&window).copied().unwrap_or(NONE)));
        }
        if found.iter().all(|&window| window == NONE) { Vec::new() } else { found }
    });
    let passages = join_windows(&letters, copies, windows.len());
    let mut table = PassageTable { offsets: vec![0], lengths: measure(&passages, sharing), ..PassageTable::default() };
    let rows: Vec<Vec<(u32, u32)>> =
        letters.par_iter().map(|windows| count_words(windows, &passages, sharing.window)).collect();
    for row in rows {
        table.passages.extend(row.iter().map(|entry| entry.0));
        table.words.extend(row.iter().map(|entry| entry.1));
        table.offsets.push(table.passages.len() as u64);
    }
    table
}

/// The windows that enough letters have, ascending. Ranges of hashes are sorted one after the other.
fn shared_windows(collection: &Collection, documents: &[u32], copies: &[u32], sharing: Sharing) -> Vec<u64> {
    let total: usize = documents.par_iter().map(|&document| collection.bytes(document as usize) / 5).sum();
    let ranges = (total / SORTED + 1).next_power_of_two();
    let shift = 64 - ranges.trailing_zeros();
    let mut shared = Vec::new();
    for range in 0..ranges as u64 {
        let in_range = |window: u64| ranges == 1 || window >> shift == range;
        let lists: Vec<Vec<u64>> = collection.map(documents, Unit::Word, |words| {
            let mut own = Vec::new();
            if words.len() >= sharing.window {
                shingles(words, sharing.window, |window| own.extend(in_range(window).then_some(window)));
            }
            own.sort_unstable();
            own.dedup();
            own
        });
        let counted = lists.into_par_iter().zip(copies).flat_map_iter(|(own, &copies)| {
            own.into_iter().flat_map(move |window| std::iter::repeat_n(window, copies.min(sharing.letters) as usize))
        });
        let mut all: Vec<u64> = counted.collect();
        all.par_sort_unstable();
        let often = all.chunk_by(|a, b| a == b).filter(|run| run.len() >= sharing.letters as usize);
        shared.extend(often.map(|run| run[0]));
    }
    shared
}

/// The passage of each window.
fn join_windows(letters: &[Vec<u32>], copies: &[u32], windows: usize) -> Vec<u32> {
    let followers = Followers::count(letters, copies, windows);
    let mut roots: Vec<u32> = (0..windows as u32).collect();
    for window in 0..windows {
        let (next, together) = (followers.next[window], followers.together[window]);
        if next != NONE && 3 * together > 2 * followers.places[window].max(followers.places[next as usize]) {
            let (a, b) = (find(&mut roots, window as u32), find(&mut roots, next));
            roots[a.max(b) as usize] = a.min(b);
        }
    }
    let mut numbers = vec![NONE; windows];
    let mut count = 0;
    (0..windows as u32)
        .map(|window| {
            let root = find(&mut roots, window) as usize;
            if numbers[root] == NONE {
                numbers[root] = count;
                count += 1;
            }
            numbers[root]
        })
        .collect()
}

fn find(roots: &mut [u32], mut window: u32) -> u32 {
    while roots[window as usize] != window {
        roots[window as usize] = roots[roots[window as usize] as usize];
        window = roots[window as usize];
    }
    window
}

/// For each window: in how many places it is, and the window that follows it in more than half of them, if one does.
struct Followers {
    places: Vec<u64>,
    next: Vec<u32>,
    together: Vec<u64>,
}

impl Followers {
    /// Finds the only possible majority by pairing off different followers, then counts it.
    fn count(letters: &[Vec<u32>], copies: &[u32], windows: usize) -> Self {
        let mut followers = Self { places: vec![0; windows], next: vec![NONE; windows], together: vec![0; windows] };
        for (letter, &copies) in letters.iter().zip(copies) {
            let copies = u64::from(copies);
            letter.iter().filter(|&&window| window != NONE).for_each(|&window| {
                followers.places[window as usize] += copies;
            });
            for (window, next) in adjacent(letter) {
                let votes = &mut followers.together[window];
                if followers.next[window] == next {
                    *votes += copies;
                } else if *votes >= copies {
                    *votes -= copies;
                } else {
                    *votes = copies - *votes;
                    followers.next[window] = next;
                }
            }
        }
        followers.together.fill(0);
        for (letter, &copies) in letters.iter().zip(copies) {
            for (window, next) in adjacent(letter) {
                if followers.next[window] == next {
                    followers.together[window] += u64::from(copies);
                }
            }
        }
        followers
    }
}

fn adjacent(letter: &[u32]) -> impl Iterator<Item = (usize, u32)> + '_ {
    letter.windows(2).filter(|pair| pair[0] != NONE && pair[1] != NONE).map(|pair| (pair[0] as usize, pair[1]))
}

fn measure(passages: &[u32], sharing: Sharing) -> Vec<u32> {
    let count = passages.iter().max().map_or(0, |&last| last as usize + 1);
    let mut lengths = vec![sharing.window as u32 - 1; count];
    passages.iter().for_each(|&passage| lengths[passage as usize] += 1);
    lengths
}

/// The passages of a letter, ascending, with the words in each.
fn count_words(windows: &[u32], passages: &[u32], size: usize) -> Vec<(u32, u32)> {
    let (mut found, mut covered): (Vec<(u32, u32)>, usize) = (Vec::new(), 0);
    for (start, &window) in windows.iter().enumerate().filter(|(_, window)| **window != NONE) {
        let words = (start + size - covered.max(start)) as u32;
        covered = start + size;
        found.push((passages[window as usize], words));
    }
    found.sort_unstable_by_key(|entry| entry.0);
    found.chunk_by(|a, b| a.0 == b.0).map(|run| (run[0].0, run.iter().map(|entry| entry.1).sum())).collect()
}
