"""The second phase: clusters of the letters that no reference took."""

from __future__ import annotations

import numpy as np

from neardup.cluster.campaigns.settings import GROUNDS, NEAR, NearPairs
from neardup.cluster.campaigns.state import Campaigns
from neardup.cluster.linkage import find_leaders
from neardup.represent import Shingles
from neardup.stages import Candidates, Links, Numbers


def gather_remainder(state: Campaigns, near: NearPairs, shingles: Shingles) -> None:
    """Cluster the letters that no campaign took with those that are near."""
    rest = np.flatnonzero(state.unassigned()).astype(np.uint32)
    if len(rest) < 2:
        return
    _gather_near(state, _find_near_pairs(state, near, shingles, rest))


def _gather_near(state: Campaigns, found: Candidates) -> None:
    """Let unassigned letters form stars with those that are near enough."""
    left = state.unassigned()
    free = left[found.a] & left[found.b]
    a, b = found.a[free], found.b[free]
    distances = state.distances(a, b)
    near = distances < state.default_threshold
    if state.settings.cannot == "all":
        near &= ~state.exclude_each(a, b)
    links = Links(a[near], b[near], 1 / (1 + distances[near]), GROUNDS)
    # Seeds are ordered by copies, then by time and id, which is the order of the nodes.
    copies = state.letters.nodes.copies.astype(np.int64)
    order = np.lexsort((np.arange(len(copies)), -copies)).astype(np.uint32)
    leaders = find_leaders("star", links, order)
    moved = np.flatnonzero(left & (leaders != np.arange(len(copies))))
    state.leaders[moved] = leaders[moved]
    state.ground[moved] = NEAR
    state.measure_distances(moved)


def _find_near_pairs(state: Campaigns, near: NearPairs, shingles: Shingles, rest: Numbers) -> Candidates:
    found = near.pairs(state.letters.shingle_sets(shingles, rest))
    state.examined += found.examined
    for name, count in found.guards.items():
        state.guards[name] = state.guards.get(name, 0) + count
    return Candidates(rest[found.a], rest[found.b], found.similarities)
