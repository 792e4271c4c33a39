//! Groups of letters whose shared words are mostly words of the same passages.
//!
//! The search begins with the heaviest passage (words times letters) and its letters. It takes the passages that a third
//! of these letters have, then the letters of whose shared words these passages explain at least half and which have
//! most of the text that nearly all of the letters have, and repeats both until nothing changes. The group is accepted if its passages explain most of the shared words of its letters
//! and if most letters with the first passage are in it. Its letters are set aside, and the search goes on.
//!
//! A *menu* is a campaign whose letters choose a few of many passages. No passage of it explains half of a letter. What
//! the first search leaves is searched again: passages are added one by one as long as enough of their letters have a
//! passage of the group already; then those are removed of which fewer than half of the letters have another one.
//!
//! A letter *has* a passage if it has most of the words that the passage's letters usually have of it. A few words of a
//! long passage are not enough: they are a phrase that two campaigns share.
//!
//! At last, letters that are still alone join the group of which they have most, and so do those that have clearly more
//! of another group than of their own.

mod blocks;
mod members;
mod menus;

use super::table::PassageTable;

/// The group of a letter that is in none.
pub const NO_GROUP: u32 = u32::MAX;

/// The share of the usual words of a passage that a letter must have, to have the passage.
const HELD: f64 = 0.6;
/// The share of a group's letters that must have a passage.
const PASSAGE_SHARE: f64 = 1.0 / 3.0;
/// The share of a group's letters that have its core, and the share of the core that a letter must exceed.
const CORE: f64 = 0.8;
const CORE_SHARE: f64 = 0.5;
/// The share of a letter's shared words that its group must explain.
const EXPLAINED: f64 = 0.5;
/// The share of all words, or the number of words, that the group must explain.
const MEMBER_SHARE: f64 = 0.3;
const MEMBER_WORDS: u32 = 60;
/// The fewest words of a group that a letter must have.
const LEAST_WORDS: u32 = 12;
/// The share of the shared words of all its letters that a group must explain.
const COMPLETE: f64 = 0.6;
/// A group is none if earlier groups have the passages that explain this share of its words.
const KNOWN: f64 = 0.7;
/// The share of the letters with the first passage that must be in the group.
const OWN_LETTERS: f64 = 0.5;
/// Two passages exclude each other if fewer letters have both than this share of the number by chance; that number must
/// be large enough to tell. Only passages with a good part of all words of the block are compared.
const EXCLUDED: f64 = 0.25;
const MEMBERS: u32 = 3;
const HEAVY: f64 = 0.1;
const COMPARED: usize = 100;
/// A group joins an earlier one if half of its letters have text of it, and that much of their shared words.
const JOINING_SHARE: f64 = 0.5;
/// This share of the earlier group's letters must have something of what is new in the later group.
const COMMON_CHOICE: f64 = 0.1;
/// A passage of this many groups does not join groups: it is a quotation that all writers use.
const COMMON: u32 = 3;
/// The share of a passage's letters that must have another passage for the passage to be added to a menu.
const MENU_SHARE: f64 = 0.2;
/// The share of a group's letters that must have a passage for it to be text of the group.
const HOME_SHARE: f64 = 0.1;
/// Two numbers of words differ clearly if they differ by an eighth and by this many words.
const CLEAR_WORDS: u32 = 8;
/// The share of the letters of one group that have text of the other, for both to be one menu, and the share of the
/// other group's letters.
const MENU_OVERLAP: f64 = 0.35;
const MENU_LEAST_OVERLAP: f64 = 0.1;
const ROUNDS: usize = 12;
const MENU_ROUNDS: usize = 30;

/// Groups of letters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Groups {
    /// The group of each letter, or [`NO_GROUP`]. The given groups come first.
    pub group_of: Vec<u32>,
    /// The passages of each group, ascending.
    pub passages: Vec<Vec<u32>>,
    /// The other groups of which a letter has a good part: letter and group, ascending.
    pub also: Vec<(u32, u32)>,
}

/// The words and the identical copies of each letter.
#[derive(Clone, Copy, Debug)]
pub struct Letters<'a> {
    /// The number of words.
    pub lengths: &'a [u32],
    /// The number of identical copies, itself included.
    pub copies: &'a [u32],
}

/// The groups that exist before the search.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// The group of each letter, or [`NO_GROUP`].
    pub groups: &'a [u32],
    /// One letter of each group, whose passages are passages of the group.
    pub references: &'a [u32],
}

