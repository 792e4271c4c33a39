"""What travels between the stages: the distinct texts of a collection, what they are made of, and pairs of them.

Documents are numbered in input order. Nodes are the distinct texts, numbered in an order that does not depend on the
input's. Everything is a flat array.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from neardup.errors import SettingsError

if TYPE_CHECKING:
    from neardup import _core

Numbers = npt.NDArray[np.uint32]
Scores = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

Days = tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32]]
"""For each document the days of its publication, counted from 1970: where they begin, with the end of the last."""

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
    `wishes` the user's constraints between nodes, `sides` the collection that it belongs to when two are compared. With
    `by_popularity` the text of most copies leads, else the first. `lexicon` is what was learned of the words, `days`
    when the copies of each node were published, where asked for. With `features`, which were kept, verification does
    not look at the texts. `common` are keys that too many have, ascending: rules that `shuns_common` take them last.
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
    lexicon: Any = None
    days: Days | None = None
    features: Features | None = None
    common: npt.NDArray[np.uint64] | None = None

    def __len__(self) -> int:
        return len(self.nodes)


@dataclass(frozen=True, slots=True)
class Features:
    """What a verifier wants to be kept of each node in the place of its text: bytes, and where those of each begin."""

    content: npt.NDArray[np.uint8]
    offsets: npt.NDArray[np.int64]

    @classmethod
    def join(cls, parts: list[bytes]) -> Self:
        """Put the features of several nodes behind each other."""
        lengths = np.fromiter(map(len, parts), np.int64, len(parts))
        return cls(np.frombuffer(b"".join(parts), np.uint8), np.append(0, np.cumsum(lengths)))

    def take(self, nodes: Numbers) -> Features:
        """Return the features of some of the nodes."""
        counts = (self.offsets[1:] - self.offsets[:-1])[nodes]
        ends = np.append(0, np.cumsum(counts))
        places = np.arange(ends[-1]) + np.repeat(self.offsets[nodes] - ends[:-1], counts)
        return Features(self.content[places], ends)

    def split(self) -> list[bytes]:
        """Return the features of each node."""
        content, offsets = self.content.tobytes(), self.offsets.tolist()
        return [content[start:end] for start, end in pairwise(offsets)]


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of nodes, each alone: those of node i are `values[offsets[i]:offsets[i + 1]]`.

    Two nodes are candidates if they share at least `needed` keys, of either that many, one unless given, or one that is
    `enough` by itself. A key can stand at a moment (a day, a role), at which it meets only keys of some stretch around
    it, and can have a size, with which it meets only some sizes; these bounds are as wide as the verifier's or wider.
    """

    values: npt.NDArray[np.uint64]
    offsets: npt.NDArray[np.uint64]
    needed: Numbers | None = None
    moments: Moments | None = None
    sizes: Moments | None = None
    enough: npt.NDArray[np.bool_] | None = None

    def __len__(self) -> int:
        return len(self.offsets) - 1


@dataclass(frozen=True, slots=True)
class Moments:
    """Where each key stands on a line, and the stretch of it on which it meets others; all of the same length.

    What stands at `NOWHERE` meets everything: unless none does, it is looked for beside every stretch.
    """

    own: npt.NDArray[np.int64]
    least: npt.NDArray[np.int64]
    most: npt.NDArray[np.int64]
    some_nowhere: bool = True


NOWHERE = -(1 << 31)


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
class Images:
    """The description units of documents: those of document i are `units[offsets[i]:offsets[i+1]]`, ascending."""

    units: npt.NDArray[np.uint64]
    offsets: npt.NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def of(self, document: int) -> npt.NDArray[np.uint64]:
        """Return the units of one document."""
        return self.units[int(self.offsets[document]) : int(self.offsets[document + 1])]


@dataclass(frozen=True, slots=True)
class OverlappingClusters:
    """Clusters that may have members in common, the largest first.

    Members of cluster i are `members[offsets[i]:offsets[i+1]]`, ascending; all of them share `units[i]` description
    units. `references` holds the reference copy of each, `own` the largest cluster of each node, -1 for one in none.
    """

    offsets: npt.NDArray[np.uint64]
    members: Numbers
    units: Numbers
    references: Numbers
    own: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.units)


