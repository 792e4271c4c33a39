//! The alignment of a document with a reference, word by word: kept, added, removed, replaced, moved, repeated.
//!
//! Four steps, each of near-linear cost. `tiles` finds exact matches of five or more words through an index of the
//! reference, and the chain of those that are in order. `gaps` and `subsequence` match the words between them by a
//! longest common subsequence, paragraph by paragraph, without the accidental matches of unrelated text. `gaps` then
//! moves insertions to natural boundaries. `moves` finds runs out of order that were moved or repeated.
//!
//! The expected time is O(|reference| + |document|), with the index built once for any number of documents. Time and
//! memory are bounded on adversarial input: gaps that are too large to be matched exactly are matched by their unique
//! words, or not at all. The result depends on the two texts only.

mod gaps;
mod moves;
#[cfg(test)]
pub(crate) mod samples;
mod subsequence;
#[cfg(test)]
mod tests;
mod tiles;

use gaps::{AccidentFilter, GapFiller, push_run, slide_cuts};
use moves::{Displaced, MoveFinder, Taken};
use tiles::Chainer;

pub(crate) use gaps::{SMALL, Side};
pub(crate) use moves::SHORTEST_PARAGRAPH;
pub use tiles::{ReferenceIndex, Tokens};
pub(crate) use tiles::{Tile, find_paragraph_starts};

/// A range of tokens, from the first to before the last.
pub type Span = (u32, u32);

/// The kind of a hunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HunkKind {
    /// The same words on both sides, in order.
    Equal,
    /// Words of the document only; the reference span is empty and marks the position.
    Added,
    /// Words of the reference only; the document span is empty and marks the position.
    Removed,
    /// Words of the reference that other words of the document replace.
    Replaced,
    /// The same words on both sides, at a different position in the document.
    Moved,
    /// Words of the document that are another copy of words of the reference matched elsewhere.
    Repeated,
}

/// A piece of an alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// The kind.
    pub kind: HunkKind,
    /// Tokens of the reference.
    pub reference: Span,
    /// Tokens of the document.
    pub document: Span,
}

/// The hunks of a document against its reference, in the order of the document.
///
/// The document spans are consecutive and make up the document. The reference spans of all hunks except `Repeated`
/// cover the reference, each token once; only `Moved` ones are out of order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alignment {
    /// The hunks; none has two empty spans.
    pub hunks: Vec<Hunk>,
}

impl Alignment {
    /// Count the words that both texts have, in order or moved.
    pub fn count_kept(&self) -> usize {
        let kept = self.hunks.iter().filter(|hunk| matches!(hunk.kind, HunkKind::Equal | HunkKind::Moved));
        kept.map(|hunk| (hunk.document.1 - hunk.document.0) as usize).sum()
    }
}

/// Align a document with a reference; for many documents of one reference see [`Aligner`].
pub fn align(reference: &Tokens, document: &Tokens) -> Alignment {
    let index = ReferenceIndex::new(*reference);
    let mut aligner = Aligner::default();
    aligner.align(&index, document);
    Alignment { hunks: aligner.hunks }
}

/// Aligns documents with indexed references and keeps its buffers between calls; one for each thread.
#[derive(Default)]
pub struct Aligner {
    tiles: Vec<Tile>,
    chain: Vec<Tile>,
    rest: Vec<Tile>,
    runs: Vec<Tile>,
    displaced: Vec<Displaced>,
    away: Vec<Tile>,
    paragraph_starts: Vec<u32>,
    taken: Taken,
    chainer: Chainer,
    filler: GapFiller,
    filter: AccidentFilter,
    mover: MoveFinder,
    hunks: Vec<Hunk>,
}

impl Aligner {
    /// Align a document with a reference and return the hunks in the order of the document.
    pub fn align(&mut self, index: &ReferenceIndex, document: &Tokens) -> &[Hunk] {
        debug_assert_eq!(document.hashes.len(), document.paragraphs.len());
        let mut paragraph_starts = std::mem::take(&mut self.paragraph_starts);
        find_paragraph_starts(document.paragraphs, &mut paragraph_starts);
        let sides = [
            Side { tokens: index.tokens(), paragraph_starts: index.paragraph_starts() },
            Side { tokens: *document, paragraph_starts: &paragraph_starts },
        ];
        index.find_tiles(document, &mut self.tiles);
        self.chainer.split(&self.tiles, &mut self.chain, &mut self.rest);
        self.displaced.clear();
        self.runs.clone_from(&self.chain);
        self.mark_taken(sides);
        self.mover.choose(sides, &self.rest, &mut self.taken, &mut self.displaced);
        self.fill_gaps(sides);
        slide_cuts(sides, &self.taken, &mut self.runs);
        self.filter.filter(sides, &mut self.runs);
        self.find_moves(sides);
        self.write_hunks(sides);
        self.paragraph_starts = paragraph_starts;
        &self.hunks
    }

    /// The hunks of the last alignment.
    pub fn hunks(&self) -> &[Hunk] {
        &self.hunks
    }

    /// All tiles of the last alignment, in the order of the document.
    pub(crate) fn tiles(&self) -> &[Tile] {
        &self.tiles
    }

    /// Mark the words of the runs, and of displaced runs.
    fn mark_taken(&mut self, sides: [Side; 2]) {
        for (taken, side) in self.taken.iter_mut().zip(sides) {
            taken.clear();
            taken.resize(side.len(), false);
        }
        let displaced = self.displaced.iter().map(|part| (&part.tile, part.repeated));
        for (tile, repeated) in self.runs.iter().map(|run| (run, false)).chain(displaced) {
            if !repeated {
                self.taken[0][tile.reference as usize..tile.reference_end() as usize].fill(true);
            }
            self.taken[1][tile.document as usize..tile.document_end() as usize].fill(true);
        }
    }

