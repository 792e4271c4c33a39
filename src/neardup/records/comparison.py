"""Two texts compared, and the concept lattice of a cluster."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Change:
    """A span of the alignment of two texts: `equal`, `added`, `removed`, `replaced`, `moved` or `repeated`.

    Offsets are code points of the original texts. Text that one side lacks is an empty span there, at the offset where
    it would be.
    """

    kind: str
    a_start: int
    a_end: int
    b_start: int
    b_end: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two texts compared: the relation of b to a, the similarities by name, and the changes in reading order."""

    a: str
    b: str
    relation: str
    similarities: Mapping[str, float]
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """A span of a text: its offsets, in code points of the original, and its words as they are compared."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Concept:
    """The documents that share a set of `units` description units; no other document has all of these units.

    `own` lists the documents that belong to no smaller concept. `passages` is the text that all the documents share, as
    it appears in the first one; `gained` is the part of it that the documents of no larger concept share.
    """

    documents: tuple[str, ...]
    own: tuple[str, ...]
    units: int
    passages: tuple[Passage, ...]
    gained: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Lattice:
    """The concepts of a cluster, those with the most texts first, and the order between them.

    `covers` holds pairs of indices into `concepts`: a concept and the next larger one above it. `left_out` lists the
    documents that were left out because they would raise the number of concepts above the limit.
    """

    reference: str
    concepts: tuple[Concept, ...]
    covers: tuple[tuple[int, int], ...]
    left_out: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the lattice as dictionaries and lists."""
        return asdict(self)
