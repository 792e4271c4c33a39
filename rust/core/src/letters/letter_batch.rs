//! The letters of a collection taken apart, many at a time.

use rayon::prelude::*;

use crate::letters::dockets::{DocketRules, docket_numbers};
use crate::letters::parts::{self, FooterCounter, Footers, Kind, Letter};
use crate::support::hash;
use crate::text::collection::{Collection, Reader};

/// What was read off a letter, beside its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// The docket numbers that it cites, sorted, each once.
    pub dockets: Vec<String>,
    /// Who relayed it, in lower case; empty if it does not say.
    pub relayer: String,
    /// What its footer says, as a hash; 0 without a footer.
    pub footer: u64,
}

/// The letters of a collection in their parts.
#[derive(Default)]
pub struct Opened {
    /// Where each letter's parts begin in the other three, with the end of the last.
    pub offsets: Vec<u64>,
    /// The number of each part's kind.
    pub kinds: Vec<u8>,
    /// Where the parts begin, in bytes of the comparable text.
    pub starts: Vec<u32>,
    /// Where they end.
    pub ends: Vec<u32>,
    /// What was read off each letter.
    pub marks: Vec<Marks>,
}

/// Who wrote a letter to whom about what, as far as its text says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields {
    /// Who signed it.
    pub sender: String,
    /// Who is greeted.
    pub receiver: String,
    /// What it is about.
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

/// Takes every letter apart.
pub fn open(collection: &Collection, footers: &Footers, rules: &DocketRules) -> Opened {
    let letters: Vec<(Letter, Marks)> = (0..collection.len())
        .into_par_iter()
        .with_min_len(64)
        .map(|document| {
            let text = collection.comparable(document);
            let mut letter = parts::parse(&text, footers, rules);
            if let Some(unquoted) = unquote(&text) {
                letter = unquoted.parse(&text, footers, rules);
            }
            let marks = mark(&text, &letter, rules);
            draw_rules(&text, &mut letter);
            (letter, marks)
        })
        .collect();
    let mut opened = Opened { offsets: vec![0], ..Opened::default() };
    for (letter, marks) in letters {
        for part in &letter.parts {
            opened.kinds.push(part.kind as u8);
            opened.starts.push(part.start);
            opened.ends.push(part.end);
        }
        opened.offsets.push(opened.kinds.len() as u64);
        opened.marks.push(marks);
    }
    opened
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

/// A text that is nothing but somebody's quoted letter, without the marks of quotation.
struct Unquoted {
    text: String,
    /// For each line of the text: where it begins here, and where in the quoting text.
    lines: Vec<(usize, usize)>,
    /// Where the quotation begins.
    start: usize,
}

/// Reads a message that only passes on a quoted letter: one line that says so, and quoted lines to the end.
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
    /// Takes the quoted letter apart and finds its parts in the quoting text.
    fn parse(&self, text: &str, footers: &Footers, rules: &DocketRules) -> Letter {
        let mut letter = parts::parse(&self.text, footers, rules);
        let place = |offset: u32| {
            let offset = offset as usize;
            let line = self.lines[self.lines.partition_point(|line| line.0 <= offset).saturating_sub(1)];
            (line.1 + offset - line.0) as u32
        };
        let starts: Vec<u32> = letter.parts.iter().map(|part| place(part.start)).collect();
        for (at, part) in letter.parts.iter_mut().enumerate() {
            part.start = if at == 0 { self.start as u32 } else { starts[at] };
            part.end = starts.get(at + 1).copied().unwrap_or(text.len() as u32);
        }
        letter.parts.insert(0, parts::Part { kind: Kind::Quoted, start: 0, end: self.start as u32 });
        letter
    }
}

/// Gives a line drawn above a footer or a signature (dashes, underscores) to what it stands above.
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

fn mark(text: &str, letter: &Letter, rules: &DocketRules) -> Marks {
    // What somebody else wrote does not count as cited.
    let own = letter.parts.iter().filter(|part| part.kind != Kind::Quoted);
    let mut dockets: Vec<String> = own
        .flat_map(|part| docket_numbers(&text[part.start as usize..part.end as usize], rules))
        .map(|citation| citation.number)
        .collect();
    dockets.sort_unstable();
    dockets.dedup();
    let mut footer: Vec<u64> = letter
        .texts(text, Kind::Footer)
        .flat_map(|part| part.split_whitespace().map(|word| hash::word(word.to_lowercase().as_bytes())))
        .collect();
    footer.truncate(64);
    let footer = if footer.is_empty() { 0 } else { (hash::text(&footer) >> 64) as u64 | 1 };
    Marks { dockets, relayer: parts::relayer(text, letter).unwrap_or_default().to_lowercase(), footer }
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
    fn a_letter_that_is_passed_on_is_taken_apart_where_it_stands() {
        let text = "On Mon, Feb 5, 2024 at 6:49 PM A friend <friend@postbox.example> wrote:\n\n> Dear Director,\n>\n\
                    > We ask you to keep the rule as it is, for the sake of the lake.\n>\n> Sincerely,\n> Ada Bell\n";
        let texts = [text];
        let normaliser = Normaliser { form: Form::Nfc, markup: Markup::Plain, boilerplate: Boilerplate::Keep };
        let collection = Collection::new(&texts, &[], normaliser);
        let opened = open(&collection, &Footers::default(), &DocketRules::default());
        let parts: Vec<(u8, &str)> = (0..opened.kinds.len())
            .map(|at| (opened.kinds[at], &text[opened.starts[at] as usize..opened.ends[at] as usize]))
            .collect();
        assert_eq!(parts.iter().map(|part| part.1).collect::<String>(), text);
        let main: Vec<&str> =
            parts.iter().filter(|part| part.0 == Kind::Main as u8).map(|part| part.1.trim()).collect();
        assert_eq!(main.len(), 1);
        assert!(main[0].starts_with("We ask you") && !main[0].contains("Sincerely"), "{main:?}");
    }
}
