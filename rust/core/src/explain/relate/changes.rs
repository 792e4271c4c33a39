//! The changes in an alignment: blocks, small changes, kept and rewritten paragraphs, and the relation that follows
//! from them.

use super::relation::{Flags, Relation};
use crate::explain::align::{Hunk, HunkKind, SHORTEST_PARAGRAPH, SMALL, Side, Span, Tokens};

/// Runs of added words with fewer kept words between them are one.
const JOINT: u32 = 3;

/// With fewer words in blocks the letter was edited; with more, only parts of it were used.
const BLOCK_LIMIT: u32 = 200;

/// The most words of a line that may be replaced by another anywhere.
const LINE: u32 = 8;

/// The fewest kept words of a kept paragraph.
const KEPT_PARAGRAPH: u32 = 5;

/// The fewest words of a part of a paragraph that counts as a kept one, and of all kept paragraphs together.
const KEPT_PART: u32 = 20;

/// The numbers of the two sides.
const REFERENCE: usize = 0;
const DOCUMENT: usize = 1;

/// What is known of the paragraphs of one side.
#[derive(Default)]
struct Paragraphs {
    /// Words matched in order or moved.
    matched: Vec<u32>,
    /// Words of small changes.
    changed: Vec<u32>,
    rewritten: Vec<bool>,
}

/// The changes from a reference to a document; keeps its buffers between calls.
#[derive(Default)]
pub struct Changes {
    flags: Flags,
    /// Words removed and added in blocks.
    block_words: [u32; 2],
    /// A copy of reference text counts as a block added.
    adds_copy: bool,
    /// At least half of the longer text is kept.
    keeps_half: bool,
    keeps_paragraph: bool,
    paragraphs: [Paragraphs; 2],
    /// For each small change the paragraphs of both sides that it belongs to.
    small: Vec<[usize; 2]>,
}

impl Changes {
    /// What was done.
    pub fn flags(&self) -> Flags {
        self.flags
    }

    /// Weigh the hunks of an alignment.
    pub fn weigh(&mut self, sides: [Side; 2], hunks: &[Hunk]) {
        self.reset(sides);
        let mut kept = 0;
        for hunk in hunks {
            if matches!(hunk.kind, HunkKind::Equal | HunkKind::Moved) {
                kept += length(hunk.document) as usize;
                count_words(sides[REFERENCE], hunk.reference, &mut self.paragraphs[REFERENCE].matched);
            }
            if matches!(hunk.kind, HunkKind::Equal | HunkKind::Moved | HunkKind::Repeated) {
                count_words(sides[DOCUMENT], hunk.document, &mut self.paragraphs[DOCUMENT].matched);
            }
        }
        self.keeps_half = kept * 2 >= sides[REFERENCE].len().max(sides[DOCUMENT].len());
        let mut at = 0;
        while at < hunks.len() {
            at += self.weigh_from(sides, hunks, at);
        }
        self.find_rewritten(sides);
        let kept = [REFERENCE, DOCUMENT].map(|side| self.paragraphs[side].count_kept_words(sides[side]));
        let shorter = sides[REFERENCE].len().min(sides[DOCUMENT].len()) as u32;
        self.keeps_paragraph = kept[0].max(kept[1]) >= KEPT_PART.min(shorter.div_ceil(2)).max(1);
    }

    /// The first rule that holds, from the third on.
    pub fn relation(&self, overlap: f64) -> Relation {
        let Flags { deleted, changed, moved, .. } = self.flags;
        let added = self.flags.added || self.adds_copy;
        let rewritten = self.paragraphs[REFERENCE].rewritten.contains(&true);
        let beyond_limit = self.block_words.iter().any(|&words| words >= BLOCK_LIMIT);
        if !added && !deleted && !changed && moved {
            Relation::BlockReordered
        } else if !added && !deleted && !moved && !rewritten && self.keeps_half {
            Relation::MinorChange
        } else if !self.keeps_paragraph {
            if overlap > 0.8 { Relation::BagOfWords } else { Relation::Other }
        } else if beyond_limit {
            Relation::KeyBlock
        } else if changed || (added && deleted) {
            Relation::MinorChangeBlockEdit
        } else if added {
            Relation::BlockAdded
        } else {
            Relation::BlockDeleted
        }
    }

    fn reset(&mut self, sides: [Side; 2]) {
        self.flags = Flags::default();
        self.adds_copy = false;
        self.block_words = [0, 0];
        self.small.clear();
        for (paragraphs, side) in self.paragraphs.iter_mut().zip(sides) {
            let count = side.paragraph_starts.len() - 1;
            for counts in [&mut paragraphs.matched, &mut paragraphs.changed] {
                counts.clear();
                counts.resize(count, 0);
            }
            paragraphs.rewritten.clear();
            paragraphs.rewritten.resize(count, false);
        }
    }

