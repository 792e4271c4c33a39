//! Docket numbers cited in a text, in whatever spelling, as one canonical string each.
//!
//! A number is found from its digits: each run of them is tried as the year of a docket number, as a regulation
//! identifier number (RIN), as a Federal Register locator (FRL) and, behind the word "docket", as a number with a short
//! year. From there the parts are read backwards and forwards over dashes of any kind, underscores, spaces and line
//! breaks. The looser the spelling, the more must speak for it: an agency that is known, capitals, the word "docket"
//! before it. So a span of years, a date, a telephone number or a ZIP code is never a docket number.
//!
//! Canonical form: upper case, ASCII dashes, the serial number with at least four digits, without the number of a
//! document inside the docket. A department before an agency that keeps its own dockets is dropped, `EPA-OAR` is
//! `EPA-HQ-OAR`, and the user's aliases have the last word. One pass, linear in the text.

use std::fmt;

use regex::Regex;

use crate::agencies::{has_short_years, is_code, is_known_agency, is_office, settle};

/// Words of this form that are no agency: vulnerabilities, standards, months, illnesses.
const UNLIKE: [&str; 14] =
    ["CVE", "ISO", "IEC", "ISBN", "JAN", "FEB", "MAR", "APR", "AUG", "SEP", "OCT", "NOV", "DEC", "COVID"];
/// Words that announce a number and are no part of it.
const MARKERS: [&str; 9] = ["docket", "dockets", "id", "no", "nos", "num", "number", "rin", "attn"];
/// Longer words are no part of a number; nor are wider gaps.
const WORD_LIMIT: usize = 16;
const SPACE_LIMIT: usize = 8;
const HARD_SPACE: &[u8] = "\u{a0}".as_bytes();

/// What kind of number a citation is: numbers of different schemes say nothing about each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scheme {
    /// A docket of an agency, `EPA-HQ-OAR-2002-0056`.
    Docket,
    /// A regulation identifier number, `RIN 2060-AJ65`.
    Rin,
    /// A locator of the Federal Register, `FRL-7463-6`.
    Frl,
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

/// A pattern that is not a regular expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError {
    /// The pattern as given.
    pub pattern: String,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for PatternError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "docket pattern {:?} is not a regular expression: {}", self.pattern, self.reason)
    }
}

impl std::error::Error for PatternError {}

/// The numbers that count beyond those built in, and the other names of a docket.
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

    /// The canonical spelling of a number that stands alone, such as the value of a docket column.
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

/// Finds every docket number, RIN and FRL cited in a text, in the order of the text.
pub fn docket_numbers(text: &str, rules: &DocketRules) -> Vec<Citation> {
    let mut found = matches_of_patterns(text, rules);
    let given = found.len();
    let mut scan = Scan { text, bytes: text.as_bytes(), rules, last: None };
    let mut at = 0;
    while let Some(offset) = scan.bytes.get(at..).and_then(|rest| rest.iter().position(u8::is_ascii_digit)) {
        let start = at + offset;
        at = scan.digits_end(start);
        if let Some(citation) = scan.citation(start, at) {
            at = at.max(citation.end as usize);
            scan.last = Some(citation.end as usize);
            if !found[..given].iter().any(|other| other.start < citation.end && citation.start < other.end) {
                found.push(citation);
            }
        }
    }
    found.sort_by_key(|citation| citation.start);
    found
}

fn matches_of_patterns(text: &str, rules: &DocketRules) -> Vec<Citation> {
    let mut found: Vec<Citation> = Vec::new();
    for pattern in &rules.patterns {
        for captures in pattern.captures_iter(text) {
            let Some(number) = captures.get(1).or_else(|| captures.get(0)) else { continue };
            let (start, end) = (number.start() as u32, number.end() as u32);
            if start < end && !found.iter().any(|other| other.start < end && start < other.end) {
                let number = rules.respell(plain(number.as_str()));
                found.push(Citation { number, scheme: Scheme::Docket, start, end });
            }
        }
    }
    found
}

