"""The numbers of clusters, which outlive merges, splits and changes of the reference copy.

If the documents of a cluster are divided, its number stays with the part that has most of them, of equal parts with the
one whose leader is the oldest node. If several numbers come to one part, the lowest stays and the others become former
numbers. Only documents that were there before the change and still are count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from neardup.index.answers import EVENT_KINDS, MERGED, MOVED, REFERENCE_CHANGED, SPLIT
from neardup.index.changes.documents import Movements, PlacedDocuments
from neardup.index.graph.nodes import Node
from neardup.index.graph.sides import SideLoader
from neardup.index.store.clusters import FormerNumber, StoredCluster
from neardup.index.store.events import EventContent

KIND = {kind: number for number, kind in enumerate(EVENT_KINDS)}


@dataclass(frozen=True, slots=True)
class Affected:
    """The nodes of the clusters that a change affects, and those clusters before it.

    `nodes` are those that moved, are new, or lost or gained documents, and the leaders of all of these before and
    after. `clusters` are the clusters before the change by their leader.
    """

    nodes: Mapping[int, Node]
    empty: set[int]
    clusters: Mapping[int, StoredCluster]


@dataclass(frozen=True, slots=True)
class ClusterNumbers:
    """What became of the affected clusters."""

    numbers: dict[int, int] = field(default_factory=dict)
    """The number of the cluster of each leader."""
    sizes: dict[int, int] = field(default_factory=dict)
    """The number of documents of the cluster of each leader."""
    ended: list[int] = field(default_factory=list)
    """Numbers that no cluster has any more."""
    merged: list[FormerNumber] = field(default_factory=list)
    kept: dict[int, int] = field(default_factory=dict)
    """The former leader of the cluster whose number each leader's cluster kept."""

    def next_number(self, former: int) -> int:
        """Return the next free number."""
        return max(former, *(number + 1 for number in self.numbers.values()), 0)


@dataclass(frozen=True, slots=True)
class Claims:
    """How many documents of each former cluster, by its leader, each leader's cluster has now."""

    parts: dict[int, dict[int, int]]
    sizes: dict[int, int]
    moved: list[Node]
    """The stored nodes that have another leader than before."""


@dataclass(frozen=True, slots=True)
class ClusterChange:
    """The affected clusters before and after a change, and the events that tell the difference."""

    affected: Affected
    made: ClusterNumbers
    events: list[EventContent]


def update_clusters(loader: SideLoader, placed: PlacedDocuments, next_number: int) -> ClusterChange:
    """Find out which cluster is which after the leaders of nodes have changed."""
    affected = find_affected(loader, placed)
    claims = count_claims(affected, placed.movements)
    made = number_clusters(affected, claims, next_number)
    return ClusterChange(affected, made, list_cluster_events(affected, claims, made))


def find_affected(loader: SideLoader, placed: PlacedDocuments) -> Affected:
    """Collect the nodes and the clusters that a change affects."""
    around, touched = loader.around, placed.movements.touched
    nodes = {n: node for n, node in around.nodes.items() if n in touched or node.leader != node.former_leader}
    leaders = {node.former_leader for node in nodes.values()} | {node.leader for node in nodes.values()}
    known = {number for number in leaders if number is not None}
    around.fetch(known)
    former = {number: around.nodes[number] for number in known if around.nodes[number].former_leader == number}
    leader_of = {node.cluster: number for number, node in former.items() if node.cluster is not None}
    clusters = {leader_of[cluster.number]: cluster for cluster in loader.store.clusters.read(list(leader_of))}
    return Affected(nodes | former, placed.empty, clusters)


def number_clusters(affected: Affected, claims: Claims, next_number: int) -> ClusterNumbers:
    """Give every affected cluster its number."""
    made = ClusterNumbers(sizes=dict(claims.sizes))
    claimants: dict[int, list[int]] = defaultdict(list)
    for former, parts in claims.parts.items():
        if parts:
            claimants[min(parts, key=lambda leader: (-parts[leader], leader))].append(former)
        else:
            made.ended.append(affected.clusters[former].number)
    for leader in sorted(claims.sizes):
        formers = sorted(claimants.get(leader, ()), key=lambda former: affected.clusters[former].number)
        if not formers:
            made.numbers[leader] = next_number
            next_number += 1
            continue
        made.numbers[leader] = affected.clusters[formers[0]].number
        made.kept[leader] = formers[0]
        for former in formers[1:]:
            made.merged.append(FormerNumber(affected.clusters[former].number, made.numbers[leader]))
            made.ended.append(affected.clusters[former].number)
    return made


def count_claims(affected: Affected, movements: Movements) -> Claims:
    """Count where the documents of each former cluster are now, and how many documents each cluster has now."""
    parts: dict[int, dict[int, int]] = {leader: defaultdict(int) for leader in affected.clusters}
    sizes: dict[int, int] = defaultdict(int)
    left = {leader: cluster.size for leader, cluster in affected.clusters.items()}
    moved = []
    for number, node in affected.nodes.items():
        lost, former = movements.lost.get(number, 0), node.former_leader
        if former is not None:
            left[former] -= lost
        if number in affected.empty:
            continue
        if former is not None and node.stored is not None and former != node.leader:
            stayed = node.stored.copies - lost
            left[former] -= stayed
            _claim(parts[former], node.leader, stayed)
            sizes[node.leader] += stayed
            moved.append(node)
        sizes[node.leader] += movements.gained.get(number, 0)
    for former, now in movements.updated:
        _claim(parts[former], affected.nodes[now].leader, 1)
    for leader, remaining in left.items():
        if remaining:
            _claim(parts[leader], leader, remaining)
            sizes[leader] += remaining
    return Claims(parts, sizes, moved)


def _claim(parts: dict[int, int], leader: int, documents: int) -> None:
    if documents:
        parts[leader] += documents


def list_cluster_events(affected: Affected, claims: Claims, made: ClusterNumbers) -> list[EventContent]:
    """Return what happened to clusters, sorted by kind and number."""
    events = [EventContent(KIND[MERGED], None, number.successor, number.cluster) for number in made.merged]
    new = made.numbers.keys() - made.kept.keys()
    for former, parts in claims.parts.items():
        number = affected.clusters[former].number
        events += [EventContent(KIND[SPLIT], None, number, made.numbers[part]) for part in parts if part in new]
    events += _list_moves(affected, claims, made)
    events += _list_new_references(affected, made)
    return sorted(events, key=lambda event: (event.kind, event.cluster, event.other or 0, event.document or b""))


def _list_moves(affected: Affected, claims: Claims, made: ClusterNumbers) -> Iterator[EventContent]:
    """Yield the texts that went from one cluster to another where both still exist, without a merge or a split."""
    for node in claims.moved:
        assert node.former_leader is not None, "only stored nodes move"
        target, origin = made.numbers[node.leader], affected.clusters[node.former_leader].number
        parts = claims.parts[node.former_leader]
        whole = max(parts, key=lambda leader: (parts[leader], -leader)) == node.leader
        if target != origin and node.leader in made.kept and not whole:
            yield EventContent(KIND[MOVED], node.id, target, origin)


def _list_new_references(affected: Affected, made: ClusterNumbers) -> Iterable[EventContent]:
    nodes = affected.nodes
    for leader, former in made.kept.items():
        stored = nodes[former].stored
        if leader in nodes and (stored is None or stored.id != nodes[leader].id):
            yield EventContent(KIND[REFERENCE_CHANGED], nodes[leader].id, made.numbers[leader], None)
