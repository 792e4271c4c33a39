//! The lines of a letter, and properties of a line: its number of words, its first phrase.

use memchr::memchr2_iter;

/// A line that is not blank.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// Where the line begins, white space included.
    pub from: u32,
    /// The offset of its first visible character.
    pub start: u32,
    /// The offset after its last visible character.
    pub end: u32,
    /// Whether a blank line precedes it.
    pub gap: bool,
}

impl Line {
    /// The visible text of the line.
    pub fn of<'a>(&self, text: &'a str) -> &'a str {
        &text[self.start as usize..self.end as usize]
    }
}

/// The lines that are not blank; lines end in LF, CRLF or CR.
pub(super) fn read(text: &str) -> Vec<Line> {
    let bytes = text.as_bytes();
    let mut lines = Vec::with_capacity(32);
    let (mut from, mut gap) = (0, false);
    for at in memchr2_iter(b'\n', b'\r', bytes).chain([bytes.len()]) {
        // The second byte of CRLF ends no line of its own.
        if !(at == from && at > 0 && bytes.get(at) == Some(&b'\n') && bytes[at - 1] == b'\r') {
            match visible(text, from, at) {
                Some((start, end)) => {
                    lines.push(Line { from: from as u32, start: start as u32, end: end as u32, gap });
                    gap = false;
                }
                None => gap = true,
            }
        }
        from = at + 1;
    }
    lines
}

fn visible(text: &str, from: usize, to: usize) -> Option<(usize, usize)> {
    if from >= to {
        return None;
    }
    let line = &text[from..to];
    let shown = line.trim_start_matches(is_blank);
    let start = to - shown.len();
    let end = start + shown.trim_end_matches(is_blank).len();
    (start < end).then_some((start, end))
}

fn is_blank(character: char) -> bool {
    character.is_whitespace()
        || character.is_control()
        || matches!(character, '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
}

/// The number of words, counted up to a limit; each character of a script without spaces is one.
pub(super) fn words(line: &str, limit: usize) -> usize {
    let (mut count, mut inside) = (0, 0);
    for &byte in line.as_bytes() {
        let class = CLASSES[usize::from(byte)];
        count += usize::from(class & STARTS & !inside | class >> 2);
        inside = (inside | class & STARTS) & !(class >> 1);
        if count >= limit {
            break;
        }
    }
    count
}

const STARTS: u8 = 1;
const SPACE: u8 = 2;
const IDEOGRAPH: u8 = 4;
/// The role of each byte: letters and digits begin a word, space ends it, the first byte of an ideograph is a word.
static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => STARTS,
            // The no-break space and the signs of Latin-1 have the same first byte.
            b' ' | b'\t' | b'\n' | b'\r' | 0x0c | 0xc2 => SPACE,
            0xe3..=0xe9 => IDEOGRAPH,
            // First bytes of letters; those of punctuation, symbols and emoji are left out.
            0xc3..=0xe1 | 0xea..=0xed => STARTS,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

/// What follows a phrase at the beginning of a line, in any case and with any white space between its words.
pub(super) fn after<'a>(line: &'a str, phrase: &str) -> Option<&'a str> {
    let bytes = line.as_bytes();
    let mut at = 0;
    for &expected in phrase.as_bytes() {
        if expected == b' ' {
            let spaces = count_spaces(&bytes[at..]);
            if spaces == 0 {
                return None;
            }
            at += spaces;
        } else {
            if !bytes.get(at)?.eq_ignore_ascii_case(&expected) {
                return None;
            }
            at += 1;
        }
    }
    let open = bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80);
    let joined = phrase.as_bytes().last().is_some_and(u8::is_ascii_alphanumeric);
    if open && joined && !line[at..].starts_with(|c: char| !c.is_alphanumeric()) { None } else { line.get(at..) }
}

