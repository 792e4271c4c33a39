//! Moves matches to the earliest source: a copy of a copy is a copy of the first text, if it is similar enough to it.

use rayon::prelude::*;

use crate::passages::matches::{Match, Settings, align_places};
use crate::passages::sequences::Sequences;

/// Each round moves a match at least one copy further up.
const ROUNDS: usize = 16;
/// By how many tokens the ends of two alignments of the same passage may differ.
const TOLERANCE: u32 = 2;

/// A match, and whether its source is final.
#[derive(Clone, Copy)]
struct Moving {
    found: Match,
    settled: bool,
}

/// Moves every match to the first source that its text is similar to. A match of which the first source has only a part
/// stays as well, so that no token is lost.
pub fn move_to_first(sequences: &Sequences, matches: Vec<Match>, settings: Settings) -> Vec<Match> {
    let mut moving: Vec<Moving> = matches.into_iter().map(|found| Moving { found, settled: false }).collect();
    for _ in 0..ROUNDS {
        moving.par_sort_unstable_by_key(|moving| (moving.found, !moving.settled));
        moving.dedup_by_key(|moving| moving.found);
        if moving.iter().all(|moving| moving.settled) {
            break;
        }
        let known = Known::new(&moving);
        moving = moving.par_iter().flat_map_iter(|item| move_up(sequences, item, &known, settings)).collect();
    }
    let mut matches: Vec<Match> = moving.into_iter().map(|moving| moving.found).collect();
    matches.par_sort_unstable();
    matches.dedup();
    matches
}

/// Moves a match one source up, if its source is itself a copy.
fn move_up(sequences: &Sequences, item: &Moving, known: &Known, settings: Settings) -> Vec<Moving> {
    let found = item.found;
    let settled = Moving { found, settled: true };
    if item.settled {
        return vec![settled];
    }
    let Some(up) = known.around_source(&found) else { return vec![settled] };
    let place = Match { source: up.source, source_start: up.source_start, source_end: up.source_end, ..found };
    let moved = known.direct(&place).or_else(|| align_places(sequences, &place, settings));
    let Some(moved) = moved.filter(|moved| covers_half(moved, &found)) else { return vec![settled] };
    // The ends of an alignment may differ by a word or two: then both copies get the longer text.
    let (whole, whole_up) = (widen(moved, found.start, found.end), widen(up, found.source_start, found.source_end));
    match (whole, whole_up) {
        (Some(whole), Some(whole_up)) if whole.passes(settings) && whole_up.passes(settings) => {
            vec![Moving { found: whole, settled: false }, Moving { found: whole_up, settled: true }]
        }
        _ => vec![Moving { found: moved, settled: false }, settled],
    }
}

/// Widens the text of a match by a few tokens so that it has these; nothing if more are missing.
fn widen(found: Match, start: u32, end: u32) -> Option<Match> {
    let near = found.start <= start + TOLERANCE && end <= found.end + TOLERANCE;
    near.then_some(Match { start: found.start.min(start), end: found.end.max(end), ..found })
}

/// Whether the text of a match has at least half of the text of another.
fn covers_half(moved: &Match, found: &Match) -> bool {
    let shared = moved.end.min(found.end).saturating_sub(moved.start.max(found.start));
    shared as usize * 2 >= found.words()
}

/// The matches of a round, sorted by their text and its start, with the furthest end so far in each text.
struct Known {
    matches: Vec<Match>,
    furthest: Vec<u32>,
}

impl Known {
    fn new(moving: &[Moving]) -> Self {
        let matches: Vec<Match> = moving.iter().map(|moving| moving.found).collect();
        let mut furthest = Vec::with_capacity(matches.len());
        let mut last: Option<(u32, u32)> = None;
        for found in &matches {
            let before = last.filter(|&(number, _)| number == found.number).map_or(0, |(_, end)| end);
            let end = before.max(found.end);
            last = Some((found.number, end));
            furthest.push(end);
        }
        Self { matches, furthest }
    }

    /// The matches whose text shares tokens with these.
    fn overlapping(&self, number: u32, start: u32, end: u32) -> impl Iterator<Item = &Match> {
        let after = self.matches.partition_point(|found| (found.number, found.start) < (number, end));
        (0..after)
            .rev()
            .take_while(move |&index| self.matches[index].number == number && self.furthest[index] > start)
            .map(|index| &self.matches[index])
            .filter(move |found| found.end > start)
    }

    /// The match with the earliest source that has at least half of the source of another match.
    fn around_source(&self, found: &Match) -> Option<Match> {
        let covers = |up: &&Match| {
            let shared = up.end.min(found.source_end).saturating_sub(up.start.max(found.source_start));
            shared as usize * 2 >= found.source_words()
        };
        self.overlapping(found.source, found.source_start, found.source_end)
            .filter(covers)
            .min_by_key(|up| (up.source, up.source_start, up.source_end, up.start, up.end))
            .copied()
    }

    /// A match that is known to relate a text to about this source.
    fn direct(&self, place: &Match) -> Option<Match> {
        let near = |other: &&Match| {
            other.source == place.source
                && other.source_start < place.source_end
                && place.source_start < other.source_end
                && covers_half(other, place)
        };
        self.overlapping(place.number, place.start, place.end).filter(near).min().copied()
    }
}