@dataclass(frozen=True, slots=True)
class Grouping:
    """What the stages made of a corpus: links, the leader of each node, and what else is to be said of it.

    `overlapping` holds the clusters of a method whose clusters overlap; `short` marks the nodes that were too short to
    be compared.
    """

    links: Links
    leaders: Numbers
    examined: int = 0
    guards: dict[str, int] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)
    overlapping: OverlappingClusters | None = None
    short: npt.NDArray[np.bool_] | None = None


class CandidateRule(Protocol):
    """What proposes pairs."""

    @property
    def along(self) -> _core.FirstPass | None:
        """What the first pass over the texts computes for this rule."""

    def pairs(self, corpus: Corpus) -> Candidates:
        """Find the candidate pairs of a corpus."""


class KeyedRule(CandidateRule, Protocol):
    """A candidate rule that can say the keys of a document alone, so that an index can keep them."""

    def keys(self, corpus: Corpus) -> Keys:
        """Return the keys of each node, whatever other nodes there are."""

    def admit(self, corpus: Corpus, a: Numbers, b: Numbers) -> npt.NDArray[np.bool_]:
        """Say which pairs of nodes that share enough keys are candidates."""


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
    def along(self) -> _core.FirstPass | None:
        """What the first pass over the texts computes for this grouper."""

    def scores(self, corpus: Corpus, a: Numbers, b: Numbers) -> Scores:
        """Return the exact similarity of any pairs of nodes."""

    def group(self, corpus: Corpus, *, stage: Stage) -> Grouping:
        """Group the nodes."""


class Representation(Protocol):
    """What makes sets of weighted terms of the texts."""

    def weigh(self, corpus: Corpus) -> _core.WeightedSets:
        """Return one set of weighted terms for each node."""


class ImageMaker(Protocol):
    """What makes images of documents."""

    def images(self, corpus: Corpus) -> Images:
        """Return the image of each node."""


class Terms(Protocol):
    """A vocabulary from which term ranks are taken."""

    def ranks(self, corpus: Corpus) -> tuple[npt.NDArray[np.uint64], Numbers]:
        """Return the hashes of the known words, ascending, and the rank of each, the rarest first."""


@dataclass(frozen=True, slots=True)
class TermRule:
    """What makes two documents duplicates by their signatures.

    Published at most `days` apart, the shorter at most `length_tolerance` shorter than the longer, and `threshold` of
    the terms of the longer vector in common; or the same key and vector, and lengths within `key_tolerance`. Documents
    of fewer than `reliable` terms are not compared; with `numerals` those that are mostly numbers must share these too.
    """

    threshold: float = 0.8
    days: int = 42
    length_tolerance: float = 0.2
    key_tolerance: float = 0.0
    reliable: int = 20
    numerals: bool = True

    @property
    def arguments(self) -> tuple[tuple[int, int], int, tuple[int, int], tuple[int, int], int, bool]:
        """The rule as `_core` takes it."""
        return (
            threshold_fraction(self.threshold),
            self.days,
            _as_ratio(self.length_tolerance),
            _as_ratio(self.key_tolerance),
            self.reliable,
            self.numerals,
        )

    def partner_lengths(self, lengths: npt.NDArray[np.int64], *, same_key: bool) -> tuple[Counts, Counts]:
        """Return the shortest and the longest partner that texts of these lengths can have."""
        numerator, denominator = _as_ratio(self.key_tolerance if same_key else self.length_tolerance)
        kept = denominator - numerator
        longest = lengths * denominator // kept if kept else np.full_like(lengths, np.iinfo(np.uint32).max)
        return -(-lengths * kept // denominator), longest


@cache
def _as_ratio(share: float) -> tuple[int, int]:
    return Fraction(str(share)).limit_denominator(1_000_000).as_integer_ratio()


class Signer(Protocol):
    """What makes signatures with the terms of a lexicon."""

    def sign(self, texts: _core.Texts, documents: Numbers, lexicon: Any) -> _core.Signatures:
        """Make the signatures of these documents."""

    def of(self, corpus: Corpus, nodes: Numbers | None = None) -> _core.Signatures:
        """Return the signatures of all nodes of a corpus, or of these."""


def undated(documents: int) -> Days:
    """Return the days of documents of which none is known."""
    return np.zeros(documents + 1, np.uint64), np.zeros(0, np.int32)


@cache
def threshold_fraction(threshold: float) -> tuple[int, int]:
    """Return the threshold as the fraction that its decimal notation means, so that bounds are exact integers."""
    fraction = Fraction(str(threshold)).limit_denominator(1_000_000) or Fraction(1, 1_000_000)
    return fraction.numerator, fraction.denominator
