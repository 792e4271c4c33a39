"""`simhash`: texts whose 64-bit SimHashes differ in few bits (Charikar 2002; Manku, Jain & Das Sarma 2007)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from neardup.candidates import Blocks
from neardup.cluster import PairGrouper
from neardup.detectors.settings import Detector, Recipe, check_choice, check_count
from neardup.stages import UNITS, Shingles
from neardup.verify import Hamming


@dataclass(frozen=True)
class SimHash(Detector):
    """Texts whose hashes differ in at most `threshold` bits."""

    name: ClassVar[str] = "simhash"
    source: ClassVar[str] = "Charikar 2002; Manku et al. 2007"

    threshold: int = 3
    shingle: int = 3
    unit: str = "word"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_count("threshold", self.threshold, 0, 11)
        check_count("shingle", self.shingle, 1, 10_000)
        check_choice("unit", self.unit, UNITS)

    def recipe(self) -> Recipe:
        """Build the stages."""
        shingles = Shingles(self.shingle, self.unit)
        return Recipe(PairGrouper(Blocks(shingles, self.threshold), Hamming(shingles, self.threshold), self.linkage))
