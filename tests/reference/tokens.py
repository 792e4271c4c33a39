"""The reference implementation of the tokeniser: words by regular expression, folding by the standard library."""

import unicodedata

import regex

SCRIPTS = ("Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar")
SPACELESS = "[" + "".join(rf"\p{{Script={name}}}" for name in SCRIPTS) + "]"
LETTER = r"[\p{Alphabetic}\p{M}\p{Nd}_]"
EMOJI = r"[[\p{Emoji}&&[\u2191-\U0010ffff]]--[\U0001f3fb-\U0001f3ff]]"
TOKEN = regex.compile(
    rf"""(?V1x)
    (?: [{LETTER}&&{SPACELESS}] | [{EMOJI}--{LETTER}] ) [\p{{M}}--{SPACELESS}]*   # one character and its marks
    | [{LETTER}--{SPACELESS}]+                                                    # or a sequence
    """
)
SINGLE = regex.compile(rf"(?V1)[{LETTER}&&{SPACELESS}]|[{EMOJI}--{LETTER}]")
BLANK = r"[\p{White_Space}\p{Cc}]"
WHOLE = regex.compile(rf"(?V1s){BLANK}*(.*?){BLANK}*")
SILENT = regex.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
# Simple foldings that Unicode 15.1 added, which the standard library of Python 3.11 does not contain.
LATER_FOLDINGS = {"\u1fd3": "\u0390", "\u1fe3": "\u03b0", "\ufb05": "\ufb06"}


def repair(text: str) -> str:
    """Replace each lone surrogate, which UTF-8 cannot encode, by the replacement character."""
    return "".join("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in text)


def normalise(text: str, form: str = "nfc") -> str:
    return unicodedata.normalize(form.upper(), repair(text))


def find_spans(text: str) -> list[tuple[int, int]]:
    """Find the tokens of a text in normal form: starts and ends in code points."""
    spans = [found.span() for found in TOKEN.finditer(text)]
    if spans:
        return spans
    start, end = WHOLE.fullmatch(text).span(1)
    return [(start, end)] if start < end else []


def fold(word: str) -> str:
    return SILENT.sub("", "".join(map(fold_character, word)))


def fold_character(character: str) -> str:
    """Fold a character to one character; if full folding gives several, to its lower-case letter."""
    if character in LATER_FOLDINGS:
        return LATER_FOLDINGS[character]
    full = character.casefold()
    if len(full) == 1:
        return full
    lower = character.lower()
    return lower if len(lower) == 1 else character


def read_words(text: str, form: str = "nfc") -> list[str]:
    """Return the folded words of a raw text."""
    text = normalise(text, form)
    return [fold(text[start:end]) for start, end in find_spans(text)]


def spell(text: str, form: str = "nfc") -> list[str]:
    """Return the folded characters of the words of a text, with a space between words in scripts that use spaces."""
    text = normalise(text, form)
    words = [text[start:end] for start, end in find_spans(text)]
    characters: list[str] = []
    for last, word in zip(["", *words], words, strict=False):
        if last and not SINGLE.match(last) and not SINGLE.match(word):
            characters.append(" ")
        characters.extend(fold(word))
    return characters


def read_units(text: str, unit: str, form: str = "nfc") -> list[str]:
    return read_words(text, form) if unit == "word" else spell(text, form)
