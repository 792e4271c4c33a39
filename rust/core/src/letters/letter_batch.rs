//! The parts and features of all letters of a collection.

use rayon::prelude::*;

use crate::letters::dockets::DocketRules;
use crate::letters::parts::{self, FooterCounter, Footers, Kind, Letter};
use crate::letters::topics::{Citations, Passages};
use crate::support::hash;
use crate::text::collection::{Collection, Reader};

/// The features of a letter, besides its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LetterFeatures {
    /// The docket numbers that it cites, sorted, each once.
    pub dockets: Vec<String>,
    /// Those of the dockets that it says it is about.
    pub about: Vec<String>,
    /// Those in passages that several letters have.
    pub shared: Vec<String>,
    /// The organisation that relayed it, in lower case; empty if it is not named.
    pub relayer: String,
    /// The hash of its footer; 0 without one.
    pub footer: u64,
    /// Whether it has words outside its main text.
    pub is_worded: bool,
}

/// The letters of a collection in their parts.
#[derive(Default)]
pub struct LetterBatch {
    /// The offset of each letter's parts in the other three, and the end of the last.
    pub offsets: Vec<u64>,
    /// The number of each part's kind.
    pub kinds: Vec<u8>,
    /// Where the parts begin, in bytes of the comparable text.
    pub starts: Vec<u32>,
    /// Where they end.
    pub ends: Vec<u32>,
    /// The features of each letter.
    pub features: Vec<LetterFeatures>,
}

/// Sender, receiver and topic of a letter, as far as its text names them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields {
    /// The sender.
    pub sender: String,
    /// The receiver.
    pub receiver: String,
    /// The topic.
    pub topic: String,
}

/// Learns the footers of a collection: lines that end many letters.
pub fn learn_footers(collection: &Collection) -> Footers {
    (0..collection.len())
        .into_par_iter()
        .fold(FooterCounter::default, |mut counter, document| {
            counter.observe(&collection.comparable(document));
            counter
        })
        .reduce(FooterCounter::default, |mut a, b| {
            a.merge(b);
            a
        })
        .finish()
}

/// Finds the parts and features of every letter.
pub fn read_letters(collection: &Collection, footers: &Footers, rules: &DocketRules) -> LetterBatch {
    let letters: Vec<(Letter, LetterFeatures, Citations)> = (0..collection.len())
        .into_par_iter()
        .with_min_len(64)
        .map(|document| {
            let text = collection.comparable(document);
            let mut letter = parts::parse(&text, footers, rules);
            if let Some(unquoted) = unquote(&text) {
                letter = unquoted.parse(&text, footers, rules);
            }
            let citations = Citations::read(&text, &letter, rules);
            let features = read_features(&text, &letter);
            draw_rules(&text, &mut letter);
            (letter, features, citations)
        })
        .collect();
    let mut batch = LetterBatch { offsets: vec![0], ..LetterBatch::default() };
    let passages = Passages::count(letters.iter().map(|(_, _, citations)| citations));
    for (letter, mut features, citations) in letters {
        for part in &letter.parts {
            batch.kinds.push(part.kind as u8);
            batch.starts.push(part.start);
            batch.ends.push(part.end);
        }
        batch.offsets.push(batch.kinds.len() as u64);
        features.dockets = citations.numbers();
        features.about = citations.about(&passages);
        features.shared = citations.shared(&passages);
        batch.features.push(features);
    }
    batch
}

/// Reads the fields of these letters.
pub fn fields(collection: &Collection, documents: &[u32], footers: &Footers, rules: &DocketRules) -> Vec<Fields> {
    let read = |&document: &u32| {
        let text = collection.comparable(document as usize);
        let letter = parts::parse(&text, footers, rules);
        let found = |field: Option<&str>| field.unwrap_or_default().trim().to_owned();
        Fields {
            sender: found(parts::sender_name(&text, &letter)),
            receiver: found(parts::receiver_name(&text, &letter)),
            topic: found(parts::topic(&text, &letter)),
        }
    };
    documents.par_iter().with_min_len(64).map(read).collect()
}

/// A text that consists of a quoted letter only, without the quotation marks.
struct Unquoted {
    text: String,
    /// For each line: its offset here, and in the quoting text.
    lines: Vec<(usize, usize)>,
    /// Where the quotation begins.
    start: usize,
}

/// Reads a message that only forwards a quoted letter: one line that announces it, and quoted lines to the end.
fn unquote(text: &str) -> Option<Unquoted> {
    let head = text.trim_start();
    let first_end = head.find('\n')?;
    let start = text.len() - head.len() + first_end + 1;
    if !head[..first_end].trim_end().ends_with("wrote:") && !head[..first_end].trim_end().ends_with("writes:") {
        return None;
    }
    let mut unquoted = Unquoted { text: String::new(), lines: Vec::new(), start };
    let (mut at, mut quoted) = (start, 0);
    for line in text[start..].split_inclusive('\n') {
        let own = line.strip_prefix('>').map(|rest| rest.strip_prefix(' ').unwrap_or(rest));
        quoted += usize::from(own.is_some());
        if own.is_none() && !line.trim().is_empty() {
            return None;
        }
        let own = own.unwrap_or(line);
        unquoted.lines.push((unquoted.text.len(), at + line.len() - own.len()));
        unquoted.text.push_str(own);
        at += line.len();
    }
    (quoted > 2).then_some(unquoted)
}

