//! The hash functions of the engine, for words and whole texts.
//!
//! All are built from one 64x64->128 multiplication whose halves are folded together. They must not change: stored
//! signatures depend on them. A change here is a change of [`crate::TOKENISER_VERSION`].

use std::hash::Hasher;

const WORD_LOW: u64 = 0x9ae1_6a3b_2f90_404f;
const WORD_HIGH: u64 = 0xc3a5_c85c_97cb_3127;
pub(crate) const CHAIN: u64 = 0xb492_b66f_be98_f273;
const TEXT_A: u64 = 0xd6e8_feb8_6659_fd93;
const TEXT_B: u64 = 0xe703_7ed1_a0b4_28db;

/// A hasher that returns its input: word hashes are random already, and a table keyed by them needs no more.
#[derive(Default)]
pub struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = word(bytes);
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

/// Multiplies to 128 bits and folds the halves.
#[inline(always)]
pub fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}

/// A bijective mixer of 64 bits (the finaliser of MurmurHash3).
#[inline(always)]
pub fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    x = (x ^ (x >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ (x >> 33)
}

/// Hashes a word of at most 16 bytes given as two zero-padded little-endian halves.
#[inline(always)]
pub fn short_word(low: u64, high: u64) -> u64 {
    fold(low ^ WORD_LOW, high ^ WORD_HIGH)
}

/// Continues the hash of a word longer than 16 bytes with its next 16.
#[inline(always)]
pub fn longer_word(hash: u64, low: u64, high: u64) -> u64 {
    fold(hash ^ low, high ^ CHAIN)
}

/// The first 16 bytes, or fewer, as two zero-padded little-endian halves.
#[inline]
pub fn halves(bytes: &[u8]) -> (u64, u64) {
    let mut padded = [0u8; 16];
    let length = bytes.len().min(16);
    padded[..length].copy_from_slice(&bytes[..length]);
    let value = u128::from_le_bytes(padded);
    (value as u64, (value >> 64) as u64)
}

/// Hashes the bytes of a folded word of any length.
pub fn word(bytes: &[u8]) -> u64 {
    let (low, high) = halves(bytes);
    let mut hash = short_word(low, high);
    let mut rest = bytes.get(16..).unwrap_or_default();
    while !rest.is_empty() {
        let (low, high) = halves(rest);
        hash = longer_word(hash, low, high);
        rest = rest.get(16..).unwrap_or_default();
    }
    hash
}

/// Hashes a sequence of unit hashes to 128 bits: equal sequences are the same text.
///
/// Two chains of multiplications, each in two strands that can run at the same time.
pub fn text(units: &[u64]) -> u128 {
    let mut a = [TEXT_A, TEXT_A ^ CHAIN];
    let mut b = [TEXT_B, TEXT_B ^ CHAIN];
    let (couples, last) = units.as_chunks::<2>();
    for couple in couples {
        for strand in 0..2 {
            a[strand] = fold(a[strand] ^ couple[strand], TEXT_B);
            b[strand] = b[strand].rotate_left(29).wrapping_mul(TEXT_A).wrapping_add(couple[strand]);
        }
    }
    for &unit in last {
        a[0] = fold(a[0] ^ unit, TEXT_B);
        b[0] = b[0].rotate_left(29).wrapping_mul(TEXT_A).wrapping_add(unit);
    }
    let length = units.len() as u64;
    let high = mix(fold(a[0] ^ length, WORD_LOW) ^ a[1]);
    let low = mix(fold(b[0].wrapping_add(length), WORD_HIGH) ^ b[1]);
    (u128::from(high) << 64) | u128::from(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_length_matter() {
        assert_ne!(text(&[1, 2]), text(&[2, 1]));
        assert_ne!(text(&[1]), text(&[1, 0]));
        assert_ne!(word(b"together"), word(b"to"));
        assert_ne!(word(&[b'a'; 16]), word(&[b'a'; 17]));
    }
}
