//! Letters against the reference copies of campaigns: how much of a reference a letter contains, and its distance.
//!
//! The distance is the smaller of the two Kullback-Leibler divergences between the word distributions of two texts, the
//! right side smoothed with a Dirichlet prior from a background model (Yang & Callan 2006, section 4.2). With p the
//! relative frequencies in a, tf those in b and C the background,
//!
//! ```text
//! KL(a||b) = sum over w in a of p(w) ln(p(w)/C(w))  -  sum over w in both of p(w) ln(1 + tf(w)/(mu C(w)))  +  ln(1 + |b|/mu)
//! ```
//!
//! so both directions come from one merge of two sorted lists. A letter is compared only with references that may be
//! near. These are the references of which it contains winnowed shingles of five words (any common run of 20 words has
//! one), and at least half as many as of any other reference; and those where too few of the words that carry most of
//! the divergence are missing on the other side. That bound is exact: by the log-sum inequality the matched words
//! reduce the divergence by at most 1/e.

mod consensus;
mod containment;
mod divergence;
pub mod passages;
mod rewriting;

pub use consensus::{Consensus, Point, consensus, find_points};
pub use containment::{Bounds, Containment, compare_with_references};
pub use divergence::{Background, distances};
pub use rewriting::{Rewriting, find_rewritings};
