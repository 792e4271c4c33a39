//! Texts for tests: a plain tokeniser, random numbers from a seed, and the slow twin of the common subsequence.

use crate::explain::align::Tokens;
use crate::text::paragraphs::paragraphs;

/// A text with its tokens.
pub struct Text {
    pub text: String,
    pub hashes: Vec<u64>,
    pub starts: Vec<u32>,
    pub ends: Vec<u32>,
    pub paragraphs: Vec<u32>,
}

impl Text {
    /// Read runs of letters and digits as words.
    pub fn read(text: &str) -> Self {
        let (mut hashes, mut starts, mut ends) = (Vec::new(), Vec::new(), Vec::new());
        let mut start = None;
        for (at, character) in text.char_indices().chain([(text.len(), ' ')]) {
            match (character.is_alphanumeric(), start) {
                (true, None) => start = Some(at),
                (false, Some(first)) => {
                    hashes.push(hash(&text[first..at]));
                    starts.push(first as u32);
                    ends.push(at as u32);
                    start = None;
                }
                _ => {}
            }
        }
        let paragraphs = paragraphs(text.as_bytes(), &starts, &ends);
        Text { text: text.to_string(), hashes, starts, ends, paragraphs }
    }

    /// Take numbers for words, with the paragraph of each.
    pub fn of_numbers(hashes: Vec<u64>, paragraph: impl Fn(usize) -> u32) -> Self {
        let count = hashes.len() as u32;
        Text {
            text: String::new(),
            starts: (0..count).map(|at| at * 6).collect(),
            ends: (0..count).map(|at| at * 6 + 5).collect(),
            paragraphs: (0..hashes.len()).map(paragraph).collect(),
            hashes,
        }
    }

    pub fn tokens(&self) -> Tokens<'_> {
        Tokens { hashes: &self.hashes, starts: &self.starts, ends: &self.ends, paragraphs: &self.paragraphs }
    }

    /// The pieces of the text at some byte spans.
    pub fn quote(&self, spans: &[(u32, u32)]) -> Vec<&str> {
        spans.iter().map(|span| &self.text[span.0 as usize..span.1 as usize]).collect()
    }
}

fn hash(word: &str) -> u64 {
    let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = word.to_lowercase().bytes().fold(0xcbf2_9ce4_8422_2325, fold);
    (hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// Random numbers (xorshift64*).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        ((self.next() >> 33) as usize) % limit
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// The length of a longest common subsequence by the table of all prefixes.
pub fn slow_common_length(a: &[u64], b: &[u64]) -> usize {
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
