//! Passages: matches whose sources overlap, with all their places.

use rayon::prelude::*;

use crate::passages::Occurrence;
use crate::passages::matches::Match;
use crate::passages::sequences::Sequences;

/// One place of a passage, in tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The number of the passage.
    pub passage: u32,
    /// The document.
    pub document: u32,
    /// The first token.
    pub start: u32,
    /// The token after the last one.
    pub end: u32,
    /// The share of equal tokens.
    pub similarity: f64,
    /// Whether it is the first place of the passage.
    pub first: bool,
}

impl Place {
    /// The place as an occurrence in the original text.
    pub fn occurrence(&self, start: u32, end: u32) -> Occurrence {
        let &Self { passage, document, similarity, first, .. } = self;
        Occurrence { passage, document, start, end, words: self.end - self.start, similarity, first }
    }
}

/// A place of a passage in a distinct text.
#[derive(Clone, Copy)]
struct Span {
    number: u32,
    start: u32,
    end: u32,
    equal: u32,
    longer: u32,
}

/// Joins matches to passages and lists their places in all documents: the first place leads, and the others follow in
/// order.
pub fn passages(sequences: &Sequences, matches: &[Match], min_words: usize) -> Vec<Place> {
    let mut sources: Vec<Match> = matches.to_vec();
    sources.extend(identical_texts(sequences, matches, min_words));
    sources.par_sort_unstable_by_key(|found| {
        (found.source, found.source_start, found.source_end, found.number, found.start, found.end)
    });
    let mut classes: Vec<Class> = Vec::new();
    for text in sources.chunk_by(|a, b| a.source == b.source) {
        classes.append(&mut join_overlapping(text));
    }
    classes.sort_unstable_by_key(|class| (class.number, class.start, class.end));
    let lists: Vec<Vec<Place>> = classes
        .par_iter()
        .enumerate()
        .map(|(number, class)| class.places(sequences, number as u32, min_words))
        .collect();
    lists.concat()
}

/// The whole of each text that several documents have, unless it is a copy of an earlier text.
fn identical_texts(sequences: &Sequences, matches: &[Match], min_words: usize) -> Vec<Match> {
    let mut sorted: Vec<&Match> = matches.iter().collect();
    sorted.par_sort_unstable_by_key(|found| (found.number, found.start, u32::MAX - found.end));
    (0..sequences.len() as u32)
        .into_par_iter()
        .filter_map(|number| {
            let length = sequences.tokens(number).len();
            if sequences.copies(number).len() < 2 || length < min_words {
                return None;
            }
            let first = sorted.partition_point(|found| found.number < number);
            let is_copy = sorted.get(first).is_some_and(|found| {
                found.number == number && found.start == 0 && found.end as usize == length && found.source != number
            });
            let whole = Match::equal(u64::from(number) << 32, u64::from(number) << 32, length);
            (!is_copy && sequences.is_source(number)).then_some(whole)
        })
        .collect()
}

/// Matches whose sources are one passage.
struct Class {
    number: u32,
    start: u32,
    end: u32,
    matches: Vec<Match>,
}

/// Joins the matches with one source text, sorted by where the source begins: sources that overlap by at least half of
/// the shorter one are one passage.
fn join_overlapping(matches: &[Match]) -> Vec<Class> {
    let (mut open, mut closed): (Vec<Class>, Vec<Class>) = (Vec::new(), Vec::new());
    for found in matches {
        let (ended, still): (Vec<Class>, Vec<Class>) =
            open.into_iter().partition(|class| class.end <= found.source_start);
        closed.extend(ended);
        open = still;
        let shorter = |class: &Class| (class.end - class.start).min(found.source_end - found.source_start);
        let shared = |class: &Class| class.end.min(found.source_end) - found.source_start;
        match open.iter_mut().find(|class| 2 * shared(class) >= shorter(class)) {
            Some(class) => {
                class.end = class.end.max(found.source_end);
                class.matches.push(*found);
            }
            None => open.push(Class {
                number: found.source,
                start: found.source_start,
                end: found.source_end,
                matches: vec![*found],
            }),
        }
    }
    closed.extend(open);
    closed
}

impl Class {
    fn places(&self, sequences: &Sequences, passage: u32, min_words: usize) -> Vec<Place> {
        let words = self.end - self.start;
        let whole = Span { number: self.number, start: self.start, end: self.end, equal: words, longer: words };
        let spans = split_repeats(whole, self.merged(), min_words as u32);
        let mut places: Vec<Place> = Vec::new();
        for (index, span) in spans.iter().enumerate() {
            for (copy, &document) in sequences.copies(span.number).iter().enumerate() {
                let first = index == 0 && copy == 0;
                let similarity = f64::from(span.equal) / f64::from(span.longer);
                places.push(Place { passage, document, start: span.start, end: span.end, similarity, first });
            }
        }
        places
    }

    /// The spans of the matches in each text, those that overlap as one, without the source itself.
    fn merged(&self) -> Vec<Span> {
        let mut sorted: Vec<&Match> = self
            .matches
            .iter()
            .filter(|found| (found.number, found.start) != (found.source, found.source_start))
            .collect();
        sorted.sort_unstable();
        let mut spans: Vec<Span> = Vec::new();
        for found in sorted {
            let (equal, longer) = (found.equal, found.longer() as u32);
            match spans.last_mut() {
                Some(last) if last.number == found.number && found.start < last.end => {
                    last.end = last.end.max(found.end);
                    last.equal += equal;
                    last.longer += longer;
                }
                _ => spans.push(Span { number: found.number, start: found.start, end: found.end, equal, longer }),
            }
        }
        spans
    }
}

/// Splits a run that repeats itself, in which the copy continues the source, into places that do not overlap.
fn split_repeats(source: Span, spans: Vec<Span>, min_words: u32) -> Vec<Span> {
    let (mut source, mut places) = (source, Vec::with_capacity(spans.len() + 1));
    for span in spans {
        if span.number != source.number || span.start >= source.end || span.end < source.end {
            places.push(span);
            continue;
        }
        let period = span.start - source.start;
        let whole = Span { equal: period, longer: period, ..source };
        source = Span { end: span.start, ..whole };
        let mut start = span.start;
        while span.end - start >= period + min_words {
            places.push(Span { start, end: start + period, ..whole });
            start += period;
        }
        places.push(Span { start, end: span.end, ..whole });
    }
    places.insert(0, source);
    places
}
