//! Similarity measures of sets and their thresholds, as numbers of elements that two sets must share.

use crate::support::fraction::Fraction;

/// A similarity measure and its threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Shared elements over all elements, at least.
    Jaccard(Fraction),
    /// Shared elements over the smaller set, strictly above.
    OverlapAbove(Fraction),
    /// The number of shared elements, at least this.
    Shared(u32),
    /// Shared elements over the larger set, at least.
    SharedOfLarger(Fraction),
}

/// Two sets, the smaller number first, and the number of elements they share.
pub type Match = (u32, u32, u32);

impl Measure {
    /// How many elements two sets of these sizes must share.
    pub fn needed(&self, a: u32, b: u32) -> u32 {
        match *self {
            Self::Jaccard(f) => {
                (f.numerator * (u64::from(a) + u64::from(b))).div_ceil(f.numerator + f.denominator) as u32
            }
            Self::OverlapAbove(f) => (f.numerator * u64::from(a.min(b)) / f.denominator + 1) as u32,
            Self::Shared(count) => count,
            Self::SharedOfLarger(f) => f.of(a.max(b) as usize) as u32,
        }
    }

    /// The smallest number of elements that a set of this size shares with any partner.
    pub fn least(&self, size: u32) -> u32 {
        match *self {
            Self::Jaccard(f) => f.of(size as usize) as u32,
            Self::OverlapAbove(_) | Self::Shared(_) | Self::SharedOfLarger(_) => self.needed(size, size),
        }
    }

    /// How many first elements of a set have to be examined.
    pub(crate) fn prefix(&self, size: u32) -> usize {
        (size + 1).saturating_sub(self.least(size).max(1)) as usize
    }

    /// How many of them are enough if the set is the smaller one of a pair.
    pub(crate) fn smaller_prefix(&self, size: u32) -> usize {
        (size + 1).saturating_sub(self.needed(size, size).max(1)) as usize
    }
}
