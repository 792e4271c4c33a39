"""Find chain breaks: components of a list of pairs in which some documents are linked only through others.

The transitive closure of "is a duplicate of" turns such a component into one cluster, although some of its documents
may have nothing in common ("false duplicate clusters", Ignatov & Kuznetsov 2009, section 4).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from neardup import _core

Numbers = npt.NDArray[np.uint32]
Packed = npt.NDArray[np.uint64]

LEAST_MEMBERS = 3


@dataclass(frozen=True, slots=True)
class ChainBreak:
    """A component that is not one cluster: its members, and a chain of pairs between two members that are not linked.

    `documents` counts the members with their identical copies, `pairs` the listed pairs within the component, and
    `apart` the pairs of members that neither list links.
    """

    members: tuple[str, ...]
    documents: int
    pairs: int
    apart: int
    chain: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NumberedBreak:
    """A chain break whose documents are numbers."""

    members: Numbers
    pairs: int
    apart: int
    chain: tuple[int, ...]


def find_chain_breaks(documents: int, pairs: Packed, linked: Packed) -> list[NumberedBreak]:
    """Return the components of sorted pairs with two members that neither list links, the largest first."""
    a, b = _ends(pairs)
    firsts = _core.components(documents, a, b)
    known: Packed = np.union1d(pairs, linked)
    known = known[firsts[_ends(known)[0]] == firsts[_ends(known)[1]]]
    sizes = np.bincount(firsts, minlength=documents)
    apart = sizes * (sizes - 1) // 2 - np.bincount(firsts[_ends(known)[0]], minlength=documents)
    broken = np.flatnonzero((sizes >= LEAST_MEMBERS) & (apart > 0))
    broken = broken[np.lexsort((broken, -sizes[broken]))]
    members = _split(firsts, np.arange(documents, dtype=np.uint32), broken)
    own, links = (_split(firsts[_ends(listed)[0]], listed, broken) for listed in (pairs, known))
    found = zip(broken.tolist(), members, own, links, strict=True)
    return [NumberedBreak(m, len(p), int(apart[first]), _find_chain(m, p, k)) for first, m, p, k in found]


def _ends(pairs: Packed) -> tuple[Numbers, Numbers]:
    return (pairs >> np.uint64(32)).astype(np.uint32), (pairs & np.uint64(0xFFFFFFFF)).astype(np.uint32)


def _split(components: Numbers, items: npt.NDArray[Any], wanted: npt.NDArray[np.int64]) -> list[npt.NDArray[Any]]:
    """Return the items of each wanted component."""
    order = np.argsort(components, kind="stable")
    starts, ends = (np.searchsorted(components[order], wanted, side=side) for side in _SIDES)
    return [items[order[start:end]] for start, end in zip(starts, ends, strict=True)]


_SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")


class _Graph:
    """The pairs among the members of one component, by index of the member."""

    def __init__(self, members: Numbers, pairs: Packed) -> None:
        ends = [np.searchsorted(members, documents) for documents in _ends(pairs)]
        one, other = np.concatenate(ends), np.concatenate(ends[::-1])
        order = np.lexsort((other, one))
        self._others = other[order]
        self._starts = np.searchsorted(one[order], np.arange(len(members) + 1))

    def partners(self, member: int) -> npt.NDArray[np.int64]:
        """Return the partners of a member in ascending order."""
        return self._others[self._starts[member] : self._starts[member + 1]]

    def find_least_linked(self) -> int:
        """Return the member with the fewest partners."""
        return int(np.argmin(np.diff(self._starts)))

    def search(self, start: int) -> dict[int, int]:
        """Search breadth-first from a member; return the predecessor of each member in the order of discovery."""
        predecessors = {start: start}
        queue = [start]
        for member in queue:
            for other in self.partners(member).tolist():
                if other not in predecessors:
                    predecessors[other] = member
                    queue.append(other)
        return predecessors


def _find_chain(members: Numbers, pairs: Packed, known: Packed) -> tuple[int, ...]:
    """Return the shortest chain from the member with the fewest links to the farthest one it is not linked to."""
    linked = _Graph(members, known)
    start = linked.find_least_linked()
    predecessors = _Graph(members, pairs).search(start)
    near = {start, *linked.partners(start).tolist()}
    # Members are discovered in the order of their distance, so the last one that is not linked is the farthest.
    chain = [next(member for member in reversed(predecessors) if member not in near)]
    while chain[-1] != start:
        chain.append(predecessors[chain[-1]])
    return tuple(int(members[index]) for index in reversed(chain))
