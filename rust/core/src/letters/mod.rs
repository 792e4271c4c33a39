//! Letters and public comments: their parts, and what can be read from them.
//!
//! [`parts`] divides a letter into header, salutation, main text, signature and so on; [`dockets`] finds the docket
//! numbers that it cites, and [`topics`] those that say what it is about. [`letter_batch`] does all of it for a whole collection. The rest of the pipeline then compares
//! only the main text.

pub mod dockets;
pub mod letter_batch;
pub mod parts;
pub mod topics;
