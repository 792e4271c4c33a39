//! Groups around a passage: letters and passages that explain each other.

use super::*;

impl Search<'_> {
    /// Finds groups around the heaviest passages until none is left.
    pub(super) fn find_all(&mut self, grow: impl Fn(&mut Self, u32) -> Option<Block>, least: u32) {
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
    pub(super) fn weight(&self, passage: u32, least: u32) -> u64 {
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
    pub(super) fn grow(&mut self, first: u32) -> Option<Block> {
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
    pub(super) fn is_accepted(&self, began: &[u32], block: &Block) -> bool {
        let kept: Vec<u32> =
            began.iter().copied().filter(|letter| block.letters.binary_search(letter).is_ok()).collect();
        self.count(&kept) as f64 >= OWN_LETTERS * self.count(began) as f64 && self.is_complete(block)
    }

    /// The letters that have a passage, and the block that grows from them: the passages that a third of the letters
    /// have, then the letters that these explain, until nothing changes. Letters that have a barred passage stay out.
    pub(super) fn settle(&mut self, first: u32, barred: &[u32]) -> (Vec<u32>, Block) {
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
    pub(super) fn has_core(&self, letter: u32, core: &[u32]) -> bool {
        let words: u32 = core.iter().map(|&passage| self.enough[passage as usize]).sum();
        let usual = f64::from(words) / HELD;
        usual < f64::from(LEAST_WORDS) || f64::from(self.explained_by(letter, core)) > CORE_SHARE * usual
    }

    /// The heaviest passage of a block that other passages of it exclude (much fewer letters have both than would by
    /// chance), and these other passages.
    pub(super) fn find_excluded(&self, block: &Block, heavy: f64) -> Option<(u32, Vec<u32>)> {
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
    pub(super) fn is_complete(&self, block: &Block) -> bool {
        let (mut explained, mut shared) = (0, 0);
        for &letter in &block.letters {
            let copies = u64::from(self.copies[letter as usize]);
            explained += copies * u64::from(self.explained_by(letter, &block.passages));
            shared += copies * u64::from(self.shared[letter as usize]);
        }
        !block.letters.is_empty() && explained as f64 >= COMPLETE * shared as f64
    }

    /// Makes a block a group or lets it join an earlier one. If earlier groups have its passages, it is none: its letters
    /// will join the group of which they have most.
    pub(super) fn accept(&mut self, block: Block) {
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
    pub(super) fn find_related(&mut self, block: &Block) -> Option<u32> {
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
    pub(super) fn chooses(&self, group: u32, block: &Block) -> bool {
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
}
