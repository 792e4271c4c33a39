//! Properties of characters: classes for the tokeniser, Chinese characters, and checks of UTF-8.

pub mod han;
pub mod unicode;
pub mod utf8;
