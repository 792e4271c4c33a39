//! All closed sets of a component, or the maximal ones.
//!
//! Every cluster is found from its first document. Relative to that document, a cluster is a set of missing bits M, the
//! union of the bits that its members lack, and it contains all partners that lack nothing else. The search is a tree
//! over such sets. At each node, the partners that can still be added are grouped by the further bits that they lack.
//! Each group, the one that lacks most first, makes a child together with all groups whose bits it contains. Groups
//! that were first in an earlier child stay in the list as excluded: a child that would contain one is known already
//! (the prefix-preserving closure extension of LCM, Uno et al. 2004, in the form of Bron & Kerbosch 1973). No found set
//! is kept for comparison.
//!
//! For the maximal sets a pivot is chosen: a maximal set without the pivot contains a group that lacks more than the
//! pivot does, so no other group need come first (Tomita et al. 2006, for sets instead of cliques).

use rayon::prelude::*;

use super::clusters::{Clusters, Kind};
use super::graph::Graph;
use super::local::{Count, Local, Plain, WIDEST, Weighted, by_width, is_within, padded, union, without};
use super::meter::{Bounds, Meter};

const REPORTED_STEPS: u64 = 1 << 14;
const PIVOTS: usize = 24;
/// If documents need different numbers of units, the maximal sets are selected from all closed sets, of which there may
/// be this many times more.
const CLOSED_FOR_MAXIMAL: u64 = 10;

/// Searches a component; returns nothing if it exceeds the bounds of the meter.
pub fn search(graph: &Graph, component: &[u32], kind: Kind, meter: &Meter) -> Option<Clusters> {
    let mut order: Vec<u32> = component.to_vec();
    order.sort_unstable_by_key(|&item| (graph.need(item), graph.partners(item).len(), item));
    let lowest = graph.need(order[0]);
    let even = order.iter().all(|&item| graph.need(item) == lowest);
    if kind == Kind::Maximal && !even {
        let wide =
            Meter::new(Bounds { clusters: meter.most.clusters.saturating_mul(CLOSED_FOR_MAXIMAL), ..meter.most });
        let closed = walk(graph, &order, Kind::Closed, even, &wide)?;
        let maximal = only_maximal(&closed);
        return (maximal.len() as u64 <= meter.most.clusters).then_some(maximal);
    }
    walk(graph, &order, kind, even, meter)
}

fn walk(graph: &Graph, order: &[u32], kind: Kind, even: bool, meter: &Meter) -> Option<Clusters> {
    let mut by_item: Vec<(u32, u32)> = order.iter().enumerate().map(|(rank, &item)| (item, rank as u32)).collect();
    by_item.sort_unstable();
    let rank = |item: u32| by_item[by_item.partition_point(|known| known.0 < item)].1;
    let found = order
        .par_iter()
        .enumerate()
        .with_max_len(1)
        .fold(Clusters::default, |found, (index, &item)| {
            if !meter.goes_on(0, 0) {
                return found;
            }
            let local = Local::new(graph, item);
            let earlier: Vec<bool> = local.partners.iter().map(|&partner| rank(partner) < index as u32).collect();
            let settings = Settings { graph, kind, even, meter };
            by_width!(&local, search_from(&earlier, &settings, found))
        })
        .reduce(Clusters::default, Clusters::join);
    meter.goes_on(0, 0).then_some(found)
}

/// The clusters that are in no other.
fn only_maximal(clusters: &Clusters) -> Clusters {
    let mut order: Vec<usize> = (0..clusters.len()).collect();
    order.sort_by_key(|&cluster| std::cmp::Reverse(clusters.of(cluster).len()));
    let mut holding: std::collections::HashMap<u32, Vec<usize>> = Default::default();
    let mut kept = Clusters::default();
    for cluster in order {
        let members = clusters.of(cluster);
        let rarest =
            members.iter().map(|member| holding.get(member).map_or(&[][..], Vec::as_slice)).min_by_key(|l| l.len());
        let within = |&other: &usize| members.iter().all(|member| clusters.of(other).binary_search(member).is_ok());
        if rarest.unwrap_or_default().iter().any(within) {
            continue;
        }
        members.iter().for_each(|&member| holding.entry(member).or_default().push(cluster));
        kept.push(members.iter().copied(), clusters.units[cluster]);
    }
    kept
}

struct Settings<'a> {
    graph: &'a Graph<'a>,
    kind: Kind,
    /// Whether all documents need the same number of units.
    even: bool,
    meter: &'a Meter,
}

/// Partners that lack the same bits.
#[derive(Clone, Copy)]
struct Class<const W: usize> {
    missing: [u64; W],
    count: u32,
    excluded: bool,
    /// The range of its partners in the arena.
    members: (u32, u32),
}

