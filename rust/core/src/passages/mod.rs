//! Passages: text that occurs in several documents, or several times in one, exact or edited.
//!
//! The words of a document are a sequence of tokens. A *match* relates a run of tokens of a document to an equal or
//! similar run that comes earlier, in an earlier document or further up in the same one: its source. A *passage* is a
//! run of tokens with the runs that match it or a part of it. Sources that overlap by at least half of the shorter one
//! belong to the same passage, and so does a source that is about the same run of tokens as a match of another.
//!
//! 1. [`sequences`] reads every document once as a sequence of word numbers. Identical texts are read as one.
//! 2. [`seeds`] selects windows of few tokens by winnowing (Schleimer, Wilkerson & Aiken 2003), so that equal runs of
//!    `min_words` tokens share a selected window, and groups equal windows by sorting.
//! 3. [`exact`] finds, within each group, the first place of every run of `min_words` tokens. Neighbouring runs with
//!    neighbouring first places become one match.
//! 4. [`edited`] finds pairs of places of shorter windows with similar surroundings, and [`alignment`] aligns them
//!    outwards until the texts differ.
//! 5. [`sources`] moves matches to the earliest source, and [`classes`] joins them to passages.
//!
//! Time is proportional to the text and to the matches, never to pairs of documents: each place is compared with the
//! first place of its group, or with a limited number of them. Memory is a word number for each token, and seeds in as
//! many rounds as the text needs.

pub mod alignment;
pub mod classes;
pub mod edited;
pub mod exact;
pub mod matches;
pub mod seeds;
pub mod sequences;
pub mod sources;
#[cfg(test)]
mod tests;

use rayon::prelude::*;

pub use crate::passages::classes::Occurrence;
use crate::passages::classes::Place;
pub use crate::passages::matches::Settings;
use crate::passages::sequences::{Order, Sequences};
use crate::text::collection::Collection;

/// All passages of a collection.
#[derive(Debug, Default)]
pub struct Found {
    /// The occurrences, by passage; the first occurrence leads, and the others follow in the given order.
    pub occurrences: Vec<Occurrence>,
    /// The parts of the occurrences that an earlier place has as well.
    pub copies: Vec<Occurrence>,
    /// How many documents have a text that another document has too.
    pub identical: usize,
    /// How many places of common short windows were compared with some of the other places only.
    pub limited: usize,
}

/// Finds all passages of a collection.
pub fn find(collection: &Collection, order: Order, settings: Settings) -> Found {
    let sequences = Sequences::read(collection, order);
    let runs = exact::runs(&sequences, settings.min_words);
    let segments = exact::segments(&sequences, runs, settings.min_words);
    let (matches, limited) = if settings.similarity < 1.0 {
        let (anchors, limited) = edited::anchors(&sequences, &segments, settings);
        let matches = matches::align(&sequences, segments, anchors, settings);
        (sources::move_to_first(&sequences, matches, settings), limited)
    } else {
        (segments, 0)
    };
    let found = classes::passages(&sequences, &matches, settings.min_words);
    Found {
        occurrences: locate(collection, &found.places),
        copies: locate(collection, &found.copies),
        identical: sequences.identical(),
        limited,
    }
}

/// Turns token numbers into code points of the original texts.
fn locate(collection: &Collection, places: &[Place]) -> Vec<Occurrence> {
    let mut order: Vec<u32> = (0..places.len() as u32).collect();
    order.par_sort_unstable_by_key(|&index| (places[index as usize].document, index));
    let groups: Vec<&[u32]> =
        order.chunk_by(|&a, &b| places[a as usize].document == places[b as usize].document).collect();
    let located: Vec<Vec<(u32, u32)>> = groups
        .par_iter()
        .map(|group| {
            let (starts, ends, _) = collection.located(places[group[0] as usize].document as usize);
            let span = |place: &Place| (starts[place.start as usize], ends[place.end as usize - 1]);
            group.iter().map(|&index| span(&places[index as usize])).collect()
        })
        .collect();
    let mut spans = vec![(0, 0); places.len()];
    for (group, found) in groups.iter().zip(&located) {
        group.iter().zip(found).for_each(|(&index, &span)| spans[index as usize] = span);
    }
    places.iter().zip(spans).map(|(place, (start, end))| place.occurrence(start, end)).collect()
}
