"""The transitive closure of must-, cannot- and family-links, without ever listing all pairs.

Yang & Callan 2006, section 4.4.4: must and must make must; cannot and must make cannot; family and must make family;
family and family make family; family and cannot make cannot. Taken literally the last rule turns every pair of a family
into a cannot-link as soon as one is; their own text and Figure 2 only remove the direct family-links between documents
that cannot be together, and so does this. Must-links are joined one by one, the most trusted first; one that would
bring two enemies together is refused and listed with what stands against it. Memory and time are linear in the links.
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
    """Groups of numbers, each named by its smallest."""

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
        """Join two groups; return the name that remains and the one that goes."""
        kept, gone = sorted((self.find(a), self.find(b)))
        self._parents[gone] = kept
        return kept, gone


class Closure:
    """What follows from links between documents, named by numbers; cannot-links win over must- and family-links."""

    def __init__(
        self,
        must: Iterable[tuple[int, int]] = (),
        cannot: Iterable[tuple[int, int]] = (),
        family: Iterable[tuple[int, int]] = (),
    ) -> None:
        self.conflicts: list[Conflict] = []
        self._same = _Forest()
        self._families = _Forest()
        self._enemies: dict[int, dict[int, tuple[int, int]]] = {}
        for a, b in cannot:
            if a == b:
                self.conflicts.append(Conflict("cannot", a, b, (a, b)))
                continue
            self._set_enemies(a, b, (a, b))
        for a, b in must:
            self._join(a, b)
        self._family_enemies: dict[int, dict[int, tuple[int, int]]] = {
            root: dict(enemies) for root, enemies in self._enemies.items()
        }
        for a, b in family:
            self._relate(a, b)

    def must(self, a: int, b: int) -> bool:
        """Whether the two must be together."""
        return self._same.find(a) == self._same.find(b)

    def cannot(self, a: int, b: int) -> bool:
        """Whether the two cannot be together."""
        return self._same.find(b) in self._enemies.get(self._same.find(a), ())

    def family(self, a: int, b: int) -> bool:
        """Whether the two are likely to be together."""
        a, b = self._same.find(a), self._same.find(b)
        return a != b and self._families.find(a) == self._families.find(b) and b not in self._enemies.get(a, ())

    def _set_enemies(self, a: int, b: int, witness: tuple[int, int]) -> None:
        self._enemies.setdefault(a, {}).setdefault(b, witness)
        self._enemies.setdefault(b, {}).setdefault(a, witness)

    def _join(self, a: int, b: int) -> None:
        first, second = self._same.find(a), self._same.find(b)
        if first == second:
            return
        witness = self._enemies.get(first, {}).get(second)
        if witness is not None:
            self.conflicts.append(Conflict("must", a, b, witness))
            return
        kept, gone = self._same.join(first, second)
        for enemy, witness in self._enemies.pop(gone, {}).items():
            self._enemies[enemy].pop(gone)
            self._set_enemies(kept, enemy, witness)

    def _relate(self, a: int, b: int) -> None:
        """Join two families unless that would put two enemies into one."""
        first, second = self._same.find(a), self._same.find(b)
        witness = self._enemies.get(first, {}).get(second)
        first, second = self._families.find(first), self._families.find(second)
        witness = witness or self._family_enemies.get(first, {}).get(second)
        if witness is not None:
            self.conflicts.append(Conflict("family", a, b, witness))
            return
        if first == second:
            return
        kept, gone = self._families.join(first, second)
        for enemy, held in self._family_enemies.pop(gone, {}).items():
            self._family_enemies[enemy].pop(gone)
            self._family_enemies.setdefault(kept, {}).setdefault(enemy, held)
            self._family_enemies.setdefault(enemy, {}).setdefault(kept, held)
