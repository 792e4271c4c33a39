"""Collections of web pages with gold pairs: pairs of pages whose visible texts have an edit similarity above 0.85.

The gold is exact: 1 - d/n with d the Levenshtein distance of the characters, white space folded, and n the length of
the longer text. The pairs compared with it are exact too: pages whose images share enough units.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from neardup.evaluate.contingency import Booleans
from neardup.evaluate.pairlists import Packed, PairEvaluation, compare_packed, pack, sort_pairs
from neardup.records import Documents
from neardup.reproduce.concepts.detection import (
    Images,
    ImageSettings,
    Numbers,
    Texts,
    find_edit_pairs,
    find_overlaps,
    make_images,
    open_texts,
)

SIMILARITY = 0.85
"""Gold pairs have an edit similarity above this (section 4)."""


@dataclass(frozen=True, slots=True)
class Overlaps:
    """Pairs of documents with the number of units that they share, and the number of units of each document."""

    a: Numbers
    b: Numbers
    common: npt.NDArray[np.int64]
    sizes: npt.NDArray[np.int64]

    def at_least(self, units: int) -> Packed:
        """Return the pairs that share at least this many units."""
        return self._pack(self.common >= units)

    def share_at_least(self, numerator: int, denominator: int) -> Packed:
        """Return the pairs that share at least this part of the larger image."""
        larger = np.maximum(self.sizes[self.a], self.sizes[self.b])
        return self._pack(self.common * denominator >= larger * numerator)

    def _pack(self, chosen: Booleans) -> Packed:
        packed: Packed = np.sort(pack(self.a[chosen], self.b[chosen]))
        return packed


@dataclass
class Pages:
    """A named collection of pages; texts, gold pairs, images and overlaps are computed once, when first needed."""

    name: str
    documents: Documents
    _images: dict[ImageSettings, Images] = field(default_factory=dict)
    _overlaps: dict[ImageSettings, Overlaps] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.documents)

    @cached_property
    def texts(self) -> Texts:
        """The texts with their boilerplate."""
        return open_texts(self.documents, "keep")

    @cached_property
    def contents(self) -> Texts:
        """The texts without their boilerplate."""
        return open_texts(self.documents, "drop")

    @cached_property
    def gold(self) -> Packed:
        """The pairs of pages with an edit similarity above the threshold."""
        return sort_pairs(*find_edit_pairs(self.texts, SIMILARITY))

    @cached_property
    def gold_of_contents(self) -> Packed:
        """The pairs of pages whose contents, without boilerplate, have an edit similarity above the threshold."""
        return sort_pairs(*find_edit_pairs(self.contents, SIMILARITY))

    def images(self, settings: ImageSettings) -> Images:
        """Return the image of every page."""
        if settings not in self._images:
            self._images[settings] = make_images(self.texts, settings)
        return self._images[settings]

    def first_images(self, settings: ImageSettings, count: int) -> Images:
        """Return the images of the first `count` pages."""
        images = self.images(settings)
        end = int(images.offsets[count])
        return Images(images.units[:end], images.offsets[: count + 1])

    def overlaps(self, settings: ImageSettings) -> Overlaps:
        """Return the pairs of pages that share units."""
        if settings not in self._overlaps:
            a, b, common, sizes = find_overlaps(self.images(settings))
            _, once = np.unique(pack(a, b), return_index=True)
            self._overlaps[settings] = Overlaps(a[once], b[once], common[once].astype(np.int64), sizes)
        return self._overlaps[settings]

    def compare(self, found: Packed) -> PairEvaluation:
        """Compare pairs with the gold."""
        return compare_packed(found, self.gold)


def pair_up(labels: Numbers) -> Packed:
    """Return all pairs of documents that have the same label."""
    return np.sort(np.concatenate([*_pairs_of_groups(labels), np.zeros(0, np.uint64)]))


def _pairs_of_groups(labels: Numbers) -> Iterator[Packed]:
    order = np.argsort(labels, kind="stable").astype(np.uint32)
    ends = np.flatnonzero(labels[order][1:] != labels[order][:-1]) + 1
    for group in np.split(order, ends):
        one, other = np.triu_indices(len(group), 1)
        yield pack(group[one], group[other])
