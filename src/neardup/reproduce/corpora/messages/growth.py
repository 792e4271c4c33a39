"""A corpus of any size grown from a given one, with the origin of every message known.

Messages come in families: an original with identical and edited copies. The distribution of family sizes does not
depend on the size of the corpus, so a corpus twice as large has twice as many families of every size. Each message of
the source is an original once; after that, originals combine the beginning of one message with the end of another.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from neardup.errors import InputError
from neardup.reproduce.corpora.messages.edits import UNIT, Stock, edit_message, is_chinese
from neardup.reproduce.random_stream import RandomStream

FAMILIES = 0.15
"""The share of the originals that were forwarded."""

LARGEST = 500
_SIZES = list(accumulate(1_000_000 // size**2 for size in range(2, LARGEST + 1)))

COPIES = 0.55
"""The share of a family that is identical to the original or to another member."""

AGAIN = 0.4
"""The probability of another edit after each edit."""

MOST_EDITS = 8


@dataclass(frozen=True, slots=True)
class Messages:
    """Texts, and the number of the original of each."""

    texts: list[str]
    origins: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.texts)


def grow(source: Sequence[str], seed: int, size: int, *, copies: float = COPIES) -> Messages:
    """Make a corpus of `size` messages; `copies` is the share of a family that is identical to another member."""
    return next(grow_to(source, seed, [size], copies=copies))


def grow_to(source: Sequence[str], seed: int, sizes: Sequence[int], *, copies: float = COPIES) -> Iterator[Messages]:
    """Make a corpus of each of these sizes, ascending; larger ones contain the families of smaller ones."""
    kept = [text for text in source if text.strip()]
    if not kept:
        raise InputError("there are no messages to grow a corpus from: every text is empty")
    rng = RandomStream(seed, "growth")
    rng.shuffle(kept)
    families = enumerate(_families(kept, copies, rng))
    texts: list[str] = []
    origins: list[int] = []
    for size in sizes:
        while len(texts) < size:
            origin, family = next(families)
            texts += family
            origins += [origin] * len(family)
        order = list(range(size))
        RandomStream(seed, f"order {size}").shuffle(order)
        yield Messages([texts[index] for index in order], np.array(origins, np.int64)[order])


def _families(source: Sequence[str], copies: float, rng: RandomStream) -> Iterator[list[str]]:
    stock = Stock.gather(source)
    for original in _originals(source, rng):
        family = [original]
        for _ in range(_draw_size(rng) - 1):
            family.append(_forward(family, copies, rng, stock))
        yield family


def _draw_size(rng: RandomStream) -> int:
    if not rng.happens(FAMILIES):
        return 1
    return 2 + bisect_right(_SIZES, rng.below(_SIZES[-1]))


def _forward(family: Sequence[str], copies: float, rng: RandomStream, stock: Stock) -> str:
    """Return an identical copy of a member, or the original with one or more edits."""
    if rng.happens(copies):
        return rng.pick(family)
    edits = 1
    while edits < MOST_EDITS and rng.happens(AGAIN):
        edits += 1
    return edit_message(family[0], edits, rng, stock)


def _originals(source: Sequence[str], rng: RandomStream) -> Iterator[str]:
    yield from source
    while True:
        first, second = (UNIT.findall(rng.pick(source)) for _ in range(2))
        front, back = first[: 1 + len(first) // 2], second[len(second) // 2 :]
        spaced = front[-1].isalnum() and not is_chinese(front[-1])
        yield "".join((*front, " " if spaced else "", *back))