/// How two parts of a number hang together, the firmest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Joint {
    Dash,
    SpacedDash,
    Space,
}

/// A part of a number and the joint that follows it.
#[derive(Clone, Copy)]
struct Piece {
    start: usize,
    end: usize,
    joint: Joint,
}

/// What follows the year: letters (of an office, a kind of document), then the serial number.
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
    /// Where the last number ended: the next of a list needs no announcement of its own.
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
        if self.word_before(start) || !plausible_year(year) {
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
        Some(self.cite(number, Scheme::Docket, first.start, tail.end))
    }

    fn cite(&self, number: String, scheme: Scheme, start: usize, end: usize) -> Citation {
        Citation { number: self.rules.respell(number), scheme, start: start as u32, end: end as u32 }
    }

    /// Whether so loose a spelling may be believed.
    fn convincing(&self, pieces: &[Piece], joint: Joint, year: &str, tail: &Tail) -> bool {
        let Some(first) = pieces.first() else { return false };
        let name = &self.text[first.start..first.end];
        let serial = &self.text[tail.serial.0..tail.serial.1];
        let upper = !self.bytes[first.start..tail.end].iter().any(u8::is_ascii_lowercase);
        let known = self.rules.knows(name);
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
            let Some((end, joint)) = self.joint_before(at) else { break };
            let start = self.word_start(end);
            let name = &self.text[start..end];
            let named = (1..=7).contains(&name.len()) && name.bytes().any(|byte| byte.is_ascii_alphabetic());
            if !named || self.letter_before(start) || is_marker(name) {
                break;
            }
            if joint != Joint::Dash && !is_code(name) && !self.rules.knows(name) {
                break;
            }
            pieces.push(Piece { start, end, joint });
            at = start;
        }
        pieces.reverse();
        let named = |piece: &Piece| &self.text[piece.start..piece.end];
        let letters = |piece: &Piece| named(piece).len() > 1 && named(piece).bytes().all(|b| b.is_ascii_alphabetic());
        let known = pieces.iter().position(|piece| self.rules.knows(named(piece)));
        let first = known.or_else(|| pieces.iter().position(letters)).unwrap_or(pieces.len());
        pieces.split_off(first)
    }

    fn tail(&self, year_end: usize) -> Option<Tail> {
        let (mut at, mut joint, mut middle) = (year_end, Joint::Dash, String::new());
        for _ in 0..3 {
            let (start, kind) = self.joint_after(at)?;
            let end = self.word_end(start);
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
        let Some((start, joint)) = self.joint_after(serial_end) else { return serial_end };
        let end = self.word_end(start);
        let part = &self.text[start..end];
        let number = (1..=6).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        let fits = joint == Joint::Dash || joint == Joint::Space && part.len() == 4 && part.starts_with('0');
        if number && fits { end } else { serial_end }
    }

    fn rin(&self, start: usize, end: usize) -> Option<Citation> {
        let (letters, joint) = self.joint_after(end)?;
        let stop = self.word_end(letters);
        let code = self.bytes.get(letters..stop)?;
        let shaped = code.len() == 4 && code[..2].iter().all(u8::is_ascii_alphabetic);
        if !shaped || !code[2..].iter().all(u8::is_ascii_digit) {
            return None;
        }
        let word = trim_marks(&self.bytes[..start], b".:#-");
        let named = ends_with_word(word, "RIN");
        let free = !self.word_before(start) && start.checked_sub(1).is_none_or(|at| self.bytes[at] != b'-');
        let likely = joint == Joint::Dash && matches!(code[0], b'A' | b'B' | b'Z') && code[1].is_ascii_uppercase();
        if !(named || free && likely) {
            return None;
        }
        let number = format!("RIN {}-{}", &self.text[start..end], self.text[letters..stop].to_ascii_uppercase());
        Some(self.cite(number, Scheme::Rin, if named { word.len() - 3 } else { start }, stop))
    }

    fn frl(&self, start: usize, end: usize) -> Option<Citation> {
        let before = trim_marks(&self.bytes[..start], b".:#-");
        let before = trim_marks(strip_word(before, "no"), b".:#-");
        let before = before.strip_suffix("–".as_bytes()).unwrap_or(before);
        if !ends_with_word(before, "FRL") {
            return None;
        }
        let (second, joint) = self.joint_after(end)?;
        let stop = self.word_end(second);
        let part = &self.text[second..stop];
        if joint != Joint::Dash || !(1..=2).contains(&part.len()) || !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let number = format!("FRL-{}-{}", &self.text[start..end], part.trim_start_matches('0'));
        Some(self.cite(number, Scheme::Frl, before.len() - 3, stop))
    }

    /// A number with a year of two digits, only behind "Docket No." or the like: 17-108, RM18-1-000, A-97-10.
    fn short(&self, start: usize, end: usize) -> Option<Citation> {
        let glued = self.word_start(start);
        let glued = if self.bytes[glued..start].len() <= 3 { glued } else { return None };
        let first = match self.joint_before(glued) {
            Some((at, Joint::Dash)) if at - self.word_start(at) == 1 && glued == start => self.word_start(at),
            _ => glued,
        };
        if self.letter_before(first) || !self.numbered(first) {
            return None;
        }
        let (serial, joint) = self.joint_after(end)?;
        let stop = self.word_end(serial);
        let digits = &self.text[serial..stop];
        if joint != Joint::Dash || !(1..=4).contains(&digits.len()) || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let head = plain(&self.text[first..end]);
        let number = format!("{head}-{}", digits.trim_start_matches('0'));
        Some(self.cite(number, Scheme::Docket, first, self.document_end(stop)))
    }

    /// Whether the word "docket" or "attention" stands shortly before, or another number.
    fn announced(&self, at: usize) -> bool {
        if self.last.is_some_and(|last| last <= at && at - last <= 8) {
            return true;
        }
        let window = &self.bytes[at.saturating_sub(48)..at];
        [&b"docket"[..], b"attention", b"attn"]
            .iter()
            .any(|word| window.windows(word.len()).any(|bytes| bytes.eq_ignore_ascii_case(word)))
    }

    /// Whether "Docket No.", "Docket #" or "WC Docket" stands directly before.
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

    fn joint_before(&self, at: usize) -> Option<(usize, Joint)> {
        let spaced = at - self.space_before(at);
        let mut dash = at - spaced;
        for _ in 0..2 {
            dash -= dash_before(self.bytes, dash);
        }
        let dashed = at - spaced - dash;
        let start = if dashed > 0 { self.space_before(dash) } else { dash };
        joint_of(dashed, spaced + dash - start).map(|joint| (start, joint))
    }

    fn joint_after(&self, at: usize) -> Option<(usize, Joint)> {
        let spaced = self.space_after(at) - at;
        let mut dash = at + spaced;
        for _ in 0..2 {
            dash += dash_after(self.bytes, dash);
        }
        let dashed = dash - at - spaced;
        let end = if dashed > 0 { self.space_after(dash) } else { dash };
        joint_of(dashed, spaced + end - dash).map(|joint| (end, joint))
    }

    fn space_before(&self, at: usize) -> usize {
        let (mut start, mut breaks) = (at, 0);
        while start > 0 && at - start < SPACE_LIMIT {
            let before = &self.bytes[..start];
            let hard = before.ends_with(HARD_SPACE);
            breaks += usize::from(before.ends_with(b"\n"));
            if breaks > 1 || !hard && !before[start - 1].is_ascii_whitespace() {
                break;
            }
            start -= 1 + usize::from(hard);
        }
        start
    }

    fn space_after(&self, at: usize) -> usize {
        let (mut end, mut breaks) = (at, 0);
        while end < self.bytes.len() && end - at < SPACE_LIMIT {
            let rest = &self.bytes[end..];
            let hard = rest.starts_with(HARD_SPACE);
            breaks += usize::from(rest[0] == b'\n');
            if breaks > 1 || !hard && !rest[0].is_ascii_whitespace() {
                break;
            }
            end += 1 + usize::from(hard);
        }
        end
    }

    fn digits_end(&self, start: usize) -> usize {
        self.bytes[start..].iter().position(|byte| !byte.is_ascii_digit()).map_or(self.bytes.len(), |n| start + n)
    }

    /// The end of the word that begins here; of an endless one only the beginning is looked at.
    fn word_end(&self, start: usize) -> usize {
        let limit = (start + WORD_LIMIT).min(self.bytes.len());
        let word = &self.bytes[start..limit];
        word.iter().position(|byte| !byte.is_ascii_alphanumeric()).map_or(limit, |length| start + length)
    }

    fn word_start(&self, end: usize) -> usize {
        let limit = end.saturating_sub(WORD_LIMIT);
        let word = &self.bytes[limit..end];
        word.iter().rposition(|byte| !byte.is_ascii_alphanumeric()).map_or(limit, |at| limit + at + 1)
    }

    fn word_before(&self, at: usize) -> bool {
        at > 0 && self.bytes[at - 1].is_ascii_alphanumeric()
    }

    /// Whether a letter outside ASCII stands directly before: then the word is cut in two.
    fn letter_before(&self, at: usize) -> bool {
        at > 0 && self.bytes[at - 1] >= 0x80 && dash_before(self.bytes, at) == 0 && {
            self.text[..at].chars().next_back().is_some_and(char::is_alphanumeric)
        }
    }
}

