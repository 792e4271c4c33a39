"""The parts of the package that the experiments of Ignatov & Kuznetsov 2009 use beyond `neardup.find`.

Only this module knows how images are made, compared, mined and bisected inside the package.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from neardup import _core
from neardup._core import Texts
from neardup.cluster import ClusterKind, Limits, Need, mine_concepts
from neardup.normalise import Boilerplate, Normaliser
from neardup.records import Documents
from neardup.represent import Choice, Images, ShingleImages, Shingles
from neardup.stages import Numbers, threshold_fraction

__all__ = [
    "ImageSettings",
    "Images",
    "Numbers",
    "Texts",
    "bisect",
    "find_edit_pairs",
    "find_overlaps",
    "make_images",
    "mine_clusters",
    "open_texts",
]

UNLIMITED = 2**63
LEAST_UNITS, LEAST_SHARE = 5, (1, 20)
"""Pairs are found if they share this many units, or this part of the larger image."""

LIMITS = Limits(clusters=10_000, steps=2_000_000_000)
BISECTION_TRIALS, BISECTION_SEED = 10, 1


@dataclass(frozen=True, slots=True)
class ImageSettings:
    """Images of `size` shingles of `length` words: the smallest in one order, or the minima of many permutations."""

    length: int
    size: int
    choice: Choice = "bottom"


@dataclass(frozen=True, slots=True)
class MinedClusters:
    """The numbers of clusters and of pairs found, and of the components for which a guard reduced the search."""

    clusters: int
    pairs: int
    components_cut: int


def open_texts(documents: Documents, boilerplate: Boilerplate) -> Texts:
    """Return the normalised texts of pages; `boilerplate` is "keep" or "drop"."""
    return Normaliser(boilerplate=boilerplate).open(documents)


def make_images(texts: Texts, settings: ImageSettings) -> Images:
    """Return the image of every text."""
    maker = ShingleImages(Shingles(settings.length), settings.size, settings.choice)
    return maker.images_of(texts, _number_texts(texts))


def find_edit_pairs(texts: Texts, similarity: float) -> tuple[Numbers, Numbers]:
    """Return the pairs of texts with an edit similarity above a threshold."""
    a, b, _ = _core.edit_pairs(texts, _number_texts(texts), threshold_fraction(similarity))
    return a, b


def _number_texts(texts: Texts) -> Numbers:
    return np.arange(len(texts), dtype=np.uint32)


def find_overlaps(images: Images) -> tuple[Numbers, Numbers, Numbers, npt.NDArray[np.int64]]:
    """Return pairs of documents with the number of units that they share, some twice; and the sizes of all images."""
    context = _core.Context.from_arrays(images.units, images.offsets)
    joins = (("shared", (LEAST_UNITS, 1)), ("share", LEAST_SHARE))
    found = [context.overlaps(*join, UNLIMITED).pairs(UNLIMITED)[0] for join in joins]
    a, b, common = (np.concatenate(columns) for columns in zip(*found, strict=True))
    return a, b, common, context.sizes().astype(np.int64)


def mine_clusters(images: Images, units: int, kind: ClusterKind) -> MinedClusters:
    """Find the maximal or closed clusters of documents that share at least `units` units, or a cover of them."""
    found = mine_concepts(images, Need(units=units), kind, limits=LIMITS)
    guards = ("components_mined_as_cover", "components_mined_as_maximal")
    return MinedClusters(len(found), len(found.a), sum(found.guards.get(name, 0) for name in guards))


def bisect(images: Images, clusters: int) -> Numbers:
    """Return the labels of a repeated bisection into this many clusters."""
    return _core.bisect(images.offsets, images.units, [clusters], BISECTION_TRIALS, BISECTION_SEED, 0)[0]
