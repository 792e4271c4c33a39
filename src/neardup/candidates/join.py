"""The exact set-similarity join by prefix filter (Xiao et al. 2008)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from neardup import _core
from neardup.candidates.rule import CandidateRule, comparison_budget, count_guarded
from neardup.represent import ShingleSets
from neardup.stages import Candidates, Hashes, KeyRange, Keys, Numbers, threshold_fraction

Measure = Literal["jaccard", "overlap"]

JOIN_LOOKS = 300_000_000


@dataclass(frozen=True, slots=True)
class Join(CandidateRule[ShingleSets]):
    """Every pair that reaches the threshold, with its overlap.

    `measure` is `jaccard` (at least the threshold) or `overlap` (share of the smaller set, strictly above). `looks` is
    the number of pairs that may be examined before over-common shingles are guarded.
    """

    threshold: float
    measure: Measure = "jaccard"
    looks: int | None = None

    @property
    def defers_common_keys(self) -> bool:
        """The join works with every order of the shingles, so common ones can be put last."""
        return True

    def pairs(self, representation: ShingleSets) -> Candidates:
        """Find every pair at the threshold."""
        nodes, sets = representation.nodes, representation.all()
        (a, b, shared), guarded = sets.similar(
            self.measure,
            threshold_fraction(self.threshold),
            nodes.sides,
            comparison_budget(nodes, JOIN_LOOKS if self.looks is None else self.looks),
            nodes.copies,
        )
        sizes = sets.sizes().astype(np.int64)
        whole = sizes[a] + sizes[b] - shared if self.measure == "jaccard" else np.minimum(sizes[a], sizes[b])
        return Candidates(a, b, shared / whole, examined=len(a), guards=count_guarded(nodes, *guarded))

    def keys(self, representation: ShingleSets, common: Hashes | None = None) -> Keys:
        """Return the first shingles of each node in the order of their hashes, with the sizes of possible partners.

        With the measure `overlap`, a small set may match a much larger one, so every shingle is a key: at position 0 if
        it is among the first, otherwise at position 1, where it meets only keys at position 0.
        """
        sets = representation.of(np.arange(len(representation.nodes), dtype=np.uint32))
        values, offsets, firsts = prefix_keys(sets, self.measure, self.threshold, common)
        counts = np.diff(offsets).astype(np.int64)
        if self.measure == "jaccard":
            numerator, denominator = threshold_fraction(self.threshold)
            sizes = np.repeat(sets.sizes().astype(np.int64), counts)
            partners = (-(-sizes * numerator // denominator), sizes * denominator // numerator)
            return Keys(values, offsets, size_range=KeyRange(sizes, *partners, some_unplaced=False))
        indexes = np.arange(len(values), dtype=np.int64) - np.repeat(offsets[:-1].astype(np.int64), counts)
        later = (indexes >= np.repeat(firsts, counts)).astype(np.int64)
        return Keys(values, offsets, key_range=KeyRange(later, np.zeros_like(later), 1 - later, some_unplaced=False))


def prefix_keys(
    sets: _core.Sets, measure: Measure, threshold: float, common: Hashes | None
) -> tuple[Hashes, Hashes, Numbers]:
    """Return the keys under which each set meets every partner: its first elements by hash, common ones last."""
    fraction = threshold_fraction(threshold)
    if common is None or not len(common):
        return sets.keys(measure, fraction)
    values, offsets, firsts = sets.keys("overlap", fraction)
    sizes = (offsets[1:] - offsets[:-1]).astype(np.int64)
    owners = np.repeat(np.arange(len(sets)), sizes)
    late = common[np.minimum(np.searchsorted(common, values), len(common) - 1)] == values
    # The values of each set are sorted already: common ones move to the end.
    values = values[np.lexsort((late, owners))]
    if measure != "jaccard":
        return values, offsets, firsts
    firsts = (sizes + 1 - np.maximum(-(-sizes * fraction[0] // fraction[1]), 1)).astype(np.uint32)
    indexes = np.arange(len(values)) - np.repeat(offsets[:-1].astype(np.int64), sizes)
    return values[indexes < np.repeat(firsts, sizes)], np.append(0, np.cumsum(firsts)).astype(np.uint64), firsts
