//! The boundaries of the parts of a number, and how they are joined.

/// Longer words are not part of a number; nor are wider gaps.
const WORD_LIMIT: usize = 16;
const SPACE_LIMIT: usize = 8;
const HARD_SPACE: &[u8] = "\u{a0}".as_bytes();

/// How two parts of a number are joined, the strictest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Joint {
    Dash,
    SpacedDash,
    Space,
}

/// The start of the joint before this offset, and its kind.
pub(super) fn joint_before(text: &str, at: usize) -> Option<(usize, Joint)> {
    let bytes = text.as_bytes();
    let spaced = at - space_before(text, at);
    let mut dash = at - spaced;
    for _ in 0..2 {
        dash -= dash_before(bytes, dash);
    }
    let dashed = at - spaced - dash;
    let start = if dashed > 0 { space_before(text, dash) } else { dash };
    joint_of(dashed, spaced + dash - start).map(|joint| (start, joint))
}

/// The end of the joint after this offset, and its kind.
pub(super) fn joint_after(text: &str, at: usize) -> Option<(usize, Joint)> {
    let bytes = text.as_bytes();
    let spaced = space_after(text, at) - at;
    let mut dash = at + spaced;
    for _ in 0..2 {
        dash += dash_after(bytes, dash);
    }
    let dashed = dash - at - spaced;
    let end = if dashed > 0 { space_after(text, dash) } else { dash };
    joint_of(dashed, spaced + end - dash).map(|joint| (end, joint))
}

/// The start of the white space before this offset, which contains at most one line break.
fn space_before(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let (mut start, mut breaks) = (at, 0);
    while start > 0 && at - start < SPACE_LIMIT {
        let before = &bytes[..start];
        let hard = before.ends_with(HARD_SPACE);
        breaks += usize::from(before.ends_with(b"\n"));
        if breaks > 1 || !hard && !before[start - 1].is_ascii_whitespace() {
            break;
        }
        start -= 1 + usize::from(hard);
    }
    start
}

fn space_after(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let (mut end, mut breaks) = (at, 0);
    while end < bytes.len() && end - at < SPACE_LIMIT {
        let rest = &bytes[end..];
        let hard = rest.starts_with(HARD_SPACE);
        breaks += usize::from(rest[0] == b'\n');
        if breaks > 1 || !hard && !rest[0].is_ascii_whitespace() {
            break;
        }
        end += 1 + usize::from(hard);
    }
    end
}

pub(super) fn digits_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    bytes[start..].iter().position(|byte| !byte.is_ascii_digit()).map_or(bytes.len(), |n| start + n)
}

/// The end of the word that begins here; of a very long one only the beginning is examined.
pub(super) fn word_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let limit = (start + WORD_LIMIT).min(bytes.len());
    let word = &bytes[start..limit];
    word.iter().position(|byte| !byte.is_ascii_alphanumeric()).map_or(limit, |length| start + length)
}

pub(super) fn word_start(text: &str, end: usize) -> usize {
    let bytes = text.as_bytes();
    let limit = end.saturating_sub(WORD_LIMIT);
    let word = &bytes[limit..end];
    word.iter().rposition(|byte| !byte.is_ascii_alphanumeric()).map_or(limit, |at| limit + at + 1)
}

pub(super) fn word_before(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    at > 0 && bytes[at - 1].is_ascii_alphanumeric()
}

/// Whether a letter outside ASCII directly precedes it: then the word is cut in two.
pub(super) fn letter_before(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    at > 0 && bytes[at - 1] >= 0x80 && dash_before(bytes, at) == 0 && {
        text[..at].chars().next_back().is_some_and(char::is_alphanumeric)
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

/// Dashes of all kinds, the underscore, and remains of a dash after a wrong decoding.
pub(super) fn is_dash(character: char) -> bool {
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
