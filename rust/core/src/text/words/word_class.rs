//! The class of a term, from the term alone: its part of speech if that can be determined, else what kind of thing it
//! is.
//!
//! Closed classes (pronouns, prepositions, ...) are lists of words (`word_class.txt`): those of English first, then of
//! other languages, except words that are English words of another class. Chinese words are looked up in jieba's
//! dictionary. Other words of the Latin script are classified by their endings, and are nouns by default. A word of any
//! other script that is in no list is `unknown`. Weights of classes are not defined here.

use std::collections::HashMap;
use std::sync::OnceLock;

use unicode_script::{Script, UnicodeScript};

use crate::text::characters::han;
use crate::text::characters::unicode::{SINGLE, properties};

/// The classes. Their order is fixed, because classes are stored by number.
pub const CLASSES: [&str; 25] = [
    "noun",
    "name",
    "verb",
    "adjective",
    "adverb",
    "time",
    "place",
    "idiom",
    "numeral",
    "measure",
    "pronoun",
    "preposition",
    "conjunction",
    "determiner",
    "auxiliary",
    "particle",
    "interjection",
    "link",
    "address",
    "mention",
    "hashtag",
    "emoji",
    "code",
    "symbol",
    "unknown",
];

/// The number of a class in [`CLASSES`].
pub type Class = u8;

/// The number of a class; that of `unknown` for any other name.
pub fn number_of(name: &str) -> Class {
    let found = CLASSES.iter().position(|class| *class == name);
    found.or_else(|| CLASSES.iter().position(|class| *class == "unknown")).unwrap_or(0) as Class
}

/// The class of a term in its final spelling.
pub fn classify(term: &str) -> Class {
    number_of(name(term))
}

fn name(term: &str) -> &'static str {
    if let Some(&class) = closed().get(term) {
        return class;
    }
    let Some(first) = term.chars().next() else { return "symbol" };
    match first {
        '/' if term.starts_with("//") => "link",
        '#' if term.len() > 1 => "hashtag",
        '@' if term.len() > 1 => "mention",
        _ if term.contains('@') && term.contains('.') && first.is_ascii_alphanumeric() => "address",
        _ if first.is_numeric() => numeral(term),
        _ if han::begins_with_han(term) => chinese(term),
        _ if !term.chars().any(char::is_alphabetic) => {
            if properties(first) & SINGLE != 0 {
                "emoji"
            } else {
                "symbol"
            }
        }
        _ if term.chars().any(char::is_numeric) => "code",
        _ if first.script() == Script::Latin => latin(term),
        _ => "unknown",
    }
}

/// Digits and the marks between them, or an amount with its unit; other mixtures of digits and letters are codes.
fn numeral(term: &str) -> &'static str {
    let rest = term.trim_start_matches(|c: char| c.is_numeric() || matches!(c, '.' | ',' | ':' | '/' | '-'));
    let units = ["", "st", "nd", "rd", "th", "am", "pm", "k", "m", "bn", "p", "x", "s", "km", "kg", "h", "hrs", "mins"];
    if units.contains(&rest) { "numeral" } else { "code" }
}

/// The class of a word of the Latin script by its ending.
fn latin(word: &str) -> &'static str {
    let long = |ending: &str| word.len() >= ending.len() + 3 && word.ends_with(ending);
    if !word.is_ascii() {
        "noun"
    } else if ["ly"].into_iter().any(long) {
        "adverb"
    } else if ["ing", "ed", "ize", "ise", "ify", "ised", "ized"].into_iter().any(long) {
        "verb"
    } else if ["ous", "ful", "able", "ible", "ive", "ish", "less", "ical", "ional"].into_iter().any(long) {
        "adjective"
    } else {
        "noun"
    }
}

fn chinese(word: &str) -> &'static str {
    let tag = han::tag(word);
    match tag.as_str() {
        "df" | "dg" => "adverb",
        "mq" | "mg" => "numeral",
        "tg" => "time",
        "nr" | "nrfg" | "nrt" | "nt" | "nz" => "name",
        "ns" => "place",
        _ => match tag.as_bytes().first() {
            Some(b'n' | b'g' | b'j') => "noun",
            Some(b'v') => "verb",
            Some(b'a' | b'b' | b'z') if tag != "zg" => "adjective",
            Some(b'd') => "adverb",
            Some(b't') => "time",
            Some(b's' | b'f') => "place",
            Some(b'i' | b'l') => "idiom",
            Some(b'm') => "numeral",
            Some(b'q') => "measure",
            Some(b'r') => "pronoun",
            Some(b'p') => "preposition",
            Some(b'c') => "conjunction",
            Some(b'u' | b'y' | b'k' | b'h') => "particle",
            Some(b'e' | b'o') => "interjection",
            _ => "unknown",
        },
    }
}

/// The words of the closed classes; if a word is in several lists, the first counts.
fn closed() -> &'static HashMap<&'static str, &'static str> {
    static CLOSED: OnceLock<HashMap<&str, &str>> = OnceLock::new();
    CLOSED.get_or_init(|| {
        let mut words = HashMap::new();
        for line in include_str!("word_class.txt").lines() {
            let Some((class, list)) = line.split_once(':') else { continue };
            let Some(&class) = CLASSES.iter().find(|known| **known == class.trim()) else { continue };
            list.split_whitespace().for_each(|word| {
                words.entry(word).or_insert(class);
            });
        }
        words
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_have_their_classes() {
        for (term, class) in [
            ("whale", "noun"),
            ("quickly", "adverb"),
            ("running", "verb"),
            ("famous", "adjective"),
            ("the", "determiner"),
            ("i", "pronoun"),
            ("dont", "auxiliary"),
            ("u", "pronoun"),
            ("lol", "interjection"),
            ("und", "conjunction"),
            ("12:30", "numeral"),
            ("21st", "numeral"),
            ("5pm", "numeral"),
            ("3g4x", "code"),
            ("b4u2", "code"),
            ("//bit.ly/x", "link"),
            ("a.b@c.de", "address"),
            ("#win", "hashtag"),
            ("@friend", "mention"),
            ("😀", "emoji"),
            ("?!", "symbol"),
            ("北京", "place"),
            ("的", "particle"),
            ("這", "pronoun"),
            ("鲸鱼", "noun"),
            ("三", "numeral"),
            ("école", "noun"),
            ("мир", "unknown"),
            ("и", "conjunction"),
            ("か", "unknown"),
            ("", "symbol"),
        ] {
            assert_eq!(CLASSES[classify(term) as usize], class, "{term}");
        }
    }

    #[test]
    fn every_line_of_the_lists_names_a_class() {
        for line in include_str!("word_class.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (class, words) = line.split_once(':').expect("class: words");
            assert!(CLASSES.contains(&class) && words.split_whitespace().count() > 0, "{line}");
            assert!(words.split_whitespace().all(|word| word.chars().all(|c| !c.is_uppercase())), "{line}");
        }
        assert!(closed().len() > 700);
    }
}
