"""Weighted terms: the exact join of weighted sets, and fingerprints of heavy terms (Gong et al. 2008)."""

from __future__ import annotations

from dataclasses import dataclass

from neardup.candidates.rule import CandidateRule, comparison_budget, count_guarded
from neardup.represent import WeightedTerms
from neardup.stages import Candidates, Hashes, Keys, threshold_fraction

LISTED_PAIRS = 20_000_000
GRAM_LOOKS = 100_000_000
"""How many pairs a join may return, and how many may be examined under shared fingerprints; both grow with the size."""


@dataclass(frozen=True, slots=True)
class WeightedPrefix(CandidateRule[WeightedTerms]):
    """Every pair at the threshold: the texts share one of the rarest terms that weigh more than 1 - threshold of each.

    With `skip_connected`, pairs that earlier pairs connect are not compared.
    """

    threshold: float
    skip_connected: bool = False

    @property
    def order_dependent(self) -> bool:
        """Which pairs are skipped depends on the pairs found before."""
        return self.skip_connected

    def keys(self, representation: WeightedTerms, common: Hashes | None = None) -> Keys:
        """Return the first terms of each node; two nodes at the threshold share one of them."""
        return Keys(*representation.sets.prefix_keys(threshold_fraction(self.threshold)))

    def pairs(self, representation: WeightedTerms) -> Candidates:
        """Find every pair at the threshold."""
        if self.skip_connected:
            return _compare_sharing(representation, self.keys(representation), self.threshold, skip_connected=True)
        nodes = representation.nodes
        (a, b, shared), guarded = representation.sets.similar(
            threshold_fraction(self.threshold), nodes.sides, LISTED_PAIRS + 2 * len(nodes), nodes.popularity
        )
        degrees = representation.degrees(a, b, shared)
        return Candidates(a, b, degrees, examined=len(a), guards=count_guarded(nodes, *guarded))


@dataclass(frozen=True, slots=True)
class TermGrams(CandidateRule[WeightedTerms]):
    """Pairs that share a fingerprint of `gram` contiguous terms among the heaviest k + `features` (Gong et al. 2008).

    k is the least number of terms with more than the threshold's share of the weight. Without `features` it is k +
    `gram`, as printed, and two more with `thorough`: then texts of up to `gram` + 1 terms also have the fingerprints of
    all subsequences that are one term shorter. With `skip_connected`, pairs that earlier ones connect are not compared.
    """

    threshold: float
    gram: int = 3
    features: int | None = None
    thorough: bool = True
    skip_connected: bool = False

    @property
    def may_miss(self) -> bool:
        """Similar texts may share no fingerprint; pairs that `skip_connected` skips do not count as missed."""
        return not self.skip_connected

    @property
    def order_dependent(self) -> bool:
        """Which pairs are skipped depends on the pairs found before."""
        return self.skip_connected

    def keys(self, representation: WeightedTerms, common: Hashes | None = None) -> Keys:
        """Return the fingerprints of each node; its terms must be sorted by weight."""
        extra = self.gram + 2 * self.thorough if self.features is None else self.features
        threshold = threshold_fraction(self.threshold)
        return Keys(*representation.sets.gram_keys(threshold, self.gram, extra, self.thorough))

    def pairs(self, representation: WeightedTerms) -> Candidates:
        """Compare the pairs that share a fingerprint."""
        keys = self.keys(representation)
        return _compare_sharing(representation, keys, self.threshold, skip_connected=self.skip_connected)


def _compare_sharing(
    representation: WeightedTerms, keys: Keys, threshold: float, *, skip_connected: bool
) -> Candidates:
    """Compare the weighted sets that share a key; `examined` is the number of comparisons."""
    nodes = representation.nodes
    (a, b, shared), compared, guarded = representation.sets.compare_sharing(
        keys.values,
        keys.offsets,
        threshold_fraction(threshold),
        nodes.sides,
        comparison_budget(nodes, GRAM_LOOKS),
        nodes.popularity,
        skip_connected,
    )
    degrees = representation.degrees(a, b, shared)
    return Candidates(a, b, degrees, examined=compared, guards=count_guarded(nodes, *guarded))
