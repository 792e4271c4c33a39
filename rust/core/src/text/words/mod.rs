//! Words of a text: tokens with their offsets and hashes, terms (words or Chinese compounds), and classes of terms.

pub mod lexemes;
pub mod tokens;
pub mod word_class;
