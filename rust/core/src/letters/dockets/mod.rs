//! Docket numbers cited in a text, in any spelling, as one canonical string each.
//!
//! A number is found from its digits: each run of digits is tried as the year of a docket number, as a regulation
//! identifier number (RIN), as a Federal Register locator (FRL) and, after the word "docket", as a number with a short
//! year. From there the parts are read backwards and forwards over dashes of any kind, underscores, spaces and line
//! breaks. The looser the spelling, the more evidence is required: a known agency, capitals, the word "docket" before
//! it. So a span of years, a date, a telephone number or a ZIP code is never a docket number.
//!
//! The canonical form is upper case with ASCII dashes; the serial number has at least four digits, and the number of a
//! document inside the docket is dropped. A department before an agency that keeps its own dockets is dropped,
//! `EPA-OAR` becomes `EPA-HQ-OAR`, and the aliases of the user are applied last. One pass, linear in the text.

mod agencies;
mod edges;

use std::fmt;

use regex::Regex;

use agencies::{has_short_years, is_code, is_known_agency, is_office, settle};
use edges::{Joint, digits_end, is_dash, joint_after, joint_before, letter_before, word_before, word_end, word_start};

/// Words of this form that are not agencies: vulnerabilities, standards, months, illnesses.
const UNLIKE: [&str; 14] =
    ["CVE", "ISO", "IEC", "ISBN", "JAN", "FEB", "MAR", "APR", "AUG", "SEP", "OCT", "NOV", "DEC", "COVID"];
/// Words that announce a number and are not part of it.
const MARKERS: [&str; 9] = ["docket", "dockets", "id", "no", "nos", "num", "number", "rin", "attn"];

/// The kind of a number; numbers of different kinds are unrelated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scheme {
    /// A docket of an agency, `EPA-HQ-OAR-2002-0056`.
    Docket,
    /// A regulation identifier number, `RIN 2060-AJ65`.
    Rin,
    /// A locator of the Federal Register, `FRL-7463-6`.
    Frl,
}

impl Scheme {
    /// The scheme of a number in its canonical spelling.
    pub fn of(number: &str) -> Self {
        match number.get(..4) {
            Some("RIN ") => Self::Rin,
            Some("FRL-") => Self::Frl,
            _ => Self::Docket,
        }
    }
}

/// A number cited in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// The number in its canonical spelling.
    pub number: String,
    /// The kind of number.
    pub scheme: Scheme,
    /// Where it begins in the text, in bytes.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
}

/// An error: a pattern is not a valid regular expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError {
    /// The pattern as given.
    pub pattern: String,
    /// The problem.
    pub reason: String,
}

impl fmt::Display for PatternError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "docket pattern {:?} is not a regular expression: {}", self.pattern, self.reason)
    }
}

impl std::error::Error for PatternError {}

/// Further patterns of numbers, and aliases of dockets.
#[derive(Clone, Debug, Default)]
pub struct DocketRules {
    patterns: Vec<Regex>,
    aliases: Vec<(String, String)>,
    agencies: Vec<String>,
}

impl DocketRules {
    /// Builds rules from regular expressions (the first group, or else the whole match, is the number) and aliases.
    ///
    /// An alias replaces a whole number, or its first parts: `("USEPA", "EPA")`, `("RIN 2060-AJ65",
    /// "EPA-HQ-OAR-2002-0056")`. The agency that an alias begins with is known from then on.
    pub fn new(patterns: &[String], aliases: &[(String, String)]) -> Result<Self, PatternError> {
        let compile = |pattern: &String| {
            Regex::new(pattern).map_err(|error| PatternError { pattern: pattern.clone(), reason: error.to_string() })
        };
        let patterns = patterns.iter().map(compile).collect::<Result<_, _>>()?;
        let agencies = aliases.iter().flat_map(|(from, to)| [from, to]).map(|name| first_part(&plain(name))).collect();
        let mut rules = Self { patterns, aliases: Vec::new(), agencies };
        rules.aliases = aliases.iter().map(|(from, to)| (rules.spell(from), rules.spell(to))).collect();
        Ok(rules)
    }

