//! Rows of keys in blocks of bytes, as an index keeps them, and whom questions meet in them.
//!
//! A row is a key, the moment at which it stands, the node that has it and the node's size. Sorted rows are cut into blocks
//! of bounded length. A block begins with a number that no node of it is below. Then come the keys, each as a step from the
//! one before, and behind each its rows: the step from the moment before, the node, as a step where the moment is the same,
//! with a bit that says whether more rows of the key follow, and the size. Numbers have seven bits a byte.

use rayon::prelude::*;

use crate::support::numbers::{NUMBER_BYTES, read_number, write_number};

/// How long a block is at most, unless one row alone is longer: four of them and what a database adds fill 8 KiB.
pub const BLOCK_BYTES: usize = 2_020;
/// How long a row can be.
const ROW_BYTES: usize = 4 * NUMBER_BYTES;
const BLOCKS_AT_ONCE: usize = 64;

/// Key, moment, node (from 0 to 2^62), size.
pub type Row = [i64; 4];

/// Blocks behind each other, and the key and the moment of the first row of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blocks {
    /// The bytes of all blocks.
    pub bytes: Vec<u8>,
    /// Where each begins, with the end of the last.
    pub offsets: Vec<i64>,
    /// The first key of each.
    pub keys: Vec<i64>,
    /// The moment of the first row of each.
    pub moments: Vec<i64>,
}

/// A question: who asks, the key, and the least and the most of moment and size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Probe {
    /// The key that is looked for.
    pub key: i64,
    /// From this moment on.
    pub earliest: i64,
    /// Up to this moment.
    pub latest: i64,
    /// From this size on.
    pub smallest: i64,
    /// Up to this size.
    pub largest: i64,
    /// Who asks.
    pub asked: i64,
}

/// Packs sorted rows; nothing if the number of a node is out of range.
pub fn pack(rows: &[Row]) -> Option<Blocks> {
    let base = rows.iter().map(|row| row[2]).min().unwrap_or(0);
    if rows.iter().any(|row| !(0..1 << 62).contains(&row[2])) {
        return None;
    }
    let mut blocks = Blocks { offsets: vec![0], ..Blocks::default() };
    let mut start = 0;
    for (place, row) in rows.iter().enumerate() {
        let first = start == place;
        if first {
            blocks.keys.push(row[0]);
            blocks.moments.push(row[1]);
            write_number(base as u64, &mut blocks.bytes);
        }
        let before = if first { None } else { Some(&rows[place - 1]) };
        let length = blocks.bytes.len() - *blocks.offsets.last()? as usize;
        let full = length + 2 * ROW_BYTES > BLOCK_BYTES;
        let more = !full && rows.get(place + 1).is_some_and(|next| next[0] == row[0]);
        write_row(row, before, base, more, &mut blocks.bytes);
        if full || place + 1 == rows.len() {
            blocks.offsets.push(blocks.bytes.len() as i64);
            start = place + 1;
        }
    }
    Some(blocks)
}

fn write_row(row: &Row, before: Option<&Row>, base: i64, more: bool, bytes: &mut Vec<u8>) {
    let same_key = before.filter(|before| before[0] == row[0]);
    if same_key.is_none() {
        write_number(row[0].wrapping_sub(before.map_or(0, |before| before[0])) as u64, bytes);
    }
    let (moment, node) = match same_key {
        None => (zigzag(row[1]), row[2] - base),
        Some(before) if before[1] == row[1] => (0, row[2] - before[2]),
        Some(before) => (row[1].wrapping_sub(before[1]) as u64, row[2] - base),
    };
    write_number(moment, bytes);
    write_number((node as u64) << 1 | u64::from(more), bytes);
    write_number(zigzag(row[3]), bytes);
}

/// Appends the rows of one block; nothing if it is none.
pub fn unpack(mut rest: &[u8], rows: &mut Vec<Row>) -> Option<()> {
    let base = read_number(&mut rest)? as i64;
    let mut key = 0i64;
    while !rest.is_empty() {
        key = key.wrapping_add(read_number(&mut rest)? as i64);
        let mut moment = unzigzag(read_number(&mut rest)?);
        let mut flagged = read_number(&mut rest)?;
        let mut node = base.checked_add((flagged >> 1) as i64)?;
        rows.push([key, moment, node, unzigzag(read_number(&mut rest)?)]);
        while flagged & 1 > 0 {
            let step = read_number(&mut rest)?;
            flagged = read_number(&mut rest)?;
            node = if step == 0 { node } else { base }.checked_add((flagged >> 1) as i64)?;
            moment = moment.wrapping_add(step as i64);
            rows.push([key, moment, node, unzigzag(read_number(&mut rest)?)]);
        }
    }
    Some(())
}

/// The parts of joined blocks; nothing if these do not lie in the bytes.
fn parts<'a>(bytes: &'a [u8], offsets: &[i64]) -> Option<Vec<&'a [u8]>> {
    let part = |ends: &[i64]| bytes.get(usize::try_from(ends[0]).ok()?..usize::try_from(ends[1]).ok()?);
    offsets.windows(2).map(part).collect()
}

