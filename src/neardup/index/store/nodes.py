"""The distinct texts of an index, their copies by day, and the links between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from neardup.index.store.databases import Database


class Fingerprint(NamedTuple):
    """The 128 bits that identify a text, as two signed numbers; None for a document without words."""

    low: int | None
    high: int | None


class NodeState(NamedTuple):
    """The columns of a node that change: of `partners` there are as many as links."""

    copies: int
    partners: int
    first: int
    leader: int
    cluster: int | None


class NewNode(NamedTuple):
    """A node to insert."""

    number: int
    fingerprint: Fingerprint
    words: int
    state: NodeState
    features: bytes | None


class StoredNode(NamedTuple):
    """A node with the rank and the id of the document that represents it."""

    number: int
    words: int
    copies: int
    partners: int
    first: int
    leader: int
    cluster: int | None
    rank: int
    id: bytes


class Link(NamedTuple):
    """A link from one node to another."""

    a: int
    b: int
    similarity: float


class DayCount(NamedTuple):
    """How many copies of a node have a time on a day."""

    node: int
    day: int
    copies: int


@dataclass(frozen=True, slots=True)
class NodeStore:
    """Reads and writes nodes."""

    database: Database

    def find_by_fingerprint(self, lows: Sequence[int]) -> dict[Fingerprint, int]:
        """Return the nodes whose fingerprints have one of these lower halves, by fingerprint."""
        rows = self.database.query_numbers(
            "SELECT fingerprint, other_half, node FROM nodes WHERE fingerprint IN ?", lows
        )
        return {Fingerprint(low, high): node for low, high, node in rows}

    def read(self, numbers: Sequence[int]) -> list[StoredNode]:
        """Return nodes."""
        rows = self.database.query_numbers(
            "SELECT n.node, n.words, n.copies, n.partners, n.first, n.leader, n.cluster, d.place, d.id "
            "FROM nodes n JOIN documents d ON d.number = n.first WHERE n.node IN ?",
            numbers,
        )
        return [StoredNode._make(row) for row in rows]

    def read_features(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """Return the features of nodes."""
        return dict(self.database.query_numbers("SELECT node, features FROM nodes WHERE node IN ?", numbers))

    def read_followers(self, leader: int) -> list[int]:
        """Return the nodes that have this leader, without the leader itself."""
        rows = self.database.query("SELECT node FROM nodes WHERE leader = ? AND leader <> node", leader)
        return [row[0] for row in rows]

    def read_all_with_words(self) -> set[int]:
        """Return every node that has words."""
        return {row[0] for row in self.database.query("SELECT node FROM nodes WHERE words > 0")}

    def insert(self, nodes: Iterable[NewNode]) -> None:
        """Insert nodes."""
        self.database.insert(
            "nodes", ((node.number, *node.fingerprint, node.words, *node.state, node.features) for node in nodes)
        )

    def update(self, states: Iterable[tuple[int, NodeState]]) -> None:
        """Store the new states of nodes."""
        self.database.execute_many(
            "UPDATE nodes SET copies = ?, partners = ?, first = ?, leader = ?, cluster = ? WHERE node = ?",
            [(*state, number) for number, state in states],
        )

    def update_clusters(self, clusters: Iterable[tuple[int, int]]) -> None:
        """Store the new cluster numbers of nodes: pairs of node and cluster."""
        self.database.execute_many(
            "UPDATE nodes SET cluster = ? WHERE node = ?", [(cluster, node) for node, cluster in clusters]
        )

    def delete(self, numbers: Iterable[int]) -> None:
        """Delete nodes."""
        self.database.execute_many("DELETE FROM nodes WHERE node = ?", [(number,) for number in numbers])

    def read_days(self, numbers: Sequence[int]) -> list[DayCount]:
        """Return the copies of nodes by day."""
        rows = self.database.query_numbers("SELECT node, day, copies FROM days WHERE node IN ?", numbers)
        return [DayCount._make(row) for row in rows]

    def insert_days(self, days: Iterable[DayCount]) -> None:
        """Insert counts of copies by day."""
        self.database.insert("days", days)

    def delete_days(self, days: Iterable[tuple[int, int]]) -> None:
        """Delete counts of copies: pairs of node and day."""
        self.database.execute_many("DELETE FROM days WHERE node = ? AND day = ?", days)


@dataclass(frozen=True, slots=True)
class LinkStore:
    """Reads and writes links. Each link is stored in both directions."""

    database: Database

    def read(self, nodes: Sequence[int]) -> list[Link]:
        """Return the links that start at these nodes."""
        rows = self.database.query_numbers("SELECT a, b, similarity FROM links WHERE a IN ?", nodes)
        return [Link._make(row) for row in rows]

    def read_linked_nodes(self) -> set[int]:
        """Return every node that has a link."""
        return {row[0] for row in self.database.query("SELECT DISTINCT a FROM links")}

    def insert(self, links: Sequence[Link]) -> None:
        """Insert links in both directions."""
        self.database.insert("links", sorted([*links, *((b, a, similarity) for a, b, similarity in links)]))

    def delete(self, links: Sequence[tuple[int, int]]) -> None:
        """Delete links in both directions."""
        ends = sorted({*links, *((b, a) for a, b in links)})
        self.database.execute_many("DELETE FROM links WHERE a = ? AND b = ?", ends)
