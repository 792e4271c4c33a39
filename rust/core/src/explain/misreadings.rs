//! Words that character recognition misread, and words that were hyphenated at the end of a line.
//!
//! A scanned letter has errors all over, which are not what its writer changed. Where a letter has several words that
//! differ from those of the reference in a few characters, these are taken for the words of the reference before the
//! two texts are related. One or two such words are changes of the writer as any other. A word in two parts with the
//! letters of the reference's word is always taken for that word.

use crate::explain::align::{Hunk, HunkKind};
use crate::text::words::tokens::Tokens;

/// How many misread words a letter has before they are taken for errors of a scan.
const LEAST: usize = 3;
/// At most this many words are misread together: recognition joins and splits words.
const TOGETHER: u32 = 3;
/// One character in this many may differ, and one in any case.
const CHARACTERS: usize = 4;
/// Shorter words are too much alike.
const SHORTEST: usize = 3;

/// A text and its tokens.
pub(super) struct Words<'a> {
    pub text: &'a str,
    pub tokens: &'a Tokens,
    pub paragraphs: &'a [u32],
}

/// The tokens of a text with misread words replaced by those of the reference, and the paragraph of each.
#[derive(Default)]
pub(super) struct Repaired {
    pub hashes: Vec<u64>,
    pub starts: Vec<u32>,
    pub ends: Vec<u32>,
    pub paragraphs: Vec<u32>,
    /// Whether no letter of a word was misread.
    pub same_letters: bool,
}

/// Replaces the words of a document that are divided otherwise, and the misread ones, if there are enough of them.
pub(super) fn repair(reference: &Words, document: &Words, hunks: &[Hunk]) -> Option<Repaired> {
    let errors: Vec<Option<usize>> = hunks.iter().map(|hunk| count_errors(reference, document, hunk)).collect();
    let often = errors.iter().flatten().filter(|&&errors| errors > 0).count() >= LEAST;
    let misread: Vec<bool> = errors.iter().map(|errors| errors.is_some_and(|errors| often || errors == 0)).collect();
    if !misread.contains(&true) {
        return None;
    }
    let mut repaired = Repaired { same_letters: !often, ..Repaired::default() };
    for (hunk, misread) in hunks.iter().zip(misread) {
        let (first, last) = (hunk.document.0 as usize, hunk.document.1 as usize);
        if misread {
            for word in hunk.reference.0 as usize..hunk.reference.1 as usize {
                // The words of the document are shared out; the last word of the reference gets those that are left.
                let at = (first + word - hunk.reference.0 as usize).min(last - 1);
                let end = if word + 1 == hunk.reference.1 as usize { last - 1 } else { at };
                repaired.hashes.push(reference.tokens.hashes[word]);
                repaired.starts.push(document.tokens.starts[at]);
                repaired.ends.push(document.tokens.ends[end]);
                repaired.paragraphs.push(document.paragraphs[at]);
            }
        } else {
            repaired.hashes.extend_from_slice(&document.tokens.hashes[first..last]);
            repaired.starts.extend_from_slice(&document.tokens.starts[first..last]);
            repaired.ends.extend_from_slice(&document.tokens.ends[first..last]);
            repaired.paragraphs.extend_from_slice(&document.paragraphs[first..last]);
        }
    }
    Some(repaired)
}

/// In how many characters the words of a hunk differ; nothing if they are other words.
fn count_errors(reference: &Words, document: &Words, hunk: &Hunk) -> Option<usize> {
    let few = |span: (u32, u32)| (1..=TOGETHER).contains(&(span.1 - span.0));
    if hunk.kind != HunkKind::Replaced || !few(hunk.reference) || !few(hunk.document) {
        return None;
    }
    let (a, b) = (spell(reference, hunk.reference), spell(document, hunk.document));
    let longer = a.len().max(b.len());
    let errors = edit_distance(&a, &b);
    (longer >= SHORTEST && errors <= (longer / CHARACTERS).max(1)).then_some(errors)
}

/// The characters of consecutive words, without what is between them.
fn spell(words: &Words, span: (u32, u32)) -> Vec<char> {
    let word = |word: u32| {
        let (start, end) = (words.tokens.starts[word as usize], words.tokens.ends[word as usize]);
        words.text[start as usize..end as usize].chars().flat_map(char::to_lowercase)
    };
    (span.0..span.1).flat_map(word).collect()
}

/// How many characters must be inserted, removed or replaced.
fn edit_distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(a: &str, b: &str) -> usize {
        edit_distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>())
    }

    #[test]
    fn the_edit_distance_counts_characters() {
        assert_eq!(distance("committee", "cornmittee"), 2);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("same", "same"), 0);
        assert_eq!(distance("modern", "modem"), 2);
    }
}
