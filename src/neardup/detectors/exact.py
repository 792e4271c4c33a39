"""`exact`: texts whose folded words are the same in the same order.

The document string of Yang & Callan 2006 (section 4.3) is the concatenation of all words without white space and
punctuation. `docstring="paper"` takes that literally, so that "to get her" is "together"; `safe` keeps words apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from neardup.candidates import Fingerprints
from neardup.cluster import PairGrouper
from neardup.detectors.settings import Detector, Recipe, check_choice
from neardup.verify import Identical


@dataclass(frozen=True)
class Exact(Detector):
    """Identical texts only."""

    name: ClassVar[str] = "exact"
    source: ClassVar[str] = "Yang & Callan 2006, section 4.3"

    docstring: str = "safe"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("docstring", self.docstring, ("safe", "paper"))

    def recipe(self) -> Recipe:
        """Build the stages: identical texts are collapsed before any stage sees them."""
        joined = self.docstring == "paper"
        return Recipe(PairGrouper(Fingerprints(joined), Identical(), self.linkage))
