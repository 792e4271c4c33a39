//! The tokeniser: UTF-8 bytes to word spans and word hashes.
//!
//! A word is a maximal run of letters, marks, decimal digits and underscores. In scripts without spaces each character
//! is a token, and so is each emoji. A text without any of these is one token as a whole. Words compare by simple case
//! folding.
//!
//! Tokenising takes two steps. Blocks of 64 bytes become bit masks of word bytes, in which the few characters outside
//! ASCII are set one by one. Then the edges of the masks become spans, and each span is hashed from one 16-byte load.
//! English text is read at about a gigabyte a second.
//!
//! The text is expected in normal form C. [`Tokens::unsettled`] is set if that has to be checked (see
//! [`crate::text::normaliser`]).

use crate::support::hash;
use crate::support::simd::{BLOCK, Kernel, Vectors, dispatch};
use crate::text::characters::unicode::{self, CASED, MARK, SILENT, SINGLE, UNSETTLED, WORD};

const HIGH_BITS: u64 = 0x8080_8080_8080_8080;
const LETTER_BITS: u64 = 0x4040_4040_4040_4040;

/// The tokens of one text, with buffers that are kept from text to text.
#[derive(Default)]
pub struct Tokens {
    words: Vec<u64>,
    breaks: Vec<u64>,
    /// Where each token begins, in bytes.
    pub starts: Vec<u32>,
    /// Where each token ends, in bytes.
    pub ends: Vec<u32>,
    /// The hash of each token's folded form.
    pub hashes: Vec<u64>,
    /// Whether the text has a character that may not be in normal form C.
    pub unsettled: bool,
    folded: Vec<u8>,
}

impl Tokens {
    /// Finds and hashes the tokens of a text. A text of 4 GiB or more is cut there.
    pub fn read(&mut self, text: &str) {
        dispatch(Reading { tokens: self, text: limit(text), hashed: true });
    }

    /// Finds the spans of the tokens only.
    pub fn find(&mut self, text: &str) {
        dispatch(Reading { tokens: self, text: limit(text), hashed: false });
    }

    /// Makes a text without words ("?!", ":-)") one token, so that it can still equal another.
    fn take_whole(&mut self, text: &str) {
        self.hashes.clear();
        let blank = |c: char| c.is_whitespace() || c.is_control();
        let start = text.len() - text.trim_start_matches(blank).len();
        let end = text.trim_end_matches(blank).len();
        if start < end {
            self.starts.push(start as u32);
            self.ends.push(end as u32);
            self.hashes.push(hash_folded(text, start, end - start, &mut self.folded));
        }
    }

    /// How many tokens were found.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether no token was found.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Drops the tokens that are not inside one of these ascending, disjoint spans.
    pub fn keep_within(&mut self, starts: &[u32], ends: &[u32]) {
        let (mut kept, mut span) = (0, 0);
        for token in 0..self.len() {
            while span < ends.len() && ends[span] <= self.starts[token] {
                span += 1;
            }
            if span < starts.len() && starts[span] <= self.starts[token] {
                self.starts[kept] = self.starts[token];
                self.ends[kept] = self.ends[token];
                self.hashes[kept] = self.hashes[token];
                kept += 1;
            }
        }
        self.starts.truncate(kept);
        self.ends.truncate(kept);
        self.hashes.truncate(kept);
    }

    #[inline(always)]
    fn mask<V: Vectors>(&mut self, text: &str, vectors: V) {
        let bytes = text.as_bytes();
        let blocks = bytes.len() / BLOCK + 1;
        reset(&mut self.words, blocks);
        reset(&mut self.breaks, blocks);
        self.unsettled = false;
        let mut patched = Patch::default();
        let (whole, rest) = bytes.as_chunks::<BLOCK>();
        for (number, block) in whole.iter().enumerate() {
            self.mask_block(text, number, block, &mut patched, vectors);
        }
        let mut last = [0u8; BLOCK];
        last[..rest.len()].copy_from_slice(rest);
        self.mask_block(text, blocks - 1, &last, &mut patched, vectors);
    }

    #[inline(always)]
    fn mask_block<V: Vectors>(
        &mut self,
        text: &str,
        number: usize,
        block: &[u8; BLOCK],
        patched: &mut Patch,
        vectors: V,
    ) {
        let (words, highs) = vectors.classify(block);
        self.words[number] |= words;
        if highs != 0 {
            self.patch(text, number * BLOCK, highs, patched);
        }
    }

