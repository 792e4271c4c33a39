"""`simfinder`: near-duplicates among messages, titles and other short texts (Gong, Huang, Cheng & Bai 2008).

A text is the set of its terms; each term weighs by its class, its frequency in a background and its length (equations 1
and 2); the duplicate degree of two texts is the weight that they share over the weight of both (equation 4), at least
0.65. The paper compares texts that share a fingerprint of three contiguous terms among the heaviest (`candidates`
`fingerprints`, inequality 5), which misses some; the default `prefix` finds every pair, by the exact join of weighted
sets. `skip_connected` is the paper's Remark 2: what is connected already is not compared, which needs `linkage`
`components`. As printed, the most frequent term of a class weighs most, on a linear scale, times its length in
characters: `paper=True` does so, and takes fingerprints; the defaults are what tells duplicates best on labelled pairs.
The paper does not print its weight intervals: `classes` names a table that replaces ours.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import ClassVar

from neardup.candidates import TermGrams, WeightedPrefix
from neardup.cluster import PairGrouper
from neardup.detectors.settings import Detector, Recipe, check_choice, check_count, check_share, open_lexicon
from neardup.errors import SettingsError
from neardup.represent import DIRECTIONS, LENGTHS, SCALES, ClassTable, Lexicon, Weighting
from neardup.verify import WeightedOverlap

CANDIDATES = ("prefix", "fingerprints")
MOST_TERMS = 12
DEFAULTS = {"direction": "inverse", "scale": "linear", "length": "off", "candidates": "prefix"}
PAPER = {"direction": "paper", "scale": "linear", "length": "characters", "candidates": "fingerprints"}


@dataclass(frozen=True)
class SimFinder(Detector):
    """Short texts whose weighted terms are mostly the same; settings that are None are chosen by `paper`."""

    name: ClassVar[str] = "simfinder"
    source: ClassVar[str] = "Gong et al. 2008"

    threshold: float = 0.65
    gram: int = 3
    features: int | None = None
    direction: str | None = None
    scale: str | None = None
    length: str | None = None
    candidates: str | None = None
    skip_connected: bool = False
    classes: ClassTable | str | None = None
    lexicon: Lexicon | str | None = None
    paper: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_share("threshold", self.threshold)
        check_count("gram", self.gram, 1, MOST_TERMS)
        if self.features is not None:
            check_count("features", self.features, 0, 10_000)
        chosen = PAPER if self.paper else DEFAULTS
        known = {"direction": DIRECTIONS, "scale": SCALES, "length": LENGTHS, "candidates": CANDIDATES}
        for name, choices in known.items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, chosen[name])
            check_choice(name, getattr(self, name), choices)
        if self.skip_connected and self.linkage != "components":
            raise SettingsError("skip_connected takes what is connected for the same: it needs linkage=components")
        if isinstance(self.classes, str | os.PathLike):
            object.__setattr__(self, "classes", ClassTable.load(self.classes))
        elif self.classes is not None and not isinstance(self.classes, ClassTable):
            raise SettingsError(f"classes is {self.classes!r}, but must be the path of a TOML file")
        object.__setattr__(self, "lexicon", open_lexicon(self.lexicon))
        _ = self.weighting

    @property
    def weighting(self) -> Weighting:
        """How terms are weighted."""
        return Weighting(
            self.classes if isinstance(self.classes, ClassTable) else ClassTable.own(),
            self.direction or "",
            self.scale or "",
            self.length or "",
            "rare" if self.candidates == "prefix" else "heavy",
            self.lexicon if isinstance(self.lexicon, Lexicon) else None,
        )

    def recipe(self) -> Recipe:
        """Build the stages."""
        verifier = WeightedOverlap(self.threshold)
        if self.candidates == "prefix":
            prefix = WeightedPrefix(self.threshold, self.skip_connected)
            return Recipe(PairGrouper(prefix, verifier, self.linkage), terms=self.weighting)
        grams = TermGrams(self.threshold, self.gram, self.features, not self.paper, self.skip_connected)
        audited = not self.skip_connected
        return Recipe(PairGrouper(grams, verifier, self.linkage, audited=audited), terms=self.weighting)
