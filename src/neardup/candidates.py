"""Features to keys, shared keys to candidate pairs, with the guard on over-common keys.

Every rule says what it wants from the first pass over the texts (`along`) and then finds pairs of nodes. A rule that
verifies as it goes (the exact join) gives the similarities with the pairs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from neardup import _core
from neardup.errors import SettingsError
from neardup.stages import Candidates, Corpus, Numbers, Shingles, Terms, threshold_fraction

MOST_SLOTS = 2048
FEW_SHINGLES = 12

SKETCH_LOOKS = 100_000_000
JOIN_LOOKS = 300_000_000
"""A true pair is met under a dozen keys of a sketch and under dozens of a join; this allows some ten million."""


def find_sharing(corpus: Corpus, keys: npt.NDArray[np.uint64], offsets: npt.NDArray[np.uint64]) -> Candidates:
    """Find the pairs of nodes that share a key."""
    a, b, guarded_keys, guarded_pairs = _core.candidates(
        keys, offsets, corpus.lengths, corpus.sides, _budget(corpus, SKETCH_LOOKS), corpus.threads, corpus.copies
    )
    return Candidates(a, b, examined=len(a), guards=_guards(guarded_keys, guarded_pairs))


def _budget(corpus: Corpus, looks: int) -> int:
    """Return how many pairs may be looked at, repeats counted, before over-common keys are guarded."""
    return looks + 500 * len(corpus)


def _guards(keys: int, pairs: int) -> dict[str, int]:
    return {"keys": keys, "pairs_not_compared": pairs} if keys else {}


def collision(similarity: float, bands: int, rows: int) -> float:
    """Return the probability that two sets of this Jaccard similarity share a band."""
    return 1.0 - (1.0 - similarity**rows) ** bands


def choose_bands(threshold: float, recall: float) -> tuple[int, int]:
    """Choose the cheapest bands and rows that find a pair at the threshold with the wished probability.

    The cost counts the slots to fill, the half-similar pairs that come along to be verified, and heavily the unrelated
    ones, of which a large collection has so many.
    """

    def cost(bands: int, rows: int) -> float:
        return bands * rows + 400 * collision(threshold / 2, bands, rows) + 1e5 * collision(0.02, bands, rows)

    choices = []
    for rows in range(1, 17):
        missed = -math.expm1(math.log(threshold) * rows) if threshold < 1 else 0.0
        bands = 1 if missed == 0 else math.log1p(-recall) / math.log(missed) if missed < 1 else math.inf
        if bands * rows <= MOST_SLOTS:
            choices.append((math.ceil(bands), rows))
    if not choices:
        raise SettingsError(
            f"no sketch finds pairs at threshold {threshold} with recall {recall}: raise the threshold, lower recall, "
            "or use method jaccard, which finds all"
        )
    return min(choices, key=lambda choice: (cost(*choice), choice))


def least_agreement(threshold: float, slots: int, risk: float) -> int:
    """Return how many of the slots agree, but for this risk, in the sketches of two sets at the threshold."""
    if threshold >= 1:
        return slots
    below = 0.0
    for agreeing in range(slots + 1):
        ways = math.lgamma(slots + 1) - math.lgamma(agreeing + 1) - math.lgamma(slots - agreeing + 1)
        below += math.exp(ways + agreeing * math.log(threshold) + (slots - agreeing) * math.log1p(-threshold))
        if below > risk:
            return agreeing
    return slots


@dataclass(frozen=True, slots=True)
class Bands:
    """One-permutation MinHash in bands: pairs that share a band and whose sketches agree well enough.

    Of the pairs that may be missed at the threshold, a tenth goes to the agreement of the sketches, which spares the
    verification of most others. The slots of a text of few shingles are not independent: such texts are joined exactly.
    """

    shingles: Shingles
    threshold: float
    recall: float = 0.999
    bands: int = field(init=False)
    rows: int = field(init=False)

    def __post_init__(self) -> None:
        bands, rows = choose_bands(self.threshold, 1 - 0.9 * (1 - self.recall))
        object.__setattr__(self, "bands", bands)
        object.__setattr__(self, "rows", rows)

    @property
    def along(self) -> tuple[Any, ...]:
        """Sketches are made in the first pass."""
        return ("sketch", self.shingles.run, self.bands, self.rows)

    def pairs(self, corpus: Corpus) -> Candidates:
        """Find the pairs that share a band key, without those whose sketches differ too much."""
        keys = corpus.survey.keys.reshape(-1, self.bands)[corpus.nodes].ravel()
        a, b, *guarded = _core.banded_candidates(
            keys, self.bands, corpus.lengths, corpus.sides, _budget(corpus, SKETCH_LOOKS), corpus.threads, corpus.copies
        )
        few = self._few(corpus)
        rest = ~(few[a] & few[b])
        a, b = a[rest], b[rest]
        slots = self.bands * self.rows
        needed = least_agreement(self.threshold, slots, 0.1 * (1 - self.recall))
        agree = _core.agreeing(corpus.survey.slots, slots, corpus.nodes[a], corpus.nodes[b], needed, corpus.threads)
        agree |= few[a] | few[b]
        short = self._short_pairs(corpus, np.flatnonzero(few).astype(np.uint32))
        a, b = np.concatenate([a[agree], short[0]]), np.concatenate([b[agree], short[1]])
        order = np.lexsort((b, a))
        return Candidates(a[order], b[order], examined=int(rest.sum()) + len(short[0]), guards=_guards(*guarded))

    def _few(self, corpus: Corpus) -> npt.NDArray[np.bool_]:
        """Return which texts have so few shingles that their slots say too little, or may have such a partner."""
        few: npt.NDArray[np.bool_] = corpus.lengths <= (FEW_SHINGLES + self.shingles.size) / self.threshold
        return few

    def _short_pairs(self, corpus: Corpus, nodes: Numbers) -> tuple[Numbers, Numbers]:
        """Find all pairs of short texts by the exact join."""
        sets = corpus.texts.sets(corpus.nodes[nodes], self.shingles.run, self.shingles.kept, None)
        sides = None if corpus.sides is None else corpus.sides[nodes]
        threshold, looks = threshold_fraction(self.threshold), _budget(corpus, SKETCH_LOOKS)
        (a, b, _), _ = sets.similar("jaccard", threshold, sides, looks, corpus.copies[nodes])
        return nodes[a], nodes[b]


@dataclass(frozen=True, slots=True)
class Join:
    """The exact set-similarity join by prefix filter: every pair that reaches the threshold, with its overlap.

    `measure` is `jaccard` (at least the threshold) or `overlap` (of the smaller set, strictly above).
    """

    shingles: Shingles
    threshold: float
    measure: str = "jaccard"
    looks: int | None = None

    @property
    def along(self) -> tuple[Any, ...]:
        """The first pass counts shingles, so that the join can look at rare ones first."""
        return ("count", self.shingles.run, self.shingles.kept)

    def pairs(self, corpus: Corpus) -> Candidates:
        """Find every pair at the threshold."""
        sets = corpus.texts.sets(corpus.nodes, self.shingles.run, self.shingles.kept, corpus.survey)
        threshold = threshold_fraction(self.threshold)
        (a, b, shared), guarded = sets.similar(
            self.measure,
            threshold,
            corpus.sides,
            _budget(corpus, JOIN_LOOKS if self.looks is None else self.looks),
            corpus.copies,
        )
        sizes = sets.sizes().astype(np.int64)
        whole = sizes[a] + sizes[b] - shared if self.measure == "jaccard" else np.minimum(sizes[a], sizes[b])
        return Candidates(a, b, shared / whole, examined=len(a), guards=_guards(*guarded))


@dataclass(frozen=True, slots=True)
class Blocks:
    """SimHash: pairs whose 64-bit hashes can differ in at most `bits` bits (pigeonhole over blocks of bits)."""

    shingles: Shingles
    bits: int = 3

    @property
    def along(self) -> None:
        """Nothing: the hashes are made for the distinct texts alone."""
        return

    def pairs(self, corpus: Corpus) -> Candidates:
        """Find the pairs that agree in enough blocks."""
        hashes = corpus.texts.simhashes(corpus.nodes, self.shingles.run)
        blocks = self._block_count(len(corpus))
        keys = _core.block_keys(hashes, self.bits, blocks)
        each = math.comb(blocks, self.bits)
        return find_sharing(corpus, keys, np.arange(len(corpus) + 1, dtype=np.uint64) * np.uint64(each))

    def _block_count(self, nodes: int) -> int:
        """Use more and longer keys for larger collections, so that chance meetings stay rare."""
        wanted = math.log2(max(nodes, 2)) + 4
        for blocks in range(self.bits + 1, 13):
            if 64 * (blocks - self.bits) / blocks >= wanted and math.comb(blocks, self.bits) <= 64:
                return blocks
        return self.bits + 1


@dataclass(frozen=True, slots=True)
class Fingerprints:
    """The same text on both sides of a comparison; within one collection identical texts are collapsed anyway."""

    joined: bool = False

    @property
    def along(self) -> tuple[Any, ...] | None:
        """The fingerprints themselves; `joined` ones are made from the words written together."""
        return ("joined",) if self.joined else None

    def pairs(self, corpus: Corpus) -> Candidates:
        """Find the nodes of both sides with the same fingerprint."""
        keys = corpus.survey.fingerprints[corpus.nodes]
        return find_sharing(corpus, keys, np.arange(len(corpus) + 1, dtype=np.uint64))


@dataclass(frozen=True, slots=True)
class Signatures:
    """I-Match: documents whose terms of highest idf, but for the first few, are the same.

    Distinct words by descending idf, ties by the word; the first `skip` are left out as likely misspellings, the next
    `terms` make the signature, whatever their order in the text. A text with no more than `skip` distinct words is
    known by all of them.
    """

    vocabulary: Terms
    terms: int = 30
    skip: int = 5

    @property
    def along(self) -> None:
        """Nothing: document frequencies are counted over the distinct texts alone."""
        return

    def pairs(self, corpus: Corpus) -> Candidates:
        """Find the pairs with equal signatures."""
        hashes, ranks = self.vocabulary.ranks(corpus)
        signatures = corpus.texts.signatures(corpus.nodes, hashes, ranks, self.terms, self.skip)
        return find_sharing(corpus, signatures, np.arange(len(corpus) + 1, dtype=np.uint64))


PAIRS = 20_000_000
TERM_LOOKS = 100_000_000
"""How many pairs of weighted sets may come out of a join, and be looked at under fingerprints; more by size."""


@dataclass(frozen=True, slots=True)
class WeightedPrefix:
    """Every pair at the threshold: it shares one of the rarest terms that hold more than the threshold leaves over.

    With `skip_connected` pairs that earlier ones connect are not compared.
    """

    threshold: float
    skip_connected: bool = False

    @property
    def along(self) -> tuple[Any, ...]:
        """Terms are read in the first pass."""
        return ("terms",)

    def keys(self, weighted: _core.WeightedSets) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
        """Return the keys of each set, and offsets: two sets at the threshold share one."""
        return weighted.prefix_keys(threshold_fraction(self.threshold))

    def pairs(self, corpus: Corpus) -> Candidates:
        """Find every pair at the threshold."""
        if self.skip_connected:
            return _compare_sharing(corpus, self.keys(corpus.weighted), self.threshold, skip_connected=True)
        copies = corpus.copies if corpus.by_popularity else None
        (a, b, shared), guarded = corpus.weighted.similar(
            threshold_fraction(self.threshold), corpus.sides, PAIRS + 2 * len(corpus), copies
        )
        return Candidates(a, b, _degrees(corpus, a, b, shared), examined=len(a), guards=_guards(*guarded))


@dataclass(frozen=True, slots=True)
class TermGrams:
    """Pairs that share a fingerprint of `gram` contiguous terms among the heaviest k + `features` (Gong et al. 2008).

    k is the least number of terms with more than the threshold's share of the weight; without `features` it is k +
    `gram`, as printed, and two more with `thorough`: then texts of up to `gram` + 1 terms also have the fingerprints of
    all subsequences one shorter. With `skip_connected` pairs that earlier ones connect are not compared.
    """

    threshold: float
    gram: int = 3
    features: int | None = None
    thorough: bool = True
    skip_connected: bool = False

    @property
    def along(self) -> tuple[Any, ...]:
        """Terms are read in the first pass."""
        return ("terms",)

    def keys(self, weighted: _core.WeightedSets) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
        """Return the fingerprints of each set, and offsets; the sets must be in the order of their weights."""
        extra = self.gram + 2 * self.thorough if self.features is None else self.features
        return weighted.gram_keys(threshold_fraction(self.threshold), self.gram, extra, self.thorough)

    def pairs(self, corpus: Corpus) -> Candidates:
        """Compare the pairs that share a fingerprint."""
        keys = self.keys(corpus.weighted)
        return _compare_sharing(corpus, keys, self.threshold, skip_connected=self.skip_connected)


def _compare_sharing(corpus: Corpus, keys: Any, threshold: float, *, skip_connected: bool) -> Candidates:
    """Compare the weighted sets that share a key; `examined` is the number of comparisons."""
    copies = corpus.copies if corpus.by_popularity else None
    (a, b, shared), compared, guarded = corpus.weighted.compare_sharing(
        *keys, threshold_fraction(threshold), corpus.sides, _budget(corpus, TERM_LOOKS), copies, skip_connected
    )
    return Candidates(a, b, _degrees(corpus, a, b, shared), examined=compared, guards=_guards(*guarded))


def _degrees(corpus: Corpus, a: Numbers, b: Numbers, shared: npt.NDArray[np.uint64]) -> npt.NDArray[np.float64]:
    totals = corpus.weighted.totals()
    degrees: npt.NDArray[np.float64] = shared / (totals[a] + totals[b] - shared)
    return degrees
