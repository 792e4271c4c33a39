//! Descriptions of cluster members against their reference copies, in parallel; and the alignment of two texts.

use rayon::prelude::*;

use crate::explain::align;
use crate::explain::align::{Aligner, HunkKind, ReferenceIndex};
use crate::explain::misreadings;
use crate::explain::relate::{Related, Relation, RelationFinder};
use crate::text::characters::unicode::{self, SINGLE, WORD};
use crate::text::collection::{Collection, Reader, code_points};
use crate::text::paragraphs::paragraphs;
use crate::text::words::tokens;

/// How many members are described with one index of their reference.
const BATCH: usize = 256;
/// How many bytes of added and of removed text are quoted: an excerpt of a book removes the rest of the book.
const MOST_ADDED: usize = 1 << 20;
const MOST_REMOVED: usize = 1 << 13;

/// The description of a member.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// Its relation to the reference copy.
    pub relation: Relation,
    /// The text that only the member has, each piece on a line of its own.
    pub added: String,
    /// The text that only the reference has.
    pub removed: String,
}

/// A stretch of two aligned texts, in code points of the originals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// What happened.
    pub kind: HunkKind,
    /// Start and end in the first text.
    pub first: (u32, u32),
    /// Start and end in the second text.
    pub second: (u32, u32),
}

/// A text with its comparable form, its tokens and paragraphs, and the parts that are compared.
struct Read<'a> {
    text: String,
    tokens: tokens::Tokens,
    paragraphs: Vec<u32>,
    parts: Option<(&'a [u32], &'a [u32])>,
}

impl<'a> Read<'a> {
    fn new(collection: &Collection<'a>, document: usize) -> Self {
        let mut reader = Reader::default();
        let text = collection.read(document, &mut reader).text.into_owned();
        let paragraphs = paragraphs(text.as_bytes(), &reader.tokens.starts, &reader.tokens.ends);
        Self { text, tokens: reader.tokens, paragraphs, parts: collection.parts(document) }
    }

    fn view(&self) -> align::Tokens<'_> {
        align::Tokens {
            hashes: &self.tokens.hashes,
            starts: &self.tokens.starts,
            ends: &self.tokens.ends,
            paragraphs: &self.paragraphs,
        }
    }

    fn words(&self) -> misreadings::Words<'_> {
        misreadings::Words { text: &self.text, tokens: &self.tokens, paragraphs: &self.paragraphs }
    }

    /// The text of these spans, with adjacent punctuation, each piece on a line of its own.
    ///
    /// Text of more than `most` bytes is cut there and ends in an ellipsis.
    fn quote(&self, spans: &[(u32, u32)], most: usize) -> String {
        let whole = [(0, self.text.len() as u32)];
        let parts: Vec<(u32, u32)> = match self.parts {
            Some((starts, ends)) => starts.iter().copied().zip(ends.iter().map(|&end| end.min(whole[0].1))).collect(),
            None => whole.to_vec(),
        };
        let mut pieces = Vec::new();
        for &(start, end) in spans {
            for part in parts.iter().filter(|part| part.0 < end && start < part.1) {
                let piece = self.widen(start.max(part.0), end.min(part.1), *part).trim();
                if !piece.is_empty() {
                    pieces.push(piece);
                }
            }
        }
        let mut quoted = pieces.join("\n");
        if quoted.len() > most {
            let end = (0..=most).rev().find(|&end| quoted.is_char_boundary(end)).unwrap_or(0);
            quoted.truncate(end);
            quoted.push('…');
        }
        quoted
    }

    /// A span of text, extended by the adjacent characters that are neither white space nor part of a word.
    fn widen(&self, start: u32, end: u32, part: (u32, u32)) -> &str {
        let clings = |c: &char| !c.is_whitespace() && unicode::properties(*c) & (WORD | SINGLE) == 0;
        let (start, end) = (start as usize, end as usize);
        let before: usize =
            self.text[part.0 as usize..start].chars().rev().take_while(clings).map(char::len_utf8).sum();
        let after: usize = self.text[end..part.1 as usize].chars().take_while(clings).map(char::len_utf8).sum();
        &self.text[start - before..end + after]
    }
}

