"""`concepts`: web pages in overlapping clusters that share at least k description units (Ignatov & Kuznetsov 2009).

A document is an image: the `size` smallest shingle hashes (`bottom`), the smallest in each of `size` orders
(`permutations`), or its words of middling frequency (`words`). Similarity is not a relation but an operation: a cluster
is the set of all documents that have some units in common, at least `units` of them. Documents are never chained: all
members of a cluster share the same units, so any two are similar; and since a document can share this with some and
that with others, clusters overlap. `cover` gives a few clusters that hold every document with a partner, `maximal`
those in no other (FPmax* in the paper), `closed` all. Pairs are those that share enough, whatever the clusters.
`linkage="components"` gives what the paper argues against, the transitive closure of the pairs.

Departures: shingles are of 5 words and offsets count words; orders come from a mixing hash and minima are tagged,
`paper=True` takes the paper's binary matrices; a document with fewer units than needed is reported as `too_short`, or
measured by its own with `short="relative"`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from neardup.cluster import ConceptGrouper, Need
from neardup.cluster.concepts import KINDS
from neardup.detectors.settings import Detector, Recipe, check_choice, check_count, open_lexicon
from neardup.errors import SettingsError
from neardup.represent import GROWTHS, Lexicon, ShingleImages, WordImages
from neardup.stages import UNITS, ImageMaker, Shingles

IMAGES = ("bottom", "permutations", "words")
SHORT = ("report", "relative")
MOST_UNITS = 10_000
LEAST_SHARE = 0.001


@dataclass(frozen=True)
class ConceptDetector(Detector):
    """Overlapping clusters of documents that share at least so many description units."""

    name: ClassVar[str] = "concepts"
    source: ClassVar[str] = "Ignatov & Kuznetsov 2009"
    compares_collections: ClassVar[bool] = False

    image: str = "bottom"
    size: int = 100
    growth: str = "fixed"
    shingle: int = 5
    unit: str = "word"
    offset: int = 1
    units: float | int = 0.85
    short: str = "report"
    clusters: str = "cover"
    max_clusters: int = 10_000
    paper: bool = False
    lexicon: Lexicon | str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        choices = {"image": IMAGES, "growth": GROWTHS, "unit": UNITS, "short": SHORT, "clusters": KINDS}
        for name, known in choices.items():
            check_choice(name, getattr(self, name), known)
        for name in ("shingle", "offset", "size"):
            check_count(name, getattr(self, name), 1, MOST_UNITS)
        check_count("max_clusters", self.max_clusters, 1, 2**63)
        self._check_units()
        object.__setattr__(self, "lexicon", open_lexicon(self.lexicon))

    def _check_units(self) -> None:
        share = isinstance(self.units, float | np.floating) and LEAST_SHARE <= self.units < 1
        count = isinstance(self.units, int) and not isinstance(self.units, bool) and 1 <= self.units <= self.size
        if not share and not count:
            raise SettingsError(
                f"units is {self.units!r}, but must be a whole number from 1 to the size of an image, {self.size}, "
                f"or a share of it from {LEAST_SHARE} to below 1"
            )
        if share:
            object.__setattr__(self, "units", float(self.units))

    @property
    def need(self) -> Need:
        """How many units a document must share: a number, or a share of its own where images differ in size."""
        even = self.image != "words" and self.growth == "fixed"
        if self.short == "report" and isinstance(self.units, int):
            return Need(units=self.units)
        share = Fraction(str(self.units)) if isinstance(self.units, float) else Fraction(self.units, self.size)
        if self.short == "report" and even:
            return Need(units=math.ceil(share * self.size))
        return Need(share=float(share))

    def recipe(self) -> Recipe:
        """Build the stages."""
        maker: ImageMaker
        if self.image == "words":
            maker = WordImages(self.size, lexicon=self.lexicon if isinstance(self.lexicon, Lexicon) else None)
        else:
            shingles = Shingles(self.shingle, self.unit)
            maker = ShingleImages(shingles, self.size, self.image, self.offset, self.growth, self.paper)
        return Recipe(ConceptGrouper(maker, self.need, self.clusters, self.max_clusters, self.linkage))
