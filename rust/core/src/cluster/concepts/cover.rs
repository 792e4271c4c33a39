//! A cover of a component: a few maximal clusters that contain every document with a partner.
//!
//! The paper leaves "suitable subsets of all clusters covering a collection" to further work. This cover is greedy: the
//! document with the most partners that is in no cluster yet starts one. Of the partners that can be added, the next is
//! the one that adds the most uncovered documents for the units that it costs, together with all partners that lack no
//! more than it does, until none fits. All documents that have the remaining units belong to the cluster. Clusters
//! whose documents are all in others are dropped at the end. The time is that of examining the partners of as many
//! documents as there are clusters.

use super::clusters::Clusters;
use super::graph::Graph;
use super::local::{Count, Local, Plain, WIDEST, Weighted, by_width, is_within, padded, union, without};

/// How many comparisons choosing the next partner may take.
const COMPARISONS: usize = 1 << 16;
const LEAST_CHOICES: usize = 4;

/// Covers a component of two items or more.
pub fn cover(graph: &Graph, component: &[u32]) -> Clusters {
    let mut order: Vec<(std::cmp::Reverse<u64>, u32)> =
        component.iter().map(|&item| (weigh(graph, item), item)).collect();
    order.sort_unstable();
    let index = |item: u32| component.binary_search(&item).ok();
    let mut covered = vec![false; component.len()];
    let mut found = Clusters::default();
    for (_, item) in order {
        if index(item).is_some_and(|index| covered[index]) {
            continue;
        }
        let local = Local::new(graph, item);
        let is_covered = |item: u32| index(item).is_none_or(|index| covered[index]);
        let (members, units) = by_width!(&local, grow(graph, &is_covered));
        members.iter().filter_map(|&member| index(member)).for_each(|index| covered[index] = true);
        found.push(members, units);
    }
    without_needless(graph, component, &found)
}

fn weigh(graph: &Graph, item: u32) -> std::cmp::Reverse<u64> {
    let texts = |item: &u32| u64::from(graph.context.copies(*item as usize));
    std::cmp::Reverse(texts(&item) + graph.partners(item).iter().map(texts).sum::<u64>())
}

/// Drops clusters, small ones first, whose documents are all in others.
fn without_needless(graph: &Graph, component: &[u32], clusters: &Clusters) -> Clusters {
    let index = |item: &u32| component.binary_search(item).unwrap_or(0);
    let mut times = vec![0u32; component.len()];
    clusters.members.iter().for_each(|item| times[index(item)] += 1);
    let texts = |cluster: usize| {
        clusters.of(cluster).iter().map(|&item| u64::from(graph.context.copies(item as usize))).sum::<u64>()
    };
    let mut order: Vec<(u64, std::cmp::Reverse<usize>)> =
        (0..clusters.len()).map(|cluster| (texts(cluster), std::cmp::Reverse(cluster))).collect();
    order.sort_unstable();
    let mut kept = vec![true; clusters.len()];
    for (_, std::cmp::Reverse(cluster)) in order {
        if clusters.of(cluster).iter().all(|item| times[index(item)] > 1) {
            clusters.of(cluster).iter().for_each(|item| times[index(item)] -= 1);
            kept[cluster] = false;
        }
    }
    let mut left = Clusters::default();
    for cluster in (0..clusters.len()).filter(|&cluster| kept[cluster]) {
        left.push(clusters.of(cluster).iter().copied(), clusters.units[cluster]);
    }
    left
}

/// Partners that lack the same units and need the same number.
#[derive(Clone, Copy)]
struct Class<const W: usize> {
    missing: [u64; W],
    count: u32,
    need: u32,
    uncovered: u64,
    texts: u64,
    first: u32,
}

/// Grows the cluster of a document: its members and the number of units they share.
fn grow<const W: usize, C: Count>(
    local: &Local,
    counter: C,
    graph: &Graph,
    is_covered: &dyn Fn(u32) -> bool,
) -> (Vec<u32>, u32) {
    let mut classes: Vec<Class<W>> = (0..local.partners.len())
        .map(|partner| {
            let item = local.partners[partner];
            let missing = padded(local.missing(partner));
            let texts = u64::from(graph.context.copies(item as usize));
            let uncovered = if is_covered(item) { 0 } else { texts };
            Class { missing, count: counter.count(&missing), need: graph.need(item), uncovered, texts, first: item }
        })
        .collect();
    let (mut removed, mut size, mut need) = ([0; W], local.shared, graph.need(local.item));
    loop {
        classes.retain(|class| class.count > 0 && size - class.count >= need.max(class.need));
        merge(&mut classes);
        let Some(chosen) = choose(&classes) else { break };
        removed = union(&removed, &chosen.missing);
        size -= chosen.count;
        need = need.max(chosen.need);
        for class in &mut classes {
            class.missing = without(&class.missing, &chosen.missing);
            class.count = counter.count(&class.missing);
        }
        classes.retain(|class| class.count <= size);
    }
    (members(local, graph, &removed, size), size)
}

fn merge<const W: usize>(classes: &mut Vec<Class<W>>) {
    classes.sort_unstable_by_key(|class| (class.count, class.missing, class.need, class.first));
    classes.dedup_by(|later, kept| {
        let same = later.missing == kept.missing && later.need == kept.need;
        if same {
            kept.uncovered += later.uncovered;
            kept.texts += later.texts;
        }
        same
    });
}

/// The class that adds the most uncovered texts for each unit that it costs; then the most texts, then the cheapest.
fn choose<const W: usize>(classes: &[Class<W>]) -> Option<Class<W>> {
    let tried = (COMPARISONS / classes.len().max(1)).max(LEAST_CHOICES).min(classes.len());
    let gain = |class: &Class<W>| {
        let within = classes.iter().filter(|other| is_within(&other.missing, &class.missing));
        within.fold((0u64, 0u64), |sum, other| (sum.0 + other.uncovered, sum.1 + other.texts))
    };
    let mut best: Option<((u64, u64), &Class<W>)> = None;
    for class in &classes[..tried] {
        let gained = gain(class);
        let better = best.is_none_or(|(known, chosen)| {
            let rate = |gained: u64, class: &Class<W>| u128::from(gained) * u128::from(class.count);
            let uncovered = rate(gained.0, chosen).cmp(&rate(known.0, class));
            uncovered.then(rate(gained.1, chosen).cmp(&rate(known.1, class))).is_gt()
        });
        if better {
            best = Some((gained, class));
        }
    }
    best.map(|(_, class)| *class)
}

/// All items that have the remaining units and need no more.
fn members<const W: usize>(local: &Local, graph: &Graph, removed: &[u64; W], units: u32) -> Vec<u32> {
    let sets = graph.context.sets();
    let rows: Vec<u64> = local.rows(sets.values(local.item as usize), removed).collect();
    let mut members: Vec<u32> = match rows.first() {
        Some(&rarest) if !graph.complete => {
            let holders = graph.context.holders(rarest as usize).iter().copied();
            holders.filter(|&item| has_all(sets.values(item as usize), &rows)).collect()
        }
        _ => (0..local.partners.len())
            .filter(|&partner| is_within(&padded(local.missing(partner)), removed))
            .map(|partner| local.partners[partner])
            .chain([local.item])
            .collect(),
    };
    members.retain(|&item| graph.need(item) <= units);
    members
}

fn has_all(values: &[u64], wanted: &[u64]) -> bool {
    let mut rest = values.iter();
    wanted.iter().all(|row| rest.by_ref().find(|value| *value >= row) == Some(row))
}
