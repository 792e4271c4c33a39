//! What the parts of a letter say: who writes, to whom, about what, through whom.

use super::lines::{after, after_any};
use super::quotes::header_field;
use super::shapes::is_address;
use super::{Kind, Letter, closings};

/// The value of a mail header that stands in the letter, such as `from` or `subject`.
pub fn header_value<'a>(text: &'a str, letter: &Letter, name: &str) -> Option<&'a str> {
    let lines = letter.texts(text, Kind::Header).flat_map(split_lines);
    let mut values = lines.filter_map(|line| header_field(line).filter(|field| field.0.eq_ignore_ascii_case(name)));
    values.next().map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
}

/// The name under the closing; failing that, the sender of the mail header.
pub fn sender_name<'a>(text: &'a str, letter: &Letter) -> Option<&'a str> {
    let signed = letter.texts(text, Kind::Signature).find_map(|block| {
        split_lines(block).find_map(|line| {
            let name = if closings::closing(line).is_some() { closings::after_closing(line)? } else { line };
            let name = without_titles(name.trim_matches(|c: char| !c.is_alphanumeric() && c != '.'));
            (!name.is_empty() && !is_address(name)).then_some(name)
        })
    });
    signed.or_else(|| header_value(text, letter, "from"))
}

/// Cuts "John Doe, Lakewood OH" behind the name; "Jr." and degrees stay.
fn without_titles(name: &str) -> &str {
    let Some((first, rest)) = name.split_once(',') else { return name };
    let degree = rest.trim_start().split([',', ' ']).next().unwrap_or_default();
    let short = (2..=5).contains(&degree.len()) && degree.bytes().filter(u8::is_ascii_uppercase).count() > 0;
    let titled = short
        && (degree.ends_with("r.")
            || degree.ends_with("r")
            || degree.bytes().filter(u8::is_ascii_uppercase).count() > 1);
    if titled { name } else { first.trim_end() }
}

/// Who is greeted; failing that, the receiver of the mail header.
pub fn receiver_name<'a>(text: &'a str, letter: &Letter) -> Option<&'a str> {
    let greeted = letter.texts(text, Kind::Salutation).next().and_then(|greeting| {
        let greeting = greeting.trim();
        let openers = [
            "dear",
            "dearest",
            "hello",
            "hi",
            "good morning",
            "good afternoon",
            "good evening",
            "good day",
            "attention:",
            "attn:",
            "to",
        ];
        let name =
            if after(greeting, "to whom").is_some() { "" } else { after_any(greeting, &openers).unwrap_or(greeting) };
        let name = name
            .trim_matches(|c: char| !c.is_alphanumeric() && c != '.')
            .trim_end_matches(|c: char| !c.is_alphanumeric());
        (!name.is_empty()).then_some(name)
    });
    greeted.or_else(|| header_value(text, letter, "to"))
}

/// What the letter says that it is about, in a mail header or a line "Re:" or "Subject:".
pub fn topic<'a>(text: &'a str, letter: &Letter) -> Option<&'a str> {
    let mut lines = letter.texts(text, Kind::Subject).flat_map(split_lines);
    let named = header_value(text, letter, "subject").or_else(|| lines.next())?;
    let mut topic = named;
    while let Some(rest) =
        after_any(topic, &["re:", "fw:", "fwd:", "subject:", "regarding:", "subj:", "ref:", "reference:"])
    {
        topic = rest.trim_start();
    }
    (!topic.is_empty()).then_some(topic)
}

/// The organisation that relayed the letter, as its footer says: on whose behalf, by whom, or the domain it names.
pub fn relayer(text: &str, letter: &Letter) -> Option<String> {
    let footers = || letter.texts(text, Kind::Footer);
    let named = [
        "on behalf of ",
        "sent by ",
        "submitted by ",
        "sent via ",
        "submitted via ",
        "submitted through ",
        "powered by ",
    ]
    .iter()
    .find_map(|phrase| footers().find_map(|footer| name_after(footer, phrase)));
    named.or_else(|| footers().find_map(domain))
}

fn name_after(footer: &str, phrase: &str) -> Option<String> {
    let folded = footer.to_ascii_lowercase();
    let start = folded.find(phrase)? + phrase.len();
    let rest = &footer[start..];
    let rest = after(rest, "the").unwrap_or(rest);
    let end = rest.find([',', ';', '(', '\n', '\r', '!']).unwrap_or(rest.len());
    let end = sentence_end(&rest[..end]);
    let words: Vec<&str> = rest[..end]
        .split_whitespace()
        .take_while(|word| !matches!(*word, "on" | "at" | "via" | "from" | "to"))
        .take(8)
        .collect();
    let name = words.join(" ");
    (!name.is_empty()).then_some(name)
}

fn sentence_end(phrase: &str) -> usize {
    let stop = phrase.match_indices('.').map(|(at, _)| at).find(|&at| {
        let next = phrase[at + 1..].chars().next();
        next.is_none_or(char::is_whitespace)
    });
    stop.unwrap_or(phrase.len())
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
