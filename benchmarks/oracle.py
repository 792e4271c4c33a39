"""Compute the exact answer in a slow and obvious way.

Nothing here is shared with neardup. Words come from the `regex` module. A shingle is the integer that numpy's `unique`
gives to equal rows of words, so there are no hash collisions. Candidates come from a prefix filter: two sets of Jaccard
t or more share one of their |x| - ceil(t|x|) + 1 rarest shingles. Every candidate is decided by intersecting two Python
sets and comparing integers. It takes about a minute and 2 GB for 80 MB of text.
"""

from __future__ import annotations

import math
import unicodedata
from array import array
from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import regex
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

WORD = r"[\p{Alphabetic}\p{M}\p{Nd}_]"
SPACELESS = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
EMOJI = r"[\p{Emoji}--[\u0000-\u2190\U0001f3fb-\U0001f3ff]]"
SINGLE = rf"[[{WORD}&&{SPACELESS}]||{EMOJI}]"
TOKEN = regex.compile(rf"{SINGLE}[\p{{M}}--{SPACELESS}]*|[{WORD}--{SPACELESS}]+", regex.V1)
SELECTORS = dict.fromkeys((*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))  # ignored in words
PADDING = 0  # the word that pads a text shorter than a shingle
WORDLESS = -1  # the text number of documents without words, which are not compared


class SimpleFolding(dict[int, int]):
    """The simple case folding of each code point, as a table for `str.translate`."""

    def __missing__(self, point: int) -> int:
        forms = [form for form in (chr(point).casefold(), chr(point).lower()) if len(form) == 1]
        self[point] = ord(forms[0]) if forms else point
        return self[point]


FOLDING = SimpleFolding()


def tokens(text: str) -> list[str]:
    """Return the folded words of a text; each emoji and each character of a script without spaces is a word."""
    if text.isascii():
        found = TOKEN.findall(text.lower())
    else:
        composed = unicodedata.normalize("NFC", text)
        found = [word.translate(SELECTORS) for word in TOKEN.findall(composed.translate(FOLDING))]
    whole = text.strip()
    return found or ([whole] if whole else [])


@dataclass(frozen=True)
class Truth:
    """The exact answer: the distinct text of each document, the pairs of distinct texts, and their components."""

    distinct: NDArray[np.int64]
    pairs: NDArray[np.int64]
    similarities: NDArray[np.float64]
    labels: NDArray[np.int64]

    def save(self, path: Path) -> None:
        """Write the answer to a temporary file and rename it, so that an interrupted run leaves no partial answer."""
        np.savez_compressed(path.with_suffix(".tmp.npz"), **asdict(self))
        path.with_suffix(".tmp.npz").replace(path)

    @classmethod
    def load(cls, path: Path) -> Truth:
        """Read a saved answer."""
        with np.load(path) as arrays:
            return cls(**arrays)


def solve(texts: list[str], threshold: str, shingle: int) -> Truth:
    """Find all pairs of texts whose sets of word shingles have a Jaccard similarity of at least `threshold`."""
    distinct, words, starts = collapse_identical(texts, shingle)
    sets = number_shingles(words, starts, shingle)
    pairs, similarities = join(sets, Fraction(threshold))
    return Truth(distinct, pairs, similarities, components(distinct, pairs))


def collapse_identical(texts: list[str], shingle: int) -> tuple[NDArray[np.int64], NDArray[np.int64], list[int]]:
    """Number the distinct word sequences; return the number of each text, all their words, and their starts."""
    vocabulary: dict[str, int] = {}
    seen: dict[bytes, int] = {}
    distinct, words, starts = [], array("q"), [0]
    for text in texts:
        row = array("q", [vocabulary.setdefault(token, len(vocabulary) + 1) for token in tokens(text)])
        number = seen.setdefault(row.tobytes(), len(starts) - 1) if row else WORDLESS
        distinct.append(number)
        if number == len(starts) - 1:
            words.extend(row)
            words.extend([PADDING] * (shingle - len(row)))
            starts.append(len(words))
    return np.array(distinct), np.frombuffer(words, dtype=np.int64), starts


def number_shingles(words: NDArray[np.int64], starts: list[int], shingle: int) -> list[NDArray[np.int64]]:
    """Return the shingle set of each distinct text, rarest first; equal shingles have equal numbers."""
    grams = words
    for further in range(1, shingle):
        paired = grams[:-1] * (words.max() + 1) + words[further:]
        grams = np.unique(paired, return_inverse=True)[1]
    sets = [np.unique(grams[start : end - shingle + 1]) for start, end in pairwise(starts)]
    frequency = np.bincount(np.concatenate(sets))
    rarity = np.empty_like(frequency)
    rarity[np.argsort(frequency, kind="stable")] = np.arange(len(frequency))
    return [np.sort(rarity[numbers]) for numbers in sets]


def join(sets: list[NDArray[np.int64]], threshold: Fraction) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the pairs of sets, by number, with at least the threshold's similarity, and their similarities."""
    postings: dict[int, list[int]] = {}
    as_sets: dict[int, frozenset[int]] = {}
    found: list[tuple[int, int]] = []
    similarities: list[float] = []
    for large in sorted(range(len(sets)), key=lambda number: len(sets[number])):
        size = len(sets[large])
        smallest = math.ceil(threshold * size)
        candidates = set()
        for gram in sets[large][: size - smallest + 1].tolist():
            posting = postings.setdefault(gram, [])
            candidates.update(small for small in posting if len(sets[small]) >= smallest)
            posting.append(large)
        for number in candidates | {large} if candidates else ():
            as_sets.setdefault(number, frozenset(sets[number].tolist()))
        for small in candidates:
            shared = len(as_sets[small] & as_sets[large])
            union = size + len(sets[small]) - shared
            if shared >= threshold * union:
                found.append((min(small, large), max(small, large)))
                similarities.append(shared / union)
    return np.array(found, dtype=np.int64).reshape(-1, 2), np.array(similarities)


def components(distinct: NDArray[np.int64], pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return one label per document, by connected component; a document without words is a component of its own."""
    count = int(distinct.max(initial=WORDLESS)) + 1
    graph = coo_array((np.ones(len(pairs), dtype=bool), (pairs[:, 0], pairs[:, 1])), shape=(count, count))
    number, of_distinct = connected_components(graph, directed=False)
    labels = number + np.arange(len(distinct))
    labels[distinct != WORDLESS] = of_distinct[distinct[distinct != WORDLESS]]
    return labels
