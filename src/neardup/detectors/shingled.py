"""`jaccard` and `minhash`: texts whose sets of shingles are similar.

`jaccard` finds every pair by the exact set-similarity join. `minhash` finds candidates by banded one-permutation
MinHash (Broder 1997; Li, Owen & Zhang 2012; Shrivastava 2017) with bands chosen from `threshold` and `recall`, and
verifies each of them exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from neardup.candidates import Bands, Join
from neardup.cluster import PairGrouper
from neardup.detectors.settings import Detector, Recipe, check_choice, check_count, check_share
from neardup.stages import UNITS, Shingles
from neardup.verify import Overlap


@dataclass(frozen=True)
class Jaccard(Detector):
    """Every pair whose shingle sets have at least this Jaccard similarity."""

    name: ClassVar[str] = "jaccard"
    source: ClassVar[str] = "Xiao et al. 2008 (PPJoin)"

    threshold: float = 0.8
    shingle: int = 5
    unit: str = "word"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_share("threshold", self.threshold)
        check_count("shingle", self.shingle, 1, 10_000)
        check_choice("unit", self.unit, UNITS)

    def recipe(self) -> Recipe:
        """Build the stages."""
        shingles = Shingles(self.shingle, self.unit)
        return Recipe(PairGrouper(Join(shingles, self.threshold), Overlap(shingles, self.threshold), self.linkage))


@dataclass(frozen=True)
class MinHash(Jaccard):
    """The same pairs, found by sketches: `recall` is the share of those at the threshold that must be found."""

    name: ClassVar[str] = "minhash"
    source: ClassVar[str] = "Broder 1997; Shrivastava 2017"

    recall: float = 0.999

    def __post_init__(self) -> None:
        super().__post_init__()
        check_share("recall", self.recall, open_top=True)

    def recipe(self) -> Recipe:
        """Build the stages."""
        shingles = Shingles(self.shingle, self.unit)
        verifier = Overlap(shingles, self.threshold)
        candidates = Bands(shingles, self.threshold, self.recall)
        return Recipe(PairGrouper(candidates, verifier, self.linkage, audited=True))
