//! The order in which the rules claim the lines of a letter.

use super::draft::Draft;
use super::footers::{self, Footers};
use super::{closings, notices, quotations, quotes};
use crate::letters::dockets::limit;

/// Reads the lines and marks those that are not the letter's own.
pub fn open<'a>(text: &'a str, known: &Footers) -> Draft<'a> {
    let mut draft = Draft::new(limit(text));
    quotes::mark(&mut draft);
    quotations::mark(&mut draft);
    quotes::restore(&mut draft);
    footers::mark(&mut draft, known);
    draft
}

/// Marks the end of the letter.
pub fn close(draft: &mut Draft) {
    closings::mark(draft);
    footers::mark_after_signature(draft);
    notices::mark(draft);
    quotes::restore(draft);
}
