//! Counts the steps and clusters of a search, so that it can stop at a bound.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::support::interrupt::checkpoint;

/// The bounds beyond which the next cheaper kind of clusters is computed.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// How many clusters a component may have.
    pub clusters: u64,
    /// How many steps all components together may take, shared out by their size.
    pub steps: u64,
}

/// Steps and clusters of one component, counted by all threads that work on it.
pub struct Meter {
    clusters: AtomicU64,
    steps: AtomicU64,
    /// The bounds.
    pub most: Bounds,
    exceeded: AtomicBool,
}

impl Meter {
    pub fn new(most: Bounds) -> Self {
        Self { clusters: AtomicU64::new(0), steps: AtomicU64::new(0), most, exceeded: AtomicBool::new(false) }
    }

    /// Counts, and returns whether to continue.
    pub fn goes_on(&self, clusters: u64, steps: u64) -> bool {
        checkpoint();
        let clusters = self.clusters.fetch_add(clusters, Ordering::Relaxed) + clusters;
        let steps = self.steps.fetch_add(steps, Ordering::Relaxed) + steps;
        if clusters > self.most.clusters || steps > self.most.steps {
            self.exceeded.store(true, Ordering::Relaxed);
        }
        !self.exceeded.load(Ordering::Relaxed)
    }
}
