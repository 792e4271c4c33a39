//! The loops of neardup: everything that goes over characters, hashes or pairs, without Python.
//!
//! Data flows one way: [`text`] prepares, [`tokens`] finds words, [`hash`] makes shingles of them, [`sketch`] and
//! [`join`] propose and verify pairs, [`cluster`] groups them. Between the stages travel flat arrays.

mod agencies;
pub mod align;
pub mod bands;
pub mod bisection;
pub mod blocks;
pub mod bodies;
pub mod campaigns;
pub mod cluster;
pub mod collapse;
pub mod collection;
pub mod concepts;
pub mod context;
pub mod counts;
pub mod describe;
pub mod dockets;
pub mod edits;
pub mod group;
pub mod han;
pub mod hash;
pub mod images;
pub mod interning;
pub mod interrupt;
pub mod join;
pub mod keys;
pub mod lattice;
pub mod letters;
pub mod lexemes;
pub mod mailroom;
pub mod markup;
mod numbers;
pub mod packed;
mod pages;
pub mod paragraphs;
pub mod relate;
pub mod sets;
pub mod signatures;
pub mod simd;
pub mod sketch;
mod sorting;
pub mod survey;
pub mod terms;
pub mod text;
pub mod tokens;
pub mod unicode;
pub mod utf8;
pub mod vicinity;
pub mod weighted;
pub mod wordclass;

/// The version of tokeniser and hashes: whatever is stored carries it.
pub const TOKENISER_VERSION: &str = "tok_v1";
