use neardup_core::explain::align::{HunkKind, Tokens, align};
use neardup_core::explain::relate::{Relation, relate};
use proptest::prelude::*;

use crate::cases;

/// A text as numbers for words, with offsets and paragraphs made up.
struct Text {
    hashes: Vec<u64>,
    starts: Vec<u32>,
    ends: Vec<u32>,
    paragraphs: Vec<u32>,
}

impl Text {
    fn new(hashes: &[u64], paragraph: usize) -> Self {
        let count = hashes.len() as u32;
        Self {
            hashes: hashes.to_vec(),
            starts: (0..count).map(|at| at * 6).collect(),
            ends: (0..count).map(|at| at * 6 + 5).collect(),
            paragraphs: (0..hashes.len()).map(|at| (at / paragraph) as u32).collect(),
        }
    }

    fn tokens(&self) -> Tokens<'_> {
        Tokens { hashes: &self.hashes, starts: &self.starts, ends: &self.ends, paragraphs: &self.paragraphs }
    }
}

/// A text, and another that was made from it by cutting, swapping, repeating and inserting blocks.
fn edited() -> impl Strategy<Value = (Vec<u64>, Vec<u64>)> {
    let edit = (0usize..4, 0usize..200, 0usize..30, 0u64..1000);
    (prop::collection::vec(0u64..300, 0..150), prop::collection::vec(edit, 0..6)).prop_map(|(reference, edits)| {
        let mut document = reference.clone();
        for (kind, at, length, word) in edits {
            let start = at.min(document.len());
            let end = (start + length).min(document.len());
            match kind {
                0 => drop(document.drain(start..end)),
                1 => drop(document.splice(start..start, (0..length as u64).map(|more| 1000 + word + more))),
                2 => document.extend_from_within(start..end),
                _ => document.rotate_left(start),
            }
        }
        (reference, document)
    })
}

fn slow_common_length(a: &[u64], b: &[u64]) -> usize {
    let mut row = vec![0; b.len() + 1];
    for left in a {
        let mut diagonal = 0;
        for (at, right) in b.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if left == right { diagonal + 1 } else { above.max(row[at]) };
            diagonal = above;
        }
    }
    row[b.len()]
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn hunks_make_up_both_texts((reference, document) in edited(), paragraph in 1usize..60) {
        let (left, right) = (Text::new(&reference, paragraph), Text::new(&document, paragraph));
        let (mut at, mut last, mut in_order) = (0, 0, 0);
        let mut covered = vec![0; reference.len()];
        for hunk in align(&left.tokens(), &right.tokens()).hunks {
            let (a, b) = (hunk.reference.0 as usize..hunk.reference.1 as usize, hunk.document);
            prop_assert_eq!(b.0, at);
            prop_assert!(!a.is_empty() || b.0 < b.1);
            at = b.1;
            if matches!(hunk.kind, HunkKind::Equal | HunkKind::Moved | HunkKind::Repeated) {
                prop_assert_eq!(&reference[a.clone()], &document[b.0 as usize..b.1 as usize]);
            }
            if hunk.kind == HunkKind::Equal {
                prop_assert!(a.start >= last);
                last = a.end;
                in_order += a.len();
            }
            if hunk.kind != HunkKind::Repeated {
                covered[a].iter_mut().for_each(|count| *count += 1);
            }
        }
        prop_assert_eq!(at as usize, document.len());
        prop_assert!(covered.iter().all(|&count| count == 1));
        prop_assert!(in_order <= slow_common_length(&reference, &document));
    }

    #[test]
    fn a_document_is_exact_if_its_words_are_those_of_the_reference((reference, document) in edited()) {
        let (left, right) = (Text::new(&reference, 20), Text::new(&document, 20));
        let related = relate(&left.tokens(), &right.tokens());
        prop_assert_eq!(related.relation == Relation::Exact, reference == document);
        prop_assert!((0.0..=1.0).contains(&related.overlap));
        let inside = |spans: &[(u32, u32)], length: usize| {
            spans.is_sorted() && spans.iter().all(|span| span.0 < span.1 && span.1 <= length as u32 * 6)
        };
        prop_assert!(inside(&related.added, document.len()) && inside(&related.removed, reference.len()));
    }
}