    /// The canonical spelling of a number that is alone, such as the value of a docket column.
    pub fn spell(&self, number: &str) -> String {
        let trimmed = number.trim();
        let announced = format!("docket no. {trimmed}");
        let whole = |citation: &Citation| citation.end as usize == announced.len();
        match docket_numbers(&announced, self).pop() {
            Some(citation) if whole(&citation) => citation.number,
            _ => self.respell(plain(trimmed)),
        }
    }

    fn respell(&self, number: String) -> String {
        let replaced = |number: &str| {
            self.aliases.iter().find_map(|(from, to)| {
                let rest = number.strip_prefix(from.as_str())?;
                (rest.is_empty() || rest.starts_with('-')).then(|| format!("{to}{rest}"))
            })
        };
        replaced(&number).unwrap_or(number)
    }

    fn cite(&self, number: String, start: usize, end: usize) -> Citation {
        let number = self.respell(number);
        Citation { scheme: Scheme::of(&number), number, start: start as u32, end: end as u32 }
    }

    fn knows(&self, part: &str) -> bool {
        is_known_agency(part) || is_office(part) || self.agencies.iter().any(|agency| agency.eq_ignore_ascii_case(part))
    }
}

fn first_part(number: &str) -> String {
    number.split('-').next().unwrap_or_default().to_owned()
}

/// Upper case, every dash an ASCII dash without space around it.
fn plain(number: &str) -> String {
    let dashed: String = number.chars().map(|c| if is_dash(c) { '-' } else { c.to_ascii_uppercase() }).collect();
    dashed.split('-').map(str::trim).collect::<Vec<_>>().join("-")
}

/// Finds every docket number, RIN and FRL cited in a text, in order. A text of 4 GiB or more is cut there.
pub fn docket_numbers(text: &str, rules: &DocketRules) -> Vec<Citation> {
    let text = limit(text);
    let mut found = matches_of_patterns(text, rules);
    let given = found.len();
    let mut scan = Scan { text, bytes: text.as_bytes(), rules, last: None };
    let mut at = 0;
    while let Some(offset) = scan.bytes.get(at..).and_then(|rest| rest.iter().position(u8::is_ascii_digit)) {
        let start = at + offset;
        at = digits_end(text, start);
        if let Some(citation) = scan.citation(start, at) {
            at = at.max(citation.end as usize);
            scan.last = Some(citation.end as usize);
            let next = found[..given].partition_point(|other| other.end <= citation.start);
            if found[next..given].first().is_none_or(|other| other.start >= citation.end) {
                found.push(citation);
            }
        }
    }
    found.sort_by_key(|citation| citation.start);
    found
}

/// The part of a text that 32-bit offsets can address.
pub(crate) fn limit(text: &str) -> &str {
    let end = (0..4).map(|back| (u32::MAX as usize - back).min(text.len())).find(|&end| text.is_char_boundary(end));
    &text[..end.unwrap_or(0)]
}

/// The matches of the user's patterns; of overlapping ones the first and longest.
fn matches_of_patterns(text: &str, rules: &DocketRules) -> Vec<Citation> {
    let matches = rules.patterns.iter().flat_map(|pattern| pattern.captures_iter(text));
    let numbers = matches.filter_map(|captures| captures.get(1).or_else(|| captures.get(0)));
    let mut spans: Vec<(usize, usize)> = numbers.map(|number| (number.start(), number.end())).collect();
    spans.sort_by_key(|&(start, end)| (start, std::cmp::Reverse(end)));
    let mut found: Vec<Citation> = Vec::new();
    for (start, end) in spans {
        if start < end && found.last().is_none_or(|last| last.end as usize <= start) {
            found.push(rules.cite(plain(&text[start..end]), start, end));
        }
    }
    found
}

/// A part of a number and the joint that follows it.
#[derive(Clone, Copy)]
struct Piece {
    start: usize,
    end: usize,
    joint: Joint,
}

