"""Which number a cluster has after a change: numbers outlive merges, splits and changes of reference.

When the documents of a cluster come apart, its number stays with the part that has most of them, of equals with the
part whose leader is the oldest text. When several numbers come to the same part, the oldest stays and the others are
remembered as former ones. Everything is counted in documents that were there before the change and still are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from neardup.index.answers import EVENT_KINDS, MERGED, MOVED, REFERENCE_CHANGED, SPLIT
from neardup.index.leading import Node
from neardup.index.tables import Row

Told = tuple[int, bytes | None, int, int | None]
"""An event that has no number yet: kind, document, cluster, other."""

KIND = {kind: number for number, kind in enumerate(EVENT_KINDS)}


@dataclass(slots=True)
class Ledger:
    """The documents that a change takes out of nodes and puts into nodes, and whence those came that were there."""

    gone: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    come: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    returned: list[tuple[int, int]] = field(default_factory=list)
    """For each updated document the leader of its node before and its node after."""


@dataclass(slots=True)
class Naming:
    """What became of the clusters that a change touched."""

    numbers: dict[int, int] = field(default_factory=dict)
    """The number of the cluster of each leader."""
    sizes: dict[int, int] = field(default_factory=dict)
    """How many documents each leader's cluster has."""
    ended: list[int] = field(default_factory=list)
    """Numbers that no cluster has any more."""
    merged: list[tuple[int, int]] = field(default_factory=list)
    """Former numbers and their successors."""
    events: list[Told] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Before:
    """A cluster before the change."""

    number: int
    leader: int
    size: int


def name_clusters(
    nodes: dict[int, Node], dead: set[int], ledger: Ledger, before: dict[int, Before], next_number: int
) -> Naming:
    """Name the clusters of all nodes that moved, came, or lost or won documents.

    `nodes` has those nodes with the leaders before and after; `dead` are those that are no more; `before` has every
    cluster touched, by its leader then.
    """
    work = _Naming(nodes, dead, ledger, before)
    work.count()
    return work.name(next_number)


class _Naming:
    def __init__(self, nodes: dict[int, Node], dead: set[int], ledger: Ledger, before: dict[int, Before]) -> None:
        self.nodes, self.dead, self.ledger, self.before = nodes, dead, ledger, before
        self.claims: dict[int, dict[int, int]] = {leader: defaultdict(int) for leader in before}
        self.sizes: dict[int, int] = defaultdict(int)
        self.movers: list[tuple[Node, int]] = []

    def count(self) -> None:
        """Count where the documents of each former cluster are now, and how many each cluster has now."""
        left = {leader: cluster.size for leader, cluster in self.before.items()}
        for number, node in self.nodes.items():
            stayed = node.was_copies - self.ledger.gone.get(number, 0)
            come = self.ledger.come.get(number, 0)
            if node.was_leader is not None:
                left[node.was_leader] -= self.ledger.gone.get(number, 0)
            if number in self.dead:
                continue
            if node.was_leader is not None and node.was_leader != node.leader:
                left[node.was_leader] -= stayed
                self._claim(node.was_leader, node.leader, stayed)
                self.sizes[node.leader] += stayed
                self.movers.append((node, node.was_leader))
            self.sizes[node.leader] += come
        for leader, now in self.ledger.returned:
            self._claim(leader, self.nodes[now].leader, 1)
        for leader, remaining in left.items():
            if remaining:
                self._claim(leader, leader, remaining)
                self.sizes[leader] += remaining

    def _claim(self, former: int, leader: int, documents: int) -> None:
        if documents:
            self.claims[former][leader] += documents

    def name(self, next_number: int) -> Naming:
        """Give every cluster its number."""
        made = Naming(sizes=dict(self.sizes))
        claimants: dict[int, list[int]] = defaultdict(list)
        for former, parts in self.claims.items():
            if parts:
                claimants[min(parts, key=lambda leader: (-parts[leader], leader))].append(former)
            else:
                made.ended.append(self.before[former].number)
        kept: dict[int, int] = {}
        for leader in sorted(self.sizes):
            formers = sorted(claimants.get(leader, ()), key=lambda former: self.before[former].number)
            if not formers:
                made.numbers[leader] = next_number
                next_number += 1
                continue
            made.numbers[leader] = self.before[formers[0]].number
            kept[leader] = formers[0]
            for former in formers[1:]:
                made.merged.append((self.before[former].number, made.numbers[leader]))
                made.ended.append(self.before[former].number)
        self._tell(made, kept)
        return made

    def _tell(self, made: Naming, kept: dict[int, int]) -> None:
        """Write down what happened to clusters, in the order of their numbers."""
        told: list[Told] = [(KIND[MERGED], None, successor, former) for former, successor in made.merged]
        fresh = {leader for leader in self.sizes if leader not in kept}
        for former, parts in self.claims.items():
            number = self.before[former].number
            told += [(KIND[SPLIT], None, number, made.numbers[part]) for part in parts if part in fresh]
        told += self._movements(made, kept, fresh)
        for leader, former in kept.items():
            if self._reference_changed(leader, former):
                told.append((KIND[REFERENCE_CHANGED], self.nodes[leader].id, made.numbers[leader], None))
        told.sort(key=lambda event: (event[0], event[2], event[3] or 0, event[1] or b""))
        made.events = told

    def _movements(self, made: Naming, kept: dict[int, int], fresh: set[int]) -> Iterable[Told]:
        """Texts that went from a cluster that lives on to another that was there: neither merged nor split."""
        for node, former in self.movers:
            to, whence = made.numbers[node.leader], self.before[former].number
            parts = self.claims[former]
            went_whole = max(parts, key=lambda leader: (parts[leader], -leader)) == node.leader
            if to != whence and node.leader not in fresh and not went_whole:
                yield KIND[MOVED], node.id, to, whence

    def _reference_changed(self, leader: int, former: int) -> bool:
        return leader in self.nodes and self.nodes[former].was_id != self.nodes[leader].id


def event_rows(events: Iterable[Told], next_number: int) -> list[Row]:
    """Number events."""
    return [(next_number + place, *event) for place, event in enumerate(events)]
