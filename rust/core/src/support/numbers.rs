//! Variable-length numbers: seven bits in each byte, the lowest first; the high bit is set where more follow.

/// The most bytes that a number takes.
pub(crate) const NUMBER_BYTES: usize = 10;

pub(crate) fn write_number(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads a number and advances past it; returns nothing if the number does not end.
pub(crate) fn read_number(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for index in 0..NUMBER_BYTES {
        let (&byte, behind) = rest.split_first()?;
        *rest = behind;
        number |= u64::from(byte & 127) << (7 * index);
        if byte < 128 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_round_trip_and_unfinished_ones_are_refused() {
        let mut bytes = Vec::new();
        let numbers = [0, 1, 127, 128, 300, 1 << 35, u64::MAX];
        numbers.iter().for_each(|&number| write_number(number, &mut bytes));
        let mut rest = bytes.as_slice();
        numbers.iter().for_each(|&number| assert_eq!(read_number(&mut rest), Some(number)));
        assert!(rest.is_empty() && read_number(&mut rest).is_none());
        assert_eq!(read_number(&mut [255u8; 20].as_slice()), None);
    }
}
