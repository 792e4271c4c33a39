//! Notices: what stands in the place of text, and what a portal says about a letter.
//!
//! "See attached file(s)", "N/A" and "[Redacted]" are not text of the writer. A sentence refers to an attachment if it
//! names one and all of its other words only point to it; the name of the sender may follow. A sentence reports a redaction
//! if it says that something about the writer or the attachment was removed. A title such as "Comment from Ada Bell" is a
//! notice on a line of its own at the top. Placeholders count only if the letter has no other text. Sentences of more than
//! 30 words are never notices.

use std::sync::LazyLock;

use regex::Regex;

use super::draft::Draft;
use super::letter::Kind::{Main, Notice};
use super::lines::{after_any, has_word, is_one_of, tokens, words};
use super::vocabulary::{ATTACHED, COURTESIES, PLACEHOLDERS, POINTERS, REMOVED, REMOVED_THINGS, TITLE_OPENINGS};

const MOST_WORDS: usize = 30;
/// The longest placeholder, in words.
const PLACEHOLDER_WORDS: usize = 3;
/// A notice that shares a line with text begins or ends in this many bytes of it.
const WINDOW: usize = 240;

/// Letters without any of these have no notice, apart from titles and placeholders. One search for all of them.
static SIGNS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let lower = "ttach|edacted|nclos|ithheld|emoved|ploaded";
    Regex::new(&format!("{lower}|{}", lower.to_uppercase())).ok()
});

/// Marks the notices of a letter.
pub(super) fn mark(draft: &mut Draft) {
    if SIGNS.as_ref().is_none_or(|signs| signs.is_match(draft.text)) {
        mark_sentences(draft);
    }
    mark_title(draft);
    mark_placeholder(draft);
}

fn mark_sentences(draft: &mut Draft) {
    let body: Vec<usize> = draft.body().collect();
    // From the last to the first: splitting a line moves those after it.
    for &at in body.iter().rev() {
        let line = draft.line(at);
        let first = if starts_sentence(draft, at) { notices_at_start(line) } else { 0 };
        if first == line.len() && ends_sentence(draft, at) {
            draft.kinds[at] = Notice;
        }
        if first == line.len() {
            continue;
        }
        let last = notices_at_end(line);
        if last < line.len() && (last > 0 || starts_sentence(draft, at)) {
            draft.split(at, last, Notice);
        }
        if first > 0 {
            draft.kinds[at] = Notice;
            draft.split(at, first, Main);
        }
    }
}

/// Whether a line does not continue the one above it.
fn starts_sentence(draft: &Draft, at: usize) -> bool {
    at == 0 || draft.lines[at].gap || !draft.line(at).starts_with(char::is_lowercase)
}

/// Whether the line below does not continue a line.
fn ends_sentence(draft: &Draft, at: usize) -> bool {
    draft.line(at).ends_with(['.', '!', ']', ')']) || at + 1 == draft.lines.len() || starts_sentence(draft, at + 1)
}

/// The bytes of the sentences at the start of a line that are notices.
fn notices_at_start(line: &str) -> usize {
    let mut end = 0;
    while end < line.len() {
        let length = sentence_length(&line[end..]);
        let sentence = &line[end..end + length];
        if !(is_notice(sentence) || end > 0 && thanks(sentence)) {
            break;
        }
        end += length;
    }
    end
}

/// Where the sentences begin that are notices at the end of a line.
fn notices_at_end(line: &str) -> usize {
    let window = line.len().saturating_sub(WINDOW);
    let window = (window..line.len()).find(|&at| line.is_char_boundary(at)).unwrap_or(0);
    let mut at = window;
    let mut starts = Vec::new();
    while at < line.len() {
        // Inside the window, the first sentence may have begun before it.
        if at > window || window == 0 {
            starts.push(at);
        }
        at += sentence_length(&line[at..]);
    }
    let mut last = line.len();
    for &start in starts.iter().rev() {
        if !is_notice(&line[start..last]) {
            break;
        }
        last = start;
    }
    last
}

/// The length of the first sentence, with the white space after it.
fn sentence_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        if matches!(byte, b'.' | b'!' | b'?' | b']') && bytes.get(at + 1).is_none_or(u8::is_ascii_whitespace) {
            return at + 1 + bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        }
    }
    text.len()
}

/// Whether a sentence only thanks the reader.
fn thanks(sentence: &str) -> bool {
    split_words(sentence).all(|word| is_one_of(word, COURTESIES))
}

fn is_notice(sentence: &str) -> bool {
    words(sentence, MOST_WORDS + 1) <= MOST_WORDS && (points_to_attachment(sentence) || reports_redaction(sentence))
}

/// "Please see the attached comments of the Lake Society."
fn points_to_attachment(sentence: &str) -> bool {
    let mut named = false;
    let mut sender = false;
    for word in split_words(sentence) {
        let number = word.bytes().any(|byte| byte.is_ascii_digit());
        if is_one_of(word, ATTACHED) {
            named = true;
        } else if named && is_one_of(word, &["of", "from", "by", "behalf"]) {
            sender = true;
        } else if !(number || is_one_of(word, POINTERS) || sender && word.starts_with(char::is_uppercase)) {
            return false;
        }
    }
    named
}

/// "The personal identifying information of this commenter was redacted."
fn reports_redaction(sentence: &str) -> bool {
    let bracketed = sentence.trim_start().starts_with(['[', '(', '{', '<']) && words(sentence, 9) <= 8;
    if !split_words(sentence).any(|word| is_one_of(word, REMOVED)) {
        return false;
    }
    let done = has_word(sentence, &["was", "were", "been", "is", "are"]);
    let demanded =
        has_word(sentence, &["should", "must", "would", "could", "will", "shall", "can", "not", "if", "i", "we"]);
    let alone = words(sentence, 3) <= 2 && has_word(sentence, &["redacted", "withheld"]);
    bracketed || alone || done && !demanded && split_words(sentence).any(|word| is_one_of(word, REMOVED_THINGS))
}

fn split_words(sentence: &str) -> impl Iterator<Item = &str> {
    sentence.split(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_'))).filter(|word| !word.is_empty())
}

/// A title at the top that the portal made: "Comment from Ada Bell".
fn mark_title(draft: &mut Draft) {
    let Some(first) = draft.body().next() else { return };
    let line = draft.line(first);
    let Some(rest) = after_any(line, TITLE_OPENINGS) else { return };
    let named = |word: &str| word.starts_with(|c: char| c.is_uppercase() || c.is_numeric()) || word.len() <= 3;
    let alone = draft.body().nth(1).is_none_or(|next| draft.lines[next].gap) || words(line, 9) <= 8;
    if alone && words(line, 16) <= 15 && !line.ends_with('.') && tokens(rest).all(named) {
        draft.kinds[first] = Notice;
    }
}

/// A letter of a few words that only fill the form.
fn mark_placeholder(draft: &mut Draft) {
    let body: Vec<usize> = draft.body().take(2).collect();
    let &[only] = body.as_slice() else { return };
    let line = draft.line(only);
    let bare = line.trim_matches(|c: char| !c.is_alphanumeric());
    if words(line, PLACEHOLDER_WORDS + 1) <= PLACEHOLDER_WORDS && is_one_of(bare, PLACEHOLDERS) {
        draft.kinds[only] = Notice;
    }
}
