"""Reference implementations of signatures of rare terms, of their comparison, and of the start of a body."""

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, log
from typing import Any

from reference.hashes import hash_word
from reference.terms import count_words


def is_term(word: str, documents: int, *, min_documents: int = 5, kind: str = "alphabetic", letters: int = 3) -> bool:
    wanted = {"alphabetic": "LM", "alphanumeric": "LMN", "all": "LMNPSZC"}[kind]
    return (
        documents >= min_documents
        and len(word) >= letters
        and all(unicodedata.category(character)[0] in wanted for character in word)
    )


def normalised_idf(documents: int, document_count: int) -> float:
    return log((documents + 0.5) / document_count) / log(documents + 1)


@dataclass(frozen=True)
class Signature:
    vector: frozenset[tuple[str, Any]]
    terms: int
    length: int
    key: bytes
    numerals: frozenset[str]
    numeral_count: int


def sign_all(texts: Sequence[Sequence[str]], settings: dict[str, Any]) -> list[Signature]:
    counts = {word: documents for word, (documents, _) in count_words(texts).items()}
    ranked = sorted(
        (word for word in counts if is_term(word, counts[word])), key=lambda word: (counts[word], word.encode())
    )
    idf = {word: normalised_idf(len(texts), counts[word]) for word in ranked}
    return [sign(words, {word: rank for rank, word in enumerate(ranked)}, idf, settings) for words in texts]


def sign(words: Sequence[str], ranks: dict[str, int], idf: dict[str, float], settings: dict[str, Any]) -> Signature:
    size = settings["terms"]
    known = sorted(set(words) & set(ranks), key=lambda word: ranks[word])
    vector: list[tuple[str, Any]] = [("term", word) for word in known[:size]]
    terms = len(vector)
    if settings["short"] == "own":
        own = sorted({hash_word(word) for word in words if word not in ranks})
        vector += [("own", value) for value in own[: size - terms]]
        terms = len(vector)
    else:
        vector += [("pad", number) for number in range(size - terms)]
    numerals = [word for word in words if word and all(unicodedata.category(c)[0] == "N" for c in word)]
    fewest = sorted(set(numerals), key=lambda word: hash_word(word) >> 33)[:size]
    key = make_key(words, [word for word in known if idf[word] <= settings["max_idf"]][:6], settings["bins"])
    return Signature(frozenset(vector), terms, len(words), key, frozenset(fewest), len(numerals))


def make_key(words: Sequence[str], terms: Sequence[str], bins: int) -> bytes:
    if not terms:
        return hashlib.sha1("".join(f"{word}\x1f" for word in words).encode()).digest()
    positions = [list(words).index(term) for term in terms]
    offsets = [position - min(positions) for position in positions]
    binned = [ceil(offset / bins) * bins if bins else offset for offset in offsets]
    content = "".join(f"{term}\x1f{offset}\x1e" for term, offset in zip(terms, binned, strict=True))
    return hashlib.sha1(content.encode()).digest()


def judge(a: Signature, b: Signature, days: tuple[Any, Any], settings: dict[str, Any]) -> tuple[float, str | None]:
    """Return the share of common terms, and the reason for the link; None if there is no link."""
    longer = max(len(a.vector), len(b.vector))
    share = Fraction(len(a.vector & b.vector), longer) if longer else Fraction(0)
    threshold = Fraction(str(settings["threshold"]))

    def alike(tolerance: float) -> bool:
        return min(a.length, b.length) >= (1 - Fraction(str(tolerance))) * max(a.length, b.length)

    ground = None
    if min(a.terms, b.terms) < max(settings["reliable"], 1) or share < threshold or not share:
        return float(share), None
    if a.key == b.key and share == 1 and alike(0.02 if settings["bins"] > 1 else 0):
        ground = "identical"
    elif alike(settings["length_tolerance"]) and published_near(*days, settings["days"]):
        ground = "terms"
    numeric = any(each.numeral_count * 100 > each.length * 30 for each in (a, b))
    if settings["numeric_guard"] and numeric:
        most = max(len(a.numerals), len(b.numerals))
        if len(a.numerals & b.numerals) < threshold * most:
            return float(share), None
    return float(share), ground


def published_near(a: set[int] | None, b: set[int] | None, days: int) -> bool:
    """Whether copies of two texts were published at most `days` apart; None if the days are unknown."""
    return a is None or b is None or any(abs(one - other) <= days for one in a for other in b)


FIELD = re.compile(r"[^\W\d_][\w\- ]{0,29}:(\s|$)")


def find_body(text: str) -> str:
    """Return a text without fields and headings, if that is more than half of the words."""
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)
    rest = drop_fields(lines)
    for _ in range(4):
        shorter = drop_heading(rest)
        if shorter == rest:
            break
        rest = shorter
    body = "".join(rest)
    header = text[: len(text) - len(body)]
    return body if len(body.split()) > len(header.split()) else text


def drop_fields(lines: list[str]) -> list[str]:
    count = fields = 0
    for line in lines:
        if not line.strip():
            if fields:
                break
        elif FIELD.match(line) and len(line.split(":")[0].split()) <= 3:
            fields += 1
        elif not fields or line[0] not in " \t":
            return lines
        count += 1
    return lines[count:] if fields > 1 else lines


def drop_heading(lines: list[str]) -> list[str]:
    start = next((index for index, line in enumerate(lines) if line.strip()), len(lines))
    top = lines[start:]
    if len(top) > 1 and is_shouted(top[0]) and is_heading(top[0]):
        return top[1:]
    blank = next((index for index, line in enumerate(top) if not line.strip()), None)
    if blank is None or not 1 <= blank <= 3 or not is_heading("".join(top[:blank])):
        return lines
    return top[blank + 1 :]


def is_heading(lines: str) -> bool:
    return len(lines.split()) <= 25 and not re.search(r"[.!?…:;,。！？][\s\"'”’»)\]]*$", lines)


def is_shouted(line: str) -> bool:
    return sum(map(str.isupper, line)) > 1 and not any(map(str.islower, line))
