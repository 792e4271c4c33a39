"""Shingle sets: a text is the set of its n-grams of words or characters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, get_args

from neardup import _core
from neardup.errors import SettingsError
from neardup.represent.representer import DistinctTexts, Representer
from neardup.stages import Nodes, Numbers, threshold_fraction

Unit = Literal["word", "char"]
UNITS: tuple[Unit, ...] = get_args(Unit)
Selection = Literal["all", "position", "hash"]


@dataclass(frozen=True, slots=True)
class Shingles:
    """Shingles of `size` consecutive units; a text with fewer units is one shingle.

    `selection` keeps all of them, every `step`-th by `position`, or those whose `hash` is a multiple of `step`.
    """

    size: int = 5
    unit: Unit = "word"
    selection: Selection = "all"
    step: int = 1

    def __post_init__(self) -> None:
        if self.unit not in UNITS:
            raise SettingsError(f"unit is {self.unit!r}, but must be one of {', '.join(UNITS)}")
        if self.size < 1:
            raise SettingsError(f"shingle is {self.size}, but must be at least 1")

    @property
    def shingling(self) -> tuple[int, str]:
        """Size and unit, as `_core` takes them."""
        return (self.size, self.unit)

    @property
    def kept(self) -> tuple[str, int]:
        """Which shingles are kept, as `_core` takes it."""
        return (self.selection, self.step)


class HasShingleSets(Protocol):
    """A representation that contains the shingle sets of its nodes."""

    @property
    def nodes(self) -> Nodes:
        """The nodes that are represented."""

    @property
    def sets(self) -> ShingleSets:
        """Their shingle sets."""


@dataclass(frozen=True, slots=True)
class ShingleSets:
    """The shingle sets of nodes, built from the texts when they are needed and not kept.

    `counted_by` is the survey that counted the shingles of the collection, None if none did.
    """

    nodes: Nodes
    texts: _core.Texts
    documents: Numbers
    shingles: Shingles
    counted_by: _core.Survey | None = None

    @property
    def sets(self) -> ShingleSets:
        """Itself."""
        return self

    def all(self) -> _core.Sets:
        """Build the sets of all nodes, with their elements ordered by the counts where there are any."""
        return self.texts.sets(self.documents, self.shingles.shingling, self.shingles.kept, self.counted_by)

    def of(self, nodes: Numbers) -> _core.Sets:
        """Build the sets of some nodes."""
        return self.texts.sets(self.documents[nodes], self.shingles.shingling, self.shingles.kept, None)

    def take(self, nodes: Numbers) -> ShingleSets:
        """Return the sets of some nodes as a collection of their own, without counts."""
        return ShingleSets(self.nodes.take(nodes), self.texts, self.documents[nodes], self.shingles)


@dataclass(frozen=True, slots=True)
class ShingleRepresenter(Representer[ShingleSets]):
    """Represents texts by their shingle sets.

    With `counted`, the first pass counts in how many texts each shingle occurs, so that a join can use rare ones
    first; with a `threshold` of the Jaccard similarity, only as far as pairs at this threshold require.
    """

    shingles: Shingles
    counted: bool = False
    threshold: float | None = None

    @property
    def search_pass(self) -> _core.FirstPass:
        """The counts of the shingles."""
        if not self.counted:
            return self.first_pass
        threshold = None if self.threshold is None else threshold_fraction(self.threshold)
        return _core.FirstPass.counts(self.shingles.shingling, self.shingles.kept, threshold)

    def represent(self, texts: DistinctTexts) -> ShingleSets:
        """Return the shingle sets of the texts."""
        return ShingleSets(texts.nodes, texts.texts, texts.documents, self.shingles, texts.survey)
