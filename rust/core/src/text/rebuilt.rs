//! A text rebuilt from another, with the way back: each piece knows where it came from.

/// A text rebuilt from another, and where each of its pieces came from.
#[derive(Clone, Debug, Default)]
pub struct Rebuilt {
    /// The new text.
    pub text: String,
    pieces: Vec<Piece>,
}

#[derive(Clone, Copy, Debug)]
struct Piece {
    target: usize,
    source: usize,
    source_end: usize,
    copied: bool,
}

impl Rebuilt {
    /// Appends text that stands in the source at `source`.
    pub(crate) fn copy(&mut self, source: usize, text: &str) {
        if text.is_empty() {
            return;
        }
        let source_end = source + text.len();
        match self.pieces.last_mut() {
            Some(last) if last.copied && last.source_end == source => last.source_end = source_end,
            _ => self.pieces.push(Piece { target: self.text.len(), source, source_end, copied: true }),
        }
        self.text.push_str(text);
    }

    /// Appends text that stands for the part `start..end` of the source.
    pub(crate) fn replace(&mut self, start: usize, end: usize, text: &str) {
        if text.is_empty() {
            return;
        }
        self.pieces.push(Piece { target: self.text.len(), source: start, source_end: end, copied: false });
        self.text.push_str(text);
    }

    /// Appends text that has no counterpart in the source, before the source's `place`.
    pub(crate) fn insert(&mut self, place: usize, text: &str) {
        self.replace(place, place, text);
    }

    fn piece(&self, place: usize) -> Option<&Piece> {
        self.pieces[..self.pieces.partition_point(|piece| piece.target <= place)].last()
    }

    /// The source's place of the character at byte `place`.
    pub fn source_of_start(&self, place: usize) -> usize {
        self.piece(place).map_or(
            place,
            |piece| {
                if piece.copied { piece.source + (place - piece.target) } else { piece.source }
            },
        )
    }

    /// The source's place behind the character that ends at byte `place`.
    pub fn source_of_end(&self, place: usize) -> usize {
        let Some(before) = place.checked_sub(1) else { return 0 };
        self.piece(before)
            .map_or(place, |piece| if piece.copied { piece.source + (place - piece.target) } else { piece.source_end })
    }
}
