"""Potential duplicate pairs (Remark 2): texts that are near-duplicates of a third, or hang together by more steps.

All of them are numbered, so that drawing numbers draws each with the same chance and none twice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isqrt

import numpy as np

from neardup import _core
from neardup.evaluate.contingency import Integers
from neardup.reproduce.docket.chance import Chance
from neardup.stages import Links, Numbers

Drawn = tuple[Numbers, Numbers]


@dataclass(frozen=True, slots=True)
class Sets:
    """Sets of texts, set i from `offsets[i]` to `offsets[i + 1]`; every two members of a set are a pair."""

    offsets: Integers
    members: Numbers

    @property
    def pairs(self) -> int:
        """How many pairs there are, one that is in two sets counted twice."""
        sizes = np.diff(self.offsets)
        return int((sizes * (sizes - 1) // 2).sum())

    def draw(self, count: int, chance: Chance) -> Drawn:
        """Draw so many pairs, all of them if there are no more."""
        sizes = np.diff(self.offsets)
        ends = np.cumsum(sizes * (sizes - 1) // 2)
        a, b = [], []
        for number in draw_numbers(self.pairs, count, chance):
            own = int(np.searchsorted(ends, number, side="right"))
            first, second = split_number(number - (int(ends[own - 1]) if own else 0))
            start = int(self.offsets[own])
            a.append(self.members[start + first])
            b.append(self.members[start + second])
        return np.array(a, np.uint32), np.array(b, np.uint32)


def gather_partners(texts: int, links: Links) -> Sets:
    """Return for each text those linked to it: two of them are a potential duplicate pair as the paper has it."""
    owners, members = np.concatenate([links.a, links.b]), np.concatenate([links.b, links.a])
    order = np.argsort(owners, kind="stable")
    return Sets(np.append(0, np.cumsum(np.bincount(owners, minlength=texts))), members[order])


def gather_components(texts: int, links: Links) -> Sets:
    """Return what hangs together by any number of links: what skipping connected pairs takes for duplicates."""
    leaders = _core.components(texts, links.a, links.b)
    sizes = np.bincount(leaders, minlength=texts)
    return Sets(np.append(0, np.cumsum(sizes)), np.argsort(leaders, kind="stable").astype(np.uint32))


GATHERERS: dict[str, Callable[[int, Links], Sets]] = {"two": gather_partners, "any": gather_components}
"""How pairs are connected: by two links, as the paper has it, or by any number."""


def draw_numbers(end: int, count: int, chance: Chance) -> list[int]:
    """Draw so many different numbers below the end, ascending; all of them if there are no more."""
    if end <= 4 * count:
        numbers = list(range(end))
        chance.shuffle(numbers)
        return sorted(numbers[:count])
    drawn: set[int] = set()
    while len(drawn) < count:
        drawn.add(chance.below(end))
    return sorted(drawn)


def split_number(number: int) -> tuple[int, int]:
    """Return the pair of this number, where pairs are listed by their larger member: (0, 1), (0, 2), (1, 2), …"""
    larger = (1 + isqrt(1 + 8 * number)) // 2
    return number - larger * (larger - 1) // 2, larger
