use super::*;
use crate::support::hash::mix;

fn random_rows(seed: u64, count: u64) -> Vec<Row> {
    let draw = |index: u64| mix(seed << 40 | index) as i64;
    let mut rows: Vec<Row> = (0..count)
        .map(|index| {
            let wide = draw(index * 5) % 7 == 0;
            let key = if wide { draw(index * 5 + 1) } else { draw(index * 5 + 1) % 9 };
            let point = if wide { i64::MIN >> (index % 60) } else { draw(index * 5 + 2) % 5 };
            [key, point, (draw(index * 5 + 3) >> 1).rem_euclid(1 << (1 + index % 61)), draw(index * 5 + 4) % 300]
        })
        .collect();
    rows.sort_unstable();
    rows.dedup_by_key(|row| [row[0], row[1], row[2]]);
    rows
}

#[test]
fn packed_rows_are_unpacked_unchanged() {
    for seed in 0..60 {
        let rows = random_rows(seed, seed * seed);
        let blocks = pack(&rows).expect("sound blocks");
        assert_eq!(merge(&blocks.bytes, &blocks.offsets, None, None), Some(rows.clone()));
        assert!(blocks.offsets.windows(2).all(|ends| ends[1] - ends[0] <= BLOCK_BYTES as i64));
        assert!(blocks.keys.len() == blocks.offsets.len() - 1 && rows.is_empty() == blocks.keys.is_empty());
    }
    assert_eq!(pack(&[[0, 0, -1, 0]]), None);
}

#[test]
fn only_the_requested_range_is_merged() {
    let (rows, others) = (random_rows(1, 900), random_rows(2, 700));
    let mut joined = pack(&rows).expect("sound blocks");
    let more = pack(&others).expect("sound blocks");
    let behind = joined.bytes.len() as i64;
    joined.bytes.extend(&more.bytes);
    joined.offsets.extend(more.offsets[1..].iter().map(|end| end + behind));
    let mut wanted: Vec<Row> = rows.iter().chain(&others).copied().collect();
    wanted.sort_unstable();
    wanted.retain(|row| (row[0], row[1]) >= (2, 1) && (row[0], row[1]) < (7, 0));
    assert_eq!(merge(&joined.bytes, &joined.offsets, Some((2, 1)), Some((7, 0))), Some(wanted));
}

#[test]
fn removed_rows_are_gone_and_the_others_remain() {
    let rows = random_rows(3, 3_000);
    let blocks = pack(&rows).expect("sound blocks");
    let gone: Vec<[i64; 3]> = rows.iter().step_by(3).map(|row| [row[0], row[1], row[2]]).collect();
    let (bytes, offsets, count) = remove(&blocks.bytes, &blocks.offsets, &gone).expect("sound blocks");
    let left: Vec<Row> = rows.iter().enumerate().filter(|(index, _)| index % 3 > 0).map(|(_, row)| *row).collect();
    assert_eq!((offsets.len(), count), (blocks.offsets.len(), gone.len()));
    assert_eq!(merge(&bytes, &offsets, None, None), Some(left));
    let all: Vec<[i64; 3]> = rows.iter().map(|row| [row[0], row[1], row[2]]).collect();
    assert_eq!(remove(&blocks.bytes, &blocks.offsets, &all).map(|left| left.0), Some(Vec::new()));
}

#[test]
fn probes_match_the_rows_that_a_full_scan_finds() {
    for seed in 0..30 {
        let rows = random_rows(seed, 40 + 30 * seed);
        let blocks = pack(&rows).expect("sound blocks");
        let mut probes: Vec<Probe> = (0..200i64)
            .map(|asked| {
                let draw = |index: i64| mix((seed << 50) | (7_000_000 + asked as u64 * 8 + index as u64)) as i64;
                let like = rows[draw(0).rem_euclid(rows.len() as i64) as usize];
                let (earliest, smallest) = (like[1].saturating_sub(draw(1) % 4), draw(2) % 300);
                let (latest, largest) = (like[1].saturating_add(draw(3) % 4), smallest + 100);
                Probe { key: like[0] + draw(4) % 2, earliest, latest, smallest, largest, asked }
            })
            .collect();
        probes.sort_unstable();
        let span = (i64::MIN, i64::MAX);
        let chosen = choose(&probes, &blocks.keys, &blocks.points, span, None);
        let (mut bytes, mut offsets) = (Vec::new(), vec![0]);
        for index in chosen {
            let index = index as usize;
            bytes.extend(&blocks.bytes[blocks.offsets[index] as usize..blocks.offsets[index + 1] as usize]);
            offsets.push(bytes.len() as i64);
        }
        let (asked, nodes) = meet(&bytes, &offsets, &probes).expect("sound blocks");
        let mut found: Vec<(i64, i64)> = asked.into_iter().zip(nodes).collect();
        let meets = |probe: &Probe, row: &Row| {
            row[0] == probe.key
                && (probe.earliest..=probe.latest).contains(&row[1])
                && (probe.smallest..=probe.largest).contains(&row[3])
        };
        let mut wanted: Vec<(i64, i64)> = Vec::new();
        for probe in &probes {
            wanted.extend(rows.iter().filter(|row| meets(probe, row)).map(|row| (probe.asked, row[2])));
        }
        found.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(found, wanted);
    }
}

#[test]
fn askers_and_nodes_that_meet_often_enough_are_paired() {
    let (asked, nodes) = ([0, 1, 0, -1, 1, 0], [7, 7, 7, 4, 9, 9]);
    assert_eq!(tally(&asked, &nodes, &[], 2), Some((vec![0, 0, 0, 1, 1], vec![4, 7, 9, 7, 9])));
    assert_eq!(tally(&asked, &nodes, &[2, 2], 2), Some((vec![0, 0], vec![4, 7])));
    assert_eq!(tally(&[2], &[1], &[], 2), None);
    assert_eq!(tally(&[], &[], &[], 0), Some((vec![], vec![])));
}

#[test]
fn probes_outside_of_a_segment_are_skipped() {
    let probe = Probe { key: 5, earliest: 10, latest: 20, smallest: 0, largest: 9, asked: 0 };
    assert!(choose(&[probe], &[1], &[3], (0, 9), Some(-7)).is_empty());
    assert_eq!(choose(&[probe], &[1], &[3], (0, 10), Some(-7)), [0]);
    assert_eq!(choose(&[Probe { earliest: -9, ..probe }], &[1], &[3], (30, 40), Some(-7)), [0]);
    assert!(choose(&[probe], &[], &[], (0, 99), None).is_empty());
}

#[test]
fn broken_bytes_are_refused() {
    let blocks = pack(&random_rows(4, 50)).expect("sound blocks");
    let end = blocks.bytes.len() as i64;
    assert_eq!(merge(&blocks.bytes, &[0, end + 1], None, None), None);
    assert_eq!(merge(&blocks.bytes, &[0, end - 1], None, None), None);
    assert_eq!(meet(&[255; 40], &[0, 40], &[]), None);
    assert_eq!(remove(&blocks.bytes, &[-1, end], &[]), None);
}
