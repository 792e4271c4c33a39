"""Letters: which part of a text is its main text, which docket numbers it cites, who sent it along.

Yang & Callan 2006, section 4.1. What is compared is the main text; salutation, signature, address, footer and quoted
mail stay in the original and are only left out of the comparison.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from neardup import _core
from neardup.records import Documents
from neardup.stages import Numbers


@dataclass(frozen=True, eq=False)
class LetterMarks:
    """What was read off the letters of a collection, by document.

    `dockets` numbers the sets of docket numbers, 0 for none; `families` numbers what came the same way (relayer, docket
    numbers, footer), 0 where that is not known; `sizes` are bytes; texts of different `groups` are never collapsed.
    """

    texts: _core.Texts
    groups: Numbers
    dockets: Numbers
    docket_sets: tuple[frozenset[str], ...]
    families: Numbers
    sizes: npt.NDArray[np.int64]

    def incompatible_sets(self, a: int, b: int) -> bool:
        """Whether two sets of docket numbers are known and have none in common."""
        first, second = self.docket_sets[a], self.docket_sets[b]
        return bool(first) and bool(second) and first.isdisjoint(second)

    def incompatible(self, a: Numbers, b: Numbers) -> npt.NDArray[np.bool_]:
        """Whether the sets at the same places are known and have none in common."""
        if not len(a):
            return np.zeros(0, bool)
        keys, inverse = np.unique(a.astype(np.int64) * len(self.docket_sets) + b, return_inverse=True)
        apart = [self.incompatible_sets(*divmod(int(key), len(self.docket_sets))) for key in keys]
        return np.array(apart, bool)[inverse]

    def name(self, docket: int) -> str:
        """Return a set of docket numbers as text."""
        return ", ".join(sorted(self.docket_sets[docket])) or "none"


@dataclass(frozen=True, slots=True)
class LetterReader:
    """How letters are taken apart."""

    def read(self, texts: _core.Texts, documents: Documents) -> LetterMarks:
        """Take the letters of a collection apart."""
        count = len(documents)
        zeros = np.zeros(count, np.uint32)
        return LetterMarks(texts, zeros, zeros, (frozenset(),), zeros, np.ones(count, np.int64))
