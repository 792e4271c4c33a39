"""The concept lattice of a cluster: every set of members that share something no other member has, and what it is.

The structure comes from the members' images (Ignatov & Kuznetsov 2009, section 2.2; built by AddIntent). What is read
by people comes from the texts: the words of the reference member that lie in shingles which all members of a concept
have, neighbours merged into passages. Members of the same words are one for the kernel, but all are named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
import numpy.typing as npt

from neardup import _core
from neardup.records import Concept, Lattice, Passage
from neardup.represent import Images
from neardup.stages import Numbers

MOST_TEXTS = 500
"""How many distinct texts of a cluster are looked at."""


class Imager(Protocol):
    """What makes images."""

    def images_of(self, texts: _core.Texts, documents: Numbers) -> Images:
        """Return the images of these documents."""


_BASE = np.uint64(0x9E3779B97F4A7C15)


def build_lattice(
    texts: _core.Texts,
    members: Numbers,
    names: Sequence[str],
    maker: Imager,
    *,
    shingle: int = 5,
    limit: int = 100,
) -> Lattice:
    """Build the lattice of some documents, the reference first; those with which it has over `limit` concepts go.

    `maker` gives the images, `names` are those of the members, and `shingle` is how many words in a row count as common
    text.
    """
    words = _Words(texts, members)
    images = maker.images_of(texts, members[words.firsts])
    (starts, held), (unit_starts, _), (lower, upper), included = _core.lattice(images.offsets, images.units, limit)
    windows = _Windows(words, shingle, included)
    extents = [held[start:end] for start, end in pairwise(starts.tolist())]
    marks = [windows.shared(extent) for extent in extents]
    above: list[list[int]] = [[] for _ in extents]
    below = [np.zeros(0, np.uint32)] * len(extents)
    for low, high in zip(lower.tolist(), upper.tolist(), strict=True):
        above[low].append(high)
        below[high] = np.union1d(below[high], extents[low])
    concepts = []
    for number, extent in enumerate(extents):
        known = windows.known(int(extent[0]), [marks[high] for high in above[number]])
        concepts.append(
            Concept(
                words.named(extent, names),
                words.named(np.setdiff1d(extent, below[number]), names),
                int(unit_starts[number + 1] - unit_starts[number]),
                windows.passages(int(extent[0]), marks[number]),
                windows.passages(int(extent[0]), marks[number] & ~known),
            )
        )
    kept = words.named(np.arange(included), names)
    left_out = tuple(sorted(set(names) - set(kept)))
    covers = tuple(zip(lower.tolist(), upper.tolist(), strict=True))
    return Lattice(names[0] if len(names) else "", tuple(concepts), covers, left_out)


class _Words:
    """The words of the members: of each distinct text, the first member that has it and all that do."""

    def __init__(self, texts: _core.Texts, members: Numbers) -> None:
        self.texts = texts
        places: dict[bytes, int] = {}
        self.groups: list[list[int]] = []
        self.tokens: list[tuple[Numbers, Numbers, npt.NDArray[np.uint64]]] = []
        for place, document in enumerate(members.tolist()):
            tokens = texts.tokens(document)
            number = places.setdefault(tokens[2].tobytes(), len(places))
            if number == len(self.groups):
                if number == MOST_TEXTS:
                    break
                self.groups.append([])
                self.tokens.append(tokens)
            self.groups[number].append(place)
        self.firsts = np.array([group[0] for group in self.groups], np.int64)
        self.documents = members[self.firsts]

    def named(self, extent: npt.NDArray[np.integer], names: Sequence[str]) -> tuple[str, ...]:
        """Return the names of all members that have one of these texts."""
        return tuple(names[place] for number in extent.tolist() for place in self.groups[number])


@dataclass(frozen=True, slots=True)
class _Marks:
    """Which windows of all texts are meant."""

    flags: npt.NDArray[np.bool_]

    def __and__(self, other: _Marks) -> _Marks:
        return _Marks(self.flags & other.flags)

    def __invert__(self) -> _Marks:
        return _Marks(~self.flags)


class _Windows:
    """Runs of so many words: which texts have which."""

    def __init__(self, words: _Words, size: int, count: int) -> None:
        self._words, self._size = words, size
        hashes = [_roll(words.tokens[number][2], size) for number in range(count)]
        self._distinct, numbers = np.unique(np.concatenate([*hashes, np.zeros(0, np.uint64)]), return_inverse=True)
        self._numbers = np.split(numbers, np.cumsum([len(own) for own in hashes])[:-1]) if count else []
        self._has = np.zeros((len(self._distinct), count), np.bool_)
        for number, own in enumerate(self._numbers):
            self._has[own, number] = True

    def shared(self, extent: Numbers) -> _Marks:
        """Mark the windows that all these texts have."""
        return _Marks(np.logical_and.reduce(self._has[:, extent], axis=1))

    def known(self, number: int, marks: Sequence[_Marks]) -> _Marks:
        """Mark the windows of a text of which every word lies in a window that is marked already."""
        covered = np.zeros(len(self._words.tokens[number][0]), np.bool_)
        for mark in marks:
            covered |= self._cover(number, mark)
        own = self._numbers[number]
        flags = np.zeros(len(self._distinct), np.bool_)
        size = min(self._size, len(covered))
        if len(own):
            whole = np.convolve(covered, np.ones(size, np.int64))[size - 1 : size - 1 + len(own)] == size
            flags[own[whole]] = True
        return _Marks(flags)

    def passages(self, number: int, marks: _Marks) -> tuple[Passage, ...]:
        """Return the passages of a text that the marked windows make, in reading order."""
        starts, ends, _ = self._words.tokens[number]
        covered = np.concatenate([[False], self._cover(number, marks), [False]])
        edges = np.flatnonzero(covered[1:] != covered[:-1]).reshape(-1, 2)
        spans = [(first, after - 1) for first, after in edges.tolist()]
        said = self._words.texts.excerpts(int(self._words.documents[number]), spans)
        return tuple(
            Passage(int(starts[first]), int(ends[last]), text) for (first, last), text in zip(spans, said, strict=True)
        )

    def _cover(self, number: int, marks: _Marks) -> npt.NDArray[np.bool_]:
        """Say of each word of a text whether it lies in a marked window."""
        own, words = self._numbers[number], len(self._words.tokens[number][0])
        size = min(self._size, words)
        chosen = marks.flags[own].astype(np.int64)
        covered: npt.NDArray[np.bool_] = (
            np.convolve(chosen, np.ones(size, np.int64))[:words] > 0 if words else chosen > 0
        )
        return covered


def _roll(hashes: npt.NDArray[np.uint64], size: int) -> npt.NDArray[np.uint64]:
    """Hash each run of so many words; a text of fewer words is one run."""
    size = min(size, len(hashes))
    if not size:
        return np.zeros(0, np.uint64)
    rolled = np.zeros(len(hashes) - size + 1, np.uint64)
    with np.errstate(over="ignore"):
        for place in range(size):
            rolled = rolled * _BASE + hashes[place : len(hashes) - size + 1 + place]
    return rolled
