//! Images of documents: samples of their shingles or words.

use neardup_core::represent::images::{Choice, Growth, Imager, Imaging, word_images};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::support::arrays::{Array, array, slice};
use crate::support::parsing::parse_shingling;
use crate::text::Texts;

/// The units of documents, end to end, and the offset of each document.
pub type Images<'py> = (Array<'py, u64>, Array<'py, u64>);

/// Return the images of these documents. `choice` is `bottom` or `permutations`, `growth` is `fixed`, `log` or
/// `linear`; `literal` uses the orders of the paper.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // the settings of an image
pub fn images<'py>(
    py: Python<'py>,
    texts: &Texts,
    documents: PyReadonlyArray1<'py, u32>,
    shingling: (usize, String),
    offset: usize,
    choice: &str,
    size: usize,
    growth: &str,
    literal: bool,
) -> PyResult<Images<'py>> {
    let (documents, shingling) = (texts.documents(&documents)?, parse_shingling(&shingling)?);
    let choice = match choice {
        "bottom" => Choice::Bottom,
        "permutations" => Choice::Permutations,
        other => return Err(PyValueError::new_err(format!("unknown choice {other}"))),
    };
    let growth = match growth {
        "fixed" => Growth::Fixed,
        "log" => Growth::Logarithmic,
        "linear" => Growth::Linear,
        other => return Err(PyValueError::new_err(format!("unknown growth {other}"))),
    };
    let imaging = Imaging { shingling, offset, choice, size, growth, literal };
    let (units, offsets) = texts.run(py, |collection| Imager::new(imaging).images(collection, &documents))?;
    Ok((array(py, units), array(py, offsets)))
}

/// Return the words of these documents that are among the ascending `hashes`.
#[pyfunction]
#[pyo3(name = "word_images")]
pub fn images_of_words<'py>(
    py: Python<'py>,
    texts: &Texts,
    documents: PyReadonlyArray1<'py, u32>,
    hashes: PyReadonlyArray1<'py, u64>,
) -> PyResult<Images<'py>> {
    let (documents, hashes) = (texts.documents(&documents)?, slice(&hashes, "hashes")?);
    let (units, offsets) = texts.run(py, |collection| word_images(collection, &documents, hashes))?;
    Ok((array(py, units), array(py, offsets)))
}
