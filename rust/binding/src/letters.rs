//! Letters: their parts, features and fields.

use neardup_core::letters::dockets::DocketRules;
use neardup_core::letters::letter_batch::{self, LetterBatch, LetterFeatures};
use neardup_core::letters::parts::{Footers, Kind};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::support::arrays::{Array, array};
use crate::text::Texts;
use numpy::PyReadonlyArray1;

/// Rules for letters: patterns and aliases of docket numbers, and the footers of a collection.
#[pyclass(frozen)]
pub struct LetterRules {
    dockets: DocketRules,
    footers: Footers,
}

/// Offsets, kinds, starts and ends of parts.
type Parts<'py> = (Array<'py, u64>, Array<'py, u8>, Array<'py, u32>, Array<'py, u32>);
/// The docket numbers of each letter, separated by a unit separator: all that it cites, those of the dockets that it is
/// about, those in shared text.
type Numbers = (Vec<String>, Vec<String>, Vec<String>);
/// The parts, the docket numbers and the relaying organisation of each letter; the hash of its footer, and whether it has
/// words outside its main text.
type Columns<'py> = (Parts<'py>, Numbers, Vec<String>, Array<'py, u64>, Array<'py, bool>);

#[pymethods]
impl LetterRules {
    /// Create rules from patterns and aliases of docket numbers; the footers are learnt from the texts.
    #[staticmethod]
    fn learn(py: Python<'_>, texts: &Texts, patterns: Vec<String>, aliases: Vec<(String, String)>) -> PyResult<Self> {
        let dockets = parse_rules(&patterns, &aliases)?;
        Ok(Self { dockets, footers: texts.run(py, letter_batch::learn_footers)? })
    }

    /// Return the names of the kinds of parts, by number.
    #[staticmethod]
    fn kinds() -> Vec<&'static str> {
        Kind::ALL.iter().map(|kind| kind.name()).collect()
    }

    /// Return the canonical spelling of docket numbers.
    fn spell(&self, numbers: Vec<String>) -> Vec<String> {
        numbers.iter().map(|number| self.dockets.spell(number)).collect()
    }

    /// Find the parts and features of every letter.
    fn open<'py>(&self, py: Python<'py>, texts: &Texts) -> PyResult<Columns<'py>> {
        let batch: LetterBatch =
            texts.run(py, |collection| letter_batch::read_letters(collection, &self.footers, &self.dockets))?;
        let join = |numbers: fn(&LetterFeatures) -> &Vec<String>| {
            batch.features.iter().map(|features| numbers(features).join("\u{1f}")).collect()
        };
        let numbers = (join(|each| &each.dockets), join(|each| &each.about), join(|each| &each.shared));
        let footers = batch.features.iter().map(|features| features.footer).collect();
        let worded = batch.features.iter().map(|features| features.is_worded).collect();
        let relayers = batch.features.into_iter().map(|features| features.relayer).collect();
        let (offsets, kinds) = (array(py, batch.offsets), array(py, batch.kinds));
        let (starts, ends) = (array(py, batch.starts), array(py, batch.ends));
        Ok(((offsets, kinds, starts, ends), numbers, relayers, array(py, footers), array(py, worded)))
    }

    /// Return sender, receiver and topic of these letters; empty where the text does not name them.
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