/// Finds groups of at least `least` letters, identical copies included.
pub fn find_groups(table: &PassageTable, letters: Letters, given: Given, least: u32) -> Groups {
    let references = given.references;
    let mut search = Search::new(table, letters, given.groups);
    search.take_references(references);
    search.find_all(Search::grow, least);
    search.set_aside = search.owners.iter().map(|owners| !owners.is_empty()).collect();
    search.find_all(Search::grow_menu, least);
    search.merge_menus(references.len() as u32);
    search.find_homes();
    search.assign_rest();
    search.prefer_most(references);
    let also = search.list_others();
    Groups { group_of: search.group_of, passages: search.passages, also }
}

/// Sums by number, of which only those that were touched are reset.
#[derive(Default)]
struct Sums {
    values: Vec<u64>,
    touched: Vec<u32>,
}

impl Sums {
    fn new(count: usize) -> Self {
        Self { values: vec![0; count], touched: Vec::new() }
    }

    fn add(&mut self, number: u32, value: u64) {
        if self.values[number as usize] == 0 && value > 0 {
            self.touched.push(number);
        }
        self.values[number as usize] += value;
    }

    fn clear(&mut self) {
        self.touched.drain(..).for_each(|number| self.values[number as usize] = 0);
    }
}

struct Search<'a> {
    table: &'a PassageTable,
    /// The letters of each passage, and the words.
    column_offsets: Vec<usize>,
    column: Vec<(u32, u32)>,
    lengths: &'a [u32],
    copies: &'a [u32],
    /// How many words of each letter are in shared passages.
    shared: Vec<u32>,
    group_of: Vec<u32>,
    passages: Vec<Vec<u32>>,
    /// The groups of each passage.
    owners: Vec<Vec<u32>>,
    /// How many words of each passage a letter must have, to have the passage.
    enough: Vec<u32>,
    /// The group that most letters with a passage are in, or [`NO_GROUP`].
    homes: Vec<u32>,
    /// Passages that began a search without success.
    set_aside: Vec<bool>,
    by_passage: Sums,
    by_letter: Sums,
    by_group: Sums,
}

/// Letters and passages that explain each other.
struct Block {
    letters: Vec<u32>,
    passages: Vec<u32>,
}

impl<'a> Search<'a> {
    fn new(table: &'a PassageTable, of: Letters<'a>, given: &[u32]) -> Self {
        let Letters { lengths, copies } = of;
        let (letters, passages) = (lengths.len(), table.lengths.len());
        let mut column_offsets = vec![0usize; passages + 1];
        table.passages.iter().for_each(|&passage| column_offsets[passage as usize + 1] += 1);
        (0..passages).for_each(|passage| column_offsets[passage + 1] += column_offsets[passage]);
        let mut filled = column_offsets.clone();
        let mut column = vec![(0, 0); table.passages.len()];
        let mut shared = vec![0; letters];
        for letter in 0..letters as u32 {
            for (passage, words) in table.row(letter) {
                column[filled[passage as usize]] = (letter, words);
                filled[passage as usize] += 1;
                shared[letter as usize] += words;
            }
        }
        Self {
            table,
            column_offsets,
            column,
            lengths,
            copies,
            shared,
            group_of: given.to_vec(),
            enough: Vec::new(),
            homes: Vec::new(),
            passages: Vec::new(),
            owners: vec![Vec::new(); passages],
            set_aside: vec![false; passages],
            by_passage: Sums::new(passages),
            by_letter: Sums::new(letters),
            by_group: Sums::default(),
        }
        .with_usual_words()
    }

    /// Finds how many words of a passage its letters usually have: the mean, weighted by words.
    fn with_usual_words(mut self) -> Self {
        let usual = |passage: u32| {
            let (mut squares, mut sum) = (0u64, 0u64);
            for &(letter, words) in self.letters_of(passage) {
                let (copies, words) = (u64::from(self.copies[letter as usize]), u64::from(words));
                squares += copies * words * words;
                sum += copies * words;
            }
            (HELD * squares as f64 / sum.max(1) as f64) as u32
        };
        self.enough = (0..self.table.lengths.len() as u32).map(usual).collect();
        self
    }

