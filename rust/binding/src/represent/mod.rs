//! Representations: what the first pass computes, shingle sets, weighted terms, signatures and images.

pub mod first_pass;
pub mod images;
pub mod sets;
pub mod signatures;
pub mod weighted;
