//! Fingerprints of whole texts, by which identical texts are found.

use crate::support::hash;

/// The fingerprint of a text: what the exact collapse compares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fingerprint {
    /// Equal for equal sequences of folded words.
    pub hash: u128,
    /// The number of words.
    pub words: u32,
}

impl Fingerprint {
    /// The fingerprint of a sequence of unit hashes.
    pub fn of(units: &[u64]) -> Self {
        Self { hash: hash::text(units), words: units.len() as u32 }
    }
}
