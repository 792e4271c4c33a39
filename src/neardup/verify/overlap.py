"""Shared shingles over a denominator: Jaccard and its relatives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from neardup.represent import HasShingleSets
from neardup.stages import (
    Candidates,
    Counts,
    Flags,
    Links,
    Nodes,
    Numbers,
    Scores,
    renumber,
    threshold_fraction,
)
from neardup.verify.verifier import Verifier

Denominator = Literal["min", "reference", "document", "union"]


@dataclass(frozen=True, slots=True)
class Overlap(Verifier[HasShingleSets]):
    """The shared shingles of two texts over a denominator: `union` (Jaccard), `min`, `reference` or `document`.

    The reference of a pair is the node with more copies if nodes lead by copies, otherwise the one with the smaller
    number. Pairs at the threshold or above are linked; with `strict`, only those above. Texts with fewer than `least`
    shingles are linked only if they are identical. Sets are built only for the nodes that occur in a pair, once each.
    """

    threshold: float
    denominator: Denominator = "union"
    strict: bool = False
    least: int = 1

    @property
    def directed(self) -> bool:
        """Whether the denominator is one of the two texts."""
        return self.denominator in ("reference", "document")

    @property
    def grounds(self) -> tuple[str, ...]:
        """The name of the measure, as the evidence for a link."""
        return ("jaccard" if self.denominator == "union" else "overlap",)

    def scores(self, representation: HasShingleSets, a: Numbers, b: Numbers) -> Scores:
        """Return the exact overlap of any pairs of nodes."""
        nodes = representation.nodes
        occurring, (left, right) = renumber(len(nodes), *_leader_first(nodes, a, b))
        sets = representation.sets.of(occurring)
        return self._divide(sets.sizes(), left, right, sets.overlaps(left, right))

    def link(self, representation: HasShingleSets, candidates: Candidates) -> Links:
        """Keep the pairs whose overlap reaches the threshold."""
        if candidates.similarities is not None and self.denominator == "union" and self.least <= 1:
            return Links(candidates.a, candidates.b, candidates.similarities, self.grounds)
        nodes = representation.nodes
        occurring, (left, right) = renumber(len(nodes), *_leader_first(nodes, candidates.a, candidates.b))
        sets = representation.sets.of(occurring)
        sizes = sets.sizes()
        if self.denominator == "union" and not self.strict:
            # The overlap of pairs below the threshold is returned as 0.
            shared = sets.overlaps(left, right, "jaccard", threshold_fraction(self.threshold))
            passed = (shared > 0) & self._long_enough(sizes, left, right)
        else:
            shared = sets.overlaps(left, right)
            passed = self._passes(sizes, left, right, shared)
        passed |= nodes.identical(candidates.a, candidates.b)
        scores = self._divide(sizes, left[passed], right[passed], shared[passed])
        return Links(candidates.a[passed], candidates.b[passed], scores, self.grounds)

    def partners(self, representation: HasShingleSets, chosen: Numbers) -> tuple[Numbers, Numbers]:
        """Find every partner of the chosen nodes in one pass over the collection."""
        sets, threshold = representation.sets, threshold_fraction(self.threshold)
        return sets.texts.partners(sets.documents, chosen, sets.shingles.shingling, "jaccard", threshold)[:2]

    def _whole(self, sizes: Numbers, left: Numbers, right: Numbers, shared: Numbers) -> Counts:
        a, b = sizes[left].astype(np.int64), sizes[right].astype(np.int64)
        wholes = {"union": a + b - shared, "min": np.minimum(a, b), "reference": a, "document": b}
        return wholes[self.denominator]

    def _divide(self, sizes: Numbers, left: Numbers, right: Numbers, shared: Numbers) -> Scores:
        whole = self._whole(sizes, left, right, shared)
        return np.divide(shared, whole, out=np.zeros(len(shared)), where=whole > 0)

    def _passes(self, sizes: Numbers, left: Numbers, right: Numbers, shared: Numbers) -> Flags:
        numerator, denominator = threshold_fraction(self.threshold)
        have, need = shared.astype(np.int64) * denominator, self._whole(sizes, left, right, shared) * numerator
        passed: Flags = (shared > 0) & (have > need if self.strict else have >= need)
        return passed & self._long_enough(sizes, left, right)

    def _long_enough(self, sizes: Numbers, left: Numbers, right: Numbers) -> Flags:
        long_enough: Flags = np.minimum(sizes[left], sizes[right]) >= self.least
        return long_enough


def _leader_first(nodes: Nodes, a: Numbers, b: Numbers) -> tuple[Numbers, Numbers]:
    """Swap pairs where needed so that the leading node comes first."""
    swap = a > b
    if nodes.by_popularity:
        swap = (nodes.copies[a] < nodes.copies[b]) | ((nodes.copies[a] == nodes.copies[b]) & swap)
    return np.where(swap, b, a), np.where(swap, a, b)
