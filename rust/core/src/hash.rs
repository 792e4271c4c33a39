//! The hash functions of the engine: words, shingles, whole texts.
//!
//! All are built from one 64x64->128 multiplication whose halves are folded together. They are fixed for good: stored
//! signatures depend on them, so a change here is a change of [`crate::TOKENISER_VERSION`].

use crate::simd::{Kernel, Vectors, dispatch};

const WORD_LOW: u64 = 0x9ae1_6a3b_2f90_404f;
const WORD_HIGH: u64 = 0xc3a5_c85c_97cb_3127;
const CHAIN: u64 = 0xb492_b66f_be98_f273;
const SHINGLE_BASE: u64 = 0x9fb2_1c65_1e98_df25;
/// Shingles of more units than this are hashed modulo a prime.
const LONG: usize = 64;
const PRIME: u64 = (1 << 61) - 1;
const TEXT_A: u64 = 0xd6e8_feb8_6659_fd93;
const TEXT_B: u64 = 0xe703_7ed1_a0b4_28db;

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

/// Calls `emit` with the hash of each run of `size` units; fewer units than that make one shingle of all of them.
///
/// The hash is a polynomial over the unit hashes, rolled along, and mixed at the end: `size` costs nothing.
#[inline]
pub fn shingles(units: &[u64], size: usize, mut emit: impl FnMut(u64)) {
    let width = size.max(1).min(units.len());
    if width == 0 {
        return;
    }
    if width > LONG {
        long_shingles(units, width, emit);
        return;
    }
    let mut leaving_weight = 1u64;
    let mut rolled = 0u64;
    for (i, &unit) in units[..width].iter().enumerate() {
        rolled = rolled.wrapping_mul(SHINGLE_BASE).wrapping_add(unit);
        if i > 0 {
            leaving_weight = leaving_weight.wrapping_mul(SHINGLE_BASE);
        }
    }
    // The width is part of the hash, so that a short text does not equal a shingle of the same words elsewhere.
    let salt = (width as u64).wrapping_mul(CHAIN);
    emit(mix(rolled ^ salt));
    for (&leaving, &entering) in units.iter().zip(&units[width..]) {
        rolled =
            rolled.wrapping_sub(leaving.wrapping_mul(leaving_weight)).wrapping_mul(SHINGLE_BASE).wrapping_add(entering);
        emit(mix(rolled ^ salt));
    }
}

/// Appends the hashes that [`shingles`] calls for.
pub fn append_shingles(units: &[u64], size: usize, hashes: &mut Vec<u64>) {
    dispatch(Shingling { units, size, kept: hashes.len(), hashes });
}

/// Shingles to be hashed; where the processor multiplies lanes, each short shingle is added up by itself.
pub(crate) struct Shingling<'a> {
    pub units: &'a [u64],
    pub size: usize,
    /// How many of the first hashes stay; the others are written over.
    pub kept: usize,
    pub hashes: &'a mut Vec<u64>,
}

impl Kernel for Shingling<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors>(self, _vectors: V) {
        let Self { units, size, kept, hashes } = self;
        match size.max(1).min(units.len()) {
            1 if V::MULTIPLIES => write_sums::<1>(units, kept, hashes),
            2 if V::MULTIPLIES => write_sums::<2>(units, kept, hashes),
            3 if V::MULTIPLIES => write_sums::<3>(units, kept, hashes),
            4 if V::MULTIPLIES => write_sums::<4>(units, kept, hashes),
            5 if V::MULTIPLIES => write_sums::<5>(units, kept, hashes),
            _ => {
                hashes.truncate(kept);
                shingles(units, size, |hash| hashes.push(hash));
            }
        }
    }
}

/// The hashes of the shingles of `WIDTH` units, each by Horner's rule.
#[inline(always)]
fn write_sums<const WIDTH: usize>(units: &[u64], kept: usize, hashes: &mut Vec<u64>) {
    let salt = (WIDTH as u64).wrapping_mul(CHAIN);
    let count = units.len() + 1 - WIDTH;
    hashes.resize(kept + count, 0);
    let shifted: [&[u64]; WIDTH] = std::array::from_fn(|shift| &units[shift..shift + count]);
    for (place, hash) in hashes[kept..].iter_mut().enumerate() {
        let mut sum = 0u64;
        for column in shifted {
            sum = sum.wrapping_mul(SHINGLE_BASE).wrapping_add(column[place]);
        }
        *hash = mix(sum ^ salt);
    }
}

/// The same for long shingles: modulo a prime, since powers of two forget the far ends of self-similar sequences.
fn long_shingles(units: &[u64], width: usize, mut emit: impl FnMut(u64)) {
    let times = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64;
    let base = SHINGLE_BASE % PRIME;
    let leaving_weight = (1..width).fold(1, |weight, _| times(weight, base));
    let add = |rolled: u64, unit: u64| (times(rolled, base) + mix(unit) % PRIME) % PRIME;
    let mut rolled = units[..width].iter().fold(0, |rolled, &unit| add(rolled, unit));
    let salt = (width as u64).wrapping_mul(CHAIN);
    emit(mix(rolled ^ salt));
    for (&leaving, &entering) in units.iter().zip(&units[width..]) {
        let gone = times(mix(leaving) % PRIME, leaving_weight);
        rolled = add((rolled + PRIME - gone) % PRIME, entering);
        emit(mix(rolled ^ salt));
    }
}

/// The 128-bit hash of a sequence of unit hashes: equal sequences are the same text.
///
/// Two chains of multiplications, each in two strands so that they do not wait for each other.
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
    fn rolling_equals_hashing_each_shingle_alone() {
        let units: Vec<u64> = (0..200u64).map(|i| mix(i % 17)).collect();
        for size in [1, 2, 5, 9, 64, 65, 199, 200] {
            let mut rolled = Vec::new();
            shingles(&units, size, |hash| rolled.push(hash));
            let mut alone = Vec::new();
            units.windows(size).for_each(|window| shingles(window, size, |hash| alone.push(hash)));
            assert_eq!(rolled, alone, "size {size}");
        }
    }

    #[test]
    fn shingles_are_the_same_at_every_level() {
        use crate::simd::{Level, dispatch_at};
        for length in (0..40).chain([100, 1001]) {
            let units: Vec<u64> = (0..length).map(|i| mix(i * 7 + length)).collect();
            for size in [1, 2, 3, 4, 5, 6, 70] {
                let mut expected = vec![1];
                shingles(&units, size, |hash| expected.push(hash));
                for level in [Level::Plain, Level::Wide, Level::Widest] {
                    let mut hashes = vec![1, 2, 3];
                    dispatch_at(level, Shingling { units: &units, size, kept: 1, hashes: &mut hashes });
                    assert_eq!(hashes, expected, "{length} units, size {size}, {level:?}");
                }
            }
        }
    }

    #[test]
    fn a_short_text_is_one_shingle() {
        let mut found = Vec::new();
        shingles(&[1, 2], 5, |hash| found.push(hash));
        assert_eq!(found.len(), 1);
        shingles(&[], 5, |hash| found.push(hash));
        assert_eq!(found.len(), 1);
    }

    #[test]
    fn order_and_length_matter() {
        assert_ne!(text(&[1, 2]), text(&[2, 1]));
        assert_ne!(text(&[1]), text(&[1, 0]));
        assert_ne!(word(b"together"), word(b"to"));
        assert_ne!(word(&[b'a'; 16]), word(&[b'a'; 17]));
    }
}
