//! The graph of items that share enough.

use rayon::prelude::*;

use crate::candidates::context::{Context, group_by};
use crate::candidates::measure::{Match, Measure};

/// The context, how much its items must share, and who shares that much with whom.
pub struct Graph<'a> {
    /// The context.
    pub context: &'a Context,
    /// How much is enough.
    pub measure: Measure,
    /// Whether no pair is missing.
    pub complete: bool,
    starts: Vec<u32>,
    partners: Vec<u32>,
}

impl<'a> Graph<'a> {
    /// The graph of these pairs of items.
    pub fn new(context: &'a Context, measure: Measure, pairs: &[Match], complete: bool) -> Self {
        let ends: Vec<u32> = pairs.iter().flat_map(|pair| [pair.0, pair.1]).collect();
        let (mut starts, places) = group_by(&ends);
        let last = starts[starts.len() - 1];
        starts.resize(context.items() + 1, last);
        let partner = |&place: &u32| {
            let pair = pairs[place as usize / 2];
            if place % 2 == 0 { pair.1 } else { pair.0 }
        };
        let partners = places.par_iter().map(partner).collect();
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
