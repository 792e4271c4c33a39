//! Rows of keys in blocks of bytes, as an index stores them, and queries of these blocks.
//!
//! A row is a key, a point of the key range, such as a day, a node that has the key, and the size of the node. Sorted rows are cut
//! into blocks of bounded length. A block begins with a base that no node of it is below. The keys follow, each as the
//! difference from the one before, and after each key its rows: the difference from the point before; the node,
//! relative to the base or, at the same point, to the node before, with a bit for whether more rows of the key follow;
//! and the size. Numbers have seven bits in each byte.

use rayon::prelude::*;

use crate::support::numbers::{NUMBER_BYTES, read_number, write_number};

/// The most bytes of a block, unless one row is longer: four blocks and the overhead of a database fill 8 KiB.
pub const BLOCK_BYTES: usize = 2_020;
/// The most bytes of a row.
const ROW_BYTES: usize = 4 * NUMBER_BYTES;
const BLOCKS_AT_ONCE: usize = 64;

/// Key, point, node (from 0 to 2^62), size.
pub type Row = [i64; 4];

/// Blocks end to end, and the key and the point of the first row of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blocks {
    /// The bytes of all blocks.
    pub bytes: Vec<u8>,
    /// The offset of each, and the end of the last.
    pub offsets: Vec<i64>,
    /// The first key of each.
    pub keys: Vec<i64>,
    /// The point of the first row of each.
    pub points: Vec<i64>,
}

/// A query: who asks, the key, and the ranges of point and size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Probe {
    /// The key.
    pub key: i64,
    /// The earliest point.
    pub earliest: i64,
    /// The latest point.
    pub latest: i64,
    /// The smallest size.
    pub smallest: i64,
    /// The largest size.
    pub largest: i64,
    /// The number of the asker.
    pub asked: i64,
}

/// Packs sorted rows; returns nothing if the number of a node is out of range.
pub fn pack(rows: &[Row]) -> Option<Blocks> {
    let base = rows.iter().map(|row| row[2]).min().unwrap_or(0);
    if rows.iter().any(|row| !(0..1 << 62).contains(&row[2])) {
        return None;
    }
    let mut blocks = Blocks { offsets: vec![0], ..Blocks::default() };
    let mut start = 0;
    for (index, row) in rows.iter().enumerate() {
        let first = start == index;
        if first {
            blocks.keys.push(row[0]);
            blocks.points.push(row[1]);
            write_number(base as u64, &mut blocks.bytes);
        }
        let before = if first { None } else { Some(&rows[index - 1]) };
        let length = blocks.bytes.len() - *blocks.offsets.last()? as usize;
        let full = length + 2 * ROW_BYTES > BLOCK_BYTES;
        let more = !full && rows.get(index + 1).is_some_and(|next| next[0] == row[0]);
        write_row(row, before, base, more, &mut blocks.bytes);
        if full || index + 1 == rows.len() {
            blocks.offsets.push(blocks.bytes.len() as i64);
            start = index + 1;
        }
    }
    Some(blocks)
}

fn write_row(row: &Row, before: Option<&Row>, base: i64, more: bool, bytes: &mut Vec<u8>) {
    let same_key = before.filter(|before| before[0] == row[0]);
    if same_key.is_none() {
        write_number(row[0].wrapping_sub(before.map_or(0, |before| before[0])) as u64, bytes);
    }
    let (point, node) = match same_key {
        None => (zigzag(row[1]), row[2] - base),
        Some(before) if before[1] == row[1] => (0, row[2] - before[2]),
        Some(before) => (row[1].wrapping_sub(before[1]) as u64, row[2] - base),
    };
    write_number(point, bytes);
    write_number((node as u64) << 1 | u64::from(more), bytes);
    write_number(zigzag(row[3]), bytes);
}

