//! The runs of words that a document has in common with a reference, and the longest chain of them in order.
//!
//! The reference is indexed once: every window of [`WINDOW`] words maps to its positions. The document is read from
//! left to right. At each word the index returns the positions in the reference of the next words. The longest match
//! becomes a tile, cut back to the end of a paragraph if it reaches only a few words beyond, and reading continues
//! after it. The tiles that are in the same order in both texts and match the most words are chained by dynamic
//! programming over a segment tree, O(t log t) for t tiles.
//!
//! At most [`MAX_POSITIONS`] positions are tried for a window, and no more words are compared at a position than the
//! tile then has. So a text that repeats one word ten million times costs no more for each word than any other.

/// Words in an indexed window, and the fewest words of a tile.
pub const WINDOW: usize = 5;

/// The most positions of one window that are tried, besides the two that continue after the last tile.
const MAX_POSITIONS: usize = 32;

/// The words of a text as flat arrays of equal length; token `i` is the `i`-th element of each.
#[derive(Clone, Copy, Debug)]
pub struct Tokens<'a> {
    /// 64-bit hashes of the case-folded words.
    pub hashes: &'a [u64],
    /// Byte offsets of the words' starts in the text.
    pub starts: &'a [u32],
    /// Byte offsets of the words' ends in the text.
    pub ends: &'a [u32],
    /// The paragraph number of each word, ascending; numbers may be skipped.
    pub paragraphs: &'a [u32],
}

/// A run of words that is the same in both texts, as token numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// First token in the reference.
    pub reference: u32,
    /// First token in the document.
    pub document: u32,
    /// Number of tokens.
    pub length: u32,
}

impl Tile {
    /// The token after the last in the reference.
    pub fn reference_end(&self) -> u32 {
        self.reference + self.length
    }

    /// The token after the last in the document.
    pub fn document_end(&self) -> u32 {
        self.document + self.length
    }
}

/// A reference text prepared for many comparisons: the positions of its windows, its words with their counts, its
/// paragraphs. 24 to 40 bytes for each word.
pub struct ReferenceIndex<'a> {
    tokens: Tokens<'a>,
    /// Hash table by window: one more than the first position, or 0.
    windows: Vec<u32>,
    /// For each position one more than the next position of the same window, or 0.
    next: Vec<u32>,
    /// Hash table by word: one more than the first position, or 0.
    words: Vec<u32>,
    /// At a word's first position how often the word occurs.
    counts: Vec<u32>,
    paragraph_starts: Vec<u32>,
}

impl<'a> ReferenceIndex<'a> {
    /// Index a reference text.
    pub fn new(tokens: Tokens<'a>) -> Self {
        debug_assert_eq!(tokens.hashes.len(), tokens.paragraphs.len());
        let length = tokens.hashes.len();
        let slots = (length * 2).next_power_of_two().max(2);
        let mut index = ReferenceIndex {
            tokens,
            windows: vec![0; slots],
            next: vec![0; length],
            words: vec![0; slots],
            counts: vec![0; length],
            paragraph_starts: Vec::new(),
        };
        find_paragraph_starts(tokens.paragraphs, &mut index.paragraph_starts);
        // From the end, so that each list of positions grows at its head and is in order.
        for at in (0..(length + 1).saturating_sub(WINDOW)).rev() {
            let slot = index.window_slot(&tokens.hashes[at..at + WINDOW]);
            index.next[at] = index.windows[slot];
            index.windows[slot] = at as u32 + 1;
        }
        for (at, &hash) in tokens.hashes.iter().enumerate() {
            let slot = index.word_slot(hash);
            if index.words[slot] == 0 {
                index.words[slot] = at as u32 + 1;
            }
            index.counts[index.words[slot] as usize - 1] += 1;
        }
        index
    }

