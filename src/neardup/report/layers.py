"""Places for the nodes of a drawing in layers (after Sugiyama, Tagawa & Toda 1981).

A node lies one layer below the lowest of those above it; an edge over several layers is led through an empty place in
each. Within the layers the order is improved by going to and fro, each node to the middle of its neighbours, and the
order with fewest crossings is kept. Then nodes are moved towards their neighbours as far as the order and their widths
allow, which for one layer at a time is solved exactly (pool adjacent violators).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

SWEEPS = 24
MOVES = 12

Edge = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Layout:
    """The middle of each node from the left, its layer from the top, and the places that each edge goes through."""

    middles: tuple[float, ...]
    layers: tuple[int, ...]
    bends: dict[Edge, tuple[tuple[float, int], ...]]

    @property
    def depth(self) -> int:
        """How many layers there are."""
        return max(self.layers, default=-1) + 1


def lay_out(nodes: int, edges: Sequence[Edge], width: float, gap: float) -> Layout:
    """Place nodes of one width, at least a gap apart; an edge goes from a lower node to an upper one."""
    layers = _assign_layers(nodes, edges)
    links, layer_of, chains = _lead_edges(nodes, edges, layers)
    rows = _order(links, layer_of)
    widths = [width if node < nodes else width / 4 for node in range(len(layer_of))]
    middles = _place(rows, links, widths, gap)
    least = min((middle - widths[node] / 2 for node, middle in enumerate(middles)), default=0)
    middles = [middle - least for middle in middles]
    bends = {edge: tuple((middles[empty], layer_of[empty]) for empty in chain) for edge, chain in chains.items()}
    return Layout(tuple(middles[:nodes]), tuple(layers), bends)


def _assign_layers(nodes: int, edges: Sequence[Edge]) -> list[int]:
    layers = [0] * nodes
    # Upper nodes have the smaller numbers, so that one pass over the edges in order is enough.
    for lower, upper in sorted(edges):
        layers[lower] = max(layers[lower], layers[upper] + 1)
    return layers


def _lead_edges(
    nodes: int, edges: Sequence[Edge], layers: list[int]
) -> tuple[list[Edge], list[int], dict[Edge, list[int]]]:
    """Cut edges into links between neighbouring layers; return them, the layers of all places, and the cuts."""
    layer_of, links, chains = list(layers), [], {}
    for lower, upper in edges:
        chain = []
        for layer in range(layers[lower] - 1, layers[upper], -1):
            chain.append(len(layer_of))
            layer_of.append(layer)
        links += list(pairwise([lower, *chain, upper]))
        chains[lower, upper] = chain
    return links, layer_of, chains


def _order(links: Sequence[Edge], layer_of: Sequence[int]) -> list[list[int]]:
    rows: list[list[int]] = [[] for _ in range(max(layer_of, default=-1) + 1)]
    for node, layer in enumerate(layer_of):
        rows[layer].append(node)
    above, below = _neighbours(links, len(layer_of))
    best, fewest = [list(row) for row in rows], _count_crossings(rows, above)
    for sweep in range(SWEEPS):
        down = sweep % 2 == 0
        for row in rows if down else reversed(rows):
            _sort_by_neighbours(row, above if down else below, rows)
        crossings = _count_crossings(rows, above)
        if crossings < fewest:
            best, fewest = [list(row) for row in rows], crossings
    return best


def _neighbours(links: Sequence[Edge], nodes: int) -> tuple[list[list[int]], list[list[int]]]:
    above: list[list[int]] = [[] for _ in range(nodes)]
    below: list[list[int]] = [[] for _ in range(nodes)]
    for lower, upper in links:
        above[lower].append(upper)
        below[upper].append(lower)
    return above, below


def _sort_by_neighbours(row: list[int], neighbours: list[list[int]], rows: list[list[int]]) -> None:
    places = {node: place for other in rows for place, node in enumerate(other)}
    share = {node: place / max(len(other) - 1, 1) for other in rows for place, node in enumerate(other)}

    def middle(node: int) -> tuple[float, int]:
        own = neighbours[node]
        return (sum(share[other] for other in own) / len(own) if own else share[node], places[node])

    row.sort(key=middle)


def _count_crossings(rows: list[list[int]], above: list[list[int]]) -> int:
    crossings = 0
    for upper, lower in pairwise(rows):
        places = {node: place for place, node in enumerate(upper)}
        ends = [place for node in lower for place in sorted(places[other] for other in above[node])]
        crossings += sum(one > other for at, one in enumerate(ends) for other in ends[at + 1 :])
    return crossings


def _place(rows: list[list[int]], links: Sequence[Edge], widths: Sequence[float], gap: float) -> list[float]:
    above, below = _neighbours(links, len(widths))
    middles = [0.0] * len(widths)
    for row in rows:
        _settle(row, [0.0] * len(row), widths, gap, middles)
    for move in range(MOVES):
        down = move % 2 == 0
        for row in rows if down else reversed(rows):
            sides = above if down else below
            wishes = [_mean([middles[other] for other in sides[node]], middles[node]) for node in row]
            _settle(row, wishes, widths, gap, middles)
    return middles


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _settle(row: list[int], wishes: Sequence[float], widths: Sequence[float], gap: float, middles: list[float]) -> None:
    """Give the nodes of a row the places nearest to their wishes, in the sense of squares, that keep them apart."""
    offsets = [0.0]
    for one, other in pairwise(row):
        offsets.append(offsets[-1] + (widths[one] + widths[other]) / 2 + gap)
    pools: list[tuple[float, int]] = []
    for wish, offset in zip(wishes, offsets, strict=False):
        total, count = wish - offset, 1
        while pools and pools[-1][0] / pools[-1][1] > total / count:
            before, members = pools.pop()
            total, count = total + before, count + members
        pools.append((total, count))
    settled = [total / count for total, count in pools for _ in range(count)]
    for node, start, offset in zip(row, settled, offsets, strict=False):
        middles[node] = start + offset
