"""Build the concept lattice of a cluster: every set of members that share something no other member has.

The structure comes from the members' images (Ignatov & Kuznetsov 2009, section 2.2; built by AddIntent). The passages
come from the texts: the words of the first member that are in shingles which all members of a concept have, with
adjacent shingles merged. Members with the same words are one text for the kernel, but every member is named.
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

MAX_TEXTS = 500
"""The number of distinct texts of a cluster that are used."""


class Imager(Protocol):
    """A component that makes images."""

    def images_of(self, texts: _core.Texts, documents: Numbers) -> Images:
        """Return the images of the given documents."""


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
    """Build the lattice of the members, the reference copy first.

    A member that would bring the lattice above `limit` concepts is left out. `names` are the ids of the members,
    `maker` makes their images, and `shingle` is the number of consecutive words that count as common text.
    """
    words = _Words(texts, members)
    images = maker.images_of(texts, members[words.firsts])
    (starts, held), (unit_starts, _), (lower, upper), included = _core.lattice(images.offsets, images.units, limit)
    windows = _Windows(words, shingle, included)
    extents = [held[start:end] for start, end in pairwise(starts.tolist())]
    shared = [windows.find_shared(extent) for extent in extents]
    above: list[list[int]] = [[] for _ in extents]
    below = [np.zeros(0, np.uint32)] * len(extents)
    for low, high in zip(lower.tolist(), upper.tolist(), strict=True):
        above[low].append(high)
        below[high] = np.union1d(below[high], extents[low])
    concepts = []
    for number, extent in enumerate(extents):
        known = windows.find_known(int(extent[0]), [shared[high] for high in above[number]])
        concepts.append(
            Concept(
                words.named(extent, names),
                words.named(np.setdiff1d(extent, below[number]), names),
                int(unit_starts[number + 1] - unit_starts[number]),
                windows.passages(int(extent[0]), shared[number]),
                windows.passages(int(extent[0]), shared[number] & ~known),
            )
        )
    kept = words.named(np.arange(included), names)
    left_out = tuple(sorted(set(names) - set(kept)))
    covers = tuple(zip(lower.tolist(), upper.tolist(), strict=True))
    return Lattice(names[0] if len(names) else "", tuple(concepts), covers, left_out)


class _Words:
    """The distinct texts of the members: their words, and for each the first member and all members that have it."""

    def __init__(self, texts: _core.Texts, members: Numbers) -> None:
        self.texts = texts
        numbers: dict[bytes, int] = {}
        self.groups: list[list[int]] = []
        self.tokens: list[tuple[Numbers, Numbers, npt.NDArray[np.uint64]]] = []
        for index, document in enumerate(members.tolist()):
            tokens = texts.tokens(document)
            number = numbers.setdefault(tokens[2].tobytes(), len(numbers))
            if number == len(self.groups):
                if number == MAX_TEXTS:
                    break
                self.groups.append([])
                self.tokens.append(tokens)
            self.groups[number].append(index)
        self.firsts = np.array([group[0] for group in self.groups], np.int64)
        self.documents = members[self.firsts]

    def named(self, extent: npt.NDArray[np.integer], names: Sequence[str]) -> tuple[str, ...]:
        """Return the names of all members that have one of the texts."""
        return tuple(names[index] for number in extent.tolist() for index in self.groups[number])


@dataclass(frozen=True, slots=True)
class _WindowSet:
    """A set of windows, as one flag per distinct window."""

    flags: npt.NDArray[np.bool_]

    def __and__(self, other: _WindowSet) -> _WindowSet:
        return _WindowSet(self.flags & other.flags)

    def __invert__(self) -> _WindowSet:
        return _WindowSet(~self.flags)


class _Windows:
    """Windows of `size` consecutive words, and the texts that contain each."""

    def __init__(self, words: _Words, size: int, count: int) -> None:
        self._words, self._size = words, size
        hashes = [_roll(words.tokens[number][2], size) for number in range(count)]
        self._distinct, numbers = np.unique(np.concatenate([*hashes, np.zeros(0, np.uint64)]), return_inverse=True)
        self._numbers = np.split(numbers, np.cumsum([len(own) for own in hashes])[:-1]) if count else []
        self._has = np.zeros((len(self._distinct), count), np.bool_)
        for number, own in enumerate(self._numbers):
            self._has[own, number] = True

    def find_shared(self, extent: Numbers) -> _WindowSet:
        """Return the windows that all the given texts contain."""
        return _WindowSet(np.logical_and.reduce(self._has[:, extent], axis=1))

    def find_known(self, number: int, earlier: Sequence[_WindowSet]) -> _WindowSet:
        """Return the windows of a text of which every word is already in a window of one of the earlier sets."""
        covered = np.zeros(len(self._words.tokens[number][0]), np.bool_)
        for windows in earlier:
            covered |= self._cover(number, windows)
        own = self._numbers[number]
        flags = np.zeros(len(self._distinct), np.bool_)
        size = min(self._size, len(covered))
        if len(own):
            whole = np.convolve(covered, np.ones(size, np.int64))[size - 1 : size - 1 + len(own)] == size
            flags[own[whole]] = True
        return _WindowSet(flags)

    def passages(self, number: int, windows: _WindowSet) -> tuple[Passage, ...]:
        """Return the passages of a text that the windows cover, in reading order."""
        starts, ends, _ = self._words.tokens[number]
        covered = np.concatenate([[False], self._cover(number, windows), [False]])
        edges = np.flatnonzero(covered[1:] != covered[:-1]).reshape(-1, 2)
        spans = [(first, after - 1) for first, after in edges.tolist()]
        excerpts = self._words.texts.excerpts(int(self._words.documents[number]), spans)
        return tuple(
            Passage(int(starts[first]), int(ends[last]), text)
            for (first, last), text in zip(spans, excerpts, strict=True)
        )

    def _cover(self, number: int, windows: _WindowSet) -> npt.NDArray[np.bool_]:
        """Return for each word of a text whether it is in one of the windows."""
        own, words = self._numbers[number], len(self._words.tokens[number][0])
        size = min(self._size, words)
        chosen = windows.flags[own].astype(np.int64)
        covered: npt.NDArray[np.bool_] = (
            np.convolve(chosen, np.ones(size, np.int64))[:words] > 0 if words else chosen > 0
        )
        return covered


def _roll(hashes: npt.NDArray[np.uint64], size: int) -> npt.NDArray[np.uint64]:
    """Hash each window of `size` words; a text with fewer words is one window."""
    size = min(size, len(hashes))
    if not size:
        return np.zeros(0, np.uint64)
    rolled = np.zeros(len(hashes) - size + 1, np.uint64)
    with np.errstate(over="ignore"):
        for offset in range(size):
            rolled = rolled * _BASE + hashes[offset : len(hashes) - size + 1 + offset]
    return rolled