/// Appends the rows of one block; returns nothing if the bytes are not a block.
pub fn unpack(mut rest: &[u8], rows: &mut Vec<Row>) -> Option<()> {
    let base = read_number(&mut rest)? as i64;
    let mut key = 0i64;
    while !rest.is_empty() {
        key = key.wrapping_add(read_number(&mut rest)? as i64);
        let mut point = unzigzag(read_number(&mut rest)?);
        let mut flagged = read_number(&mut rest)?;
        let mut node = base.checked_add((flagged >> 1) as i64)?;
        rows.push([key, point, node, unzigzag(read_number(&mut rest)?)]);
        while flagged & 1 > 0 {
            let step = read_number(&mut rest)?;
            flagged = read_number(&mut rest)?;
            node = if step == 0 { node } else { base }.checked_add((flagged >> 1) as i64)?;
            point = point.wrapping_add(step as i64);
            rows.push([key, point, node, unzigzag(read_number(&mut rest)?)]);
        }
    }
    Some(())
}

/// The bytes of each block; nothing if the offsets do not fit the bytes.
fn parts<'a>(bytes: &'a [u8], offsets: &[i64]) -> Option<Vec<&'a [u8]>> {
    let part = |ends: &[i64]| bytes.get(usize::try_from(ends[0]).ok()?..usize::try_from(ends[1]).ok()?);
    offsets.windows(2).map(part).collect()
}

/// Returns the rows of several blocks in ascending order, from one key and point up to before another.
pub fn merge(bytes: &[u8], offsets: &[i64], from: Option<(i64, i64)>, to: Option<(i64, i64)>) -> Option<Vec<Row>> {
    let mut rows = Vec::new();
    for part in parts(bytes, offsets)? {
        unpack(part, &mut rows)?;
    }
    let inside =
        |row: &Row| from.is_none_or(|from| (row[0], row[1]) >= from) && to.is_none_or(|to| (row[0], row[1]) < to);
    rows.retain(inside);
    // Each segment is already sorted, which a stable sort exploits.
    rows.sort();
    Some(rows)
}

/// Removes rows from blocks: `gone` is sorted and has keys, points and nodes. Returns the new blocks, one for each,
/// with no bytes for an empty one, and how many rows were removed.
pub fn remove(bytes: &[u8], offsets: &[i64], gone: &[[i64; 3]]) -> Option<(Vec<u8>, Vec<i64>, usize)> {
    let (mut left, mut ends, mut count) = (Vec::new(), vec![0], 0);
    let mut rows = Vec::new();
    for part in parts(bytes, offsets)? {
        rows.clear();
        unpack(part, &mut rows)?;
        let before = rows.len();
        rows.retain(|row| gone.binary_search(&[row[0], row[1], row[2]]).is_err());
        count += before - rows.len();
        // A difference can grow when rows are removed, but never by more than the bytes of these rows.
        left.extend(if rows.len() == before { part.to_vec() } else { one_block(&rows)? });
        ends.push(left.len() as i64);
    }
    Some((left, ends, count))
}

fn one_block(rows: &[Row]) -> Option<Vec<u8>> {
    let base = rows.iter().map(|row| row[2]).min().unwrap_or(0);
    let mut bytes = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        if index == 0 {
            write_number(u64::try_from(base).ok()?, &mut bytes);
        }
        let more = rows.get(index + 1).is_some_and(|next| next[0] == row[0]);
        write_row(row, index.checked_sub(1).map(|before| &rows[before]), base, more, &mut bytes);
    }
    Some(bytes)
}

/// Returns the blocks of a segment that sorted probes have to read, by the first key and point of each block.
///
/// Probes that no point of the segment can match are skipped: its dated rows are from `span.0` to `span.1`, the others
/// at `unplaced`, if given.
pub fn choose(probes: &[Probe], keys: &[i64], points: &[i64], span: (i64, i64), unplaced: Option<i64>) -> Vec<u32> {
    let mut chosen = vec![false; keys.len()];
    let begins = |index: usize| (keys[index], points[index]);
    let mut before = 0;
    for probe in probes {
        let dated = probe.latest >= span.0 && probe.earliest <= span.1;
        let undated = unplaced.is_some_and(|point| probe.earliest <= point && point <= probe.latest);
        if !dated && !undated {
            continue;
        }
        while before + 1 < keys.len() && keys[before + 1] < probe.key {
            before += 1;
        }
        // The last block that begins before the range may end with some of it.
        let mut index = before;
        while index + 1 < keys.len() && begins(index + 1) < (probe.key, probe.earliest) {
            index += 1;
        }
        while index < keys.len() && begins(index) <= (probe.key, probe.latest) {
            chosen[index] = true;
            index += 1;
        }
    }
    (0..chosen.len() as u32).filter(|&index| chosen[index as usize]).collect()
}

