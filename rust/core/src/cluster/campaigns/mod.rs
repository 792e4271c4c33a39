//! Letters against the reference copies of campaigns: what they contain of one, and how far they are from it.
//!
//! The distance is the smaller of the two Kullback-Leibler divergences between the word distributions of two texts, the
//! right side smoothed with a Dirichlet prior from a background model (Yang & Callan 2006, section 4.2):
//! with p the relative frequencies in a, tf those in b and C the background,
//!
//! ```text
//! KL(a||b) = sum over w in a of p(w) ln(p(w)/C(w))  -  sum over w in both of p(w) ln(1 + tf(w)/(mu C(w)))  +  ln(1 + |b|/mu)
//! ```
//!
//! so both directions come from one merge of two sorted lists. Candidates are found without comparing all with all: a
//! reference is looked at if the letter holds its winnowed 5-grams (one is sure for any common run of 20 words), and not
//! twice as many of another's, or if
//! too few of the words that carry most of its divergence, or of the letter's, are missing on the other side. That bound
//! is exact: by the log-sum inequality the matched words give back at most 1/e.

mod containment;
mod divergence;

pub use containment::{Bounds, Held, hold_against};
pub use divergence::{Background, distances};
