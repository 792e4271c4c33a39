//! From representations to pairs.
//!
//! [`keys`] pairs documents that share a key, and [`bands`] those whose sketches share a band. The joins find every
//! pair that reaches a threshold and verify it on the spot: [`set_join`] for shingle sets under a [`measure`],
//! [`weighted_join`] and [`weighted_shingles`] for weighted terms, [`term_search`] for signatures, [`edit_join`] for
//! edit distances, [`context`] for images. [`partners`] finds the partners of a few documents. A [`guard`] bounds the
//! number of pairs that over-common keys may cost.

pub mod bands;
pub mod context;
pub mod edit_join;
pub mod guard;
pub mod keys;
pub mod measure;
pub mod partners;
pub mod set_join;
pub mod term_search;
pub mod weighted_join;
pub mod weighted_shingles;