struct Search<'a, const W: usize, C: Count> {
    local: &'a Local,
    counter: C,
    settings: &'a Settings<'a>,
    /// The partners of classes, class by class.
    arena: Vec<u32>,
    /// The partners in the current cluster, besides the first document.
    path: Vec<u32>,
    spare: Vec<Vec<Class<W>>>,
    found: Clusters,
    reported: usize,
    steps: u64,
    stopped: bool,
}

/// Searches from one document and adds the clusters found.
fn search_from<const W: usize, C: Count>(
    local: &Local,
    counter: C,
    earlier: &[bool],
    settings: &Settings,
    found: Clusters,
) -> Clusters {
    let mut search = Search::<W, C> {
        local,
        counter,
        settings,
        arena: (0..local.partners.len() as u32).collect(),
        path: Vec::new(),
        spare: Vec::new(),
        reported: found.len(),
        found,
        steps: 0,
        stopped: false,
    };
    search.begin(earlier);
    search.report();
    search.found
}

impl<const W: usize, C: Count> Search<'_, W, C> {
    fn begin(&mut self, earlier: &[bool]) {
        let (graph, item) = (self.settings.graph, self.local.item);
        let (size, need) = (graph.context.sets().size(item as usize), graph.need(item));
        let class = |(partner, &excluded): (usize, &bool)| {
            let missing = padded(self.local.missing(partner));
            Class {
                missing,
                count: self.counter.count(&missing),
                excluded,
                members: (partner as u32, partner as u32 + 1),
            }
        };
        let mut list: Vec<Class<W>> = earlier.iter().enumerate().map(class).collect();
        self.merge(&mut list);
        let alone = size > self.local.shared;
        let closed = self.settings.kind == Kind::Closed;
        if alone && closed {
            self.emit(&[0; W], size);
        }
        let complete = list.first().copied().filter(|class| class.count == 0);
        if let Some(class) = complete {
            if class.excluded {
                return;
            }
            self.enter(&class);
            list.remove(0);
        }
        if closed && (complete.is_some() || !alone) {
            self.emit(&[0; W], self.local.shared);
        }
        match self.settings.kind {
            Kind::Closed => self.closed(&list, [0; W], self.local.shared, need),
            _ => self.maximal(&list, self.local.shared, need),
        }
    }

    /// Sorts classes by how much they lack, and merges those that lack the same.
    fn merge(&mut self, list: &mut Vec<Class<W>>) {
        list.sort_unstable_by(|a, b| a.count.cmp(&b.count).then_with(|| a.missing.cmp(&b.missing)));
        let mut kept = 0;
        let mut start = 0;
        while start < list.len() {
            let mut end = start + 1;
            while end < list.len() && list[end].missing == list[start].missing {
                end += 1;
            }
            let mut class = list[start];
            if end > start + 1 {
                class.excluded = list[start..end].iter().any(|class| class.excluded);
                if !class.excluded {
                    let begin = self.arena.len() as u32;
                    for class in &list[start..end] {
                        self.arena.extend_from_within(class.members.0 as usize..class.members.1 as usize);
                    }
                    class.members = (begin, self.arena.len() as u32);
                }
            }
            list[kept] = class;
            kept += 1;
            start = end;
        }
        list.truncate(kept);
    }

    fn enter(&mut self, class: &Class<W>) {
        self.path.extend_from_slice(&self.arena[class.members.0 as usize..class.members.1 as usize]);
    }

    /// Adds a class and all classes whose bits it contains; returns false if an excluded one is among them.
    fn close(&mut self, list: &[Class<W>], index: usize) -> bool {
        let class = &list[index];
        let smaller = list.partition_point(|other| other.count < class.count);
        self.count_steps(smaller as u64 + 1);
        for other in &list[..smaller] {
            if is_within(&other.missing, &class.missing) {
                if other.excluded {
                    return false;
                }
                self.enter(other);
            }
        }
        self.enter(class);
        true
    }

    /// Visits the closed sets below a node: the current cluster lacks `removed` and has `size` units.
    fn closed(&mut self, list: &[Class<W>], removed: [u64; W], size: u32, need: u32) {
        let depth = self.path.len();
        for index in (0..list.len()).rev() {
            if list[index].excluded || self.stopped {
                continue;
            }
            if self.close(list, index) {
                let class = &list[index];
                let (removed, size) = (union(&removed, &class.missing), size - class.count);
                self.emit(&removed, size);
                if size > need {
                    self.closed_below(list, index, removed, size, need);
                }
            }
            self.path.truncate(depth);
        }
    }

    fn closed_below(&mut self, list: &[Class<W>], index: usize, removed: [u64; W], size: u32, need: u32) {
        let mut child = self.spare.pop().unwrap_or_default();
        let arena = self.arena.len();
        self.narrow(&list[..index], &list[index], size - need, false, &mut child);
        if child.iter().any(|class| !class.excluded) {
            self.narrow(&list[index + 1..], &list[index], size - need, true, &mut child);
            self.merge(&mut child);
            self.closed(&child, removed, size, need);
            self.arena.truncate(arena);
        }
        child.clear();
        self.spare.push(child);
    }

    /// The bits that classes lack in addition to a class, as far as the slack allows.
    fn narrow(&mut self, list: &[Class<W>], class: &Class<W>, slack: u32, exclude: bool, child: &mut Vec<Class<W>>) {
        self.count_steps(list.len() as u64);
        for other in list {
            let missing = without(&other.missing, &class.missing);
            let count = self.counter.count(&missing);
            if count > 0 && count <= slack {
                child.push(Class { missing, count, excluded: exclude || other.excluded, members: other.members });
            }
        }
    }

    /// Visits the maximal sets below a node, which has `size` units; all documents need the same number here.
    fn maximal(&mut self, list: &[Class<W>], size: u32, need: u32) {
        if list.is_empty() {
            self.emit(&[0; W], size);
            return;
        }
        if self.stopped || list.iter().all(|class| class.excluded) || self.take_all(list, size, need) {
            return;
        }
        let depth = self.path.len();
        let pivot = self.pivot(list);
        let skipped = |index: usize| index != pivot && is_within(&list[index].missing, &list[pivot].missing);
        for index in (0..list.len()).rev() {
            if list[index].excluded || self.stopped || skipped(index) {
                continue;
            }
            if self.close(list, index) {
                let size = size - list[index].count;
                let mut child = self.spare.pop().unwrap_or_default();
                let arena = self.arena.len();
                self.narrow(&list[..index], &list[index], size - need, false, &mut child);
                for later in index + 1..list.len() {
                    self.narrow(&list[later..=later], &list[index], size - need, !skipped(later), &mut child);
                }
                self.merge(&mut child);
                self.maximal(&child, size, need);
                self.arena.truncate(arena);
                child.clear();
                self.spare.push(child);
            }
            self.path.truncate(depth);
        }
    }

    /// Whether all remaining groups can be added together: then that is the only maximal set here, if it is one.
    fn take_all(&mut self, list: &[Class<W>], size: u32, need: u32) -> bool {
        let open = || list.iter().filter(|class| !class.excluded);
        let all = open().fold([0; W], |all, class| union(&all, &class.missing));
        let count = self.counter.count(&all);
        self.count_steps(list.len() as u64);
        if count > size - need {
            return false;
        }
        let slack = size - need - count;
        let fits = |class: &Class<W>| self.counter.count(&without(&class.missing, &all)) <= slack;
        if !list.iter().any(|class| class.excluded && fits(class)) {
            let depth = self.path.len();
            open().for_each(|class| {
                self.path.extend_from_slice(&self.arena[class.members.0 as usize..class.members.1 as usize])
            });
            self.emit(&[0; W], size - count);
            self.path.truncate(depth);
        }
        true
    }

    /// The class that contains most others, of those that lack most.
    fn pivot(&mut self, list: &[Class<W>]) -> usize {
        let contained = |index: usize| {
            let within = |class: &&Class<W>| !class.excluded && is_within(&class.missing, &list[index].missing);
            list.iter().filter(within).count()
        };
        let tried = list.len().saturating_sub(PIVOTS)..list.len();
        self.count_steps((tried.len() * list.len()) as u64);
        tried.max_by_key(|&index| contained(index)).unwrap_or(0)
    }

    /// Records the current cluster. If documents need different numbers of units, only the members for which these
    /// units are enough belong to it; if those have more in common, it is another cluster.
    fn emit(&mut self, removed: &[u64; W], units: u32) {
        let graph = self.settings.graph;
        if !self.settings.even {
            let mut common = [0; W];
            let mut kept = Vec::with_capacity(self.path.len());
            for &partner in &self.path {
                if graph.need(self.local.partners[partner as usize]) <= units {
                    common = union(&common, &padded(self.local.missing(partner as usize)));
                    kept.push(self.local.partners[partner as usize]);
                }
            }
            let alone = kept.is_empty() && units < graph.context.sets().size(self.local.item as usize);
            if common != *removed || alone {
                return;
            }
            if !kept.is_empty() || graph.context.copies(self.local.item as usize) > 1 {
                self.found.push(kept.into_iter().chain([self.local.item]), units);
            }
        } else if !self.path.is_empty() || graph.context.copies(self.local.item as usize) > 1 {
            let members = self.path.iter().map(|&partner| self.local.partners[partner as usize]);
            self.found.push(members.chain([self.local.item]), units);
        }
    }

    fn count_steps(&mut self, steps: u64) {
        self.steps += steps;
        if self.steps >= REPORTED_STEPS {
            self.report();
        }
    }

    fn report(&mut self) {
        let clusters = (self.found.len() - self.reported) as u64;
        self.reported = self.found.len();
        self.stopped |= !self.settings.meter.goes_on(clusters, self.steps);
        self.steps = 0;
    }
}