/// The bytes of white space at the start; also of no-break spaces, which portals put between any words.
fn count_spaces(bytes: &[u8]) -> usize {
    let mut count = 0;
    loop {
        match &bytes[count..] {
            [byte, ..] if byte.is_ascii_whitespace() => count += 1,
            [0xc2, 0xa0, ..] => count += 2,
            _ => return count,
        }
    }
}

/// What follows the first of the phrases that the line begins with.
pub(super) fn after_any<'a>(line: &'a str, phrases: &[&str]) -> Option<&'a str> {
    let first = line.as_bytes().first()?.to_ascii_lowercase();
    phrases.iter().filter(|phrase| phrase.as_bytes()[0] == first).find_map(|phrase| after(line, phrase))
}

/// A long list of phrases, with the pairs of letters that they begin with, which rule out most lines.
pub(super) struct Phrases {
    pairs: [u32; 32],
    list: &'static [&'static str],
}

impl Phrases {
    /// Prepares a list of phrases of at least two bytes each.
    pub const fn new(list: &'static [&'static str]) -> Self {
        let mut pairs = [0u32; 32];
        let mut at = 0;
        while at < list.len() {
            let phrase = list[at].as_bytes();
            pairs[(phrase[0] & 31) as usize] |= 1 << (phrase[1] & 31);
            at += 1;
        }
        Self { pairs, list }
    }

    /// What follows the first of the phrases that the line begins with.
    pub fn after<'a>(&self, line: &'a str) -> Option<&'a str> {
        let &[first, second, ..] = line.as_bytes() else { return None };
        if self.pairs[usize::from(first & 31)] >> (second & 31) & 1 == 0 {
            return None;
        }
        let begins =
            |phrase: &&&str| phrase.as_bytes()[0] & 31 == first & 31 && phrase.as_bytes()[1] & 31 == second & 31;
        self.list.iter().filter(begins).find_map(|phrase| after(line, phrase))
    }
}

/// Whether a word of the list occurs in the line.
pub(super) fn has_word(line: &str, list: &[&str]) -> bool {
    tokens(line).any(|word| is_one_of(word, list))
}

/// Whether a word is in the list, in any case.
pub(super) fn is_one_of(word: &str, list: &[&str]) -> bool {
    list.iter().any(|entry| entry.eq_ignore_ascii_case(word))
}

/// The words of a line without the punctuation around them.
pub(super) fn tokens(line: &str) -> impl Iterator<Item = &str> {
    line.split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_every_way_and_blank_ones_leave_a_gap() {
        let text = "a\r\nb\rc\n\n \u{a0}\n\td \r\n\r\ne\0";
        let found: Vec<(&str, bool)> = read(text).iter().map(|line| (line.of(text), line.gap)).collect();
        assert_eq!(found, [("a", false), ("b", false), ("c", false), ("d", true), ("e", true)]);
        assert!(read("\u{feff}\n \r\n\0").is_empty());
    }

    #[test]
    fn words_are_counted() {
        for (line, count) in [
            ("", 0),
            ("- — *", 0),
            ("Dear Mr. O'Neil,", 3),
            ("x-y z", 2),
            ("尊敬的先生", 5),
            ("été 1", 2),
            ("a\u{a0}b", 2),
        ] {
            assert_eq!(words(line, 25), count, "{line}");
        }
        assert_eq!(words(&"a ".repeat(100), 25), 25);
    }

    #[test]
    fn phrases_are_whole_words() {
        assert_eq!(after("THANK   You, all", "thank you"), Some(", all"));
        assert_eq!(after("Thank\u{a0} you", "thank you"), Some(""));
        assert_eq!(after("thankyou", "thank you"), None);
        assert_eq!(after("Dearest", "dear"), None);
        assert_eq!(after("Dear\u{a0}EPA", "dear"), Some("\u{a0}EPA"));
        assert_eq!(after("Dearé", "dear"), None);
        assert_eq!(after("Re:x", "re:"), Some("x"));
    }
}