impl Unquoted {
    /// Finds the parts of the quoted letter, and their offsets in the quoting text.
    fn parse(&self, text: &str, footers: &Footers, rules: &DocketRules) -> Letter {
        let mut letter = parts::parse(&self.text, footers, rules);
        let position = |offset: u32| {
            let offset = offset as usize;
            let line = self.lines[self.lines.partition_point(|line| line.0 <= offset).saturating_sub(1)];
            (line.1 + offset - line.0) as u32
        };
        let starts: Vec<u32> = letter.parts.iter().map(|part| position(part.start)).collect();
        for (at, part) in letter.parts.iter_mut().enumerate() {
            part.start = if at == 0 { self.start as u32 } else { starts[at] };
            part.end = starts.get(at + 1).copied().unwrap_or(text.len() as u32);
        }
        letter.parts.insert(0, parts::Part { kind: Kind::Quoted, start: 0, end: self.start as u32 });
        letter
    }
}

/// Gives a line drawn above a footer or a signature (dashes, underscores) the kind of that part.
fn draw_rules(text: &str, letter: &mut Letter) {
    for at in 1..letter.parts.len() {
        if letter.parts[at - 1].kind != Kind::Main || letter.parts[at].kind == Kind::Main {
            continue;
        }
        let (start, end) = (letter.parts[at - 1].start as usize, letter.parts[at - 1].end as usize);
        let drawn = |c: char| c.is_whitespace() || matches!(c, '_' | '-' | '=' | '*' | '~');
        let above = text[start..end].trim_end_matches(drawn);
        let line = text[start + above.len()..end].find('\n').map(|offset| start + above.len() + offset + 1);
        if let Some(border) = line.filter(|&border| border < end && border > start) {
            letter.parts[at - 1].end = border as u32;
            letter.parts[at].start = border as u32;
        }
    }
}

/// Reads the relayer and the footer; the numbers that a letter cites depend on the other letters.
fn read_features(text: &str, letter: &Letter) -> LetterFeatures {
    let mut footer: Vec<u64> = letter
        .texts(text, Kind::Footer)
        .flat_map(|part| part.split_whitespace().map(|word| hash::word(word.to_lowercase().as_bytes())))
        .collect();
    footer.truncate(64);
    let footer = if footer.is_empty() { 0 } else { (hash::text(&footer) >> 64) as u64 | 1 };
    let relayer = parts::relayer(text, letter).unwrap_or_default().to_lowercase();
    let other = letter.parts.iter().filter(|part| part.kind != Kind::Main);
    let mut texts = other.map(|part| &text[part.start as usize..part.end as usize]);
    let is_worded = texts.any(|part| part.contains(char::is_alphanumeric));
    LetterFeatures { relayer, footer, is_worded, ..LetterFeatures::default() }
}

impl Collection<'_> {
    /// The comparable text of a document.
    pub fn comparable(&self, document: usize) -> std::borrow::Cow<'_, str> {
        self.prepared(document, &mut Reader::default()).text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::normaliser::{Boilerplate, Form, Markup, Normaliser};

    #[test]
    fn the_parts_of_a_forwarded_letter_are_found_in_the_forwarding_text() {
        let text = "On Mon, Feb 5, 2024 at 6:49 PM A friend <friend@postbox.example> wrote:\n\n> Dear Director,\n>\n\
                    > We ask you to keep the rule as it is, for the sake of the lake.\n>\n> Sincerely,\n> Ada Bell\n";
        let texts = [text];
        let normaliser = Normaliser { form: Form::Nfc, markup: Markup::Plain, boilerplate: Boilerplate::Keep };
        let collection = Collection::new(&texts, &[], normaliser);
        let batch = read_letters(&collection, &Footers::default(), &DocketRules::default());
        let parts: Vec<(u8, &str)> = (0..batch.kinds.len())
            .map(|at| (batch.kinds[at], &text[batch.starts[at] as usize..batch.ends[at] as usize]))
            .collect();
        assert_eq!(parts.iter().map(|part| part.1).collect::<String>(), text);
        let main: Vec<&str> =
            parts.iter().filter(|part| part.0 == Kind::Main as u8).map(|part| part.1.trim()).collect();
        assert_eq!(main.len(), 1);
        assert!(main[0].starts_with("We ask you") && !main[0].contains("Sincerely"), "{main:?}");
    }
}