fn joint_of(dashed: usize, spaced: usize) -> Option<Joint> {
    match (dashed > 0, spaced > 0) {
        (true, false) => Some(Joint::Dash),
        (true, true) => Some(Joint::SpacedDash),
        (false, true) => Some(Joint::Space),
        (false, false) => None,
    }
}

/// Dashes of all kinds, the underscore, and what is left of a dash after a wrong decoding.
fn is_dash(character: char) -> bool {
    matches!(
        character,
        '-' | '_' | '\u{ad}' | '\u{96}' | '\u{97}' | '\u{2010}'
            ..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' | '\u{fffd}'
    )
}

/// The bytes of the dash that ends here, 0 if none does.
fn dash_before(bytes: &[u8], at: usize) -> usize {
    let start = (1..=3).map_while(|back| at.checked_sub(back)).find(|&start| bytes[start] & 0xc0 != 0x80);
    start.filter(|&start| dash_after(bytes, start) == at - start).map_or(0, |start| at - start)
}

/// The bytes of the dash that begins here, 0 if none does.
fn dash_after(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at) {
        Some(b'-' | b'_') => 1,
        Some(&lead) if lead >= 0xc2 => {
            let width = if lead < 0xe0 { 2 } else { 3 };
            let character = bytes.get(at..at + width).and_then(|bytes| std::str::from_utf8(bytes).ok());
            if character.is_some_and(|found| found.chars().all(is_dash)) { width } else { 0 }
        }
        _ => 0,
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
mod tests {
    use super::*;

    fn numbers(text: &str) -> Vec<String> {
        docket_numbers(text, &DocketRules::default()).into_iter().map(|citation| citation.number).collect()
    }

    #[test]
    fn every_spelling_is_one_number() {
        for text in [
            "EPA-HQ-OAR-2002-0056",
            "USEPA-OAR-2002-0056",
            "US EPA-OAR-2002-0056",
            "Docket ID No. OAR-2002-0056",
            "docket oar 2002 0056",
            "Docket number: epa hq oar 2002 0056.",
            "my comment on epa-hq-oar-2002-0056, please",
            "EPA–HQ–OAR–2002–0056",
            "EPA\u{2011}HQ\u{2011}OAR\u{2011}2002\u{2011}0056",
            "EPA_HQ_OAR_2002_0056",
            "EPA - HQ - OAR - 2002 - 0056",
            "(Docket # EPA-HQ-OAR-\r\n   2002-0056)",
            "EPA-HQ-OAR-2002-\n0056",
            "EPA-HQ-OAR-2002-56 is docket EPA-HQ-OAR-2002-056",
            "EPA-HQ-OAR-2002-0056-9322",
            "https://www.regulations.gov/docket?D=EPA-HQ-OAR-2002-0056&x=1",
            "docket-EPA-HQ-OAR-2002-0056.pdf",
            "final_comments_EPA-HQ-OAR-2002-0056",
            "EPA\u{fffd}HQ\u{fffd}OAR\u{fffd}2002\u{fffd}0056",
            "EPA\u{a0}-\u{a0}HQ-OAR-2002-0056",
            "EPA HQ OAR 2002 0056 0011: it would be great",
        ] {
            assert_eq!(numbers(text), ["EPA-HQ-OAR-2002-0056"], "{text}");
        }
    }

    #[test]
    fn numbers_of_all_shapes() {
        for (text, number) in [
            ("EPA-R06-OAR-2020-0510", "EPA-R06-OAR-2020-0510"),
            ("EPA-R6-OAR-2020-510", "EPA-R06-OAR-2020-0510"),
            ("DOT-OST-2003-16128", "DOT-OST-2003-16128"),
            ("USDOT-2003-16128", "DOT-OST-2003-16128"),
            ("Docket OST–2003–16128", "DOT-OST-2003-16128"),
            ("FAA–2017–0001", "FAA-2017-0001"),
            ("DHS Docket No. ICEB - 2015-002", "ICEB-2015-0002"),
            ("ICEB 2015 0002 0011: really", "ICEB-2015-0002"),
            ("In regards to Docket # ICE-2015-0002 some", "ICEB-2015-0002"),
            ("FDA-2014-N-0189-0001", "FDA-2014-N-0189"),
            ("docket fda 2014 N 0189", "FDA-2014-N-0189"),
            ("EERE-2010-BT-STD-0003", "EERE-2010-BT-STD-0003"),
            ("FWS-R9-ES-2011-0031", "FWS-R9-ES-2011-0031"),
            ("AMS-FV-11-0069", "AMS-FV-11-0069"),
            ("OSHA-H054A-2006-0064", "OSHA-H054A-2006-0064"),
            ("WC Docket No. 17-108", "17-108"),
            ("GN Docket 14-28.", "14-28"),
            ("Docket No. RM18-1-000", "RM18-1"),
            ("Docket No. A-97-10", "A-97-10"),
            ("RIN 2060-AJ65", "RIN 2060-AJ65"),
            ("RIN: 2060–aj65", "RIN 2060-AJ65"),
            ("RIN2060-AJ65", "RIN 2060-AJ65"),
            ("(1653-AA72)", "RIN 1653-AA72"),
            ("[FRL-7463-6]", "FRL-7463-6"),
            ("FRL No. 10001-87-OA", "FRL-10001-87"),
            ("Docket Number XYZZY-2015-0007", "XYZZY-2015-0007"),
            ("ABC-DEF-2015-1234", "ABC-DEF-2015-1234"),
        ] {
            assert_eq!(numbers(text), [number], "{text}");
        }
        let text = "Docket Nos. EPA-HQ-OAR-2002-0056, OAR-2003-0001 and oar 2004 0002; FRL–7463–6; RIN 2060-AJ65";
        let expected =
            ["EPA-HQ-OAR-2002-0056", "EPA-HQ-OAR-2003-0001", "EPA-HQ-OAR-2004-0002", "FRL-7463-6", "RIN 2060-AJ65"];
        assert_eq!(numbers(text), expected);
    }

    #[test]
    fn what_only_looks_like_a_number() {
        for text in [
            "during the years 2009-2013; and",
            "THE YEARS 2009-2013",
            "in Richmond, VA 2015-2016",
            "from ED 2015-2016",
            "2015-10-19",
            "on 2015-0002 people",
            "Oct-2015-0001",
            "Lakewood, OH 44107-2015",
            "Washington DC 2024-0001",
            "OH-44107-2003",
            "(415) 977-5673, 415-977-5673, 1-800-555-2015",
            "Call 202-2015-0001",
            "CVE-2014-0160",
            "Case No. F-2014-20439 Doc No. C05764667",
            "Docket # 2015-26395",
            "the docket 15-20 times a day",
            "H1B-2015-2016",
            "the EPA 2015 4000 page rule",
            "EPA, 2015, 0056",
            "part 1234-QX12",
            "éEPA-2015-0001",
            "docket",
            "",
        ] {
            assert_eq!(numbers(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn spans_hold_the_number_and_nothing_else() {
        let text = "é see Docket ID No. EPA–HQ–OAR–2002–0056–9322, thanks";
        let found = docket_numbers(text, &DocketRules::default());
        assert_eq!(&text[found[0].start as usize..found[0].end as usize], "EPA–HQ–OAR–2002–0056–9322");
        assert_eq!(found[0].scheme, Scheme::Docket);
    }

    #[test]
    fn users_extend_the_rules() {
        let patterns = [r"(?i)file\s+no\.?\s*(s7-\d+-\d+)".to_owned()];
        let aliases = [("rin 2060-aj65", "EPA-OAR-2002-56"), ("MERCURY", "EPA-HQ-OAR"), ("ICE", "ICEB")];
        let aliases = aliases.map(|(from, to)| (from.to_owned(), to.to_owned()));
        let rules = DocketRules::new(&patterns, &aliases).expect("the pattern compiles");
        let found = docket_numbers("File No. s7–x; file no. S7-10-04, RIN 2060-AJ65, and so mercury 2002 0056", &rules);
        let numbers: Vec<&str> = found.iter().map(|citation| citation.number.as_str()).collect();
        assert_eq!(numbers, ["S7-10-04", "EPA-HQ-OAR-2002-0056"]);
        let lower = docket_numbers("docket mercury-2002-56", &rules);
        assert_eq!(lower[0].number, "EPA-HQ-OAR-2002-0056");
        assert_eq!(rules.spell(" epa-oar-2002-0056 "), "EPA-HQ-OAR-2002-0056");
        assert_eq!(rules.spell("something – else"), "SOMETHING-ELSE");
        let error = DocketRules::new(&["(".to_owned()], &[]).expect_err("no group is closed");
        assert!(error.to_string().contains("\"(\""));
    }

    #[test]
    fn hostile_texts_are_read_in_linear_time() {
        for text in ["12".repeat(500_000), "a12-".repeat(250_000), "EPA-2015-".repeat(100_000), "-".repeat(1_000_000)] {
            docket_numbers(&text, &DocketRules::default());
        }
        let spaced = format!("EPA{}2015{}0001", " ".repeat(500_000), "\n".repeat(500_000));
        assert!(numbers(&spaced).is_empty());
    }

    #[test]
    fn numbers_survive_random_spelling_and_surroundings() {
        let mut seed = 7u64;
        let mut random = move |below: usize| {
            seed = crate::hash::mix(seed.wrapping_add(0x9e37_79b9_7f4a_7c15));
            seed as usize % below
        };
        for _ in 0..2_000 {
            let dash = ["-", "–", "_", " - ", "—", "-\n"][random(6)];
            let agency = [&["EPA", "HQ", "OW"][..], &["USEPA", "OW"], &["EPA", "OW"]][random(3)].join(dash);
            let serial = 1 + random(9_999);
            let padded = if random(2) == 0 { format!("{serial:04}") } else { format!("{serial:05}") };
            let number = format!("{agency}{dash}2011{dash}{padded}");
            let number = if random(2) == 0 { number.to_lowercase() } else { number };
            let text = format!("I refer to docket {number}{}", ["", ".", ", and", "\n\nDear EPA,", ")"][random(5)]);
            assert_eq!(numbers(&text), [format!("EPA-HQ-OW-2011-{serial:04}")], "{text}");
        }
    }
}
