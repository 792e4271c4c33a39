//! Sorts short lists of hashes: their high bits are spread evenly, so that one pass over buckets leaves little to do.

/// Buckets pay from the first number of values on, and fit the cache up to the second.
const BUCKETED: std::ops::RangeInclusive<usize> = 24..=1 << 16;
/// A bucket with this many values means that they are not spread evenly, for example because many repeat.
const FULL: u32 = 24;

/// Buffers for sorting, kept from list to list.
#[derive(Default)]
pub(crate) struct Sorter {
    /// The values to be sorted.
    pub values: Vec<u64>,
    ends: Vec<u32>,
}

impl Sorter {
    /// Appends the values to a list, ascending and without repeats; returns how many were appended.
    ///
    /// With `skewed`, the values share a few high bits of uneven spread, which more buckets make up for.
    pub fn append_sorted(&mut self, skewed: bool, sorted: &mut Vec<u64>) -> usize {
        let start = sorted.len();
        if BUCKETED.contains(&self.values.len()) {
            let bits = self.values.len().ilog2() + if skewed { 2 } else { 1 };
            self.distribute(64 - bits, 1 << bits, sorted);
        } else {
            sorted.extend_from_slice(&self.values);
            sorted[start..].sort_unstable();
        }
        drop_repeats(sorted, start)
    }

    fn distribute(&mut self, shift: u32, buckets: usize, sorted: &mut Vec<u64>) {
        let start = sorted.len();
        sorted.resize(start + self.values.len(), 0);
        let target = &mut sorted[start..];
        self.ends.clear();
        self.ends.resize(buckets, 0);
        let ends = self.ends.as_mut_slice();
        for value in &self.values {
            ends[(value >> shift) as usize] += 1;
        }
        let (mut total, mut fullest) = (0, 0);
        for end in ends.iter_mut() {
            fullest = fullest.max(*end);
            total += *end;
            *end = total;
        }
        for &value in self.values.iter().rev() {
            let end = &mut ends[(value >> shift) as usize];
            *end -= 1;
            target[*end as usize] = value;
        }
        if fullest > FULL { target.sort_unstable() } else { insert_each(target) }
    }
}

/// Insertion sort: nearly linear, because every value is near its final position.
fn insert_each(values: &mut [u64]) {
    for i in 1..values.len() {
        let value = values[i];
        let mut index = i;
        while index > 0 && values[index - 1] > value {
            values[index] = values[index - 1];
            index -= 1;
        }
        values[index] = value;
    }
}

/// Removes the repeats among the ascending values from `start` on; returns how many remain.
fn drop_repeats(values: &mut Vec<u64>, start: usize) -> usize {
    let mut kept = start;
    for i in start..values.len() {
        values[kept] = values[i];
        kept += usize::from(values.get(i + 1) != Some(&values[i]));
    }
    values.truncate(kept);
    kept - start
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::hash::mix;

    #[test]
    fn sorts_like_the_standard_library() {
        let mut sorter = Sorter::default();
        for length in (0..80).chain([200, 1000, 70_000]) {
            let spread = |n: u64| mix(n * 3 + length);
            let lists: [Vec<u64>; 4] = [
                (0..length).map(spread).collect(),
                (0..length).map(|n| spread(n % 7)).collect(),
                (0..length).map(|n| spread(n / 2) >> 4 | (n % 3) << 60).collect(),
                (0..length).rev().collect(),
            ];
            for list in lists {
                for skewed in [false, true] {
                    sorter.values.clone_from(&list);
                    let mut sorted = vec![5, 5];
                    let kept = sorter.append_sorted(skewed, &mut sorted);
                    let mut expected = list.clone();
                    expected.sort_unstable();
                    expected.dedup();
                    assert_eq!(sorted[..2], [5, 5]);
                    assert_eq!((&sorted[2..], kept), (&expected[..], expected.len()));
                }
            }
        }
    }
}