    /// The indexed text.
    pub fn tokens(&self) -> Tokens<'a> {
        self.tokens
    }

    /// The first token of each paragraph, and the number of tokens.
    pub(crate) fn paragraph_starts(&self) -> &[u32] {
        &self.paragraph_starts
    }

    /// Compute the share of words in common: those that both texts have, each as often as in the text that has it less
    /// often, by the length of the longer text; 1 for two empty texts.
    pub(crate) fn word_overlap(&self, document: &[u64], used: &mut Vec<u32>) -> f64 {
        used.clear();
        used.resize(self.counts.len(), 0);
        let mut common = 0usize;
        for &hash in document {
            let first = self.words[self.word_slot(hash)] as usize;
            if first > 0 && used[first - 1] < self.counts[first - 1] {
                used[first - 1] += 1;
                common += 1;
            }
        }
        let longer = document.len().max(self.counts.len());
        if longer == 0 { 1.0 } else { common as f64 / longer as f64 }
    }

    /// Find the tiles of a document, in its order, and put them into `tiles`.
    pub(crate) fn find_tiles(&self, document: &Tokens, tiles: &mut Vec<Tile>) {
        tiles.clear();
        let mut at = 0;
        let mut last = (0, 0);
        while at + WINDOW <= document.hashes.len() {
            let Some((position, length)) = self.longest_match(document.hashes, at, last) else {
                at += 1;
                continue;
            };
            let length = length - self.count_overhang(document, (position + length, at + length), length);
            tiles.push(Tile { reference: position as u32, document: at as u32, length: length as u32 });
            at += length;
            last = (position + length, at);
        }
    }

    /// The position and length of the longest match of the document from `at` on; of equal ones the first after the end
    /// of the last tile, else the first.
    fn longest_match(&self, document: &[u64], at: usize, last: (usize, usize)) -> Option<(usize, usize)> {
        let window = &document[at..at + WINDOW];
        let mut position = self.windows[self.window_slot(window)] as usize;
        if position == 0 {
            return None;
        }
        let mut best = (0, false, 0);
        let mut consider = |position: usize| {
            let length = common_prefix(&self.tokens.hashes[position..], &document[at..]);
            let ahead = position >= last.0;
            if (length, ahead) > (best.0, best.1) {
                best = (length, ahead, position);
            }
        };
        for _ in 0..MAX_POSITIONS {
            if position == 0 {
                break;
            }
            consider(position - 1);
            position = self.next[position - 1] as usize;
        }
        if position != 0 {
            // Too many positions to try them all: the last tile continues, or continues after a change of equal length.
            let positions = [last.0, last.0 + (at - last.1)];
            positions.into_iter().filter(|&position| position < self.counts.len()).for_each(consider);
        }
        (best.0 >= WINDOW).then_some((best.2, best.0))
    }

    /// How many words a tile of some length reaches into a paragraph that it does not hold to its end.
    ///
    /// Paragraphs often start alike (*We have …*); a tile that runs on from one into the start of another takes these
    /// words from the paragraph's own tile.
    fn count_overhang(&self, document: &Tokens, end: (usize, usize), length: usize) -> usize {
        let starts_paragraph = |back: usize| {
            is_paragraph_start(self.tokens.paragraphs, end.0 - back)
                || is_paragraph_start(document.paragraphs, end.1 - back)
        };
        let most = (WINDOW - 1).min(length - WINDOW);
        (0..=most).find(|&back| starts_paragraph(back)).unwrap_or(0)
    }

    /// The slot of a window in the table: its own, or the free one where it belongs.
    fn window_slot(&self, window: &[u64]) -> usize {
        let mask = self.windows.len() - 1;
        let key = window.iter().fold(0u64, |key, &hash| key.rotate_left(13) ^ hash);
        let mut slot = first_slot(key, self.windows.len());
        loop {
            let first = self.windows[slot] as usize;
            if first == 0 || self.tokens.hashes[first - 1..first - 1 + WINDOW] == *window {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The slot of a word in the table: its own, or the free one where it belongs.
    fn word_slot(&self, hash: u64) -> usize {
        let mask = self.words.len() - 1;
        let mut slot = first_slot(hash, self.words.len());
        loop {
            let first = self.words[slot] as usize;
            if first == 0 || self.tokens.hashes[first - 1] == hash {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }
}

/// Put the first token of each paragraph, and the number of tokens, into `starts`; an empty text is one paragraph.
pub fn find_paragraph_starts(paragraphs: &[u32], starts: &mut Vec<u32>) {
    starts.clear();
    starts.push(0);
    let changes = paragraphs.windows(2).zip(1u32..).filter(|(pair, _)| pair[0] != pair[1]);
    starts.extend(changes.map(|(_, at)| at));
    starts.push(paragraphs.len() as u32);
}

/// Whether a paragraph starts at a token, or the text ends before it.
pub fn is_paragraph_start(paragraphs: &[u32], token: usize) -> bool {
    token == 0 || token >= paragraphs.len() || paragraphs[token - 1] != paragraphs[token]
}

/// The slot of a key in a table of a power of two of slots.
fn first_slot(key: u64, slots: usize) -> usize {
    let mixed = (key ^ (key >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> (64 - slots.trailing_zeros())) as usize
}

fn common_prefix(left: &[u64], right: &[u64]) -> usize {
    left.iter().zip(right).take_while(|(left, right)| left == right).count()
}

/// Chooses the tiles that occur in order and keeps its buffers between calls.
#[derive(Default)]
pub struct Chainer {
    ends: Vec<u32>,
    /// For each tile the most words that a chain ending in it matches, and the tile before it.
    best: Vec<(i64, u32)>,
    apart: MaximumTree,
    touching: MaximumTree,
    picked: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Chainer {
    /// Split tiles, given in document order, into the chain that matches most words in order and the rest.
    ///
    /// If two tiles of the chain overlap in the reference, the later one is cut and the cut part is among the rest.
    pub fn split(&mut self, tiles: &[Tile], chain: &mut Vec<Tile>, rest: &mut Vec<Tile>) {
        chain.clear();
        rest.clear();
        if tiles.windows(2).all(|pair| pair[0].reference_end() <= pair[1].reference) {
            chain.extend_from_slice(tiles);
            return;
        }
        self.score(tiles);
        self.pick();
        let mut picked = self.picked.iter().rev().copied().peekable();
        for (number, &tile) in tiles.iter().enumerate() {
            if picked.next_if_eq(&(number as u32)).is_none() {
                rest.push(tile);
                continue;
            }
            let end = chain.last().map_or(0, Tile::reference_end);
            let cut = end.saturating_sub(tile.reference);
            if cut > 0 {
                rest.push(Tile { length: cut, ..tile });
            }
            chain.push(Tile {
                reference: tile.reference + cut,
                document: tile.document + cut,
                length: tile.length - cut,
            });
        }
    }

    /// Compute the best chain ending in each tile.
    fn score(&mut self, tiles: &[Tile]) {
        self.ends.clear();
        self.ends.extend(tiles.iter().map(Tile::reference_end));
        self.ends.sort_unstable();
        self.ends.dedup();
        self.apart.reset(self.ends.len());
        self.touching.reset(self.ends.len());
        self.best.clear();
        for (number, tile) in tiles.iter().enumerate() {
            let end = tile.reference_end();
            let first_beyond = self.ends.partition_point(|&other| other <= tile.reference);
            let own = self.ends.partition_point(|&other| other < end);
            let length = i64::from(tile.length);
            let (free, before) = self.apart.maximum(0, first_beyond);
            let mut best = if before == NONE { (length, NONE) } else { (free + length, before) };
            // A tile that ends inside this one leaves it the part after that end.
            let (shared, before) = self.touching.maximum(first_beyond, own);
            if before != NONE && shared + i64::from(end) > best.0 {
                best = (shared + i64::from(end), before);
            }
            self.best.push(best);
            self.apart.raise(own, best.0, number as u32);
            self.touching.raise(own, best.0 - i64::from(end), number as u32);
        }
    }

    /// List the tiles of the best chain, last first.
    fn pick(&mut self) {
        self.picked.clear();
        let mut at = NONE;
        let mut most = 0;
        for (number, best) in self.best.iter().enumerate() {
            if best.0 > most {
                (most, at) = (best.0, number as u32);
            }
        }
        while at != NONE {
            self.picked.push(at);
            at = self.best[at as usize].1;
        }
    }
}

/// A segment tree: the largest value in a range of positions, with its owner.
#[derive(Default)]
struct MaximumTree {
    nodes: Vec<(i64, u32)>,
    size: usize,
}

impl MaximumTree {
    fn reset(&mut self, size: usize) {
        self.size = size;
        self.nodes.clear();
        self.nodes.resize(size * 2, (i64::MIN, NONE));
    }

    fn raise(&mut self, position: usize, value: i64, owner: u32) {
        let mut node = position + self.size;
        while node > 0 && self.nodes[node].0 < value {
            self.nodes[node] = (value, owner);
            node /= 2;
        }
    }

    /// The largest value of the positions from `start` to before `end`; of equal ones that of the first owner.
    fn maximum(&self, start: usize, end: usize) -> (i64, u32) {
        let mut best = (i64::MIN, NONE);
        let mut take = |node: (i64, u32)| {
            if node.0 > best.0 || (node.0 == best.0 && node.1 < best.1) {
                best = node;
            }
        };
        let (mut left, mut right) = (start + self.size, end + self.size);
        while left < right {
            if left % 2 == 1 {
                take(self.nodes[left]);
                left += 1;
            }
            if right % 2 == 1 {
                right -= 1;
                take(self.nodes[right]);
            }
            left /= 2;
            right /= 2;
        }
        best
    }
}
