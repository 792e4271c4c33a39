//! The partners of a few documents, found in one pass over the collection without an index.

use std::collections::HashMap;

use rayon::prelude::*;

use crate::candidates::measure::{Match, Measure};
use crate::represent::sets::{Sets, overlap_of_at_least};
use crate::represent::shingles::{Selection, Shingling, gather};
use crate::support::bit_filter::Filter;
use crate::support::sorting::Sorter;
use crate::text::collection::{Collection, Reader};

/// Finds every partner of a few documents: triples of a chosen document, another document, and the number of shared
/// shingles.
///
/// A document that is similar to a chosen one has one of the first shingles of its set, so that one pass over all
/// documents finds it without an index. Documents are given as indices into `documents`, the chosen ones too.
pub fn partners(
    collection: &Collection,
    documents: &[u32],
    chosen: &[u32],
    shingling: Shingling,
    measure: Measure,
) -> Vec<Match> {
    let ids: Vec<u32> = chosen.iter().map(|&position| documents[position as usize]).collect();
    let sets = Sets::plain(collection, &ids, shingling, Selection::All);
    let (postings, filter) = first_elements(&sets, measure);
    let mut found: Vec<Match> = documents
        .par_iter()
        .enumerate()
        .map_init(<(Reader, Sorter, Vec<u64>, Vec<u32>)>::default, |scratch, (position, &document)| {
            let (reader, sorter, values, met) = scratch;
            sorter.values.clear();
            values.clear();
            met.clear();
            let units = collection.units(document as usize, shingling.unit, reader);
            gather(units, shingling.size, Selection::All, &mut sorter.values);
            let hits =
                sorter.values.iter().filter(|&&value| filter.holds(value)).filter_map(|value| postings.get(value));
            met.extend(hits.flatten().filter(|&&set| chosen[set as usize] as usize != position));
            if met.is_empty() {
                return Vec::new();
            }
            met.sort_unstable();
            met.dedup();
            sorter.append_sorted(false, values);
            let matches = met.iter().filter_map(|&set| {
                let needed = measure.needed(sets.size(set as usize), values.len() as u32);
                let shared = overlap_of_at_least(sets.values(set as usize), values, needed)?;
                Some((chosen[set as usize], position as u32, shared))
            });
            matches.collect()
        })
        .flatten()
        .collect();
    found.par_sort_unstable();
    found
}

/// Where the first elements of each set occur, and a quick test for them.
fn first_elements(sets: &Sets, measure: Measure) -> (HashMap<u64, Vec<u32>>, Filter) {
    let mut counts: HashMap<u64, u32> = HashMap::new();
    (0..sets.len()).flat_map(|set| sets.values(set)).for_each(|&value| *counts.entry(value).or_default() += 1);
    let mut postings: HashMap<u64, Vec<u32>> = HashMap::new();
    for set in 0..sets.len() {
        // Any choice of this many elements is correct: those that are rare among the chosen sets match the fewest
        // others.
        let mut values = sets.values(set).to_vec();
        values.sort_by_key(|value| counts[value]);
        for &value in &values[..measure.prefix(sets.size(set))] {
            postings.entry(value).or_default().push(set as u32);
        }
    }
    let mut filter = Filter::new(postings.len() * 8);
    postings.keys().for_each(|&value| filter.add(value));
    (postings, filter)
}
