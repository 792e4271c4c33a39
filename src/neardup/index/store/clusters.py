"""The clusters of an index by number, and the former numbers of clusters that were merged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from neardup.index.store.databases import Database


class StoredCluster(NamedTuple):
    """A cluster: its number, its leading node, and how many documents it has."""

    number: int
    leader: int
    size: int


class FormerNumber(NamedTuple):
    """A number that no longer exists, and the number of the cluster that took it over."""

    cluster: int
    successor: int


@dataclass(frozen=True, slots=True)
class ClusterStore:
    """Reads and writes clusters."""

    database: Database

    def read(self, numbers: Sequence[int]) -> list[StoredCluster]:
        """Return clusters by number."""
        rows = self.database.query_numbers("SELECT cluster, leader, size FROM clusters WHERE cluster IN ?", numbers)
        return [StoredCluster._make(row) for row in rows]

    def read_all(self) -> list[StoredCluster]:
        """Return all clusters."""
        return [StoredCluster._make(row) for row in self.database.query("SELECT cluster, leader, size FROM clusters")]

    def insert(self, clusters: Iterable[StoredCluster]) -> None:
        """Insert clusters."""
        self.database.insert("clusters", clusters)

    def update(self, clusters: Iterable[StoredCluster]) -> None:
        """Store the new leaders and sizes of clusters."""
        self.database.execute_many(
            "UPDATE clusters SET leader = ?, size = ? WHERE cluster = ?",
            [(cluster.leader, cluster.size, cluster.number) for cluster in clusters],
        )

    def delete(self, numbers: Iterable[int]) -> None:
        """Delete clusters."""
        self.database.execute_many("DELETE FROM clusters WHERE cluster = ?", [(number,) for number in numbers])

    def read_successor(self, number: int) -> int | None:
        """Return the number that took over a former one; None if it is not a former number."""
        rows = self.database.query("SELECT successor FROM former WHERE cluster = ?", number)
        return rows[0][0] if rows else None

    def read_predecessors(self, numbers: Sequence[int]) -> list[int]:
        """Return the former numbers that these took over directly."""
        rows = self.database.query_numbers("SELECT cluster FROM former WHERE successor IN ?", numbers)
        return [row[0] for row in rows]

    def read_former(self) -> list[FormerNumber]:
        """Return all former numbers."""
        return [FormerNumber._make(row) for row in self.database.query("SELECT cluster, successor FROM former")]

    def insert_former(self, numbers: Iterable[FormerNumber]) -> None:
        """Insert former numbers."""
        self.database.insert("former", sorted(numbers))

    def replace_former(self, numbers: Iterable[FormerNumber]) -> None:
        """Store these former numbers in place of all others."""
        self.database.query("DELETE FROM former")
        self.insert_former(numbers)
