//! The graph of items that share enough.

use rayon::prelude::*;

use crate::candidates::context::{Context, group_by};
use crate::candidates::measure::{Match, Measure};

/// The context, how much its items must share, and which items share that much.
pub struct Graph<'a> {
    /// The context.
    pub context: &'a Context,
    /// How much is enough.
    pub measure: Measure,
    /// Whether all pairs are known.
    pub complete: bool,
    starts: Vec<u32>,
    partners: Vec<u32>,
}

impl<'a> Graph<'a> {
    /// The graph of these pairs of items.
    pub fn new(context: &'a Context, measure: Measure, pairs: &[Match], complete: bool) -> Self {
        let ends: Vec<u32> = pairs.iter().flat_map(|pair| [pair.0, pair.1]).collect();
        let (mut starts, indices) = group_by(&ends);
        let last = starts[starts.len() - 1];
        starts.resize(context.items() + 1, last);
        let partner = |&index: &u32| {
            let pair = pairs[index as usize / 2];
            if index % 2 == 0 { pair.1 } else { pair.0 }
        };
        let partners = indices.par_iter().map(partner).collect();
        Self { context, measure, complete, starts, partners }
    }

    /// The items that share enough with this one.
    pub fn partners(&self, item: u32) -> &[u32] {
        &self.partners[self.starts[item as usize] as usize..self.starts[item as usize + 1] as usize]
    }

    /// How much an item must share.
    pub fn need(&self, item: u32) -> u32 {
        self.context.need(item as usize, self.measure)
    }
}
