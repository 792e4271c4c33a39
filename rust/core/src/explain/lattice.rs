//! The concept lattice of a small context, built document by document.
//!
//! A concept is a set of documents together with all units that they share, such that no other document has all of
//! these. AddIntent (van der Merwe, Obiedkov & Kourie 2004) adds one document to a lattice: it walks up from the
//! concept of all units and inserts the intersections that are new. Units of the same documents are merged into one
//! unit with a weight. The cost is O(concepts · documents · units/64) for each document.

use std::collections::HashMap;

use crate::candidates::keys::KeyTable;

/// Concepts by descending number of documents, and their neighbours.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Lattice {
    /// The documents of each concept, ascending.
    pub documents: Vec<Vec<u32>>,
    /// The units that they share, ascending.
    pub units: Vec<Vec<u64>>,
    /// Neighbours, by number: a concept, and one with more documents, with none between them.
    pub covers: Vec<(u32, u32)>,
    /// How many of the first documents the lattice covers.
    pub included: usize,
}

/// Builds the lattice of the first documents that have at most `most` concepts; the concept without documents is left
/// out.
pub fn build(sets: KeyTable, most: usize) -> Lattice {
    let rows = Rows::of(sets, sets.len());
    let mut growing = Growing::new(rows.width);
    for document in 0..sets.len() {
        growing.include(document as u32, &rows.of_document[document]);
        // The concept without documents does not count.
        if growing.nodes.len() > most + 1 && document > 0 {
            // The last insertions cannot be undone, so the lattice is built again: at most twice the time.
            return finish(sets, document);
        }
    }
    finish(sets, sets.len())
}

fn finish(sets: KeyTable, included: usize) -> Lattice {
    let rows = Rows::of(sets, included);
    let mut growing = Growing::new(rows.width);
    (0..included).for_each(|document| growing.include(document as u32, &rows.of_document[document]));
    growing.finish(&rows, included)
}

type Bits = Vec<u64>;

fn within(inner: &Bits, outer: &Bits) -> bool {
    inner.iter().zip(outer).all(|(inner, outer)| inner & !outer == 0)
}

fn common(a: &Bits, b: &Bits) -> Bits {
    a.iter().zip(b).map(|(a, b)| a & b).collect()
}

/// Merges units of the same documents into one bit each.
struct Rows {
    units: Vec<Vec<u64>>,
    of_document: Vec<Bits>,
    width: usize,
}

impl Rows {
    fn of(sets: KeyTable, documents: usize) -> Self {
        let mut holders: HashMap<u64, Vec<u32>> = HashMap::new();
        for document in 0..documents {
            for &unit in sets.of(document) {
                holders.entry(unit).or_default().push(document as u32);
            }
        }
        let mut classes: HashMap<Vec<u32>, Vec<u64>> = HashMap::new();
        for (unit, mut documents) in holders {
            documents.dedup();
            classes.entry(documents).or_default().push(unit);
        }
        let mut classes: Vec<(Vec<u32>, Vec<u64>)> = classes.into_iter().collect();
        classes.sort_unstable();
        let width = classes.len().div_ceil(64);
        let mut of_document = vec![vec![0; width]; documents];
        for (class, (documents, _)) in classes.iter().enumerate() {
            documents.iter().for_each(|&document| of_document[document as usize][class / 64] |= 1 << (class % 64));
        }
        let units = classes.into_iter().map(|(_, mut units)| {
            units.sort_unstable();
            units
        });
        Self { units: units.collect(), of_document, width }
    }

    fn units(&self, bits: &Bits) -> Vec<u64> {
        let chosen = (0..self.units.len()).filter(|class| bits[class / 64] >> (class % 64) & 1 == 1);
        let mut units: Vec<u64> = chosen.flat_map(|class| self.units[class].iter().copied()).collect();
        units.sort_unstable();
        units
    }
}

struct Node {
    intent: Bits,
    extent: Vec<u32>,
    above: Vec<usize>,
}

/// A lattice to which documents are added. The first node is the bottom: all units, and the documents that have them.
struct Growing {
    nodes: Vec<Node>,
}

impl Growing {
    fn new(width: usize) -> Self {
        Self { nodes: vec![Node { intent: vec![!0; width], extent: Vec::new(), above: Vec::new() }] }
    }

