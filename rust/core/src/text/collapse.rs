//! Collapses identical texts: each document gets a representative.

use rayon::prelude::*;

use crate::support::grouping::Grouped;
use crate::text::fingerprint::Fingerprint;

/// Returns the representative of each document: of the documents with its fingerprint and group, the one of the lowest
/// rank.
///
/// A document without words represents itself.
pub fn representatives(fingerprints: &[Fingerprint], ranks: &[u32], groups: &[u32]) -> Vec<u32> {
    let mut chosen: Vec<u32> = (0..fingerprints.len() as u32).collect();
    let group = |document: u32| groups.get(document as usize).copied().unwrap_or(0);
    let grouped = Grouped::collect(fingerprints.len(), |document, emit| {
        let fingerprint = fingerprints[document];
        if fingerprint.words > 0 {
            emit((fingerprint.hash as u64, document as u64));
        }
    });
    let groups: Vec<Vec<u32>> = grouped
        .runs()
        .flat_map_iter(|run| {
            let mut documents: Vec<u32> = run.iter().map(|entry| entry.1 as u32).collect();
            let identity = |&d: &u32| (fingerprints[d as usize].hash, group(d));
            documents.sort_unstable_by_key(|d| (identity(d), ranks[*d as usize]));
            let groups = documents.chunk_by(|a, b| identity(a) == identity(b));
            groups.filter(|group| group.len() > 1).map(<[u32]>::to_vec).collect::<Vec<_>>()
        })
        .collect();
    for group in groups {
        group.iter().for_each(|&document| chosen[document as usize] = group[0]);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_rank_represents_identical_texts() {
        let print = |hash: u128, words| Fingerprint { hash, words };
        let same_low = (1u128 << 64) | 7;
        let prints = [print(7, 1), print(7, 1), print(same_low, 1), print(0, 0), print(0, 0), print(7, 1)];
        assert_eq!(representatives(&prints, &[3, 2, 1, 0, 4, 5], &[]), [1, 1, 2, 3, 4, 1]);
        assert_eq!(representatives(&prints, &[3, 2, 1, 0, 4, 5], &[0, 0, 0, 0, 0, 1]), [1, 1, 2, 3, 4, 5]);
    }
}
