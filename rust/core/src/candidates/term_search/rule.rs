//! The rule that links two documents by their signatures.

use super::dates::Dates;
use crate::represent::signatures::Signatures;
use crate::support::fraction::Fraction;
use crate::support::hash;

const KEY_SALT: u64 = 0x5d58_8b65_6c07_8965;
/// Above this share of numerals, in percent, the numerals must agree too.
const MOSTLY_NUMERALS: u64 = 30;

/// What makes two documents duplicates.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The share of the entries of the longer vector that both must have.
    pub threshold: Fraction,
    /// How many days may be between them.
    pub window: u32,
    /// How much shorter than the longer document the shorter may be, as a share.
    pub tolerance: Fraction,
    /// The same for documents with the same key, which may be any number of days apart.
    pub key_tolerance: Fraction,
    /// Documents with fewer terms are not compared.
    pub reliable: usize,
    /// Whether documents that are mostly numerals must also have the same numerals.
    pub numerals: bool,
}

/// The reason for a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ground {
    /// The key: the same terms at the same distances.
    Key = 1,
    /// Enough terms in common.
    Terms = 2,
}

/// Two documents, the smaller number first, what links them, and the number of entries that both vectors have.
pub type Linked = (u32, u32, Ground, u32);

impl Rule {
    pub(super) fn share(&self, size: usize) -> usize {
        (self.threshold.numerator * size as u64).div_ceil(self.threshold.denominator).max(1) as usize
    }

    /// How many entries two vectors of these sizes must share.
    pub fn needed(&self, a: usize, b: usize) -> usize {
        self.share(a.max(b))
    }

    /// How many of the rarest entries of a vector must be examined.
    pub fn prefix(&self, size: usize) -> usize {
        (size + 1).saturating_sub(self.share(size))
    }

    pub(super) fn alike(tolerance: Fraction, a: u32, b: u32) -> bool {
        let (short, long) = (u64::from(a.min(b)), u64::from(a.max(b)));
        short * tolerance.denominator >= long * (tolerance.denominator - tolerance.numerator)
    }

    /// Whether the days and the lengths of two documents allow them to be duplicates.
    pub fn allows(&self, signatures: &Signatures, dates: &Dates, a: usize, b: usize) -> bool {
        Self::alike(self.tolerance, signatures.lengths[a], signatures.lengths[b]) && dates.near(a, b, self.window)
    }

    fn same_key(&self, signatures: &Signatures, a: usize, b: usize) -> bool {
        signatures.key(a) == signatures.key(b)
            && signatures.vector(a) == signatures.vector(b)
            && Self::alike(self.key_tolerance, signatures.lengths[a], signatures.lengths[b])
    }

    /// What links two documents, if anything does, and how many entries they share.
    pub fn judge(&self, signatures: &Signatures, dates: &Dates, a: usize, b: usize) -> Option<(Ground, u32)> {
        if signatures.terms(a).min(signatures.terms(b)) < self.reliable {
            return None;
        }
        let ground = if self.same_key(signatures, a, b) {
            Ground::Key
        } else if self.allows(signatures, dates, a, b) {
            Ground::Terms
        } else {
            return None;
        };
        self.verify(signatures, a, b).map(|shared| (ground, shared))
    }

    pub(super) fn verify(&self, signatures: &Signatures, a: usize, b: usize) -> Option<u32> {
        let (first, second) = (signatures.vector(a), signatures.vector(b));
        let shared = overlap_of_at_least(first, second, self.needed(first.len(), second.len()))?;
        (!self.numerals || self.numerals_agree(signatures, a, b)).then_some(shared)
    }

    fn numerals_agree(&self, signatures: &Signatures, a: usize, b: usize) -> bool {
        let mostly = |document: usize| {
            u64::from(signatures.numeral_counts[document]) * 100
                > u64::from(signatures.lengths[document]) * MOSTLY_NUMERALS
        };
        if !mostly(a) && !mostly(b) {
            return true;
        }
        let (first, second) = (signatures.numerals(a), signatures.numerals(b));
        overlap_of_at_least(first, second, self.needed(first.len(), second.len())).is_some()
    }

    /// Returns the keys under which a document meets everything that it can be linked to; none if it is not compared.
    ///
    /// These are the keys of its rarest entries, followed by that of its key. `salt` distinguishes tables of terms.
    /// There are enough keys of entries that two linked documents share at least `shared` of them, or as many as their
    /// vectors must share.
    pub fn keys(&self, signatures: &Signatures, document: usize, salt: u64, shared: usize) -> Vec<u64> {
        if signatures.terms(document) < self.reliable || signatures.vector(document).is_empty() {
            return Vec::new();
        }
        let vector = signatures.vector(document);
        let more = shared.min(self.share(vector.len())).saturating_sub(1);
        let prefix = (self.prefix(vector.len()) + more).min(vector.len());
        let rare = vector[..prefix].iter().map(|&value| hash::mix(salt ^ u64::from(value)));
        let mut keys: Vec<u64> = rare.collect();
        keys.push(hash::mix(salt ^ key_number(signatures, document) ^ KEY_SALT));
        keys
    }
}

pub(super) fn key_number(signatures: &Signatures, document: usize) -> u64 {
    signatures.key(document).first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes))
}

/// The number of elements that two ascending lists share, or nothing as soon as it cannot reach `needed`.
pub fn overlap_of_at_least(a: &[u32], b: &[u32], needed: usize) -> Option<u32> {
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        if shared + (a.len() - i).min(b.len() - j) < needed {
            return None;
        }
        shared += usize::from(a[i] == b[j]);
        let (left, right) = (a[i], b[j]);
        i += usize::from(left <= right);
        j += usize::from(right <= left);
    }
    (shared >= needed).then_some(shared as u32)
}
