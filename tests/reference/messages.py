"""Reference implementations of terms, weights, degrees and fingerprints: regular expressions and fractions.

Chinese words and word classes are taken from the native module, which contains the dictionaries.
"""

import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import regex

from neardup import _core
from neardup.represent import ClassTable
from reference.tokens import find_spans, fold, normalise

DEFAULTS = {"direction": "inverse", "scale": "linear", "length": "off", "candidates": "prefix", "gram": 3}
PAPER = {"direction": "paper", "scale": "linear", "length": "characters", "candidates": "fingerprints"}
DOMAINS = (
    *("com", "org", "net", "edu", "gov", "info", "biz", "mobi", "cn", "uk", "de", "fr", "ru", "jp", "kr", "io", "ly"),
    *("tv", "cc", "eu", "nl", "pl", "br", "sg", "hk", "tw", "gl", "app", "dev", "xyz", "top", "club", "vip", "shop"),
)
JOINTS = {".", ",", ":", "/", "@", "-", "'", "+", "%", "://", "’"}
HAN = regex.compile(r"\p{Script=Han}")
ALPHABETIC = regex.compile(r"\p{Alphabetic}")
NAME = r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z][A-Za-z0-9-]*"


def read_terms(text: str, form: str = "nfc") -> list[str]:
    """Return the terms of a raw text in reading order."""
    text = normalise(text, form)
    spans = find_spans(text)
    found: list[str] = []
    at = 0
    while at < len(spans):
        start, end = spans[at]
        if HAN.match(text, start):
            while at + 1 < len(spans) and spans[at + 1][0] == spans[at][1] and HAN.match(text, spans[at + 1][0]):
                at += 1
            found += segment(text[start : spans[at][1]])
            at += 1
            continue
        following = spans[at + 1][0] if at + 1 < len(spans) else len(text)
        marked = re.search(r"(?<![A-Za-z0-9])[#@]$", text[max(start - 2, 0) : start]) is not None
        compound = read_compound(text, start, end, marked=marked) if marked or text[end:following] in JOINTS else None
        term, stop = compound or (fold(text[start:end]), end)
        found.append(term)
        while at < len(spans) and spans[at][0] < stop:
            at += 1
    return found


def segment(part: str) -> list[str]:
    return _core.Texts.from_strings([part], None, "nfc", "plain", 1).terms(0)


