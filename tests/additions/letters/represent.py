"""The representation: how often each letter of the Latin alphabet occurs in a text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from neardup.represent import DistinctTexts, Features, Packer, Representer
from neardup.stages import Days, Nodes

LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class LetterCounts:
    """One row of counts for each node."""

    nodes: Nodes
    counts: npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class LetterCounter(Representer[LetterCounts]):
    """Counts letters."""

    def represent(self, texts: DistinctTexts) -> LetterCounts:
        """Count the letters of each distinct text."""
        prepared = (texts.texts.prepared(int(document)).lower() for document in texts.documents)
        rows = [[text.count(letter) for letter in LETTERS] for text in prepared]
        return LetterCounts(texts.nodes, np.array(rows, np.int32).reshape(-1, len(LETTERS)))

    @property
    def packer(self) -> Packer[LetterCounts]:
        """The counts as bytes."""
        return LetterPacker()


class LetterPacker(Packer[LetterCounts]):
    """Stores the counts of a node as bytes."""

    def pack(self, representation: LetterCounts) -> Features:
        """Return the counts as bytes."""
        rows = len(representation.counts)
        content = np.ascontiguousarray(representation.counts).view(np.uint8).ravel()
        return Features(content, np.arange(rows + 1, dtype=np.int64) * 4 * len(LETTERS))

    def unpack(self, features: Features, nodes: Nodes, days: Days | None) -> LetterCounts:
        """Return the counts that the bytes hold."""
        return LetterCounts(nodes, features.content.view(np.int32).reshape(-1, len(LETTERS)))
