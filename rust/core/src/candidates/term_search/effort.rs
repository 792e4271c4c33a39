//! The cost of comparing every document with every other.

use rayon::prelude::*;

use super::dates::Dates;
use super::rule::Rule;
use crate::represent::signatures::Signatures;
use crate::support::interrupt::checkpoint;

/// Whether two ascending lists share `needed` elements, and the number of comparisons until that is certain.
fn compare(a: &[u32], b: &[u32], needed: usize) -> (bool, u64) {
    let (mut i, mut j, mut shared, mut steps) = (0, 0, 0, 0);
    while i < a.len() && j < b.len() && shared < needed && shared + (a.len() - i).min(b.len() - j) >= needed {
        steps += 1;
        shared += usize::from(a[i] == b[j]);
        let (left, right) = (a[i], b[j]);
        i += usize::from(left <= right);
        j += usize::from(right <= left);
    }
    (shared >= needed, steps)
}

/// The cost of comparing every document with every other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// The pairs of documents that are long enough to be compared.
    pub pairs: u64,
    /// Those within the window of days.
    pub dated: u64,
    /// Those of similar length.
    pub sized: u64,
    /// Those of both: their vectors are compared.
    pub compared: u64,
    /// The comparisons of entries until the verdict is certain, for pairs that are not duplicates.
    pub steps_apart: u64,
    /// The same for duplicates.
    pub steps_alike: u64,
    /// The comparisons of entries to the end of the vectors.
    pub steps_full: u64,
    /// The duplicates.
    pub alike: u64,
}

/// Compares every document with every other, as in a result list, and counts the cost.
pub fn compare_all(signatures: &Signatures, dates: &Dates, rule: &Rule) -> Effort {
    let documents: Vec<usize> =
        (0..signatures.len()).filter(|&document| signatures.terms(document) >= rule.reliable.max(1)).collect();
    let add = |mut sum: Effort, other: Effort| {
        sum.pairs += other.pairs;
        sum.dated += other.dated;
        sum.sized += other.sized;
        sum.compared += other.compared;
        sum.steps_apart += other.steps_apart;
        sum.steps_alike += other.steps_alike;
        sum.steps_full += other.steps_full;
        sum.alike += other.alike;
        sum
    };
    let row = |i: usize| {
        checkpoint();
        let mut effort = Effort::default();
        for &b in &documents[..i] {
            let a = documents[i];
            let near = dates.near(a, b, rule.window);
            let alike = Rule::alike(rule.tolerance, signatures.lengths[a], signatures.lengths[b]);
            effort.pairs += 1;
            effort.dated += u64::from(near);
            effort.sized += u64::from(alike);
            if near && alike {
                effort.compared += 1;
                let (first, second) = (signatures.vector(a), signatures.vector(b));
                let (same, steps) = compare(first, second, rule.needed(first.len(), second.len()));
                effort.steps_full += merge_steps(first, second);
                effort.alike += u64::from(same);
                *(if same { &mut effort.steps_alike } else { &mut effort.steps_apart }) += steps;
            }
        }
        effort
    };
    (0..documents.len()).into_par_iter().map(row).reduce(Effort::default, add)
}

fn merge_steps(a: &[u32], b: &[u32]) -> u64 {
    let (mut i, mut j, mut steps) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        steps += 1;
        let (left, right) = (a[i], b[j]);
        i += usize::from(left <= right);
        j += usize::from(right <= left);
    }
    steps
}