    /// Weigh the hunk at an index, with those that count as one with it, and return their number.
    fn weigh_from(&mut self, sides: [Side; 2], hunks: &[Hunk], at: usize) -> usize {
        let hunk = &hunks[at];
        match hunk.kind {
            HunkKind::Equal => {}
            HunkKind::Moved => self.flags.moved = true,
            HunkKind::Repeated => {
                self.flags.repeated = true;
                self.adds_copy = true;
                self.block_words[DOCUMENT] += length(hunk.document);
            }
            HunkKind::Added if is_beside_copy(hunks, at) => self.add_block(DOCUMENT, hunk),
            HunkKind::Added => return self.weigh_runs(sides, &hunks[at..], DOCUMENT),
            HunkKind::Removed => return self.weigh_runs(sides, &hunks[at..], REFERENCE),
            HunkKind::Replaced => self.weigh_replaced(sides, hunk),
        }
        1
    }

    /// Weigh the runs of one side, from the first hunk on, that have next to nothing kept between them; return the
    /// number of hunks.
    fn weigh_runs(&mut self, sides: [Side; 2], hunks: &[Hunk], side: usize) -> usize {
        let count = count_joined(hunks, sides[side], side);
        let runs = hunks[..count].iter().step_by(2);
        let words: u32 = runs.clone().map(|hunk| length(span(hunk, side))).sum();
        for hunk in runs {
            let block = words as usize > SMALL
                || self.is_block(sides[side], span(hunk, side), side)
                || is_between_paragraphs(sides, hunk, side);
            if block {
                self.add_block(side, hunk);
            } else {
                self.add_small(sides, hunk, length(span(hunk, side)));
            }
        }
        count
    }

    fn weigh_replaced(&mut self, sides: [Side; 2], hunk: &Hunk) {
        let exchange = is_exchange(sides, hunk);
        let small = [REFERENCE, DOCUMENT].map(|side| {
            let block = !exchange && self.is_block(sides[side], span(hunk, side), side);
            if block {
                self.add_block(side, hunk);
            }
            if block { 0 } else { length(span(hunk, side)) }
        });
        if small != [0, 0] {
            self.add_small(sides, hunk, small[0].max(small[1]));
        }
    }

    /// Whether a run of words of one side is a block.
    fn is_block(&self, side: Side, run: Span, number: usize) -> bool {
        if length(run) as usize > SMALL {
            return true;
        }
        let touched = side.paragraph_of(run.0)..=side.paragraph_of(run.1 - 1);
        let holds_whole = touched.clone().any(|paragraph| {
            let (start, end) = (side.paragraph_starts[paragraph], side.paragraph_starts[paragraph + 1]);
            run.0 <= start && end <= run.1 && (end - start) as usize >= SHORTEST_PARAGRAPH
        });
        let matched = &self.paragraphs[number].matched;
        let mut in_new = touched.map(|paragraph| matched[paragraph] * 2 < paragraph_length(side, paragraph));
        holds_whole || (length(run) as usize >= SHORTEST_PARAGRAPH && in_new.all(|new| new))
    }

    fn add_block(&mut self, side: usize, hunk: &Hunk) {
        self.block_words[side] += length(span(hunk, side));
        if side == DOCUMENT {
            self.flags.added = true;
        } else {
            self.flags.deleted = true;
        }
    }

    fn add_small(&mut self, sides: [Side; 2], hunk: &Hunk, words: u32) {
        self.flags.changed = true;
        let paragraphs = [REFERENCE, DOCUMENT].map(|side| find_paragraph(sides, hunk, side));
        for (side, paragraph) in paragraphs.into_iter().enumerate() {
            self.paragraphs[side].changed[paragraph] += words;
        }
        self.small.push(paragraphs);
    }

    /// Find the paragraphs that are rewritten on both sides.
    fn find_rewritten(&mut self, sides: [Side; 2]) {
        let unmarked = sides.iter().all(|side| side.paragraph_starts.len() == 2);
        for change in &self.small {
            let beyond = [REFERENCE, DOCUMENT].map(|side| {
                let paragraph = change[side];
                let words = paragraph_length(sides[side], paragraph);
                is_rewritten(self.paragraphs[side].changed[paragraph], words, unmarked)
            });
            if beyond == [true, true] {
                for side in [REFERENCE, DOCUMENT] {
                    let paragraph = change[side];
                    if !std::mem::replace(&mut self.paragraphs[side].rewritten[paragraph], true) {
                        self.block_words[side] += paragraph_length(sides[side], paragraph);
                    }
                }
            }
        }
    }
}

