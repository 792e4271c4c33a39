"""An independent check of a run: letters left alone although they share much text with others.

A letter should be in a cluster if 30 % of its words, or 60 words, are in runs of 12 words that at least three other
letters have. The implementation is slow and obvious, a dictionary of all runs, and uses nothing of neardup.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

RUN, OTHERS, SHARE, WORDS = 12, 3, 0.3, 60
_TAG = re.compile(r"<[^>]{1,80}>")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class LeftAlone:
    """A letter in no cluster, its number of words, and how many of them are in shared runs."""

    index: int
    words: int
    shared: int


def find_left_alone(texts: Sequence[str], labels: Sequence[object]) -> tuple[list[LeftAlone], int]:
    """Return the letters left alone wrongly, most shared words first, and the number of letters that share enough."""
    words = [_WORD.findall(html.unescape(_TAG.sub(" ", text)).lower()) for text in texts]
    counts: Counter[int] = Counter()
    for letter in words:
        counts.update({_hash_run(letter, start) for start in range(len(letter) - RUN + 1)})
    sizes = Counter(labels)
    left, enough = [], 0
    for index, letter in enumerate(words):
        shared = _count_shared(letter, counts)
        if shared and (shared >= WORDS or shared >= SHARE * len(letter)):
            enough += 1
            if sizes[labels[index]] == 1:
                left.append(LeftAlone(index, len(letter), shared))
    return sorted(left, key=lambda one: (-one.shared, one.index)), enough


def _hash_run(letter: list[str], start: int) -> int:
    return hash(tuple(letter[start : start + RUN]))


def _count_shared(letter: list[str], counts: Counter[int]) -> int:
    """Count the words of a letter that are in a run that enough others have."""
    covered, end = 0, 0
    for start in range(len(letter) - RUN + 1):
        if counts[_hash_run(letter, start)] > OTHERS:
            covered += start + RUN - max(start, end)
            end = start + RUN
    return covered
