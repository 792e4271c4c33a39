"""`simhash`: texts whose 64-bit SimHashes differ in few bits (Charikar 2002; Manku, Jain & Das Sarma 2007)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from neardup.candidates import Blocks
from neardup.cluster import PairLinkage
from neardup.detectors.detector import Detector
from neardup.detectors.methods.shingled import LONGEST_SHINGLE, UNIT_MEANING
from neardup.detectors.recipe import Recipe
from neardup.detectors.settings import choice, whole
from neardup.represent import Shingles, SimHashes, SimHashRepresenter, Unit
from neardup.verify import Hamming


@dataclass(frozen=True)
class SimHash(Detector):
    """Texts whose 64-bit SimHashes differ in few bits."""

    name: ClassVar[str] = "simhash"
    source: ClassVar[str] = "Charikar 2002; Manku et al. 2007"

    threshold: int = whole(3, 0, 11, "differing bits of 64, at most", paper="k = 3: Manku et al. 2007")
    shingle: int = whole(3, 1, LONGEST_SHINGLE, "units in a shingle", paper="features are free: Charikar 2002")
    unit: Unit = choice("word", Unit, UNIT_MEANING)

    def recipe(self) -> Recipe[SimHashes]:
        """Choose the components."""
        return Recipe(
            self.whole_texts,
            SimHashRepresenter(Shingles(self.shingle, self.unit)),
            Blocks(self.threshold),
            Hamming(self.threshold),
            PairLinkage(self.linkage),
        )
