//! What all files of the binding need: arrays in and out, settings by name, thread pools.

pub mod arrays;
pub mod parsing;
pub mod pools;
