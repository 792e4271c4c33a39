"""Make the template of a campaign: the text of the reference copy, with slots where many members differ."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from neardup import _core
from neardup.stages import Numbers

SLOT = "{…}"
INSERTION = "{+}"
MAX_MEMBERS = 200
SHARE = 5
"""A word or gap becomes a slot if at least one in SHARE members differs there."""


@dataclass(frozen=True, slots=True)
class _Words:
    """The comparable text of a document, the offsets of its compared words, and their offsets in the original."""

    text: str
    starts: list[int]
    ends: list[int]
    originals: list[int]


def make_template(texts: _core.Texts, reference: int, members: Sequence[int] | Numbers, most: int = MAX_MEMBERS) -> str:
    """Return the compared text of the reference with slots where a fifth of the members differ.

    `{…}` replaces words that they changed or removed; `{+}` marks where they inserted something. At most `most` members
    are used, evenly spread over those given. The template is empty if no word is common.
    """
    sample = spread_evenly([int(member) for member in members if member != reference], most)
    words = _read_words(texts, reference)
    if not sample or words is None or not words.starts:
        return ""
    changed, inserted = _count_changes(texts, reference, sample, words.originals)
    open_words, open_gaps = changed * SHARE >= len(sample), inserted * SHARE >= len(sample)
    return "" if open_words.all() else _write(words, open_words.tolist(), open_gaps.tolist())


def spread_evenly(members: Sequence[int], most: int) -> list[int]:
    """Choose at most `most` members, evenly spread, beginning with the first."""
    count = min(len(members), most)
    return [members[index * len(members) // count] for index in range(count)]


def _count_changes(
    texts: _core.Texts, reference: int, sample: list[int], starts: list[int]
) -> tuple[np.ndarray, np.ndarray]:
    """Count the members that changed or removed each word, and those that inserted something before it."""
    changed, inserted = np.zeros(len(starts), np.int64), np.zeros(len(starts) + 1, np.int64)
    for member in sample:
        gaps = set()
        for kind, start, end, _, _ in texts.align(reference, member):
            first = bisect_left(starts, start)
            if kind in ("removed", "replaced"):
                changed[first : bisect_left(starts, end)] += 1
            elif kind == "added":
                gaps.add(first)
        inserted[list(gaps)] += 1
    return changed, inserted


def _read_words(texts: _core.Texts, document: int) -> _Words | None:
    """Find the compared words of a document in its comparable text; None if markup makes that impossible."""
    text = texts.prepared(document)
    starts, ends, hashes = _core.Texts.from_strings([text], None, "nfc", "plain", 1).tokens(0)
    originals, _, compared = texts.tokens(document)
    indexes = np.searchsorted(starts, originals)
    if not (_match(starts, indexes, originals) and _match(hashes, indexes, compared)):
        # The text was rebuilt, so offsets do not match: search for the sequence of compared words instead.
        firsts = (first for first in range(len(hashes) - len(compared) + 1) if hashes[first] == compared[0])
        found = next((i for i in firsts if np.array_equal(hashes[i : i + len(compared)], compared)), None)
        if found is None:
            return None
        indexes = np.arange(found, found + len(compared))
    return _Words(text, starts[indexes].tolist(), ends[indexes].tolist(), originals.tolist())


def _match(values: np.ndarray, indexes: np.ndarray, wanted: np.ndarray) -> bool:
    return bool((indexes < len(values)).all()) and bool((values[indexes] == wanted).all())


def _write(words: _Words, open_words: list[bool], open_gaps: list[bool]) -> str:
    """Join the words with the punctuation between them; adjacent slots are merged."""
    written = [_before(words)]
    count = len(words.starts)
    for is_open, run in groupby(range(count), open_words.__getitem__):
        indexes = list(run)
        if not is_open:
            written += [
                _gap(words, index) + _mark(words, open_words, open_gaps, index) + _word(words, index)
                for index in indexes
            ]
        else:
            written.append(_gap(words, indexes[0]) + SLOT)
    tail = _after(words)
    return "".join(written) + tail + (f" {INSERTION}" if open_gaps[count] and not open_words[-1] else "")


def _word(words: _Words, index: int) -> str:
    return words.text[words.starts[index] : words.ends[index]]


def _mark(words: _Words, open_words: list[bool], open_gaps: list[bool], index: int) -> str:
    after_slot = index > 0 and open_words[index - 1]
    return f"{INSERTION} " if open_gaps[index] and not after_slot else ""


def _gap(words: _Words, index: int) -> str:
    """Return the text between a word and the previous one; a line feed if it contains words that are not compared."""
    if index == 0:
        return ""
    gap = words.text[words.ends[index - 1] : words.starts[index]]
    return "\n" if any(map(str.isalnum, gap)) else gap


def _before(words: _Words) -> str:
    """Return the punctuation attached to the first word."""
    before = words.text[: words.starts[0]]
    return before[len(before.rstrip("\"'“‘«([¿¡*-—")) :]


def _after(words: _Words) -> str:
    """Return the punctuation attached to the last word."""
    after = words.text[words.ends[-1] :]
    attached = 0
    while attached < len(after) and not (after[attached].isspace() or after[attached].isalnum()):
        attached += 1
    return after[:attached]
