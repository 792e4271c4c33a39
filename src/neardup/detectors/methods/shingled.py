"""`jaccard` and `minhash`: texts whose sets of shingles are similar.

`jaccard` finds every pair by the exact set-similarity join. `minhash` finds candidates by banded one-permutation
MinHash (Broder 1997; Li, Owen & Zhang 2012; Shrivastava 2017) with bands chosen from `threshold` and `recall`, and
verifies each of them exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from neardup.candidates import Bands, Join
from neardup.cluster import PairLinkage
from neardup.detectors.detector import Detector
from neardup.detectors.recipe import Recipe
from neardup.detectors.settings import choice, share, whole
from neardup.represent import ShingleRepresenter, Shingles, ShingleSets, Sketches, SketchRepresenter, Unit
from neardup.verify import Overlap

LONGEST_SHINGLE = 10_000
UNIT_MEANING = (
    "the units of shingles: `word`, or `char` (the letters of the words, a space between words in scripts that use "
    "spaces)"
)


@dataclass(frozen=True)
class Shingled(Detector):
    """Settings of the methods that compare shingle sets by Jaccard similarity."""

    threshold: float = share(0.8, "Jaccard similarity of the shingle sets, at least")
    shingle: int = whole(5, 1, LONGEST_SHINGLE, "units in a shingle")
    unit: Unit = choice("word", Unit, UNIT_MEANING)


@dataclass(frozen=True)
class Jaccard(Shingled):
    """Texts whose shingle sets have a high Jaccard similarity; every pair is found."""

    name: ClassVar[str] = "jaccard"
    source: ClassVar[str] = "Xiao et al. 2008 (PPJoin)"

    def recipe(self) -> Recipe[ShingleSets]:
        """Choose the components."""
        return Recipe(
            self.whole_texts,
            ShingleRepresenter(Shingles(self.shingle, self.unit), counted=True, threshold=self.threshold),
            Join(self.threshold),
            Overlap(self.threshold),
            PairLinkage(self.linkage),
        )


@dataclass(frozen=True)
class MinHash(Shingled):
    """The same pairs as jaccard, found by sketches: faster on large collections, at a stated recall."""

    name: ClassVar[str] = "minhash"
    source: ClassVar[str] = "Broder 1997; Shrivastava 2017"

    recall: float = share(
        0.999,
        "share of the pairs at the threshold that must be found; it determines the bands of the sketches",
        below_one=True,
    )

    def recipe(self) -> Recipe[Sketches]:
        """Choose the components."""
        bands = Bands(self.threshold, self.recall)
        return Recipe(
            self.whole_texts,
            SketchRepresenter(Shingles(self.shingle, self.unit), bands.banding),
            bands,
            Overlap(self.threshold),
            PairLinkage(self.linkage),
        )
