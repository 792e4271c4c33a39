//! The fields of a letter: sender, receiver, topic, and the organisation that relayed it.

use super::closings::{after_closing, closing};
use super::letter::{Kind, Letter};
use super::lines::{after, is_one_of};
use super::quotes::header_field;
use super::shapes::is_address;
use super::vocabulary::{GREETINGS, RELAYED, SUBJECT_FIELDS, WHOM};

/// The value of a mail header that occurs in the letter, such as `from` or `subject`.
pub fn header_value<'a>(text: &'a str, letter: &Letter, name: &str) -> Option<&'a str> {
    let lines = letter.texts(text, Kind::Header).flat_map(split_lines);
    let mut values = lines.filter_map(|line| header_field(line).filter(|field| field.0.eq_ignore_ascii_case(name)));
    values.next().map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
}

/// The name under the closing, or the sender in the mail header.
pub fn sender_name<'a>(text: &'a str, letter: &Letter) -> Option<&'a str> {
    let name_in = |line: &'a str| {
        let name = if closing(line).is_some() { after_closing(line)? } else { line };
        let name = without_town(name.trim_matches(|c: char| !c.is_alphanumeric() && c != '.'));
        (!name.is_empty() && !is_address(name)).then_some(name)
    };
    let signed = letter.texts(text, Kind::Signature).find_map(|block| split_lines(block).find_map(name_in));
    signed.or_else(|| header_value(text, letter, "from"))
}

/// Cuts "John Doe, Lakewood OH" after the name; "Jr." and degrees stay.
fn without_town(name: &str) -> &str {
    let kept = match name.split_once(',') {
        Some((first, rest)) => {
            let title = rest.trim_start().split([',', ' ']).next().unwrap_or_default();
            let capitals = title.bytes().filter(u8::is_ascii_uppercase).count();
            let degree = title.len() <= 5 && (capitals > 1 || title.trim_end_matches('.').ends_with('r'));
            if degree { name } else { first.trim_end() }
        }
        None => name,
    };
    let last = kept.rsplit([' ', '.']).find(|word| !word.is_empty()).unwrap_or_default();
    if last.len() > 2 { kept.trim_end_matches('.') } else { kept }
}

/// The name in the salutation, or the receiver in the mail header.
pub fn receiver_name<'a>(text: &'a str, letter: &Letter) -> Option<&'a str> {
    let name_in = |greeting: &'a str| {
        let greeting = greeting.trim();
        let name = GREETINGS.after(greeting).unwrap_or(greeting).trim_matches(|c: char| !c.is_alphanumeric());
        (!name.is_empty() && WHOM.after(greeting).is_none()).then_some(name)
    };
    letter.texts(text, Kind::Salutation).next().and_then(name_in).or_else(|| header_value(text, letter, "to"))
}

/// The topic of the letter, from a mail header or a line "Re:" or "Subject:".
pub fn topic<'a>(text: &'a str, letter: &Letter) -> Option<&'a str> {
    let mut lines = letter.texts(text, Kind::Subject).flat_map(split_lines);
    let mut topic = header_value(text, letter, "subject").or_else(|| lines.next())?;
    let prefixed = |(name, _): &(&str, &str)| is_one_of(name, SUBJECT_FIELDS) || is_one_of(name, &["fw", "fwd"]);
    while let Some((_, rest)) = header_field(topic).filter(prefixed) {
        topic = rest;
    }
    (!topic.is_empty()).then_some(topic)
}

/// The organisation that relayed the letter, from its footer: on whose behalf, by whom, or the domain.
pub fn relayer(text: &str, letter: &Letter) -> Option<String> {
    let footers = || letter.texts(text, Kind::Footer);
    let named = RELAYED.iter().find_map(|phrase| footers().find_map(|footer| name_after(footer, phrase)));
    // The writer's own address is below two dashes.
    named.or_else(|| footers().filter(|footer| !footer.trim_start().starts_with(['-', '—'])).find_map(domain))
}

/// The name after a phrase: up to a mark, the end of the sentence or a small word, at most eight words.
fn name_after(footer: &str, phrase: &str) -> Option<String> {
    let start = footer.to_ascii_lowercase().find(phrase)? + phrase.len();
    let rest = &footer[start..];
    let rest = after(rest, "the").unwrap_or(rest);
    let end = rest.find([',', ';', '(', '\n', '\r', '!']).unwrap_or(rest.len());
    let mut name = String::new();
    for word in rest[..end].split_whitespace().take(8) {
        if matches!(word, "on" | "at" | "via" | "from" | "to") {
            break;
        }
        name = if name.is_empty() { word.to_owned() } else { format!("{name} {word}") };
        if word.ends_with('.') && !matches!(word, "St." | "Mt." | "U.S.") {
            break;
        }
    }
    name.truncate(name.trim_end_matches('.').len());
    (!name.is_empty()).then_some(name)
}

/// The domain of the first web or mail address.
fn domain(footer: &str) -> Option<String> {
    footer.split(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '(' | ')' | '"')).find_map(|word| {
        let word = word.to_ascii_lowercase();
        let host = match word.split_once("://") {
            Some((_, rest)) => rest,
            None if word.starts_with("www.") => &word,
            None => word.split_once('@')?.1,
        };
        let host = host.split(['/', '?', '#', ':', ',']).next()?.trim_matches('.');
        let host = host.strip_prefix("www.").unwrap_or(host);
        (host.contains('.') && host.len() > 3).then(|| host.to_owned())
    })
}

fn split_lines(block: &str) -> impl Iterator<Item = &str> {
    block.split(['\n', '\r']).map(str::trim).filter(|line| !line.is_empty())
}
