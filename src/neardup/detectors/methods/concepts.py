"""`concepts`: web pages in overlapping clusters that share at least k description units (Ignatov & Kuznetsov 2009).

A document is an image: the `size` smallest shingle hashes (`bottom`), the smallest in each of `size` orders
(`permutations`), or its words of medium frequency (`words`). Similarity is not a relation but an operation: a cluster
is the set of all documents that have some units in common, at least `units` of them. Documents are never chained: all
members of a cluster share the same units, so any two are similar; and since a document can share some units with one
group and other units with another, clusters overlap. `cover` gives a few clusters that contain every document with
a partner, `maximal` those that are in no other (FPmax* in the paper), `closed` all. Pairs are those that share enough,
independent of the clusters. `linkage="components"` gives what the paper argues against, the transitive closure.

Departures: shingles are of 5 words and offsets count words; orders come from a mixing hash and minima are tagged,
`paper=True` takes the paper's binary matrices; a document with fewer units than needed is reported as `too_short`, or
measured by its own with `short="relative"`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

import numpy as np

from neardup.cluster import ClusterKind, ConceptClusterer, Need
from neardup.detectors.detector import LexiconDetector
from neardup.detectors.recipe import CollectionRecipe
from neardup.detectors.settings import LEAST_SHARE, Kind, choice, flag, lexicon_file, special, whole
from neardup.errors import SettingsError
from neardup.represent import Growth, Lexicon, NodeImages, ShingleImages, Shingles, Unit, WordImages

Image = Literal["bottom", "permutations", "words"]
Short = Literal["report", "relative"]
MOST_UNITS = 10_000
IGNATOV = "Ignatov & Kuznetsov 2009"


@dataclass(frozen=True, slots=True)
class UnitCount(Kind):
    """A number of units, or a share of the size of an image; `complete` compares it with the size."""

    def accept(self, name: str, value: object) -> object:
        """Convert a NumPy number to a Python number."""
        return float(value) if isinstance(value, np.floating) else value

    def describe(self) -> str:
        """Give the bounds."""
        return f"1 to size, or {LEAST_SHARE} to below 1"

    def hint(self) -> str:
        """Return the type of the number."""
        return "float | int"


@dataclass(frozen=True)
class ConceptDetector(LexiconDetector):
    """Overlapping clusters of documents that share at least a given number of description units."""

    name: ClassVar[str] = "concepts"
    source: ClassVar[str] = IGNATOV
    compares_collections: ClassVar[bool] = False

    image: Image = choice(
        "bottom",
        Image,
        "the units of a document: its smallest shingles in one order (`bottom`), the smallest in each of several "
        "(`permutations`), its words of medium frequency (`words`)",
        paper=f"both orders, lexical images: {IGNATOV}, 2.1",
    )
    size: int = whole(100, 1, MOST_UNITS, "units in an image", paper=f"100, 150: {IGNATOV}, 4")
    growth: Growth = choice(
        "fixed",
        Growth,
        "images of `size` units (`fixed`), by the logarithm of the length (`log`), or one shingle in `size` (`linear`)",
        paper=f"{IGNATOV}, 1",
    )
    shingle: int = whole(5, 1, MOST_UNITS, "words (or characters) in a shingle", paper=f"10, 20: {IGNATOV}, 4")
    unit: Unit = choice("word", Unit, "the units of shingles: `word` or `char`")
    offset: int = whole(1, 1, MOST_UNITS, "distance between the beginnings of shingles", paper=f"1: {IGNATOV}, 4")
    units: float | int = special(
        0.85,
        UnitCount(),
        "units that the members of a cluster share, at least: a number, or below 1 a share of `size`",
        paper=f"85 to 100 of 100: {IGNATOV}, Table 2",
    )
    short: Short = choice(
        "report",
        Short,
        "documents with too few units: `report` them as too short, or take shares of their own images (`relative`)",
    )
    clusters: ClusterKind = choice(
        "cover",
        ClusterKind,
        "which sets of documents: a few that contain every document with a partner (`cover`), `maximal` ones, all "
        "`closed` ones",
        paper=f"maximal, closed; a cover is the paper's future work: {IGNATOV}, 2.2 and 5",
    )
    max_clusters: int = whole(10_000, 1, 2**63, "a component with more clusters gets a coarser kind of clusters")
    paper: bool = flag("`true`: orders by random binary matrices, untagged", paper=f"{IGNATOV}, 2.1")
    lexicon: Lexicon | None = lexicon_file(
        "a [lexicon](lexicons.md) for `image=words` in place of the collection's own", paper=f"{IGNATOV}, 1"
    )

    def complete(self) -> None:
        """Check the required units against the size of an image."""
        needs_share = isinstance(self.units, float) and LEAST_SHARE <= self.units < 1
        needs_count = isinstance(self.units, int) and not isinstance(self.units, bool) and 1 <= self.units <= self.size
        if not needs_share and not needs_count:
            raise SettingsError(
                f"units is {self.units!r}, but must be a whole number from 1 to the size of an image, {self.size}, "
                f"or a share of it from {LEAST_SHARE} to below 1"
            )

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

    @property
    def images(self) -> ShingleImages | WordImages:
        """How the image of a document is made."""
        if self.image == "words":
            return WordImages(self.size, lexicon=self.lexicon)
        shingles = Shingles(self.shingle, self.unit)
        return ShingleImages(shingles, self.size, self.image, self.offset, self.growth, self.paper)

    def recipe(self) -> CollectionRecipe[NodeImages]:
        """Choose the components."""
        cluster = ConceptClusterer(self.need, self.clusters, self.max_clusters, self.linkage)
        return CollectionRecipe(self.whole_texts, self.images, cluster)
