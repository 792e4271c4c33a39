//! Which of the docket numbers that a letter cites say what the letter is about.
//!
//! A number outside the main text (header, subject, address, footer) does. A number in the main text does if its passage
//! is shared text: at least three other letters have the same ten words before and the same ten words after it, whatever
//! the number, and of the letters that begin alike not only a few have it. A number in the opening, the first 30 words, does as well, unless its sentence was added: words such as
//! "also" or "wrote" refer to something else, or at least three other letters begin as this one does, or with the words
//! after the sentence, and do not have it. All other numbers are in what a writer added.
//!
//! Each letter is read on its own; passages and beginnings of the whole collection are counted afterwards. Time O(words
//! of letters that cite a number).

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::letters::dockets::{DocketRules, docket_numbers};
use crate::letters::parts::{Kind, Letter};
use crate::support::hash;

/// A number that begins within this many words of the main text is in its opening.
const OPENING_WORDS: usize = 30;
/// How many words before and after a number are its passage.
const PASSAGE_WORDS: usize = 10;
/// How many letters have a passage that is shared text.
const SHARED_LETTERS: u32 = 4;
/// Words near a number in the opening that refer to another letter or another docket.
const ELSEWHERE: [&str; 16] = [
    "also",
    "already",
    "previous",
    "previously",
    "earlier",
    "wrote",
    "written",
    "commented",
    "submitted",
    "ago",
    "last",
    "another",
    "other",
    "too",
    "unlike",
    "similar",
];

/// Why a number counts, or what decides it. Hashes are 0 where there are too few words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// The letter says that it is about this docket.
    About,
    /// The number is in the opening, in a passage with this hash.
    Opening {
        /// The hash of the words around the number.
        passage: u64,
        /// The hash of the words after its sentence.
        follows: u64,
        /// Whether it is among the words that begin the letter.
        begins: bool,
    },
    /// The number is further down in the main text, in a passage with this hash.
    Passage(u64),
}

/// The numbers that a letter cites.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Citations {
    /// Each number and its standing, in the order of the text.
    found: Vec<(String, Standing)>,
    /// The hash of the words that begin the main text.
    beginning: u64,
}

impl Citations {
    /// Finds the numbers that a letter cites; text of others does not count.
    pub fn read(text: &str, letter: &Letter, rules: &DocketRules) -> Self {
        let mut found = Vec::new();
        let beginning = Main::read(text, letter, PASSAGE_WORDS).hash(0..PASSAGE_WORDS);
        let mut main: Option<Main> = None;
        for part in letter.parts.iter().filter(|part| part.kind != Kind::Quoted) {
            let start = part.start as usize;
            for citation in docket_numbers(&text[start..part.end as usize], rules) {
                let standing = if part.kind == Kind::Main {
                    let main = main.get_or_insert_with(|| Main::read(text, letter, usize::MAX));
                    main.standing(start + citation.start as usize, start + citation.end as usize)
                } else {
                    Standing::About
                };
                found.push((citation.number, standing));
            }
        }
        Self { found, beginning }
    }

    /// All numbers, sorted, each once.
    pub fn numbers(&self) -> Vec<String> {
        self.chosen(|_| true)
    }

    /// The numbers of the dockets that the letter is about.
    pub fn about(&self, passages: &Passages) -> Vec<String> {
        self.chosen(|standing| match *standing {
            Standing::About => true,
            Standing::Opening { passage, follows, begins } => {
                let shared = passages.are_shared(passage);
                let on_top = passages.beginning_with(follows) + 1 >= SHARED_LETTERS;
                let inside = !begins && passages.beginning_with(self.beginning) >= SHARED_LETTERS;
                !on_top && (shared || !inside)
            }
            Standing::Passage(_) => false,
        })
    }

    /// The numbers in passages that are shared text of the collection.
    pub fn shared(&self, passages: &Passages) -> Vec<String> {
        self.chosen(|standing| matches!(standing, Standing::Passage(passage) if passages.are_shared(*passage)))
    }

    /// The hashes of the passages around numbers in the main text.
    fn passages(&self) -> impl Iterator<Item = u64> {
        self.found.iter().filter_map(|(_, standing)| match *standing {
            Standing::Passage(passage) | Standing::Opening { passage, .. } => {
                Some(passage).filter(|&passage| passage != 0)
            }
            Standing::About => None,
        })
    }

