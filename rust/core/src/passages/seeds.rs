//! Seeds: windows of few tokens that are selected by winnowing and grouped by sorting.
//!
//! A window is selected if its hash is the smallest of `span` neighbouring ones. Equal runs of `size + span - 1` tokens
//! therefore share a selected window, although only about 2 of `span + 1` windows are selected.

use crate::passages::sequences::Sequences;
use crate::support::grouping::Grouped;
use crate::support::hash::mix;

const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
const ENTRY_BYTES: usize = 16;
/// The seeds of one round take about three quarters of the bytes of the texts, or this many.
const ROUND_BYTES: usize = 1 << 25;

/// Which windows are selected.
#[derive(Clone, Copy, Debug)]
pub struct Winnowing {
    /// The number of tokens of a window.
    pub size: usize,
    /// Out of this many neighbouring windows at least one is selected.
    pub span: usize,
}

/// A place: the number of the text and the number of a token in it.
pub type TokenPlace = u64;

/// The place of a token.
#[inline]
pub fn place(number: u32, token: usize) -> TokenPlace {
    u64::from(number) << 32 | token as u64
}

/// The text and the token of a place.
#[inline]
pub fn text_and_token(place: TokenPlace) -> (u32, usize) {
    ((place >> 32) as u32, place as u32 as usize)
}

/// The hash of a window that moves over a text: a polynomial of the hashes of its words.
pub struct RollingHash<'a> {
    sequences: &'a Sequences,
    tokens: &'a [u32],
    size: usize,
    power: u64,
    start: usize,
    sum: u64,
}

impl<'a> RollingHash<'a> {
    /// A window of `size` tokens that begins at `start`; the text must have that many.
    pub fn new(sequences: &'a Sequences, tokens: &'a [u32], size: usize, start: usize) -> Self {
        let sum = tokens[start..start + size]
            .iter()
            .fold(0u64, |sum, &token| sum.wrapping_mul(BASE).wrapping_add(sequences.hash(token)));
        let power = (1..size).fold(1u64, |power, _| power.wrapping_mul(BASE));
        Self { sequences, tokens, size, power, start, sum }
    }

    /// The hash of the window.
    #[inline]
    pub fn value(&self) -> u64 {
        mix(self.sum)
    }

    /// Moves the window by one token; the text must have one more.
    #[inline]
    pub fn advance(&mut self) {
        let out = self.sequences.hash(self.tokens[self.start]).wrapping_mul(self.power);
        let new = self.sequences.hash(self.tokens[self.start + self.size]);
        self.sum = self.sum.wrapping_sub(out).wrapping_mul(BASE).wrapping_add(new);
        self.start += 1;
    }
}

impl Winnowing {
    /// Calls `emit` with the hash and the start of each selected window. A text without `size + span - 1` tokens has
    /// none.
    pub fn select(&self, sequences: &Sequences, tokens: &[u32], mut emit: impl FnMut(u64, usize)) {
        if tokens.len() + 1 < self.size + self.span {
            return;
        }
        let windows = tokens.len() + 1 - self.size;
        let mut rolling = RollingHash::new(sequences, tokens, self.size, 0);
        let mut recent = vec![0u64; self.span];
        let (mut best, mut emitted) = (0, usize::MAX);
        for window in 0..windows {
            if window > 0 {
                rolling.advance();
            }
            recent[window % self.span] = rolling.value();
            if best + self.span <= window {
                // Of equal hashes the last one is taken, which stays selected for longest.
                best = window;
                for other in (window + 1 - self.span..window).rev() {
                    if recent[other % self.span] < recent[best % self.span] {
                        best = other;
                    }
                }
            } else if recent[window % self.span] < recent[best % self.span] {
                best = window;
            }
            if window + 1 >= self.span && best != emitted {
                emitted = best;
                emit(recent[best % self.span], best);
            }
        }
    }

    /// Calls `work` with the groups of equal windows, in rounds of which each has a share of all hashes. `skip` names
    /// windows that are left out.
    pub fn group<T>(
        &self,
        sequences: &Sequences,
        skip: impl Fn(u32, usize) -> bool + Sync,
        mut work: impl FnMut(Grouped) -> Vec<T>,
    ) -> Vec<T> {
        let expected = sequences.total() * 2 / (self.span + 1) * ENTRY_BYTES;
        let rounds = expected / ROUND_BYTES.max(sequences.bytes() / 4 * 3) + 1;
        let mut all = Vec::new();
        for round in 0..rounds {
            let grouped = Grouped::collect(sequences.len(), |number, emit| {
                self.select(sequences, sequences.tokens(number as u32), |hash, start| {
                    let chosen = share(hash, rounds) == round;
                    if chosen && !skip(number as u32, start) {
                        emit((hash, place(number as u32, start)));
                    }
                });
            });
            all.append(&mut work(grouped));
        }
        all
    }
}

/// One of so many equal shares of all hashes. The high bits of selected hashes are small, so that the low ones count.
fn share(hash: u64, shares: usize) -> usize {
    ((u128::from(hash.rotate_left(32)) * shares as u128) >> 64) as usize
}
