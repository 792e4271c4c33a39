//! Settings that Python passes by name.

use neardup_core::candidates::measure::Measure;
use neardup_core::represent::shingles::Selection;
use neardup_core::represent::shingles::Shingling;
use neardup_core::support::fraction::Fraction;
use neardup_core::text::collection::Unit;
use neardup_core::text::normaliser::{Boilerplate, Form, Markup, Normaliser};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// How texts are read: normal form, markup and boilerplate.
pub fn parse_normaliser(form: &str, markup: &str, boilerplate: &str) -> PyResult<Normaliser> {
    let form = match form {
        "nfc" => Form::Nfc,
        "nfkc" => Form::Nfkc,
        other => return Err(PyValueError::new_err(format!("unknown normal form {other}"))),
    };
    let markup = match markup {
        "auto" => Markup::Auto,
        "fragments" => Markup::Fragments,
        "html" => Markup::Html,
        "plain" => Markup::Plain,
        other => return Err(PyValueError::new_err(format!("unknown markup {other}"))),
    };
    let boilerplate = match boilerplate {
        "keep" => Boilerplate::Keep,
        "drop" => Boilerplate::Drop,
        other => return Err(PyValueError::new_err(format!("unknown treatment of boilerplate {other}"))),
    };
    Ok(Normaliser { form, markup, boilerplate })
}

/// Which shingles are kept.
pub fn parse_selection(selection: &(String, usize)) -> PyResult<Selection> {
    match (selection.0.as_str(), selection.1) {
        ("all", _) => Ok(Selection::All),
        ("position", step) => Ok(Selection::Position(step)),
        ("hash", modulus) => Ok(Selection::Hash(modulus as u64)),
        (other, _) => Err(PyValueError::new_err(format!("unknown selection {other}"))),
    }
}

/// A measure and its threshold.
pub fn parse_measure(measure: &str, threshold: (u64, u64)) -> PyResult<Measure> {
    let fraction = parse_fraction(threshold)?;
    match measure {
        "jaccard" => Ok(Measure::Jaccard(fraction)),
        "overlap" => Ok(Measure::OverlapAbove(fraction)),
        other => Err(PyValueError::new_err(format!("unknown measure {other}"))),
    }
}

/// A threshold as a fraction.
pub fn parse_fraction((numerator, denominator): (u64, u64)) -> PyResult<Fraction> {
    if numerator == 0 || numerator > denominator || denominator > 1 << 24 {
        return Err(PyValueError::new_err("the threshold must be above 0 and at most 1"));
    }
    Ok(Fraction { numerator, denominator })
}

/// What a shingle is.
pub fn parse_shingling((size, unit): &(usize, String)) -> PyResult<Shingling> {
    let unit = match unit.as_str() {
        "word" => Unit::Word,
        "char" => Unit::Char,
        other => return Err(PyValueError::new_err(format!("unknown unit {other}"))),
    };
    if *size == 0 {
        return Err(PyValueError::new_err("a shingle has at least one unit"));
    }
    Ok(Shingling { size: *size, unit })
}
