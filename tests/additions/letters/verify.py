"""The verifier: one minus the share of letters that are counted differently."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from additions.letters.represent import LetterCounts
from neardup.stages import Candidates, Links, Numbers, Scores
from neardup.verify import Verifier


@dataclass(frozen=True, slots=True)
class SimilarCounts(Verifier[LetterCounts]):
    """Counts that differ by little."""

    threshold: float

    def scores(self, representation: LetterCounts, a: Numbers, b: Numbers) -> Scores:
        """Return the similarity of pairs."""
        first, second = representation.counts[a], representation.counts[b]
        whole = (first + second).sum(axis=1)
        different = np.abs(first - second).sum(axis=1)
        return 1 - np.divide(different, whole, out=np.zeros(len(a)), where=whole > 0)

    def link(self, representation: LetterCounts, candidates: Candidates) -> Links:
        """Keep the pairs at the threshold."""
        scores = self.scores(representation, candidates.a, candidates.b)
        near = scores >= self.threshold
        return Links(candidates.a[near], candidates.b[near], scores[near], ("letters",))
