//! The relation of a letter to its reference copy, and the text that its writer added.
//!
//! The kinds are those of section 2 of Yang & Callan 2006. The paper gives definitions that overlap and no order; here is
//! the order, on the alignment of the two texts (`align`), first match:
//!
//! 1. the same words in the same order: `exact`;
//! 2. every part of the reference twice or more, and at most 15 words (or 5 %) of anything else: `repeated`;
//! 3. no block added or removed, nothing changed, something moved: `block_reordered`;
//! 4. no block added or removed, nothing moved, small changes, and half of the words kept: `minor_change`;
//! 5. at least one paragraph kept, fewer than 200 words added in blocks and fewer than 200 removed: `minor_change_block_edit`
//!    if there are small changes too or blocks both added and removed, else `block_added` or `block_deleted`;
//! 6. at least one paragraph kept: `key_block`;
//! 7. more than 80 % of the words in common, in whatever order: `bag_of_words`;
//! 8. `other`.
//!
//! A *block* is a run of added (or removed) words that holds a whole paragraph of three words or more, or is longer
//! than 15 words, or makes up more than half of its paragraph. Any other run is a *small change*; a paragraph with small changes of more than 15
//! words and at least 5 % of it is rewritten and counts as removed and added for the limits of rule 5. A paragraph of five words or more is
//! *kept* when at least half of it, or twenty words, is there and it is not rewritten; rules 5 and 6 ask for kept paragraphs of together
//! twenty words, or half of the shorter text, since letters that share but a heading do not come from one another.
//!
//! Choices that the paper leaves open:
//!
//! - Paragraphs steer the alignment but do not have to agree: copies of a letter that were wrapped otherwise or lost their
//!   blank lines have the same words and are `exact`; a limit is exceeded only if both the reference's paragraph and
//!   the document's are beyond it. Where neither text has marks, 15 words are allowed for each hundred. Three words or
//!   more set between two paragraphs of the reference are a block, also if the document lost the marks there.
//! - A sentence of more than 15 words that is set into or at the end of a paragraph is a block added, even below 5 % of the
//!   paragraph: the agency must answer it. Insertions into a paragraph with fewer than three kept words between them
//!   are one.
//! - A line exchanged for another (salutation, name) is a small change: at most 8 words for at most 8, or at most 15 at the
//!   head or the foot of both texts.
//! - A second copy of reference text counts as a block added, but is not part of the added text.
//!
//! The added text is every run of words that are not in the reference, from the first byte of the first word to the last of
//! the last; runs of a paragraph with fewer than three kept words between them are one, those words included. Without such joints,
//! the document without its added text is a subsequence of the reference apart from moved blocks, and for `block_added`
//! it is the reference.

use crate::align::{
    Aligner, Hunk, HunkKind, ReferenceIndex, SHORTEST_PARAGRAPH, SMALL, Side, Span, Tile, Tokens, find_paragraph_starts,
};

/// Blocks of fewer words in all are an edit of the letter; beyond, only parts of it were used.
const BLOCK_LIMIT: u32 = 200;

/// Runs of added words with fewer kept words between them are one.
const JOINT: u32 = 3;

/// The most words of a line that may be exchanged for another anywhere.
const LINE: u32 = 8;

/// The fewest words of a paragraph that can be kept, and of a part of one that counts as such.
const KEPT_PARAGRAPH: u32 = 5;
const KEPT_PART: u32 = 20;

/// How a document relates to its reference copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// The same words.
    Exact,
    /// A few words altered.
    MinorChange,
    /// Fewer than 200 words added in blocks.
    BlockAdded,
    /// Fewer than 200 words removed in blocks.
    BlockDeleted,
    /// Small changes and blocks, or blocks added and removed.
    MinorChangeBlockEdit,
    /// The same blocks in another order.
    BlockReordered,
    /// The whole reference several times.
    Repeated,
    /// At least one paragraph of the reference.
    KeyBlock,
    /// More than 80 % of the words in common.
    BagOfWords,
    /// None of these.
    Other,
}

impl Relation {
    /// The name in results.
    pub fn name(self) -> &'static str {
        match self {
            Relation::Exact => "exact",
            Relation::MinorChange => "minor_change",
            Relation::BlockAdded => "block_added",
            Relation::BlockDeleted => "block_deleted",
            Relation::MinorChangeBlockEdit => "minor_change_block_edit",
            Relation::BlockReordered => "block_reordered",
            Relation::Repeated => "repeated",
            Relation::KeyBlock => "key_block",
            Relation::BagOfWords => "bag_of_words",
            Relation::Other => "other",
        }
    }
}

