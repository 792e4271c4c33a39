//! The engine of neardup: every loop over characters, hashes or pairs, without Python.

pub mod candidates;
pub mod cluster;
pub mod explain;
pub mod index;
pub mod letters;
pub mod represent;
pub mod support;
pub mod text;

/// The version of the tokeniser and of the hash functions. Everything that is stored carries it.
pub const TOKENISER_VERSION: &str = "tok_v1";
