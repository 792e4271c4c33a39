//! From the raw text to the text that is compared, with a map back to the original.
//!
//! Most texts are compared as they are. Markup is removed if there is any, and a text that is not in the wanted Unicode
//! normal form is rebuilt. Both steps keep a map from each rebuilt piece to its offset in the original.

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization, is_nfc, is_nfkc};

use crate::text::markup;
use crate::text::rebuilt::Rebuilt;
use crate::text::words::tokens::Tokens;

/// The Unicode normal form in which texts are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Canonical composition: the same characters, one spelling.
    Nfc,
    /// Compatibility composition: also full-width letters, ligatures and the like.
    Nfkc,
}

/// Which texts are HTML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Markup {
    /// Those that begin with a doctype or `<html`, and those that are marked as such.
    Auto,
    /// The same; and in all other texts, pieces of markup are decoded: `<br/>`, `&#39;`, escaped line ends.
    Fragments,
    /// All.
    Html,
    /// None.
    Plain,
}

/// What to do with the boilerplate of a web page: navigation, menus, banners, footers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Boilerplate {
    /// Keep it.
    #[default]
    Keep,
    /// Drop it.
    Drop,
}

/// How raw text becomes comparable text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Normaliser {
    /// The normal form.
    pub form: Form,
    /// Where markup is expected.
    pub markup: Markup,
    /// What to do with boilerplate.
    pub boilerplate: Boilerplate,
}

/// The text that is compared: the original, or rebuilt from it in one or two steps.
pub struct Prepared<'a> {
    /// The comparable text.
    pub text: Cow<'a, str>,
    steps: Vec<Rebuilt>,
}

impl Prepared<'_> {
    /// The byte span in the original of a byte span in the comparable text.
    pub fn original_span(&self, start: usize, end: usize) -> (usize, usize) {
        self.steps
            .iter()
            .rev()
            .fold((start, end), |(start, end), step| (step.source_of_start(start), step.source_of_end(end)))
    }
}

impl Normaliser {
    /// Prepares a text and reads its tokens; `is_html` marks a page that its text does not identify as one.
    pub fn read<'a>(&self, raw: &'a str, is_html: bool, tokens: &mut Tokens) -> Prepared<'a> {
        let mut prepared = Prepared { text: Cow::Borrowed(raw), steps: Vec::new() };
        if let Some(stripped) = self.strip(&prepared.text, is_html) {
            prepared.text = Cow::Owned(stripped.text.clone());
            prepared.steps.push(stripped);
        }
        tokens.read(&prepared.text);
        let settled = match self.form {
            Form::Nfc => !tokens.unsettled || is_nfc(&prepared.text),
            Form::Nfkc => prepared.text.is_ascii() || is_nfkc(&prepared.text),
        };
        if !settled {
            let rebuilt = normalise(&prepared.text, self.form);
            prepared.text = Cow::Owned(rebuilt.text.clone());
            prepared.steps.push(rebuilt);
            tokens.read(&prepared.text);
        }
        prepared
    }

    /// The text without its markup, if it has any.
    fn strip(&self, text: &str, is_html: bool) -> Option<Rebuilt> {
        let is_page = match self.markup {
            Markup::Plain => return None,
            Markup::Html => true,
            Markup::Auto | Markup::Fragments => is_html || markup::looks_like_html(text),
        };
        match self.boilerplate {
            _ if !is_page && self.markup == Markup::Auto => None,
            _ if !is_page => markup::decode_fragments(text),
            Boilerplate::Drop => Some(markup::strip_boilerplate(text)),
            Boilerplate::Keep => Some(markup::strip(text)),
        }
    }
}

/// Rebuilds a text in a normal form, sequence by sequence, so that every piece has its source.
fn normalise(text: &str, form: Form) -> Rebuilt {
    let mut rebuilt = Rebuilt::default();
    let mut start = 0;
    for (offset, character) in text.char_indices() {
        if offset > start && is_safe_start(character, form) {
            push_normal(&mut rebuilt, text, start, offset, form);
            start = offset;
        }
    }
    push_normal(&mut rebuilt, text, start, text.len(), form);
    rebuilt
}

fn push_normal(rebuilt: &mut Rebuilt, text: &str, start: usize, end: usize, form: Form) {
    let piece = &text[start..end];
    let normal: String = match form {
        Form::Nfc => piece.nfc().collect(),
        Form::Nfkc => piece.nfkc().collect(),
    };
    if normal == piece { rebuilt.copy(start, piece) } else { rebuilt.replace(start, end, &normal) }
}

/// Whether a character neither composes with nor is reordered before the character in front of it.
fn is_safe_start(character: char, form: Form) -> bool {
    use unicode_normalization::char::canonical_combining_class;
    use unicode_normalization::{IsNormalized, is_nfc_quick};
    let composes = |character: char| is_nfc_quick(std::iter::once(character)) == IsNormalized::Maybe;
    let first = match form {
        Form::Nfc => character.nfd().next(),
        Form::Nfkc => character.nfkd().next(),
    };
    canonical_combining_class(character) == 0
        && !composes(character)
        && first.is_none_or(|first| canonical_combining_class(first) == 0 && !composes(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str, form: Form) -> (Vec<u64>, Vec<String>) {
        let normaliser = Normaliser { form, markup: Markup::Plain, boilerplate: Boilerplate::Keep };
        let mut tokens = Tokens::default();
        let prepared = normaliser.read(text, false, &mut tokens);
        let originals = tokens
            .starts
            .iter()
            .zip(&tokens.ends)
            .map(|(&s, &e)| {
                let (start, end) = prepared.original_span(s as usize, e as usize);
                text[start..end].to_owned()
            })
            .collect();
        (tokens.hashes, originals)
    }

    #[test]
    fn decomposed_text_equals_composed_text_and_maps_back() {
        let (composed, _) = words("caf\u{e9} e\u{302}tre 가", Form::Nfc);
        let (decomposed, originals) = words("cafe\u{301} \u{ea}tre \u{1100}\u{1161}", Form::Nfc);
        assert_eq!(composed, decomposed);
        assert_eq!(originals, ["cafe\u{301}", "\u{ea}tre", "\u{1100}\u{1161}"]);
    }

    #[test]
    fn compatibility_forms_fold_under_nfkc() {
        let (wide, originals) = words("ＡＢＣ ﬁne ①", Form::Nfkc);
        let (plain, _) = words("abc fine 1", Form::Nfkc);
        assert_eq!(wide, plain);
        assert_eq!(originals, ["ＡＢＣ", "ﬁne", "①"]);
        assert_eq!(words("\u{3131}\u{314f}", Form::Nfkc).0, words("\u{ac00}", Form::Nfkc).0);
        assert_ne!(words("ＡＢＣ", Form::Nfc).0, words("abc", Form::Nfc).0);
    }

    #[test]
    fn rebuilding_equals_normalising_the_whole_text() {
        let text = "a\u{327}\u{301}b \u{3b1}\u{345} q\u{323}\u{307} \u{1112}\u{1161}\u{11ab} ﬀ x\u{338}=\u{338}";
        for form in [Form::Nfc, Form::Nfkc] {
            let whole: String = if form == Form::Nfc { text.nfc().collect() } else { text.nfkc().collect() };
            assert_eq!(normalise(text, form).text, whole);
        }
    }
}