    /// The passages that a letter has.
    fn held(&self, letter: u32) -> impl Iterator<Item = u32> + '_ {
        self.table.row(letter).filter(|&(passage, words)| words >= self.enough[passage as usize]).map(|entry| entry.0)
    }

    /// The letters that have a passage.
    fn holders(&self, passage: u32) -> impl Iterator<Item = u32> + '_ {
        let enough = self.enough[passage as usize];
        self.letters_of(passage).iter().filter(move |entry| entry.1 >= enough).map(|entry| entry.0)
    }

    fn letters_of(&self, passage: u32) -> &[(u32, u32)] {
        &self.column[self.column_offsets[passage as usize]..self.column_offsets[passage as usize + 1]]
    }

    /// Whether a letter is in no group and has enough shared text to be in one.
    fn is_free(&self, letter: u32) -> bool {
        self.group_of[letter as usize] == NO_GROUP && self.is_member(letter, self.shared[letter as usize], 0.0)
    }

    fn count(&self, letters: &[u32]) -> u64 {
        letters.iter().map(|&letter| u64::from(self.copies[letter as usize])).sum()
    }

    /// The passages of the given groups: those of the reference, and those that a third of the letters have.
    fn take_references(&mut self, references: &[u32]) {
        let mut members = vec![Vec::new(); references.len()];
        for (letter, &group) in self.group_of.iter().enumerate() {
            if group != NO_GROUP {
                members[group as usize].push(letter as u32);
            }
        }
        for (letters, &reference) in members.iter().zip(references) {
            let mut passages = self.passages_of(letters, PASSAGE_SHARE, 0);
            passages.extend(self.held(reference));
            passages.sort_unstable();
            passages.dedup();
            let core: Vec<u32> = self.held(reference).collect();
            let mut explained = self.letters_by(&passages);
            explained.retain(|&letter| self.has_core(letter, &core));
            let group = self.own(passages);
            explained.into_iter().for_each(|letter| self.group_of[letter as usize] = group);
        }
    }

    /// Adds a group with these passages; returns its number.
    fn own(&mut self, passages: Vec<u32>) -> u32 {
        let group = self.passages.len() as u32;
        passages.iter().for_each(|&passage| self.owners[passage as usize].push(group));
        self.passages.push(passages);
        self.by_group.values.push(0);
        group
    }

    /// The passages that this share of the letters have, but at least `least` of them.
    fn passages_of(&mut self, letters: &[u32], share: f64, least: u64) -> Vec<u32> {
        self.count_passages(letters);
        let enough = (share * self.count(letters) as f64).max(least as f64);
        let values = &self.by_passage.values;
        let often =
            self.by_passage.touched.iter().copied().filter(|&passage| values[passage as usize] as f64 >= enough);
        let mut found: Vec<u32> = often.collect();
        found.sort_unstable();
        self.by_passage.clear();
        found
    }

    /// Counts the letters that have each passage.
    fn count_passages(&mut self, letters: &[u32]) {
        for &letter in letters {
            for (passage, words) in self.table.row(letter) {
                if words >= self.enough[passage as usize] {
                    self.by_passage.add(passage, u64::from(self.copies[letter as usize]));
                }
            }
        }
    }

    /// The free letters that these passages explain.
    fn letters_by(&mut self, passages: &[u32]) -> Vec<u32> {
        self.explain(passages);
        let explained =
            |&letter: &u32| self.is_member(letter, self.by_letter.values[letter as usize] as u32, EXPLAINED);
        let mut found: Vec<u32> = self.by_letter.touched.iter().copied().filter(explained).collect();
        found.sort_unstable();
        self.by_letter.clear();
        found
    }

    /// Counts the words of the free letters in these passages.
    fn explain(&mut self, passages: &[u32]) {
        for &passage in passages {
            let range = self.column_offsets[passage as usize]..self.column_offsets[passage as usize + 1];
            for index in range {
                let (letter, words) = self.column[index];
                if self.is_free(letter) {
                    self.by_letter.add(letter, u64::from(words));
                }
            }
        }
    }

    fn is_member(&self, letter: u32, explained: u32, share: f64) -> bool {
        let letter = letter as usize;
        explained >= LEAST_WORDS
            && f64::from(explained) >= share * f64::from(self.shared[letter])
            && (explained >= MEMBER_WORDS || f64::from(explained) >= MEMBER_SHARE * f64::from(self.lengths[letter]))
    }

    fn explained_by(&self, letter: u32, passages: &[u32]) -> u32 {
        self.table.row(letter).filter(|entry| passages.binary_search(&entry.0).is_ok()).map(|entry| entry.1).sum()
    }

    /// Counts the words of a letter in the passages of each group, except passages that many groups have.
    fn count_groups(&mut self, letter: u32) {
        for (passage, words) in self.table.row(letter) {
            let owners = &self.owners[passage as usize];
            if owners.len() < COMMON as usize {
                owners.iter().for_each(|&group| self.by_group.add(group, u64::from(words)));
            }
        }
    }
}
