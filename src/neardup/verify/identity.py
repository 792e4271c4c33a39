"""Pairs that are linked without a threshold: equal fingerprints, or equal signatures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from neardup.represent import Fingerprints, WordSignatures
from neardup.stages import Candidates, Links, Numbers, Scores
from neardup.verify.overlap import Overlap
from neardup.verify.verifier import Verifier


@dataclass(frozen=True, slots=True)
class Identical(Verifier[Fingerprints]):
    """Pairs with the same fingerprint are the same text."""

    def scores(self, representation: Fingerprints, a: Numbers, b: Numbers) -> Scores:
        """Return 1 for equal texts and 0 for others."""
        return representation.nodes.identical(a, b).astype(np.float64)

    def link(self, representation: Fingerprints, candidates: Candidates) -> Links:
        """Keep all pairs."""
        scores = self.scores(representation, candidates.a, candidates.b)
        return Links(candidates.a, candidates.b, scores, ("exact",))


@dataclass(frozen=True, slots=True)
class SameSignature(Verifier[WordSignatures]):
    """Pairs with the same signature are linked; their similarity is the Jaccard similarity of their words."""

    def scores(self, representation: WordSignatures, a: Numbers, b: Numbers) -> Scores:
        """Return the Jaccard similarity of the words."""
        return Overlap(1.0).scores(representation, a, b)

    def link(self, representation: WordSignatures, candidates: Candidates) -> Links:
        """Keep all pairs."""
        scores = self.scores(representation, candidates.a, candidates.b)
        return Links(candidates.a, candidates.b, scores, ("signature",))
