"""The template of a campaign: the reference copy's text, with slots where many members say something else."""

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
MOST_MEMBERS = 200
SHARE = 5
"""A place varies where at least one in so many members differs there."""


@dataclass(frozen=True, slots=True)
class _Words:
    """The comparable text of a document, its compared words in it, and where these begin in the original."""

    text: str
    starts: list[int]
    ends: list[int]
    originals: list[int]


def make_template(
    texts: _core.Texts, reference: int, members: Sequence[int] | Numbers, most: int = MOST_MEMBERS
) -> str:
    """Return the compared text of the reference with slots for what a fifth of the members do not share.

    `{…}` stands for words that they changed or removed, `{+}` where they put something in. At most so many members are
    looked at, evenly spread over those given. The template is empty where no word is common.
    """
    sample = spread_evenly([int(member) for member in members if member != reference], most)
    words = _read_words(texts, reference)
    if not sample or words is None or not words.starts:
        return ""
    changed, inserted = _count_changes(texts, reference, sample, words.originals)
    open_words, open_gaps = changed * SHARE >= len(sample), inserted * SHARE >= len(sample)
    return "" if open_words.all() else _write(words, open_words.tolist(), open_gaps.tolist())


def spread_evenly(members: Sequence[int], most: int) -> list[int]:
    """Choose so many members, evenly spread from the first on."""
    count = min(len(members), most)
    return [members[place * len(members) // count] for place in range(count)]


def _count_changes(
    texts: _core.Texts, reference: int, sample: list[int], starts: list[int]
) -> tuple[np.ndarray, np.ndarray]:
    """Count the members that changed or removed each word, and those that put something in before it."""
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
    """Find the compared words of a document in its comparable text; None where markup hides which they are."""
    text = texts.prepared(document)
    starts, ends, hashes = _core.Texts.from_strings([text], None, "nfc", "plain", 1).tokens(0)
    originals, _, compared = texts.tokens(document)
    places = np.searchsorted(starts, originals)
    if not (_match(starts, places, originals) and _match(hashes, places, compared)):
        # The text was rebuilt, so that offsets do not tell: the compared words follow each other somewhere in it.
        firsts = (first for first in range(len(hashes) - len(compared) + 1) if hashes[first] == compared[0])
        found = next((at for at in firsts if np.array_equal(hashes[at : at + len(compared)], compared)), None)
        if found is None:
            return None
        places = np.arange(found, found + len(compared))
    return _Words(text, starts[places].tolist(), ends[places].tolist(), originals.tolist())


def _match(values: np.ndarray, places: np.ndarray, wanted: np.ndarray) -> bool:
    return bool((places < len(values)).all()) and bool((values[places] == wanted).all())


def _write(words: _Words, open_words: list[bool], open_gaps: list[bool]) -> str:
    """Write the words with the signs between them; neighbouring slots are one."""
    written = [_before(words)]
    count = len(words.starts)
    for is_open, run in groupby(range(count), open_words.__getitem__):
        places = list(run)
        if not is_open:
            written += [
                _gap(words, place) + _mark(words, open_words, open_gaps, place) + _word(words, place)
                for place in places
            ]
        else:
            written.append(_gap(words, places[0]) + SLOT)
    tail = _after(words)
    return "".join(written) + tail + (f" {INSERTION}" if open_gaps[count] and not open_words[-1] else "")


def _word(words: _Words, place: int) -> str:
    return words.text[words.starts[place] : words.ends[place]]


def _mark(words: _Words, open_words: list[bool], open_gaps: list[bool], place: int) -> str:
    beside_slot = place > 0 and open_words[place - 1]
    return f"{INSERTION} " if open_gaps[place] and not beside_slot else ""


def _gap(words: _Words, place: int) -> str:
    """Return what stands before a word; where that holds words that are not compared, a line end."""
    if place == 0:
        return ""
    gap = words.text[words.ends[place - 1] : words.starts[place]]
    return "\n" if any(map(str.isalnum, gap)) else gap


def _before(words: _Words) -> str:
    """Return the signs that cling to the first word."""
    before = words.text[: words.starts[0]]
    return before[len(before.rstrip("\"'“‘«([¿¡*-—")) :]


def _after(words: _Words) -> str:
    """Return the signs that cling to the last word."""
    after = words.text[words.ends[-1] :]
    clinging = 0
    while clinging < len(after) and not (after[clinging].isspace() or after[clinging].isalnum()):
        clinging += 1
    return after[:clinging]
