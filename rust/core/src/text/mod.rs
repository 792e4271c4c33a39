//! From raw texts to words: the first stage of the pipeline.
//!
//! [`normaliser`] turns a raw text into the text that is compared: it removes [`markup`] and applies a Unicode normal
//! form, and keeps the way back to the original ([`rebuilt`]). [`words`] finds and hashes the words. [`collection`]
//! does both for many texts, and every later stage reads texts through it. [`fingerprint`] and [`collapse`] find
//! identical texts, so that the later stages see each text once.

pub mod bodies;
pub mod characters;
pub mod collapse;
pub mod collection;
pub mod fingerprint;
pub mod markup;
pub mod normaliser;
pub mod paragraphs;
pub mod rebuilt;
pub mod words;
