//! Members of finished groups: the letters that are left, those that fit another group better, and parts of others.

use super::*;

impl Search<'_> {
    /// Finds the group that most letters with a passage are in, or would be in for another passage. A passage without a
    /// home is text that letters of all campaigns quote, such as the title of the docket.
    pub(super) fn find_homes(&mut self) {
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
    pub(super) fn most_without(&self, passage: u32, words: u32) -> u32 {
        let owners = &self.owners[passage as usize];
        let counted = owners.len() < COMMON as usize;
        let others = |group: u32| {
            let own = if counted && owners.contains(&group) { u64::from(words) } else { 0 };
            self.by_group.values[group as usize] - own
        };
        let groups = self.by_group.touched.iter().copied().filter(|&group| others(group) >= u64::from(LEAST_WORDS));
        groups.max_by_key(|&group| (others(group), std::cmp::Reverse(group))).unwrap_or(NO_GROUP)
    }

    /// The group of whose own passages a letter has most words, and how many.
    pub(super) fn best_group(&mut self, letter: u32) -> Option<(u32, u32)> {
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
    pub(super) fn assign_rest(&mut self) {
        let chosen: Vec<(u32, u32)> = (0..self.lengths.len() as u32)
            .filter(|&letter| self.is_free(letter) && self.shared[letter as usize] >= LEAST_WORDS)
            .collect::<Vec<u32>>()
            .into_iter()
            .filter_map(|letter| self.best_group(letter).map(|(group, _)| (letter, group)))
            .collect();
        chosen.into_iter().for_each(|(letter, group)| self.group_of[letter as usize] = group);
    }

    /// Moves letters that have clearly more words of another group than of their own.
    pub(super) fn prefer_most(&mut self, references: &[u32]) {
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
    pub(super) fn list_others(&mut self) -> Vec<(u32, u32)> {
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
