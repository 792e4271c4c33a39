"""`exact`: texts whose folded words are the same in the same order.

The document string of Yang & Callan 2006 (section 4.3) is the concatenation of all words without white space and
punctuation. `docstring="paper"` takes that literally, so that "to get her" is "together"; `safe` keeps words apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from neardup.candidates import SameFingerprint
from neardup.cluster import PairLinkage
from neardup.detectors.detector import Detector
from neardup.detectors.recipe import Recipe
from neardup.detectors.settings import choice
from neardup.represent import FingerprintRepresenter, Fingerprints
from neardup.verify import Identical

DocumentString = Literal["safe", "paper"]


@dataclass(frozen=True)
class Exact(Detector):
    """Identical texts only."""

    name: ClassVar[str] = "exact"
    source: ClassVar[str] = "Yang & Callan 2006, section 4.3"

    docstring: DocumentString = choice(
        "safe",
        DocumentString,
        "`safe` keeps words apart; `paper` concatenates them, so that *to get her* is *together*",
        paper="`paper`: Yang & Callan 2006, 4.3",
    )

    def recipe(self) -> Recipe[Fingerprints]:
        """Choose the components; identical texts are collapsed before any of them runs."""
        represent = FingerprintRepresenter(joined=self.docstring == "paper")
        return Recipe(self.whole_texts, represent, SameFingerprint(), Identical(), PairLinkage(self.linkage))
