//! The parts of a letter, an e-mail or a public comment: what is its text, and what stands around it.
//!
//! Rules on lines, as section 4.1 of Yang & Callan (2006) has them, in this order: mail headers and quoted messages,
//! footers, the head (date, addresses, subject, salutation), the end (closing, signature, address). Each line, or the
//! beginning or end of one, gets one kind; what no rule claims is main text. Where a rule is in doubt it does not claim:
//! a line of 25 words is never claimed as a whole, a salutation or a closing has at most 8 words. The parts are disjoint
//! and cover the text in order. Linear in the text; two to three microseconds for a kilobyte.

mod closings;
mod fields;
mod footers;
mod greetings;
mod lines;
mod quotes;
mod shapes;
// The lists stay as packed as they were typed.
#[rustfmt::skip]
mod vocabulary;

pub use fields::{header_value, receiver_name, relayer, sender_name, topic};
pub use footers::{FooterCounter, Footers};

use crate::dockets::{DocketRules, limit};
use lines::Line;

/// What a part of a letter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    /// The letter's own text, and whatever no rule claims.
    Main,
    /// Mail headers and the date.
    Header,
    /// What the letter is about: "Re:", "Subject:", a line with a docket number.
    Subject,
    /// Lines of a postal address, of sender or receiver, telephone and e-mail.
    Address,
    /// The greeting.
    Salutation,
    /// The closing and the names below it.
    Signature,
    /// What mail programs, lists and relaying organisations add.
    Footer,
    /// Somebody else's message.
    Quoted,
}

impl Kind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Self; 8] = [
        Self::Main,
        Self::Header,
        Self::Subject,
        Self::Address,
        Self::Salutation,
        Self::Signature,
        Self::Footer,
        Self::Quoted,
    ];

    /// The name of the kind, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::Header => "header",
            Self::Subject => "subject",
            Self::Address => "address",
            Self::Salutation => "salutation",
            Self::Signature => "signature",
            Self::Footer => "footer",
            Self::Quoted => "quoted",
        }
    }
}

/// A part of a letter: a span of its text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is.
    pub kind: Kind,
    /// Where it begins.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
}

/// A letter in its parts: in order, without gaps, neighbours of different kinds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Letter {
    /// The parts; none for an empty text.
    pub parts: Vec<Part>,
}

impl Letter {
    /// The texts of the parts of one kind.
    pub fn texts<'a>(&self, text: &'a str, kind: Kind) -> impl Iterator<Item = &'a str> {
        let chosen = self.parts.iter().filter(move |part| part.kind == kind);
        chosen.map(|part| &text[part.start as usize..part.end as usize])
    }
}

/// Finds the parts of a letter. A text of 4 GiB or more is cut there.
pub fn parse(text: &str, footers: &Footers, dockets: &DocketRules) -> Letter {
    let mut draft = Draft::open(text, footers);
    greetings::mark(&mut draft, dockets);
    draft.close();
    draft.finish()
}

/// A letter while its lines are being marked.
struct Draft<'a> {
    text: &'a str,
    lines: Vec<Line>,
    kinds: Vec<Kind>,
}

impl<'a> Draft<'a> {
    /// Reads the lines and marks what is not the letter's own.
    fn open(text: &'a str, footers: &Footers) -> Self {
        let text = limit(text);
        let lines = lines::read(text);
        let kinds = vec![Kind::Main; lines.len()];
        let mut draft = Self { text, lines, kinds };
        quotes::mark(&mut draft);
        quotes::restore(&mut draft);
        footers::mark(&mut draft, footers);
        draft
    }

    /// Marks the end of the letter.
    fn close(&mut self) {
        closings::mark(self);
        footers::mark_behind(self);
        quotes::restore(self);
    }

    fn line(&self, at: usize) -> &'a str {
        self.lines[at].of(self.text)
    }

    /// The lines that nothing has claimed.
    fn body(&self) -> impl DoubleEndedIterator<Item = usize> {
        (0..self.lines.len()).filter(|&at| self.kinds[at] == Kind::Main)
    }

    /// Cuts a line in two; the second piece gets the kind.
    fn split(&mut self, at: usize, offset: usize, kind: Kind) {
        let line = self.lines[at];
        let rest = &self.line(at)[offset..];
        let start = line.end - rest.trim_start().len() as u32;
        let cut = line.start + offset as u32;
        self.lines[at].end = cut;
        self.lines.insert(at + 1, Line { from: cut, start, end: line.end, gap: false });
        self.kinds.insert(at + 1, kind);
    }

    fn finish(self) -> Letter {
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

#[cfg(test)]
mod tests;
