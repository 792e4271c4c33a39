//! Which documents are duplicates by their signatures, and how to find them all without comparing all.
//!
//! Conrad, Guo & Schriber 2003, sections 6 and 7. Two documents are linked if they were published within so many days
//! of each other, are of like length, and their vectors have enough entries in common; or, however far apart in time, if
//! they have the same key and the same vector. Two vectors that do must share one of their rarest, 13 of 60 at a threshold of 0.8 (prefix filter, Chaudhuri
//! et al. 2006). Under each of these terms documents stand in order of length and day, so that only a window of them is
//! looked at. All bounds are integers.

mod dates;
mod effort;
mod rule;
mod search;

pub use dates::Dates;
pub use effort::{Effort, compare_all};
pub use rule::{Ground, Linked, Rule, overlap_of_at_least};
pub use search::duplicates;
