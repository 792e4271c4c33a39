"""Counts the pairs of texts that share a key: the comparisons of a search that is not run.

A program that compares every two texts with a common key finds those pairs at the threshold that share a key. If all
pairs at the threshold are known, only its comparisons remain to be counted: for each text, the later texts that share
one of its keys, each once. Time: the sum over the keys of the square of their numbers of texts. Memory: a few hundred
megabytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from neardup.evaluate.contingency import Booleans, Integers
from neardup.reproduce.simfinder.detection import Keys, Nodes

FLAGS = 1 << 26
BLOCK_POSTINGS = 1 << 23
MOST_POSTINGS = 3_000_000_000
"""Above this number, comparisons are not counted but bounded: a pair counts once for each key that it shares."""


@dataclass(frozen=True)
class SharedKeys:
    """The keys of each text; those of text i are `keys[offsets[i]:offsets[i + 1]]`."""

    keys: Keys
    offsets: Keys

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
        """Return the texts in the order of keys, and for each of them its index and the end of its key."""
        order = np.lexsort((self._owners, self.keys))
        ordered = self.keys[order]
        last = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True)) if len(ordered) else np.zeros(0, np.int64)
        sizes = np.diff(last, prepend=-1)
        return self._owners[order], np.arange(len(order)), np.repeat(last + 1, sizes)

    @property
    def bound(self) -> int:
        """The number of pairs that share a key, counted once for each key."""
        _, indices, ends = self._postings
        return int((ends - indices - 1).sum())

    def count_pairs(self) -> tuple[int, bool]:
        """Return the number of pairs that share a key, and whether it is exact or an upper bound."""
        if self.bound > MOST_POSTINGS:
            return self.bound, False
        owners, indices, ends = self._postings
        by_owner = np.argsort(owners, kind="stable")
        later = (ends - indices - 1)[by_owner]
        totals = np.append(0, np.cumsum(later))
        starts = np.searchsorted(owners[by_owner], np.arange(len(self) + 1))
        most_texts = max(1, FLAGS // max(1, len(self)))
        found, first = 0, 0
        while first < len(self):
            # As many texts as fit into the limits, but at least one.
            room = int(np.searchsorted(totals[starts], totals[starts[first]] + BLOCK_POSTINGS, side="right")) - 1
            after = min(max(first + 1, min(room, first + most_texts)), len(self))
            block = slice(int(starts[first]), int(starts[after]))
            entries = by_owner[block]
            found += self._count_block(owners, entries, later[block], first, after)
            first = after
        return found, True

    def _count_block(self, owners: Integers, entries: Integers, later: Integers, first: int, after: int) -> int:
        flags = np.zeros((after - first) * len(self), bool)
        positions = np.repeat(entries + 1 - np.append(0, np.cumsum(later))[:-1], later)
        others = owners[positions + np.arange(len(positions))]
        flags[np.repeat(owners[entries] - first, later) * len(self) + others] = True
        return int(np.count_nonzero(flags))

    def shared(self, a: Nodes, b: Nodes) -> Booleans:
        """Return for each pair whether it shares a key."""
        found = np.zeros(len(a), bool)
        for start in range(0, len(a), 100_000):
            pairs = slice(start, start + 100_000)
            left, right = self._list(a[pairs]), self._list(b[pairs])
            # A common key occurs twice, so it has an equal neighbour after sorting; no text has a key twice.
            pair, key = (np.concatenate(both) for both in zip(left, right, strict=True))
            order = np.lexsort((key, pair))
            same = (pair[order][1:] == pair[order][:-1]) & (key[order][1:] == key[order][:-1])
            found[start + pair[order][1:][same]] = True
        return found

    def _list(self, texts: Nodes) -> tuple[Integers, Keys]:
        """Return the keys of texts, each with the index of its text in the list."""
        counts = self._sizes[texts]
        starts = np.repeat(self.offsets.astype(np.int64)[texts] - np.append(0, np.cumsum(counts))[:-1], counts)
        return np.repeat(np.arange(len(texts)), counts), self.keys[starts + np.arange(len(starts))]
