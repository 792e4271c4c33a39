"""Reference implementations of the steps from keys to pairs and from pairs to groups."""

from collections.abc import Sequence
from itertools import combinations

Pair = tuple[int, int]


def pairs_sharing(keys: Sequence[Sequence[int]], sides: Sequence[int] = ()) -> list[Pair]:
    """List the pairs of documents that have a key in common."""
    return [
        (a, b)
        for a, b in combinations(range(len(keys)), 2)
        if (not sides or sides[a] != sides[b]) and set(keys[a]) & set(keys[b])
    ]


def pairs_in_bands(
    keys: Sequence[Sequence[int]], lengths: Sequence[int], few: int, sides: Sequence[int] = ()
) -> list[Pair]:
    """List the pairs of rows with the same key in the same band, without pairs of two short documents."""
    return [
        (a, b)
        for a, b in combinations(range(len(keys)), 2)
        if (not sides or sides[a] != sides[b])
        and max(lengths[a], lengths[b]) > few
        and any(x == y for x, y in zip(keys[a], keys[b], strict=True))
    ]


def agrees(slots: Sequence[Sequence[int]], lengths: Sequence[int], a: int, b: int, needed: int, few: int) -> bool:
    """Whether two sketches agree in enough slots; the sketch of a short document agrees with any other."""
    equal = sum(x == y for x, y in zip(slots[a], slots[b], strict=True))
    return min(lengths[a], lengths[b]) <= few or equal >= needed


def components(nodes: int, pairs: Sequence[Pair]) -> list[int]:
    """Return the smallest node of each node's connected component, by a search from every node."""
    partners: dict[int, set[int]] = {node: set() for node in range(nodes)}
    for a, b in pairs:
        partners[a].add(b)
        partners[b].add(a)
    return [min(_reach(node, partners)) for node in range(nodes)]


def _reach(start: int, partners: dict[int, set[int]]) -> set[int]:
    reached, frontier = {start}, {start}
    while frontier:
        frontier = {partner for node in frontier for partner in partners[node]} - reached
        reached |= frontier
    return reached


def stars(order: Sequence[int], similarities: dict[Pair, float]) -> list[int]:
    """Assign each node, in order, to its most similar leader, the earlier in a tie; without one it becomes a leader."""
    leaders = {}
    leading: list[int] = []
    for node in order:
        linked = [
            (-similarities[pair], rank, leader)
            for rank, leader in enumerate(leading)
            if (pair := (min(node, leader), max(node, leader))) in similarities
        ]
        leaders[node] = min(linked)[2] if linked else node
        if not linked:
            leading.append(node)
    return [leaders[node] for node in range(len(order))]
