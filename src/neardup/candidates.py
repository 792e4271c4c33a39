"""Features to keys, shared keys to candidate pairs, with the guard on over-common keys.

Every rule says what it wants from the first pass over the texts (`along`) and then finds pairs of nodes. A rule that
verifies as it goes (the exact join) gives the similarities with the pairs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from neardup import _core
from neardup.errors import SettingsError
from neardup.stages import (
    NOWHERE,
    Candidates,
    Corpus,
    Counts,
    Keys,
    Moments,
    Numbers,
    Shingles,
    Signer,
    TermRule,
    Terms,
    threshold_fraction,
    undated,
)

Flags = npt.NDArray[np.bool_]

MOST_SLOTS = 2048
KEYED_HASHES = 1 << 20
"""For how many hashes the keys of one alone are made: it does not depend on the collection."""
FEW_SHINGLES = 12

SKETCH_LOOKS = 100_000_000
JOIN_LOOKS = 300_000_000
SHARED_TERMS = 3
TERM_LOOKS = 1_000_000_000
"""A true pair is met under a dozen keys of a sketch and under dozens of a join; this allows some ten million."""


def find_sharing(corpus: Corpus, keys: npt.NDArray[np.uint64], offsets: npt.NDArray[np.uint64]) -> Candidates:
    """Find the pairs of nodes that share a key."""
    a, b, guarded_keys, guarded_pairs = _core.candidates(
        keys, offsets, corpus.lengths, corpus.sides, _budget(corpus, SKETCH_LOOKS), corpus.threads, corpus.copies
    )
    return Candidates(a, b, examined=len(a), guards=_guards(corpus, guarded_keys, guarded_pairs))


def _budget(corpus: Corpus, looks: int) -> int:
    """Return how many pairs may be looked at, repeats counted, before over-common keys are guarded."""
    return looks + 500 * len(corpus)


def _guards(corpus: Corpus, keys: int, pairs: int) -> dict[str, int]:
    """Count what was cut off: a pair may stand under many keys, so there are at most so many."""
    return {"keys": keys, "pairs_not_compared": min(pairs, len(corpus) * (len(corpus) - 1) // 2)} if keys else {}


def _as_one(a: Numbers, b: Numbers) -> npt.NDArray[np.uint64]:
    """Return pairs as numbers of the same order."""
    return a.astype(np.uint64) << np.uint64(32) | b


def _one_each(keys: npt.NDArray[np.uint64]) -> Keys:
    return Keys(keys, np.arange(len(keys) + 1, dtype=np.uint64))


def _all(a: Numbers) -> Flags:
    return np.ones(len(a), bool)


def _keys_of_sets(
    sets: _core.Sets, measure: str, threshold: float, common: npt.NDArray[np.uint64] | None
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64], Numbers]:
    """Return the keys under which each set meets every partner: its first elements by hash, common ones last."""
    fraction = threshold_fraction(threshold)
    if common is None or not len(common):
        return sets.keys(measure, fraction)
    values, offsets, firsts = sets.keys("overlap", fraction)
    sizes = (offsets[1:] - offsets[:-1]).astype(np.int64)
    owners = np.repeat(np.arange(len(sets)), sizes)
    late = common[np.minimum(np.searchsorted(common, values), len(common) - 1)] == values
    # The values of each set stand in order already: what is common goes behind the rest.
    values = values[np.lexsort((late, owners))]
    if measure != "jaccard":
        return values, offsets, firsts
    firsts = (sizes + 1 - np.maximum(-(-sizes * fraction[0] // fraction[1]), 1)).astype(np.uint32)
    places = np.arange(len(values)) - np.repeat(offsets[:-1].astype(np.int64), sizes)
    return values[places < np.repeat(firsts, sizes)], np.append(0, np.cumsum(firsts)).astype(np.uint64), firsts


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

    shuns_common: ClassVar[bool] = True

    @property
    def along(self) -> _core.FirstPass:
        """Sketches are made in the first pass."""
        return _core.FirstPass.sketches(self.shingles.run, self.bands, self.rows)

    def pairs(self, corpus: Corpus) -> Candidates:
        """Find the pairs that share a band key, without those whose sketches differ too much."""
        slots = self.bands * self.rows
        a, b, examined, *guarded = _core.banded_candidates(
            corpus.survey.keys,
            corpus.survey.slots,
            (self.bands, slots),
            corpus.nodes,
            (self._needed, self._most_words),
            corpus.lengths,
            corpus.sides,
            _budget(corpus, SKETCH_LOOKS),
            corpus.threads,
            corpus.copies,
        )
        short = self._short_pairs(corpus, np.flatnonzero(self._few(corpus)).astype(np.uint32))
        if len(short[0]):
            both = np.sort(np.concatenate([_as_one(a, b), _as_one(*short)]))
            a, b = (both >> 32).astype(np.uint32), both.astype(np.uint32)
        return Candidates(a, b, examined=examined + len(short[0]), guards=_guards(corpus, *guarded))

    def keys(self, corpus: Corpus) -> Keys:
        """Return the band keys of each node, and for a short text the keys of the join beside them."""
        bands = corpus.survey.keys.reshape(-1, self.bands)[corpus.nodes].ravel()
        few = np.flatnonzero(self._few(corpus)).astype(np.uint32)
        sets = corpus.texts.sets(corpus.nodes[few], self.shingles.run, self.shingles.kept, None)
        joined, offsets, _ = _keys_of_sets(sets, "jaccard", self.threshold, corpus.common)
        more = np.diff(offsets).astype(np.int64)
        counts = np.full(len(corpus), self.bands, np.int64)
        counts[few] += more
        nodes = np.concatenate([np.repeat(np.arange(len(corpus)), self.bands), np.repeat(few, more)])
        order = np.argsort(nodes, kind="stable")
        return Keys(np.concatenate([bands, joined])[order], np.append(0, np.cumsum(counts)).astype(np.uint64))

    def admit(self, corpus: Corpus, a: Numbers, b: Numbers) -> Flags:
        """Leave out the pairs of long texts whose sketches differ too much."""
        few = self._few(corpus)
        return self._agree(corpus, a, b) | few[a] | few[b]

    def _agree(self, corpus: Corpus, a: Numbers, b: Numbers) -> Flags:
        slots = self.bands * self.rows
        return _core.agreeing(
            corpus.survey.slots, slots, corpus.nodes[a], corpus.nodes[b], self._needed, corpus.threads
        )

    @property
    def _most_words(self) -> int:
        """How many words a text may have of which the slots say too little, or may say too little of a partner."""
        return min(int((FEW_SHINGLES + self.shingles.size) / self.threshold), np.iinfo(np.uint32).max)

    def _few(self, corpus: Corpus) -> Flags:
        few: Flags = corpus.lengths <= self._most_words
        return few

    @property
    def _needed(self) -> int:
        """How many slots of two sketches must agree for a pair not to be left out."""
        return least_agreement(self.threshold, self.bands * self.rows, 0.1 * (1 - self.recall))

    def _short_pairs(self, corpus: Corpus, nodes: Numbers) -> tuple[Numbers, Numbers]:
        """Find all pairs of short texts by the exact join: their slots say too little, or a partner's may."""
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

    shuns_common: ClassVar[bool] = True

    @property
    def along(self) -> _core.FirstPass:
        """The first pass counts shingles, so that the join can look at rare ones first."""
        threshold = threshold_fraction(self.threshold) if self.measure == "jaccard" else None
        return _core.FirstPass.counts(self.shingles.run, self.shingles.kept, threshold)

    def pairs(self, corpus: Corpus) -> Candidates:
        """Find every pair at the threshold."""
        threshold = threshold_fraction(self.threshold)
        sets = corpus.texts.sets(corpus.nodes, self.shingles.run, self.shingles.kept, corpus.survey)
        (a, b, shared), guarded = sets.similar(
            self.measure,
            threshold,
            corpus.sides,
            _budget(corpus, JOIN_LOOKS if self.looks is None else self.looks),
            corpus.copies,
        )
        sizes = sets.sizes().astype(np.int64)
        whole = sizes[a] + sizes[b] - shared if self.measure == "jaccard" else np.minimum(sizes[a], sizes[b])
        return Candidates(a, b, shared / whole, examined=len(a), guards=_guards(corpus, *guarded))

    def keys(self, corpus: Corpus) -> Keys:
        """Return the first shingles of each node in the order of their hashes, with the sizes of possible partners.

        Where a small set may lie inside a large one every shingle is a key, at moment 0 if it is among the first and
        else at 1, where it meets only first ones.
        """
        sets = corpus.texts.sets(corpus.nodes, self.shingles.run, self.shingles.kept, None)
        values, offsets, firsts = _keys_of_sets(sets, self.measure, self.threshold, corpus.common)
        counts = np.diff(offsets).astype(np.int64)
        if self.measure == "jaccard":
            numerator, denominator = threshold_fraction(self.threshold)
            sizes = np.repeat(sets.sizes().astype(np.int64), counts)
            partners = (-(-sizes * numerator // denominator), sizes * denominator // numerator)
            return Keys(values, offsets, sizes=Moments(sizes, *partners, some_nowhere=False))
        places = np.arange(len(values), dtype=np.int64) - np.repeat(offsets[:-1].astype(np.int64), counts)
        later = (places >= np.repeat(firsts, counts)).astype(np.int64)
        return Keys(values, offsets, moments=Moments(later, np.zeros_like(later), 1 - later, some_nowhere=False))

    def admit(self, corpus: Corpus, a: Numbers, b: Numbers) -> Flags:
        """Admit every pair."""
        return _all(a)


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

    def keys(self, corpus: Corpus) -> Keys:
        """Return the keys of the blocks, as many as a large collection wants."""
        blocks = self._block_count(KEYED_HASHES)
        keys = _core.block_keys(corpus.texts.simhashes(corpus.nodes, self.shingles.run), self.bits, blocks)
        each = math.comb(blocks, self.bits)
        return Keys(keys, np.arange(len(corpus) + 1, dtype=np.uint64) * np.uint64(each))

    def admit(self, corpus: Corpus, a: Numbers, b: Numbers) -> Flags:
        """Admit every pair."""
        return _all(a)

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
    def along(self) -> _core.FirstPass | None:
        """The fingerprints themselves; `joined` ones are made from the words written together."""
        return _core.FirstPass.joined() if self.joined else None

    def pairs(self, corpus: Corpus) -> Candidates:
        """Find the nodes of both sides with the same fingerprint."""
        keys = corpus.survey.fingerprints[corpus.nodes]
        return find_sharing(corpus, keys, np.arange(len(corpus) + 1, dtype=np.uint64))

    def keys(self, corpus: Corpus) -> Keys:
        """Return no keys: within one collection identical texts are collapsed."""
        return Keys(np.zeros(0, np.uint64), np.zeros(len(corpus) + 1, np.uint64))

    def admit(self, corpus: Corpus, a: Numbers, b: Numbers) -> Flags:
        """Admit every pair."""
        return _all(a)


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
        signatures = self._signatures(corpus)
        return find_sharing(corpus, signatures, np.arange(len(corpus) + 1, dtype=np.uint64))

    def keys(self, corpus: Corpus) -> Keys:
        """Return the signature of each node."""
        return _one_each(self._signatures(corpus))

    def admit(self, corpus: Corpus, a: Numbers, b: Numbers) -> Flags:
        """Admit every pair."""
        return _all(a)

    def _signatures(self, corpus: Corpus) -> npt.NDArray[np.uint64]:
        hashes, ranks = self.vocabulary.ranks(corpus)
        return corpus.texts.signatures(corpus.nodes, hashes, ranks, self.terms, self.skip)


@dataclass(frozen=True, slots=True)
class RareTerms:
    """Documents that share one of their rarest terms, near in time and of like length, or that have the same key.

    Vectors that have 80 % of 60 terms in common share one of their 13 rarest, so nothing is missed. Between two
    collections identical documents meet however few terms they have.
    """

    signer: Signer
    rule: TermRule

    @property
    def along(self) -> None:
        """Nothing: signatures are made of the distinct texts alone."""
        return

    def pairs(self, corpus: Corpus) -> Candidates:
        """Find every pair that the rule links."""
        signatures = self.signer.of(corpus)
        days = corpus.days or undated(len(corpus))
        budget = _budget(corpus, TERM_LOOKS)
        found, (keys, missed, compared) = signatures.duplicates(
            days, self.rule.arguments, corpus.sides, corpus.copies, budget
        )
        a, b = found[:2]
        guards = _guards(corpus, keys, missed)
        few = int((signatures.terms() < self.rule.reliable).sum())
        if few:
            guards["texts_of_few_terms"] = few
        if corpus.sides is not None:
            same = Fingerprints().pairs(corpus)
            both = np.unique(np.append(a, same.a).astype(np.uint64) << np.uint64(32) | np.append(b, same.b))
            a, b = (both >> np.uint64(32)).astype(np.uint32), both.astype(np.uint32)
        return Candidates(a, b, examined=compared, guards=guards)

    def keys(self, corpus: Corpus) -> Keys:
        """Return the rarest terms of each node, on each of its days, and its key, on no day, which is enough by itself.

        With the lexicon's salt, so that the keys of two lexicons can stand beside each other. There are two terms more
        than make sure that partners share one: so they share three, which strangers hardly do.
        """
        signatures = self.signer.of(corpus)
        values, ends = signatures.keys(self.rule.arguments, corpus.lexicon.salt, SHARED_TERMS)
        sizes = np.diff(signatures.arrays()[0].astype(np.int64))
        numerator, denominator = threshold_fraction(self.rule.threshold)
        needed = np.clip(-(-sizes * numerator // denominator), 1, SHARED_TERMS).astype(np.uint32)
        day_ends, days = corpus.days or undated(len(corpus))
        counts, day_counts = np.diff(ends).astype(np.int64), np.diff(day_ends).astype(np.int64)
        nodes = np.repeat(np.arange(len(corpus)), counts)
        whole = np.zeros(len(values), bool)
        whole[ends[1:][counts > 0].astype(np.int64) - 1] = True
        times = np.where(whole, 1, np.maximum(day_counts[nodes], 1))
        rows = np.repeat(np.arange(len(values)), times)
        place = np.arange(len(rows)) - np.repeat(np.cumsum(times) - times, times)
        dated = (~whole & (day_counts[nodes] > 0))[rows]
        moments = np.full(len(rows), NOWHERE, np.int64)
        moments[dated] = days[(day_ends[nodes[rows]].astype(np.int64) + place)[dated]]
        lengths = signatures.arrays()[2].astype(np.int64)[nodes[rows]]
        return Keys(
            values[rows],
            np.append(np.uint64(0), np.cumsum(np.bincount(nodes[rows], minlength=len(corpus)), dtype=np.uint64)),
            needed=needed,
            moments=Moments(
                moments,
                np.where(dated, moments - self.rule.days, NOWHERE),
                np.where(dated, moments + self.rule.days, -NOWHERE),
            ),
            sizes=Moments(lengths, *self._partners(lengths, whole[rows])),
            enough=whole[rows],
        )

    def _partners(self, lengths: Counts, whole: Flags) -> tuple[Counts, Counts]:
        near, same = (self.rule.partner_lengths(lengths, same_key=same_key) for same_key in (False, True))
        return np.where(whole, same[0], near[0]), np.where(whole, same[1], near[1])

    def admit(self, corpus: Corpus, a: Numbers, b: Numbers) -> Flags:
        """Admit every pair."""
        return _all(a)


PAIRS = 20_000_000
GRAM_LOOKS = 100_000_000
"""How many pairs of weighted sets may come out of a join, and be looked at under shared fingerprints; more by size."""


@dataclass(frozen=True, slots=True)
class WeightedPrefix:
    """Every pair at the threshold: it shares one of the rarest terms that hold more than the threshold leaves over.

    With `skip_connected` pairs that earlier ones connect are not compared.
    """

    threshold: float
    skip_connected: bool = False

    @property
    def along(self) -> _core.FirstPass:
        """Terms are read in the first pass."""
        return _core.FirstPass.terms()

    def keys(self, corpus: Corpus) -> Keys:
        """Return the first terms of each node, of which two nodes at the threshold share one."""
        return Keys(*corpus.weighted.prefix_keys(threshold_fraction(self.threshold)))

    def admit(self, corpus: Corpus, a: Numbers, b: Numbers) -> Flags:
        """Admit every pair."""
        return _all(a)

    def pairs(self, corpus: Corpus) -> Candidates:
        """Find every pair at the threshold."""
        if self.skip_connected:
            return _compare_sharing(corpus, self.keys(corpus), self.threshold, skip_connected=True)
        copies = corpus.copies if corpus.by_popularity else None
        (a, b, shared), guarded = corpus.weighted.similar(
            threshold_fraction(self.threshold), corpus.sides, PAIRS + 2 * len(corpus), copies
        )
        return Candidates(a, b, _degrees(corpus, a, b, shared), examined=len(a), guards=_guards(corpus, *guarded))


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
    def along(self) -> _core.FirstPass:
        """Terms are read in the first pass."""
        return _core.FirstPass.terms()

    def keys(self, corpus: Corpus) -> Keys:
        """Return the fingerprints of each node, whose terms must be in the order of their weights."""
        extra = self.gram + 2 * self.thorough if self.features is None else self.features
        threshold = threshold_fraction(self.threshold)
        return Keys(*corpus.weighted.gram_keys(threshold, self.gram, extra, self.thorough))

    def admit(self, corpus: Corpus, a: Numbers, b: Numbers) -> Flags:
        """Admit every pair."""
        return _all(a)

    def pairs(self, corpus: Corpus) -> Candidates:
        """Compare the pairs that share a fingerprint."""
        return _compare_sharing(corpus, self.keys(corpus), self.threshold, skip_connected=self.skip_connected)


def _compare_sharing(corpus: Corpus, keys: Keys, threshold: float, *, skip_connected: bool) -> Candidates:
    """Compare the weighted sets that share a key; `examined` is the number of comparisons."""
    copies = corpus.copies if corpus.by_popularity else None
    (a, b, shared), compared, guarded = corpus.weighted.compare_sharing(
        keys.values,
        keys.offsets,
        threshold_fraction(threshold),
        corpus.sides,
        _budget(corpus, GRAM_LOOKS),
        copies,
        skip_connected,
    )
    return Candidates(a, b, _degrees(corpus, a, b, shared), examined=compared, guards=_guards(corpus, *guarded))


def _degrees(corpus: Corpus, a: Numbers, b: Numbers, shared: npt.NDArray[np.uint64]) -> npt.NDArray[np.float64]:
    totals = corpus.weighted.totals()
    degrees: npt.NDArray[np.float64] = shared / (totals[a] + totals[b] - shared)
    return degrees
