//! Clusters as closed sets: all documents that share a set of at least k description units (Ignatov & Kuznetsov 2009).
//!
//! A cluster is the set of all documents that have some units A in common and for which A is enough: at least k units,
//! or a share of the document's own units. Any two documents of a cluster share at least as much, so each cluster is
//! within a connected component of the graph of pairs, and each component is mined by itself. There are three kinds of
//! results: all closed sets, the maximal ones (which FPmax* finds in the paper), or a cover, a few maximal ones that
//! contain every document with a partner (`cover`). If a component has more clusters or takes more steps than allowed,
//! the next cheaper kind is computed for it. Steps are counted instead of seconds, so that the result does not depend
//! on the machine.
//!
//! A component is searched document by document, each with the partners that follow it. A partner is represented by the
//! units of the document that it lacks (`local`, `search`), a few bits. Time is proportional to the result, memory to
//! the component.

mod clusters;
mod cover;
mod graph;
mod local;
mod meter;
mod search;

use rayon::prelude::*;

pub use clusters::{Clusters, Kind};
pub use graph::Graph;
pub use local::WIDEST;
pub use meter::Bounds;
use meter::Meter;

use crate::candidates::context::{Context, group_by};
use crate::candidates::measure::Match;
use crate::cluster::groups;

/// The result of mining.
pub struct Mined {
    /// The clusters, members being documents: the largest by texts first, then by shared units, then by members.
    pub clusters: Clusters,
    /// How many components have a cluster.
    pub components: u64,
    /// For how many of them the maximal clusters, and for how many a cover, replaced the requested kind.
    pub degraded: (u64, u64),
}

/// Finds the clusters of the requested kind. If pairs are missing, only a cover can be found.
pub fn mine(graph: &Graph, pairs: &[Match], kind: Kind, most: Bounds) -> Mined {
    let components = components(graph, pairs);
    let items: usize = components.iter().map(Vec::len).sum();
    let asked = kind;
    let kind = if graph.complete { kind } else { Kind::Cover };
    let (clusters, degraded) = components
        .par_iter()
        .fold(Default::default, |(found, degraded): (Clusters, (u64, u64)), component| {
            let steps = (most.steps as u128 * component.len() as u128 / items.max(1) as u128) as u64;
            let bounds = Bounds { steps: steps.max(LEAST_STEPS), ..most };
            let (clusters, given) = mine_component(graph, component, kind, bounds);
            let count = |wanted: Kind| u64::from(given == wanted && given != asked);
            let degraded = (degraded.0 + count(Kind::Maximal), degraded.1 + count(Kind::Cover));
            (found.join(clusters), degraded)
        })
        .reduce(Default::default, |a, b| (a.0.join(b.0), (a.1.0 + b.1.0, a.1.1 + b.1.1)));
    Mined { clusters: expand(graph.context, &clusters), components: components.len() as u64, degraded }
}

/// The fewest steps that a component may take, even if its share is smaller.
const LEAST_STEPS: u64 = 10_000_000;

/// The items of each component that has a cluster: two items or more, or one of several texts.
fn components(graph: &Graph, pairs: &[Match]) -> Vec<Vec<u32>> {
    let context = graph.context;
    let edges: Vec<(u32, u32)> = pairs.iter().map(|pair| (pair.0, pair.1)).collect();
    let (starts, items) = group_by(&groups::components(context.items(), &edges));
    let component = |pair: &[u32]| &items[pair[0] as usize..pair[1] as usize];
    let several = |items: &[u32]| match items {
        [] => false,
        [item] => context.copies(*item as usize) > 1 && !context.is_short(*item as usize, graph.measure),
        _ => true,
    };
    starts.windows(2).map(component).filter(|items| several(items)).map(<[u32]>::to_vec).collect()
}

/// The clusters of a component, and their kind.
fn mine_component(graph: &Graph, component: &[u32], kind: Kind, bounds: Bounds) -> (Clusters, Kind) {
    if let [item] = component {
        let mut alone = Clusters::default();
        alone.push([*item], graph.context.sets().size(*item as usize));
        return (alone, kind);
    }
    let cheaper = match kind {
        Kind::Closed => Kind::Maximal,
        Kind::Maximal => Kind::Cover,
        Kind::Cover => return (cover::cover(graph, component), Kind::Cover),
    };
    match search::search(graph, component, kind, &Meter::new(bounds)) {
        Some(clusters) => (clusters, kind),
        None => mine_component(graph, component, cheaper, bounds),
    }
}

/// Replaces items by documents, and sorts the clusters.
fn expand(context: &Context, clusters: &Clusters) -> Clusters {
    let mut order: Vec<(u128, usize)> =
        (0..clusters.len()).into_par_iter().map(|at| rank(context, clusters, at)).collect();
    // Items are numbered by their first document and are disjoint, so their order is that of their documents.
    order.par_sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| clusters.of(a.1).cmp(clusters.of(b.1))));
    let mut ordered = Clusters::default();
    let alone = context.items() == context.len();
    for (_, cluster) in order {
        let items = clusters.of(cluster);
        if alone {
            ordered.members.extend_from_slice(items);
            ordered.ends.push(ordered.members.len());
            ordered.units.push(clusters.units[cluster]);
        } else {
            let documents = items.iter().flat_map(|&item| context.documents(item as usize));
            ordered.push(documents.copied(), clusters.units[cluster]);
        }
    }
    ordered
}

/// The sort key of a cluster, as far as it fits: most texts, most units, first members.
fn rank(context: &Context, clusters: &Clusters, cluster: usize) -> (u128, usize) {
    let items = clusters.of(cluster);
    let texts: u64 = items.iter().map(|&item| u64::from(context.copies(item as usize))).sum();
    let texts = u32::MAX - texts.min(u64::from(u32::MAX)) as u32;
    let parts = [texts, u32::MAX - clusters.units[cluster], items[0], items.get(1).map_or(0, |item| item + 1)];
    (parts.into_iter().fold(0, |key, part| key << 32 | u128::from(part)), cluster)
}

#[cfg(test)]
mod tests;