    fn chosen(&self, counts: impl Fn(&Standing) -> bool) -> Vec<String> {
        let chosen = self.found.iter().filter(|(_, standing)| counts(standing));
        let mut numbers: Vec<String> = chosen.map(|(number, _)| number.clone()).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}

/// The passages around the numbers of a collection that are shared text, and how its letters begin.
#[derive(Default)]
pub struct Passages {
    shared: HashSet<u64>,
    beginnings: HashMap<u64, u32>,
}

impl Passages {
    /// Counts the passages and beginnings of letters.
    pub fn count<'a>(letters: impl Iterator<Item = &'a Citations> + Clone) -> Self {
        let mut beginnings: HashMap<u64, u32> = HashMap::new();
        letters.clone().for_each(|citations| *beginnings.entry(citations.beginning).or_default() += 1);
        let mut pairs: Vec<(u64, u64)> = Vec::new();
        for citations in letters {
            let before = pairs.len();
            pairs.extend(citations.passages().map(|passage| (passage, citations.beginning)));
            pairs[before..].sort_unstable();
            let own = pairs.split_off(before);
            pairs.extend(own.chunk_by(|a, b| a == b).map(|same| same[0]));
        }
        pairs.sort_unstable();
        let mut counted = Self { shared: HashSet::new(), beginnings };
        let shared: Vec<u64> = pairs
            .chunk_by(|a, b| a.0 == b.0)
            .filter(|group| group.len() >= SHARED_LETTERS as usize && counted.is_form(group))
            .map(|group| group[0].0)
            .collect();
        counted.shared.extend(shared);
        counted
    }

    /// Whether a passage with these letters is part of a form. Of letters that begin alike, most have it; a sentence that
    /// several writers added is in a minority of them.
    fn is_form(&self, group: &[(u64, u64)]) -> bool {
        let alike = group.chunk_by(|a, b| a.1 == b.1).filter(|part| self.beginning_with(part[0].1) >= SHARED_LETTERS);
        let most = alike.max_by_key(|part| (part.len(), part[0].1));
        most.is_none_or(|part| part.len() * 2 >= self.beginning_with(part[0].1) as usize)
    }

    fn are_shared(&self, passage: u64) -> bool {
        self.shared.contains(&passage)
    }

    /// How many letters begin with these words.
    fn beginning_with(&self, words: u64) -> u32 {
        if words == 0 { 0 } else { self.beginnings.get(&words).copied().unwrap_or(0) }
    }
}

/// The first words of a main text: their spans in the letter.
struct Main<'a> {
    text: &'a str,
    words: Vec<(usize, usize)>,
}

impl<'a> Main<'a> {
    fn read(text: &'a str, letter: &Letter, most: usize) -> Self {
        let mut words = Vec::new();
        for part in letter.parts.iter().filter(|part| part.kind == Kind::Main) {
            let main = &text[part.start as usize..part.end as usize];
            let found = main.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            words.extend(found.take(most - words.len()).map(|word| {
                let at = word.as_ptr() as usize - text.as_ptr() as usize;
                (at, at + word.len())
            }));
        }
        Self { text, words }
    }

    /// The hash of these words; 0 if the text has fewer.
    fn hash(&self, range: Range<usize>) -> u64 {
        let folded = |word: &(usize, usize)| hash::word(self.text[word.0..word.1].to_lowercase().as_bytes());
        let words = self.words.get(range);
        words.map_or(0, |words| (hash::text(&words.iter().map(folded).collect::<Vec<u64>>()) >> 64) as u64 | 1)
    }

    /// The first word after the sentence of this word.
    fn next_sentence(&self, from: usize) -> usize {
        let ends = |at: &usize| {
            let gap = &self.text[self.words[at - 1].1..self.words[*at].0];
            let capital = self.text[self.words[*at].0..].starts_with(char::is_uppercase);
            gap.contains(['\n', '\r']) || gap.contains(['.', '!', '?']) && gap.contains(' ') && capital
        };
        (from.max(1)..self.words.len()).find(ends).unwrap_or(self.words.len())
    }