/// Everything that was done to the reference, whichever relation it makes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// A block was added.
    pub added: bool,
    /// A block was removed.
    pub deleted: bool,
    /// Words were changed.
    pub changed: bool,
    /// A block stands at another place.
    pub moved: bool,
    /// A part of the reference stands more than once.
    pub repeated: bool,
}

/// A document against its reference copy.
#[derive(Clone, Debug, PartialEq)]
pub struct Related {
    /// The relation.
    pub relation: Relation,
    /// What was done.
    pub flags: Flags,
    /// Byte spans of the document with text that the reference does not have.
    pub added: Vec<Span>,
    /// Byte spans of the reference with text that the document does not have.
    pub removed: Vec<Span>,
    /// Words in common, each as often as in the text that has it less often, by the length of the longer text.
    pub overlap: f64,
}

/// Relate a document to a reference; for many documents of one reference see [`RelationFinder`].
pub fn relate(reference: &Tokens, document: &Tokens) -> Related {
    RelationFinder::default().relate(&ReferenceIndex::new(*reference), document)
}

/// Relates documents to indexed references and keeps its buffers between calls; one for each thread.
#[derive(Default)]
pub struct RelationFinder {
    aligner: Aligner,
    used: Vec<u32>,
    paragraph_starts: Vec<u32>,
    changes: Changes,
    spans: Vec<Span>,
}

impl RelationFinder {
    /// Relate a document to its reference copy.
    pub fn relate(&mut self, index: &ReferenceIndex, document: &Tokens) -> Related {
        let reference = index.tokens();
        if reference.hashes == document.hashes {
            return Related {
                relation: Relation::Exact,
                flags: Flags::default(),
                added: Vec::new(),
                removed: Vec::new(),
                overlap: 1.0,
            };
        }
        let overlap = index.word_overlap(document.hashes, &mut self.used);
        self.aligner.align(index, document);
        find_paragraph_starts(document.paragraphs, &mut self.paragraph_starts);
        let sides = [
            Side { tokens: reference, paragraph_starts: index.paragraph_starts() },
            Side { tokens: *document, paragraph_starts: &self.paragraph_starts },
        ];
        self.changes.weigh(sides, self.aligner.hunks());
        if is_repeated(&reference, document, self.aligner.tiles(), &mut self.used) {
            self.changes.flags.repeated = true;
            self.changes.whole_repeated = true;
        }
        Related {
            relation: self.changes.relation(overlap, reference.hashes.len().max(document.hashes.len())),
            flags: self.changes.flags,
            added: self.collect(|hunk| hunk.document, &[HunkKind::Added, HunkKind::Replaced], document),
            removed: self.collect(|hunk| hunk.reference, &[HunkKind::Removed, HunkKind::Replaced], &reference),
            overlap,
        }
    }

    /// The byte spans of one side's words in hunks of some kinds, joined over fewer than three kept words.
    fn collect(&mut self, side: impl Fn(&Hunk) -> Span, kinds: &[HunkKind], tokens: &Tokens) -> Vec<Span> {
        self.spans.clear();
        let chosen = self.aligner.hunks().iter().filter(|hunk| kinds.contains(&hunk.kind));
        self.spans.extend(chosen.map(side));
        self.spans.sort_unstable();
        let mut spans: Vec<Span> = Vec::new();
        let paragraphs = tokens.paragraphs;
        let joined = |left: &Span, right: &Span| {
            right.0 - left.1 < JOINT && paragraphs[left.1 as usize - 1] == paragraphs[right.0 as usize]
        };
        for group in self.spans.chunk_by(joined) {
            let (first, last) = (group[0].0 as usize, group[group.len() - 1].1 as usize);
            spans.push((tokens.starts[first], tokens.ends[last - 1]));
        }
        spans
    }
}

/// A small change: the paragraphs of both sides that it belongs to, and its words.
struct SmallChange {
    paragraphs: [usize; 2],
    words: u32,
}

