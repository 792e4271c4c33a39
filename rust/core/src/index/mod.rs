//! Compact forms of keys and signatures for storage in an index.
//!
//! [`key_blocks`] stores sorted postings of keys in blocks that can be merged and searched. [`packed_signatures`]
//! stores signatures.

pub mod key_blocks;
pub mod packed_signatures;
