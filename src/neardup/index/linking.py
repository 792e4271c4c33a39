"""Who is linked to whom: documents that come in, among each other and with what is stored.

Nothing here knows what a method does. Its candidate rule gives the keys of each text alone, the database says whom they
meet, and its verifier decides, on the stored texts or on the features that it asked to be stored instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from neardup import _core
from neardup.candidates import Join
from neardup.cluster import PairGrouper
from neardup.detectors import Detector
from neardup.errors import SettingsError
from neardup.index.keys import Flags, Integers, KeyRows
from neardup.index.store.keys import KeyStore
from neardup.records import Documents
from neardup.represent import TERMS, Lexicon, OwnTerms
from neardup.stages import NOWHERE, Candidates, Corpus, Days, Features, Links, Numbers

Order = tuple[Any, ...]

PAIRS_AT_ONCE = 50_000
NOTHING = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class Side:
    """Nodes to be verified against others, as far as the method wants to know: node by node.

    `orders` says who leads, where the direction of a pair matters.
    """

    texts: list[str] = field(default_factory=list)
    html: list[bool] = field(default_factory=list)
    features: list[bytes] = field(default_factory=list)
    days: list[Sequence[int]] = field(default_factory=list)
    copies: list[int] = field(default_factory=list)
    orders: list[Order] = field(default_factory=list)

    def beside(self, other: Side) -> Side:
        """Return the nodes of both."""
        return Side(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    def take(self, places: list[int]) -> Side:
        """Return some of the nodes, in the order of the places."""
        columns = (getattr(self, name) for name in self.__slots__)
        return Side(*([column[place] for place in places] if column else [] for column in columns))


@dataclass(frozen=True, slots=True)
class Found:
    """Links between nodes of a batch, by place, and stored nodes, by number."""

    places: Integers
    nodes: Integers
    similarities: npt.NDArray[np.float64]


class Linker:
    """A detector's stages, used on documents that come one after the other."""

    def __init__(self, detector: Detector, threads: int = 0) -> None:
        self.detector = detector
        self.threads = threads
        self.recipe = detector.recipe()
        grouper = self.recipe.grouper
        if not isinstance(grouper, PairGrouper) or not hasattr(grouper.candidates, "keys"):
            raise SettingsError(
                f"method {detector.name} cannot be an index's: it does not decide pair by pair; take one that does, "
                "such as jaccard, minhash or conrad"
            )
        if getattr(detector, "skip_connected", False):
            raise SettingsError("an index links whatever is alike, in any order: it cannot skip_connected")
        self.rule: Any = grouper.candidates
        self.verifier: Any = grouper.verifier
        self.linkage = grouper.linkage
        self.directed = bool(getattr(self.verifier, "directed", False))
        self.dated = self.recipe.dated
        self.featured = hasattr(self.verifier, "features")
        self.shuns_common = bool(getattr(self.rule, "shuns_common", False))
        self.common = np.zeros(0, np.uint64)

    def forget_common(self) -> None:
        """Know nothing of common keys, so that they are looked up."""
        self.common = np.zeros(0, np.uint64)

    def know_common(self, common: npt.NDArray[np.uint64]) -> None:
        """Take over the sorted keys that are known to be common."""
        self.common = common

    def open(self, documents: Documents) -> Any:
        """Return the comparable texts of documents."""
        texts = self.detector.normaliser.open(documents, self.threads)
        return texts if self.recipe.bodies is None else self.recipe.bodies.open(texts)

    def survey(self, documents: Documents, ranks: Numbers) -> Corpus:
        """Collapse identical texts; the nodes are the distinct ones by rank, or by length where the longest leads."""
        texts = self.open(documents)
        survey = texts.survey(ranks, None, self.recipe.grouper.along)
        representatives, words = survey.representatives, survey.words
        chosen = np.flatnonzero((representatives == np.arange(len(ranks), dtype=np.uint32)) & (words > 0))
        by_length = self.detector.keep == "longest"
        leading = -words[chosen].astype(np.int64) if by_length else np.zeros(len(chosen), np.int64)
        nodes = chosen[np.lexsort((ranks[chosen], leading))].astype(np.uint32)
        copies = np.bincount(representatives, minlength=len(ranks))[nodes].astype(np.uint32)
        lexicon = getattr(self.detector, "lexicon", None)
        return self._weigh(Corpus(texts, survey, nodes, words[nodes], copies, threads=self.threads, lexicon=lexicon))

    def _weigh(self, corpus: Corpus) -> Corpus:
        """Weigh the terms of a corpus where the method compares these and has learned how."""
        if self.recipe.terms is None or corpus.lexicon is None:
            return corpus
        return replace(corpus, weighted=self.recipe.terms.weigh(corpus))

    def learn(self, documents: Documents) -> Lexicon:
        """Count the words of documents, or the terms where the method weighs these."""
        corpus = self.survey(documents, np.arange(len(documents), dtype=np.uint32))
        if self.recipe.terms is None:
            return OwnTerms().learn(corpus)
        return Lexicon.count(corpus.texts, corpus.nodes, TERMS)

    def keys(self, corpus: Corpus) -> KeyRows:
        """Return the keys of each node of a corpus; those that are known to be common come last in their order."""
        return KeyRows.sort(self.rule.keys(replace(corpus, common=self.common)), len(self.common))

    def with_features(self, corpus: Corpus) -> Corpus:
        """Work out what is stored of each node for its verification, once for all stages."""
        return replace(corpus, features=self.verifier.features(corpus)) if self.featured else corpus

    def link_within(self, corpus: Corpus) -> Links:
        """Link the nodes of a corpus among each other."""
        links: Links = self.verifier.link(corpus, self.rule.pairs(corpus))
        return links

    def meet(self, stored: KeyStore, keys: KeyRows, chosen: Flags, *, some_nowhere: bool) -> tuple[Integers, Integers]:
        """Return the chosen places and the stored nodes that share enough keys, pair by pair.

        Unless some stored keys stand nowhere, these are not looked for.
        """
        probes = keys.probes(chosen, some_nowhere=some_nowhere)
        if not len(probes[0]):
            return NOTHING, NOTHING
        asked, nodes = stored.meet(probes)
        return _core.tally_meetings(asked, nodes, len(chosen), keys.needed)

    def link_stored(
        self,
        met: tuple[Integers, Integers],
        own: Callable[[list[int]], Side],
        stored: Callable[[list[int]], Side],
        *,
        by_popularity: bool = False,
    ) -> Found:
        """Verify pairs of places and stored nodes, of which the two functions tell what is needed."""
        found = []
        for places, nodes in _parts(*met):
            near, at_near = np.unique(places, return_inverse=True)
            far, at_far = np.unique(nodes, return_inverse=True)
            sides = own(near.tolist()).beside(stored(far.tolist()))
            a, b, similarities = self._verify(sides, at_near, at_far + len(near), by_popularity)
            found.append(Found(near[a], far[b - len(near)], similarities))
        if not found:
            return Found(NOTHING, NOTHING, np.zeros(0))
        columns = zip(*((each.places, each.nodes, each.similarities) for each in found), strict=True)
        return Found(*(np.concatenate(column) for column in columns))

    def _verify(
        self, sides: Side, a: Integers, b: Integers, by_popularity: bool
    ) -> tuple[Integers, Integers, npt.NDArray[np.float64]]:
        """Return which of the pairs are linked, and how alike they are."""
        count = len(sides.copies)
        order = np.arange(count)
        if self.directed:
            order = np.array(sorted(range(count), key=sides.orders.__getitem__), np.int64)
            sides = sides.take(order.tolist())
        rank = np.empty(count, np.int64)
        rank[order] = np.arange(count)
        left, right = np.minimum(rank[a], rank[b]), np.maximum(rank[a], rank[b])
        sorted_pairs = np.lexsort((right, left))
        left, right = left[sorted_pairs].astype(np.uint32), right[sorted_pairs].astype(np.uint32)
        corpus = replace(self._corpus(sides), by_popularity=by_popularity)
        admitted = self.rule.admit(corpus, left, right)
        links = self.verifier.link(corpus, Candidates(left[admitted], right[admitted]))
        first, second = order[links.a], order[links.b]
        # Pairs came as the batch's before the stored; being in order of rank may have turned them.
        return np.minimum(first, second), np.maximum(first, second), links.similarities

    def _corpus(self, sides: Side) -> Corpus:
        """Make a corpus for verification, of the texts or of what is kept in their place."""
        if not self.featured:
            return self.text_corpus(sides)
        nothing: Any = None
        count = len(sides.copies)
        corpus = Corpus(nothing, nothing, np.arange(count, dtype=np.uint32), np.zeros(count, np.uint32), _copies(sides))
        return self._complete(replace(corpus, features=Features.join(sides.features)), sides)

    def text_corpus(self, sides: Side) -> Corpus:
        """Make a corpus of which each text is a node."""
        html = np.array(sides.html, bool) if any(sides.html) else None
        texts = self.open(Documents(sides.texts, html=html))
        nodes = np.arange(len(sides.texts), dtype=np.uint32)
        # Counts over these few say nothing of the collection, and no verifier asks for them.
        survey = texts.survey(nodes, None, None if isinstance(self.rule, Join) else self.recipe.grouper.along)
        return self._weigh(self._complete(Corpus(texts, survey, nodes, survey.words, _copies(sides)), sides))

    def _complete(self, corpus: Corpus, sides: Side) -> Corpus:
        days = join_days(sides.days) if self.dated else None
        lexicon = getattr(self.detector, "lexicon", None)
        return replace(corpus, threads=self.threads, lexicon=lexicon, days=days)


def _copies(sides: Side) -> Numbers:
    return np.array(sides.copies, np.uint32)


def join_days(days: list[Sequence[int]]) -> Days:
    """Return the days of several nodes as flat arrays; a copy without a day leaves its node without any."""
    kept = [() if NOWHERE in each else sorted(each) for each in days]
    offsets = np.append(0, np.cumsum([len(each) for each in kept], dtype=np.int64)).astype(np.uint64)
    return offsets, np.array([day for each in kept for day in each], np.int32)


def _parts(places: Integers, nodes: Integers) -> Iterator[tuple[Integers, Integers]]:
    for start in range(0, len(places), PAIRS_AT_ONCE):
        yield places[start : start + PAIRS_AT_ONCE], nodes[start : start + PAIRS_AT_ONCE]