/// What the hunks of an alignment amount to.
#[derive(Default)]
struct Changes {
    flags: Flags,
    whole_repeated: bool,
    kept_words: usize,
    keeps_paragraph: bool,
    /// Words in blocks added and removed.
    block_words: [u32; 2],
    repeats_block: bool,
    /// For each side and paragraph the matched words, and the words of small changes.
    matched: [Vec<u32>; 2],
    changed: [Vec<u32>; 2],
    rewritten: [Vec<bool>; 2],
    small: Vec<SmallChange>,
}

impl Changes {
    /// Weigh the hunks of an alignment.
    fn weigh(&mut self, sides: [Side; 2], hunks: &[Hunk]) {
        self.reset(sides);
        for hunk in hunks.iter().filter(|hunk| matches!(hunk.kind, HunkKind::Equal | HunkKind::Moved)) {
            self.kept_words += length(hunk.document) as usize;
            count_words(sides[0], hunk.reference, &mut self.matched[0]);
            count_words(sides[1], hunk.document, &mut self.matched[1]);
        }
        for hunk in hunks.iter().filter(|hunk| hunk.kind == HunkKind::Repeated) {
            count_words(sides[1], hunk.document, &mut self.matched[1]);
        }
        let mut rest = hunks;
        while let Some(hunk) = rest.first() {
            let together = match hunk.kind {
                HunkKind::Added => count_joined(rest, sides[1], 1),
                HunkKind::Removed => count_joined(rest, sides[0], 0),
                _ => 1,
            };
            self.weigh_hunks(sides, &rest[..together]);
            rest = &rest[together..];
        }
        self.judge_paragraphs(sides);
    }

    fn reset(&mut self, sides: [Side; 2]) {
        self.flags = Flags::default();
        self.whole_repeated = false;
        self.repeats_block = false;
        self.keeps_paragraph = false;
        self.kept_words = 0;
        self.block_words = [0, 0];
        self.small.clear();
        for (number, side) in sides.iter().enumerate() {
            let paragraphs = side.paragraph_starts.len() - 1;
            for counts in [&mut self.matched[number], &mut self.changed[number]] {
                counts.clear();
                counts.resize(paragraphs, 0);
            }
            self.rewritten[number].clear();
            self.rewritten[number].resize(paragraphs, false);
        }
    }

    /// Weigh a hunk, or additions (or removals) that count as one.
    fn weigh_hunks(&mut self, sides: [Side; 2], hunks: &[Hunk]) {
        match hunks[0].kind {
            HunkKind::Equal => {}
            HunkKind::Moved => self.flags.moved = true,
            HunkKind::Repeated => {
                self.flags.repeated = true;
                self.repeats_block = true;
                self.block_words[1] += length(hunks[0].document);
            }
            HunkKind::Added => self.weigh_runs(sides, hunks, 1),
            HunkKind::Removed => self.weigh_runs(sides, hunks, 0),
            HunkKind::Replaced if is_exchange(sides, &hunks[0]) => self.add_small(sides, &hunks[0]),
            HunkKind::Replaced => {
                let blocks = [0, 1].map(|side| self.is_block(sides[side], span(&hunks[0], side), side));
                for side in [0, 1] {
                    if blocks[side] {
                        self.add_block(side, length(span(&hunks[0], side)));
                    }
                }
                match blocks {
                    [true, true] => {}
                    [false, false] => self.add_small(sides, &hunks[0]),
                    [removed, _] => self.add_part(sides, &hunks[0], usize::from(removed)),
                }
            }
        }
    }

    /// Weigh runs of one side with next to nothing kept between them.
    fn weigh_runs(&mut self, sides: [Side; 2], hunks: &[Hunk], side: usize) {
        let runs = hunks.iter().filter(|hunk| hunk.kind != HunkKind::Equal);
        let words: u32 = runs.clone().map(|hunk| length(span(hunk, side))).sum();
        for hunk in runs {
            let run = span(hunk, side);
            let between = is_between_paragraphs(sides[side], run, sides[1 - side], span(hunk, 1 - side).0);
            if words as usize > SMALL || between || self.is_block(sides[side], run, side) {
                self.add_block(side, length(span(hunk, side)));
            } else {
                self.add_small(sides, hunk);
            }
        }
    }

