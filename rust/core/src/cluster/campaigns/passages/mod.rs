//! Campaigns by the passages that letters share, where nobody sent the original unchanged.
//!
//! [`table`] finds the passages that at least three letters have and counts the words of each letter in each passage.
//! [`search`] finds groups of letters whose shared words are mostly words of the same passages.

mod search;
mod table;

pub use search::{Given, Groups, Letters, NO_GROUP, find_groups};
pub use table::{PassageTable, Sharing, find_passages};
