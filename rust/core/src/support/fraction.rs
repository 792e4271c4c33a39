//! Fractions: thresholds that are compared exactly, in whole numbers.

/// A threshold as a fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fraction {
    /// The numerator.
    pub numerator: u64,
    /// The denominator.
    pub denominator: u64,
}

impl Fraction {
    /// This fraction of a number, rounded up.
    pub fn of(&self, number: usize) -> usize {
        (self.numerator * number as u64).div_ceil(self.denominator) as usize
    }
}
