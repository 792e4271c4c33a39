"""`full` and `dsc`: the fingerprinting baselines of Yang & Callan 2006, section 6.3.

Full fingerprinting compares all 3-word shingles, shingling (DSC, Broder et al. 1997) every fifth; a document is a
duplicate if the overlap is above 80 %. The paper does not name the denominator: its recall on added and on deleted
blocks fits the smaller of the two sets (`min`). "Every 5 overlapping substrings" is read as every fifth by position;
`selection="hash"` is Broder's sampling by hash value. Texts of fewer than 5 shingles are compared as a whole only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from neardup.candidates import Join
from neardup.cluster import PairGrouper
from neardup.detectors.settings import Detector, Recipe, check_choice, check_count, check_share
from neardup.stages import UNITS, Shingles
from neardup.verify import DENOMINATORS, Overlap

LEAST_SHINGLES = 5


@dataclass(frozen=True)
class Full(Detector):
    """Every shingle is compared."""

    name: ClassVar[str] = "full"
    source: ClassVar[str] = "Yang & Callan 2006, section 6.3"

    threshold: float = 0.8
    shingle: int = 3
    unit: str = "word"
    denominator: str = "min"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_share("threshold", self.threshold, open_top=True)
        check_count("shingle", self.shingle, 1, 10_000)
        check_choice("unit", self.unit, UNITS)
        check_choice("denominator", self.denominator, DENOMINATORS)

    def shingles(self) -> Shingles:
        """Return which shingles stand for a document."""
        return Shingles(self.shingle, self.unit)

    def recipe(self) -> Recipe:
        """Build the stages: the join over the smaller set finds a superset of what any denominator accepts."""
        shingles = self.shingles()
        verifier = Overlap(shingles, self.threshold, self.denominator, strict=True, least=LEAST_SHINGLES)
        return Recipe(PairGrouper(Join(shingles, self.threshold, "overlap"), verifier, self.linkage))


@dataclass(frozen=True)
class Dsc(Full):
    """Every fifth shingle is compared."""

    name: ClassVar[str] = "dsc"

    selection: str = "position"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("selection", self.selection, ("position", "hash"))

    def shingles(self) -> Shingles:
        """Return which shingles stand for a document."""
        return Shingles(self.shingle, self.unit, self.selection, 5)
