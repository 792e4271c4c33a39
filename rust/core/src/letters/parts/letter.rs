//! A letter as a list of parts.

/// What a part of a letter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    /// The letter's own text, and everything that no rule claims.
    Main,
    /// Mail headers and the date.
    Header,
    /// The topic: "Re:", "Subject:", a line with a docket number.
    Subject,
    /// Lines of a postal address, of sender or receiver, telephone and e-mail.
    Address,
    /// The greeting.
    Salutation,
    /// The closing and the names below it.
    Signature,
    /// What mail programs, lists and relaying organisations add.
    Footer,
    /// The message of another writer.
    Quoted,
    /// What stands in the place of text: "See attached", a redaction, a placeholder.
    Notice,
}

impl Kind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Self; 9] = [
        Self::Main,
        Self::Header,
        Self::Subject,
        Self::Address,
        Self::Salutation,
        Self::Signature,
        Self::Footer,
        Self::Quoted,
        Self::Notice,
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
            Self::Notice => "notice",
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

/// A letter as parts: in order, without gaps, adjacent parts of different kinds.
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
