"""The detector."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from additions.letters.candidates import SameLetters
from additions.letters.represent import LetterCounter, LetterCounts
from additions.letters.verify import SimilarCounts
from neardup.cluster import PairLinkage
from neardup.detectors import Detector, Recipe
from neardup.detectors.settings import share


@dataclass(frozen=True)
class SimilarLetters(Detector):
    """Texts in which each letter occurs about as often."""

    name: ClassVar[str] = "letters"
    source: ClassVar[str] = "the tests"

    threshold: float = share(0.9, "similarity of the letter counts, at least")

    def recipe(self) -> Recipe[LetterCounts]:
        """Choose the components."""
        verify, cluster = SimilarCounts(self.threshold), PairLinkage(self.linkage)
        return Recipe(self.whole_texts, LetterCounter(), SameLetters(), verify, cluster)
