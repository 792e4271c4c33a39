//! The properties of characters that the tokeniser needs.
//!
//! Characters are classified in pages of 256, when one of a page first occurs; afterwards a lookup is two loads. The
//! properties come from the Unicode tables of the crates named in `Cargo.toml`.

use std::sync::OnceLock;

use unicode_normalization::char::canonical_combining_class;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeEmoji, UnicodeGeneralCategory};
use unicode_script::{Script, UnicodeScript};

/// Part of a word of a script with spaces.
pub const WORD: u8 = 1;
/// A token of its own: scripts without spaces, and emoji.
pub const SINGLE: u8 = 2;
/// A mark that belongs to the character before it.
pub const MARK: u8 = 4;
/// Changes under simple case folding.
pub const CASED: u8 = 8;
/// May not be in normal form C in its context: the text has to be checked.
pub const UNSETTLED: u8 = 16;
/// Is dropped from the folded word (variation selectors).
pub const SILENT: u8 = 32;

const PAGES: usize = 0x11_0000 / 256;
static TABLE: [OnceLock<Box<[u8; 256]>>; PAGES] = [const { OnceLock::new() }; PAGES];

/// The properties of a character, a sum of the constants of this module.
#[inline]
pub fn properties(character: char) -> u8 {
    let code = character as usize;
    TABLE[code >> 8].get_or_init(|| page(code >> 8))[code & 255]
}

/// Simple case folding: one character to one character.
#[inline]
pub fn fold_case(character: char) -> char {
    unicode_case_mapping::case_folded(character).and_then(|code| char::from_u32(code.get())).unwrap_or(character)
}

fn page(number: usize) -> Box<[u8; 256]> {
    let mut properties = Box::new([0u8; 256]);
    for (low, slot) in properties.iter_mut().enumerate() {
        if let Some(character) = char::from_u32((number * 256 + low) as u32) {
            *slot = classify(character);
        }
    }
    properties
}

fn classify(character: char) -> u8 {
    let mut found = kind(character);
    if fold_case(character) != character {
        found |= CASED;
    }
    if canonical_combining_class(character) != 0 || !settled(character) {
        found |= UNSETTLED;
    }
    if matches!(character, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}') {
        found |= SILENT;
    }
    found
}

fn settled(character: char) -> bool {
    use unicode_normalization::{IsNormalized, is_nfc_quick};
    is_nfc_quick(std::iter::once(character)) == IsNormalized::Yes
}

fn kind(character: char) -> u8 {
    let spaceless = without_spaces(character.script());
    if character.general_category_group() == GeneralCategoryGroup::Mark {
        return if spaceless { SINGLE } else { WORD | MARK };
    }
    let lettered =
        character.is_alphabetic() || character.general_category() == GeneralCategory::DecimalNumber || character == '_';
    if lettered {
        if spaceless { SINGLE } else { WORD }
    } else if pictured(character) {
        SINGLE
    } else {
        0
    }
}

fn without_spaces(script: Script) -> bool {
    use Script::{Han, Hiragana, Katakana, Khmer, Lao, Myanmar, Thai};
    matches!(script, Han | Hiragana | Katakana | Thai | Lao | Khmer | Myanmar)
}

/// Emoji and flags count as text; trademark and copyright signs do not.
fn pictured(character: char) -> bool {
    character > '\u{2190}'
        && !matches!(character, '\u{1f3fb}'..='\u{1f3ff}')
        && (character.is_emoji_char() || matches!(character, '\u{1f1e6}'..='\u{1f1ff}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_classified() {
        for (character, expected) in [
            ('a', WORD),
            ('_', WORD),
            ('7', WORD),
            ('É', WORD | CASED),
            ('ß', WORD),
            ('ς', WORD | CASED),
            ('中', SINGLE),
            ('か', SINGLE),
            ('ไ', SINGLE),
            ('ع', WORD),
            ('한', WORD),
            ('😀', SINGLE),
            ('❤', SINGLE),
            ('©', 0),
            ('™', 0),
            ('’', 0),
            (' ', 0),
            ('½', 0),
        ] {
            assert_eq!(properties(character) & !UNSETTLED, expected, "{character:?}");
        }
        assert_eq!(properties('\u{301}'), WORD | MARK | UNSETTLED);
        assert_eq!(properties('\u{fe0f}') & SILENT, SILENT);
    }

    #[test]
    fn folding_keeps_the_number_of_characters() {
        assert_eq!(fold_case('ẞ'), 'ß');
        assert_eq!(fold_case('Σ'), 'σ');
        assert_eq!(fold_case('ς'), 'σ');
        assert_eq!(fold_case('İ'), 'İ');
    }
}
