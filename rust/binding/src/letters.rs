//! Letters taken apart.

use neardup_core::letters::dockets::DocketRules;
use neardup_core::letters::letter_batch::{self, Opened};
use neardup_core::letters::parts::{Footers, Kind};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::support::arrays::{Array, array};
use crate::text::Texts;
use numpy::PyReadonlyArray1;

/// Rules for letters: docket numbers beyond those built in, and the footers of a collection.
#[pyclass(frozen)]
pub struct LetterRules {
    dockets: DocketRules,
    footers: Footers,
}

/// Offsets, kinds, starts and ends of parts; docket numbers (separated by a unit separator) and relayer of each letter;
/// the hash of its footer.
type Columns<'py> =
    (Array<'py, u64>, Array<'py, u8>, Array<'py, u32>, Array<'py, u32>, Vec<String>, Vec<String>, Array<'py, u64>);

#[pymethods]
impl LetterRules {
    /// Rules from patterns and aliases of docket numbers; the footers are learned from the texts.
    #[staticmethod]
    fn learn(py: Python<'_>, texts: &Texts, patterns: Vec<String>, aliases: Vec<(String, String)>) -> PyResult<Self> {
        let dockets = parse_rules(&patterns, &aliases)?;
        Ok(Self { dockets, footers: texts.run(py, letter_batch::learn_footers)? })
    }

    /// The names of the kinds of parts, by number.
    #[staticmethod]
    fn kinds() -> Vec<&'static str> {
        Kind::ALL.iter().map(|kind| kind.name()).collect()
    }

    /// The canonical spelling of docket numbers that stand alone.
    fn spell(&self, numbers: Vec<String>) -> Vec<String> {
        numbers.iter().map(|number| self.dockets.spell(number)).collect()
    }

    /// Takes every letter apart.
    fn open<'py>(&self, py: Python<'py>, texts: &Texts) -> PyResult<Columns<'py>> {
        let opened: Opened =
            texts.run(py, |collection| letter_batch::open(collection, &self.footers, &self.dockets))?;
        let dockets = opened.marks.iter().map(|marks| marks.dockets.join("\u{1f}")).collect();
        let footers = opened.marks.iter().map(|marks| marks.footer).collect();
        let relayers = opened.marks.into_iter().map(|marks| marks.relayer).collect();
        let (offsets, kinds) = (array(py, opened.offsets), array(py, opened.kinds));
        let (starts, ends) = (array(py, opened.starts), array(py, opened.ends));
        Ok((offsets, kinds, starts, ends, dockets, relayers, array(py, footers)))
    }

    /// Sender, receiver and topic of these letters, as far as their texts say; empty where they do not.
    fn fields(
        &self,
        py: Python<'_>,
        texts: &Texts,
        documents: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<(Vec<String>, Vec<String>, Vec<String>)> {
        let documents = texts.documents(&documents)?;
        let found =
            texts.run(py, |collection| letter_batch::fields(collection, &documents, &self.footers, &self.dockets))?;
        let (mut senders, mut receivers, mut topics) = (Vec::new(), Vec::new(), Vec::new());
        for fields in found {
            senders.push(fields.sender);
            receivers.push(fields.receiver);
            topics.push(fields.topic);
        }
        Ok((senders, receivers, topics))
    }
}

fn parse_rules(patterns: &[String], aliases: &[(String, String)]) -> PyResult<DocketRules> {
    DocketRules::new(patterns, aliases).map_err(|problem| PyValueError::new_err(problem.to_string()))
}
