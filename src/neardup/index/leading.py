"""Who leads whom: nodes, their links, and the leaders that follow from them, worked out anew only where it matters.

Under star linkage each node joins the most similar leader before it in the order, so a node's leader depends on nothing
but its links and the leaders among those before it. A change is therefore passed on in the order, from a node whose
place or whose standing as a leader has changed to the linked ones behind it, and stops where nothing changes. Under
`components` what hangs together with a changed node is gathered and led by its first.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from neardup.index.tables import Database

Order = tuple[Any, ...]


@dataclass(slots=True)
class Node:
    """A distinct text: `first` is the number of the document that stands for it, with its place and id.

    `was` is what it was before the change: its leader, None if there was no such node, and the id of its document.
    """

    number: int
    words: int
    copies: int
    partners: int
    first: int
    leader: int
    cluster: int | None
    place: int
    id: bytes
    was_leader: int | None = None
    was_id: bytes = b""
    was_copies: int = 0


def lead_by(keep: str | None, *, popular: bool, by_partners: bool) -> Callable[[Node], Order]:
    """Return the order in which nodes lead: by copies and partners, by length, or by the place of their document."""
    if popular:
        if by_partners:
            return lambda node: (-node.copies, -node.partners, node.place, node.id)
        return lambda node: (-node.copies, node.place, node.id)
    if keep == "longest":
        return lambda node: (-node.words, node.place, node.id)
    return lambda node: (node.place, node.id)


class Neighbourhood:
    """The nodes that a change touches and those linked to them, fetched when they are first looked at."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.nodes: dict[int, Node] = {}
        self.links: dict[int, dict[int, float]] = {}

    def fetch(self, numbers: Iterable[int]) -> None:
        """Fetch nodes that are not known yet."""
        missing = [number for number in set(numbers) if number not in self.nodes]
        if not missing:
            return
        rows = self._database.among(
            "SELECT n.node, n.words, n.copies, n.partners, n.first, n.leader, n.cluster, d.place, d.id "
            "FROM nodes n JOIN documents d ON d.number = n.first WHERE n.node IN ?",
            missing,
        )
        for number, words, copies, partners, first, leader, cluster, place, id_ in rows:
            self.nodes[number] = Node(
                number, words, copies, partners, first, leader, cluster, place, id_, leader, id_, copies
            )

    def fetch_links(self, numbers: Iterable[int]) -> None:
        """Fetch the links of nodes, and the nodes at their other ends."""
        missing = [number for number in set(numbers) if number not in self.links]
        if not missing:
            return
        for number in missing:
            self.links[number] = {}
        far = set()
        for a, b, similarity in self._database.among("SELECT a, b, similarity FROM links WHERE a IN ?", missing):
            self.links[a][b] = similarity
            far.add(b)
        self.fetch(far)

    def partners(self, number: int) -> dict[int, float]:
        """Return the links of one node."""
        self.fetch_links((number,))
        return self.links[number]


def settle_stars(around: Neighbourhood, changed: Iterable[int], order: Callable[[Node], Order]) -> None:
    """Give the changed nodes, and whoever depends on them, the leaders that star linkage gives them.

    `changed` has every node that is new, has other links than before or another place in the order.
    """
    moved = set(changed)
    around.fetch(moved)
    around.fetch_links(moved)
    # Whoever is linked to a node of another place may have to choose again, also one that stands before it now.
    start = moved.union(*(around.links[number] for number in moved))
    around.fetch_links(start)
    queue = [(order(around.nodes[number]), number) for number in start]
    heapq.heapify(queue)
    settled: set[int] = set()
    while queue:
        own, number = heapq.heappop(queue)
        if number in settled:
            continue
        settled.add(number)
        node, partners = around.nodes[number], around.partners(number)
        standing = node.was_leader == number
        node.leader = _best_leader(around, number, own, partners, order)
        if (node.leader == number) == standing and number not in moved:
            continue
        for partner in partners:
            place = order(around.nodes[partner])
            if place > own and partner not in settled:
                heapq.heappush(queue, (place, partner))


def _best_leader(
    around: Neighbourhood, number: int, own: Order, partners: dict[int, float], order: Callable[[Node], Order]
) -> int:
    """Return the most similar leader among the partners before this node, of equals the first; else itself."""
    best: tuple[float, Order] | None = None
    chosen = number
    for partner, similarity in partners.items():
        other = around.nodes[partner]
        if other.leader != partner or (best is not None and similarity < best[0]):
            continue
        place = order(other)
        if place < own and (best is None or similarity > best[0] or place < best[1]):
            best, chosen = (similarity, place), partner
    return chosen


def settle_components(around: Neighbourhood, changed: Iterable[int], order: Callable[[Node], Order]) -> None:
    """Give everything that hangs together with the changed nodes its first as the leader."""
    left = set(changed)
    around.fetch(left)
    while left:
        found, edge = set(), {left.pop()}
        while edge:
            found |= edge
            around.fetch_links(edge)
            edge = {partner for number in edge for partner in around.links[number]} - found
        left -= found
        leader = min(found, key=lambda number: order(around.nodes[number]))
        for number in found:
            around.nodes[number].leader = leader
