//! Where the body of a document begins: titles, authors and other header lines are not compared.
//!
//! Conrad, Guo & Schriber 2003, 6.1, leave them out, since they vary between editions of the same text. What counts as
//! a header: a block of `Name: value` lines at the top; then up to four short paragraphs that do not end as a sentence
//! does, or a line in capitals. If that is half of the words or more, the text has no header.

use rayon::prelude::*;

use crate::text::collection::Collection;

const HEADINGS: usize = 4;
const HEADING_LINES: usize = 3;
const HEADING_WORDS: usize = 25;
const NAME_BYTES: usize = 30;

/// The body of every document of a collection: where it begins and ends in the comparable text.
pub fn bodies(collection: &Collection) -> (Vec<u32>, Vec<u32>) {
    (0..collection.len())
        .into_par_iter()
        .with_min_len(64)
        .map(|document| {
            let text = collection.comparable(document);
            (body_start(&text) as u32, u32::try_from(text.len()).unwrap_or(u32::MAX))
        })
        .unzip()
}

/// Where the body of a text begins, in bytes.
pub fn body_start(text: &str) -> usize {
    let mut start = skip_fields(text);
    for _ in 0..HEADINGS {
        match skip_heading(&text[start..]) {
            0 => break,
            length => start += length,
        }
    }
    if start == 0 || is_most(text, start) { 0 } else { start }
}

/// Whether at least half of the words are before this offset.
fn is_most(text: &str, start: usize) -> bool {
    let before = text[..start].split_whitespace().count();
    text[start..].split_whitespace().take(before + 1).count() <= before
}

/// The length of a block of two or more `Name: value` lines, with the blank line after it.
fn skip_fields(text: &str) -> usize {
    let (mut offset, mut fields) = (0, 0);
    for line in text.split_inclusive('\n') {
        if line.trim().is_empty() {
            if fields > 0 {
                break;
            }
        } else if is_field(line) {
            fields += 1;
        } else if fields == 0 || !line.starts_with([' ', '\t']) {
            return 0;
        }
        offset += line.len();
    }
    if fields > 1 { offset } else { 0 }
}

fn is_field(line: &str) -> bool {
    let Some(colon) = line.find(':').filter(|&colon| (1..=NAME_BYTES).contains(&colon)) else { return false };
    let (name, value) = (&line[..colon], &line[colon + 1..]);
    let mut letters = name.chars();
    letters.next().is_some_and(char::is_alphabetic)
        && letters.all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ' '))
        && name.split_whitespace().count() <= 3
        && (value.starts_with([' ', '\t', '\r', '\n']) || value.is_empty())
}

/// The length of a heading at the top of a text with the blank lines after it; 0 if there is none.
fn skip_heading(text: &str) -> usize {
    let blank = text.len() - text.trim_start().len();
    let top = &text[blank..];
    let mut length = 0;
    for (number, line) in top.split_inclusive('\n').enumerate() {
        if line.trim().is_empty() {
            return if number > 0 && is_heading(&top[..length]) { blank + length + line.len() } else { 0 };
        }
        if number == 0 && is_shouted(line) && line.len() < top.len() && is_heading(line) {
            return blank + line.len();
        }
        if number == HEADING_LINES {
            return 0;
        }
        length += line.len();
    }
    0
}

fn is_heading(lines: &str) -> bool {
    let closing = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '”' | '’' | '»' | ')' | ']');
    let ends_sentence =
        lines.trim_end_matches(closing).ends_with(['.', '!', '?', '…', ':', ';', ',', '。', '！', '？']);
    !ends_sentence && lines.split_whitespace().take(HEADING_WORDS + 1).count() <= HEADING_WORDS
}

/// Whether a line is in capitals: letters that have a case, and none in lower case.
fn is_shouted(line: &str) -> bool {
    line.chars().filter(|c| c.is_uppercase()).nth(1).is_some() && !line.chars().any(char::is_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(text: &str) -> &str {
        &text[body_start(text)..]
    }

    const BODY: &str = "The company said on Monday that it would sell its mills to a group of investors for cash.\n\
                        Analysts had expected as much since the spring, when earnings fell for the third time.\n";

    #[test]
    fn titles_and_authors_are_left_out() {
        for header in [
            "Company sells mills\n\n",
            "Company sells mills\n\nBy Jane Roe\n\n",
            "COMPANY SELLS MILLS\n",
            "COMPANY SELLS MILLS\nBY JANE ROE\n",
            "Title: Company sells mills\nDate: 3 May\nSource: wire\n\n",
            "Title: Company sells mills\n Again\nDate: 3 May\n\nCompany sells mills\n\n",
            "# Company sells mills\n\n\n",
        ] {
            assert_eq!(body(&format!("{header}{BODY}")).trim_start(), BODY, "{header:?}");
        }
    }

    #[test]
    fn a_text_without_a_header_is_all_body() {
        for text in [
            BODY,
            "one line only",
            "",
            "\n\n",
            "a few\n\nshort lines\n\nand no more",
            "First paragraph of the text, which ends as it should.\n\nSecond paragraph.",
            "Note: this is a sentence with a colon.\nAnd it goes on from there without any header at all.\n",
            "ALL OF THIS\nIS SHOUTED\n",
        ] {
            assert_eq!(body(text), text);
        }
    }
}
