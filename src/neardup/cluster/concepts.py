"""Clusters as closed sets: all documents that share at least so many description units (Ignatov & Kuznetsov 2009).

Pairs come from the overlap join of the images, clusters from mining each component of their graph: all closed sets, the
maximal ones, or a cover of every document with a partner. Where a component has too many clusters or takes too many
steps, the next cheaper answer is given for it, which is counted. The paper's closed sets can be exponentially many; the
cover is what it leaves to further work.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from neardup import _core
from neardup.cluster.linkage import leading_order
from neardup.stages import (
    Corpus,
    Grouping,
    ImageMaker,
    Images,
    Links,
    Numbers,
    OverlappingClusters,
    Scores,
    Stage,
    threshold_fraction,
)

KINDS = ("cover", "maximal", "closed")
LOOKS, LOOKS_EACH = 100_000_000, 500
"""How many pairs of images are looked at, and how many more for each document, before common units are guarded."""
LISTED, LISTED_EACH = 20_000_000, 20
"""How many pairs of documents are listed, and how many more for each, before equal images are listed by their first."""
STEPS = 20_000_000_000
"""How many steps closed and maximal clusters may take in all: some tens of seconds."""
UNLIMITED = 2**63


@dataclass(frozen=True, slots=True)
class Need:
    """How many units a document must share: `units` of them, or this `share` of its own, which is exact as written."""

    units: int | None = None
    share: float | None = None

    @property
    def measure(self) -> tuple[str, tuple[int, int]]:
        """The same, as `_core` takes it."""
        if self.share is not None:
            return "share", threshold_fraction(self.share)
        return "shared", (self.units or 1, 1)


@dataclass(frozen=True, slots=True)
class Concepts:
    """Clusters of a context of images and the pairs that share enough, `common` units each.

    Members of cluster i are `members[offsets[i]:offsets[i+1]]`, and share `units[i]` units. `short` marks the documents
    with too few units to share enough with any.
    """

    offsets: npt.NDArray[np.uint64]
    members: Numbers
    units: Numbers
    a: Numbers
    b: Numbers
    common: Numbers
    short: npt.NDArray[np.bool_]
    guards: dict[str, int] = field(default_factory=dict)
    facts: dict[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.units)

    def of(self, cluster: int) -> Numbers:
        """Return the documents of one cluster."""
        return self.members[int(self.offsets[cluster]) : int(self.offsets[cluster + 1])]


@dataclass(frozen=True, slots=True)
class Limits:
    """When guards begin to cut off: clusters of a component, steps of mining, pairs to look at and to list."""

    clusters: int = UNLIMITED
    steps: int = UNLIMITED
    looks: int = UNLIMITED
    pairs: int = UNLIMITED


def mine_concepts(
    images: Images,
    need: Need,
    kind: str = "closed",
    *,
    limits: Limits = Limits(),  # noqa: B008 - frozen
    copies: Numbers | None = None,
    threads: int = 0,
) -> Concepts:
    """Find the pairs and the clusters of a context; `copies` says how many texts each document stands for."""
    context = _core.Context(images.units, images.offsets, copies, threads)
    overlaps = context.overlaps(*need.measure, limits.looks)
    (a, b, common), unlisted = overlaps.pairs(limits.pairs)
    offsets, members, units, (components, maximal, cover) = overlaps.clusters(kind, limits.clusters, limits.steps)
    keys, not_compared = overlaps.guarded
    distinct, known, shared, patterns = context.counts()
    guards = {
        "keys": keys,
        "pairs_not_compared": not_compared,
        "pairs_not_listed": unlisted,
        "components_mined_as_maximal": maximal,
        "components_mined_as_cover": cover,
    }
    facts = {
        "images": distinct,
        "units": known,
        "shared_units": shared,
        "distinct_rows": patterns,
        "components": components,
    }
    given = {name: number for name, number in guards.items() if number}
    return Concepts(offsets, members, units, a, b, common, overlaps.short(), given, facts)
