"""Weighted terms and term vectors: the share of terms that two texts have in common."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from neardup.represent import TermRule, TermSignatures, WeightedTerms
from neardup.stages import Candidates, Links, Numbers, Scores, threshold_fraction
from neardup.verify.verifier import Verifier

TERM_GROUNDS = ("identical", "terms")
"""The reasons for a link by signatures, as `_core` numbers them from 1: the key of identical documents, or terms."""

UNLIMITED = 2**63


@dataclass(frozen=True, slots=True)
class WeightedOverlap(Verifier[WeightedTerms]):
    """The weight of the terms that two texts share over the weight of all their terms, at least the threshold."""

    threshold: float

    def scores(self, representation: WeightedTerms, a: Numbers, b: Numbers) -> Scores:
        """Return the exact weighted share of pairs of nodes."""
        return representation.degrees(a, b)

    def link(self, representation: WeightedTerms, candidates: Candidates) -> Links:
        """Keep the pairs whose share reaches the threshold."""
        if candidates.similarities is not None:
            return Links(candidates.a, candidates.b, candidates.similarities, ("degree",))
        a, b, sets = candidates.a, candidates.b, representation.sets
        weights = sets.shared(a, b)
        shared, totals = weights.astype(np.int64), sets.totals().astype(np.int64)
        numerator, denominator = threshold_fraction(self.threshold)
        passed = shared * denominator >= numerator * (totals[a] + totals[b] - shared)
        return Links(a[passed], b[passed], representation.degrees(a, b, weights)[passed], ("degree",))

    def partners(self, representation: WeightedTerms, chosen: Numbers) -> tuple[Numbers, Numbers]:
        """Find every pair of a chosen node with one that was not chosen, by the exact join."""
        sides = np.zeros(len(representation.nodes), np.uint8)
        sides[chosen] = 1
        (a, b, _), _ = representation.sets.similar(threshold_fraction(self.threshold), sides, UNLIMITED)
        return a, b


@dataclass(frozen=True, slots=True)
class SharedTerms(Verifier[TermSignatures]):
    """The share of the terms of the longer vector that two documents have in common."""

    rule: TermRule

    def scores(self, representation: TermSignatures, a: Numbers, b: Numbers) -> Scores:
        """Return the share of common terms; 1 for identical texts."""
        return np.where(representation.nodes.identical(a, b), 1.0, representation.share(a, b))

    def link(self, representation: TermSignatures, candidates: Candidates) -> Links:
        """Keep the pairs that the rule links, with the reason: the key or the terms."""
        a, b = candidates.a, candidates.b
        grounds, _ = representation.vectors.judge(a, b, representation.known_days, self.rule.arguments)
        same = representation.nodes.identical(a, b)
        scores = np.where(same, 1.0, representation.share(a, b))
        passed = same | (grounds > 0)
        evidence = np.where(same, 0, grounds - 1)[passed].astype(np.uint8)
        return Links(a[passed], b[passed], scores[passed], TERM_GROUNDS, evidence)
