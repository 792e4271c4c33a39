"""Collections of web pages with gold pairs: those whose visible text has an edit similarity above 0.85.

The gold is exact (`_core.edit_pairs`): 1 - d/n with d the Levenshtein distance of the characters, white space folded,
and n the length of the longer text. So is what is compared with it: pairs of pages whose images share enough units.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from time import perf_counter

import numpy as np
import numpy.typing as npt

from neardup import _core
from neardup.evaluate.pairlists import Packed, PairEvaluation, compare_packed, pack, sort_pairs, unpack
from neardup.normalise import Normaliser
from neardup.records import Documents
from neardup.represent.images import ShingleImages
from neardup.stages import Images, Numbers, Shingles, threshold_fraction

SIMILARITY = 0.85
"""What the edit similarity of a gold pair exceeds (section 4)."""

UNLIMITED = 2**63
LEAST_UNITS, LEAST_SHARE = 5, (1, 20)
"""Pairs with fewer units in common, and less of the larger image, are not looked at."""


@dataclass(frozen=True, slots=True)
class Overlaps:
    """Pairs of documents with the number of units that they share, and how many units each document has."""

    a: Numbers
    b: Numbers
    common: npt.NDArray[np.int64]
    sizes: npt.NDArray[np.int64]

    def at_least(self, units: int) -> Packed:
        """Return the pairs that share so many units."""
        return self._packed(self.common >= units)

    def share_at_least(self, numerator: int, denominator: int) -> Packed:
        """Return the pairs that share this part of the larger image."""
        larger = np.maximum(self.sizes[self.a], self.sizes[self.b])
        return self._packed(self.common * denominator >= larger * numerator)

    def _packed(self, chosen: npt.NDArray[np.bool_]) -> Packed:
        packed: Packed = np.sort(pack(self.a[chosen], self.b[chosen]))
        return packed


@dataclass
class Pages:
    """A collection of pages under a name; `boilerplate` says what becomes of their boilerplate."""

    name: str
    documents: Documents
    boilerplate: str = "keep"
    _images: dict[ShingleImages, Images] = field(default_factory=dict)
    _overlaps: dict[ShingleImages, Overlaps] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.documents)

    @cached_property
    def texts(self) -> _core.Texts:
        """The texts as they are compared."""
        return Normaliser(boilerplate=self.boilerplate).open(self.documents)

    @cached_property
    def contents(self) -> _core.Texts:
        """The texts without the boilerplate of the pages."""
        return Normaliser(boilerplate="drop").open(self.documents)

    @cached_property
    def gold(self) -> Packed:
        """The pairs of edit similarity above the threshold."""
        return self._edit_pairs(self.texts)

    @cached_property
    def gold_of_contents(self) -> Packed:
        """The pairs whose contents, without boilerplate, have an edit similarity above the threshold."""
        return self._edit_pairs(self.contents)

    def _edit_pairs(self, texts: _core.Texts) -> Packed:
        a, b, _ = _core.edit_pairs(texts, self._all(len(self)), threshold_fraction(SIMILARITY))
        return sort_pairs(a, b)

    @staticmethod
    def _all(count: int) -> Numbers:
        return np.arange(count, dtype=np.uint32)

    def images(self, maker: ShingleImages) -> Images:
        """Return the image of every page, made once."""
        if maker not in self._images:
            self._images[maker] = maker.images_of(self.texts, self._all(len(self)))
        return self._images[maker]

    def part_of_images(self, maker: ShingleImages, pages: int) -> Images:
        """Return the images of the first pages."""
        images = self.images(maker)
        end = int(images.offsets[pages])
        return Images(images.units[:end], images.offsets[: pages + 1])

    def overlaps(self, maker: ShingleImages) -> Overlaps:
        """Return which pages share how many units."""
        if maker not in self._overlaps:
            images = self.images(maker)
            context = _core.Context.from_arrays(images.units, images.offsets)
            joins = (("shared", (LEAST_UNITS, 1)), ("share", LEAST_SHARE))
            found = [context.overlaps(*join, UNLIMITED).pairs(UNLIMITED)[0] for join in joins]
            a, b, common = (np.concatenate(columns) for columns in zip(*found, strict=True))
            _, once = np.unique(pack(a, b), return_index=True)
            sizes = context.sizes().astype(np.int64)
            self._overlaps[maker] = Overlaps(a[once], b[once], common[once].astype(np.int64), sizes)
        return self._overlaps[maker]

    def compare(self, found: Packed, pages: int | None = None) -> PairEvaluation:
        """Compare pairs with the gold, those of the first pages alone if a number is given."""
        if pages is None:
            return compare_packed(found, self.gold)
        return compare_packed(_among_first(found, pages), _among_first(self.gold, pages))


def _among_first(pairs: Packed, pages: int) -> Packed:
    return pairs[unpack(pairs)[1] < pages]


def make_images(length: int, size: int, choice: str = "bottom") -> ShingleImages:
    """Return what makes images of shingles of so many words."""
    return ShingleImages(Shingles(length), size, choice)


def pair_up(labels: Numbers) -> Packed:
    """Return all pairs of documents that have one label."""
    return np.sort(np.concatenate([*_pairs_of_groups(labels), np.zeros(0, np.uint64)]))


def _pairs_of_groups(labels: Numbers) -> Iterator[Packed]:
    order = np.argsort(labels, kind="stable").astype(np.uint32)
    ends = np.flatnonzero(labels[order][1:] != labels[order][:-1]) + 1
    for group in np.split(order, ends):
        one, other = np.triu_indices(len(group), 1)
        yield pack(group[one], group[other])


@dataclass
class Stopwatch:
    """Seconds since it was made."""

    start: float = field(default_factory=perf_counter)

    @property
    def seconds(self) -> float:
        """The seconds so far."""
        return perf_counter() - self.start
