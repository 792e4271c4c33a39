//! Terms that are written without a blank and mean one thing: links, mail addresses, numbers, abbreviations with full
//! stops, contractions, tags and mentions. All of them are ASCII; anything else stays separate words.

/// Top-level domains that make a name without a path a link; those that are common words are left out.
const DOMAINS: [&str; 34] = [
    "com", "org", "net", "edu", "gov", "info", "biz", "mobi", "cn", "uk", "de", "fr", "ru", "jp", "kr", "io", "ly",
    "tv", "cc", "eu", "nl", "pl", "br", "sg", "hk", "tw", "gl", "app", "dev", "xyz", "top", "club", "vip", "shop",
];
/// The most bytes of a term, so that a page of full stops is not read over and over.
const LONGEST: usize = 2048;
const ENDINGS: [&str; 7] = ["s", "t", "m", "d", "re", "ve", "ll"];
const APOSTROPHES: [&[u8]; 2] = [b"'", "’".as_bytes()];

/// Whether two tokens with these bytes between them may be one term.
#[inline]
pub fn joined(gap: &[u8]) -> bool {
    match gap {
        [byte] => matches!(byte, b'.' | b',' | b':' | b'/' | b'@' | b'-' | b'\'' | b'+' | b'%'),
        [b':', b'/', b'/'] | [0xe2, 0x80, 0x99] => true,
        _ => false,
    }
}

/// Whether the token that starts here is marked as a tag or a mention.
#[inline]
pub fn marked(bytes: &[u8], start: usize) -> bool {
    let Some(at) = start.checked_sub(1) else { return false };
    matches!(bytes[at], b'#' | b'@') && (at == 0 || !bytes[at - 1].is_ascii_alphanumeric())
}

/// Reads the term that begins with the token `start..end`; returns where it ends and leaves its spelling in `spelled`.
pub fn read(bytes: &[u8], start: usize, end: usize, spelled: &mut String) -> Option<usize> {
    spelled.clear();
    let length = bytes[start..].iter().take(LONGEST).take_while(|byte| byte.is_ascii_graphic()).count();
    let run = &bytes[start..start + length];
    let read = link(run, spelled)
        .or_else(|| address(run, spelled))
        .or_else(|| domain(run, spelled))
        .or_else(|| number(run, spelled))
        .or_else(|| initials(run, spelled));
    read.map(|length| start + length)
        .or_else(|| contraction(bytes, start, end, spelled))
        .or_else(|| tag(bytes, start, end, spelled))
}

fn push_lower(bytes: &[u8], spelled: &mut String) {
    spelled.extend(bytes.iter().map(|byte| char::from(byte.to_ascii_lowercase())));
}

fn strip<'a>(run: &'a [u8], prefix: &str) -> Option<&'a [u8]> {
    let (head, rest) = run.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix.as_bytes()).then_some(rest)
}

/// The length of a link without the punctuation after it.
fn trimmed(run: &[u8]) -> usize {
    let stop = run.iter().position(|byte| matches!(byte, b'<' | b'>' | b'"' | b'|' | b'\\' | b'^' | b'`'));
    let run = &run[..stop.unwrap_or(run.len())];
    run.iter()
        .rposition(|byte| !matches!(byte, b'.' | b',' | b';' | b':' | b'!' | b'?' | b')' | b']' | b'}' | b'\'' | b'*'))
        .map_or(0, |last| last + 1)
}

/// Writes a link without scheme, `www.` and last slash.
fn push_link(link: &[u8], spelled: &mut String) {
    let link = strip(link, "www.").unwrap_or(link);
    spelled.push_str("//");
    push_lower(link.strip_suffix(b"/").unwrap_or(link), spelled);
}

fn link(run: &[u8], spelled: &mut String) -> Option<usize> {
    let rest = ["https://", "http://", "ftp://"].iter().find_map(|scheme| strip(run, scheme));
    let body = rest.or_else(|| strip(run, "www.").map(|_| run))?;
    let length = trimmed(body);
    let named = body[..length].iter().any(u8::is_ascii_alphanumeric);
    named.then(|| {
        push_link(&body[..length], spelled);
        run.len() - body.len() + length
    })
}

