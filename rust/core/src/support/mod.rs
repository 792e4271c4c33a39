//! Tools that know nothing about texts: hashing, vector instructions, sorting, grouping by key, memory, interruption.
//!
//! Every other folder may use this one. It uses none of them. All `unsafe` code of the crate is in [`simd`] and in the
//! private module `huge_pages`.

pub(crate) mod bit_filter;
pub mod fraction;
pub mod grouping;
pub mod hash;
pub(crate) mod huge_pages;
pub mod interrupt;
pub(crate) mod numbers;
pub mod simd;
pub(crate) mod sorting;
