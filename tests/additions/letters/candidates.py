"""The candidate rule: texts that agree in which letters they have are candidates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from additions.letters.represent import LetterCounts
from neardup.candidates import CandidateRule
from neardup.stages import Hashes, Keys


@dataclass(frozen=True, slots=True)
class SameLetters(CandidateRule[LetterCounts]):
    """Texts with the same set of letters; the pairs of a collection are those that share this key."""

    def keys(self, representation: LetterCounts, common: Hashes | None = None) -> Keys:
        """Return one bit for each letter that a text has."""
        bits = np.uint64(1) << np.arange(representation.counts.shape[1], dtype=np.uint64)
        return Keys.uniform(((representation.counts > 0) * bits).sum(axis=1, dtype=np.uint64))