fn is_label(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

/// The length of a domain name of two labels or more at the head of the run, and where its last label begins.
fn domain_name(run: &[u8]) -> Option<(usize, usize)> {
    let (mut at, mut last, mut labels) = (0, 0, 0);
    loop {
        let label = run[at..].iter().take_while(|&&byte| is_label(byte)).count();
        if label == 0 {
            // A full stop after the name belongs to the sentence.
            at = at.checked_sub(1)?;
            break;
        }
        (last, labels) = (at, labels + 1);
        at += label;
        if run.get(at) != Some(&b'.') {
            break;
        }
        at += 1;
    }
    (labels > 1 && run[last].is_ascii_alphabetic()).then_some((at, last))
}

fn address(run: &[u8], spelled: &mut String) -> Option<usize> {
    let is_local = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'%' | b'+' | b'-');
    let local = run.iter().take_while(|&&byte| is_local(byte)).count();
    if local == 0 || run.get(local) != Some(&b'@') {
        return None;
    }
    let (domain, _) = domain_name(&run[local + 1..])?;
    push_lower(&run[..local + 1 + domain], spelled);
    Some(local + 1 + domain)
}

fn domain(run: &[u8], spelled: &mut String) -> Option<usize> {
    let (name, last) = domain_name(run)?;
    let has_path = run.get(name) == Some(&b'/');
    let ending = run[last..name].to_ascii_lowercase();
    if !has_path && !DOMAINS.iter().any(|domain| domain.as_bytes() == ending) {
        return None;
    }
    if ending.len() < 2 || run[..name].iter().all(|byte| !byte.is_ascii_alphabetic()) {
        return None;
    }
    let length = if has_path { trimmed(run).max(name) } else { name };
    push_link(&run[..length], spelled);
    Some(length)
}

/// Digits with marks between them: amounts, times, dates, versions. Commas before three digits are left out.
fn number(run: &[u8], spelled: &mut String) -> Option<usize> {
    let mut at = run.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if at == 0 || run.get(at).is_some_and(|&byte| byte.is_ascii_alphabetic() || byte == b'_') {
        return None;
    }
    push_lower(&run[..at], spelled);
    let parts_start = at;
    while let Some(mark @ (b'.' | b',' | b':' | b'/' | b'-')) = run.get(at).copied() {
        let digits = run[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let behind = run.get(at + 1 + digits);
        if digits == 0 || behind.is_some_and(|&byte| byte.is_ascii_alphabetic() || byte == b'_') {
            break;
        }
        if !(mark == b',' && digits == 3) {
            spelled.push(char::from(mark));
        }
        push_lower(&run[at + 1..at + 1 + digits], spelled);
        at += 1 + digits;
    }
    if at > parts_start {
        return Some(at);
    }
    spelled.clear();
    None
}

/// Single letters with full stops between them: U.S.A., e.g.
fn initials(run: &[u8], spelled: &mut String) -> Option<usize> {
    let (mut length, mut letters) = (0, 0);
    while run.get(length).is_some_and(u8::is_ascii_alphabetic) {
        (length, letters) = (length + 1, letters + 1);
        if run.get(length) != Some(&b'.') {
            break;
        }
        length += 1;
    }
    let ends = run.get(length).is_none_or(|byte| !byte.is_ascii_alphanumeric());
    if letters < 2 || !ends {
        return None;
    }
    run[..length]
        .iter()
        .filter(|byte| byte.is_ascii_alphabetic())
        .for_each(|byte| spelled.push(char::from(byte.to_ascii_lowercase())));
    Some(length)
}

/// A word and its English ending after an apostrophe; the apostrophe is dropped, as many writers do.
fn contraction(bytes: &[u8], start: usize, end: usize, spelled: &mut String) -> Option<usize> {
    let apostrophe = APOSTROPHES.iter().find(|mark| bytes[end..].starts_with(mark))?;
    let word = &bytes[start..end];
    let behind = &bytes[end + apostrophe.len()..];
    let ending =
        behind.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte >= 0x80 || **byte == b'_').count();
    let known = ENDINGS.iter().any(|known| behind[..ending].eq_ignore_ascii_case(known.as_bytes()));
    if !known
        || !word.iter().all(u8::is_ascii_alphanumeric)
        || (word.len() == 1 && !matches!(word[0] | 0x20, b'i' | b'u'))
    {
        return None;
    }
    push_lower(word, spelled);
    push_lower(&behind[..ending], spelled);
    Some(end + apostrophe.len() + ending)
}

fn tag(bytes: &[u8], start: usize, end: usize, spelled: &mut String) -> Option<usize> {
    let word = str::from_utf8(&bytes[start..end]).ok()?;
    if !marked(bytes, start) || !word.chars().next()?.is_alphabetic() {
        return None;
    }
    spelled.push(char::from(bytes[start - 1]));
    spelled.push_str(&crate::text::words::tokens::folded_word(word));
    Some(end)
}