    fn standing(&self, start: usize, end: usize) -> Standing {
        let first = self.words.partition_point(|word| word.1 <= start);
        let after = self.words.partition_point(|word| word.0 < end);
        let before = &self.words[first.saturating_sub(PASSAGE_WORDS)..first];
        let behind = &self.words[after..self.words.len().min(after + PASSAGE_WORDS)];
        let elsewhere = |word: &(usize, usize)| {
            ELSEWHERE.iter().any(|known| known.eq_ignore_ascii_case(&self.text[word.0..word.1]))
        };
        let before_hash = self.hash(first.saturating_sub(PASSAGE_WORDS)..first);
        let after_hash = self.hash(after..after + PASSAGE_WORDS);
        let passage = if after_hash == 0 { 0 } else { hash::mix(before_hash ^ after_hash.rotate_left(1)) | 1 };
        if first < OPENING_WORDS && !before.iter().chain(behind).any(elsewhere) {
            let next = self.next_sentence(after);
            let follows = self.hash(next..next.saturating_add(PASSAGE_WORDS));
            return Standing::Opening { passage, follows, begins: first < PASSAGE_WORDS };
        }
        Standing::Passage(if first < PASSAGE_WORDS { 0 } else { passage })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letters::parts::{Footers, parse};

    const FORM: &str = "We ask you to keep the rule as it is, since the lake is the only water that our town has and \
                        since nobody who lives here was asked before the draft was printed in the spring. \
                        The draft in docket EPA-HQ-OAR-2002-0056 would let the plant upstream release twice as much \
                        mercury as it does today, and the fish would not be fit to eat.";

    fn read(text: &str) -> Citations {
        Citations::read(text, &parse(text, &Footers::default(), &DocketRules::default()), &DocketRules::default())
    }

    fn about(text: &str) -> Vec<String> {
        read(text).about(&Passages::default())
    }

    #[test]
    fn numbers_in_the_subject_and_the_opening_say_what_the_letter_is_about() {
        for text in [
            format!("Re: Docket ID No. EPA-HQ-OAR-2002-0056\n\nDear all,\n\nPlease stop.\n\n{}", &FORM[..100]),
            format!("My comment is on EPA-HQ-OAR-2002-0056. {}", &FORM[..100]),
        ] {
            assert_eq!(about(&text), ["EPA-HQ-OAR-2002-0056"], "{text}");
        }
        let other = format!("I also wrote about EPA-HQ-OAR-2009-0234 in May. {}", &FORM[..100]);
        assert_eq!(about(&other), Vec::<String>::new());
        assert_eq!(read(&other).numbers(), ["EPA-HQ-OAR-2009-0234"]);
    }

    #[test]
    fn numbers_in_shared_text_count_and_those_in_personal_sentences_do_not() {
        let personal = format!("{FORM} My cousin told me that EPA-HQ-OW-2011-0880 was the same story all over again.");
        let letters = [read(FORM), read(FORM), read(FORM), read(&personal)];
        let passages = Passages::count(letters.iter());
        assert_eq!(letters[3].shared(&passages), ["EPA-HQ-OAR-2002-0056"]);
        assert_eq!(letters[3].about(&passages), Vec::<String>::new());
        assert_eq!(letters[3].numbers().len(), 2);
        let few = Passages::count(letters[..3].iter());
        assert_eq!(letters[3].shared(&few), Vec::<String>::new(), "three letters are too few");
    }

    #[test]
    fn another_number_in_the_same_passage_is_shared_text_too() {
        let other = FORM.replace("EPA-HQ-OAR-2002-0056", "EPA-HQ-OAR-2009-0234");
        let letters = [read(FORM), read(FORM), read(FORM), read(&other)];
        assert_eq!(letters[3].shared(&Passages::count(letters.iter())), ["EPA-HQ-OAR-2009-0234"]);
    }

    #[test]
    fn a_sentence_that_was_added_on_top_does_not_say_what_the_letter_is_about() {
        let form = &FORM[..180];
        let personal = format!("The same happened in EPA-HQ-OW-2011-0880, as all can tell. {form}");
        let inside = form.replacen(", since", " and not as in EPA-HQ-OW-2011-0880, since", 1);
        for text in [personal, inside] {
            let letters = [read(form), read(form), read(form), read(&text)];
            assert_eq!(letters[3].about(&Passages::count(letters.iter())), Vec::<String>::new(), "{text}");
            assert_eq!(about(&text), ["EPA-HQ-OW-2011-0880"], "{text}");
        }
    }

    #[test]
    fn a_form_that_names_its_docket_on_top_is_about_it() {
        let fill = |number: &str| read(&format!("My comment is on {number}. {}", &FORM[..180]));
        let letters = ["EPA-HQ-OW-2011-0880"; 3].map(fill).into_iter().chain([fill("EPA-HQ-OAR-2002-0056")]);
        let letters: Vec<Citations> = letters.collect();
        let passages = Passages::count(letters.iter());
        assert_eq!(letters[3].about(&passages), ["EPA-HQ-OAR-2002-0056"]);
        assert_eq!(letters[0].about(&passages), ["EPA-HQ-OW-2011-0880"]);
    }
}
