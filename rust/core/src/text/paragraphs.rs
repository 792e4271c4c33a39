//! The paragraph of each word of a text, also where paragraphs are not set apart by blank lines.
//!
//! Only the bytes between words are read: a line end between two words may end a paragraph.
//!
//! 1. *Blank line.* Two line ends between two words, that is a line without a word in it (empty, white space, a lone
//!    quotation mark of a reply, a rule of dashes), and the paragraph separator U+2029 always end a paragraph.
//! 2. *Hard-wrapped text.* A line end is taken for a wrap when the first word of the next line would hardly have fitted
//!    on the line, and the line does not end a sentence before a capital. Where at least half of the full lines end in
//!    wraps, the text was wrapped by a program, and a line shorter than 60 % of the median full line ends a paragraph
//!    if the next line starts with a capital (or anything that is not a small letter) or an indent; so does a line that
//!    ends a sentence before a capital and has room for the next word.
//! 3. *One line per paragraph.* In all other texts the writer set the line ends, and one next to a line of more than
//!    100 columns ends a paragraph unless it looks like a wrap; this is what HTML and web forms leave.
//!
//! A line end between two short lines never ends a paragraph under rules 2 and 3: verse, addresses, signatures and
//! lists stay together. Line ends are LF, CRLF, CR, VT, FF, NEL and U+2028. Widths are in columns, two for a character
//! of East Asia. Time O(bytes), memory four numbers for each line that ends in a single line end.

/// A line of more columns than this is likely a whole paragraph.
const LONG_COLUMNS: u32 = 100;

/// No program wraps lines at more columns than this.
const MAX_WRAP_COLUMNS: u32 = 160;

/// A single line end between two words, with what decides whether it ends a paragraph.
struct LineEnd {
    /// The first word of the line.
    line: usize,
    /// The first word of the next line.
    word: usize,
    /// Columns of the line before.
    width: u32,
    /// Columns of the line after.
    next_width: u32,
    /// Columns of the first word of the next line.
    next_word: u32,
    /// The line ends with the mark of a sentence's end.
    sentence: bool,
    /// The next line starts with an indent.
    indent: bool,
    /// The next line does not start with a small letter.
    capital: bool,
}

/// Number the paragraph of each word, from 0, given the words' byte spans in the text.
///
/// # Examples
/// ```
/// use neardup_core::text::paragraphs::paragraphs;
///
/// assert_eq!(paragraphs(b"one two\n\nthree", &[0, 4, 9], &[3, 7, 14]), [0, 0, 1]);
/// ```
pub fn paragraphs(text: &[u8], starts: &[u32], ends: &[u32]) -> Vec<u32> {
    let mut breaks = vec![0u32; starts.len().min(ends.len())];
    let line_ends = find_line_ends(text, starts, ends, &mut breaks);
    mark_paragraph_ends(&line_ends, &mut breaks);
    let mut number = 0;
    for value in &mut breaks {
        number += *value;
        *value = number;
    }
    breaks
}

/// Mark the words after a blank line in `breaks` and list the single line ends.
fn find_line_ends(text: &[u8], starts: &[u32], ends: &[u32], breaks: &mut [u32]) -> Vec<LineEnd> {
    let mut found: Vec<LineEnd> = Vec::new();
    let mut line_start = 0;
    for word in 1..=breaks.len() {
        let last = word == breaks.len();
        let gap = if last { &[][..] } else { slice(text, ends[word - 1], starts[word]) };
        let (count, first, after) = if last { (2, 0, 0) } else { count_line_ends(gap) };
        if count == 0 {
            continue;
        }
        let width = columns(slice(text, starts[line_start], ends[word - 1]));
        if let Some(previous) = found.last_mut().filter(|previous| previous.word == line_start) {
            previous.next_width = width;
        }
        let line = std::mem::replace(&mut line_start, word);
        if count > 1 {
            if !last {
                breaks[word] = 1;
            }
            continue;
        }
        let start = slice(text, starts[word], ends[word]);
        found.push(LineEnd {
            line,
            word,
            width,
            next_width: 0,
            next_word: columns(start),
            sentence: ends_sentence(&gap[..first]),
            indent: gap[after..].starts_with(b"  ") || gap[after..].starts_with(b"\t"),
            capital: !starts_small(start),
        });
    }
    found
}