    /// Whether a run of words of one side is a block.
    fn is_block(&self, side: Side, run: Span, number: usize) -> bool {
        if length(run) as usize > SMALL {
            return true;
        }
        let first = side.paragraph_of(run.0);
        let last = side.paragraph_of(run.1 - 1);
        let whole = (first..=last).any(|paragraph| {
            let (start, end) = (side.paragraph_starts[paragraph], side.paragraph_starts[paragraph + 1]);
            run.0 <= start && end <= run.1 && (end - start) as usize >= SHORTEST_PARAGRAPH
        });
        let mostly_new = (first..=last).all(|paragraph| {
            self.matched[number][paragraph] * 2
                < side.paragraph_starts[paragraph + 1] - side.paragraph_starts[paragraph]
        });
        whole || (mostly_new && length(run) as usize >= SHORTEST_PARAGRAPH)
    }

    fn add_block(&mut self, side: usize, words: u32) {
        self.block_words[side] += words;
        if side == 1 {
            self.flags.added = true;
        } else {
            self.flags.deleted = true;
        }
    }

    /// Note a small change on both sides of a hunk.
    fn add_small(&mut self, sides: [Side; 2], hunk: &Hunk) {
        self.flags.changed = true;
        let paragraphs = [0, 1].map(|side| place(sides, hunk, side));
        let words = length(hunk.reference).max(length(hunk.document));
        self.small.push(SmallChange { paragraphs, words });
    }

    /// Note a small change that is the one side of a hunk whose other side is a block.
    fn add_part(&mut self, sides: [Side; 2], hunk: &Hunk, side: usize) {
        self.flags.changed = true;
        let paragraphs = [0, 1].map(|side| place(sides, hunk, side));
        self.small.push(SmallChange { paragraphs, words: length(span(hunk, side)) });
    }

    /// Find the paragraphs that are rewritten, and whether one is kept.
    fn judge_paragraphs(&mut self, sides: [Side; 2]) {
        for change in &self.small {
            for side in [0, 1] {
                self.changed[side][change.paragraphs[side]] += change.words;
            }
        }
        let unmarked = sides.iter().all(|side| side.paragraph_starts.len() <= 2);
        for change in &self.small {
            let beyond = [0, 1].map(|side| {
                let paragraph = change.paragraphs[side];
                is_beyond(self.changed[side][paragraph], paragraph_length(sides[side], paragraph), unmarked)
            });
            if beyond == [true, true] {
                for side in [0, 1] {
                    self.rewritten[side][change.paragraphs[side]] = true;
                }
            }
        }
        for side in [0, 1] {
            let rewritten = (0..self.rewritten[side].len()).filter(|&paragraph| self.rewritten[side][paragraph]);
            self.block_words[side] += rewritten.map(|paragraph| paragraph_length(sides[side], paragraph)).sum::<u32>();
        }
        let kept = [0, 1].map(|side| self.count_kept_words(sides[side], side));
        let shorter = sides[0].len().min(sides[1].len()) as u32;
        self.keeps_paragraph = kept[0].max(kept[1]) >= KEPT_PART.min(shorter.div_ceil(2)).max(1);
    }

    /// The matched words of one side's paragraphs that are kept.
    fn count_kept_words(&self, side: Side, number: usize) -> u32 {
        let paragraphs = self.matched[number].iter().enumerate();
        let kept = paragraphs.filter(|&(paragraph, &matched)| {
            let half = matched * 2 >= paragraph_length(side, paragraph);
            !self.rewritten[number][paragraph] && matched >= KEPT_PARAGRAPH && (half || matched >= KEPT_PART)
        });
        kept.map(|(_, matched)| matched).sum()
    }

    /// The first rule that holds.
    fn relation(&self, overlap: f64, longer: usize) -> Relation {
        let Flags { deleted, changed, moved, .. } = self.flags;
        let added = self.flags.added || self.repeats_block;
        let within = self.block_words.iter().all(|&words| words < BLOCK_LIMIT);
        let rewritten = self.rewritten[0].contains(&true);
        if self.whole_repeated {
            Relation::Repeated
        } else if !added && !deleted && !changed && moved {
            Relation::BlockReordered
        } else if !added && !deleted && !moved && !rewritten && self.kept_words * 2 >= longer {
            Relation::MinorChange
        } else if self.keeps_paragraph && !within {
            Relation::KeyBlock
        } else if self.keeps_paragraph && (changed || (added && deleted)) {
            Relation::MinorChangeBlockEdit
        } else if self.keeps_paragraph {
            if added { Relation::BlockAdded } else { Relation::BlockDeleted }
        } else if overlap > 0.8 {
            Relation::BagOfWords
        } else {
            Relation::Other
        }
    }
}

