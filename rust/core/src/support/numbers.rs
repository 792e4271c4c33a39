//! Numbers in as few bytes as they need: seven bits in each, the lowest first, the high bit where more follow.

/// How many bytes a number takes at most.
pub(crate) const NUMBER_BYTES: usize = 10;

pub(crate) fn write_number(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads a number and moves on behind it; nothing if it does not end.
pub(crate) fn read_number(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for place in 0..NUMBER_BYTES {
        let (&byte, behind) = rest.split_first()?;
        *rest = behind;
        number |= u64::from(byte & 127) << (7 * place);
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
    fn numbers_come_back_and_what_does_not_end_is_none() {
        let mut bytes = Vec::new();
        let numbers = [0, 1, 127, 128, 300, 1 << 35, u64::MAX];
        numbers.iter().for_each(|&number| write_number(number, &mut bytes));
        let mut rest = bytes.as_slice();
        numbers.iter().for_each(|&number| assert_eq!(read_number(&mut rest), Some(number)));
        assert!(rest.is_empty() && read_number(&mut rest).is_none());
        assert_eq!(read_number(&mut [255u8; 20].as_slice()), None);
    }
}
