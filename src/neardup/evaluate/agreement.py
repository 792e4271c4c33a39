"""Measures of agreement between a found and a gold partition, computed from their contingency table.

N is the number of documents and m = N(N-1)/2 the number of all pairs. The found partition links p pairs, the gold
partition q pairs, and both link a pairs.

- Pairs: precision a/p, recall a/q, F1 2a/(p+q).
- B-cubed: precision is the mean over documents of the share of the document's found cluster that is in its gold
  cluster; recall is the same for its gold cluster; F1 is their harmonic mean.
- Adjusted Rand index (Hubert and Arabie 1985): the Rand index corrected for the agreement of random partitions with
  the same cluster sizes.
- AC1 (Gwet 2002) over pairs: (A-E)/(1-E) with the observed agreement A = (m-p-q+2a)/m, the chance agreement
  E = 2P(1-P) and P = (p+q)/2m. E is at most 1/2, so AC1 is always defined. Micro pools all pairs. Macro is the mean
  of AC1 over the gold clusters of two documents or more, each on the pairs with at least one end in the cluster; Yang
  and Callan 2006, who first applied AC1 to near-duplicates, do not define it.

A measure that would divide by zero is nan, and so is every measure of fewer than two documents.
"""

from __future__ import annotations

from math import nan

import numpy as np
import numpy.typing as npt

from neardup.evaluate.contingency import Contingency, pairs


def measure(table: Contingency) -> dict[str, float]:
    """Return every measure of agreement by name."""
    if len(table) < 2:
        return dict.fromkeys(MEASURES, nan)
    return dict(
        zip(MEASURES, (*_pair_scores(table), *_bcubed(table), _adjusted_rand(table), *_ac1_scores(table)), strict=True)
    )


MEASURES = (
    "pair_precision",
    "pair_recall",
    "pair_f1",
    "bcubed_precision",
    "bcubed_recall",
    "bcubed_f1",
    "adjusted_rand",
    "ac1_micro",
    "ac1_macro",
)


def ratio(part: float, whole: float) -> float:
    """Return part/whole, or nan if the whole is zero."""
    return float(part / whole) if whole else nan


def _linked(table: Contingency) -> tuple[int, int, int, int]:
    """Count the pairs linked by both partitions, by the found one and by the gold one, and all pairs, exactly."""
    total = len(table)
    return (
        int(pairs(table.count).sum()),
        int(pairs(table.found_sizes).sum()),
        int(pairs(table.gold_sizes).sum()),
        total * (total - 1) // 2,
    )


def _pair_scores(table: Contingency) -> tuple[float, float, float]:
    both, found, gold, _ = _linked(table)
    return ratio(both, found), ratio(both, gold), ratio(2 * both, found + gold)


def _bcubed(table: Contingency) -> tuple[float, float, float]:
    squares = table.count.astype(np.float64) ** 2
    precision = float((squares / table.found_sizes[table.found]).sum()) / len(table)
    recall = float((squares / table.gold_sizes[table.gold]).sum()) / len(table)
    return precision, recall, ratio(2 * precision * recall, precision + recall)


def _adjusted_rand(table: Contingency) -> float:
    both, found, gold, total = _linked(table)
    if both == found == gold:
        return 1.0
    # Python integers: the products exceed 2^63 from a few hundred thousand documents on.
    return 2 * (total * both - found * gold) / (total * (found + gold) - 2 * found * gold)


def _ac1_scores(table: Contingency) -> tuple[float, float]:
    both, found, gold, total = (np.array([number], np.float64) for number in _linked(table))
    return float(_ac1(both, found, gold, total)[0]), _macro_ac1(table)


def _macro_ac1(table: Contingency) -> float:
    """Return the mean of AC1 over the gold clusters, each on the pairs with at least one end in it.

    A found cluster of s documents, of which n are in the gold cluster, links C(s,2) - C(s-n,2) of these pairs.
    """
    _, first = np.unique(table.gold, return_index=True)
    sizes = table.found_sizes[table.found]
    found = np.add.reduceat(pairs(sizes) - pairs(sizes - table.count), first)
    both = np.add.reduceat(pairs(table.count), first)
    total = len(table) * (len(table) - 1) // 2 - pairs(len(table) - table.gold_sizes)
    several = table.gold_sizes > 1
    if not several.any():
        return nan
    counts = (both, found, pairs(table.gold_sizes), total)
    return float(_ac1(*(count[several].astype(np.float64) for count in counts)).mean())


def _ac1(
    both: npt.NDArray[np.float64],
    found: npt.NDArray[np.float64],
    gold: npt.NDArray[np.float64],
    total: npt.NDArray[np.float64],
) -> npt.NDArray[np.float64]:
    observed = (total - found - gold + 2 * both) / total
    linked = (found + gold) / (2 * total)
    chance = 2 * linked * (1 - linked)
    return (observed - chance) / (1 - chance)
