"""Which texts share a key, and how many pairs of them there are: a baseline that is counted but never run.

A program that compares every two texts with a key in common finds, of the pairs at the threshold, those that share a
key. So where all pairs at the threshold are known, what it finds is known too, and only its comparisons have to be
counted: text by text, the others that stand behind it under one of its keys, each once. Cost: the sum over the keys of
the square of the number of texts, in bytes of a table of marks; memory: a few hundred megabytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from neardup.evaluate.contingency import Booleans, Integers
from neardup.stages import Corpus, Numbers

MARKS = 1 << 26
LOOKS = 1 << 23
MOST_LOOKS = 3_000_000_000
"""Beyond so many looks comparisons are not counted but bounded, by counting a pair once for each key it shares."""


@dataclass(frozen=True)
class SharedKeys:
    """The keys of each text, those of text i from `offsets[i]` to `offsets[i + 1]`."""

    keys: npt.NDArray[np.uint64]
    offsets: npt.NDArray[np.uint64]

    @classmethod
    def of_continuous_terms(cls, corpus: Corpus) -> SharedKeys:
        """Take every two terms that follow each other as a key; a text of one term has none."""
        numbers: dict[str, int] = {}
        keys, offsets = [], [0]
        for document in corpus.nodes.tolist():
            own = [numbers.setdefault(term, len(numbers)) for term in corpus.texts.terms(document)]
            keys += sorted({first << 32 | second for first, second in pairwise(own)})
            offsets.append(len(keys))
        return cls(np.array(keys, np.uint64), np.array(offsets, np.uint64))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def _sizes(self) -> Integers:
        bounds: Integers = self.offsets.astype(np.int64)
        return bounds[1:] - bounds[:-1]

    @cached_property
    def _owners(self) -> Integers:
        return np.repeat(np.arange(len(self)), self._sizes)

    @cached_property
    def _postings(self) -> tuple[Integers, Integers, Integers]:
        """Return the owners in the order of keys, and for each of them its place and where its key ends."""
        order = np.lexsort((self._owners, self.keys))
        ordered = self.keys[order]
        last = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True)) if len(ordered) else np.zeros(0, np.int64)
        sizes = np.diff(last, prepend=-1)
        return self._owners[order], np.arange(len(order)), np.repeat(last + 1, sizes)

    @property
    def looks(self) -> int:
        """How many pairs share a key, a pair counted once for each."""
        _, places, ends = self._postings
        return int((ends - places - 1).sum())

    def count_pairs(self) -> tuple[int, bool]:
        """Return how many pairs share a key, and whether that is exact rather than an upper bound."""
        if self.looks > MOST_LOOKS:
            return self.looks, False
        owners, places, ends = self._postings
        by_owner = np.argsort(owners, kind="stable")
        behind = (ends - places - 1)[by_owner]
        looks = np.append(0, np.cumsum(behind))
        starts = np.searchsorted(owners[by_owner], np.arange(len(self) + 1))
        most_texts = max(1, MARKS // max(1, len(self)))
        found, first = 0, 0
        while first < len(self):
            # As many texts as there is room for, in marks and in looks, but at least one.
            room = int(np.searchsorted(looks[starts], looks[starts[first]] + LOOKS, side="right")) - 1
            after = min(max(first + 1, min(room, first + most_texts)), len(self))
            block = slice(int(starts[first]), int(starts[after]))
            entries = by_owner[block]
            found += self._count_block(owners, entries, behind[block], first, after)
            first = after
        return found, True

    def _count_block(self, owners: Integers, entries: Integers, behind: Integers, first: int, after: int) -> int:
        marks = np.zeros((after - first) * len(self), bool)
        runs = np.repeat(entries + 1 - np.append(0, np.cumsum(behind))[:-1], behind)
        others = owners[runs + np.arange(len(runs))]
        marks[np.repeat(owners[entries] - first, behind) * len(self) + others] = True
        return int(np.count_nonzero(marks))

    def shared(self, a: Numbers, b: Numbers) -> Booleans:
        """Say of each pair whether it shares a key."""
        found = np.zeros(len(a), bool)
        for start in range(0, len(a), 100_000):
            pairs = slice(start, start + 100_000)
            left, right = self._list(a[pairs]), self._list(b[pairs])
            # A key of both stands twice: equal neighbours after sorting, since no text has a key twice.
            pair, key = (np.concatenate(both) for both in zip(left, right, strict=True))
            order = np.lexsort((key, pair))
            same = (pair[order][1:] == pair[order][:-1]) & (key[order][1:] == key[order][:-1])
            found[start + pair[order][1:][same]] = True
        return found

    def _list(self, texts: Numbers) -> tuple[Integers, npt.NDArray[np.uint64]]:
        """Return the keys of texts, each with the place of its text in the list."""
        counts = self._sizes[texts]
        starts = np.repeat(self.offsets.astype(np.int64)[texts] - np.append(0, np.cumsum(counts))[:-1], counts)
        return np.repeat(np.arange(len(texts)), counts), self.keys[starts + np.arange(len(starts))]
