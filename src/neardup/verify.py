"""The exact score of a pair and the decision to link it.

Each verifier can score any pair of nodes (`scores`) and pick those that pass (`link`). Sets are built only for the
nodes that occur in a pair, once each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from neardup import _core
from neardup.stages import (
    Candidates,
    Corpus,
    Days,
    Features,
    Links,
    Numbers,
    Scores,
    Shingles,
    Signer,
    TermRule,
    threshold_fraction,
    undated,
)

DENOMINATORS = ("min", "reference", "document", "union")


@dataclass(frozen=True, slots=True)
class Overlap:
    """The shared shingles of two texts over a denominator: `union` (Jaccard), `min`, `reference` or `document`.

    The reference of a pair is its node of more copies, where these decide, else of the smaller number. Linked are pairs
    at the threshold or above, with `strict` only those above; texts of fewer than `least` shingles are linked only if
    they are the same.
    """

    shingles: Shingles
    threshold: float
    denominator: str = "union"
    strict: bool = False
    least: int = 1

    @property
    def directed(self) -> bool:
        """Whether it matters which of two is the reference: the one that leads by copies or by number."""
        return self.denominator in ("reference", "document")

    @property
    def grounds(self) -> tuple[str, ...]:
        """What a link rests on, in a word."""
        return ("jaccard" if self.denominator == "union" else "overlap",)

    def scores(self, corpus: Corpus, a: Numbers, b: Numbers) -> Scores:
        """Return the exact overlap of any pairs of nodes."""
        nodes, (left, right) = _renumber(len(corpus), *_leader_first(corpus, a, b))
        sets = corpus.texts.sets(corpus.nodes[nodes], self.shingles.run, self.shingles.kept, None)
        return self._divide(sets.sizes(), left, right, sets.overlaps(left, right))

    def link(self, corpus: Corpus, candidates: Candidates) -> Links:
        """Keep the pairs whose overlap reaches the threshold."""
        if candidates.similarities is not None and self.denominator == "union" and self.least <= 1:
            return Links(candidates.a, candidates.b, candidates.similarities, self.grounds)
        nodes, (left, right) = _renumber(len(corpus), *_leader_first(corpus, candidates.a, candidates.b))
        sets = corpus.texts.sets(corpus.nodes[nodes], self.shingles.run, self.shingles.kept, None)
        sizes = sets.sizes()
        if self.denominator == "union" and not self.strict:
            # What does not reach the threshold has no overlap here.
            shared = sets.overlaps(left, right, "jaccard", threshold_fraction(self.threshold))
            passed = (shared > 0) & self._long_enough(sizes, left, right)
        else:
            shared = sets.overlaps(left, right)
            passed = self._passes(sizes, left, right, shared)
        prints = corpus.survey.fingerprints[corpus.nodes]
        passed |= prints[candidates.a] == prints[candidates.b]
        scores = self._divide(sizes, left[passed], right[passed], shared[passed])
        return Links(candidates.a[passed], candidates.b[passed], scores, self.grounds)

    def _whole(self, sizes: Numbers, left: Numbers, right: Numbers, shared: Numbers) -> npt.NDArray[np.int64]:
        a, b = sizes[left].astype(np.int64), sizes[right].astype(np.int64)
        wholes = {"union": a + b - shared, "min": np.minimum(a, b), "reference": a, "document": b}
        return wholes[self.denominator]

    def _divide(self, sizes: Numbers, left: Numbers, right: Numbers, shared: Numbers) -> Scores:
        whole = self._whole(sizes, left, right, shared)
        return np.divide(shared, whole, out=np.zeros(len(shared)), where=whole > 0)

    def _passes(self, sizes: Numbers, left: Numbers, right: Numbers, shared: Numbers) -> npt.NDArray[np.bool_]:
        numerator, denominator = threshold_fraction(self.threshold)
        have, need = shared.astype(np.int64) * denominator, self._whole(sizes, left, right, shared) * numerator
        passed: npt.NDArray[np.bool_] = (shared > 0) & (have > need if self.strict else have >= need)
        return passed & self._long_enough(sizes, left, right)

    def _long_enough(self, sizes: Numbers, left: Numbers, right: Numbers) -> npt.NDArray[np.bool_]:
        long_enough: npt.NDArray[np.bool_] = np.minimum(sizes[left], sizes[right]) >= self.least
        return long_enough


@dataclass(frozen=True, slots=True)
class WeightedOverlap:
    """The weight of the terms that two texts share over the weight of all their terms, at least the threshold."""

    threshold: float

    def scores(self, corpus: Corpus, a: Numbers, b: Numbers) -> Scores:
        """Return the exact share of any pairs of nodes."""
        return self._divide(corpus, a, b, corpus.weighted.shared(a, b))

    def link(self, corpus: Corpus, candidates: Candidates) -> Links:
        """Keep the pairs whose share reaches the threshold."""
        if candidates.similarities is not None:
            return Links(candidates.a, candidates.b, candidates.similarities, ("degree",))
        a, b = candidates.a, candidates.b
        shared, totals = corpus.weighted.shared(a, b).astype(np.int64), corpus.weighted.totals().astype(np.int64)
        numerator, denominator = threshold_fraction(self.threshold)
        passed = shared * denominator >= numerator * (totals[a] + totals[b] - shared)
        return Links(a[passed], b[passed], self._divide(corpus, a, b, shared)[passed], ("degree",))

    def _divide(self, corpus: Corpus, a: Numbers, b: Numbers, shared: npt.NDArray[Any]) -> Scores:
        totals = corpus.weighted.totals()
        scores: Scores = shared / (totals[a] + totals[b] - shared)
        return scores


@dataclass(frozen=True, slots=True)
class Same:
    """Pairs that share a key are linked as they are; their similarity is the Jaccard of their words."""

    def scores(self, corpus: Corpus, a: Numbers, b: Numbers) -> Scores:
        """Return the Jaccard similarity of the words."""
        return Overlap(Shingles(size=1), 1.0).scores(corpus, a, b)

    def link(self, corpus: Corpus, candidates: Candidates) -> Links:
        """Keep all pairs."""
        scores = self.scores(corpus, candidates.a, candidates.b)
        return Links(candidates.a, candidates.b, scores, ("signature",))


@dataclass(frozen=True, slots=True)
class Identical:
    """Pairs that share a fingerprint are the same text."""

    def scores(self, corpus: Corpus, a: Numbers, b: Numbers) -> Scores:
        """Return 1 for equal texts and 0 for others."""
        prints = corpus.survey.fingerprints[corpus.nodes]
        equal: Scores = (prints[a] == prints[b]).astype(np.float64)
        return equal

    def link(self, corpus: Corpus, candidates: Candidates) -> Links:
        """Keep all pairs."""
        scores = self.scores(corpus, candidates.a, candidates.b)
        return Links(candidates.a, candidates.b, scores, ("exact",))


@dataclass(frozen=True, slots=True)
class Hamming:
    """SimHashes that differ in at most `bits` of 64 bits; the similarity is the share of equal bits."""

    shingles: Shingles
    bits: int = 3

    def scores(self, corpus: Corpus, a: Numbers, b: Numbers) -> Scores:
        """Return the share of equal bits."""
        return 1 - self._differing(corpus, a, b) / 64

    def link(self, corpus: Corpus, candidates: Candidates) -> Links:
        """Keep the pairs that differ in few enough bits."""
        differing = self._differing(corpus, candidates.a, candidates.b)
        near = differing <= self.bits
        return Links(candidates.a[near], candidates.b[near], 1 - differing[near] / 64, ("bits",))

    def features(self, corpus: Corpus) -> Features:
        """Return the hashes as bytes."""
        hashes = self._hashes(corpus, np.arange(len(corpus), dtype=np.uint32))
        return Features(hashes.view(np.uint8), np.arange(len(corpus) + 1, dtype=np.int64) * 8)

    def _hashes(self, corpus: Corpus, nodes: Numbers) -> npt.NDArray[np.uint64]:
        if corpus.features is not None:
            return corpus.features.content.view(np.uint64)[nodes]
        return corpus.texts.simhashes(corpus.nodes[nodes], self.shingles.run)

    def _differing(self, corpus: Corpus, a: Numbers, b: Numbers) -> npt.NDArray[np.int64]:
        nodes, (left, right) = _renumber(len(corpus), a, b)
        hashes = self._hashes(corpus, nodes)
        differing = (hashes[left] ^ hashes[right]).view(np.uint8).reshape(-1, 8)
        counts: npt.NDArray[np.int64] = np.unpackbits(differing, axis=1).sum(axis=1, dtype=np.int64)
        return counts


TERM_GROUNDS = ("identical", "terms")
"""What a link by signatures rests on, as `_core` numbers it from 1: the key of identical documents, or terms."""


@dataclass(frozen=True, slots=True)
class SharedTerms:
    """The share of the terms of the longer vector that two documents have in common."""

    signer: Signer
    rule: TermRule

    def features(self, corpus: Corpus) -> Features:
        """Return the signatures as bytes."""
        return Features(*self.signer.of(corpus).pack())

    def scores(self, corpus: Corpus, a: Numbers, b: Numbers) -> Scores:
        """Return the share of common terms; 1 for identical texts."""
        nodes, (left, right) = _renumber(len(corpus), a, b)
        signatures = self.signer.of(corpus, nodes)
        return np.where(_same_text(corpus, a, b), 1.0, share_terms(signatures, left, right))

    def link(self, corpus: Corpus, candidates: Candidates) -> Links:
        """Keep the pairs that the rule links, and say whether by key or by terms."""
        a, b = candidates.a, candidates.b
        nodes, (left, right) = _renumber(len(corpus), a, b)
        signatures = self.signer.of(corpus, nodes)
        grounds, _ = signatures.judge(left, right, _days_of(corpus, nodes), self.rule.arguments)
        same = _same_text(corpus, a, b)
        scores = np.where(same, 1.0, share_terms(signatures, left, right))
        passed = same | (grounds > 0)
        evidence = np.where(same, 0, grounds - 1)[passed].astype(np.uint8)
        return Links(a[passed], b[passed], scores[passed], TERM_GROUNDS, evidence)


def share_terms(signatures: _core.Signatures, a: Numbers, b: Numbers) -> Scores:
    """Return the share of the entries of the longer vector that each pair has in common."""
    sizes = np.diff(signatures.arrays()[0].astype(np.int64))
    longer = np.maximum(sizes[a], sizes[b])
    return np.divide(signatures.overlaps(a, b), longer, out=np.zeros(len(a)), where=longer > 0)


def _same_text(corpus: Corpus, a: Numbers, b: Numbers) -> npt.NDArray[np.bool_]:
    if corpus.survey is None:  # stored nodes, which are distinct texts
        return np.zeros(len(a), bool)
    prints = corpus.survey.fingerprints[corpus.nodes]
    same: npt.NDArray[np.bool_] = prints[a] == prints[b]
    return same


def _days_of(corpus: Corpus, nodes: Numbers) -> Days:
    """Return the days of some of the nodes."""
    if corpus.days is None:
        return undated(len(nodes))
    offsets, days = (each.astype(np.int64) for each in corpus.days)
    counts = np.diff(offsets)[nodes]
    ends = np.append(0, np.cumsum(counts))
    places = np.arange(ends[-1]) + np.repeat(offsets[nodes] - ends[:-1], counts)
    return ends.astype(np.uint64), days[places].astype(np.int32)


def _leader_first(corpus: Corpus, a: Numbers, b: Numbers) -> tuple[Numbers, Numbers]:
    """Turn pairs so that the one that leads comes first."""
    swap = a > b
    if corpus.by_popularity:
        swap = (corpus.copies[a] < corpus.copies[b]) | ((corpus.copies[a] == corpus.copies[b]) & swap)
    return np.where(swap, b, a), np.where(swap, a, b)


def _renumber(nodes: int, a: Numbers, b: Numbers) -> tuple[Numbers, tuple[Numbers, Numbers]]:
    """Return the nodes that occur in the pairs, and the pairs in terms of their places in that list."""
    used = np.zeros(nodes, bool)
    used[a] = True
    used[b] = True
    occurring = np.flatnonzero(used).astype(np.uint32)
    places = np.zeros(nodes, np.uint32)
    places[occurring] = np.arange(len(occurring), dtype=np.uint32)
    return occurring, (places[a], places[b])