    /// Sets the bits of the characters outside ASCII that begin in this block.
    fn patch(&mut self, text: &str, base: usize, highs: u64, patched: &mut Patch) {
        let mut offset = patched.next.max(base + highs.trailing_zeros() as usize);
        while offset < base + BLOCK {
            let Some(character) = text.get(offset..).and_then(|rest| rest.chars().next()) else { return };
            let properties = unicode::properties(character);
            let end = offset + character.len_utf8();
            self.unsettled |= properties & UNSETTLED != 0;
            if properties & (WORD | SINGLE) != 0 {
                set_range(&mut self.words, offset, end);
            }
            if properties & SINGLE != 0 {
                set(&mut self.breaks, offset);
                set(&mut self.breaks, end);
                patched.single_end = end;
            } else if properties & MARK != 0 && patched.single_end == offset {
                clear(&mut self.breaks, offset);
                set(&mut self.breaks, end);
                patched.single_end = end;
            }
            patched.next = end;
            let ahead = if end < base + BLOCK { highs >> (end - base) } else { 0 };
            if ahead == 0 {
                return;
            }
            offset = end + ahead.trailing_zeros() as usize;
        }
    }

    #[inline(always)]
    fn collect_edges<V: Vectors>(&mut self, vectors: V) {
        self.starts.clear();
        self.ends.clear();
        let mut before = 0u64;
        for (number, (&word, &cut)) in self.words.iter().zip(&self.breaks).enumerate() {
            let base = (number * BLOCK) as u32;
            let shifted = (word << 1) | before;
            before = word >> 63;
            vectors.append_positions(&mut self.starts, base, word & (!shifted | cut));
            vectors.append_positions(&mut self.ends, base, shifted & (!word | cut));
        }
    }

    #[inline(always)]
    fn hash<V: Vectors>(&mut self, text: &str, vectors: V) {
        let bytes = text.as_bytes();
        self.hashes.resize(self.starts.len(), 0);
        // A plain loop: a closure would be compiled without the instructions of the level.
        for ((hash, &start), &end) in self.hashes.iter_mut().zip(&self.starts).zip(&self.ends) {
            let (start, length) = (start as usize, (end - start) as usize);
            let (low, high) = vectors.halves(bytes, start, length);
            let short = hash::short_word(fold_ascii(low), fold_ascii(high));
            *hash = if length > 16 || (low | high) & HIGH_BITS != 0 {
                hash_longer(text, start, length, vectors)
                    .unwrap_or_else(|| hash_folded(text, start, length, &mut self.folded))
            } else {
                short
            };
        }
    }
}

/// The hash of a word of any length, if it is ASCII.
#[inline(always)]
fn hash_longer<V: Vectors>(text: &str, start: usize, length: usize, vectors: V) -> Option<u64> {
    let piece = |at: usize| {
        let (low, high) = vectors.halves(text.as_bytes(), start + at, length - at);
        ((low | high) & HIGH_BITS == 0).then(|| (fold_ascii(low), fold_ascii(high)))
    };
    let (low, high) = piece(0)?;
    let mut hash = hash::short_word(low, high);
    for at in (16..length).step_by(16) {
        let (low, high) = piece(at)?;
        hash = hash::longer_word(hash, low, high);
    }
    Some(hash)
}

/// The hash of the folded form of any token.
#[cold]
fn hash_folded(text: &str, start: usize, length: usize, folded: &mut Vec<u8>) -> u64 {
    fold_into(&text[start..start + length], folded);
    hash::word(folded)
}

/// Finds the tokens of a text, and hashes them on request.
struct Reading<'a> {
    tokens: &'a mut Tokens,
    text: &'a str,
    hashed: bool,
}

impl Kernel for Reading<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors>(self, vectors: V) {
        let Self { tokens, text, hashed } = self;
        tokens.mask(text, vectors);
        tokens.collect_edges(vectors);
        if tokens.starts.is_empty() {
            tokens.take_whole(text);
        } else if hashed {
            tokens.hash(text, vectors);
        }
    }
}

/// How far the characters outside ASCII have been patched, and where the last single token ended.
struct Patch {
    next: usize,
    single_end: usize,
}

impl Default for Patch {
    fn default() -> Self {
        Self { next: 0, single_end: usize::MAX }
    }
}