    /// Put the chain and the matched words of the gaps between its tiles into `runs`.
    fn fill_gaps(&mut self, sides: [Side; 2]) {
        self.runs.clear();
        let end = Tile { reference: sides[0].len() as u32, document: sides[1].len() as u32, length: 0 };
        let mut last = (0, 0);
        for &tile in self.chain.iter().chain([&end]) {
            let gap = [(last.0, tile.reference), (last.1, tile.document)];
            self.filler.fill(sides, gap, &self.taken, &mut self.runs);
            push_run(&mut self.runs, tile);
            last = (tile.reference_end(), tile.document_end());
        }
    }

    /// Complete the displaced runs, now that it is known which words are matched in order.
    fn find_moves(&mut self, sides: [Side; 2]) {
        let matched: usize = self.runs.iter().map(|run| run.length as usize).sum();
        if self.displaced.is_empty() && (matched == sides[0].len() || matched == sides[1].len()) {
            return;
        }
        self.mark_taken(sides);
        self.mover.complete(sides, &mut self.taken, &mut self.displaced);
    }

    fn write_hunks(&mut self, sides: [Side; 2]) {
        self.hunks.clear();
        self.away.clear();
        self.away.extend(self.displaced.iter().filter(|part| !part.repeated).map(|part| part.tile));
        self.away.sort_unstable_by_key(|tile| tile.reference);
        let end = Tile { reference: sides[0].len() as u32, document: sides[1].len() as u32, length: 0 };
        let (mut last, mut away, mut displaced) = ((0, 0), 0, 0);
        for &run in self.runs.iter().chain([&end]) {
            let away_end = away + self.away[away..].partition_point(|tile| tile.reference < run.reference);
            let rest = &self.displaced[displaced..];
            let displaced_end = displaced + rest.partition_point(|part| part.tile.document < run.document);
            let gap = Gap {
                reference: (last.0, run.reference),
                document: (last.1, run.document),
                away: &self.away[away..away_end],
                displaced: &self.displaced[displaced..displaced_end],
            };
            gap.write(&mut self.hunks);
            (away, displaced) = (away_end, displaced_end);
            last = (run.reference_end(), run.document_end());
            if run.length > 0 {
                let (reference, document) = ((run.reference, last.0), (run.document, last.1));
                self.hunks.push(Hunk { kind: HunkKind::Equal, reference, document });
            }
        }
    }
}

/// The part between two runs: two ranges, the runs that moved away from one and those that moved into the other.
struct Gap<'a> {
    reference: Span,
    document: Span,
    away: &'a [Tile],
    displaced: &'a [Displaced],
}

impl Gap<'_> {
    fn write(&self, hunks: &mut Vec<Hunk>) {
        let holes = self.away.iter().map(|tile| (tile.reference, tile.reference_end()));
        let removed = rest_of(self.reference, holes);
        let blocks = self.displaced.iter().map(|part| (part.tile.document, part.tile.document_end()));
        let added_count = rest_of(self.document, blocks).count();
        let replaced = if added_count == 1 { single(removed.clone()) } else { None };
        let (start, position) = (self.document.0, self.reference.0);
        if replaced.is_none() {
            let document = (start, start);
            hunks.extend(removed.map(|reference| Hunk { kind: HunkKind::Removed, reference, document }));
        }
        let mut at = start;
        let write_added = |from: u32, to: u32, hunks: &mut Vec<Hunk>| {
            if from < to {
                let (kind, reference) = match replaced {
                    Some(span) => (HunkKind::Replaced, span),
                    None => (HunkKind::Added, (position, position)),
                };
                hunks.push(Hunk { kind, reference, document: (from, to) });
            }
        };
        for part in self.displaced {
            write_added(at, part.tile.document, hunks);
            push_displaced(hunks, *part);
            at = part.tile.document_end();
        }
        write_added(at, self.document.1, hunks);
    }
}

/// Append a displaced run, joined to the last hunk if it continues that.
fn push_displaced(hunks: &mut Vec<Hunk>, part: Displaced) {
    let kind = if part.repeated { HunkKind::Repeated } else { HunkKind::Moved };
    let Tile { reference, document, .. } = part.tile;
    let (reference_end, document_end) = (part.tile.reference_end(), part.tile.document_end());
    let goes_on = |last: &&mut Hunk| last.kind == kind && last.reference.1 == reference && last.document.1 == document;
    if let Some(last) = hunks.last_mut().filter(goes_on) {
        (last.reference.1, last.document.1) = (reference_end, document_end);
        return;
    }
    hunks.push(Hunk { kind, reference: (reference, reference_end), document: (document, document_end) });
}

/// The parts of a range outside holes, which are in order.
fn rest_of(range: Span, holes: impl Iterator<Item = Span> + Clone) -> impl Iterator<Item = Span> + Clone {
    let ends = holes.clone().map(|hole| hole.0).chain([range.1]);
    let starts = [range.0].into_iter().chain(holes.map(|hole| hole.1));
    starts.zip(ends).filter(|span| span.0 < span.1)
}

/// The item of an iterator that has only one.
fn single(mut spans: impl Iterator<Item = Span>) -> Option<Span> {
    let first = spans.next();
    if spans.next().is_some() { None } else { first }
}
