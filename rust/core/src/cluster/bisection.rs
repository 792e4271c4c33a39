//! Repeated bisection: a partition of sets into a given number of clusters, each split by two-means.
//!
//! A set is the unit vector of its elements. A cluster is split so that the norms of the two sums are as large as
//! possible (criterion I2 of Zhao & Karypis 2004): each member joins the nearer of two random members, then members
//! move as long as the criterion grows. The best of several trials counts. The next cluster to be split is the one
//! whose split gains most. This is the method that the program CLUTO calls repeated bisection. Each trial passes over
//! the members of a cluster ten times, so that clusters that split off one by one cost O(N²) in total.

use std::collections::{BinaryHeap, HashMap};

use rayon::prelude::*;

use crate::candidates::keys::KeyTable;
use crate::support::hash::mix;
use crate::support::interrupt::checkpoint;

const ROUNDS: usize = 10;
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
/// Smaller gains are rounding errors.
const NOTHING: f64 = 1e-9;

/// Returns the cluster of each set for each of these ascending numbers of clusters. If no split gains anything, the
/// remaining numbers give the same result. A cluster is named by its first set.
pub fn bisect(sets: KeyTable, clusters: &[usize], trials: usize, seed: u64) -> Vec<Vec<u32>> {
    let all: Vec<u32> = (0..sets.len() as u32).collect();
    let mut labels = vec![0u32; sets.len()];
    let mut waiting = BinaryHeap::from([Split::best(sets, all, trials, seed)]);
    let mut count = 1;
    let mut found = Vec::new();
    for &wanted in clusters {
        while count < wanted {
            let Some(split) = waiting.pop().filter(|split| split.gain > NOTHING) else { break };
            count += 1;
            for part in split.parts {
                part.iter().for_each(|&set| labels[set as usize] = part[0]);
                waiting.push(Split::best(sets, part, trials, seed));
            }
        }
        found.push(labels.clone());
    }
    found
}

/// A cluster split in two, and the gain of the criterion.
struct Split {
    gain: f64,
    first: u32,
    parts: [Vec<u32>; 2],
}

impl PartialEq for Split {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Split {}

impl PartialOrd for Split {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Split {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.gain.total_cmp(&other.gain).then(other.first.cmp(&self.first))
    }
}

impl Split {
    /// The best of several trials, the first of equal ones.
    fn best(sets: KeyTable, members: Vec<u32>, trials: usize, seed: u64) -> Self {
        let first = members.first().copied().unwrap_or(0);
        let nothing = Self { gain: 0.0, first, parts: [Vec::new(), Vec::new()] };
        if members.len() < 2 {
            return nothing;
        }
        let local = Vectors::of(sets, &members);
        let drawn = (0..trials as u64).into_par_iter().map(|trial| {
            checkpoint();
            let mut chance = mix(seed ^ mix(u64::from(first) << 32 | trial));
            local.cut(&mut chance)
        });
        let halves: Vec<(f64, Vec<bool>)> = drawn.collect();
        let best = halves.into_iter().reduce(|best, next| if next.0 > best.0 + NOTHING { next } else { best });
        let Some((value, sides)) = best else { return nothing };
        let side = |wanted| {
            members.iter().zip(&sides).filter(|(_, side)| **side == wanted).map(|(&member, _)| member).collect()
        };
        let (own, other): (Vec<u32>, Vec<u32>) = (side(sides[0]), side(!sides[0]));
        if other.is_empty() {
            return nothing;
        }
        Self { gain: value - local.norm(), first, parts: [own, other] }
    }
}

/// The vectors of the members of a cluster, over the elements that two or more of them have.
struct Vectors {
    starts: Vec<usize>,
    elements: Vec<u32>,
    weights: Vec<f64>,
    width: usize,
}

impl Vectors {
    fn of(sets: KeyTable, members: &[u32]) -> Self {
        let mut counts: HashMap<u64, u32> = HashMap::new();
        for &member in members {
            sets.of(member as usize).iter().for_each(|&element| *counts.entry(element).or_default() += 1);
        }
        let mut numbers: HashMap<u64, u32> = HashMap::new();
        let (mut starts, mut elements, mut weights) = (vec![0], Vec::new(), Vec::new());
        for &member in members {
            let own = sets.of(member as usize);
            for element in own.iter().filter(|&element| counts[element] > 1) {
                let next = numbers.len() as u32;
                elements.push(*numbers.entry(*element).or_insert(next));
            }
            starts.push(elements.len());
            weights.push(if own.is_empty() { 0.0 } else { 1.0 / (own.len() as f64).sqrt() });
        }
        Self { starts, elements, weights, width: numbers.len() }
    }

    fn len(&self) -> usize {
        self.weights.len()
    }

    fn shared(&self, member: usize) -> &[u32] {
        &self.elements[self.starts[member]..self.starts[member + 1]]
    }

    /// The norm of the sum of all vectors.
    fn norm(&self) -> f64 {
        let mut sum = Sum::new(self.width);
        (0..self.len()).for_each(|member| sum.add(self, member));
        sum.square.max(0.0).sqrt()
    }

