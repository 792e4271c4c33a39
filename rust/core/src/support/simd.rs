//! Vector instructions: which bytes belong to a word, which bits of a mask are set, the bytes of a word.
//!
//! A [`Kernel`] is a loop that is compiled once for each [`Level`] of instructions. [`dispatch`] runs the best one that
//! the processor supports, which it determines once. A kernel uses the [`Vectors`] of its level; each method has a
//! scalar twin, against which it is tested.

use std::sync::OnceLock;

/// How many bytes are classified at once.
pub const BLOCK: usize = 64;

/// A set of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The instructions of every processor; on x86-64 they include SSE2.
    Plain,
    /// x86-64-v3: AVX2 and bit manipulation.
    Wide,
    /// x86-64-v4 with byte compression: AVX-512 BW, DQ, VL and VBMI2.
    Widest,
}

impl Level {
    /// The best level of this processor.
    pub fn best() -> Self {
        static BEST: OnceLock<Level> = OnceLock::new();
        *BEST.get_or_init(detect)
    }
}

#[cfg(target_arch = "x86_64")]
fn detect() -> Level {
    use std::arch::is_x86_feature_detected as has;
    if !(has!("avx2") && has!("bmi1") && has!("bmi2") && has!("popcnt") && has!("lzcnt")) {
        return Level::Plain;
    }
    let widest = has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl") && has!("avx512vbmi2");
    if widest { Level::Widest } else { Level::Wide }
}

#[cfg(not(target_arch = "x86_64"))]
fn detect() -> Level {
    Level::Plain
}

/// Prefetches the memory at an address that will be read soon.
#[inline(always)]
pub fn prefetch(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch has no effect on memory, for any address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// A loop that is compiled for each level; `run` must be `#[inline(always)]`.
pub trait Kernel {
    /// The result.
    type Output;
    /// Runs the loop with the instructions of a level.
    fn run<V: Vectors>(self, vectors: V) -> Self::Output;
}

/// Runs a kernel with the best instructions of this processor.
#[inline]
pub fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    dispatch_at(Level::best(), kernel)
}

