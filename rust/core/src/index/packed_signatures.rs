//! Signatures as bytes, document by document, for storage in an index: differences of ascending values, seven bits a
//! byte.

use crate::represent::signatures::{KEY_BYTES, Short, Signatures};
use crate::support::numbers::{read_number, write_number};

/// Returns the bytes of each signature, and the offset of each, with the end of the last.
pub fn pack(signatures: &Signatures) -> (Vec<u8>, Vec<i64>) {
    let (mut bytes, mut offsets) = (Vec::new(), vec![0]);
    for document in 0..signatures.len() {
        write_number(u64::from(signatures.lengths[document]), &mut bytes);
        write_number(u64::from(signatures.numeral_counts[document]), &mut bytes);
        write_ascending(signatures.vector(document), &mut bytes);
        write_ascending(signatures.numerals(document), &mut bytes);
        bytes.extend(signatures.key(document));
        offsets.push(bytes.len() as i64);
    }
    (bytes, offsets)
}

/// Reads signatures from their bytes; returns nothing if the bytes are not signatures.
pub fn unpack(bytes: &[u8], offsets: &[i64], short: Short) -> Option<Signatures> {
    let mut made = Signatures::empty(short);
    for bounds in offsets.windows(2) {
        let mut rest = bytes.get(usize::try_from(bounds[0]).ok()?..usize::try_from(bounds[1]).ok()?)?;
        made.lengths.push(u32::try_from(read_number(&mut rest)?).ok()?);
        made.numeral_counts.push(u32::try_from(read_number(&mut rest)?).ok()?);
        read_ascending(&mut rest, &mut made.values)?;
        made.offsets.push(made.values.len() as u64);
        read_ascending(&mut rest, &mut made.numerals)?;
        made.numeral_offsets.push(made.numerals.len() as u64);
        if rest.len() != KEY_BYTES {
            return None;
        }
        made.keys.extend(rest);
    }
    Some(made)
}

fn write_ascending(values: &[u32], bytes: &mut Vec<u8>) {
    write_number(values.len() as u64, bytes);
    let mut last = 0;
    for &value in values {
        write_number(u64::from(value - last), bytes);
        last = value;
    }
}

fn read_ascending(rest: &mut &[u8], values: &mut Vec<u32>) -> Option<()> {
    let count = read_number(rest)?;
    let mut last = 0u32;
    for _ in 0..count {
        last = last.checked_add(u32::try_from(read_number(rest)?).ok()?)?;
        values.push(last);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::hash::mix;

    fn random_signatures(seed: u64, documents: u64) -> Signatures {
        let mut made = Signatures::empty(Short::Own);
        for document in 0..documents {
            let draw = |index: u64| mix(seed << 32 | document << 16 | index);
            let ascending = |count: u64, salt: u64, into: &mut Vec<u32>| {
                let mut values: Vec<u32> = (0..count).map(|i| draw(salt + i) as u32 >> (draw(i) % 32)).collect();
                values.sort_unstable();
                values.dedup();
                into.extend(values);
            };
            ascending(draw(0) % 61, 100, &mut made.values);
            made.offsets.push(made.values.len() as u64);
            ascending(draw(1) % 20, 300, &mut made.numerals);
            made.numeral_offsets.push(made.numerals.len() as u64);
            made.lengths.push(draw(2) as u32);
            made.numeral_counts.push(draw(3) as u32);
            made.keys.extend((0..KEY_BYTES as u64).map(|i| draw(500 + i) as u8));
        }
        made
    }

    #[test]
    fn packed_signatures_are_unpacked_unchanged() {
        for seed in 0..50 {
            let made = random_signatures(seed, seed % 7);
            let (bytes, offsets) = pack(&made);
            assert_eq!(unpack(&bytes, &offsets, Short::Own), Some(made));
        }
    }

    #[test]
    fn broken_bytes_are_refused() {
        let (bytes, offsets) = pack(&random_signatures(3, 2));
        assert_eq!(unpack(&bytes[..bytes.len() - 1], &offsets, Short::Own), None);
        assert_eq!(unpack(&bytes, &[0, offsets[1] - 1], Short::Own), None);
        assert_eq!(unpack(&[255; 40], &[0, 40], Short::Own), None);
        assert_eq!(unpack(&bytes, &[-1, 3], Short::Own), None);
    }
}
