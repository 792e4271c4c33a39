"""The last phase: apply the user's must-links, and separate letters that cannot be together."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from neardup.cluster.campaigns.settings import CONSTRAINT, DISTANCE
from neardup.cluster.campaigns.state import Campaigns
from neardup.stages import Counts, Numbers


def apply_must_links(state: Campaigns) -> None:
    """Put letters that the user links into one cluster, unless a cannot-link separates them."""
    letters = state.letters
    for conflict in state.closure.conflicts:
        state.refuse(conflict.kind, (conflict.a, conflict.b), ["constraint", "constraint"], conflict.against)
    for a, b in letters.nodes.constraints.must:
        first, second = sorted((int(state.leaders[a]), int(state.leaders[b])))
        if first == second or not state.closure.must(a, b):
            continue
        moving = _bound_to(state, b if int(state.leaders[b]) == second else a)
        if state.settings.cannot != "off" and _keeps_apart(state, first, moving):
            names, dockets = letters.docket_sets, letters.dockets
            reasons = [names.name(int(dockets[first])), names.name(int(dockets[moving[0]]))]
            state.refuse("must", (a, b), reasons, (first, int(moving[0])))
            continue
        state.leaders[moving] = first
        state.is_reference[moving] = False
        state.ground[moving] = np.where(state.ground[moving] < DISTANCE, state.ground[moving], CONSTRAINT)
        state.measure_distances(moving)


def _bound_to(state: Campaigns, node: int) -> Counts:
    """Return the nodes that move with a node: its whole cluster if must-links bind it, otherwise itself."""
    leader = int(state.leaders[node])
    if leader == node or state.ground[node] < DISTANCE:
        return np.flatnonzero(state.leaders == leader)
    return np.array([node])


def _keeps_apart(state: Campaigns, leader: int, moving: Counts) -> bool:
    dockets, sets = state.letters.dockets, state.letters.docket_sets
    kinds = {int(docket) for docket in dockets[moving]}
    return any(sets.exclude(int(dockets[leader]), kind) for kind in kinds) or any(
        state.closure.cannot(leader, int(node)) for node in moving
    )


@dataclass(slots=True)
class _Part:
    """A part of a split cluster: its leader, its sets of docket numbers, and its letters with cannot-links."""

    leader: int
    dockets: set[int] = field(default_factory=set)
    constrained: list[int] = field(default_factory=list)

    def excludes(self, state: Campaigns, member: int, docket: int) -> bool:
        """Whether a letter cannot be in this part."""
        apart = any(state.letters.docket_sets.exclude(docket, other) for other in self.dockets)
        return apart or any(state.closure.cannot(member, other) for other in self.constrained)


def separate_excluded(state: Campaigns) -> None:
    """Split each cluster with letters that cannot be together: the later one is moved out, with its copies."""
    dockets = state.letters.dockets
    if state.settings.cannot != "all":
        dockets = np.zeros_like(dockets)
    cannot = state.letters.nodes.constraints.cannot
    constrained = {int(state.leaders[a]) for a, b in cannot if state.leaders[a] == state.leaders[b]}
    for leader in sorted({int(leader) for leader in _mixed_leaders(state, dockets)} | constrained):
        members = np.flatnonzero(state.leaders == leader)
        _split(state, np.append(leader, members[members != leader]), dockets)


def _mixed_leaders(state: Campaigns, dockets: Numbers) -> Counts:
    """Return the leaders of clusters with several sets of docket numbers."""
    known = np.flatnonzero(dockets > 0)
    kinds = np.unique(np.stack([state.leaders[known].astype(np.int64), dockets[known].astype(np.int64)]), axis=1)
    leaders, count = np.unique(kinds[0], return_counts=True)
    return leaders[count > 1]


def _split(state: Campaigns, members: Counts, dockets: Numbers) -> None:
    named = {node for pair in state.letters.nodes.constraints.cannot for node in pair}
    parts: list[_Part] = []
    for member in map(int, members):
        docket = int(dockets[member])
        part = next((part for part in parts if not part.excludes(state, member, docket)), None)
        if part is None:
            part = _Part(member)
            parts.append(part)
        part.dockets.add(docket)
        if member in named:
            part.constrained.append(member)
        state.leaders[member] = part.leader
    moved = members[state.leaders[members] != members[0]]
    state.measure_distances(moved[state.leaders[moved] != moved])
