"""Nodes: the distinct texts that are compared, whatever represents them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from neardup.stages.arrays import Flags, Hashes, Numbers, Sides

Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Constraints:
    """The user's constraints as pairs of numbers: pairs that must, cannot, or are likely to be together."""

    must: Pairs = ()
    cannot: Pairs = ()
    family: Pairs = ()

    def __bool__(self) -> bool:
        return bool(self.must or self.cannot or self.family)

    def named(self) -> set[int]:
        """Return every number that occurs in a constraint."""
        return {number for pair in (*self.must, *self.cannot, *self.family) for number in pair}


NO_CONSTRAINTS = Constraints()


@dataclass(frozen=True, slots=True)
class Nodes:
    """What every stage knows about the distinct texts.

    `lengths` counts the words of each, `copies` the documents that have it. `fingerprints` are equal for identical
    texts only. `sides` names the collection of each node when two collections are compared. With `by_popularity` the
    text with most copies leads a cluster, otherwise the first one. `constraints` are between nodes.
    """

    lengths: Numbers
    copies: Numbers
    fingerprints: Hashes
    sides: Sides | None = None
    by_popularity: bool = False
    constraints: Constraints = NO_CONSTRAINTS
    threads: int = 0

    def __len__(self) -> int:
        return len(self.copies)

    @property
    def popularity(self) -> Numbers | None:
        """The number of copies where it decides which text leads, otherwise None."""
        return self.copies if self.by_popularity else None

    def take(self, chosen: Numbers) -> Nodes:
        """Return some of the nodes, without their constraints."""
        return replace(
            self,
            lengths=self.lengths[chosen],
            copies=self.copies[chosen],
            fingerprints=self.fingerprints[chosen],
            sides=None if self.sides is None else self.sides[chosen],
            constraints=NO_CONSTRAINTS,
        )

    def identical(self, a: Numbers, b: Numbers) -> Flags:
        """Return which pairs are the same text on the two sides of a comparison."""
        same: Flags = self.fingerprints[a] == self.fingerprints[b]
        return same
