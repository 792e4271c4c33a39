//! Checks in parallel that columns of bytes are UTF-8.

use rayon::prelude::*;

const PIECE: usize = 1 << 20;

/// Whether each text of a column is UTF-8: text i is in the bytes from `offsets[i]` to `offsets[i + 1]`.
pub fn is_column(offsets: &[i64], bytes: &[u8]) -> bool {
    let fits = offsets.first().is_some_and(|&first| first >= 0)
        && offsets.is_sorted()
        && offsets.last().is_some_and(|&last| last as usize <= bytes.len());
    let begins = |position: usize| bytes.get(position).is_none_or(|byte| !is_continuation(*byte));
    fits && is_utf8(bytes) && offsets.par_iter().with_min_len(1 << 16).all(|&offset| begins(offset as usize))
}

/// Whether bytes are UTF-8, checked in pieces that begin with a character.
fn is_utf8(bytes: &[u8]) -> bool {
    let begin = |piece: usize| {
        let start = (piece * PIECE).min(bytes.len());
        // The bytes that continue a character go with it: at most three, and more would be an error in their own piece.
        let behind = bytes[start..].iter().take(if piece == 0 { 0 } else { 3 });
        start + behind.take_while(|byte| is_continuation(**byte)).count()
    };
    let pieces = bytes.len().div_ceil(PIECE);
    (0..pieces).into_par_iter().all(|piece| str::from_utf8(&bytes[begin(piece)..begin(piece + 1)]).is_ok())
}

fn is_continuation(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checking_in_pieces_equals_checking_at_once() {
        let wide = "aé漢😀 ".repeat(PIECE / 4);
        let broken = |position: usize, byte: u8| {
            let mut bytes = wide.clone().into_bytes();
            bytes[position] = byte;
            bytes
        };
        for bytes in [wide.clone().into_bytes(), Vec::new(), b"a".repeat(PIECE), b"\x80".repeat(PIECE + 2)] {
            assert_eq!(is_utf8(&bytes), str::from_utf8(&bytes).is_ok());
        }
        for position in (PIECE - 12..PIECE + 12).chain([0, 5, wide.len() - 1]) {
            for byte in [0x80, 0xbf, 0xe6, 0xf0, 0xff, b'a'] {
                let bytes = broken(position, byte);
                assert_eq!(is_utf8(&bytes), str::from_utf8(&bytes).is_ok(), "{byte:x} at {position}");
            }
        }
    }

    #[test]
    fn texts_of_a_column_begin_with_a_character() {
        let bytes = "aé".as_bytes();
        assert!(is_column(&[0, 1, 3], bytes) && is_column(&[0], b"") && is_column(&[3, 3], bytes));
        for offsets in [&[][..], &[0, 2, 3], &[0, 4], &[2, 1], &[-1, 1]] {
            assert!(!is_column(offsets, bytes), "{offsets:?}");
        }
    }
}
