"""Layered layout of a directed graph (after Sugiyama, Tagawa & Toda 1981).

A node is one layer below the lowest of its upper neighbours. An edge over several layers passes through a dummy node in
each of them. Alternating sweeps down and up sort each layer by the mean position of its neighbours; the order with the
fewest crossings is kept. Then nodes move towards their neighbours as far as the order and their widths allow, which is
solved exactly for one layer at a time (pool adjacent violators).
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
    """The centre of each node from the left, its layer from the top, and the points that each edge passes through."""

    middles: tuple[float, ...]
    layers: tuple[int, ...]
    bends: dict[Edge, tuple[tuple[float, int], ...]]

    @property
    def depth(self) -> int:
        """Return the number of layers."""
        return max(self.layers, default=-1) + 1


def lay_out(nodes: int, edges: Sequence[Edge], width: float, gap: float) -> Layout:
    """Place nodes of equal width at least a gap apart; an edge goes from a lower node to an upper one."""
    layers = _assign_layers(nodes, edges)
    links, layer_of, chains = _split_edges(nodes, edges, layers)
    rows = _order(links, layer_of)
    widths = [width if node < nodes else width / 4 for node in range(len(layer_of))]
    middles = _place(rows, links, widths, gap)
    least = min((middle - widths[node] / 2 for node, middle in enumerate(middles)), default=0)
    middles = [middle - least for middle in middles]
    bends = {edge: tuple((middles[dummy], layer_of[dummy]) for dummy in chain) for edge, chain in chains.items()}
    return Layout(tuple(middles[:nodes]), tuple(layers), bends)


def _assign_layers(nodes: int, edges: Sequence[Edge]) -> list[int]:
    layers = [0] * nodes
    # Upper nodes have the smaller numbers, so one pass over the sorted edges is enough.
    for lower, upper in sorted(edges):
        layers[lower] = max(layers[lower], layers[upper] + 1)
    return layers


def _split_edges(
    nodes: int, edges: Sequence[Edge], layers: list[int]
) -> tuple[list[Edge], list[int], dict[Edge, list[int]]]:
    """Split edges into links between adjacent layers; return the links, the layer of each node, and the dummy nodes."""
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
    indexes = {node: index for other in rows for index, node in enumerate(other)}
    share = {node: index / max(len(other) - 1, 1) for other in rows for index, node in enumerate(other)}

    def middle(node: int) -> tuple[float, int]:
        own = neighbours[node]
        return (sum(share[other] for other in own) / len(own) if own else share[node], indexes[node])

    row.sort(key=middle)


def _count_crossings(rows: list[list[int]], above: list[list[int]]) -> int:
    crossings = 0
    for upper, lower in pairwise(rows):
        indexes = {node: index for index, node in enumerate(upper)}
        ends = [index for node in lower for index in sorted(indexes[other] for other in above[node])]
        crossings += sum(one > other for at, one in enumerate(ends) for other in ends[at + 1 :])
    return crossings


def _place(rows: list[list[int]], links: Sequence[Edge], widths: Sequence[float], gap: float) -> list[float]:
    above, below = _neighbours(links, len(widths))
    middles = [0.0] * len(widths)
    for row in rows:
        _place_row(row, [0.0] * len(row), widths, gap, middles)
    for move in range(MOVES):
        down = move % 2 == 0
        for row in rows if down else reversed(rows):
            sides = above if down else below
            targets = [_mean([middles[other] for other in sides[node]], middles[node]) for node in row]
            _place_row(row, targets, widths, gap, middles)
    return middles


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _place_row(
    row: list[int], targets: Sequence[float], widths: Sequence[float], gap: float, middles: list[float]
) -> None:
    """Place the nodes of a row as near to their targets as the gaps allow, by least squares."""
    offsets = [0.0]
    for one, other in pairwise(row):
        offsets.append(offsets[-1] + (widths[one] + widths[other]) / 2 + gap)
    pools: list[tuple[float, int]] = []
    for target, offset in zip(targets, offsets, strict=False):
        total, count = target - offset, 1
        while pools and pools[-1][0] / pools[-1][1] > total / count:
            before, members = pools.pop()
            total, count = total + before, count + members
        pools.append((total, count))
    starts = [total / count for total, count in pools for _ in range(count)]
    for node, start, offset in zip(row, starts, offsets, strict=False):
        middles[node] = start + offset
