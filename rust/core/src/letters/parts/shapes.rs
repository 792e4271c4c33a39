//! The shape of a line: a sentence, a name, an address, a date.

use super::lines::{after, after_any, has_word, is_one_of, tokens, words};
use super::vocabulary::{CALENDAR, NO_NAMES, PARTICLES, STATE_NAMES, STATES, STREETS, TALK};

/// Whether a short line is a sentence, and not a name, title or address.
pub(super) fn is_sentence(line: &str) -> bool {
    let count = words(line, 12);
    if count > 10 {
        return true;
    }
    if count < 4 {
        return false;
    }
    let ends = line.trim_end_matches(['"', '\'', ')', '”', '’', ' ']).ends_with(['.', '!', '?']);
    let starts_small = line.starts_with(char::is_lowercase)
        && !line.contains('@')
        && !line.contains("://")
        && after(line, "a").or_else(|| after(line, "an")).is_none();
    count >= 5 && ends && !is_address(line) || starts_small || talks(line)
}

/// Whether a word of ordinary speech occurs; in capitals ("IT", "US") only if the whole line is.
fn talks(line: &str) -> bool {
    let shouted = !line.bytes().any(|byte| byte.is_ascii_lowercase());
    let spoken = |word: &str| word.len() == 1 || shouted || word.bytes().any(|byte| byte.is_ascii_lowercase());
    tokens(line).any(|word| spoken(word) && is_one_of(word, TALK))
}

/// Whether a line can be part of a signature.
pub(super) fn is_signature_like(line: &str) -> bool {
    !is_sentence(line) && !is_postscript(line)
}

/// Whether a line begins a postscript, which is text.
pub(super) fn is_postscript(line: &str) -> bool {
    after_any(line, &["p.s.", "p.s", "ps:", "ps.", "ps -", "pps", "p.p.s", "n.b."]).is_some()
}

/// Whether all words of a phrase could be those of a person's name, title or place, up to a number of words.
pub(super) fn is_named(phrase: &str, most: usize) -> bool {
    let mut tokens = tokens(phrase).peekable();
    if tokens.peek().is_none_or(|first| is_one_of(first, NO_NAMES)) || words(phrase, most + 1) > most {
        return false;
    }
    let mut capitals = 0;
    for word in tokens {
        let capital = word.starts_with(char::is_uppercase);
        let number = word.starts_with(|c: char| c.is_ascii_digit());
        if !(capital || number || word.contains('@') || is_one_of(word, PARTICLES)) {
            return false;
        }
        capitals += usize::from(capital);
    }
    capitals > 0
}

/// Whether a line is the name of a person, as strictly as possible without a list of names.
pub(super) fn is_name(line: &str) -> bool {
    let plain = line.bytes().all(|byte| byte.is_ascii_alphabetic() || b" .,'-\t".contains(&byte) || byte >= 0x80);
    let open = !line.ends_with('.') || line.ends_with("r.") || line.ends_with("D.");
    let lower = line.bytes().any(|byte| byte.is_ascii_lowercase());
    plain && open && lower && (2..=5).contains(&words(line, 6)) && is_named(line, 5) && !has_word(line, TALK) && {
        !tokens(line).any(|word| is_one_of(word, NO_NAMES))
    }
}

/// Whether a line is part of a postal or electronic address.
pub(super) fn is_address(line: &str) -> bool {
    is_firm_address(line) || is_place(line)
}

/// Whether a line is almost certainly part of an address.
pub(super) fn is_firm_address(line: &str) -> bool {
    let count = words(line, 11);
    if count == 0 || count > 10 || line.ends_with(['!', '?']) {
        return false;
    }
    ends_in_zip(line) || is_street(line) || count <= 4 && is_contact(line)
}

/// City and state without a ZIP code, or the country: an address only next to other lines of one.
fn is_place(line: &str) -> bool {
    if words(line, 6) > 5 || line.ends_with(['.', '!', '?']) {
        return matches!(line, "U.S.A." | "Washington, D.C.");
    }
    let last = tokens(line).last().unwrap_or_default();
    let state = match last.len() {
        2 => STATES.contains(&last) && line.contains(','),
        _ => STATE_NAMES.contains(&last) && words(line, 2) > 1,
    };
    state
        || ["USA", "United States", "United States of America"].iter().any(|country| country.eq_ignore_ascii_case(line))
}

fn ends_in_zip(line: &str) -> bool {
    let line = line.strip_suffix(['.', ',']).unwrap_or(line);
    if !line.ends_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let Some((before, last)) = line.rsplit_once(|c: char| c.is_whitespace() || c == ',') else { return false };
    let (zip, extra) = last.split_once('-').unwrap_or((last, "0000"));
    let digits = |part: &str, length| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
    let before = before.trim_end_matches([' ', ',', '\t', '\u{a0}']);
    let state = tokens(before).last().unwrap_or_default();
    let named = STATES.iter().any(|code| code.eq_ignore_ascii_case(state)) || is_one_of(state, STATE_NAMES);
    digits(zip, 5) && digits(extra, 4) && (named || before.ends_with("D.C."))
}