def read_compound(  # noqa: PLR0911 - one return for each kind of term
    text: str, start: int, end: int, *, marked: bool
) -> tuple[str, int] | None:
    """Return the term that begins with a token and the end of the term, if the term is longer than the token."""
    part = re.match(r"[!-~]{0,2048}", text[start:]).group()
    lower = part.lower()
    if found := re.match(r"(https?://|ftp://)(?=.)|(?=www\.)", lower):
        body = trim(lower[found.end() :])
        if re.search(r"[a-z0-9]", body):
            return spell_link(body), start + found.end() + len(body)
    if found := re.match(rf"[A-Za-z0-9._%+-]+@{NAME}", part):
        return found.group().lower(), start + found.end()
    if found := re.match(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+", lower):
        name, last = found.group(), found.group().rpartition(".")[2]
        path = lower[len(name) : len(name) + 1] == "/"
        if last[0].isalpha() and len(last) > 1 and (path or last in DOMAINS):
            link = max(trim(lower), name, key=len) if path else name
            return spell_link(link), start + len(link)
    if found := re.match(r"\d+(?![A-Za-z_\d])((?:[.,:/-]\d+(?![A-Za-z_\d]))+)", part, re.ASCII):
        return re.sub(r",(?=\d{3}(?!\d))", "", found.group()), start + found.end()
    if found := re.match(r"[A-Za-z](?:\.[A-Za-z])++\.?+(?![A-Za-z0-9])", part):
        return found.group().replace(".", "").lower(), start + found.end()
    word = text[start:end]
    if (found := re.match(r"['’](s|t|m|d|re|ve|ll)(?![A-Za-z0-9_\x80-\U0010ffff])", text[end:], re.IGNORECASE)) and (
        re.fullmatch(r"[A-Za-z0-9]{2,}|[iIuU]", word)
    ):
        return (word + found.group(1)).lower(), end + found.end()
    if marked and ALPHABETIC.match(word):
        return text[start - 1] + fold(word), end
    return None


def trim(part: str) -> str:
    return re.split(r'[<>"|\\^`]', part)[0].rstrip(".,;:!?)]}'*")


def spell_link(link: str) -> str:
    return "//" + link.removeprefix("www.").removesuffix("/")


def resolve(settings: dict[str, Any]) -> dict[str, Any]:
    """Return the settings with those that `paper` chooses."""
    return {**settings, **{name: value for name, value in PAPER.items() if settings.get("paper")}}


def weigh(texts: Sequence[Sequence[str]], settings: dict[str, Any]) -> dict[str, int]:
    """Weigh every term by equations 1 and 2, in ten thousandths."""
    settings = resolve(settings)
    counts = Counter(term for text in texts for term in set(text))
    terms = list(counts)
    if settings["scale"] == "equal":
        return dict.fromkeys(terms, 10_000)
    numbers = dict(zip(terms, _core.classify_terms(terms)[1].tolist(), strict=True))
    intervals = {name: (low, high) for name, low, high in ClassTable.own().intervals}
    scaled = {term: log_units(counts[term]) if settings["scale"] == "log" else counts[term] for term in terms}
    weights = {}
    for term in terms:
        low, high = intervals[_core.TERM_CLASSES[numbers[term]]]
        group = [scaled[other] for other in terms if numbers[other] == numbers[term]]
        width = max(group) - min(group)
        share = Fraction(scaled[term] - min(group), width) if width else Fraction(1, 2)
        share = share if settings["direction"] == "paper" else 1 - share
        exact = (low + (high - low) * share) * 10
        weights[term] = int(exact + Fraction(1, 2)) * count_length(term, settings["length"])
    return weights


def log_units(number: int) -> int:
    """Return the logarithm as the native module computes it: bit by bit, by squaring a mantissa of 31 bits."""
    whole = number.bit_length() - 1
    mantissa, bits = (number << 31) >> whole, 0
    for _ in range(16):
        mantissa = mantissa * mantissa >> 31
        bits = 2 * bits + (mantissa >> 32)
        mantissa >>= mantissa >> 32
    return (whole << 16) + bits


def count_length(term: str, length: str) -> int:
    characters = max(min(len(term), 255), 1)
    if length == "off":
        return 1
    if length == "characters":
        return characters
    return min(characters if HAN.match(term) else -(-characters // 3), 4)


def degree(a: set[str], b: set[str], weights: dict[str, int]) -> Fraction:
    """Return the duplicate degree by equation 4."""
    return Fraction(sum(weights[term] for term in a & b), sum(weights[term] for term in a | b))


def fingerprints(terms: Sequence[str], weights: dict[str, int], settings: dict[str, Any]) -> set[tuple[str, ...]]:
    """Return the n-grams of heavy terms by inequality 5, and the shorter ones of short texts."""
    settings, gram = resolve(settings), settings["gram"]
    ordered = sorted(set(terms), key=lambda term: (-weights[term], term.encode()))
    total, threshold = sum(weights[term] for term in ordered), Fraction(str(settings["threshold"]))
    sums = [Fraction(sum(weights[term] for term in ordered[: k + 1]), total) for k in range(len(ordered))]
    heavy = next((k + 1 for k, share in enumerate(sums) if share > threshold), len(ordered))
    thorough = not settings.get("paper")
    extra = settings.get("features")
    features = ordered[: heavy + (gram + 2 * thorough if extra is None else extra)]
    grams = {tuple(features[at : at + gram]) for at in range(max(len(features) - gram + 1, 1))}
    if thorough and len(ordered) <= gram + 1:
        grams |= set(combinations(ordered, max(min(gram, len(ordered)) - 1, 1)))
    return grams
