//! A letter while the rules assign kinds to its lines.

use super::letter::{Kind, Letter, Part};
use super::lines::{self, Line};

/// A letter while the rules assign kinds to its lines.
pub struct Draft<'a> {
    pub text: &'a str,
    pub lines: Vec<Line>,
    pub kinds: Vec<Kind>,
}

impl<'a> Draft<'a> {
    /// Reads the lines of a text; all are main text so far.
    pub fn new(text: &'a str) -> Self {
        let lines = lines::read(text);
        let kinds = vec![Kind::Main; lines.len()];
        Self { text, lines, kinds }
    }

    pub fn line(&self, at: usize) -> &'a str {
        self.lines[at].of(self.text)
    }

    /// The lines that no rule has claimed.
    pub fn body(&self) -> impl DoubleEndedIterator<Item = usize> {
        (0..self.lines.len()).filter(|&at| self.kinds[at] == Kind::Main)
    }

    /// Splits a line; the second piece gets the kind.
    pub fn split(&mut self, at: usize, offset: usize, kind: Kind) {
        let line = self.lines[at];
        let rest = &self.line(at)[offset..];
        let start = line.end - rest.trim_start().len() as u32;
        let cut = line.start + offset as u32;
        self.lines[at].end = cut;
        self.lines.insert(at + 1, Line { from: cut, start, end: line.end, gap: false });
        self.kinds.insert(at + 1, kind);
    }

    pub fn finish(self) -> Letter {
        let mut parts: Vec<Part> = Vec::with_capacity(8);
        for (line, &kind) in self.lines.iter().zip(&self.kinds) {
            match parts.last_mut() {
                Some(last) if last.kind == kind => {}
                Some(last) => {
                    last.end = line.from;
                    parts.push(Part { kind, start: line.from, end: 0 });
                }
                None => parts.push(Part { kind, start: 0, end: 0 }),
            }
        }
        if parts.is_empty() && !self.text.is_empty() {
            parts.push(Part { kind: Kind::Main, start: 0, end: 0 });
        }
        if let Some(last) = parts.last_mut() {
            last.end = self.text.len() as u32;
        }
        Letter { parts }
    }
}