/// Relates a member to its reference; words that character recognition misread are not changes of the writer.
fn relate(finder: &mut RelationFinder, index: &ReferenceIndex, reference: &Read, member: &Read) -> Related {
    let related = finder.relate(index, &member.view());
    if related.relation == Relation::Exact {
        return related;
    }
    let Some(repaired) = misreadings::repair(&reference.words(), &member.words(), finder.hunks()) else {
        return related;
    };
    let view = align::Tokens {
        hashes: &repaired.hashes,
        starts: &repaired.starts,
        ends: &repaired.ends,
        paragraphs: &repaired.paragraphs,
    };
    let related = finder.relate(index, &view);
    // Misread words are not the same, even if the writer changed none.
    let misread = related.relation == Relation::Exact && !repaired.same_letters;
    let relation = if misread { Relation::MinorChange } else { related.relation };
    Related { relation, ..related }
}

/// Describes each member against the reference at the same index.
pub fn describe(collection: &Collection, members: &[u32], references: &[u32]) -> Vec<Description> {
    let mut order: Vec<u32> = (0..members.len() as u32).collect();
    order.par_sort_by_key(|&position| references[position as usize]);
    let batches: Vec<&[u32]> = order
        .chunk_by(|&a, &b| references[a as usize] == references[b as usize])
        .flat_map(|group| group.chunks(BATCH))
        .collect();
    let described: Vec<(u32, Description)> = batches
        .par_iter()
        .map_init(RelationFinder::default, |finder, batch| {
            let reference = Read::new(collection, references[batch[0] as usize] as usize);
            let index = ReferenceIndex::new(reference.view());
            let one = |&position: &u32| {
                let member = Read::new(collection, members[position as usize] as usize);
                let related = relate(finder, &index, &reference, &member);
                let added = member.quote(&related.added, MOST_ADDED);
                let removed = reference.quote(&related.removed, MOST_REMOVED);
                (position, Description { relation: related.relation, added, removed })
            };
            batch.iter().map(one).collect::<Vec<_>>()
        })
        .flatten()
        .collect();
    let mut in_order: Vec<Option<Description>> = vec![None; members.len()];
    described.into_iter().for_each(|(position, description)| in_order[position as usize] = Some(description));
    in_order.into_iter().flatten().collect()
}

/// Aligns two documents: stretches in the order of the second.
pub fn stretches(collection: &Collection, first: usize, second: usize) -> Vec<Stretch> {
    let (a, b) = (Read::new(collection, first), Read::new(collection, second));
    let (starts_a, ends_a, _) = collection.located(first);
    let (starts_b, ends_b, _) = collection.located(second);
    let span = |(start, end): (u32, u32), starts: &[u32], ends: &[u32]| {
        let begin = starts.get(start as usize).or(ends.last()).copied().unwrap_or(0);
        if start == end { (begin, begin) } else { (begin, ends[end as usize - 1]) }
    };
    let index = ReferenceIndex::new(a.view());
    let mut aligner = Aligner::default();
    aligner
        .align(&index, &b.view())
        .iter()
        .map(|hunk| Stretch {
            kind: hunk.kind,
            first: span(hunk.reference, &starts_a, &ends_a),
            second: span(hunk.document, &starts_b, &ends_b),
        })
        .collect()
}

/// Where each paragraph of a document begins and ends, in code points of the original.
pub fn paragraph_spans(collection: &Collection, document: usize) -> Vec<(u32, u32)> {
    let mut reader = Reader::default();
    let prepared = collection.read(document, &mut reader);
    let numbers = paragraphs(prepared.text.as_bytes(), &reader.tokens.starts, &reader.tokens.ends);
    let positions: Vec<usize> = (0..numbers.len()).collect();
    let spans: Vec<(usize, usize)> = positions
        .chunk_by(|&a, &b| numbers[a] == numbers[b])
        .map(|run| {
            let start = reader.tokens.starts[run[0]] as usize;
            let end = reader.tokens.ends[run[run.len() - 1]] as usize;
            prepared.original_span(start, end)
        })
        .collect();
    let original = collection.text(document);
    let starts = code_points(original, spans.iter().map(|span| span.0));
    let ends = code_points(original, spans.iter().map(|span| span.1));
    starts.into_iter().zip(ends).collect()
}
