"""What travels between the stages: the distinct texts of a collection, what they are made of, and pairs of them.

Documents are numbered in input order. Nodes are the distinct texts, numbered in an order that does not depend on the
input's. Everything is a flat array.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from neardup.errors import SettingsError

if TYPE_CHECKING:
    from neardup import _core

Numbers = npt.NDArray[np.uint32]
Scores = npt.NDArray[np.float64]

UNITS = ("word", "char")


@dataclass(frozen=True, slots=True)
class Shingles:
    """Runs of `size` units, a text of fewer being one shingle.

    Kept are all of them, every `step`-th by `position`, or those whose `hash` is a multiple of `step`.
    """

    size: int = 5
    unit: str = "word"
    selection: str = "all"
    step: int = 1

    def __post_init__(self) -> None:
        if self.unit not in UNITS:
            raise SettingsError(f"unit is {self.unit!r}, but must be one of {', '.join(UNITS)}")
        if self.size < 1:
            raise SettingsError(f"shingle is {self.size}, but must be at least 1")

    @property
    def run(self) -> tuple[int, str]:
        """What a shingle is, as `_core` takes it."""
        return (self.size, self.unit)

    @property
    def kept(self) -> tuple[str, int]:
        """Which shingles are kept, as `_core` takes it."""
        return (self.selection, self.step)


@dataclass(frozen=True, slots=True)
class Wishes:
    """The user's constraints between documents, by number: pairs that must, cannot, or are likely to be together."""

    must: tuple[tuple[int, int], ...] = ()
    cannot: tuple[tuple[int, int], ...] = ()
    family: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Corpus:
    """The distinct texts of a collection ("nodes"), and what the first pass over it found.

    `nodes` holds the document number of each node's text, `lengths` its number of words, `copies` how many documents
    have it, `marks` what was read off letters, `weighted` the sets of weighted terms of a method that compares these,
    `wishes` the user's constraints between nodes, `sides` the collection that it belongs to when two are compared.
    With `by_popularity` the text of most copies leads, else the first.
    """

    texts: _core.Texts
    survey: _core.Survey
    nodes: Numbers
    lengths: Numbers
    copies: Numbers
    marks: Any = None
    weighted: Any = None
    wishes: Wishes = field(default_factory=Wishes)
    by_popularity: bool = False
    sides: npt.NDArray[np.uint8] | None = None
    threads: int = 0

    def __len__(self) -> int:
        return len(self.nodes)


@dataclass(frozen=True, slots=True)
class Candidates:
    """Pairs of nodes, the smaller number first; `similarities` where they are already exact; what guards cut off."""

    a: Numbers
    b: Numbers
    similarities: Scores | None = None
    examined: int = 0
    guards: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Links:
    """Verified pairs of nodes with their exact similarity, in ascending order of a, then b.

    `grounds` names what a link can rest on; `evidence` is the number of its ground for each link.
    """

    a: Numbers
    b: Numbers
    similarities: Scores
    grounds: tuple[str, ...]
    evidence: npt.NDArray[np.uint8] | None = None


@dataclass(frozen=True, slots=True)
class Grouping:
    """What the stages made of a corpus: links, the leader of each node, and what else is to be said of it."""

    links: Links
    leaders: Numbers
    examined: int = 0
    guards: dict[str, int] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)


class CandidateRule(Protocol):
    """What proposes pairs."""

    @property
    def along(self) -> tuple[Any, ...] | None:
        """What the first pass over the texts computes for this rule."""

    def pairs(self, corpus: Corpus) -> Candidates:
        """Find the candidate pairs of a corpus."""


class Verifier(Protocol):
    """What scores pairs and decides which are linked."""

    def scores(self, corpus: Corpus, a: Numbers, b: Numbers) -> Scores:
        """Return the exact similarity of any pairs of nodes."""

    def link(self, corpus: Corpus, candidates: Candidates) -> Links:
        """Keep the candidates that pass, with their similarities."""


Stage = Callable[[str, int], AbstractContextManager[None]]
"""Times a stage: its name and how much there is to do."""


class Grouper(Protocol):
    """What makes groups of a corpus."""

    @property
    def along(self) -> tuple[Any, ...] | None:
        """What the first pass over the texts computes for this grouper."""

    def scores(self, corpus: Corpus, a: Numbers, b: Numbers) -> Scores:
        """Return the exact similarity of any pairs of nodes."""

    def group(self, corpus: Corpus, *, stage: Stage) -> Grouping:
        """Group the nodes."""


class Representation(Protocol):
    """What makes sets of weighted terms of the texts."""

    def weigh(self, corpus: Corpus) -> _core.WeightedSets:
        """Return one set of weighted terms for each node."""


class Terms(Protocol):
    """A vocabulary from which term ranks are taken."""

    def ranks(self, corpus: Corpus) -> tuple[npt.NDArray[np.uint64], Numbers]:
        """Return the hashes of the known words, ascending, and the rank of each, the rarest first."""


def threshold_fraction(threshold: float) -> tuple[int, int]:
    """Return the threshold as the fraction that its decimal notation means, so that bounds are exact integers."""
    fraction = Fraction(str(threshold)).limit_denominator(1_000_000) or Fraction(1, 1_000_000)
    return fraction.numerator, fraction.denominator
