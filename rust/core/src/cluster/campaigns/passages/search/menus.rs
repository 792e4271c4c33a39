//! Menus: groups whose letters choose from many passages.

use super::*;

impl Search<'_> {
    /// A block of which each letter has some passages, in whatever choice.
    pub(super) fn grow_menu(&mut self, first: u32) -> Option<Block> {
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
    pub(super) fn touched_by(&mut self, passages: &[u32]) -> Vec<u32> {
        self.explain(passages);
        let mut touched = self.by_letter.touched.clone();
        touched.sort_unstable();
        self.by_letter.clear();
        touched
    }

    /// The passages of which the largest share of letters is among these letters, if the share is large enough.
    pub(super) fn companions(&mut self, letters: &[u32], passages: &[u32]) -> Vec<u32> {
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

    pub(super) fn count_holders(&self, passage: u32) -> u64 {
        self.holders(passage).map(|letter| u64::from(self.copies[letter as usize])).sum()
    }

    /// Removes the passages of which fewer than half of the letters have another passage of the group.
    pub(super) fn leave_out_strangers(&mut self, passages: Vec<u32>, letters: &[u32]) -> Vec<u32> {
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

    /// Merges groups that are parts of one menu: many letters of either have text of the other. Two given groups stay
    /// apart.
    pub(super) fn merge_menus(&mut self, given: u32) {
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
    pub(super) fn count_overlaps(&mut self) -> (Vec<u64>, std::collections::BTreeMap<(u32, u32), u64>) {
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
    pub(super) fn merge(&mut self, into: u32, from: u32) {
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
}
