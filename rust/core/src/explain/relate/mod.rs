//! The relation of a letter to its reference copy, and the text that its writer added.
//!
//! The kinds are those of section 2 of Yang & Callan 2006, *Near-Duplicate Detection by Instance-level Constrained
//! Clustering*. The paper gives overlapping definitions and no order. The order here, on the alignment of the two
//! texts ([`crate::explain::align`]), is as follows; the first rule that matches decides:
//!
//! 1. the same words in the same order: `exact`;
//! 2. every part of the reference twice or more, and at most 15 words (or 5 %) of anything else: `repeated`;
//! 3. no block added or removed, nothing changed, something moved: `block_reordered`;
//! 4. no block added or removed, nothing moved, small changes, and half of the words kept: `minor_change`;
//! 5. paragraphs kept, fewer than 200 words added in blocks and fewer than 200 removed: `minor_change_block_edit` if
//!    there are small changes too or blocks both added and removed, else `block_added` or `block_deleted`;
//! 6. paragraphs kept: `key_block`;
//! 7. more than 80 % of the words in common, in whatever order: `bag_of_words`;
//! 8. `other`.
//!
//! A *block* is a run of added (or removed) words that holds a whole paragraph of three words or more, or is longer
//! than 15 words, or occurs in a paragraph of which less than half is kept. Any other run is a *small change*. A
//! paragraph with small changes of more than 15 words and of 5 % of its words is *rewritten* and counts as removed and
//! added for the limits of rule 5. A paragraph is *kept* when five words of it and half of it, or twenty words, are
//! there and it is not rewritten; rules 5 and 6 ask for kept paragraphs of together twenty words, or of half of the
//! shorter text, since letters that share only a heading are not derived from each other.
//!
//! Choices that the paper leaves open:
//!
//! - Paragraphs steer the alignment but do not have to agree. Copies of a letter that were wrapped differently or lost
//!   their blank lines have the same words and are `exact`. A paragraph is rewritten only if it is so on both sides;
//!   where neither text has marks, 15 words are allowed for each hundred. Three or more words inserted between two
//!   paragraphs of the reference are a block also in a document that lost the marks there.
//! - A sentence of more than 15 words inserted into a paragraph, or at its end, is a block added even below 5 % of the
//!   paragraph: the agency must answer it. Insertions into a paragraph with fewer than three kept words between them
//!   are one. Up to 15 words are a small change.
//! - A line replaced by another (salutation, name) is a small change: at most 8 words for at most 8, or at most 15 at
//!   the head or the foot of both texts.
//! - Another copy of reference text, and what is next to it, is a block added; the copy is not part of the added
//!   text.
//! - A moved block with words changed, and nothing else, is `minor_change_block_edit`; moves next to added or removed
//!   blocks show in the flags only.
//!
//! The *added text* is every run of words that the reference does not have, from the first byte of its first word to
//! the last of its last; runs of a paragraph with fewer than three kept words between them are one, those words
//! included. The document without it is a subsequence of the reference, apart from moved and repeated blocks; for
//! `block_added` without such joints it is the reference.
//!
//! Time O(|reference| + |document|) expected, as the alignment; memory a few numbers for each word, reused.

mod changes;
mod relation;
#[cfg(test)]
mod tests;

use crate::explain::align::{
    Aligner, Hunk, HunkKind, ReferenceIndex, SMALL, Side, Span, Tile, Tokens, find_paragraph_starts,
};
use changes::{Changes, is_joined};
pub use relation::{Flags, Relation};

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
    changes: Changes,
    paragraph_starts: Vec<u32>,
    counts: Vec<u32>,
    spans: Vec<Span>,
}

impl RelationFinder {
    /// Relate a document to its reference copy.
    pub fn relate(&mut self, index: &ReferenceIndex, document: &Tokens) -> Related {
        let reference = index.tokens();
        if reference.hashes == document.hashes {
            let (added, removed) = (Vec::new(), Vec::new());
            return Related { relation: Relation::Exact, flags: Flags::default(), added, removed, overlap: 1.0 };
        }
        let overlap = index.word_overlap(document.hashes, &mut self.counts);
        self.aligner.align(index, document);
        find_paragraph_starts(document.paragraphs, &mut self.paragraph_starts);
        let sides = [
            Side { tokens: reference, paragraph_starts: index.paragraph_starts() },
            Side { tokens: *document, paragraph_starts: &self.paragraph_starts },
        ];
        self.changes.weigh(sides, self.aligner.hunks());
        let repeated = is_repeated(reference.hashes, document.hashes, self.aligner.tiles(), &mut self.counts);
        let mut flags = self.changes.flags();
        flags.repeated |= repeated;
        Related {
            relation: if repeated { Relation::Repeated } else { self.changes.relation(overlap) },
            flags,
            added: self.collect(|hunk| hunk.document, HunkKind::Added, document),
            removed: self.collect(|hunk| hunk.reference, HunkKind::Removed, &reference),
            overlap,
        }
    }

    /// The hunks of the document that was related last; none if it has the words of its reference.
    pub fn hunks(&self) -> &[Hunk] {
        self.aligner.hunks()
    }

    /// The byte spans of one side's words in hunks of a kind and in replaced ones.
    fn collect(&mut self, side: impl Fn(&Hunk) -> Span, kind: HunkKind, tokens: &Tokens) -> Vec<Span> {
        self.spans.clear();
        let chosen = self.aligner.hunks().iter().filter(|hunk| hunk.kind == kind || hunk.kind == HunkKind::Replaced);
        self.spans.extend(chosen.map(side));
        self.spans.sort_unstable();
        let groups = self.spans.chunk_by(|left, right| is_joined(tokens, *left, *right));
        let bytes = groups.map(|group| {
            let (first, last) = (group[0].0 as usize, group[group.len() - 1].1 as usize);
            (tokens.starts[first], tokens.ends[last - 1])
        });
        bytes.collect()
    }
}

/// Whether the document is the reference several times over, with little else.
fn is_repeated(reference: &[u64], document: &[u64], tiles: &[Tile], copies: &mut Vec<u32>) -> bool {
    let (length, total) = (reference.len(), document.len());
    if length == 0 || total < length {
        return false;
    }
    let times = (total + length / 2) / length;
    let tolerance = |words: usize| SMALL.max(words / 20);
    if times < 2 || total.abs_diff(times * length) > tolerance(total) {
        return false;
    }
    // A tolerance of fifteen words would be all of such a text.
    if length <= SMALL {
        return total % length == 0 && document.chunks(length).all(|copy| copy == reference);
    }
    // First the differences of the number of copies from one word to the next, so that a tile costs two steps.
    copies.clear();
    copies.resize(length + 1, 0);
    for tile in tiles {
        let (start, end) = (tile.reference as usize, tile.reference_end() as usize);
        copies[start] = copies[start].wrapping_add(1);
        copies[end] = copies[end].wrapping_sub(1);
    }
    let mut here = 0u32;
    let mut less_than_twice = 0;
    for difference in &copies[..length] {
        here = here.wrapping_add(*difference);
        less_than_twice += usize::from(here < 2);
    }
    let covered: usize = tiles.iter().map(|tile| tile.length as usize).sum();
    less_than_twice <= tolerance(length) && total - covered <= tolerance(total)
}
