//! Anchors of edited passages: places of the same short window whose surroundings are similar.
//!
//! Short windows occur by chance, so that each place gets a sketch of its surroundings: a set of bits, one for each
//! pair of neighbouring tokens. A place is compared with the first places of its group that differ from each other,
//! and becomes an anchor with the earliest similar one and with the most similar one.

use rayon::prelude::*;

use crate::passages::matches::{Match, Settings};
use crate::passages::seeds::{TokenPlace, Winnowing, text_and_token};
use crate::passages::sequences::Sequences;
use crate::support::grouping::Entry;
use crate::support::hash::{CHAIN, fold};

/// The number of tokens of a seed: a quarter of `min_words` within these bounds.
const SHORTEST_SIZE: usize = 3;
const SIZE: usize = 6;
/// Passages of fewer tokens are short.
const SHORT: usize = 20;
/// Out of this many neighbouring windows at least one is selected.
const SPAN: usize = 3;
/// The number of tokens on either side whose pairs are sketched.
const AROUND: usize = 20;
const SKETCH: usize = 32;
/// With how many places of its group a place is compared, and with how many if the group is large.
const LEADERS: usize = 32;
const LEADERS_OF_LARGE: usize = 8;
const LARGE: usize = 512;
/// Similar surroundings share at least this many pairs of tokens.
const SHARED: usize = 4;

type Sketch = [u64; SKETCH];

/// Finds the anchors of edited passages, and how many places were not compared with all others of their group.
///
/// Windows inside of exact matches are left out: the matches themselves are anchors.
pub fn anchors(sequences: &Sequences, exact: &[Match], settings: Settings) -> (Vec<Match>, usize) {
    let size = (settings.min_words / 4).clamp(SHORTEST_SIZE, SIZE).min(settings.min_words / 2).max(1);
    // Short passages have few windows without an edit, so that all are taken.
    let winnowing = Winnowing { size, span: if settings.min_words < SHORT { 1 } else { SPAN } };
    let covered = Covered::new(sequences, exact);
    let intact = settings.similarity * settings.min_words as f64 - size as f64;
    let needed = ((intact / 3.5) as usize).clamp(1, SHARED);
    let skip = |number: u32, start: usize| {
        sequences.tokens(number).len() < settings.min_words || covered.contains(number, start, start + size)
    };
    let mut limited = 0;
    let found = winnowing.group(sequences, skip, |grouped| {
        let parts: Vec<(Vec<Match>, usize)> = grouped
            .runs()
            .fold(
                || (Vec::new(), 0),
                |(mut found, limited), group| {
                    let more = find_anchors(sequences, group, (size, needed), &mut found);
                    (found, limited + more)
                },
            )
            .collect();
        limited += parts.iter().map(|part| part.1).sum::<usize>();
        collapse(parts.into_iter().flat_map(|part| part.0).collect())
    });
    (found, limited)
}

/// The exact matches of each text, as sorted spans.
struct Covered {
    offsets: Vec<usize>,
    spans: Vec<(u32, u32)>,
}

impl Covered {
    fn new(sequences: &Sequences, exact: &[Match]) -> Self {
        let mut sorted: Vec<(u32, u32, u32)> =
            exact.iter().map(|found| (found.number, found.start, found.end)).collect();
        sorted.par_sort_unstable();
        let mut spans: Vec<(u32, u32)> = Vec::with_capacity(sorted.len());
        let mut offsets = vec![0];
        let mut rest = sorted.into_iter().peekable();
        for number in 0..sequences.len() as u32 {
            let first = spans.len();
            while let Some((_, start, end)) = rest.next_if(|span| span.0 == number) {
                // Spans that overlap only in part stay apart: no window is inside of their union alone.
                if spans.len() == first || spans[spans.len() - 1].1 < end {
                    spans.push((start, end));
                }
            }
            offsets.push(spans.len());
        }
        Self { offsets, spans }
    }

    /// Whether the tokens from `start` to `end` are inside of one exact match.
    fn contains(&self, number: u32, start: usize, end: usize) -> bool {
        let spans = &self.spans[self.offsets[number as usize]..self.offsets[number as usize + 1]];
        let after = spans.partition_point(|span| span.0 as usize <= start);
        spans[..after].last().is_some_and(|span| end <= span.1 as usize)
    }
}

/// Finds the anchors of one group of equal seeds; returns how many places were not compared with all earlier ones.
fn find_anchors(
    sequences: &Sequences,
    group: &[Entry],
    (size, needed): (usize, usize),
    found: &mut Vec<Match>,
) -> usize {
    let most = if group.len() > LARGE { LEADERS_OF_LARGE } else { LEADERS };
    let mut leaders: Vec<(TokenPlace, Sketch)> = Vec::new();
    let mut limited = 0;
    for &(_, place) in group {
        let sketch = sketch_around(sequences, place, size);
        let mut similar: Option<TokenPlace> = None;
        let mut best = (needed - 1, 0);
        for (leader, other) in &leaders {
            let shared = count_shared(&sketch, other);
            if shared >= needed && !overlap(place, *leader, size) {
                similar = similar.or(Some(*leader));
                if shared > best.0 {
                    best = (shared, *leader);
                }
            }
        }
        if let Some(leader) = similar {
            found.push(Match::equal(place, leader, size));
            if best.1 != leader {
                found.push(Match::equal(place, best.1, size));
            }
        }
        let (number, _) = text_and_token(place);
        if sequences.is_source(number) && (similar.is_none() || leaders.len() < most / 2) {
            if leaders.len() < most {
                leaders.push((place, sketch));
            } else {
                limited += 1;
            }
        }
    }
    limited
}

/// Whether two windows overlap in one text.
fn overlap(place: TokenPlace, earlier: TokenPlace, size: usize) -> bool {
    place - earlier < size as u64
}

fn sketch_around(sequences: &Sequences, place: TokenPlace, size: usize) -> Sketch {
    let (number, start) = text_and_token(place);
    let tokens = sequences.tokens(number);
    let mut sketch = [0; SKETCH];
    let mut add = |range: std::ops::Range<usize>| {
        for pair in tokens[range].windows(2) {
            let bit = fold(sequences.hash(pair[0]) ^ CHAIN, sequences.hash(pair[1])) as usize % (SKETCH * 64);
            sketch[bit / 64] |= 1 << (bit % 64);
        }
    };
    add(start.saturating_sub(AROUND)..start + 1);
    add(start + size - 1..(start + size + AROUND).min(tokens.len()));
    sketch
}

fn count_shared(a: &Sketch, b: &Sketch) -> usize {
    a.iter().zip(b).map(|(a, b)| (a & b).count_ones() as usize).sum()
}

/// Drops anchors that continue others: the alignment of the first covers them.
fn collapse(mut anchors: Vec<Match>) -> Vec<Match> {
    let key = |found: &Match| (found.number, found.source, found.diagonal(), found.start);
    anchors.par_sort_unstable_by_key(key);
    let mut last: Option<Match> = None;
    anchors.retain(|found| {
        let continued = last.is_some_and(|before| {
            let pair = |found: &Match| (found.number, found.source, found.diagonal());
            pair(&before) == pair(found) && found.start < before.start + SIZE as u32
        });
        last = Some(*found);
        !continued
    });
    anchors
}
