"""The effect of replacing a lexicon by another: on the ranks of terms, and on the signatures of documents.

Conrad, Guo & Schriber 2003, sections 5.2 and 6.2. The ranks of the terms that both have are compared by Spearman's
coefficient with ties (equation 2); a signature of length n, the n terms of a document that are chosen first, is
compared with the one that the other lexicon gives.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from neardup import _core
from neardup.represent.lexicons.lexicon import Lexicon, scramble
from neardup.stages import Counts, Scores

LONGEST = 30

PAD = 0xFF000000
"""Values of a vector from here on represent no term: they fill up short vectors with constants."""


@dataclass(frozen=True, slots=True)
class LexiconComparison:
    """How many terms two lexicons have, how many they share, and the rank correlation of these; None if undefined."""

    terms: tuple[int, int]
    common: int
    spearman: float | None


def compare_lexicons(a: Lexicon, b: Lexicon) -> LexiconComparison:
    """Compare the ranks by idf of the terms that both have."""
    terms = a.terms, b.terms
    _, first, second = np.intersect1d(a.hashes[terms[0]], b.hashes[terms[1]], return_indices=True)
    counts = a.document_counts[terms[0][first]], b.document_counts[terms[1][second]]
    return LexiconComparison((len(terms[0]), len(terms[1])), len(first), spearman(*counts))


def spearman(a: npt.ArrayLike, b: npt.ArrayLike) -> float | None:
    """Return the rank correlation of equation 2; None for fewer than two values, or if one side is constant."""
    first, second = np.asarray(a), np.asarray(b)
    count = len(first)
    if count < 2:
        return None
    cube = count**3 - count
    (ranks, ties), (other_ranks, other_ties) = _rank(first), _rank(second)
    if cube in (ties, other_ties):
        return None
    # Ranks are doubled to stay whole numbers: the sum is four times that of the paper.
    differences = ranks - other_ranks
    squares = sum(int(np.dot(part, part)) for part in np.array_split(differences, count // 100_000 + 1)) / 4
    top = 1 - 6 / cube * (squares + (ties + other_ties) / 12)
    return top / math.sqrt(1 - ties / cube) / math.sqrt(1 - other_ties / cube)


def _rank(values: npt.NDArray[np.generic]) -> tuple[Counts, int]:
    """Return twice the rank of each value, ties at their mean, and the sum of t³ - t over groups of t ties."""
    _, index, sizes = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(sizes, dtype=np.int64)
    return (2 * ends - sizes + 1)[index], sum(int(size) ** 3 - int(size) for size in sizes[sizes > 1])


@dataclass(frozen=True, slots=True)
class Stability:
    """The share of signatures that changed, by length from 1 on: as sets, and in their order."""

    documents: int
    sets: Scores
    orders: Scores

    def rows(self) -> list[dict[str, float]]:
        """Return a row for each length."""
        return [
            {"length": index + 1, "documents": self.documents, "sets": float(sets), "orders": float(orders)}
            for index, (sets, orders) in enumerate(zip(self.sets, self.orders, strict=True))
        ]


L = TypeVar("L", bound=Lexicon)


def pair_orders(a: L, b: L) -> dict[str, tuple[L, L]]:
    """Return two lexicons in every order: by idf, quantised, and quantised where the second follows the first."""
    orders = {name: replace(a.choice, order=name) for name in ("idf", "quantised")}
    both = {name: (a.alone().choose(choice), b.alone().choose(choice)) for name, choice in orders.items()}
    first, second = both["quantised"]
    return {**both, "followed": (first, second.after(first))}


def measure_stability(texts: _core.Texts, a: Lexicon, b: Lexicon, longest: int = LONGEST) -> Stability:
    """Compare the signatures that two lexicons give for these documents.

    A document with fewer terms has a shorter signature; documents without a term of either lexicon are ignored.
    """
    first, second = choose_signatures(texts, a, longest), choose_signatures(texts, b, longest)
    known = (first[:, 0] != 0) | (second[:, 0] != 0)
    first, second = first[known], second[known]
    if not len(first):
        return Stability(0, np.zeros(longest), np.zeros(longest))
    same_order = np.logical_and.accumulate(first == second, axis=1)
    with np.errstate(over="ignore"):
        sums = [np.cumsum(np.where(each > 0, scramble(each), 0), axis=1) for each in (first, second)]
    return Stability(len(first), (sums[0] != sums[1]).mean(axis=0), (~same_order).mean(axis=0))


def choose_signatures(texts: _core.Texts, lexicon: Lexicon, longest: int) -> npt.NDArray[np.uint64]:
    """Return for each document the hashes of the terms chosen first, in their order, and 0 after the last."""
    chosen = lexicon.terms
    ranks, keyed = np.arange(len(chosen), dtype=np.uint32), np.ones(len(chosen), bool)
    none = np.zeros(0, np.uint64), np.zeros(0, np.uint8)
    table = _core.RankTable.from_arrays(lexicon.hashes[chosen], ranks, keyed, *none)
    documents = np.arange(len(texts), dtype=np.uint32)
    values = _core.Signatures.make(texts, documents, table, longest, "pad_constant", 0).arrays()[1]
    terms = np.append(lexicon.hashes[chosen], np.uint64(0))
    signatures: npt.NDArray[np.uint64] = terms[np.where(values < PAD, values, len(chosen))].reshape(-1, longest)
    return signatures
