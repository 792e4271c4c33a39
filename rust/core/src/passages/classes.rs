//! Passages: matches whose sources overlap, with all their places.

use rayon::prelude::*;

use crate::passages::matches::Match;
use crate::passages::sequences::Sequences;

/// One occurrence of a passage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Occurrence {
    /// The number of the passage.
    pub passage: u32,
    /// The document.
    pub document: u32,
    /// Where it begins in the original text, in code points.
    pub start: u32,
    /// Where it ends in the original text, in code points.
    pub end: u32,
    /// The number of its tokens.
    pub words: u32,
    /// The share of tokens that are equal to those of the first occurrence, in the part that it has of it.
    pub similarity: f64,
    /// Whether it is the first occurrence of the passage.
    pub first: bool,
}

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

/// The places of passages, and what of them is a copy of an earlier place.
#[derive(Debug, Default)]
pub struct Places {
    /// The places, by passage: the first leads, and the others follow in order.
    pub places: Vec<Place>,
    /// The runs that have an earlier place, by document; they do not overlap in one passage.
    pub copies: Vec<Place>,
}

/// Joins matches to passages and lists their places in all documents.
pub fn passages(sequences: &Sequences, matches: &[Match], min_words: usize) -> Places {
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
    let joined = join_equal(classes);
    let listed: Vec<(Vec<Place>, Vec<Place>)> = joined
        .par_iter()
        .enumerate()
        .map(|(number, class)| {
            (class.places(sequences, number as u32, min_words), class.copies(sequences, number as u32))
        })
        .collect();
    let (places, copies): (Vec<Vec<Place>>, Vec<Vec<Place>>) = listed.into_iter().unzip();
    Places { places: places.concat(), copies: copies.concat() }
}

/// Joins each class to the first class that has a place with about the same tokens as its source: the longer of both
/// has at most a fifth more.
fn join_equal(mut classes: Vec<Class>) -> Vec<Class> {
    let mut spans: Vec<(u32, u32, u32, usize)> = classes
        .par_iter()
        .enumerate()
        .flat_map_iter(|(index, class)| {
            class.matches.iter().map(move |found| (found.number, found.start, found.end, index))
        })
        .collect();
    spans.par_sort_unstable();
    spans.dedup();
    let targets: Vec<usize> = classes
        .par_iter()
        .enumerate()
        .map(|(index, class)| {
            let (words, slack) = (class.words(), class.words() / 4);
            let first =
                spans.partition_point(|span| (span.0, span.1) < (class.number, class.start.saturating_sub(slack)));
            let near = spans[first..].iter().take_while(|span| (span.0, span.1) <= (class.number, class.start + slack));
            let same = near.filter(|&&(_, start, end, other)| {
                let shared = end.min(class.end).saturating_sub(start.max(class.start));
                other < index && 5 * shared >= 4 * words.max(end - start)
            });
            same.map(|span| span.3).min().unwrap_or(index)
        })
        .collect();
    let mut firsts: Vec<usize> = Vec::with_capacity(classes.len());
    for (index, &target) in targets.iter().enumerate() {
        // Not much longer than the first of all: versions of a growing text do not become one passage.
        let first = if target == index { index } else { firsts[target] };
        let fits = 4 * classes[index].words() <= 5 * classes[first].words();
        firsts.push(if fits { first } else { index });
    }
    for (index, &first) in firsts.iter().enumerate().filter(|&(index, &first)| index != first) {
        let class = std::mem::take(&mut classes[index]);
        classes[first].joined.push((class.number, class.start, class.end));
        classes[first].matches.extend(class.matches);
    }
    classes.retain(|class| !class.matches.is_empty());
    classes
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

/// Matches whose sources are one passage: the first source, those of joined classes, and the matches.
#[derive(Default)]
struct Class {
    number: u32,
    start: u32,
    end: u32,
    joined: Vec<(u32, u32, u32)>,
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
                joined: Vec::new(),
                matches: vec![*found],
            }),
        }
    }
    closed.extend(open);
    closed
}

impl Class {
    fn words(&self) -> u32 {
        self.end - self.start
    }

    fn places(&self, sequences: &Sequences, passage: u32, min_words: usize) -> Vec<Place> {
        let words = self.end - self.start;
        let whole = Span { number: self.number, start: self.start, end: self.end, equal: words, longer: words };
        let mut spans = self.spans();
        spans.extend(self.joined.iter().map(|&(number, start, end)| {
            let words = end - start;
            Span { number, start, end, equal: words, longer: words }
        }));
        let spans = split_repeats(whole, merge(spans), min_words as u32);
        let mut places: Vec<Place> = Vec::new();
        for (index, span) in spans.iter().enumerate() {
            for (copy, &document) in sequences.copies(span.number).iter().enumerate() {
                places.push(span.place(passage, document, index == 0 && copy == 0));
            }
        }
        places
    }

    /// The runs that have an earlier place: those of the matches, and all in identical texts but those of the first.
    fn copies(&self, sequences: &Sequences, passage: u32) -> Vec<Place> {
        let mut copies: Vec<Place> = Vec::new();
        for span in merge(self.spans()) {
            copies.extend(sequences.copies(span.number).iter().map(|&document| span.place(passage, document, false)));
        }
        let own = std::iter::once((self.number, self.start, self.end)).chain(self.joined.iter().copied());
        for (number, start, end) in own {
            let span = Span { number, start, end, equal: end - start, longer: end - start };
            let later = sequences.copies(number).iter().skip(1);
            copies.extend(later.map(|&document| span.place(passage, document, false)));
        }
        copies
    }

    /// The spans of the matches, without the source itself.
    fn spans(&self) -> Vec<Span> {
        let is_copy = |found: &&Match| (found.number, found.start) != (found.source, found.source_start);
        self.matches.iter().filter(is_copy).map(Span::of).collect()
    }
}

impl Span {
    fn of(found: &Match) -> Self {
        let &Match { number, start, end, equal, .. } = found;
        Self { number, start, end, equal, longer: found.longer() as u32 }
    }

    fn place(&self, passage: u32, document: u32, first: bool) -> Place {
        let similarity = f64::from(self.equal) / f64::from(self.longer);
        Place { passage, document, start: self.start, end: self.end, similarity, first }
    }
}

/// Sorts spans, and makes those that overlap in one text one.
fn merge(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable_by_key(|span| (span.number, span.start, span.end, span.equal, span.longer));
    let mut merged: Vec<Span> = Vec::new();
    for span in spans {
        match merged.last_mut() {
            Some(last) if last.number == span.number && span.start < last.end => {
                last.end = last.end.max(span.end);
                last.equal += span.equal;
                last.longer += span.longer;
            }
            _ => merged.push(span),
        }
    }
    merged
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