impl Paragraphs {
    /// The matched words of the paragraphs that are kept.
    fn count_kept_words(&self, side: Side) -> u32 {
        let kept = self.matched.iter().enumerate().filter(|&(paragraph, &matched)| {
            let half = matched * 2 >= paragraph_length(side, paragraph);
            !self.rewritten[paragraph] && matched >= KEPT_PARAGRAPH && (half || matched >= KEPT_PART)
        });
        kept.map(|(_, matched)| matched).sum()
    }
}

/// Whether small changes are too many for a paragraph of this length.
fn is_rewritten(changed: u32, length: u32, unmarked: bool) -> bool {
    let small = SMALL as u32;
    if unmarked {
        return changed > small * length.div_ceil(100).max(1);
    }
    changed > small && u64::from(changed) * 20 >= u64::from(length)
}

/// How many hunks from the first are runs of one paragraph with fewer than three kept words between them, those
/// included.
fn count_joined(hunks: &[Hunk], side: Side, number: usize) -> usize {
    let mut count = 1;
    while let [kept, next, ..] = &hunks[count..] {
        let alike = kept.kind == HunkKind::Equal && next.kind == hunks[0].kind;
        if !alike || !is_joined(&side.tokens, span(&hunks[count - 1], number), span(next, number)) {
            break;
        }
        count += 2;
    }
    count
}

/// Whether a hunk is next to a further copy of reference text.
fn is_beside_copy(hunks: &[Hunk], at: usize) -> bool {
    let is_copy = |position: usize| hunks.get(position).is_some_and(|hunk| hunk.kind == HunkKind::Repeated);
    is_copy(at + 1) || at.checked_sub(1).is_some_and(is_copy)
}

/// Whether a run is where the other side starts a paragraph and its own side, which lost its paragraph marks, does not.
fn is_between_paragraphs(sides: [Side; 2], hunk: &Hunk, number: usize) -> bool {
    let (run, point) = (span(hunk, number), span(hunk, 1 - number).0);
    let (own, other) = (sides[number].paragraph_starts, sides[1 - number].paragraph_starts);
    if (length(run) as usize) < SHORTEST_PARAGRAPH || other.binary_search(&point).is_err() {
        return false;
    }
    let paragraph = sides[number].paragraph_of(run.0);
    let inside = own[paragraph] < run.0 && run.1 < own[paragraph + 1];
    inside || (own.len() == 2 && other.len() > 2)
}

/// Whether a replaced run is a line replaced by another.
fn is_exchange(sides: [Side; 2], hunk: &Hunk) -> bool {
    let longer = length(hunk.reference).max(length(hunk.document));
    let head = hunk.reference.0 == 0 && hunk.document.0 == 0;
    let foot = hunk.reference.1 as usize == sides[REFERENCE].len() && hunk.document.1 as usize == sides[DOCUMENT].len();
    longer <= LINE || (longer as usize <= SMALL && (head || foot))
}

/// The paragraph of one side that a hunk belongs to; if it has no words there, the one that it continues or starts
/// with.
fn find_paragraph(sides: [Side; 2], hunk: &Hunk, number: usize) -> usize {
    let (own, other) = (span(hunk, number), span(hunk, 1 - number));
    let numbers = sides[1 - number].tokens.paragraphs;
    let at = other.0 as usize;
    let goes_on = own.0 == own.1 && own.0 > 0 && at > 0 && numbers[at - 1] == numbers[at];
    sides[number].paragraph_of(if goes_on { own.0 - 1 } else { own.0 })
}

/// Add the words of a span to the counts of their paragraphs.
fn count_words(side: Side, span: Span, counts: &mut [u32]) {
    let mut at = span.0;
    let mut paragraph = side.paragraph_of(at);
    while at < span.1 {
        let end = side.paragraph_starts[paragraph + 1].min(span.1);
        counts[paragraph] += end - at;
        at = end;
        paragraph += 1;
    }
}

fn length(span: Span) -> u32 {
    span.1 - span.0
}

fn span(hunk: &Hunk, side: usize) -> Span {
    if side == REFERENCE { hunk.reference } else { hunk.document }
}

fn paragraph_length(side: Side, paragraph: usize) -> u32 {
    side.paragraph_starts[paragraph + 1] - side.paragraph_starts[paragraph]
}

/// Whether two runs of a text have fewer than three words between them and no end of a paragraph.
pub(super) fn is_joined(tokens: &Tokens, left: Span, right: Span) -> bool {
    let paragraphs = tokens.paragraphs;
    right.0 - left.1 < JOINT && paragraphs[left.1 as usize - 1] == paragraphs[right.0 as usize]
}