fn is_street(line: &str) -> bool {
    let boxed = after_any(line, &["p.o. box", "p. o. box", "po box"]).is_some();
    if !boxed && !line.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let mut tokens = tokens(line);
    let number = tokens
        .next()
        .is_some_and(|word| word.len() <= 6 && word.bytes().take_while(u8::is_ascii_digit).count() * 2 > word.len());
    boxed || number && !line.ends_with(['.', ':']) && tokens.skip(1).any(|word| is_one_of(word, STREETS))
}

/// An e-mail address or a telephone number, perhaps with a word before it.
fn is_contact(line: &str) -> bool {
    let mail = line.split_whitespace().any(|word| {
        word.split_once('@').is_some_and(|(user, host)| !user.is_empty() && host.contains('.') && !host.contains('@'))
    });
    let digits = line.bytes().filter(u8::is_ascii_digit).count();
    let phone = (10..=15).contains(&digits) && line.bytes().filter(u8::is_ascii_alphabetic).count() <= 10;
    mail || phone && line.contains(['-', '.', ' ', '(', ')'])
}

/// Whether a line is a date and nothing else.
pub(super) fn is_date(line: &str) -> bool {
    if line.len() > 40 {
        return false;
    }
    let digits = line.bytes().filter(u8::is_ascii_digit).count();
    if !(3..=10).contains(&digits) || words(line, 6) > 5 || line.contains(':') {
        return false;
    }
    let marks = line.bytes().filter(|byte| b"/-.".contains(byte)).count();
    if line.bytes().all(|byte| byte.is_ascii_digit() || b"/-. ".contains(&byte)) {
        return digits >= 4 && marks == 2;
    }
    let numeral = |word: &str| {
        let ordinal = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        !ordinal.is_empty() && ordinal.bytes().all(|byte| byte.is_ascii_digit())
    };
    let year = |word: &str| word.len() == 4 && word.starts_with(['1', '2']) && numeral(word);
    tokens(line).all(|word| is_one_of(word, CALENDAR) || numeral(word))
        && tokens(line).any(year)
        && tokens(line).any(|word| is_one_of(word, CALENDAR))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hold(test: fn(&str) -> bool, yes: &[&str], no: &[&str]) {
        yes.iter().for_each(|line| assert!(test(line), "{line}"));
        no.iter().for_each(|line| assert!(!test(line), "{line}"));
    }

    #[test]
    fn addresses_are_recognised() {
        let firm = [
            "Lakewood, OH 44107",
            "Cincinnati, OH 45211-6624",
            "Woodland Hills, Ca. 91367",
            "Washington, D.C. 20528",
            "687 State Route 322, Orwell, OH 44076",
            "306 N. Sunset Drive",
            "P. O. Box 5411",
            "jun@cathod.example",
            "Phone: (415) 977-5673",
            "651-962-6650",
        ];
        hold(
            is_firm_address,
            &firm,
            &["Tucson, AZ", "I paid 44107", "100 people were on the street.", "a @ b", "2015"],
        );
        let places = ["Tucson, AZ", "Malibu, California", "Long Beach, New York", "United States"];
        hold(is_address, &places, &["Jerald", "AZ", "Ohio", "We live in Ohio."]);
    }

    #[test]
    fn names_and_sentences_are_distinguished() {
        let names = [
            "Ann Lee",
            "Mary A. Kindel",
            "Jim O'Brien",
            "Barbara Freund PhD, RN",
            "Francis A. Schlegel, Jr.",
            "José Núñez",
        ];
        hold(is_name, &names, &["Ann", "AMERICA FIRST", "Strong Support", "Stop It", "ann lee", "Ann Lee!", "Room 12"]);
        let sentences = ["Please do the right thing", "We all live by the river.", "and act for us all"];
        hold(
            is_sentence,
            &sentences,
            &["Professor of History", "Don Miller MS IT", "A friend of the river", "Kent, OH 44240"],
        );
    }

    #[test]
    fn dates_are_recognised() {
        let dates = [
            "8 November 2015",
            "Nov. 5, 2015",
            "Friday November 6 2015",
            "11/08/2015",
            "11-04-15",
            "October 23rd 2015",
        ];
        hold(
            is_date,
            &dates,
            &["2015", "November", "May 2", "2015-2016", "415-977-5673 x", "8:30", "May I come in 2015"],
        );
    }
}
