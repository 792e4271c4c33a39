"""A detector from existing components in one file: texts whose words are mostly contained in each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from neardup.candidates import Join
from neardup.cluster import PairLinkage
from neardup.detectors import Detector, Recipe
from neardup.detectors.settings import share
from neardup.represent import ShingleRepresenter, Shingles, ShingleSets
from neardup.verify import Overlap


@dataclass(frozen=True)
class SharedWords(Detector):
    """Texts of which the shorter one shares most of its words with the longer one."""

    name: ClassVar[str] = "shared_words"
    source: ClassVar[str] = "the tests"

    threshold: float = share(0.6, "share of the words of the shorter text, strictly above", below_one=True)

    def recipe(self) -> Recipe[ShingleSets]:
        """Choose the components."""
        return Recipe(
            self.whole_texts,
            ShingleRepresenter(Shingles(1), counted=True),
            Join(self.threshold, "overlap"),
            Overlap(self.threshold, "min", strict=True),
            PairLinkage(self.linkage),
        )
