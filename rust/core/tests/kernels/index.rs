use neardup_core::index::key_blocks::{Probe, Row, meet, merge, pack, remove, tally};
use neardup_core::index::packed_signatures;
use neardup_core::represent::signatures::{KEY_BYTES, Short, Signatures};
use proptest::prelude::*;

use crate::cases;

/// Rows of few keys and points, so that many share them, and some extreme ones; sorted.
fn rows() -> impl Strategy<Value = Vec<Row>> {
    let number = prop_oneof![8 => -3i64..4, 1 => any::<i64>()];
    let node = prop_oneof![8 => 1000i64..1050, 1 => 0i64..1 << 62];
    prop::collection::vec((number.clone(), number.clone(), node, number), 0..400).prop_map(|rows| {
        let mut rows: Vec<Row> = rows.into_iter().map(|(key, point, node, size)| [key, point, node, size]).collect();
        rows.sort_unstable();
        rows
    })
}

fn probes() -> impl Strategy<Value = Vec<Probe>> {
    let probe = (-3i64..4, -4i64..4, 0i64..4, -4i64..4, 0i64..5, 0i64..6).prop_map(
        |(key, earliest, days, smallest, more, asked)| Probe {
            key,
            earliest,
            latest: earliest + days,
            smallest,
            largest: smallest + more,
            asked,
        },
    );
    prop::collection::vec(probe, 0..12).prop_map(|mut probes| {
        probes.sort_by_key(|probe| probe.key);
        probes
    })
}

fn signatures() -> impl Strategy<Value = Signatures> {
    let document = (
        prop::collection::btree_set(any::<u32>(), 0..12),
        any::<u32>(),
        prop::collection::vec(any::<u8>(), KEY_BYTES),
        prop::collection::btree_set(any::<u32>(), 0..5),
        any::<u32>(),
    );
    prop::collection::vec(document, 0..12).prop_map(|documents| {
        let mut made = Signatures::empty(Short::Own);
        for (values, length, key, numerals, count) in documents {
            made.values.extend(values);
            made.offsets.push(made.values.len() as u64);
            made.lengths.push(length);
            made.keys.extend(key);
            made.numerals.extend(numerals);
            made.numeral_offsets.push(made.numerals.len() as u64);
            made.numeral_counts.push(count);
        }
        made
    })
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn packed_rows_come_back(rows in rows()) {
        let blocks = pack(&rows).unwrap();
        prop_assert_eq!(merge(&blocks.bytes, &blocks.offsets, None, None).unwrap(), rows);
    }

    #[test]
    fn blocks_merge_to_the_sorted_rows_of_a_range(
        first in rows(), second in rows(), from in (-3i64..4, -3i64..4), to in (-3i64..4, -3i64..4),
    ) {
        let (mut blocks, more) = (pack(&first).unwrap(), pack(&second).unwrap());
        let start = blocks.bytes.len() as i64;
        blocks.offsets.extend(more.offsets[1..].iter().map(|offset| start + offset));
        blocks.bytes.extend(more.bytes);
        let mut expected = [first, second].concat();
        expected.sort_unstable();
        expected.retain(|row| (from..to).contains(&(row[0], row[1])));
        prop_assert_eq!(merge(&blocks.bytes, &blocks.offsets, Some(from), Some(to)).unwrap(), expected);
    }

    #[test]
    fn removed_rows_are_gone_and_no_other(rows in rows(), step in 1usize..5) {
        let blocks = pack(&rows).unwrap();
        let mut gone: Vec<[i64; 3]> = rows.iter().step_by(step).map(|row| [row[0], row[1], row[2]]).collect();
        gone.sort_unstable();
        let (bytes, offsets, count) = remove(&blocks.bytes, &blocks.offsets, &gone).unwrap();
        let kept: Vec<Row> =
            rows.iter().copied().filter(|row| !gone.contains(&[row[0], row[1], row[2]])).collect();
        prop_assert_eq!(count, rows.len() - kept.len());
        let mut left = Vec::new();
        for ends in offsets.windows(2).filter(|ends| ends[0] < ends[1]) {
            neardup_core::index::key_blocks::unpack(&bytes[ends[0] as usize..ends[1] as usize], &mut left).unwrap();
        }
        prop_assert_eq!(left, kept);
    }

    #[test]
    fn probes_meet_the_rows_of_their_key_within_their_ranges(rows in rows(), probes in probes()) {
        let blocks = pack(&rows).unwrap();
        let (asked, nodes) = meet(&blocks.bytes, &blocks.offsets, &probes).unwrap();
        let mut found: Vec<(i64, i64)> = asked.into_iter().zip(nodes).collect();
        found.sort_unstable();
        let mut expected = Vec::new();
        for probe in &probes {
            let met = |row: &&Row| {
                row[0] == probe.key
                    && (probe.earliest..=probe.latest).contains(&row[1])
                    && (probe.smallest..=probe.largest).contains(&row[3])
            };
            expected.extend(rows.iter().filter(met).map(|row| (probe.asked, row[2])));
        }
        expected.sort_unstable();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn a_tally_counts_the_meetings_of_each_pair(
        meetings in prop::collection::vec((0i64..5, 0i64..6, any::<bool>()), 0..80),
        needed in prop::collection::vec(0u32..5, 5),
    ) {
        let asked: Vec<i64> =
            meetings.iter().map(|&(asked, _, enough)| if enough { -1 - asked } else { asked }).collect();
        let nodes: Vec<i64> = meetings.iter().map(|meeting| meeting.1).collect();
        let mut expected = (Vec::new(), Vec::new());
        for place in 0..5 {
            for node in 0..6 {
                let same: Vec<_> = meetings.iter().filter(|meeting| (meeting.0, meeting.1) == (place, node)).collect();
                let often = same.len() >= needed[place as usize] as usize;
                if !same.is_empty() && (often || same.iter().any(|meeting| meeting.2)) {
                    expected.0.push(place);
                    expected.1.push(node);
                }
            }
        }
        prop_assert_eq!(tally(&asked, &nodes, &needed, 5), Some(expected));
        prop_assert_eq!(tally(&[5], &[0], &[], 5), None);
    }

    #[test]
    fn packed_signatures_come_back(signatures in signatures()) {
        let (bytes, offsets) = packed_signatures::pack(&signatures);
        let found = packed_signatures::unpack(&bytes, &offsets, Short::Own).unwrap();
        prop_assert_eq!(&found.offsets, &signatures.offsets);
        prop_assert_eq!(&found.values, &signatures.values);
        prop_assert_eq!(&found.lengths, &signatures.lengths);
        prop_assert_eq!(&found.keys, &signatures.keys);
        prop_assert_eq!(&found.numeral_offsets, &signatures.numeral_offsets);
        prop_assert_eq!(&found.numerals, &signatures.numerals);
        prop_assert_eq!(&found.numeral_counts, &signatures.numeral_counts);
    }
}