/// Returns the nodes that sorted probes match, with the askers, once for each row; nothing if the bytes are not blocks.
pub fn meet(bytes: &[u8], offsets: &[i64], probes: &[Probe]) -> Option<(Vec<i64>, Vec<i64>)> {
    let parts = parts(bytes, offsets)?;
    let found: Option<Vec<_>> = parts.par_chunks(BLOCKS_AT_ONCE).map(|chunk| meet_some(chunk, probes)).collect();
    let found = found?;
    let count = found.iter().map(|(asked, _)| asked.len()).sum();
    let (mut asked, mut nodes) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for mut some in found {
        asked.append(&mut some.0);
        nodes.append(&mut some.1);
    }
    Some((asked, nodes))
}

fn meet_some(parts: &[&[u8]], probes: &[Probe]) -> Option<(Vec<i64>, Vec<i64>)> {
    let (mut asked, mut nodes) = (Vec::new(), Vec::new());
    let mut rows = Vec::new();
    for part in parts {
        rows.clear();
        unpack(part, &mut rows)?;
        let Some(first) = rows.first() else { continue };
        let mut index = 0;
        for probe in &probes[probes.partition_point(|probe| probe.key < first[0])..] {
            while rows.get(index).is_some_and(|row| row[0] < probe.key) {
                index += 1;
            }
            let group = &rows[index..];
            let Some(next) = group.first() else { break };
            if next[0] != probe.key {
                continue;
            }
            let start = group.partition_point(|row| (row[0], row[1]) < (probe.key, probe.earliest));
            for row in group[start..].iter().take_while(|row| row[0] == probe.key && row[1] <= probe.latest) {
                if row[3] >= probe.smallest && row[3] <= probe.largest {
                    asked.push(probe.asked);
                    nodes.push(row[2]);
                }
            }
        }
    }
    Some((asked, nodes))
}

/// Returns the pairs of askers and nodes that met often enough, in ascending order.
///
/// An element of `asked` is the number of an asker, below `askers`, or -1 minus that number if one meeting is enough.
/// `needed` is the number of meetings that each asker needs; by default one. Returns nothing if a number is out of
/// range.
pub fn tally(asked: &[i64], nodes: &[i64], needed: &[u32], askers: usize) -> Option<(Vec<i64>, Vec<i64>)> {
    let index_of = |asked: i64| (if asked < 0 { -1 - asked } else { asked }) as usize;
    let mut ends = vec![0usize; askers + 1];
    for &asked in asked {
        *ends.get_mut(index_of(asked) + 1)? += 1;
    }
    for index in 0..askers {
        ends[index + 1] += ends[index];
    }
    let mut next = ends.clone();
    let mut meetings = vec![0u64; asked.len()];
    for (&asked, &node) in asked.iter().zip(nodes) {
        let slot = &mut next[index_of(asked)];
        meetings[*slot] = (node as u64) << 1 | u64::from(asked < 0);
        *slot += 1;
    }
    let mut found = (Vec::new(), Vec::new());
    for index in 0..askers {
        let met = &mut meetings[ends[index]..ends[index + 1]];
        met.sort_unstable();
        let least = needed.get(index).map_or(1, |&least| least as usize);
        for same in met.chunk_by(|a, b| a >> 1 == b >> 1) {
            // A meeting that is enough by itself is last among those with a node.
            if same.len() >= least || same.last().is_some_and(|last| last & 1 > 0) {
                found.0.push(index as i64);
                found.1.push((same[0] >> 1) as i64);
            }
        }
    }
    Some(found)
}

fn zigzag(number: i64) -> u64 {
    (number << 1 ^ number >> 63) as u64
}

fn unzigzag(code: u64) -> i64 {
    (code >> 1) as i64 ^ -((code & 1) as i64)
}

#[cfg(test)]
mod tests;