/// Writes the folded form of a word, from which its hash is made.
pub fn fold_into(word: &str, folded: &mut Vec<u8>) {
    folded.clear();
    for character in word.chars() {
        if character.is_ascii() {
            let byte = character as u8;
            let in_word = byte.is_ascii_alphanumeric() || byte == b'_';
            folded.push(if in_word { fold_ascii(u64::from(byte)) as u8 } else { byte });
            continue;
        }
        let properties = unicode::properties(character);
        if properties & SILENT != 0 {
            continue;
        }
        let character = if properties & CASED != 0 { unicode::fold_case(character) } else { character };
        folded.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

/// The folded form of a word as text, for tables of terms.
pub fn folded_word(word: &str) -> String {
    word.chars().filter(|&c| unicode::properties(c) & SILENT == 0).map(unicode::fold_case).collect()
}

/// Lower-cases the ASCII word bytes of a half; the underscore becomes 0x7f, which no word holds otherwise.
#[inline(always)]
fn fold_ascii(half: u64) -> u64 {
    half | ((half & LETTER_BITS) >> 1)
}

/// Offsets are 32 bits wide: anything after 4 GiB is ignored.
fn limit(text: &str) -> &str {
    let mut end = text.len().min(u32::MAX as usize - 2 * BLOCK);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

fn reset(bits: &mut Vec<u64>, blocks: usize) {
    bits.clear();
    bits.resize(blocks, 0);
}

#[inline]
fn set(bits: &mut [u64], offset: usize) {
    bits[offset / 64] |= 1 << (offset % 64);
}

#[inline]
fn clear(bits: &mut [u64], offset: usize) {
    bits[offset / 64] &= !(1 << (offset % 64));
}

#[inline]
fn set_range(bits: &mut [u64], start: usize, end: usize) {
    (start..end).for_each(|offset| set(bits, offset));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<&str> {
        let mut tokens = Tokens::default();
        tokens.read(text);
        assert_eq!(tokens.starts.len(), tokens.ends.len());
        assert_eq!(tokens.starts.len(), tokens.hashes.len());
        tokens.starts.iter().zip(&tokens.ends).map(|(&s, &e)| &text[s as usize..e as usize]).collect()
    }

    fn hashes(text: &str) -> Vec<u64> {
        let mut tokens = Tokens::default();
        tokens.read(text);
        tokens.hashes
    }

    #[test]
    fn words_of_several_scripts_are_found() {
        assert_eq!(tokens("It's 42 foo_bar!"), ["It", "s", "42", "foo_bar"]);
        assert_eq!(tokens("naïve Ωmega"), ["naïve", "Ωmega"]);
        assert_eq!(tokens("中文abcか٣"), ["中", "文", "abc", "か", "٣"]);
        assert_eq!(tokens("👍🏽 ok❤️"), ["👍", "ok", "❤\u{fe0f}"]);
        assert_eq!(tokens("か\u{3099}き"), ["か\u{3099}", "き"]);
        assert_eq!(tokens(""), Vec::<&str>::new());
        assert_eq!(tokens("\0a\0"), ["a"]);
        assert_eq!(tokens(" \0 \n"), Vec::<&str>::new());
        assert_eq!(tokens(" ?! :-) "), ["?! :-)"]);
        assert_ne!(hashes("[]"), hashes("{}"));
    }

    #[test]
    fn tokens_are_found_across_block_borders() {
        for pad in 0..140 {
            let text = format!("{}ab中文éclair x", " ".repeat(pad));
            assert_eq!(tokens(&text), ["ab", "中", "文", "éclair", "x"], "pad {pad}");
        }
        let long = "é".repeat(500);
        assert_eq!(tokens(&long), [long.as_str()]);
    }

    #[test]
    fn case_does_not_matter_and_length_does() {
        assert_eq!(hashes("ÉCOLE Straße ΣΑΣ FOO_Bar"), hashes("école straße σας foo_BAR"));
        let word = "abcdefghijklmnopqrstuvwxyz0123456789";
        for length in 1..word.len() {
            assert_eq!(hashes(&word[..length]), hashes(&word[..length].to_uppercase()), "length {length}");
            assert_ne!(hashes(&word[..length]), hashes(&word[..=length]));
            assert_eq!(hashes(&word[..length]), hashes(&format!("{} . . . . . . . . . .", &word[..length])));
        }
    }

    #[test]
    fn tokens_outside_the_spans_are_dropped() {
        let mut tokens = Tokens::default();
        tokens.read("dear all we protest yours me");
        tokens.keep_within(&[9, 20], &[19, 20]);
        assert_eq!((&tokens.starts[..], &tokens.ends[..]), (&[9, 12][..], &[11, 19][..]));
        assert_eq!(tokens.hashes, hashes("we protest"));
    }

    #[test]
    fn a_silent_selector_does_not_change_an_emoji() {
        assert_eq!(hashes("❤️"), hashes("❤"));
    }
}
