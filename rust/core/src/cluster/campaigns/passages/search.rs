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

/// Finds groups of at least `least` letters, identical copies included.
///
/// `lengths` and `copies` are the words and identical copies of each letter. `given` has the group of letters that are
/// in one already; each group has a letter in `references`, whose passages are passages of the group.
pub fn find_groups(
    table: &PassageTable,
    lengths: &[u32],
    copies: &[u32],
    given: &[u32],
    references: &[u32],
    least: u32,
) -> Groups {
    let mut search = Search::new(table, lengths, copies, given);
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

/// The group with half of the votes or more, if enough of its letters have the passage: what a few members added is not
/// text of the campaign.
fn choose_home(mut votes: Vec<(u32, u64)>, sizes: &[u64]) -> u32 {
    let all: u64 = votes.iter().map(|vote| vote.1).sum();
    votes.sort_unstable();
    let sums = votes.chunk_by(|a, b| a.0 == b.0).map(|run| (run.iter().map(|vote| vote.1).sum::<u64>(), run[0].0));
    let most = sums.max_by_key(|&(sum, group)| (sum, std::cmp::Reverse(group)));
    let often = |sum: u64, group: u32| sum as f64 >= HOME_SHARE * sizes[group as usize] as f64;
    most.filter(|&(sum, group)| 2 * sum >= all && group != NO_GROUP && often(sum, group))
        .map_or(NO_GROUP, |most| most.1)
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
    fn new(table: &'a PassageTable, lengths: &'a [u32], copies: &'a [u32], given: &[u32]) -> Self {
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

    /// Finds the group that most letters with a passage are in, or would be in for another passage. A passage without a
    /// home is text that letters of all campaigns quote, such as the title of the docket.
    fn find_homes(&mut self) {
        let mut votes: Vec<Vec<(u32, u64)>> = vec![Vec::new(); self.table.lengths.len()];
        for letter in 0..self.lengths.len() as u32 {
            let (own, copies) = (self.group_of[letter as usize], u64::from(self.copies[letter as usize]));
            self.count_groups(letter);
            let held: Vec<(u32, u32)> =
                self.table.row(letter).filter(|entry| entry.1 >= self.enough[entry.0 as usize]).collect();
            for (passage, words) in held {
                let group = if own == NO_GROUP { self.most_without(passage, words) } else { own };
                votes[passage as usize].push((group, copies));
            }
            self.by_group.clear();
        }
        let mut sizes = vec![0; self.passages.len()];
        for (&group, &copies) in self.group_of.iter().zip(self.copies).filter(|(group, _)| **group != NO_GROUP) {
            sizes[group as usize] += u64::from(copies);
        }
        self.homes = votes.into_iter().map(|votes| choose_home(votes, &sizes)).collect();
    }

    /// The group of which the counted letter has most words, if it has enough, apart from those of one passage.
    fn most_without(&self, passage: u32, words: u32) -> u32 {
        let owners = &self.owners[passage as usize];
        let counted = owners.len() < COMMON as usize;
        let others = |group: u32| {
            let own = if counted && owners.contains(&group) { u64::from(words) } else { 0 };
            self.by_group.values[group as usize] - own
        };
        let groups = self.by_group.touched.iter().copied().filter(|&group| others(group) >= u64::from(LEAST_WORDS));
        groups.max_by_key(|&group| (others(group), std::cmp::Reverse(group))).unwrap_or(NO_GROUP)
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

    /// Finds groups around the heaviest passages until none is left.
    fn find_all(&mut self, grow: impl Fn(&mut Self, u32) -> Option<Block>, least: u32) {
        let mut heap: std::collections::BinaryHeap<(u64, std::cmp::Reverse<u32>)> = (0..self.table.lengths.len()
            as u32)
            .map(|passage| (self.weight(passage, least), std::cmp::Reverse(passage)))
            .filter(|entry| entry.0 > 0)
            .collect();
        while let Some((weight, std::cmp::Reverse(passage))) = heap.pop() {
            let now = self.weight(passage, least);
            if now < weight {
                if now > 0 {
                    heap.push((now, std::cmp::Reverse(passage)));
                }
                continue;
            }
            match grow(self, passage).filter(|block| self.count(&block.letters) >= u64::from(least)) {
                Some(block) => {
                    self.accept(block);
                    // A search that took none of the letters of its passage would only be repeated.
                    self.set_aside[passage as usize] |= self.weight(passage, least) == weight;
                    heap.push((weight, std::cmp::Reverse(passage)));
                }
                None => self.set_aside[passage as usize] = true,
            }
        }
    }

    /// The words of a passage in all its free letters; 0 if too few letters have it.
    fn weight(&self, passage: u32, least: u32) -> u64 {
        if self.set_aside[passage as usize] {
            return 0;
        }
        let (mut letters, mut weight) = (0, 0);
        for &(letter, words) in self.letters_of(passage) {
            if self.is_free(letter) {
                letters += u64::from(self.copies[letter as usize]);
                weight += u64::from(self.copies[letter as usize]) * u64::from(words);
            }
        }
        if letters >= u64::from(least) { weight } else { 0 }
    }

    /// A block around a passage. If it consists of passages that exclude each other, such as those of two campaigns that
    /// have one paragraph in common, the block is searched again around the heavier one.
    fn grow(&mut self, first: u32) -> Option<Block> {
        let (began, block) = self.settle(first, &[]);
        if let Some((heavier, excluding)) = self.find_excluded(&block, HEAVY) {
            let (began, block) = self.settle(heavier, &excluding);
            if self.is_accepted(&began, &block) {
                return Some(block);
            }
        }
        self.is_accepted(&began, &block).then_some(block)
    }

    /// Whether most of the letters with which a block began are in it, and its passages explain most of its letters.
    fn is_accepted(&self, began: &[u32], block: &Block) -> bool {
        let kept: Vec<u32> =
            began.iter().copied().filter(|letter| block.letters.binary_search(letter).is_ok()).collect();
        self.count(&kept) as f64 >= OWN_LETTERS * self.count(began) as f64 && self.is_complete(block)
    }

    /// The letters that have a passage, and the block that grows from them: the passages that a third of the letters
    /// have, then the letters that these explain, until nothing changes. Letters that have a barred passage stay out.
    fn settle(&mut self, first: u32, barred: &[u32]) -> (Vec<u32>, Block) {
        let mut letters: Vec<u32> = self.holders(first).filter(|&letter| self.is_free(letter)).collect();
        let began = letters.clone();
        let mut passages = Vec::new();
        for _ in 0..ROUNDS {
            passages = self.passages_of(&letters, PASSAGE_SHARE, 2);
            if let Err(at) = passages.binary_search(&first) {
                passages.insert(at, first);
            }
            let core = self.passages_of(&letters, CORE, 2);
            let mut explained = self.letters_by(&passages);
            explained.retain(|&letter| self.has_core(letter, &core));
            if !barred.is_empty() {
                explained.retain(|&letter| !self.held(letter).any(|passage| barred.contains(&passage)));
            }
            let settled = explained == letters;
            letters = explained;
            if settled || letters.is_empty() {
                break;
            }
        }
        (began, Block { letters, passages })
    }

    /// Whether a letter has most of the words that nearly all letters of a group have.
    fn has_core(&self, letter: u32, core: &[u32]) -> bool {
        let words: u32 = core.iter().map(|&passage| self.enough[passage as usize]).sum();
        let usual = f64::from(words) / HELD;
        usual < f64::from(LEAST_WORDS) || f64::from(self.explained_by(letter, core)) > CORE_SHARE * usual
    }

    /// The heaviest passage of a block that other passages of it exclude (much fewer letters have both than would by
    /// chance), and these other passages.
    fn find_excluded(&self, block: &Block, heavy: f64) -> Option<(u32, Vec<u32>)> {
        let total = self.count(&block.letters) as f64;
        let holders: Vec<Vec<u32>> = block
            .passages
            .iter()
            .map(|&passage| {
                let inside = self.holders(passage).filter(|letter| block.letters.binary_search(letter).is_ok());
                inside.collect()
            })
            .collect();
        let counts: Vec<f64> = holders.iter().map(|letters| self.count(letters) as f64).collect();
        let weight = |index: usize| counts[index] * f64::from(self.enough[block.passages[index] as usize]);
        let whole: f64 = (0..holders.len()).map(weight).sum();
        let mut order: Vec<usize> = (0..holders.len()).filter(|&index| weight(index) >= heavy * whole).collect();
        order.sort_by(|&a, &b| weight(b).total_cmp(&weight(a)).then(a.cmp(&b)));
        order.truncate(COMPARED);
        let excludes = |a: usize, b: usize| {
            let both: Vec<u32> =
                holders[a].iter().copied().filter(|letter| holders[b].binary_search(letter).is_ok()).collect();
            let expected = counts[a] * counts[b] / total;
            expected >= f64::from(MEMBERS) && (self.count(&both) as f64) < EXCLUDED * expected
        };
        for &a in &order {
            let excluding = order.iter().filter(|&&b| a != b && excludes(a, b)).map(|&b| block.passages[b]);
            let excluding: Vec<u32> = excluding.collect();
            if !excluding.is_empty() {
                return Some((block.passages[a], excluding));
            }
        }
        None
    }

    /// Whether the passages explain most of the shared words of the letters.
    fn is_complete(&self, block: &Block) -> bool {
        let (mut explained, mut shared) = (0, 0);
        for &letter in &block.letters {
            let copies = u64::from(self.copies[letter as usize]);
            explained += copies * u64::from(self.explained_by(letter, &block.passages));
            shared += copies * u64::from(self.shared[letter as usize]);
        }
        !block.letters.is_empty() && explained as f64 >= COMPLETE * shared as f64
    }

    fn explained_by(&self, letter: u32, passages: &[u32]) -> u32 {
        self.table.row(letter).filter(|entry| passages.binary_search(&entry.0).is_ok()).map(|entry| entry.1).sum()
    }

    /// A block of which each letter has some passages, in whatever choice.
    fn grow_menu(&mut self, first: u32) -> Option<Block> {
        let mut passages = vec![first];
        let mut touched: Vec<u32> = Vec::new();
        for _ in 0..MENU_ROUNDS {
            touched = self.touched_by(&passages);
            let mut added = self.companions(&touched, &passages);
            if added.is_empty() {
                break;
            }
            passages.append(&mut added);
            passages.sort_unstable();
        }
        let passages = self.leave_out_strangers(passages, &touched);
        let mut block = Block { letters: self.letters_by(&passages), passages };
        // Two menus that a few letters combine exclude each other.
        if let Some((_, excluding)) = self.find_excluded(&block, 0.0) {
            block.passages.retain(|passage| !excluding.contains(passage));
            block.letters = self.letters_by(&block.passages);
        }
        if self.is_complete(&block) {
            return Some(block);
        }
        // A search that begins with another of these passages would end here, too.
        block.passages.iter().for_each(|&passage| self.set_aside[passage as usize] = true);
        None
    }

    /// The free letters that have one of these passages.
    fn touched_by(&mut self, passages: &[u32]) -> Vec<u32> {
        self.explain(passages);
        let mut touched = self.by_letter.touched.clone();
        touched.sort_unstable();
        self.by_letter.clear();
        touched
    }

    /// The passages of which the largest share of letters is among these letters, if the share is large enough.
    fn companions(&mut self, letters: &[u32], passages: &[u32]) -> Vec<u32> {
        self.count_passages(letters);
        let mut shares: Vec<(u32, f64)> = Vec::new();
        for &passage in &self.by_passage.touched {
            let together = self.by_passage.values[passage as usize];
            let is_new = passages.binary_search(&passage).is_err() && self.owners[passage as usize].is_empty();
            if is_new && together >= 2 {
                shares.push((passage, together as f64 / self.count_holders(passage) as f64));
            }
        }
        self.by_passage.clear();
        let best = shares.iter().map(|share| share.1).fold(0.0, f64::max);
        let enough = MENU_SHARE.max(0.8 * best);
        shares.into_iter().filter(|share| share.1 >= enough).map(|share| share.0).collect()
    }

    fn count_holders(&self, passage: u32) -> u64 {
        self.holders(passage).map(|letter| u64::from(self.copies[letter as usize])).sum()
    }

    /// Removes the passages of which fewer than half of the letters have another passage of the group.
    fn leave_out_strangers(&mut self, passages: Vec<u32>, letters: &[u32]) -> Vec<u32> {
        for &letter in letters {
            let own: Vec<u32> = self.held(letter).filter(|own| passages.binary_search(own).is_ok()).collect();
            if own.len() > 1 {
                own.iter().for_each(|&passage| self.by_passage.add(passage, u64::from(self.copies[letter as usize])));
            }
        }
        let half = |passage: u32| self.by_passage.values[passage as usize] * 2 >= self.count_holders(passage);
        let kept = passages.into_iter().filter(|&passage| half(passage)).collect();
        self.by_passage.clear();
        kept
    }

    /// Makes a block a group or lets it join an earlier one. If earlier groups have its passages, it is none: its letters
    /// will join the group of which they have most.
    fn accept(&mut self, block: Block) {
        let known: Vec<u32> =
            block.passages.iter().copied().filter(|&passage| !self.owners[passage as usize].is_empty()).collect();
        let (mut explained, mut owned) = (0, 0);
        for &letter in &block.letters {
            let copies = u64::from(self.copies[letter as usize]);
            explained += copies * u64::from(self.explained_by(letter, &block.passages));
            owned += copies * u64::from(self.explained_by(letter, &known));
        }
        if owned as f64 >= KNOWN * explained as f64 {
            block.passages.iter().for_each(|&passage| self.set_aside[passage as usize] = true);
            return;
        }
        let group = match self.find_related(&block) {
            Some(group) => group,
            None => self.own(block.passages),
        };
        block.letters.iter().for_each(|&letter| self.group_of[letter as usize] = group);
    }

    /// The earlier group of which most letters of a block have enough text, and whose letters have text of the block.
    fn find_related(&mut self, block: &Block) -> Option<u32> {
        let mut holders = Sums::new(self.passages.len());
        let mut words = Sums::new(self.passages.len());
        let mut shared = 0;
        for &letter in &block.letters {
            let copies = u64::from(self.copies[letter as usize]);
            shared += copies * u64::from(self.shared[letter as usize]);
            self.count_groups(letter);
            for &group in &self.by_group.touched {
                let own = self.by_group.values[group as usize];
                words.add(group, copies * own);
                if own >= u64::from(LEAST_WORDS) {
                    holders.add(group, copies);
                }
            }
            self.by_group.clear();
        }
        let total = self.count(&block.letters);
        let related = |&group: &u32| {
            holders.values[group as usize] * 2 >= total
                && words.values[group as usize] as f64 >= JOINING_SHARE * shared as f64
        };
        let candidates = words.touched.iter().copied().filter(related).filter(|&group| self.chooses(group, block));
        candidates.max_by_key(|&group| (words.values[group as usize], std::cmp::Reverse(group)))
    }

    /// Whether enough letters of a group have a passage of a block that is not of the group.
    fn chooses(&self, group: u32, block: &Block) -> bool {
        let own = &self.passages[group as usize];
        let new = block.passages.iter().filter(|passage| own.binary_search(passage).is_err());
        let mut choosing: Vec<u32> = new
            .flat_map(|&passage| self.holders(passage))
            .filter(|&letter| self.group_of[letter as usize] == group)
            .collect();
        choosing.sort_unstable();
        choosing.dedup();
        let letters = (0..self.group_of.len() as u32).filter(|&letter| self.group_of[letter as usize] == group);
        let letters: u64 = letters.map(|letter| u64::from(self.copies[letter as usize])).sum();
        self.count(&choosing) as f64 >= COMMON_CHOICE * letters as f64
    }

    /// Merges groups that are parts of one menu: many letters of either have text of the other. Two given groups stay
    /// apart.
    fn merge_menus(&mut self, given: u32) {
        for _ in 0..ROUNDS {
            let (sizes, both) = self.count_overlaps();
            let share = |a: u32, b: u32| {
                let both = both.get(&(a, b)).copied().unwrap_or(0) as f64;
                both / sizes[a as usize].max(1) as f64
            };
            let mut pairs: Vec<(f64, u32, u32)> = both
                .keys()
                .filter(|&&(a, b)| a < b && b >= given)
                .filter(|&&(a, b)| share(a, b).max(share(b, a)) >= MENU_OVERLAP)
                .map(|&(a, b)| (share(a, b).min(share(b, a)), a, b))
                .filter(|pair| pair.0 >= MENU_LEAST_OVERLAP)
                .collect();
            pairs.sort_by(|one, other| other.0.total_cmp(&one.0).then((one.1, one.2).cmp(&(other.1, other.2))));
            let mut merged = vec![false; self.passages.len()];
            for &(_, a, b) in &pairs {
                if !merged[a as usize] && !merged[b as usize] {
                    self.merge(a, b);
                    (merged[a as usize], merged[b as usize]) = (true, true);
                }
            }
            if pairs.is_empty() {
                return;
            }
        }
    }

    /// How many letters each group has, and how many of them have text of another group. Letters in no group count for
    /// the one of which they have most.
    fn count_overlaps(&mut self) -> (Vec<u64>, std::collections::BTreeMap<(u32, u32), u64>) {
        let mut sizes = vec![0; self.passages.len()];
        let mut both = std::collections::BTreeMap::new();
        for letter in 0..self.lengths.len() as u32 {
            for (passage, words) in self.table.row(letter) {
                if let [owner] = self.owners[passage as usize][..] {
                    self.by_group.add(owner, u64::from(words));
                }
            }
            let values = &self.by_group.values;
            let enough = |&group: &u32| values[group as usize] >= u64::from(LEAST_WORDS);
            let touched: Vec<u32> = self.by_group.touched.iter().copied().filter(enough).collect();
            let most = touched.iter().copied().max_by_key(|&group| (values[group as usize], std::cmp::Reverse(group)));
            let own = match self.group_of[letter as usize] {
                NO_GROUP => most,
                group => Some(group),
            };
            if let Some(own) = own {
                let copies = u64::from(self.copies[letter as usize]);
                sizes[own as usize] += copies;
                touched.into_iter().filter(|&group| group != own).for_each(|group| {
                    *both.entry((own, group)).or_default() += copies;
                });
            }
            self.by_group.clear();
        }
        (sizes, both)
    }

    /// Lets the letters and passages of one group belong to an earlier one.
    fn merge(&mut self, into: u32, from: u32) {
        let moved = std::mem::take(&mut self.passages[from as usize]);
        for &passage in &moved {
            let owners = &mut self.owners[passage as usize];
            owners.retain(|&owner| owner != from && owner != into);
            owners.push(into);
        }
        let passages = &mut self.passages[into as usize];
        passages.extend(moved);
        passages.sort_unstable();
        passages.dedup();
        self.group_of.iter_mut().filter(|group| **group == from).for_each(|group| *group = into);
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

    /// The group of whose own passages a letter has most words, and how many.
    fn best_group(&mut self, letter: u32) -> Option<(u32, u32)> {
        for (passage, words) in self.table.row(letter) {
            let home = self.homes[passage as usize];
            if home != NO_GROUP {
                self.by_group.add(home, u64::from(words));
            }
        }
        let values = &self.by_group.values;
        let found = self.by_group.touched.iter().map(|&group| (group, values[group as usize] as u32));
        let best = found.max_by_key(|&(group, words)| (words, std::cmp::Reverse(group)));
        self.by_group.clear();
        best.filter(|&(_, words)| self.is_member(letter, words, 0.0))
    }

    /// Lets every free letter join the group of which it has most.
    fn assign_rest(&mut self) {
        let chosen: Vec<(u32, u32)> = (0..self.lengths.len() as u32)
            .filter(|&letter| self.is_free(letter) && self.shared[letter as usize] >= LEAST_WORDS)
            .collect::<Vec<u32>>()
            .into_iter()
            .filter_map(|letter| self.best_group(letter).map(|(group, _)| (letter, group)))
            .collect();
        chosen.into_iter().for_each(|(letter, group)| self.group_of[letter as usize] = group);
    }

    /// Moves letters that have clearly more words of another group than of their own.
    fn prefer_most(&mut self, references: &[u32]) {
        for letter in 0..self.lengths.len() as u32 {
            let own = self.group_of[letter as usize];
            if own == NO_GROUP || self.shared[letter as usize] < LEAST_WORDS || references.contains(&letter) {
                continue;
            }
            let words = self.explained_by(letter, &self.passages[own as usize]);
            // Text that two groups have counts for both, but a group must have text of its own in the letter.
            let homes: Vec<u32> = self.table.row(letter).map(|entry| self.homes[entry.0 as usize]).collect();
            let others = homes.into_iter().filter(|&group| group != NO_GROUP && group != own);
            let counted = others.map(|group| (self.explained_by(letter, &self.passages[group as usize]), group));
            let best = counted.max_by_key(|&(most, group)| (most, std::cmp::Reverse(group)));
            if let Some((most, group)) = best
                && words >= LEAST_WORDS
                && most > words + words / 8 + CLEAR_WORDS
                && self.is_member(letter, most, 0.0)
            {
                self.group_of[letter as usize] = group;
            }
        }
    }

    /// The other groups of which letters have a good part that is not text of their own group.
    fn list_others(&mut self) -> Vec<(u32, u32)> {
        let mut others = Vec::new();
        for letter in 0..self.lengths.len() as u32 {
            let own = self.group_of[letter as usize];
            if own == NO_GROUP || self.shared[letter as usize] < LEAST_WORDS {
                continue;
            }
            for (passage, words) in self.table.row(letter) {
                let home = self.homes[passage as usize];
                if home != NO_GROUP && home != own && self.passages[own as usize].binary_search(&passage).is_err() {
                    self.by_group.add(home, u64::from(words));
                }
            }
            let mut found: Vec<u32> = self.by_group.touched.clone();
            found.retain(|&group| self.is_member(letter, self.by_group.values[group as usize] as u32, 0.0));
            found.sort_unstable();
            others.extend(found.into_iter().map(|group| (letter, group)));
            self.by_group.clear();
        }
        others
    }
}
