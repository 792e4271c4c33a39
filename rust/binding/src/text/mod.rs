//! Texts: collections, and checks and bodies of texts.

mod source;
mod texts;

use neardup_core::text::bodies;
use pyo3::prelude::*;

use crate::support::arrays::{Array, array};

pub use source::{are_strings, is_column};
pub use texts::Texts;

/// Return the body of every document, without titles and header lines, as `Texts.restricted` takes it.
#[pyfunction]
pub fn find_bodies<'py>(
    py: Python<'py>,
    texts: &Texts,
) -> PyResult<(Array<'py, u64>, Array<'py, u32>, Array<'py, u32>)> {
    let (starts, ends) = texts.run(py, bodies::bodies)?;
    Ok((array(py, (0..=starts.len() as u64).collect()), array(py, starts), array(py, ends)))
}