/// Runs a kernel at a level, or at the best level of this processor if that is lower.
#[inline]
pub fn dispatch_at<K: Kernel>(level: Level, kernel: K) -> K::Output {
    match level.min(Level::best()) {
        Level::Plain => kernel.run(Plain),
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the processor has the instructions of its best level and of those below.
        Level::Wide => unsafe { x86::run_wide(kernel) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Level::Widest => unsafe { x86::run_widest(kernel) },
        #[cfg(not(target_arch = "x86_64"))]
        _ => kernel.run(Plain),
    }
}

/// The operations in which levels differ; a value of a level exists only if the processor supports it.
pub trait Vectors: Copy {
    /// Whether products of 64-bit lanes are cheap.
    const MULTIPLIES: bool = false;

    /// For a block of 64 bytes: a bit for each ASCII letter, digit or underscore, and one for each byte outside ASCII.
    fn classify(self, block: &[u8; BLOCK]) -> (u64, u64);

    /// Appends `base` plus the position of each set bit.
    #[inline(always)]
    fn append_positions(self, positions: &mut Vec<u32>, base: u32, mut bits: u64) {
        positions.reserve(BLOCK);
        let found = bits.count_ones() as usize;
        let room = positions.spare_capacity_mut();
        let mut written = 0;
        // Eight are written at a time, even if there are fewer: that costs less than a branch for each.
        while written < found {
            let Some(eight) = room[written..].first_chunk_mut::<8>() else { break };
            for position in eight {
                position.write(base + bits.trailing_zeros());
                bits &= bits.wrapping_sub(1);
            }
            written += 8;
        }
        let length = positions.len() + found;
        // SAFETY: `found` is at most 64, for which there is capacity, and as many have been written.
        unsafe { positions.set_len(length) };
    }

    /// Appends the positions of this value.
    #[inline(always)]
    fn append_equal(self, positions: &mut Vec<u32>, values: &[u32], wanted: u32) {
        let start = positions.len();
        positions.resize(start + values.len(), 0);
        let mut end = start;
        for (position, &value) in values.iter().enumerate() {
            positions[end] = position as u32;
            end += usize::from(value == wanted);
        }
        positions.truncate(end);
    }

    /// How many values two ascending blocks without repeats share.
    #[inline(always)]
    fn common(self, a: &[u64; 8], b: &[u64; 8]) -> usize {
        let (mut i, mut j, mut shared) = (0, 0, 0);
        while i < 8 && j < 8 {
            let (x, y) = (a[i], b[j]);
            shared += usize::from(x == y);
            i += usize::from(x <= y);
            j += usize::from(y <= x);
        }
        shared
    }

    /// The first `length` bytes from `start`, at most 16, as two zero-padded little-endian halves.
    #[inline(always)]
    fn halves(self, bytes: &[u8], start: usize, length: usize) -> (u64, u64) {
        let value = match bytes.get(start..).and_then(|rest| rest.first_chunk::<16>()) {
            Some(chunk) => u128::from_le_bytes(*chunk) & KEEP[length.min(16)],
            None => {
                let mut padded = [0u8; 16];
                let length = length.min(16);
                padded[..length].copy_from_slice(&bytes[start..start + length]);
                u128::from_le_bytes(padded)
            }
        };
        (value as u64, (value >> 64) as u64)
    }
}

const KEEP: [u128; 17] = {
    let mut masks = [0u128; 17];
    let mut length = 1;
    while length <= 16 {
        masks[length] = u128::MAX >> (128 - 8 * length);
        length += 1;
    }
    masks
};

/// The scalar level.
#[derive(Clone, Copy)]
pub struct Plain;

impl Vectors for Plain {
    #[inline(always)]
    fn classify(self, block: &[u8; BLOCK]) -> (u64, u64) {
        #[cfg(target_arch = "x86_64")]
        {
            x86::classify_narrow(block)
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            scalar(block)
        }
    }
}

#[cfg(any(test, not(target_arch = "x86_64")))]
fn scalar(block: &[u8; BLOCK]) -> (u64, u64) {
    let (mut words, mut highs) = (0u64, 0u64);
    for (position, &byte) in block.iter().enumerate() {
        words |= u64::from(byte.is_ascii_alphanumeric() || byte == b'_') << position;
        highs |= u64::from(byte >= 0x80) << position;
    }
    (words, highs)
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{BLOCK, Kernel, Vectors};
    use core::arch::x86_64::*;

    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    pub fn run_wide<K: Kernel>(kernel: K) -> K::Output {
        kernel.run(Wide(()))
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2")]
    pub fn run_widest<K: Kernel>(kernel: K) -> K::Output {
        kernel.run(Widest(()))
    }

    /// Only `run_wide` creates one.
    #[derive(Clone, Copy)]
    pub struct Wide(());

    /// Only `run_widest` creates one.
    #[derive(Clone, Copy)]
    pub struct Widest(());

    // A byte is in a range of n values iff, shifted to start at -128, it is below -128 + n.
    const LETTERS: (i8, i8) = (i8::MIN.wrapping_sub(0x61), i8::MIN + 26);
    const DIGITS: (i8, i8) = (i8::MIN.wrapping_sub(0x30), i8::MIN + 10);

    #[inline(always)]
    pub fn classify_narrow(block: &[u8; BLOCK]) -> (u64, u64) {
        let (mut words, mut highs) = (0u64, 0u64);
        for part in 0..4 {
            // SAFETY: SSE2 is always there on x86-64, and the 16 bytes read are inside the 64 of the block.
            let (word, high) = unsafe {
                let bytes = _mm_loadu_si128(block.as_ptr().add(part * 16).cast());
                let lower = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
                let letter = _mm_cmplt_epi8(_mm_add_epi8(lower, _mm_set1_epi8(LETTERS.0)), _mm_set1_epi8(LETTERS.1));
                let digit = _mm_cmplt_epi8(_mm_add_epi8(bytes, _mm_set1_epi8(DIGITS.0)), _mm_set1_epi8(DIGITS.1));
                let underscore = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x5f));
                let word = _mm_or_si128(_mm_or_si128(letter, digit), underscore);
                (_mm_movemask_epi8(word), _mm_movemask_epi8(bytes))
            };
            words |= u64::from(word as u32) << (part * 16);
            highs |= u64::from(high as u32) << (part * 16);
        }
        (words, highs)
    }

    impl Vectors for Wide {
        #[inline(always)]
        fn classify(self, block: &[u8; BLOCK]) -> (u64, u64) {
            let (mut words, mut highs) = (0u64, 0u64);
            for part in 0..2 {
                // SAFETY: a `Wide` exists only where there is AVX2; the 32 bytes are inside the block.
                let (word, high) = unsafe {
                    let bytes = _mm256_loadu_si256(block.as_ptr().add(part * 32).cast());
                    let lower = _mm256_or_si256(bytes, _mm256_set1_epi8(0x20));
                    let letter = _mm256_add_epi8(lower, _mm256_set1_epi8(LETTERS.0));
                    let letter = _mm256_cmpgt_epi8(_mm256_set1_epi8(LETTERS.1), letter);
                    let digit = _mm256_add_epi8(bytes, _mm256_set1_epi8(DIGITS.0));
                    let digit = _mm256_cmpgt_epi8(_mm256_set1_epi8(DIGITS.1), digit);
                    let underscore = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(0x5f));
                    let word = _mm256_or_si256(_mm256_or_si256(letter, digit), underscore);
                    (_mm256_movemask_epi8(word), _mm256_movemask_epi8(bytes))
                };
                words |= u64::from(word as u32) << (part * 32);
                highs |= u64::from(high as u32) << (part * 32);
            }
            (words, highs)
        }

        #[inline(always)]
        fn common(self, a: &[u64; 8], b: &[u64; 8]) -> usize {
            // SAFETY: a `Wide` exists only where there is AVX2; four of the eight values are read at a time.
            let found = unsafe {
                let load = |block: &[u64; 8], half: usize| _mm256_loadu_si256(block.as_ptr().add(half * 4).cast());
                let (x, y) = ([load(a, 0), load(a, 1)], [load(b, 0), load(b, 1)]);
                let mut found = [_mm256_setzero_si256(); 2];
                for half in 0..2 {
                    for other in y {
                        let turned = [
                            other,
                            _mm256_permute4x64_epi64::<0b00_11_10_01>(other),
                            _mm256_permute4x64_epi64::<0b01_00_11_10>(other),
                            _mm256_permute4x64_epi64::<0b10_01_00_11>(other),
                        ];
                        for turned in turned {
                            found[half] = _mm256_or_si256(found[half], _mm256_cmpeq_epi64(x[half], turned));
                        }
                    }
                }
                found.map(|half| _mm256_movemask_pd(_mm256_castsi256_pd(half)) as u32)
            };
            (found[0] | found[1] << 4).count_ones() as usize
        }
    }

    const PLACES: [i8; BLOCK] = {
        let mut positions = [0; BLOCK];
        let mut position = 0;
        while position < BLOCK {
            positions[position] = position as i8;
            position += 1;
        }
        positions
    };

    impl Vectors for Widest {
        const MULTIPLIES: bool = true;

        #[inline(always)]
        fn classify(self, block: &[u8; BLOCK]) -> (u64, u64) {
            // SAFETY: a `Widest` exists only where there is AVX-512 BW; the block has the 64 bytes that are read.
            unsafe {
                let bytes = _mm512_loadu_si512(block.as_ptr().cast());
                let lower = _mm512_or_si512(bytes, _mm512_set1_epi8(0x20));
                let letter = _mm512_add_epi8(lower, _mm512_set1_epi8(LETTERS.0));
                let letter = _mm512_cmplt_epi8_mask(letter, _mm512_set1_epi8(LETTERS.1));
                let digit = _mm512_add_epi8(bytes, _mm512_set1_epi8(DIGITS.0));
                let digit = _mm512_cmplt_epi8_mask(digit, _mm512_set1_epi8(DIGITS.1));
                let underscore = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(0x5f));
                (letter | digit | underscore, _mm512_movepi8_mask(bytes))
            }
        }

        #[inline(always)]
        fn append_positions(self, positions: &mut Vec<u32>, base: u32, bits: u64) {
            positions.reserve(BLOCK);
            let found = bits.count_ones() as usize;
            let end = positions.len();
            // SAFETY: a `Widest` exists only where there is AVX-512 F and VBMI2. There is capacity for 64 positions
            // after the end, of which 16 are written at a time until all `found`, at most 64, are there.
            unsafe {
                let room = positions.as_mut_ptr().add(end);
                let mut packed = _mm512_maskz_compress_epi8(bits, _mm512_loadu_si512(PLACES.as_ptr().cast()));
                let base = _mm512_set1_epi32(base as i32);
                let mut written = 0;
                loop {
                    let sixteen = _mm512_cvtepu8_epi32(_mm512_castsi512_si128(packed));
                    _mm512_storeu_si512(room.add(written).cast(), _mm512_add_epi32(sixteen, base));
                    written += 16;
                    if written >= found {
                        break;
                    }
                    packed = _mm512_alignr_epi32::<4>(packed, packed);
                }
                positions.set_len(end + found);
            }
        }

        #[inline(always)]
        fn append_equal(self, positions: &mut Vec<u32>, values: &[u32], wanted: u32) {
            positions.reserve(values.len() + 16);
            let mut end = positions.len();
            // SAFETY: a `Widest` exists only where there is AVX-512 F. Sixteen positions are written at a time, after
            // those that were found; there is capacity for all of `values` and sixteen more.
            unsafe {
                let room = positions.as_mut_ptr();
                let mut own = _mm512_cvtepu8_epi32(_mm_loadu_si128(PLACES.as_ptr().cast()));
                let wanted = _mm512_set1_epi32(wanted as i32);
                for sixteen in values.chunks(16) {
                    let there = ((1u32 << sixteen.len()) - 1) as u16;
                    let loaded = _mm512_maskz_loadu_epi32(there, sixteen.as_ptr().cast());
                    let equal = _mm512_mask_cmpeq_epi32_mask(there, loaded, wanted);
                    _mm512_storeu_si512(room.add(end).cast(), _mm512_maskz_compress_epi32(equal, own));
                    end += equal.count_ones() as usize;
                    own = _mm512_add_epi32(own, _mm512_set1_epi32(16));
                }
                positions.set_len(end);
            }
        }

        #[inline(always)]
        fn common(self, a: &[u64; 8], b: &[u64; 8]) -> usize {
            // SAFETY: a `Widest` exists only where there is AVX-512 F; both blocks have the eight values that are read.
            let found = unsafe {
                let (x, y) = (_mm512_loadu_si512(a.as_ptr().cast()), _mm512_loadu_si512(b.as_ptr().cast()));
                let one = _mm512_cmpeq_epi64_mask(x, y) | _mm512_cmpeq_epi64_mask(x, _mm512_alignr_epi64::<1>(y, y));
                let two = _mm512_cmpeq_epi64_mask(x, _mm512_alignr_epi64::<2>(y, y))
                    | _mm512_cmpeq_epi64_mask(x, _mm512_alignr_epi64::<3>(y, y));
                let three = _mm512_cmpeq_epi64_mask(x, _mm512_alignr_epi64::<4>(y, y))
                    | _mm512_cmpeq_epi64_mask(x, _mm512_alignr_epi64::<5>(y, y));
                let four = _mm512_cmpeq_epi64_mask(x, _mm512_alignr_epi64::<6>(y, y))
                    | _mm512_cmpeq_epi64_mask(x, _mm512_alignr_epi64::<7>(y, y));
                (one | two) | (three | four)
            };
            found.count_ones() as usize
        }

        #[inline(always)]
        fn halves(self, bytes: &[u8], start: usize, length: usize) -> (u64, u64) {
            let length = length.min(16);
            assert!(start <= bytes.len() && length <= bytes.len() - start);
            // SAFETY: a `Widest` exists only where there is AVX-512 BW and VL; bytes that the mask leaves out are not
            // touched, and those that it names are inside the slice.
            unsafe {
                let mask = ((1u32 << length) - 1) as u16;
                let value = _mm_maskz_loadu_epi8(mask, bytes.as_ptr().add(start).cast());
                (_mm_cvtsi128_si64(value) as u64, _mm_extract_epi64::<1>(value) as u64)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::hash::mix;

    const LEVELS: [Level; 3] = [Level::Plain, Level::Wide, Level::Widest];

    struct Classify<'a>(&'a [u8; BLOCK]);

    impl Kernel for Classify<'_> {
        type Output = (u64, u64);
        #[inline(always)]
        fn run<V: Vectors>(self, vectors: V) -> (u64, u64) {
            vectors.classify(self.0)
        }
    }

    #[test]
    fn vectors_equal_scalar_for_every_byte_at_every_position() {
        for byte in 0..=255u8 {
            for position in 0..BLOCK {
                let mut block = [b' '; BLOCK];
                block[position] = byte;
                for level in LEVELS {
                    assert_eq!(dispatch_at(level, Classify(&block)), scalar(&block), "byte {byte} at {position}");
                }
            }
        }
    }

    struct Positions(u64);

    impl Kernel for Positions {
        type Output = Vec<u32>;
        #[inline(always)]
        fn run<V: Vectors>(self, vectors: V) -> Vec<u32> {
            let mut positions = vec![7];
            vectors.append_positions(&mut positions, 640, self.0);
            vectors.append_positions(&mut positions, 704, !self.0);
            positions
        }
    }

    #[test]
    fn positions_are_those_of_the_set_bits() {
        let masks = [0, u64::MAX, 1, 1 << 63, 0x5555_5555_5555_5555];
        for bits in masks.into_iter().chain((0..200).map(mix)).chain((0..64).map(|n| u64::MAX >> n)) {
            let of = |base: u32, bits: u64| (0..64).filter(move |n| bits >> n & 1 == 1).map(move |n| base + n);
            let expected: Vec<u32> = std::iter::once(7).chain(of(640, bits)).chain(of(704, !bits)).collect();
            for level in LEVELS {
                assert_eq!(dispatch_at(level, Positions(bits)), expected);
            }
        }
    }

    struct Equal<'a>(&'a [u32], u32);

    impl Kernel for Equal<'_> {
        type Output = Vec<u32>;
        #[inline(always)]
        fn run<V: Vectors>(self, vectors: V) -> Vec<u32> {
            let mut positions = vec![9];
            vectors.append_equal(&mut positions, self.0, self.1);
            positions
        }
    }

    #[test]
    fn equal_values_are_found_at_their_positions() {
        for length in 0..100u64 {
            let values: Vec<u32> = (0..length).map(|n| (mix(n + length * 1000) % 3) as u32).collect();
            for wanted in 0..4 {
                let there = values.iter().enumerate().filter(|(_, value)| **value == wanted);
                let expected: Vec<u32> = std::iter::once(9).chain(there.map(|(position, _)| position as u32)).collect();
                for level in LEVELS {
                    assert_eq!(dispatch_at(level, Equal(&values, wanted)), expected);
                }
            }
        }
    }

    struct Common<'a>(&'a [u64; 8], &'a [u64; 8]);

    impl Kernel for Common<'_> {
        type Output = usize;
        #[inline(always)]
        fn run<V: Vectors>(self, vectors: V) -> usize {
            vectors.common(self.0, self.1)
        }
    }

    #[test]
    fn common_values_are_found_at_any_position() {
        for seed in 0..500 {
            let block = |salt: u64| {
                let mut gap = 0;
                std::array::from_fn(|n| {
                    gap += 1 + mix(seed * 100 + salt * 10 + n as u64) % 3;
                    gap
                })
            };
            let (a, b): ([u64; 8], [u64; 8]) = (block(1), block(2));
            let expected = a.iter().filter(|value| b.contains(value)).count();
            for level in LEVELS {
                assert_eq!(dispatch_at(level, Common(&a, &b)), expected);
            }
        }
    }

    struct Halves<'a>(&'a [u8], usize, usize);

    impl Kernel for Halves<'_> {
        type Output = (u64, u64);
        #[inline(always)]
        fn run<V: Vectors>(self, vectors: V) -> (u64, u64) {
            vectors.halves(self.0, self.1, self.2)
        }
    }

    #[test]
    fn halves_contain_only_the_word() {
        let bytes: Vec<u8> = (1..=40).collect();
        for start in 0..=40 {
            for length in 0..=40 - start {
                let expected = crate::support::hash::halves(&bytes[start..start + length]);
                for level in LEVELS {
                    assert_eq!(dispatch_at(level, Halves(&bytes, start, length)), expected);
                }
            }
        }
    }
}
