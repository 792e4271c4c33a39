//! Duplicates by their signatures, found without comparing every document with every other.
//!
//! Conrad, Guo & Schriber 2003, sections 6 and 7. Two documents are linked if they were published within a window of
//! days, have similar lengths, and their vectors have enough entries in common; or, at any distance in time, if they
//! have the same key and the same vector. Two such vectors must share one of their rarest entries, 13 of 60 at a
//! threshold of 0.8 (prefix filter, Chaudhuri et al. 2006). The documents of each entry are sorted by length and day,
//! so that only a window of them is examined. All bounds are integers.

mod dates;
mod effort;
mod rule;
mod search;

pub use dates::Dates;
pub use effort::{Effort, compare_all};
pub use rule::{Ground, Linked, Rule, overlap_of_at_least};
pub use search::duplicates;