/// Whether small changes are more than a paragraph of this length bears.
fn is_beyond(changed: u32, length: u32, unmarked: bool) -> bool {
    let small = SMALL as u32;
    if unmarked {
        return changed > small * length.div_ceil(100).max(1);
    }
    changed > small && changed * 20 >= length
}

/// How many hunks from the first are additions (or removals) within one paragraph with fewer than three kept words
/// between them.
fn count_joined(hunks: &[Hunk], side: Side, number: usize) -> usize {
    let mut count = 1;
    while let [kept, next, ..] = &hunks[count..] {
        let (left, right) = (span(&hunks[count - 1], number), span(next, number));
        let paragraphs = side.tokens.paragraphs;
        let near = kept.kind == HunkKind::Equal && length(kept.document) < JOINT && next.kind == hunks[0].kind;
        if !near || paragraphs[left.1 as usize - 1] != paragraphs[right.0 as usize] {
            break;
        }
        count += 2;
    }
    count
}

/// Whether a run stands where the other side starts a paragraph and its own side, which lost its marks, does not.
fn is_between_paragraphs(side: Side, run: Span, other: Side, point: u32) -> bool {
    if (length(run) as usize) < SHORTEST_PARAGRAPH || !other.paragraph_starts.contains(&point) {
        return false;
    }
    let starts = side.paragraph_starts;
    let paragraph = side.paragraph_of(run.0);
    let inside = starts[paragraph] < run.0 && run.1 < starts[paragraph + 1];
    inside || (starts.len() == 2 && other.paragraph_starts.len() > 2)
}

/// Whether a replaced run is a line exchanged for another.
fn is_exchange(sides: [Side; 2], hunk: &Hunk) -> bool {
    let longer = length(hunk.reference).max(length(hunk.document));
    let head = hunk.reference.0 == 0 && hunk.document.0 == 0;
    let foot = hunk.reference.1 as usize == sides[0].len() && hunk.document.1 as usize == sides[1].len();
    longer <= LINE || (longer as usize <= SMALL && (head || foot))
}

/// Whether the document is the reference several times over, with little else.
fn is_repeated(reference: &Tokens, document: &Tokens, tiles: &[Tile], copies: &mut Vec<u32>) -> bool {
    let (length, total) = (reference.hashes.len(), document.hashes.len());
    let tolerance = |words: usize| SMALL.max(words / 20);
    if length == 0 || total * 2 < length * 3 {
        return false;
    }
    let times = (total + length / 2) / length;
    if times < 2 || total.abs_diff(times * length) > tolerance(total) {
        return false;
    }
    if length <= SMALL {
        return total % length == 0 && document.hashes.chunks(length).all(|copy| copy == reference.hashes);
    }
    // Differences of the number of copies from one token to the next.
    copies.clear();
    copies.resize(length + 1, 0);
    for tile in tiles {
        copies[tile.reference as usize] = copies[tile.reference as usize].wrapping_add(1);
        copies[tile.reference_end() as usize] = copies[tile.reference_end() as usize].wrapping_sub(1);
    }
    let covered: usize = tiles.iter().map(|tile| tile.length as usize).sum();
    let mut here = 0u32;
    let mut fewer = 0;
    for difference in &copies[..length] {
        here = here.wrapping_add(*difference);
        fewer += usize::from(here < 2);
    }
    fewer <= tolerance(length) && total - covered <= tolerance(total)
}

fn length(span: Span) -> u32 {
    span.1 - span.0
}

fn span(hunk: &Hunk, side: usize) -> Span {
    if side == 0 { hunk.reference } else { hunk.document }
}

fn paragraph_length(side: Side, paragraph: usize) -> u32 {
    side.paragraph_starts[paragraph + 1] - side.paragraph_starts[paragraph]
}

/// The paragraph of one side that a hunk belongs to; where it has no words there, the one that goes on on the other side.
fn place(sides: [Side; 2], hunk: &Hunk, side: usize) -> usize {
    let (own, other) = (span(hunk, side), span(hunk, 1 - side));
    let last = sides[side].len().saturating_sub(1) as u32;
    if own.0 < own.1 || own.0 == 0 {
        return sides[side].paragraph_of(own.0.min(last));
    }
    let numbers = sides[1 - side].tokens.paragraphs;
    let at = other.0 as usize;
    let goes_on = at > 0 && numbers[at - 1] == numbers[at];
    sides[side].paragraph_of(if goes_on { own.0 - 1 } else { own.0.min(last) })
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
