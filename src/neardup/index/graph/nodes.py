"""The distinct texts of an index as nodes of a graph, read from the store when they are first needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from neardup.index.store import Store
from neardup.index.store.nodes import NodeState, StoredNode

Order = tuple[int | bytes, ...]


@dataclass(slots=True)
class Node:
    """A distinct text. The document `first` represents it; `rank` and `id` are those of that document.

    A change works on nodes and writes them at its end; `stored` is the node before the change, None for a new one.
    """

    number: int
    words: int
    copies: int
    partners: int
    first: int
    leader: int
    cluster: int | None
    rank: int
    id: bytes
    stored: StoredNode | None = None

    @property
    def former_leader(self) -> int | None:
        """The leader before the change; None for a new node."""
        return None if self.stored is None else self.stored.leader

    def state(self, cluster: int | None) -> NodeState:
        """Return the columns to store; only a leader has a cluster."""
        return NodeState(
            self.copies, self.partners, self.first, self.leader, cluster if self.leader == self.number else None
        )


def node_order(keep: str | None, *, by_popularity: bool, by_partners: bool) -> Callable[[Node], Order]:
    """Return the sort key by which nodes become leaders: by copies and partners, by length, or by rank and id."""
    if by_popularity:
        if by_partners:
            return lambda node: (-node.copies, -node.partners, node.rank, node.id)
        return lambda node: (-node.copies, node.rank, node.id)
    if keep == "longest":
        return lambda node: (-node.words, node.rank, node.id)
    return by_rank


def by_rank(node: Node) -> Order:
    """Order nodes by the documents that represent them."""
    return node.rank, node.id


class Neighbourhood:
    """Nodes and their links, each fetched once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.nodes: dict[int, Node] = {}
        self.links: dict[int, dict[int, float]] = {}

    def fetch(self, numbers: Iterable[int]) -> None:
        """Fetch the nodes that are not known yet."""
        missing = [number for number in set(numbers) if number not in self.nodes]
        if missing:
            for row in self._store.nodes.read(missing):
                self.nodes[row.number] = Node(*row, stored=row)

    def fetch_links(self, numbers: Iterable[int]) -> None:
        """Fetch the links of nodes, and the nodes at their other ends."""
        missing = [number for number in set(numbers) if number not in self.links]
        if not missing:
            return
        for number in missing:
            self.links[number] = {}
        far = set()
        for a, b, similarity in self._store.links.read(missing):
            self.links[a][b] = similarity
            far.add(b)
        self.fetch(far)

    def node(self, number: int) -> Node:
        """Return a node."""
        self.fetch((number,))
        return self.nodes[number]

    def leader(self, number: int) -> Node:
        """Return the leader of a node."""
        return self.node(self.node(number).leader)

    def partners(self, number: int) -> dict[int, float]:
        """Return the nodes that are linked to a node, with their similarities."""
        self.fetch_links((number,))
        return self.links[number]

    def add(self, node: Node) -> None:
        """Add a node that is not stored yet."""
        self.nodes[node.number] = node
        self.links[node.number] = {}
