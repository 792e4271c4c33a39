//! The engine of neardup: every loop over characters, hashes or pairs, without Python.
//!
//! # The pipeline
//!
//! Near-duplicate detection is a pipeline of stages. Flat arrays travel between them, and each stage is a folder:
//!
//! 1. [`text`] turns raw texts into the text that is compared, and that into words. [`letters`] finds the parts of a
//!    letter, so that only its main text is compared.
//! 2. [`represent`] turns words into what documents are compared by: sets of shingles, sketches, weighted terms,
//!    signatures.
//! 3. [`candidates`] finds the pairs of documents that are similar, or that may be and are then verified.
//! 4. [`cluster`] turns pairs into clusters.
//! 5. [`explain`] states how two documents differ.
//! 6. [`index`] packs keys and signatures for storage.
//!
//! [`passages`] is no stage of it: it finds text that otherwise different documents share.
//!
//! [`support`] has the tools that all stages share.
//!
//! Imports between folders point in one direction: `support` ← `text` ← `letters`, `represent` ← `candidates` ←
//! `explain` ← `cluster`, `index` uses `represent` and `support`, and `passages` uses `text`. No two modules use each other. A test of the
//! project, `tests/test_rust_modules.py`, checks both.
//!
//! # Example
//!
//! Two of these three letters differ in one word. The example finds them twice: exactly, by a join of their sets of
//! shingles, and approximately, by the band keys of their MinHash sketches.
//!
//! ```
//! use neardup_core::candidates::keys::{KeyTable, Limits, candidates};
//! use neardup_core::candidates::measure::Measure;
//! use neardup_core::candidates::set_join::similar_pairs;
//! use neardup_core::cluster::groups::components;
//! use neardup_core::represent::first_pass::{FirstPass, survey};
//! use neardup_core::represent::sets::Sets;
//! use neardup_core::represent::shingles::{Selection, Shingling};
//! use neardup_core::represent::sketch::Bands;
//! use neardup_core::support::fraction::Fraction;
//! use neardup_core::text::collection::{Collection, Unit};
//! use neardup_core::text::normaliser::{Boilerplate, Form, Markup, Normaliser};
//!
//! // Texts: how they are read.
//! let texts = [
//!     "Please keep the limits on mercury. Our children drink from this river every day of the year.",
//!     "The rule will cost jobs in our county and should be withdrawn before the end of the month.",
//!     "Please keep the limits on mercury! Our children drink from this lake every day of the year.",
//! ];
//! let normaliser = Normaliser { form: Form::Nfc, markup: Markup::Plain, boilerplate: Boilerplate::Keep };
//! let collection = Collection::new(&texts, &[], normaliser);
//!
//! // Representation: the set of all pairs of neighbouring words.
//! let shingling = Shingling { size: 2, unit: Unit::Word };
//! let sets = Sets::plain(&collection, &[0, 1, 2], shingling, Selection::All);
//! assert_eq!(sets.sizes(), [16, 17, 16]);
//!
//! // Verified pairs: every pair with a Jaccard similarity of at least 7/10, and the shingles that it shares.
//! let limits = Limits { lengths: sets.sizes(), copies: &[], sides: &[], budget: u64::MAX };
//! let threshold = Fraction { numerator: 7, denominator: 10 };
//! let (matches, _) = similar_pairs(&sets, Measure::Jaccard(threshold), &limits);
//! assert_eq!(matches, [(0, 2, 14)]);
//!
//! // Candidate pairs: documents whose sketches share a band of two slots.
//! let found = survey(&collection, &[], &FirstPass::Sketch(shingling, Bands::new(32, 2)));
//! let mut rows: Vec<Vec<u64>> = found.keys.chunks(32).map(<[u64]>::to_vec).collect();
//! rows.iter_mut().for_each(|row| row.sort_unstable());
//! let table = KeyTable { keys: &rows.concat(), offsets: &[0, 32, 64, 96] };
//! let (pairs, _) = candidates(table, &limits);
//! assert_eq!(pairs, [(0, 2)]);
//!
//! // Clusters: the smallest document of each component.
//! assert_eq!(components(3, &pairs), [0, 1, 0]);
//! ```

pub mod candidates;
pub mod cluster;
pub mod explain;
pub mod index;
pub mod letters;
pub mod passages;
pub mod represent;
pub mod support;
pub mod text;

/// The version of the tokeniser and of the hash functions. Everything that is stored carries it.
pub const TOKENISER_VERSION: &str = "tok_v1";
