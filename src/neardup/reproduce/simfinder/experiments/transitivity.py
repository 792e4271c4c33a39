"""Potential duplicate pairs (Remark 2): texts that are connected by two links or by more.

All pairs are numbered. Drawing numbers draws every pair with the same probability and none twice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isqrt

import numpy as np

from neardup.evaluate.contingency import Integers
from neardup.reproduce.random_stream import RandomStream
from neardup.reproduce.simfinder.detection import Nodes, find_components

Drawn = tuple[Nodes, Nodes]


@dataclass(frozen=True, slots=True)
class Sets:
    """Sets of texts; set i is `members[offsets[i]:offsets[i + 1]]`, and every two of its members are a pair."""

    offsets: Integers
    members: Nodes

    @property
    def pairs(self) -> int:
        """The number of pairs; a pair in two sets counts twice."""
        sizes = np.diff(self.offsets)
        return int((sizes * (sizes - 1) // 2).sum())

    def draw(self, count: int, rng: RandomStream) -> Drawn:
        """Draw `count` pairs, or all if there are fewer."""
        sizes = np.diff(self.offsets)
        ends = np.cumsum(sizes * (sizes - 1) // 2)
        a, b = [], []
        for number in draw_numbers(self.pairs, count, rng):
            own = int(np.searchsorted(ends, number, side="right"))
            first, second = split_number(number - (int(ends[own - 1]) if own else 0))
            start = int(self.offsets[own])
            a.append(self.members[start + first])
            b.append(self.members[start + second])
        return np.array(a, np.uint32), np.array(b, np.uint32)


def gather_partners(texts: int, a: Nodes, b: Nodes) -> Sets:
    """Return for each text those linked to it: two of them are a potential duplicate pair by the paper's definition."""
    owners, members = np.concatenate([a, b]), np.concatenate([b, a])
    order = np.argsort(owners, kind="stable")
    return Sets(np.append(0, np.cumsum(np.bincount(owners, minlength=texts))), members[order])


def gather_components(texts: int, a: Nodes, b: Nodes) -> Sets:
    """Return the connected components: their pairs are what skipping connected pairs takes for duplicates."""
    leaders = find_components(texts, a, b)
    sizes = np.bincount(leaders, minlength=texts)
    return Sets(np.append(0, np.cumsum(sizes)), np.argsort(leaders, kind="stable").astype(np.uint32))


GATHERERS: dict[str, Callable[[int, Nodes, Nodes], Sets]] = {"two": gather_partners, "any": gather_components}
"""How pairs are connected: by two links, as in the paper, or by any number."""


def draw_numbers(end: int, count: int, rng: RandomStream) -> list[int]:
    """Draw `count` different numbers below `end`, ascending, or all of them if there are fewer."""
    if end <= 4 * count:
        numbers = list(range(end))
        rng.shuffle(numbers)
        return sorted(numbers[:count])
    drawn: set[int] = set()
    while len(drawn) < count:
        drawn.add(rng.below(end))
    return sorted(drawn)


def split_number(number: int) -> tuple[int, int]:
    """Return the pair with this number; pairs are ordered by their larger member: (0, 1), (0, 2), (1, 2), …"""
    larger = (1 + isqrt(1 + 8 * number)) // 2
    return number - larger * (larger - 1) // 2, larger
