"""A cluster with its members."""

from __future__ import annotations

import numpy as np

from neardup.errors import IdNotFound
from neardup.index.answers import StoredCluster
from neardup.index.graph.nodes import by_rank
from neardup.index.queries.snapshot import EXACT, Snapshot
from neardup.index.store import Store
from neardup.index.store.encoding import unpack_id
from neardup.records import Member


def read_cluster(snapshot: Snapshot, number: int, limit: int | None) -> StoredCluster:
    """Return a cluster by its number or a former number; raise IdNotFound if there is none."""
    store, around = snapshot.store, snapshot.around
    number = _current_number(store, number)
    found = store.clusters.read([number])
    if not found:
        raise IdNotFound(f"{store.name} has no cluster with the number {number}")
    leader, size = found[0].leader, found[0].size
    followers = store.nodes.read_followers(leader)
    around.fetch([leader, *followers])
    followers.sort(key=lambda node: by_rank(around.nodes[node]))
    members = _list_members(snapshot, leader, followers, size if limit is None else limit)
    return StoredCluster(number, unpack_id(around.nodes[leader].id), size, members, _former_numbers(store, number))


def _current_number(store: Store, number: int) -> int:
    """Follow a former number to the one that took it over."""
    while (successor := store.clusters.read_successor(number)) is not None:
        number = successor
    return number


def _former_numbers(store: Store, number: int) -> tuple[int, ...]:
    found: list[int] = []
    latest = [number]
    while latest:
        latest = store.clusters.read_predecessors(latest)
        found += latest
    return tuple(sorted(found))


def _list_members(snapshot: Snapshot, leader: int, followers: list[int], limit: int) -> tuple[Member, ...]:
    chosen = snapshot.first_ids([leader, *followers], limit)
    shown = [node for node in dict.fromkeys(node for _, node in chosen) if node != leader]
    differences = snapshot.compare(snapshot.loader.load_texts([leader]), shown)
    similarities = _similarities(snapshot, leader, shown)
    reference = snapshot.around.nodes[leader]
    relation = "unique" if not followers and reference.copies == 1 else "reference"
    members = []
    for id_, node in chosen:
        if id_ == reference.id:
            members.append(Member(unpack_id(id_), relation, 1.0, "", ""))
        else:
            found = differences.get(node, EXACT)
            similarity = similarities.get(node, 1.0)
            members.append(Member(unpack_id(id_), found.relation, similarity, found.added, found.removed))
    return tuple(members)


def _similarities(snapshot: Snapshot, leader: int, nodes: list[int]) -> dict[int, float]:
    """Return the similarities of nodes to their leader: as stored, or computed where they are linked indirectly."""
    links = snapshot.around.partners(leader)
    found = {node: links[node] for node in nodes if node in links}
    if chained := [node for node in nodes if node not in links]:
        side = snapshot.loader.load_texts([leader, *chained])
        rows = np.arange(1, len(chained) + 1, dtype=np.uint32)
        scores = snapshot.linker.scores(side, np.zeros_like(rows), rows)
        found.update(zip(chained, scores.tolist(), strict=True))
    return found
