"""`full` and `dsc`: the fingerprinting baselines of Yang & Callan 2006, section 6.3.

Full fingerprinting compares all 3-word shingles, shingling (DSC, Broder et al. 1997) every fifth; a document is a
duplicate if the overlap is above 80 %. The paper does not name the denominator: its recall on added and on deleted
blocks fits the smaller of the two sets (`min`). "Every 5 overlapping substrings" is read as every fifth by position;
`selection="hash"` is Broder's sampling by hash value. Texts of fewer than 5 shingles are linked only if identical.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from neardup.candidates import Join
from neardup.cluster import PairLinkage
from neardup.detectors.detector import Detector
from neardup.detectors.methods.shingled import LONGEST_SHINGLE, UNIT_MEANING
from neardup.detectors.recipe import Recipe
from neardup.detectors.settings import choice, share, whole
from neardup.represent import ShingleRepresenter, Shingles, ShingleSets, Unit
from neardup.verify import Denominator, Overlap

LEAST_SHINGLES = 5
BASELINES = "Yang & Callan 2006, 6.3"
Sampling = Literal["position", "hash"]


@dataclass(frozen=True)
class Full(Detector):
    """Texts that share most of the shingles of the smaller one; every shingle is compared."""

    name: ClassVar[str] = "full"
    source: ClassVar[str] = "Yang & Callan 2006, section 6.3"

    threshold: float = share(
        0.8, "share of common shingles, strictly above", paper=f"above 80 %: {BASELINES}", below_one=True
    )
    shingle: int = whole(3, 1, LONGEST_SHINGLE, "units in a shingle", paper=f"s = 3: {BASELINES}")
    unit: Unit = choice("word", Unit, UNIT_MEANING)
    denominator: Denominator = choice(
        "min",
        Denominator,
        "the share is of the smaller set (`min`), the earlier text (`reference`), the later text (`document`), or of "
        "all shingles of both (`union`)",
        paper=f"not named in {BASELINES}",
    )

    def shingles(self) -> Shingles:
        """Return which shingles represent a document."""
        return Shingles(self.shingle, self.unit)

    def recipe(self) -> Recipe[ShingleSets]:
        """Choose the components; the join over the smaller set finds a superset of what any denominator accepts."""
        return Recipe(
            self.whole_texts,
            ShingleRepresenter(self.shingles(), counted=True),
            Join(self.threshold, "overlap"),
            Overlap(self.threshold, self.denominator, strict=True, least=LEAST_SHINGLES),
            PairLinkage(self.linkage),
        )


@dataclass(frozen=True)
class Dsc(Full):
    """Texts that share most of the shingles of the smaller one; every fifth shingle is compared."""

    name: ClassVar[str] = "dsc"

    selection: Sampling = choice(
        "position",
        Sampling,
        "which fifth of the shingles: by `position`, or those whose `hash` is a multiple of 5",
        paper=f"`position`: {BASELINES}; `hash`: Broder et al. 1997",
    )

    def shingles(self) -> Shingles:
        """Return which shingles represent a document."""
        return Shingles(self.shingle, self.unit, self.selection, 5)
