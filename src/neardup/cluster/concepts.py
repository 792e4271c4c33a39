"""Clusters as closed sets: all documents that share enough description units (Ignatov & Kuznetsov 2009).

Pairs come from the overlap join of the images, clusters from mining each component of their graph: all closed sets, the
maximal ones, or a cover of every document with a partner. Where a component has too many clusters or takes too many
steps, the next cheaper kind is used for it, which is counted. The paper's closed sets can be exponentially many; the
cover is what it names as future work.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from neardup import _core
from neardup.cluster.clusterer import CollectionClusterer
from neardup.cluster.linkage import Linkage, find_leaders, leading_order
from neardup.represent import Images, NodeImages
from neardup.stages import (
    Fact,
    Grouping,
    Links,
    Nodes,
    Numbers,
    OverlappingClusters,
    Scores,
    Stage,
    threshold_fraction,
)

ClusterKind = Literal["cover", "maximal", "closed"]
LOOKS, LOOKS_EACH = 100_000_000, 500
"""How many pairs of images are examined, and how many more for each document, before common units are guarded."""
LISTED, LISTED_EACH = 20_000_000, 20
"""How many pairs are listed, and how many more for each document, before equal images are listed once."""
STEPS = 20_000_000_000
"""How many steps closed and maximal clusters may take in all: some tens of seconds."""
UNLIMITED = 2**63


@dataclass(frozen=True, slots=True)
class Need:
    """How many units a document must share: a number of `units`, or a `share` of its own, exact as written."""

    units: int | None = None
    share: float | None = None

    @property
    def measure(self) -> tuple[str, tuple[int, int]]:
        """The requirement in the form that `_core` takes."""
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
    """The limits of the guards: clusters of a component, steps of mining, pairs to examine and to list."""

    clusters: int = UNLIMITED
    steps: int = UNLIMITED
    looks: int = UNLIMITED
    pairs: int = UNLIMITED


def mine_concepts(
    images: Images,
    need: Need,
    kind: ClusterKind = "closed",
    *,
    limits: Limits = Limits(),  # noqa: B008 - frozen
    copies: Numbers | None = None,
    threads: int = 0,
) -> Concepts:
    """Find the pairs and the clusters of a context; `copies` is the number of texts that each document represents."""
    context = _core.Context.from_arrays(images.units, images.offsets, copies, threads)
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


@dataclass(frozen=True, slots=True)
class ConceptClusterer(CollectionClusterer[NodeImages]):
    """The overlap join of images, and the clusters of the requested kind: `closed`, `maximal` or `cover`.

    With the linkage `components` the clusters are the connected components of the pairs.
    """

    need: Need
    kind: ClusterKind = "cover"
    max_clusters: int = 10_000
    linkage: Linkage = "star"

    def scores(self, representation: NodeImages, a: Numbers, b: Numbers) -> Scores:
        """Return the share of common units of any pairs of nodes."""
        images = representation.images
        pairs = [(images.of(left), images.of(right)) for left, right in zip(a.tolist(), b.tolist(), strict=True)]
        common = np.array([len(np.intersect1d(x, y, assume_unique=True)) for x, y in pairs], np.uint32)
        return _share(images, a, b, common)

    def cluster(self, representation: NodeImages, stage: Stage) -> Grouping:
        """Find the pairs that share enough units, and mine the clusters."""
        nodes, images = representation.nodes, representation.images
        with stage("mine", len(nodes)):
            found = mine_concepts(
                images, self.need, self.kind, limits=self._limits(nodes), copies=nodes.copies, threads=nodes.threads
            )
        with stage("cluster", len(nodes)):
            links = Links(found.a, found.b, _share(images, found.a, found.b, found.common), ("units",))
            order = leading_order(nodes, links)
            facts: dict[str, Fact] = {"context": found.facts}
            if self.linkage == "components":
                leaders = find_leaders(self.linkage, links, order)
                return Grouping(links, leaders, len(links.a), found.guards, facts, short=found.short)
            clusters = _choose_references(found, order)
            leaders = np.arange(len(nodes), dtype=np.uint32)
            inside = clusters.own >= 0
            leaders[inside] = clusters.references[clusters.own[inside]]
        return Grouping(links, leaders, len(links.a), found.guards, facts, clusters, found.short)

    def _limits(self, nodes: Nodes) -> Limits:
        return Limits(
            clusters=self.max_clusters,
            steps=STEPS,
            looks=LOOKS + LOOKS_EACH * len(nodes),
            pairs=LISTED + LISTED_EACH * len(nodes),
        )


def _share(images: Images, a: Numbers, b: Numbers, common: Numbers) -> Scores:
    """Return the share of the larger image that is common; 0 where both are empty."""
    sizes = np.diff(images.offsets.astype(np.int64))
    whole = np.maximum(sizes[a], sizes[b])
    return np.divide(common, whole, out=np.zeros(len(common)), where=whole > 0)


def _choose_references(found: Concepts, order: Numbers) -> OverlappingClusters:
    """Find the largest cluster of each node, and the reference of each cluster.

    The reference is the first in the order among the members whose largest cluster it is, so that no two clusters that
    are the largest of some document have the same reference; if there are none, among all members.
    """
    nodes = len(order)
    bounds = found.offsets.astype(np.int64)
    clusters = np.repeat(np.arange(len(found)), bounds[1:] - bounds[:-1])
    own = np.full(nodes, -1, np.int64)
    own[found.members[::-1]] = clusters[::-1]
    ranks = np.empty(nodes, np.int64)
    ranks[order] = np.arange(nodes)
    rank = ranks[found.members] + np.where(own[found.members] == clusters, 0, nodes)
    first = np.minimum.reduceat(rank, bounds[:-1]) if len(found) else rank
    return OverlappingClusters(found.offsets, found.members, found.units, order[first % max(nodes, 1)], own)