/// Mark in `breaks` the words after a single line end that ends a paragraph.
fn mark_paragraph_ends(line_ends: &[LineEnd], breaks: &mut [u32]) {
    if line_ends.is_empty() {
        return;
    }
    let mut widths: Vec<u32> = line_ends.iter().map(|end| end.width).collect();
    widths.sort_unstable();
    let limit = widths[(widths.len() - 1) * 9 / 10];
    let full = &widths[widths.partition_point(|&width| is_short(width, limit))..];
    let median = full[full.len() / 2];
    let wraps = line_ends.iter().filter(|end| !is_short(end.width, limit) && is_wrap(end, limit)).count();
    let hard_wrapped = wraps * 2 >= full.len();
    for (index, end) in line_ends.iter().enumerate() {
        let ends_paragraph = if hard_wrapped {
            let before = index.checked_sub(1).map(|before| &line_ends[before]);
            let after_full = before.is_some_and(|before| before.word == end.line && !is_short(before.width, median));
            let beside_full = after_full || !is_short(end.next_width, median);
            let short = is_short(end.width, median) && (end.capital || end.indent);
            beside_full && (short || (!is_full(end, limit) && end.sentence && end.capital))
        } else {
            end.width.max(end.next_width) > LONG_COLUMNS && !is_wrap(end, limit) && (end.sentence || end.capital)
        };
        if ends_paragraph {
            breaks[end.word] = 1;
        }
    }
}

/// Whether a line is shorter than 60 % of a full one.
fn is_short(width: u32, full: u32) -> bool {
    u64::from(width) * 10 < u64::from(full) * 6
}

/// Whether a program that wraps at about `limit` columns would have set this line end.
fn is_wrap(end: &LineEnd, limit: u32) -> bool {
    is_full(end, limit) && end.width <= MAX_WRAP_COLUMNS && !(end.sentence && end.capital)
}

/// Whether the first word of the next line hardly fits on the line.
fn is_full(end: &LineEnd, limit: u32) -> bool {
    // Lines wrapped in a proportional typeface reach the limit only nearly.
    u64::from(end.width + 1 + end.next_word) * 100 > u64::from(limit) * 85
}

/// Count the line ends in the bytes between two words: their number (two for U+2029), where the first starts, and
/// where the last ends.
fn count_line_ends(gap: &[u8]) -> (u32, usize, usize) {
    let (mut count, mut first, mut after, mut at) = (0, gap.len(), 0, 0);
    while at < gap.len() {
        let (weight, length) = match &gap[at..] {
            [b'\r', b'\n', ..] => (1, 2),
            [b'\n' | b'\r' | 0x0b | 0x0c, ..] => (1, 1),
            [0xc2, 0x85, ..] => (1, 2),
            [0xe2, 0x80, 0xa8, ..] => (1, 3),
            [0xe2, 0x80, 0xa9, ..] => (2, 3),
            _ => (0, 1),
        };
        if weight > 0 {
            first = first.min(at);
            after = at + length;
            count += weight;
        }
        at += length;
    }
    (count, first, after)
}

/// Whether the bytes after a line's last word hold the mark of a sentence's end.
fn ends_sentence(gap: &[u8]) -> bool {
    gap.iter().any(|byte| b".!?:".contains(byte))
        || gap.windows(3).any(|mark| matches!(mark, [0xe3, 0x80, 0x82] | [0xef, 0xbc, 0x81 | 0x9f]))
}

/// Whether a word starts with a small letter.
fn starts_small(word: &[u8]) -> bool {
    let head = &word[..word.len().min(4)];
    let valid = match std::str::from_utf8(head) {
        Ok(valid) => valid,
        Err(error) => std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or(""),
    };
    valid.chars().next().is_some_and(char::is_lowercase)
}

/// Columns that UTF-8 text takes on a terminal, nearly: two from U+3000 on.
fn columns(text: &[u8]) -> u32 {
    text.iter().map(|&byte| u32::from(byte & 0xc0 != 0x80) + u32::from(byte >= 0xe3)).sum()
}