/// The rows of several blocks in ascending order, from one place in the order, and up to before another.
pub fn merge(bytes: &[u8], offsets: &[i64], from: Option<(i64, i64)>, to: Option<(i64, i64)>) -> Option<Vec<Row>> {
    let mut rows = Vec::new();
    for part in parts(bytes, offsets)? {
        unpack(part, &mut rows)?;
    }
    let inside =
        |row: &Row| from.is_none_or(|from| (row[0], row[1]) >= from) && to.is_none_or(|to| (row[0], row[1]) < to);
    rows.retain(inside);
    // Each run is in order already, which this way of sorting finds out.
    rows.sort();
    Some(rows)
}

/// Takes rows out of blocks: `gone` are sorted keys, moments and nodes. Returns the blocks anew, one for each, empty ones
/// without a byte, and how many rows went.
pub fn remove(bytes: &[u8], offsets: &[i64], gone: &[[i64; 3]]) -> Option<(Vec<u8>, Vec<i64>, usize)> {
    let (mut left, mut ends, mut count) = (Vec::new(), vec![0], 0);
    let mut rows = Vec::new();
    for part in parts(bytes, offsets)? {
        rows.clear();
        unpack(part, &mut rows)?;
        let before = rows.len();
        rows.retain(|row| gone.binary_search(&[row[0], row[1], row[2]]).is_err());
        count += before - rows.len();
        // A step can grow when rows go, but never by more than what the rows between took.
        left.extend(if rows.len() == before { part.to_vec() } else { one_block(&rows)? });
        ends.push(left.len() as i64);
    }
    Some((left, ends, count))
}

fn one_block(rows: &[Row]) -> Option<Vec<u8>> {
    let base = rows.iter().map(|row| row[2]).min().unwrap_or(0);
    let mut bytes = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        if place == 0 {
            write_number(u64::try_from(base).ok()?, &mut bytes);
        }
        let more = rows.get(place + 1).is_some_and(|next| next[0] == row[0]);
        write_row(row, place.checked_sub(1).map(|before| &rows[before]), base, more, &mut bytes);
    }
    Some(bytes)
}

/// Which blocks of a run sorted probes have to look into, by the first key and moment of each block.
///
/// Probes that no moment of the run's can answer are passed over: its dated rows stand from `span.0` to `span.1`, others at
/// `nowhere`, if that is given.
pub fn choose(probes: &[Probe], keys: &[i64], moments: &[i64], span: (i64, i64), nowhere: Option<i64>) -> Vec<u32> {
    let mut chosen = vec![false; keys.len()];
    let begins = |place: usize| (keys[place], moments[place]);
    let mut before = 0;
    for probe in probes {
        let dated = probe.latest >= span.0 && probe.earliest <= span.1;
        let undated = nowhere.is_some_and(|moment| probe.earliest <= moment && moment <= probe.latest);
        if !dated && !undated {
            continue;
        }
        while before + 1 < keys.len() && keys[before + 1] < probe.key {
            before += 1;
        }
        // The last block that begins before what is looked for: it may end with some of it.
        let mut place = before;
        while place + 1 < keys.len() && begins(place + 1) < (probe.key, probe.earliest) {
            place += 1;
        }
        while place < keys.len() && begins(place) <= (probe.key, probe.latest) {
            chosen[place] = true;
            place += 1;
        }
    }
    (0..chosen.len() as u32).filter(|&place| chosen[place as usize]).collect()
}

/// Whom sorted probes meet in blocks: who asked and the node, once for each row; nothing if the bytes are no blocks.
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
        let mut place = 0;
        for probe in &probes[probes.partition_point(|probe| probe.key < first[0])..] {
            while rows.get(place).is_some_and(|row| row[0] < probe.key) {
                place += 1;
            }
            let group = &rows[place..];
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

/// Which askers met which nodes often enough: pairs in ascending order.
///
/// `asked` has the place of who asked, from 0 to before `places`, or -1 less it where the key is enough by itself; `needed`
/// is how many meetings each place needs, one where nothing is given. Nothing if a place is out of range.
pub fn tally(asked: &[i64], nodes: &[i64], needed: &[u32], places: usize) -> Option<(Vec<i64>, Vec<i64>)> {
    let place_of = |asked: i64| (if asked < 0 { -1 - asked } else { asked }) as usize;
    let mut ends = vec![0usize; places + 1];
    for &asked in asked {
        *ends.get_mut(place_of(asked) + 1)? += 1;
    }
    for place in 0..places {
        ends[place + 1] += ends[place];
    }
    let mut next = ends.clone();
    let mut meetings = vec![0u64; asked.len()];
    for (&asked, &node) in asked.iter().zip(nodes) {
        let slot = &mut next[place_of(asked)];
        meetings[*slot] = (node as u64) << 1 | u64::from(asked < 0);
        *slot += 1;
    }
    let mut found = (Vec::new(), Vec::new());
    for place in 0..places {
        let met = &mut meetings[ends[place]..ends[place + 1]];
        met.sort_unstable();
        let least = needed.get(place).map_or(1, |&least| least as usize);
        for same in met.chunk_by(|a, b| a >> 1 == b >> 1) {
            // A meeting that is enough by itself stands last among those with a node.
            if same.len() >= least || same.last().is_some_and(|last| last & 1 > 0) {
                found.0.push(place as i64);
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
