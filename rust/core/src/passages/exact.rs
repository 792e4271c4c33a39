//! Exact passages: the first place of every run of `min_words` tokens.
//!
//! Equal runs share a selected window (see [`crate::passages::seeds`]), so that the places of a run are all in one
//! group. A table from the hash of a run to its first place then takes time proportional to the group, however large
//! it is. Two places of one text count only if they do not overlap.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use rayon::prelude::*;

use crate::passages::matches::Match;
use crate::passages::seeds::{RollingHash, TokenPlace, Winnowing, place, text_and_token};
use crate::passages::sequences::Sequences;
use crate::support::grouping::Entry;
use crate::support::hash::AsIs;
use crate::support::interrupt::checkpoint;

/// A table with room for more runs than this is not kept for the next group, since clearing it takes long.
const KEPT_TABLE: usize = 1 << 12;

type FirstPlaces = HashMap<u64, FirstPlace, BuildHasherDefault<AsIs>>;

/// The first place of a run of tokens, the last place that overlaps it, and whether a place apart was found for each.
#[derive(Clone, Copy)]
struct FirstPlace {
    first: TokenPlace,
    overlapping: TokenPlace,
    is_linked: bool,
    is_overlapping_linked: bool,
}

/// Neighbouring windows of `min_words` tokens whose first places are neighbours as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Run {
    /// The place of the first window.
    pub place: TokenPlace,
    /// The first place of that window's tokens.
    pub source: TokenPlace,
    /// The number of windows.
    pub windows: u32,
}

/// Finds the runs of all windows that have an earlier place, sorted; the same window may be in two runs.
pub fn runs(sequences: &Sequences, min_words: usize) -> Vec<Run> {
    let size = (min_words / 2).max(1);
    let winnowing = Winnowing { size, span: min_words - size + 1 };
    let mut all = winnowing.group(
        sequences,
        |_, _| false,
        |grouped| {
            let found = grouped.runs().fold(
                || (FirstPlaces::default(), Vec::new()),
                |(mut table, mut found), group| {
                    find_runs(sequences, min_words, size, group, &mut table, &mut found);
                    if table.capacity() > KEPT_TABLE {
                        table = FirstPlaces::default();
                    }
                    (table, found)
                },
            );
            found.map(|(_, found)| found).flatten_iter().collect()
        },
    );
    all.par_sort_unstable();
    all.dedup();
    all
}

/// Finds the runs around the places of one group of equal seeds.
fn find_runs(
    sequences: &Sequences,
    min_words: usize,
    size: usize,
    group: &[Entry],
    table: &mut FirstPlaces,
    found: &mut Vec<Run>,
) {
    table.clear();
    for &(_, seed) in group {
        let (number, token) = text_and_token(seed);
        let tokens = sequences.tokens(number);
        let first = (token + size).saturating_sub(min_words);
        let last = token.min(tokens.len() - min_words);
        let mut window = RollingHash::new(sequences, tokens, min_words, first);
        let mut run: Option<Run> = None;
        for start in first..=last {
            let here = place(number, start);
            let source = look_up(sequences.is_source(number), (window.value(), here), min_words, table, found);
            run = continue_run(sequences, min_words, run, (here, source), found);
            if start < last {
                window.advance();
            }
        }
        found.extend(run);
    }
}

/// Returns the first place of a window; its own place if that overlaps, or if there is none.
fn look_up(
    is_source: bool,
    (hash, here): (u64, TokenPlace),
    min_words: usize,
    table: &mut FirstPlaces,
    found: &mut Vec<Run>,
) -> TokenPlace {
    let new = FirstPlace { first: here, overlapping: here, is_linked: false, is_overlapping_linked: false };
    let known = if is_source { Some(table.entry(hash).or_insert(new)) } else { table.get_mut(&hash) };
    let Some(known) = known else { return here };
    if overlap(here, known.first, min_words) {
        known.overlapping = known.overlapping.max(here);
        return here;
    }
    // In a text that repeats itself a run may go on without its first places: they are linked at least once.
    let mut link = |source: TokenPlace| found.push(Run { place: here, source, windows: 1 });
    if known.overlapping > known.first {
        if !known.is_linked {
            link(known.first);
        }
        if !known.is_overlapping_linked && !overlap(here, known.overlapping, min_words) {
            known.is_overlapping_linked = true;
            link(known.overlapping);
        }
    }
    known.is_linked = true;
    known.first
}

/// Whether two windows overlap in one text.
fn overlap(here: TokenPlace, earlier: TokenPlace, min_words: usize) -> bool {
    here >> 32 == earlier >> 32 && here < earlier + min_words as u64
}

/// Adds a window to the run before it, or begins a new one. Runs that ended are found.
fn continue_run(
    sequences: &Sequences,
    min_words: usize,
    run: Option<Run>,
    (here, source): (TokenPlace, TokenPlace),
    found: &mut Vec<Run>,
) -> Option<Run> {
    let overlaps = here == source;
    if let Some(run) = run {
        let next = run.source + u64::from(run.windows);
        // In a text that repeats itself the run goes on, although the first place of its next window is further up.
        let repeats = !overlaps && next > source && overlap(next, source, min_words);
        if source == next || (repeats && continues(sequences, min_words, here, next)) {
            return Some(Run { windows: run.windows + 1, ..run });
        }
        found.push(run);
    }
    (!overlaps).then_some(Run { place: here, source, windows: 1 })
}

/// Whether the last tokens of two windows are equal; the others are known to be.
fn continues(sequences: &Sequences, min_words: usize, here: TokenPlace, source: TokenPlace) -> bool {
    let last = |place: TokenPlace| {
        let (number, start) = text_and_token(place);
        sequences.tokens(number).get(start + min_words - 1).copied()
    };
    last(here) == last(source)
}

/// Joins runs to matches that cannot be extended.
pub fn segments(sequences: &Sequences, runs: Vec<Run>, min_words: usize) -> Vec<Match> {
    let documents: Vec<&[Run]> = runs.chunk_by(|a, b| a.place >> 32 == b.place >> 32).collect();
    let joined: Vec<Vec<Match>> = documents.par_iter().map(|runs| join_document(sequences, runs, min_words)).collect();
    joined.concat()
}

fn join_document(sequences: &Sequences, runs: &[Run], min_words: usize) -> Vec<Match> {
    checkpoint();
    let mut open: Vec<Match> = Vec::new();
    let mut all = Vec::new();
    for run in merge_neighbours(runs) {
        let found = Match::equal(run.place, run.source, run.windows as usize + min_words - 1);
        open.retain(|segment| segment.end > found.start);
        let covers = |segment: &&Match| segment.source == found.source && segment.end >= found.end;
        let outer = open.iter().filter(covers).map(Match::diagonal).collect::<Vec<_>>();
        if outer.contains(&found.diagonal()) || !found.is_equal(sequences) {
            continue;
        }
        // A run inside of another match with the same source is not extended: in a text that repeats itself, each
        // would be extended to the end of the text.
        let segment = if outer.is_empty() { found.extended(sequences) } else { found };
        open.push(segment);
        all.push(segment);
    }
    all
}

/// Joins runs that continue each other.
fn merge_neighbours(runs: &[Run]) -> Vec<Run> {
    let mut merged: Vec<Run> = Vec::new();
    for run in runs {
        match merged.last_mut() {
            Some(last)
                if run.place - last.place <= u64::from(last.windows)
                    && run.source.wrapping_sub(last.source) == run.place - last.place =>
            {
                last.windows = last.windows.max((run.place - last.place) as u32 + run.windows);
            }
            _ => merged.push(*run),
        }
    }
    merged
}
