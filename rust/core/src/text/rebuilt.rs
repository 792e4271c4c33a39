//! A text rebuilt from another, with the source of each piece.

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
    /// Appends text that is in the source at offset `source`.
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

    /// Appends text that replaces `start..end` of the source.
    pub(crate) fn replace(&mut self, start: usize, end: usize, text: &str) {
        if text.is_empty() {
            return;
        }
        self.pieces.push(Piece { target: self.text.len(), source: start, source_end: end, copied: false });
        self.text.push_str(text);
    }

    /// Appends text that is not in the source, before the source offset `offset`.
    pub(crate) fn insert(&mut self, offset: usize, text: &str) {
        self.replace(offset, offset, text);
    }

    fn piece(&self, offset: usize) -> Option<&Piece> {
        self.pieces[..self.pieces.partition_point(|piece| piece.target <= offset)].last()
    }

    /// The source offset of the character that starts at byte `offset`.
    pub fn source_of_start(&self, offset: usize) -> usize {
        self.piece(offset)
            .map_or(offset, |piece| if piece.copied { piece.source + (offset - piece.target) } else { piece.source })
    }

    /// The source offset after the character that ends at byte `offset`.
    pub fn source_of_end(&self, offset: usize) -> usize {
        let Some(before) = offset.checked_sub(1) else { return 0 };
        self.piece(before).map_or(offset, |piece| {
            if piece.copied { piece.source + (offset - piece.target) } else { piece.source_end }
        })
    }
}
