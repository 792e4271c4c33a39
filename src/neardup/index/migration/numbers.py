"""The clusters of the target take over the numbers of the clusters of the source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from neardup.index.keys import Integers
from neardup.index.store import Counters, Store
from neardup.index.store.clusters import FormerNumber, StoredCluster

ROWS_AT_ONCE = 100_000


@dataclass(frozen=True, slots=True)
class Memberships:
    """The numbers of all documents in ascending order, and the numbers of their clusters."""

    documents: Integers
    clusters: Integers


def read_memberships(store: Store) -> Memberships:
    """Return the clusters of all documents."""
    parts, after = [np.zeros((2, 0), np.int64)], -1
    while rows := store.documents.read_cluster_numbers(after, ROWS_AT_ONCE):
        parts.append(np.array(rows, np.int64).T)
        after = rows[-1][0]
    return Memberships(*np.concatenate(parts, axis=1))


def number_clusters(before: Integers, now: Integers, next_number: int) -> tuple[dict[int, int], dict[int, int]]:
    """Return the new number of each cluster of the target, and the successors of the numbers that no cluster gets.

    `before` and `now` are the clusters of each document in the source and in the target, in the order of the documents.
    As in every change, a number goes to the part with most of its documents, of equal parts to the one with the oldest
    document. If several numbers come to one cluster the lowest stays; a cluster without one gets a new number.
    """
    if not len(now):
        return {}, {}
    present, first = np.unique(now, return_index=True)
    age = dict(zip(present.tolist(), first.tolist(), strict=True))
    pairs, counts = np.unique(np.stack([before, now]), axis=1, return_counts=True)
    best: dict[int, tuple[int, int, int]] = {}
    for number, part, count in zip(*pairs.tolist(), counts.tolist(), strict=True):
        claim = (-count, age[part], part)
        best[number] = min(best.get(number, claim), claim)
    numbers: dict[int, int] = {}
    lost: dict[int, int] = {}
    for number in sorted(best):
        kept = numbers.setdefault(best[number][2], number)
        if kept != number:
            lost[number] = kept
    for part in sorted(age, key=age.__getitem__):
        if part not in numbers:
            numbers[part] = next_number
            next_number += 1
    return numbers, lost


def take_over_numbers(
    target: Store, source: Counters, former: list[FormerNumber], before: Integers, now: Integers
) -> int:
    """Renumber the clusters of the target and continue the counting of the source; return the number of clusters."""
    numbers, lost = number_clusters(before, now, source.next_cluster)
    _renumber(target, numbers)
    target.clusters.replace_former([*former, *(FormerNumber(*pair) for pair in lost.items())])
    target.events.clear()
    next_cluster = max(source.next_cluster, *(number + 1 for number in numbers.values()), 1)
    target.facts.write_counters(
        replace(
            target.facts.read_counters(),
            next_cluster=next_cluster,
            next_document=source.next_document,
            next_event=source.next_event,
        )
    )
    return len(numbers)


def _renumber(target: Store, numbers: Mapping[int, int]) -> None:
    others = [cluster for cluster in target.clusters.read_all() if numbers[cluster.number] != cluster.number]
    target.clusters.delete([cluster.number for cluster in others])
    moved = [StoredCluster(numbers[cluster.number], cluster.leader, cluster.size) for cluster in others]
    target.clusters.insert(sorted(moved))
    target.nodes.update_clusters((cluster.leader, cluster.number) for cluster in moved)
