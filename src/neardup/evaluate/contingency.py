"""The sparse contingency table of two partitions.

Cell (f, g) is the number of documents in found cluster f and gold cluster g; only non-empty cells are stored. The
number of pairs that both partitions link is the sum of n(n-1)/2 over the cells; the number that one of them links is
the same sum over its clusters. No pair is listed. The table is built by one sort: time O(N log N), memory O(N).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Contingency:
    """The non-empty cells, ordered by gold cluster: their found cluster, gold cluster and count."""

    found: Integers
    gold: Integers
    count: Integers
    found_sizes: Integers
    gold_sizes: Integers

    def __len__(self) -> int:
        """Return the number of documents."""
        return int(self.count.sum())

    def found_matches(self) -> Integers:
        """Return for each found cluster the gold cluster that it matches, or -1.

        Two clusters match if each has its largest overlap with the other; of equal overlaps, the earlier one counts.
        """
        best_gold = _first_largest(self.found, self.gold, self.count, len(self.found_sizes))
        best_found = _first_largest(self.gold, self.found, self.count, len(self.gold_sizes))
        mutual = best_found[best_gold] == np.arange(len(best_gold))
        return np.where(mutual, best_gold, -1)


def tabulate(found: Integers, gold: Integers) -> Contingency:
    """Build the table from two label arrays; labels must be 0, 1, … without gaps."""
    found_sizes, gold_sizes = np.bincount(found), np.bincount(gold)
    cells, count = np.unique(gold * len(found_sizes) + found, return_counts=True)
    gold_of_cell, found_of_cell = np.divmod(cells, max(len(found_sizes), 1))
    return Contingency(found_of_cell, gold_of_cell, count, found_sizes, gold_sizes)


def pairs(sizes: Integers) -> Integers:
    """Return n(n-1)/2 for each size; exact up to a billion documents."""
    return sizes * (sizes - 1) // 2


def _first_largest(rows: Integers, columns: Integers, count: Integers, length: int) -> Integers:
    """Return for each row the column of its largest cell; of equal cells, the smallest column."""
    order = np.lexsort((columns, -count, rows))
    _, first = np.unique(rows[order], return_index=True)
    best = np.full(length, -1, np.int64)
    best[rows[order[first]]] = columns[order[first]]
    return best
