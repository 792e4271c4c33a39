//! Chinese words: segmentation and part of speech from the dictionary of `jieba-rs`, which is part of the program.
//!
//! Words are cut along the most probable path through the dictionary, without the model for unknown words: anything
//! that is not in the dictionary stays single characters. So a word does not depend on distant text, and an edit does
//! not change terms elsewhere. The dictionary is loaded when the first Han character occurs.

use std::sync::OnceLock;

use jieba_rs::Jieba;
use unicode_script::{Script, UnicodeScript};

fn dictionary() -> &'static Jieba {
    static DICTIONARY: OnceLock<Jieba> = OnceLock::new();
    DICTIONARY.get_or_init(Jieba::new)
}

/// Whether the text begins with a Han character.
#[inline]
pub fn begins_with_han(text: &str) -> bool {
    text.chars().next().is_some_and(|first| first > '\u{2e7f}' && first.script() == Script::Han)
}

/// Calls `emit` with each word of a run of Han characters.
pub fn words<'a>(run: &'a str, mut emit: impl FnMut(&'a str)) {
    for token in dictionary().cut(run, false) {
        if begins_with_han(token.word) {
            emit(token.word);
        }
    }
}

/// The part of speech of a word in the dictionary, as a jieba tag; `x` for an unknown word.
pub fn tag(word: &str) -> String {
    let tags = dictionary().tag(word, false);
    tags.first().filter(|tag| tag.word == word).map_or("x", |tag| tag.tag).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_words_are_cut_and_tagged() {
        let mut found = Vec::new();
        words("今晚我们去北京吃饭", |word| found.push(format!("{word}/{}", tag(word))));
        assert_eq!(found, ["今晚/t", "我们/r", "去/v", "北京/ns", "吃饭/v"]);
    }

    #[test]
    fn unknown_words_stay_single_characters() {
        let mut found = Vec::new();
        words("肥不肥", |word| found.push(word));
        assert_eq!(found, ["肥", "不", "肥"]);
        assert!(begins_with_han("々") && begins_with_han("漢") && !begins_with_han("か") && !begins_with_han("a"));
    }
}