    /// Splits the members from two random ones: the criterion and the side of each.
    fn cut(&self, chance: &mut u64) -> (f64, Vec<bool>) {
        let first = draw(chance, self.len());
        let second = (first + 1 + draw(chance, self.len() - 1)) % self.len();
        let mut sums = [Sum::new(self.width), Sum::new(self.width)];
        sums[0].add(self, first);
        sums[1].add(self, second);
        let near = [sums[0].clone(), sums[1].clone()];
        let mut sides = vec![false; self.len()];
        sides[second] = true;
        for (member, side) in sides.iter_mut().enumerate().filter(|(at, _)| *at != first && *at != second) {
            *side = near[1].dot(self, member) > near[0].dot(self, member);
            sums[usize::from(*side)].add(self, member);
        }
        self.improve(&mut sums, &mut sides, chance);
        (sums.iter().map(|sum| sum.square.max(0.0).sqrt()).sum(), sides)
    }

    /// Moves members to the other side, in a random order, as long as the criterion grows.
    fn improve(&self, sums: &mut [Sum; 2], sides: &mut [bool], chance: &mut u64) {
        let mut order: Vec<usize> = (0..self.len()).collect();
        for _ in 0..ROUNDS {
            for index in (1..order.len()).rev() {
                order.swap(index, draw(chance, index + 1));
            }
            let mut moved = false;
            for &member in &order {
                let (from, to) = (usize::from(sides[member]), usize::from(!sides[member]));
                if sums[from].members > 1 && self.gain(&sums[from], &sums[to], member) > NOTHING {
                    sums[from].remove(self, member);
                    sums[to].add(self, member);
                    sides[member] = !sides[member];
                    moved = true;
                }
            }
            if !moved {
                break;
            }
        }
    }

    /// The gain of the criterion if a member moves from one sum to the other.
    fn gain(&self, from: &Sum, to: &Sum, member: usize) -> f64 {
        let own = self.square(member);
        // The sum of a member also has the elements that only the member has.
        let within = from.dot(self, member) + own - self.shared_square(member);
        let without = (from.square - 2.0 * within + own).max(0.0).sqrt();
        let with = (to.square + 2.0 * to.dot(self, member) + own).max(0.0).sqrt();
        without + with - from.square.max(0.0).sqrt() - to.square.max(0.0).sqrt()
    }

    fn square(&self, member: usize) -> f64 {
        if self.weights[member] > 0.0 { 1.0 } else { 0.0 }
    }

    fn shared_square(&self, member: usize) -> f64 {
        self.shared(member).len() as f64 * self.weights[member] * self.weights[member]
    }
}

/// The sum of some vectors, and the square of its norm.
#[derive(Clone)]
struct Sum {
    values: Vec<f64>,
    square: f64,
    members: usize,
}

impl Sum {
    fn new(width: usize) -> Self {
        Self { values: vec![0.0; width], square: 0.0, members: 0 }
    }

    fn dot(&self, vectors: &Vectors, member: usize) -> f64 {
        let sum: f64 = vectors.shared(member).iter().map(|&element| self.values[element as usize]).sum();
        sum * vectors.weights[member]
    }

    fn add(&mut self, vectors: &Vectors, member: usize) {
        self.square += 2.0 * self.dot(vectors, member) + vectors.square(member);
        self.members += 1;
        let weight = vectors.weights[member];
        vectors.shared(member).iter().for_each(|&element| self.values[element as usize] += weight);
    }

    fn remove(&mut self, vectors: &Vectors, member: usize) {
        let within = self.dot(vectors, member) + vectors.square(member) - vectors.shared_square(member);
        self.square += vectors.square(member) - 2.0 * within;
        self.members -= 1;
        let weight = vectors.weights[member];
        vectors.shared(member).iter().for_each(|&element| self.values[element as usize] -= weight);
    }
}

fn draw(chance: &mut u64, below: usize) -> usize {
    *chance = mix(chance.wrapping_add(STEP));
    ((u128::from(*chance) * below as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_that_share_nothing_are_separated() {
        let sets: Vec<Vec<u64>> =
            (0..12u64).map(|set| (0..8).map(|element| (set % 3) * 100 + element + set / 6).collect()).collect();
        let mut offsets = vec![0];
        sets.iter().for_each(|set| offsets.push(offsets[offsets.len() - 1] + set.len() as u64));
        let elements = sets.concat();
        let table = KeyTable { offsets: &offsets, keys: &elements };
        let found = bisect(table, &[1, 2, 3], 10, 1);
        assert_eq!(found[0], vec![0; 12]);
        assert_eq!(found[2], (0..12).map(|set| set % 3).collect::<Vec<u32>>());
    }

    #[test]
    fn a_split_without_gain_is_not_made() {
        let table = KeyTable { offsets: &[0], keys: &[] };
        assert_eq!(bisect(table, &[1, 5], 3, 1), vec![Vec::<u32>::new(); 2]);
        let table = KeyTable { offsets: &[0, 2, 4], keys: &[1, 2, 1, 2] };
        assert_eq!(bisect(table, &[5], 3, 1), vec![vec![0, 0]]);
    }
}