    fn include(&mut self, document: u32, intent: &Bits) {
        let own = self.add(intent, 0);
        let (mut seen, mut waiting) = (vec![false; self.nodes.len()], vec![own]);
        while let Some(node) = waiting.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                self.nodes[node].extent.push(document);
                waiting.extend(&self.nodes[node].above);
            }
        }
    }

    /// The concept with this intent; inserted above `generator` if it does not exist.
    fn add(&mut self, intent: &Bits, generator: usize) -> usize {
        let mut generator = generator;
        while let Some(&above) =
            self.nodes[generator].above.iter().find(|&&above| within(intent, &self.nodes[above].intent))
        {
            generator = above;
        }
        if self.nodes[generator].intent == *intent {
            return generator;
        }
        let mut above: Vec<usize> = Vec::new();
        for candidate in self.nodes[generator].above.clone() {
            let candidate = if within(&self.nodes[candidate].intent, intent) {
                candidate
            } else {
                self.add(&common(&self.nodes[candidate].intent, intent), candidate)
            };
            let own = &self.nodes[candidate].intent;
            if above.iter().all(|&other| !within(own, &self.nodes[other].intent)) {
                above.retain(|&other| !within(&self.nodes[other].intent, own));
                above.push(candidate);
            }
        }
        let (new, extent) = (self.nodes.len(), self.nodes[generator].extent.clone());
        self.nodes[generator].above.retain(|node| !above.contains(node));
        self.nodes[generator].above.push(new);
        self.nodes.push(Node { intent: intent.clone(), extent, above });
        new
    }

    fn finish(self, rows: &Rows, included: usize) -> Lattice {
        let mut order: Vec<usize> = (0..self.nodes.len()).filter(|&node| !self.nodes[node].extent.is_empty()).collect();
        let extent = |node: usize| &self.nodes[node].extent;
        order.sort_by(|&x, &y| extent(y).len().cmp(&extent(x).len()).then_with(|| extent(x).cmp(extent(y))));
        let mut numbers = vec![u32::MAX; self.nodes.len()];
        order.iter().enumerate().for_each(|(number, &node)| numbers[node] = number as u32);
        let mut covers: Vec<(u32, u32)> = order
            .iter()
            .flat_map(|&node| self.nodes[node].above.iter().map(move |&above| (node, above)))
            .map(|(node, above)| (numbers[node], numbers[above]))
            .collect();
        covers.sort_unstable();
        Lattice {
            documents: order.iter().map(|&node| extent(node).clone()).collect(),
            units: order.iter().map(|&node| rows.units(&self.nodes[node].intent)).collect(),
            covers,
            included,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lattice(sets: &[&[u64]], most: usize) -> Lattice {
        let mut offsets = vec![0];
        sets.iter().for_each(|set| offsets.push(offsets[offsets.len() - 1] + set.len() as u64));
        let elements = sets.concat();
        build(KeyTable { offsets: &offsets, keys: &elements }, most)
    }

    #[test]
    fn three_documents_make_a_diamond() {
        let found = lattice(&[&[1, 2, 3], &[1, 2, 4], &[1, 5]], 100);
        assert_eq!(found.documents, [vec![0, 1, 2], vec![0, 1], vec![0], vec![1], vec![2]]);
        assert_eq!(found.units, [vec![1], vec![1, 2], vec![1, 2, 3], vec![1, 2, 4], vec![1, 5]]);
        assert_eq!(found.covers, [(1, 0), (2, 1), (3, 1), (4, 0)]);
    }

    #[test]
    fn a_limit_leaves_documents_out() {
        let sets: Vec<Vec<u64>> = (0..6u64).map(|set| (0..6).filter(|&unit| unit != set).collect()).collect();
        let sets: Vec<&[u64]> = sets.iter().map(|set| &set[..]).collect();
        let found = lattice(&sets, 20);
        assert_eq!((found.included, found.documents.len()), (4, 15));
        assert_eq!(lattice(&sets, 1000).documents.len(), 63);
        assert_eq!(lattice(&[], 5), Lattice::default());
        assert_eq!(lattice(&[&[], &[]], 5).documents, [vec![0, 1]]);
    }
}