/// The part after the year: letters (of an office, a kind of document), then the serial number.
struct Tail {
    middle: String,
    serial: (usize, usize),
    end: usize,
    joint: Joint,
}

struct Scan<'a> {
    text: &'a str,
    bytes: &'a [u8],
    rules: &'a DocketRules,
    /// The end of the last number: the next one of a list needs no announcement.
    last: Option<usize>,
}

impl Scan<'_> {
    fn citation(&self, start: usize, end: usize) -> Option<Citation> {
        match end - start {
            4 => self.rin(start, end).or_else(|| self.frl(start, end)).or_else(|| self.docket(start, end)),
            2 => self.docket(start, end).or_else(|| self.short(start, end)),
            3 | 5 => self.frl(start, end),
            _ => None,
        }
    }

    fn docket(&self, start: usize, end: usize) -> Option<Citation> {
        let year = &self.text[start..end];
        if word_before(self.text, start) || !plausible_year(year) {
            return None;
        }
        let pieces = self.prefix(start);
        let first = pieces.first()?;
        let tail = self.tail(end)?;
        let joint = pieces.iter().map(|piece| piece.joint).max().map_or(tail.joint, |joint| joint.max(tail.joint));
        if !self.convincing(&pieces, joint, year, &tail) {
            return None;
        }
        let mut parts: Vec<String> =
            pieces.iter().map(|piece| self.text[piece.start..piece.end].to_ascii_uppercase()).collect();
        settle(&mut parts);
        let serial = self.text[tail.serial.0..tail.serial.1].trim_start_matches('0');
        let number = format!("{}-{year}{}-{serial:0>4}", parts.join("-"), tail.middle);
        Some(self.rules.cite(number, first.start, tail.end))
    }

    /// Whether a spelling this loose is accepted.
    fn convincing(&self, pieces: &[Piece], joint: Joint, year: &str, tail: &Tail) -> bool {
        let Some(first) = pieces.first() else { return false };
        let name = &self.text[first.start..first.end];
        let serial = &self.text[tail.serial.0..tail.serial.1];
        let upper = !self.bytes[first.start..tail.end].iter().any(u8::is_ascii_lowercase);
        let known = pieces.iter().any(|piece| self.rules.knows(&self.text[piece.start..piece.end]));
        let announced = self.announced(first.start);
        if year.len() == 2 {
            return has_short_years(name) && joint == Joint::Dash && pieces.len() > 1 && serial.len() == 4;
        }
        if serial.len() < 3 {
            let dated = self.bytes.get(tail.end).is_some_and(|&byte| byte == b'-' || byte == b'/');
            return known && announced && joint == Joint::Dash && !dated;
        }
        // "VA 2015-2016" is a span of years in Virginia.
        if pieces.len() == 1 && plausible_year(serial) && serial > year && !announced {
            return false;
        }
        match (known, announced) {
            (true, true) => true,
            (true, false) => joint == Joint::Dash || upper && (joint == Joint::SpacedDash || serial.starts_with('0')),
            (false, true) => joint == Joint::Dash || upper && joint == Joint::SpacedDash,
            (false, false) => {
                let shaped = pieces.len() > 1 || name.len() > 2 && serial.starts_with('0');
                upper && joint == Joint::Dash && shaped && !UNLIKE.contains(&name)
            }
        }
    }

    /// The parts before the year, as they are read.
    fn prefix(&self, year: usize) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = Vec::new();
        let mut at = year;
        while pieces.len() < 4 {
            let Some((end, joint)) = joint_before(self.text, at) else { break };
            let start = word_start(self.text, end);
            let name = &self.text[start..end];
            let named = (1..=7).contains(&name.len()) && name.bytes().any(|byte| byte.is_ascii_alphabetic());
            if !named || letter_before(self.text, start) || is_marker(name) {
                break;
            }
            // "EPA FAA-2017-1234": a separate word belongs to the number only if the agency is still missing.
            let complete = pieces.last().is_some_and(|front| is_known_agency(&self.text[front.start..front.end]));
            // Dashes with blanks around them can join capitals; whether that is a number is checked afterwards.
            let spaced = joint == Joint::SpacedDash && name.len() > 1 && name.bytes().all(|b| b.is_ascii_uppercase());
            if joint != Joint::Dash && (complete || !spaced && !is_code(name) && !self.rules.knows(name)) {
                break;
            }
            pieces.push(Piece { start, end, joint });
            at = start;
        }
        pieces.reverse();
        let named = |piece: &Piece| &self.text[piece.start..piece.end];
        let letters = |piece: &Piece| named(piece).len() > 1 && named(piece).bytes().all(|b| b.is_ascii_alphabetic());
        let known = pieces.iter().position(|piece| self.rules.knows(named(piece)));
        let mut first = known.or_else(|| pieces.iter().position(letters)).unwrap_or(pieces.len());
        // An office of an unknown agency: the agency is part of the number.
        while first > 0
            && pieces.get(first).is_some_and(|piece| !is_known_agency(named(piece)))
            && pieces[first - 1].joint <= Joint::SpacedDash
            && letters(&pieces[first - 1])
        {
            first -= 1;
        }
        pieces.split_off(first)
    }

    fn tail(&self, year_end: usize) -> Option<Tail> {
        let (mut at, mut joint, mut middle) = (year_end, Joint::Dash, String::new());
        for _ in 0..3 {
            let (start, kind) = joint_after(self.text, at)?;
            let end = word_end(self.text, start);
            let part = &self.text[start..end];
            joint = joint.max(kind);
            if !part.is_empty() && part.len() <= 6 && part.bytes().all(|byte| byte.is_ascii_digit()) {
                return Some(Tail { middle, serial: (start, end), end: self.document_end(end), joint });
            }
            let office = (1..=5).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphabetic());
            if !office || kind != Joint::Dash && part.bytes().any(|byte| byte.is_ascii_lowercase()) {
                return None;
            }
            middle = format!("{middle}-{}", part.to_ascii_uppercase());
            at = end;
        }
        None
    }

    /// Where the number of a document inside the docket ends, if there is one.
    fn document_end(&self, serial_end: usize) -> usize {
        let Some((start, joint)) = joint_after(self.text, serial_end) else { return serial_end };
        let end = word_end(self.text, start);
        let part = &self.text[start..end];
        let number = (1..=6).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        let fits = joint == Joint::Dash || joint == Joint::Space && part.len() == 4 && part.starts_with('0');
        if number && fits { end } else { serial_end }
    }

    fn rin(&self, start: usize, end: usize) -> Option<Citation> {
        let (letters, joint) = joint_after(self.text, end)?;
        let stop = word_end(self.text, letters);
        let code = self.bytes.get(letters..stop)?;
        let shaped = code.len() == 4 && code[..2].iter().all(u8::is_ascii_alphabetic);
        if !shaped || !code[2..].iter().all(u8::is_ascii_digit) {
            return None;
        }
        let word = trim_marks(&self.bytes[..start], b".:#-");
        let named = ends_with_word(word, "RIN");
        let free = !word_before(self.text, start) && start.checked_sub(1).is_none_or(|at| self.bytes[at] != b'-');
        let likely = joint == Joint::Dash && matches!(code[0], b'A' | b'B' | b'Z') && code[1].is_ascii_uppercase();
        if !(named || free && likely) {
            return None;
        }
        let number = format!("RIN {}-{}", &self.text[start..end], self.text[letters..stop].to_ascii_uppercase());
        Some(self.rules.cite(number, if named { word.len() - 3 } else { start }, stop))
    }

    fn frl(&self, start: usize, end: usize) -> Option<Citation> {
        let before = trim_marks(&self.bytes[..start], b".:#-");
        let before = trim_marks(strip_word(before, "no"), b".:#-");
        let before = before.strip_suffix("–".as_bytes()).unwrap_or(before);
        if !ends_with_word(before, "FRL") {
            return None;
        }
        let (second, joint) = joint_after(self.text, end)?;
        let stop = word_end(self.text, second);
        let part = &self.text[second..stop];
        if joint != Joint::Dash || !(1..=2).contains(&part.len()) || !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let number = format!("FRL-{}-{}", &self.text[start..end], part.trim_start_matches('0'));
        Some(self.rules.cite(number, before.len() - 3, stop))
    }

    /// A number with a year of two digits, only after "Docket No." or the like: 17-108, RM18-1-000, A-97-10.
    fn short(&self, start: usize, end: usize) -> Option<Citation> {
        let glued = word_start(self.text, start);
        let glued = if self.bytes[glued..start].len() <= 3 { glued } else { return None };
        let first = match joint_before(self.text, glued) {
            Some((at, Joint::Dash)) if at - word_start(self.text, at) == 1 && glued == start => {
                word_start(self.text, at)
            }
            _ => glued,
        };
        if letter_before(self.text, first) || !self.numbered(first) {
            return None;
        }
        let (serial, joint) = joint_after(self.text, end)?;
        let stop = word_end(self.text, serial);
        let digits = &self.text[serial..stop];
        if joint != Joint::Dash || !(1..=4).contains(&digits.len()) || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let head = plain(&self.text[first..end]);
        let number = format!("{head}-{}", digits.trim_start_matches('0'));
        Some(self.rules.cite(number, first, self.document_end(stop)))
    }

    /// Whether the word "docket" or "attention" shortly precedes it, or another number.
    fn announced(&self, at: usize) -> bool {
        if self.last.is_some_and(|last| last <= at && at - last <= 8) {
            return true;
        }
        let window = &self.bytes[at.saturating_sub(48)..at];
        [&b"docket"[..], b"attention", b"attn"]
            .iter()
            .any(|word| window.windows(word.len()).any(|bytes| bytes.eq_ignore_ascii_case(word)))
    }

    /// Whether "Docket No.", "Docket #" or "WC Docket" directly precedes it.
    fn numbered(&self, at: usize) -> bool {
        let marks = b".:#(,";
        let mut before = trim_marks(&self.bytes[..at], marks);
        let mut marked = self.bytes[before.len()..at].contains(&b'#');
        for word in ["numbers", "number", "nos", "no", "num", "ids", "id"] {
            let shorter = strip_word(before, word);
            if shorter.len() < before.len() {
                marked = true;
                before = trim_marks(shorter, marks);
                break;
            }
        }
        let Some(word) = ["dockets", "docket", "proceeding"].iter().find(|word| ends_with_word(before, word)) else {
            return false;
        };
        let bureau = before[..before.len() - word.len()].trim_ascii_end();
        let bureau = bureau.rsplit(|byte| !byte.is_ascii_alphanumeric()).next().unwrap_or_default();
        marked || bureau.len() == 2 && bureau.iter().all(u8::is_ascii_uppercase)
    }
}

fn plausible_year(digits: &str) -> bool {
    digits.len() == 2 || digits.len() == 4 && ("1985"..="2039").contains(&digits)
}

fn is_marker(word: &str) -> bool {
    MARKERS.iter().any(|marker| marker.eq_ignore_ascii_case(word))
}

fn trim_marks<'a>(bytes: &'a [u8], marks: &[u8]) -> &'a [u8] {
    let kept = bytes.iter().rposition(|byte| !byte.is_ascii_whitespace() && !marks.contains(byte));
    &bytes[..kept.map_or(0, |last| last + 1)]
}

fn ends_with_word(bytes: &[u8], word: &str) -> bool {
    let Some(start) = bytes.len().checked_sub(word.len()) else { return false };
    bytes[start..].eq_ignore_ascii_case(word.as_bytes()) && (start == 0 || !bytes[start - 1].is_ascii_alphanumeric())
}

fn strip_word<'a>(bytes: &'a [u8], word: &str) -> &'a [u8] {
    if ends_with_word(bytes, word) { &bytes[..bytes.len() - word.len()] } else { bytes }
}

#[cfg(test)]
mod tests;
