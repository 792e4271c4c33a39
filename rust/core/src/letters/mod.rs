//! Letters and public comments: their parts, and what can be read from them.
//!
//! [`parts`] divides a letter into header, salutation, main text, signature and so on; [`dockets`] finds the docket
//! numbers that it cites. [`letter_batch`] does both for a whole collection. The rest of the pipeline then compares
//! only the main text.

pub mod dockets;
pub mod letter_batch;
pub mod parts;
