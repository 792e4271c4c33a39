//! The terms of a short text: numbers, links, addresses, tags and Chinese words count as one term each.
//!
//! The tokeniser's words are taken as they are, with two exceptions: words that are written together without a blank
//! and mean one thing are one term (`compounds`), and runs of Han characters are segmented
//! ([`crate::text::characters::han`]). In other scripts without spaces each character is a term, and so is each emoji.
//! A term that is one token has the token's hash; any other has the hash of its spelling, so that a term has the same
//! hash everywhere.

mod compounds;

use crate::support::hash;
use crate::text::characters::han;
use crate::text::collection::{Collection, Reader};
use crate::text::words::tokens::folded_word;

/// A term as it was found.
#[derive(Clone, Copy, Debug)]
pub enum Found<'a> {
    /// A token of the text, not folded yet.
    Word(&'a str),
    /// A term in its final spelling.
    Spelled(&'a str),
}

impl Found<'_> {
    /// The spelling that identifies the term.
    pub fn spelling(self) -> String {
        match self {
            Self::Word(word) => folded_word(word),
            Self::Spelled(term) => term.to_owned(),
        }
    }
}

/// Scratch space of one thread.
#[derive(Default)]
pub struct TermReader {
    reader: Reader,
    spelled: String,
}

impl TermReader {
    /// Calls `emit` with the hash and the form of each term of a document, in reading order.
    pub fn read(&mut self, collection: &Collection, document: usize, mut emit: impl FnMut(u64, Found)) {
        let prepared = collection.read(document, &mut self.reader);
        let (text, tokens) = (&*prepared.text, &self.reader.tokens);
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < tokens.len() {
            let (start, end) = (tokens.starts[at] as usize, tokens.ends[at] as usize);
            let next = tokens.starts.get(at + 1).map_or(bytes.len(), |&next| next as usize);
            if bytes[start] >= 0xe2 && han::begins_with_han(&text[start..end]) {
                let last = end_of_han(text, &tokens.starts, &tokens.ends, at);
                let run = &text[start..tokens.ends[last] as usize];
                han::words(run, |word| emit(hash::word(word.as_bytes()), Found::Spelled(word)));
                at = last + 1;
                continue;
            }
            if (compounds::joined(&bytes[end..next]) || compounds::marked(bytes, start))
                && let Some(stop) = compounds::read(bytes, start, end, &mut self.spelled)
            {
                emit(hash::word(self.spelled.as_bytes()), Found::Spelled(&self.spelled));
                while at < tokens.len() && (tokens.starts[at] as usize) < stop {
                    at += 1;
                }
                continue;
            }
            emit(tokens.hashes[at], Found::Word(&text[start..end]));
            at += 1;
        }
    }
}

/// The last token of the run of Han characters that begins with the token `at`.
fn end_of_han(text: &str, starts: &[u32], ends: &[u32], at: usize) -> usize {
    let mut last = at;
    while last + 1 < starts.len()
        && starts[last + 1] == ends[last]
        && han::begins_with_han(&text[starts[last + 1] as usize..ends[last + 1] as usize])
    {
        last += 1;
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::normaliser::{Boilerplate, Form, Markup, Normaliser};

    fn terms(text: &str) -> Vec<String> {
        let texts = [text];
        let normaliser = Normaliser { form: Form::Nfc, markup: Markup::Plain, boilerplate: Boilerplate::Keep };
        let mut found = Vec::new();
        TermReader::default().read(&Collection::new(&texts, &[], normaliser), 0, |hash, term| {
            let spelling = term.spelling();
            assert_eq!(hash, hash::word(spelling.as_bytes()), "{spelling}");
            found.push(spelling);
        });
        found
    }

    #[test]
    fn words_are_terms() {
        assert_eq!(terms("Go until Jurong point, CRAZY.."), ["go", "until", "jurong", "point", "crazy"]);
        assert_eq!(terms("well-known and/or"), ["well", "known", "and", "or"]);
        assert_eq!(terms(""), Vec::<String>::new());
        assert_eq!(terms("?!"), ["?!"]);
        assert_eq!(terms("Ελλάδα тест"), ["ελλάδα", "тест"]);
    }

    #[test]
    fn links_and_addresses_are_one_term() {
        assert_eq!(terms("see https://www.Example.com/a?b=1, now"), ["see", "//example.com/a?b=1", "now"]);
        assert_eq!(terms("visit www.tc-biz.co.uk."), ["visit", "//tc-biz.co.uk"]);
        assert_eq!(terms("go to bit.ly/Ab3 ok"), ["go", "to", "//bit.ly/ab3", "ok"]);
        assert_eq!(terms("mail John.Smith@Mail.example.org!"), ["mail", "john.smith@mail.example.org"]);
        assert_eq!(terms("访问www.abc.com领取"), ["访问", "//abc.com", "领取"]);
        assert_eq!(terms("end.of sentence.So what"), ["end", "of", "sentence", "so", "what"]);
    }

    #[test]
    fn numbers_are_one_term() {
        assert_eq!(
            terms("at 12:30 on 21/05/2005 for £1,000.50 -50%"),
            ["at", "12:30", "on", "21/05/2005", "for", "1000.50", "50"]
        );
        assert_eq!(terms("1,2,3 and 7."), ["1,2,3", "and", "7"]);
        assert_eq!(terms("call 08452810075over18's"), ["call", "08452810075over18s"]);
    }

    #[test]
    fn short_forms_and_tags_are_one_term() {
        assert_eq!(terms("U.S.A. and e.g. don't it’s l'homme"), ["usa", "and", "eg", "dont", "its", "l", "homme"]);
        assert_eq!(terms("#Win a @friend, a#b @ 5 #7"), ["#win", "a", "@friend", "a", "b", "5", "7"]);
    }

    #[test]
    fn chinese_is_segmented_and_mixed_with_the_rest() {
        assert_eq!(terms("新年快乐!我在北京ok吗"), ["新年快乐", "我", "在", "北京", "ok", "吗"]);
        assert_eq!(terms("か北京😀😀"), ["か", "北京", "😀", "😀"]);
    }
}
