//! From words to representations: what two documents are compared by.
//!
//! [`shingles`] hashes runs of words or characters. A document is then the set of its shingles ([`sets`]), a MinHash or
//! SimHash sketch of them ([`sketch`]), a set of weighted terms ([`weighted_sets`]), a signature of its rarest words
//! ([`terms`], [`signatures`]) or a sample of its shingles ([`images`]). [`first_pass`] reads the collection once and
//! computes what a representation needs from all documents: [`counts`] of shingles or the [`term_table`].

pub mod counts;
pub mod first_pass;
pub mod images;
pub mod sets;
pub mod shingles;
pub mod signatures;
pub mod sketch;
pub mod term_table;
pub mod terms;
pub mod weighted_sets;
