//! Which bytes of a block belong to a word: the one place with vector instructions.
//!
//! `classify` has a safe face and a scalar twin that the tests compare it with. SSE2 is part of every x86-64 processor,
//! so nothing is decided at run time; other processors use the twin.

/// How many bytes are classified at once.
pub const BLOCK: usize = 64;

/// For a block of 64 bytes: a bit for each ASCII letter, digit or underscore, and a bit for each byte outside ASCII.
#[inline(always)]
pub fn classify(block: &[u8; BLOCK]) -> (u64, u64) {
    #[cfg(target_arch = "x86_64")]
    {
        vector(block)
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        scalar(block)
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn vector(block: &[u8; BLOCK]) -> (u64, u64) {
    use core::arch::x86_64::{
        __m128i, _mm_add_epi8, _mm_cmpeq_epi8, _mm_cmplt_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128,
        _mm_set1_epi8,
    };
    let (mut words, mut highs) = (0u64, 0u64);
    for part in 0..4 {
        // SAFETY: SSE2 is always there on x86-64, and the 16 bytes read lie inside the 64 of the block.
        let (word, high) = unsafe {
            let bytes = _mm_loadu_si128(block.as_ptr().add(part * 16).cast::<__m128i>());
            let lower = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
            // A byte lies in a range of n values iff, shifted to start at -128, it is below -128 + n.
            let letter = _mm_cmplt_epi8(
                _mm_add_epi8(lower, _mm_set1_epi8(i8::MIN.wrapping_sub(0x61))),
                _mm_set1_epi8(i8::MIN + 26),
            );
            let digit = _mm_cmplt_epi8(
                _mm_add_epi8(bytes, _mm_set1_epi8(i8::MIN.wrapping_sub(0x30))),
                _mm_set1_epi8(i8::MIN + 10),
            );
            let underscore = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x5f));
            let word = _mm_or_si128(_mm_or_si128(letter, digit), underscore);
            (_mm_movemask_epi8(word), _mm_movemask_epi8(bytes))
        };
        words |= u64::from(word as u32) << (part * 16);
        highs |= u64::from(high as u32) << (part * 16);
    }
    (words, highs)
}

#[cfg(any(test, not(target_arch = "x86_64")))]
fn scalar(block: &[u8; BLOCK]) -> (u64, u64) {
    let (mut words, mut highs) = (0u64, 0u64);
    for (place, &byte) in block.iter().enumerate() {
        words |= u64::from(byte.is_ascii_alphanumeric() || byte == b'_') << place;
        highs |= u64::from(byte >= 0x80) << place;
    }
    (words, highs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vector_equals_scalar_for_every_byte_at_every_place() {
        for byte in 0..=255u8 {
            for place in 0..BLOCK {
                let mut block = [b' '; BLOCK];
                block[place] = byte;
                assert_eq!(classify(&block), scalar(&block), "byte {byte} at {place}");
            }
            assert_eq!(classify(&[byte; BLOCK]), scalar(&[byte; BLOCK]));
        }
    }
}
