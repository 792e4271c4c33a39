"""The transitive closure of must-, cannot- and family-links, without ever listing all pairs.

Yang & Callan 2006, section 4.4.4: must and must make must; cannot and must make cannot; family and must make family;
family and family make family; family and cannot make cannot. Taken literally the last rule turns every pair of a family
into a cannot-link as soon as one pair is. The paper's text and Figure 2 only remove the direct family-links between
documents that cannot be together, and so does this module. Must-links are joined one by one, the most trusted first. A
must-link between two documents that a cannot-link separates is refused and listed with that link. Memory and time are
linear.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Conflict:
    """A link that was refused, and the two documents that a stronger link keeps apart."""

    kind: str
    a: int
    b: int
    against: tuple[int, int]


class _Forest:
    """Groups of numbers, each identified by its smallest."""

    def __init__(self) -> None:
        self._parents: dict[int, int] = {}

    def find(self, number: int) -> int:
        root = number
        while (parent := self._parents.get(root, root)) != root:
            root = parent
        while (parent := self._parents.get(number, number)) != root:
            self._parents[number], number = root, parent
        return root

    def join(self, a: int, b: int) -> tuple[int, int]:
        """Join two groups; return the number that remains and the one that is replaced."""
        kept, gone = sorted((self.find(a), self.find(b)))
        self._parents[gone] = kept
        return kept, gone


class Closure:
    """What follows from links between documents, given by number; cannot-links override must- and family-links."""

    def __init__(
        self,
        must: Iterable[tuple[int, int]] = (),
        cannot: Iterable[tuple[int, int]] = (),
        family: Iterable[tuple[int, int]] = (),
    ) -> None:
        self.conflicts: list[Conflict] = []
        self._same = _Forest()
        self._families = _Forest()
        self._separated: dict[int, dict[int, tuple[int, int]]] = {}
        for a, b in cannot:
            if a == b:
                self.conflicts.append(Conflict("cannot", a, b, (a, b)))
                continue
            self._separate(a, b, (a, b))
        for a, b in must:
            self._join(a, b)
        self._separated_families: dict[int, dict[int, tuple[int, int]]] = {
            root: dict(others) for root, others in self._separated.items()
        }
        for a, b in family:
            self._relate(a, b)

    def must(self, a: int, b: int) -> bool:
        """Whether the two must be together."""
        return self._same.find(a) == self._same.find(b)

    def cannot(self, a: int, b: int) -> bool:
        """Whether the two cannot be together."""
        return self._same.find(b) in self._separated.get(self._same.find(a), ())

    def family(self, a: int, b: int) -> bool:
        """Whether the two are likely to be together."""
        a, b = self._same.find(a), self._same.find(b)
        return a != b and self._families.find(a) == self._families.find(b) and b not in self._separated.get(a, ())

    def _separate(self, a: int, b: int, witness: tuple[int, int]) -> None:
        self._separated.setdefault(a, {}).setdefault(b, witness)
        self._separated.setdefault(b, {}).setdefault(a, witness)

    def _join(self, a: int, b: int) -> None:
        first, second = self._same.find(a), self._same.find(b)
        if first == second:
            return
        witness = self._separated.get(first, {}).get(second)
        if witness is not None:
            self.conflicts.append(Conflict("must", a, b, witness))
            return
        kept, gone = self._same.join(first, second)
        for other, witness in self._separated.pop(gone, {}).items():
            self._separated[other].pop(gone)
            self._separate(kept, other, witness)

    def _relate(self, a: int, b: int) -> None:
        """Join two families unless that would join two documents with a cannot-link."""
        first, second = self._same.find(a), self._same.find(b)
        witness = self._separated.get(first, {}).get(second)
        first, second = self._families.find(first), self._families.find(second)
        witness = witness or self._separated_families.get(first, {}).get(second)
        if witness is not None:
            self.conflicts.append(Conflict("family", a, b, witness))
            return
        if first == second:
            return
        kept, gone = self._families.join(first, second)
        for other, held in self._separated_families.pop(gone, {}).items():
            self._separated_families[other].pop(gone)
            self._separated_families.setdefault(kept, {}).setdefault(other, held)
            self._separated_families.setdefault(other, {}).setdefault(kept, held)
