"""The slot `represent` of a recipe: distinct texts in, one typed representation out.

A candidate rule and a verifier take the representation and nothing else. A representer declares as values what the
pipeline has to provide for it: what the first pass over the texts computes, whether publication days are needed, which
statistics a lexicon must hold, and how an index stores its result.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, Literal, Protocol, Self, TypeVar

import numpy as np
import numpy.typing as npt

from neardup import _core
from neardup.normalise import LetterFeatures
from neardup.stages import Counts, Days, Nodes, Numbers

LexiconUnit = Literal["words", "terms"]


class Representation(Protocol):
    """What represents the nodes of a collection."""

    @property
    def nodes(self) -> Nodes:
        """The nodes that are represented."""


R = TypeVar("R", bound=Representation)


@dataclass(frozen=True, slots=True)
class DistinctTexts:
    """The distinct texts of a collection after the first pass.

    `documents` holds the number of the document whose text each node is. `survey` is the result of the first pass,
    by document, `days` the publication days of the copies of each node, `letters` the attributes of letters, by
    document.
    """

    texts: _core.Texts
    survey: _core.Survey
    documents: Numbers
    nodes: Nodes
    days: Days | None = None
    letters: LetterFeatures | None = None

    def __len__(self) -> int:
        return len(self.documents)


@dataclass(frozen=True, slots=True)
class Features:
    """What an index stores for each node in place of its text: bytes, and the offset of each node in them."""

    content: npt.NDArray[np.uint8]
    offsets: Counts

    @classmethod
    def join(cls, parts: list[bytes]) -> Self:
        """Concatenate the features of several nodes."""
        lengths = np.fromiter(map(len, parts), np.int64, len(parts))
        return cls(np.frombuffer(b"".join(parts), np.uint8), np.append(0, np.cumsum(lengths)))

    def split(self) -> list[bytes]:
        """Return the features of each node."""
        content, offsets = self.content.tobytes(), self.offsets.tolist()
        return [content[start:end] for start, end in pairwise(offsets)]


class Packer(ABC, Generic[R]):
    """Turns a representation into bytes for each node, and back."""

    @abstractmethod
    def pack(self, representation: R) -> Features:
        """Return the bytes that an index stores."""

    @abstractmethod
    def unpack(self, features: Features, nodes: Nodes, days: Days | None) -> R:
        """Return the representation that was packed."""


class Representer(ABC, Generic[R]):
    """Settings that turn distinct texts into a representation."""

    @abstractmethod
    def represent(self, texts: DistinctTexts) -> R:
        """Represent the distinct texts of a collection."""

    @property
    def first_pass(self) -> _core.FirstPass:
        """What the first pass over the texts has to compute."""
        return _core.FirstPass.fingerprints()

    @property
    def search_pass(self) -> _core.FirstPass:
        """What the first pass has to compute if a search for all pairs in memory follows."""
        return self.first_pass

    @property
    def dated(self) -> bool:
        """Whether the publication days of the texts are part of the representation."""
        return False

    @property
    def lexicon_unit(self) -> LexiconUnit | None:
        """What a lexicon has to count for this representation; None if it needs none."""
        return None

    @property
    def lacks_lexicon(self) -> bool:
        """Whether the statistics have to come from the collection itself, as no lexicon is given."""
        return False

    @property
    def packer(self) -> Packer[R] | None:
        """How an index stores the representation; None if it stores the texts and computes the representation again."""
        return None
