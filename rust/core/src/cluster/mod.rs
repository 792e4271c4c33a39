//! From pairs to clusters.
//!
//! [`groups`] forms connected components or stars from verified pairs. [`campaigns`] assigns letters to the reference
//! copies of form letters, [`concepts`] finds clusters of documents that share a set of units, and [`bisection`]
//! divides a collection into a given number of clusters.

pub mod bisection;
pub mod campaigns;
pub mod concepts;
pub mod groups;