/// The bytes between two offsets; empty if the offsets do not fit the text.
fn slice(text: &[u8], start: u32, end: u32) -> &[u8] {
    text.get(start as usize..end as usize).unwrap_or(&[])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::align::samples::Text;

    /// The paragraphs of a text, each with single blanks between its words.
    fn split(text: &str) -> Vec<String> {
        let text = Text::read(text);
        let words: Vec<(u32, u32)> = text.starts.iter().copied().zip(text.ends.iter().copied()).collect();
        let words = text.quote(&words);
        let numbered: Vec<(u32, &str)> = text.paragraphs.iter().copied().zip(words).collect();
        let paragraphs = numbered.chunk_by(|left, right| left.0 == right.0);
        paragraphs.map(|words| words.iter().map(|word| word.1).collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn a_line_without_a_word_ends_a_paragraph() {
        for gap in
            ["\n\n", "\r\n\r\n", "\r\r", "\n \t\n", "\n>\n", "\n-----\n", "\u{2029}", "\n\u{a0}\r\n", "\u{2028}\n"]
        {
            assert_eq!(split(&format!("one two{gap}three")), ["one two", "three"], "{gap:?}");
        }
        for gap in [" ", "\n", "\r\n", "\r", "\u{2028}", "\u{c}", ", ", "\t\n"] {
            assert_eq!(split(&format!("one two{gap}three")), ["one two three"], "{gap:?}");
        }
    }

    const WRAPPED: &str = "\
Dear Administrator,
The proposal would allow power plants to buy the right to release
mercury into lakes and rivers where people fish. This is wrong and it
is against the law.
Children near the plants would pay with their health for decades, as
doctors have shown in a study of ten thousand families.
I urge you to withdraw it.
Sincerely,
Jane Roe
12 Elm Street
Springfield";

    #[test]
    fn short_lines_end_paragraphs_of_wrapped_text() {
        let found = split(WRAPPED);
        assert_eq!(found.len(), 5, "{found:#?}");
        assert_eq!(found[0], "Dear Administrator");
        assert!(found[1].starts_with("The proposal") && found[1].ends_with("the law"));
        assert!(found[2].starts_with("Children") && found[2].ends_with("families"));
        assert_eq!(found[3], "I urge you to withdraw it");
        assert_eq!(found[4], "Sincerely Jane Roe 12 Elm Street Springfield", "an address stays together");
    }

    #[test]
    fn wrapped_text_with_blank_lines_is_not_cut_at_its_wraps() {
        let wrapped = "It would be the first time in thirty years that the agency\nAllows such a thing, and we are \
                       against it for the good\nof all.\n\nThank you for reading this letter about our lakes and \
                       our\nrivers.";
        let found = split(wrapped);
        assert_eq!(found.len(), 2, "{found:#?}");
    }

    #[test]
    fn verse_lists_and_addresses_stay_together() {
        let verse = "Give me your tired, your poor,\nYour huddled masses yearning to breathe free,\n\
                     The wretched refuse of your teeming shore.\nSend these, the homeless, tempest-tost to me.";
        assert_eq!(split(verse).len(), 1);
        assert_eq!(split("1. Build it\n2. Keep it\n3. Pay for it").len(), 1);
        assert_eq!(split("Jane Roe\n12 Elm Street\nSpringfield, IL 62701").len(), 1);
    }

    #[test]
    fn each_long_line_is_a_paragraph_and_adjacent_short_lines_are_one() {
        let long = "I support this rule since it lets students who were trained here work here for long enough to give \
                    back what they have learnt from us all.";
        let found = split(&format!("{long}\n{long}\nIt is a good rule.\nJane Roe\nSpringfield"));
        assert_eq!(found.len(), 3, "{found:#?}");
        assert_eq!(found[2], "It is a good rule Jane Roe Springfield");
    }

    #[test]
    fn characters_of_east_asia_are_two_columns_wide() {
        let line = "\u{6c34}".repeat(60);
        assert_eq!(split(&format!("{line}\u{3002}\n{line}\u{3002}")).len(), 2);
        let line = "\u{6c34}".repeat(40);
        assert_eq!(split(&format!("{line}\u{3002}\n{line}\u{3002}")).len(), 1);
    }

    #[test]
    fn malformed_input_does_not_fail() {
        assert!(paragraphs(b"", &[], &[]).is_empty());
        assert!(paragraphs("\n".repeat(1_000_000).as_bytes(), &[], &[]).is_empty());
        let far = format!("a{}b", "\n".repeat(1_000_000));
        assert_eq!(paragraphs(far.as_bytes(), &[0, 1_000_001], &[1, 1_000_002]), [0, 1]);
        assert_eq!(paragraphs(b"a b", &[0, 90], &[1, 91]), [0, 0], "offsets beyond the text");
        assert_eq!(paragraphs(b"\xff\n\xfe", &[0, 2], &[1, 3]), [0, 0]);
    }
}
