//! Shingles: runs of units, each hashed to one number.
//!
//! The hash is a polynomial over the hashes of the units, which is rolled from one shingle to the next and mixed at the
//! end. Its cost does not depend on the size of the shingles.

use crate::support::hash::{CHAIN, mix};
use crate::support::simd::{Kernel, Vectors, dispatch};
use crate::text::collection::Unit;

const SHINGLE_BASE: u64 = 0x9fb2_1c65_1e98_df25;
/// Shingles of more units than this are hashed modulo a prime.
const LONG: usize = 64;
const PRIME: u64 = (1 << 61) - 1;

/// What shingles are: runs of `size` units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shingling {
    /// How many units make a shingle.
    pub size: usize,
    /// What the units are.
    pub unit: Unit,
}

/// Which shingles represent a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// All of them.
    All,
    /// Every n-th by its position, beginning with the first.
    Position(usize),
    /// Those whose hash is a multiple of n.
    Hash(u64),
}

/// Calls `emit` with the hash of each run of `size` units; fewer units than that make one shingle.
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

/// Appends the hashes that [`shingles`] emits.
pub fn append_shingles(units: &[u64], size: usize, hashes: &mut Vec<u64>) {
    dispatch(ShingleKernel { units, size, kept: hashes.len(), hashes });
}

/// Hashes shingles; where the processor multiplies lanes, each short shingle is summed by itself.
pub(crate) struct ShingleKernel<'a> {
    pub units: &'a [u64],
    pub size: usize,
    /// How many of the first hashes are kept; the others are overwritten.
    pub kept: usize,
    pub hashes: &'a mut Vec<u64>,
}

impl Kernel for ShingleKernel<'_> {
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
    for (index, hash) in hashes[kept..].iter_mut().enumerate() {
        let mut sum = 0u64;
        for column in shifted {
            sum = sum.wrapping_mul(SHINGLE_BASE).wrapping_add(column[index]);
        }
        *hash = mix(sum ^ salt);
    }
}

/// The same for long shingles, modulo a prime: powers of two would lose the far ends of self-similar sequences.
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

/// Appends the selected shingles of a document.
pub(crate) fn gather(units: &[u64], size: usize, selection: Selection, values: &mut Vec<u64>) {
    match selection {
        Selection::All => append_shingles(units, size, values),
        Selection::Position(step) => {
            let mut position = 0usize;
            shingles(units, size, |shingle| {
                if position.is_multiple_of(step.max(1)) {
                    values.push(shingle);
                }
                position += 1;
            });
        }
        Selection::Hash(modulus) => shingles(units, size, |shingle| {
            if shingle % modulus.max(1) == 0 {
                values.push(shingle);
            }
        }),
    }
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
        use crate::support::simd::{Level, dispatch_at};
        for length in (0..40).chain([100, 1001]) {
            let units: Vec<u64> = (0..length).map(|i| mix(i * 7 + length)).collect();
            for size in [1, 2, 3, 4, 5, 6, 70] {
                let mut expected = vec![1];
                shingles(&units, size, |hash| expected.push(hash));
                for level in [Level::Plain, Level::Wide, Level::Widest] {
                    let mut hashes = vec![1, 2, 3];
                    dispatch_at(level, ShingleKernel { units: &units, size, kept: 1, hashes: &mut hashes });
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
    fn selections_choose_by_position_or_by_hash() {
        let units: Vec<u64> = (0..23u64).map(mix).collect();
        let (mut all, mut fifth, mut modulo) = (Vec::new(), Vec::new(), Vec::new());
        gather(&units, 3, Selection::All, &mut all);
        gather(&units, 3, Selection::Position(5), &mut fifth);
        gather(&units, 3, Selection::Hash(2), &mut modulo);
        assert_eq!(all.len(), 21);
        assert_eq!(fifth, all.iter().copied().step_by(5).collect::<Vec<_>>());
        assert!(modulo.iter().all(|value| value % 2 == 0) && !modulo.is_empty());
    }
}
