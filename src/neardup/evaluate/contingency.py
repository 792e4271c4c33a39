"""The sparse contingency table of two partitions, and what can be counted from it.

Cell (f, g) holds the number of documents that are in found cluster f and in gold cluster g; only cells that are not
empty are kept. Pairs that both partitions link are the sum of n(n-1)/2 over the cells, pairs that one of them links
the same sum over its clusters: no pair is ever listed. Built by one sort: time O(N log N), memory O(N).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Contingency:
    """The cells that are not empty, ordered by gold cluster: their found and gold cluster and their count."""

    found: Integers
    gold: Integers
    count: Integers
    found_sizes: Integers
    gold_sizes: Integers

    def __len__(self) -> int:
        """Return the number of documents."""
        return int(self.count.sum())

    def found_matches(self) -> Integers:
        """Return for each found cluster the gold cluster that it stands for, -1 where there is none.

        The two are each other's largest part; of parts of one size the earlier counts as the larger.
        """
        best_gold = _first_largest(self.found, self.gold, self.count, len(self.found_sizes))
        best_found = _first_largest(self.gold, self.found, self.count, len(self.gold_sizes))
        mutual = best_found[best_gold] == np.arange(len(best_gold))
        return np.where(mutual, best_gold, -1)


def tabulate(found: Integers, gold: Integers) -> Contingency:
    """Count the documents of two label arrays; labels must be 0, 1, … without gaps."""
    found_sizes, gold_sizes = np.bincount(found), np.bincount(gold)
    cells, count = np.unique(gold * len(found_sizes) + found, return_counts=True)
    gold_of_cell, found_of_cell = np.divmod(cells, max(len(found_sizes), 1))
    return Contingency(found_of_cell, gold_of_cell, count, found_sizes, gold_sizes)


def pairs(sizes: Integers) -> Integers:
    """Return n(n-1)/2 for each size; exact up to a thousand million documents."""
    return sizes * (sizes - 1) // 2


def _first_largest(rows: Integers, columns: Integers, count: Integers, length: int) -> Integers:
    """Return for each row the column of its largest cell, the smallest column of those that are equal."""
    order = np.lexsort((columns, -count, rows))
    _, first = np.unique(rows[order], return_index=True)
    best = np.full(length, -1, np.int64)
    best[rows[order[first]]] = columns[order[first]]
    return best
