"""Banded sketches: pairs that share a band of their sketches (Broder 1997; Shrivastava 2017)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from neardup import _core
from neardup.candidates.join import prefix_keys
from neardup.candidates.rule import (
    SKETCH_LOOKS,
    CandidateRule,
    comparison_budget,
    count_guarded,
    pack_pairs,
    unpack_pairs,
)
from neardup.errors import SettingsError
from neardup.represent import Banding, Sketches
from neardup.stages import Candidates, Fact, Flags, Hashes, Keys, Numbers, threshold_fraction

MOST_SLOTS = 2048
FEW_SHINGLES = 12


def collision(similarity: float, bands: int, rows: int) -> float:
    """Return the probability that two sets of this Jaccard similarity share a band."""
    return 1.0 - (1.0 - similarity**rows) ** bands


def choose_bands(threshold: float, recall: float) -> Banding:
    """Choose the cheapest bands and rows that find a pair at the threshold with this probability.

    The cost counts the slots to fill, the half-similar pairs that have to be verified, and heavily the unrelated ones,
    which are by far the most numerous in a large collection.
    """

    def cost(bands: int, rows: int) -> float:
        return bands * rows + 400 * collision(threshold / 2, bands, rows) + 1e5 * collision(0.02, bands, rows)

    choices = []
    for rows in range(1, 17):
        missed = -math.expm1(math.log(threshold) * rows) if threshold < 1 else 0.0
        bands = 1 if missed == 0 else math.log1p(-recall) / math.log(missed) if missed < 1 else math.inf
        if bands * rows <= MOST_SLOTS:
            choices.append((math.ceil(bands), rows))
    if not choices:
        raise SettingsError(
            f"no sketch finds pairs at threshold {threshold} with recall {recall}: raise the threshold, lower recall, "
            "or use method jaccard, which finds all"
        )
    return Banding(*min(choices, key=lambda choice: (cost(*choice), choice)))


def least_agreement(threshold: float, slots: int, risk: float) -> int:
    """Return the number of slots in which sketches of two sets at the threshold agree, except with this risk."""
    if threshold >= 1:
        return slots
    below = 0.0
    for agreeing in range(slots + 1):
        ways = math.lgamma(slots + 1) - math.lgamma(agreeing + 1) - math.lgamma(slots - agreeing + 1)
        below += math.exp(ways + agreeing * math.log(threshold) + (slots - agreeing) * math.log1p(-threshold))
        if below > risk:
            return agreeing
    return slots


@dataclass(frozen=True, slots=True)
class Bands(CandidateRule[Sketches]):
    """Pairs that share a band and whose sketches agree well enough.

    Of the pairs that may be missed at the threshold, a tenth may be missed because their sketches agree in too few
    slots. This check saves the verification of most other pairs. The slots of a text with few shingles are not
    independent, so such texts are joined exactly.
    """

    threshold: float
    recall: float = 0.999

    @property
    def banding(self) -> Banding:
        """The sketch that finds pairs at the threshold with this recall."""
        return choose_bands(self.threshold, 1 - 0.9 * (1 - self.recall))

    @property
    def may_miss(self) -> bool:
        """Two similar sets may share no band."""
        return True

    @property
    def defers_common_keys(self) -> bool:
        """The keys of short texts are those of the join."""
        return True

    def facts(self, representation: Sketches) -> Mapping[str, Fact]:
        """Return the shape of the sketches."""
        return {"sketch": {"bands": representation.banding.bands, "rows": representation.banding.rows}}

    def pairs(self, representation: Sketches) -> Candidates:
        """Find the pairs that share a band key, without those whose sketches differ too much."""
        nodes, banding = representation.nodes, representation.banding
        a, b, examined, *guarded = _core.banded_candidates(
            representation.band_keys,
            representation.slots,
            (banding.bands, banding.slots),
            representation.sets.documents,
            (self._needed(banding), self._most_words(representation)),
            nodes.lengths,
            nodes.sides,
            comparison_budget(nodes, SKETCH_LOOKS),
            nodes.threads,
            nodes.copies,
        )
        short = self._short_pairs(representation)
        if len(short[0]):
            a, b = unpack_pairs(np.sort(np.concatenate([pack_pairs(a, b), pack_pairs(*short)])))
        return Candidates(a, b, examined=examined + len(short[0]), guards=count_guarded(nodes, *guarded))

    def keys(self, representation: Sketches, common: Hashes | None = None) -> Keys:
        """Return the band keys of each node, and for a short text the keys of the join as well."""
        bands, count = representation.banding.bands, len(representation.nodes)
        banded = representation.band_keys.reshape(-1, bands)[representation.sets.documents].ravel()
        few = self._short_nodes(representation)
        joined, offsets, _ = prefix_keys(representation.sets.of(few), "jaccard", self.threshold, common)
        more = np.diff(offsets).astype(np.int64)
        counts = np.full(count, bands, np.int64)
        counts[few] += more
        owners = np.concatenate([np.repeat(np.arange(count), bands), np.repeat(few, more)])
        order = np.argsort(owners, kind="stable")
        return Keys(np.concatenate([banded, joined])[order], np.append(0, np.cumsum(counts)).astype(np.uint64))

    def admit(self, representation: Sketches, a: Numbers, b: Numbers) -> Flags:
        """Leave out the pairs of long texts whose sketches differ too much."""
        few, documents = self._is_short(representation), representation.sets.documents
        agree = _core.agreeing(
            representation.slots,
            representation.banding.slots,
            documents[a],
            documents[b],
            self._needed(representation.banding),
            representation.nodes.threads,
        )
        return agree | few[a] | few[b]

    def _most_words(self, representation: Sketches) -> int:
        """Return the length of the longest text whose slots, or those of a possible partner, are too few to rely on."""
        size = representation.sets.shingles.size
        return min(int((FEW_SHINGLES + size) / self.threshold), np.iinfo(np.uint32).max)

    def _is_short(self, representation: Sketches) -> Flags:
        few: Flags = representation.nodes.lengths <= self._most_words(representation)
        return few

    def _short_nodes(self, representation: Sketches) -> Numbers:
        return np.flatnonzero(self._is_short(representation)).astype(np.uint32)

    def _needed(self, banding: Banding) -> int:
        """Return in how many slots two sketches must agree to be candidates."""
        return least_agreement(self.threshold, banding.slots, 0.1 * (1 - self.recall))

    def _short_pairs(self, representation: Sketches) -> tuple[Numbers, Numbers]:
        """Find all pairs of short texts by the exact join."""
        nodes, few = representation.nodes, self._short_nodes(representation)
        sets = representation.sets.of(few)
        sides = None if nodes.sides is None else nodes.sides[few]
        threshold, looks = threshold_fraction(self.threshold), comparison_budget(nodes, SKETCH_LOOKS)
        (a, b, _), _ = sets.similar("jaccard", threshold, sides, looks, nodes.copies[few])
        return few[a], few[b]
