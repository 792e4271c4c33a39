//! Text with pieces of markup, as portals store it: tags of running text, entities, escaped line ends.
//!
//! A text that is no page can still contain `<br/>`, `<p>`, `&#39;`, `&nbsp;`, a ligature of a printer (`ﬁ`) or a line end
//! written as a backslash and `n`. It is recognised by a tag that breaks a line or that ends an element, by an entity with its semicolon, by a ligature, or by
//! escaped line ends ([`escapes`]). Only these are decoded. Everything else stays as it is, also
//! line ends, but not markup at the beginning and the end. Where line ends and tags that break a line are next to each other, they are one break: as many lines as the
//! more numerous of them. Markup that was escaped once more (`&lt;br/&gt;`, `&amp;#39;`) is decoded as well.
//!
//! One pass to recognise, one to decode, both linear in the text; most texts have none of the characters sought.

mod escapes;
mod tags;

use std::sync::LazyLock;

use memchr::memchr3_iter;
use memchr::memmem::Finder;

use super::character_references::decode;
use crate::text::rebuilt::Rebuilt;
use escapes::Escape;
use tags::{Effect, Tag};

/// The first byte of a ligature in UTF-8, the first two, and its length.
const LIGATURE_BYTE: u8 = 0xef;
const LIGATURE_BYTES: usize = 3;
static LIGATURES: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\xef\xac"));

/// Decodes a text that contains pieces of markup; none for any other text, and for one that has nothing else.
pub fn decode_fragments(text: &str) -> Option<Rebuilt> {
    let (mut marked, mut escaped) = (false, false);
    for at in memchr3_iter(b'<', b'&', b'\\', text.as_bytes()) {
        match text.as_bytes()[at] {
            b'\\' => escaped = true,
            b'<' => marked = marked || Tag::read(&text[at..]).is_some_and(|tag| tag.proves_markup()),
            _ => marked = marked || entity(&text[at..]).is_some(),
        }
        if marked && escaped {
            break;
        }
    }
    let escaped = escaped && escapes::are_line_ends(text);
    let joined = LIGATURES.find(text.as_bytes()).is_some();
    if !(marked || escaped || joined) {
        return None;
    }
    let decoded = Scan { source: text, out: Rebuilt::default(), gap: Gap::default(), escaped }.decode();
    (!decoded.text.trim().is_empty()).then_some(decoded)
}

/// White space and tags between two words.
#[derive(Default)]
struct Gap {
    /// Where the white space is that is copied if no tag breaks the line here.
    blanks: Vec<(usize, usize)>,
    /// Where the gap begins and ends.
    span: Option<(usize, usize)>,
    /// How many line ends it has, and how many tags that break a line.
    lines: usize,
    breaks: usize,
    /// The least number of line ends that its tags ask for.
    least: usize,
    /// The last line end was a carriage return, the last tag the start of a division.
    returned: bool,
    divided: bool,
    /// Something in it is not white space of the source.
    decoded: bool,
}

struct Scan<'a> {
    source: &'a str,
    out: Rebuilt,
    gap: Gap,
    /// Whether a backslash begins an escape.
    escaped: bool,
}

