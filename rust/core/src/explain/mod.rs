//! Why two documents belong together: what was kept, added, removed or moved.
//!
//! [`align`] aligns a document with a reference word by word. [`relate`] names the relation that the alignment amounts
//! to, and [`describe`] does both for the members of a cluster. [`lattice`] builds the concept lattice of a few sets.

pub mod align;
pub mod describe;
pub mod lattice;
mod misreadings;
pub mod relate;
