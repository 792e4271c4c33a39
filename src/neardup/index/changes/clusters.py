"""The leaders of nodes, recomputed only where a change can affect them.

Under star linkage each node joins the most similar leader before it in the order. Its leader therefore depends only on
its links and on which of the nodes before it are leaders. A change is passed on in that order, from each node that
moved or became or ceased to be a leader to the linked nodes after it, and stops where nothing changes. Under
`components` the connected component of each changed node is collected, and its first node is its leader.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable

from neardup.index.graph.nodes import Neighbourhood, Node, Order

NodeOrder = Callable[[Node], Order]


def settle_leaders(around: Neighbourhood, changed: Iterable[int], order: NodeOrder, linkage: str) -> None:
    """Set the leaders of the changed nodes and of all nodes that depend on them.

    `changed` must contain every node that is new, or has other links or another position in the order than before.
    """
    if linkage == "star":
        _settle_stars(around, set(changed), order)
    else:
        _settle_components(around, set(changed), order)


def _settle_stars(around: Neighbourhood, changed: set[int], order: NodeOrder) -> None:
    around.fetch(changed)
    around.fetch_links(changed)
    # A node that is linked to one that moved may have another leader, even if it now comes before that one.
    start = changed.union(*(around.links[number] for number in changed))
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
        led = node.former_leader == number
        node.leader = _best_leader(around, number, own, partners, order)
        if (node.leader == number) == led and number not in changed:
            continue
        for partner in partners:
            position = order(around.nodes[partner])
            if position > own and partner not in settled:
                heapq.heappush(queue, (position, partner))


def _best_leader(around: Neighbourhood, number: int, own: Order, partners: dict[int, float], order: NodeOrder) -> int:
    """Return the most similar leader among the partners before this node, of equals the first; else the node itself."""
    best: tuple[float, Order] | None = None
    chosen = number
    for partner, similarity in partners.items():
        other = around.nodes[partner]
        if other.leader != partner or (best is not None and similarity < best[0]):
            continue
        position = order(other)
        if position < own and (best is None or similarity > best[0] or position < best[1]):
            best, chosen = (similarity, position), partner
    return chosen


def _settle_components(around: Neighbourhood, changed: set[int], order: NodeOrder) -> None:
    around.fetch(changed)
    while changed:
        found, edge = set(), {changed.pop()}
        while edge:
            found |= edge
            around.fetch_links(edge)
            edge = {partner for number in edge for partner in around.links[number]} - found
        changed -= found
        leader = min(found, key=lambda number: order(around.nodes[number]))
        for number in found:
            around.nodes[number].leader = leader
