//! A limit on the pairs that over-common keys may cost.

use rayon::prelude::*;

use crate::support::grouping::Grouped;

/// Which runs are examined in full: those up to `largest` entries.
#[derive(Clone, Copy, Debug)]
pub struct Guard {
    /// The size of the largest run whose pairs are all examined.
    pub largest: usize,
}

/// How many partners a document of an over-common key is compared with: this many hubs, and this many neighbours.
pub const GUARDED_PARTNERS: usize = 16;

impl Guard {
    /// Chooses the largest run size such that no more than `budget` pairs are examined in all.
    pub fn within(grouped: &Grouped, budget: u64) -> Self {
        // Sizes of runs in steps of an eighth of a power of two: fine enough, and a fixed number of counters.
        let totals = grouped
            .runs()
            .fold(
                || vec![(0u64, 0usize); 256],
                |mut totals, run| {
                    let total = &mut totals[step(run.len())];
                    total.0 = total.0.saturating_add(pairs_of(run.len()));
                    total.1 = total.1.max(run.len());
                    totals
                },
            )
            .reduce(
                || vec![(0, 0); 256],
                |a, b| a.iter().zip(&b).map(|(x, y)| (x.0.saturating_add(y.0), x.1.max(y.1))).collect(),
            );
        let mut spent = 0u64;
        let mut largest = 2 * GUARDED_PARTNERS;
        for (pairs, size) in totals {
            spent = spent.saturating_add(pairs);
            if spent > budget {
                return Self { largest };
            }
            largest = largest.max(size);
        }
        Self { largest: usize::MAX }
    }
}

/// The number of pairs among `size` items.
pub fn pairs_of(size: usize) -> u64 {
    let size = size as u64;
    size * size.saturating_sub(1) / 2
}

fn step(size: usize) -> usize {
    let bits = usize::BITS - size.leading_zeros();
    let eighths = if bits > 3 { (size >> (bits - 4)) & 7 } else { size & 7 };
    ((bits as usize) * 8 + eighths).min(255)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_grow_with_the_size() {
        for size in 1..100_000usize {
            assert!(step(size) <= step(size + 1));
        }
    }

    #[test]
    fn the_guard_keeps_small_runs() {
        let grouped = Grouped::collect(5000, |d, emit| {
            emit((1, d as u64));
            emit((10 + d as u64 / 2, d as u64));
        });
        assert_eq!(Guard::within(&grouped, u64::MAX).largest, usize::MAX);
        let guard = Guard::within(&grouped, 1_000_000);
        assert!(guard.largest >= 2 && guard.largest < 5000);
    }
}
