"""Signatures of rare words: equal ones (I-Match), or vectors that share rare terms (Conrad, Guo & Schriber 2003)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from neardup.candidates.rule import (
    CandidateRule,
    comparison_budget,
    count_guarded,
    find_identical,
    pack_pairs,
    unpack_pairs,
)
from neardup.represent import TermRule, TermSignatures, WordSignatures
from neardup.stages import (
    UNPLACED,
    Candidates,
    Counts,
    Flags,
    Hashes,
    KeyRange,
    Keys,
    Numbers,
    threshold_fraction,
)

SHARED_TERMS = 3
TERM_LOOKS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class EqualSignatures(CandidateRule[WordSignatures]):
    """Nodes whose signatures are equal."""

    def keys(self, representation: WordSignatures, common: Hashes | None = None) -> Keys:
        """Return the signature of each node."""
        return Keys.uniform(representation.signatures)


@dataclass(frozen=True, slots=True)
class RareTerms(CandidateRule[TermSignatures]):
    """Nodes that share one of their rarest terms, close in time and of similar length, or that have the same key.

    Vectors that have 80 % of 60 terms in common share one of their 13 rarest, so no pair is missed. Between two
    collections, identical documents are always candidates, even with few terms.
    """

    rule: TermRule

    def pairs(self, representation: TermSignatures) -> Candidates:
        """Find every pair that the rule links."""
        nodes, vectors = representation.nodes, representation.vectors
        (a, b, *_), (keys, missed, compared) = vectors.duplicates(
            representation.known_days,
            self.rule.arguments,
            nodes.sides,
            nodes.copies,
            comparison_budget(nodes, TERM_LOOKS),
        )
        guards = count_guarded(nodes, keys, missed)
        few = int((vectors.terms() < self.rule.reliable).sum())
        if few:
            guards["texts_of_few_terms"] = few
        if nodes.sides is not None:
            same = find_identical(nodes)
            a, b = unpack_pairs(np.unique(pack_pairs(np.append(a, same.a), np.append(b, same.b))))
        return Candidates(a, b, examined=compared, guards=guards)

    def keys(self, representation: TermSignatures, common: Hashes | None = None) -> Keys:
        """Return the rarest terms of each node, on each of its days, and its key, on no day.

        The key is sufficient by itself. Keys are salted by the lexicon, so that those of two lexicons can be kept
        together. Each node has two more terms than partners need to share one. Partners therefore share three,
        which unrelated texts rarely do.
        """
        if representation.lexicon is None:
            raise ValueError("stored signatures have no lexicon to make keys with")
        count = len(representation.nodes)
        values, ends = representation.vectors.keys(self.rule.arguments, representation.lexicon.salt, SHARED_TERMS)
        day_ends, days = representation.known_days
        counts, day_counts = np.diff(ends).astype(np.int64), np.diff(day_ends).astype(np.int64)
        owners = np.repeat(np.arange(count), counts)
        whole = np.zeros(len(values), bool)
        whole[ends[1:][counts > 0].astype(np.int64) - 1] = True
        times = np.where(whole, 1, np.maximum(day_counts[owners], 1))
        rows = np.repeat(np.arange(len(values)), times)
        repeat = np.arange(len(rows)) - np.repeat(np.cumsum(times) - times, times)
        dated = (~whole & (day_counts[owners] > 0))[rows]
        day = np.full(len(rows), UNPLACED, np.int64)
        day[dated] = days[(day_ends[owners[rows]].astype(np.int64) + repeat)[dated]]
        return Keys(
            values[rows],
            np.append(np.uint64(0), np.cumsum(np.bincount(owners[rows], minlength=count), dtype=np.uint64)),
            needed=self._needed(representation),
            key_range=self._day_range(day, dated),
            size_range=self._length_range(representation, owners[rows], whole[rows]),
            sufficient=whole[rows],
        )

    def _needed(self, representation: TermSignatures) -> Numbers:
        """Return how many keys a node must share with a partner."""
        numerator, denominator = threshold_fraction(self.rule.threshold)
        shared = -(-representation.sizes() * numerator // denominator)
        return np.clip(shared, 1, SHARED_TERMS).astype(np.uint32)

    def _day_range(self, day: Counts, dated: Flags) -> KeyRange:
        first = np.where(dated, day - self.rule.days, UNPLACED)
        return KeyRange(day, first, np.where(dated, day + self.rule.days, -UNPLACED))

    def _length_range(self, representation: TermSignatures, owners: Counts, whole: Flags) -> KeyRange:
        lengths = representation.vectors.arrays()[2].astype(np.int64)[owners]
        near, same = (self.rule.partner_lengths(lengths, same_key=same_key) for same_key in (False, True))
        return KeyRange(lengths, np.where(whole, same[0], near[0]), np.where(whole, same[1], near[1]))