impl Scan<'_> {
    fn decode(mut self) -> Rebuilt {
        let mut at = 0;
        while at < self.source.len() {
            at += match self.source.as_bytes()[at] {
                b'<' => self.tag(at),
                b'&' => self.entity(at),
                b'\\' if self.escaped => self.escape(at),
                LIGATURE_BYTE => self.ligature(at),
                _ => self.run(at),
            };
        }
        if !self.gap.decoded {
            self.close_gap();
        }
        self.out
    }

    /// Copies text up to the next character that may be markup.
    fn run(&mut self, start: usize) -> usize {
        let rest = &self.source[start..];
        let marks = |byte: &u8| matches!(*byte, b'<' | b'&' | LIGATURE_BYTE) || self.escaped && *byte == b'\\';
        let length = 1 + rest.as_bytes()[1..].iter().position(marks).unwrap_or(rest.len() - 1);
        // A first byte that is markup by its looks only belongs to the run; a character is never cut.
        let run = &rest[..length];
        let body = run.trim_start();
        self.blank(start, &run[..run.len() - body.len()]);
        let word = body.trim_end();
        if !word.is_empty() {
            let at = start + run.len() - body.len();
            self.close_gap();
            self.out.copy(at, word);
            self.blank(at + word.len(), &body[word.len()..]);
        }
        length
    }

    /// Adds white space of the source to the gap.
    fn blank(&mut self, start: usize, blank: &str) {
        if blank.is_empty() {
            return;
        }
        self.gap.extend(start, start + blank.len());
        self.gap.blanks.push((start, start + blank.len()));
        blank.chars().for_each(|character| self.gap.count(character));
    }

    fn tag(&mut self, start: usize) -> usize {
        let Some(tag) = Tag::read(&self.source[start..]) else { return self.run(start) };
        let gap = &mut self.gap;
        if tag.effect != Effect::None {
            gap.extend(start, start + tag.length);
        }
        match tag.effect {
            Effect::None => return tag.length,
            Effect::Blank => {}
            // An empty division is an empty line.
            Effect::Break if gap.divided => gap.least = 2,
            Effect::Break => gap.breaks += 1,
            Effect::Line => gap.least = gap.least.max(1),
            Effect::Paragraph => gap.least = 2,
        }
        gap.decoded = true;
        gap.divided = tag.effect == Effect::Line && !tag.closing;
        tag.length
    }

    fn entity(&mut self, start: usize) -> usize {
        let rest = &self.source[start..];
        if rest.starts_with("&lt;") && Tag::read(rest).is_some() {
            return self.tag(start);
        }
        let Some((text, length)) = entity(rest) else { return self.run(start) };
        self.replace(start, length, &text);
        length
    }

    fn ligature(&mut self, start: usize) -> usize {
        let letters = self.source[start..].chars().next().and_then(ligature);
        let Some(letters) = letters else { return self.run(start) };
        self.replace(start, LIGATURE_BYTES, letters);
        LIGATURE_BYTES
    }

    fn escape(&mut self, start: usize) -> usize {
        let Some(Escape { text, length }) = escapes::read(&self.source[start..]) else { return self.run(start) };
        self.replace(start, length, text.encode_utf8(&mut [0; 4]));
        length
    }

    /// Writes decoded text, or adds it to the gap if it is white space.
    fn replace(&mut self, start: usize, length: usize, text: &str) {
        if text.chars().all(char::is_whitespace) {
            self.gap.extend(start, start + length);
            self.gap.decoded = true;
            text.chars().for_each(|character| self.gap.count(character));
        } else {
            self.close_gap();
            self.out.replace(start, start + length, text);
        }
    }

    /// Writes the white space between two words.
    fn close_gap(&mut self) {
        let gap = std::mem::take(&mut self.gap);
        let Some((start, end)) = gap.span else { return };
        let lines = gap.lines.max(gap.breaks).max(gap.least);
        if gap.decoded && self.out.text.is_empty() {
            return;
        }
        if !gap.decoded {
            gap.blanks.iter().for_each(|&(from, to)| self.out.copy(from, &self.source[from..to]));
        } else if lines > 0 {
            self.out.replace(start, end, &"\n".repeat(lines));
        } else {
            self.out.replace(start, end, " ");
        }
    }
}

impl Gap {
    fn extend(&mut self, start: usize, end: usize) {
        self.span = Some((self.span.map_or(start, |span| span.0), end));
    }

    fn count(&mut self, blank: char) {
        let second = blank == '\n' && self.returned;
        let ends = matches!(blank, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}');
        self.lines += usize::from(ends && !second);
        self.returned = blank == '\r';
    }
}

/// The letters of a ligature of Latin letters, which printers leave in the text of a PDF.
fn ligature(character: char) -> Option<&'static str> {
    let letters = ["ff", "fi", "fl", "ffi", "ffl", "st", "st"];
    letters.get((character as usize).checked_sub(0xfb00)?).copied()
}

/// Decodes an entity that ends in a semicolon, and one that was escaped once more: its text and its length.
fn entity(rest: &str) -> Option<(String, usize)> {
    let inner = rest.strip_prefix("&amp;");
    if let Some(inner) = inner.filter(|inner| inner.starts_with(|c: char| c == '#' || c.is_ascii_alphabetic())) {
        let again = format!("&{}", &inner[..inner.bytes().take(32).take_while(u8::is_ascii).count()]);
        if let Some((text, length)) = decode(&again).filter(|(_, length)| again[..*length].ends_with(';')) {
            return Some((text, length + 4));
        }
    }
    decode(rest).filter(|(_, length)| rest[..*length].ends_with(';'))
}

#[cfg(test)]
mod tests;
