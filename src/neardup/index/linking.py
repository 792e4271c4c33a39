"""Links documents that arrive with each other and with stored ones, by the steps of the pipeline.

Nothing here depends on the method: its candidate rule computes the keys of each text alone, the store finds the nodes
that share them, and its verifier decides, on the stored texts or on the features that are stored in their place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

import numpy as np

from neardup import _core
from neardup.detectors import Detector, Recipe
from neardup.errors import SettingsError
from neardup.index.keys import Integers, KeyRows
from neardup.index.store.keys import KeyStore
from neardup.index.store.nodes import Fingerprint
from neardup.pipeline import (
    NO_NODE,
    Collection,
    collapse,
    find_links,
    learn,
    nodes_of_documents,
    stored_nodes,
    take_as_distinct,
    verify_features,
    verify_texts,
)
from neardup.records import Documents
from neardup.represent import DistinctTexts, Features, Lexicon, Packer, Representation
from neardup.stages import UNPLACED, Days, Flags, Hashes, Links, Nodes, Numbers, Scores, no_stage

R = TypeVar("R", bound=Representation)
T = TypeVar("T")

Order = tuple[int | bytes, ...]
"""A sort key: nodes with a smaller one lead."""

PAIRS_AT_ONCE = 50_000
NO_COMMON = np.zeros(0, np.uint64)
NOTHING = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class Side:
    """Nodes to be verified against others, as far as the method uses it, node by node.

    `orders` decides which node leads, where the direction of a pair matters.
    """

    texts: list[str] = field(default_factory=list)
    html: list[bool] = field(default_factory=list)
    features: list[bytes] = field(default_factory=list)
    days: list[Sequence[int]] = field(default_factory=list)
    copies: list[int] = field(default_factory=list)
    orders: list[Order] = field(default_factory=list)

    def concatenate(self, other: Side) -> Side:
        """Return the nodes of both sides."""
        return Side(
            self.texts + other.texts,
            self.html + other.html,
            self.features + other.features,
            self.days + other.days,
            self.copies + other.copies,
            self.orders + other.orders,
        )

    def take(self, rows: list[int]) -> Side:
        """Return some of the nodes, in this order."""

        def pick(column: list[T]) -> list[T]:
            return [column[row] for row in rows] if column else []

        return Side(
            pick(self.texts),
            pick(self.html),
            pick(self.features),
            pick(self.days),
            pick(self.copies),
            pick(self.orders),
        )

    def documents(self) -> Documents:
        """Return the texts as a collection."""
        html = np.array(self.html, bool)
        return Documents(self.texts, html=html if html.any() else None)


@dataclass(frozen=True, slots=True)
class Represented(Generic[R]):
    """Distinct texts with their representation; `packer` makes the features that are stored of each, if any."""

    distinct: DistinctTexts
    representation: R
    packer: Packer[R] | None

    def __len__(self) -> int:
        return len(self.distinct)

    def lengths(self) -> list[int]:
        """Return the number of words of each node."""
        lengths: list[int] = self.distinct.nodes.lengths.tolist()
        return lengths

    def fingerprints(self) -> list[Fingerprint]:
        """Return the fingerprint of each node."""
        survey, documents = self.distinct.survey, self.distinct.documents
        halves = (survey.fingerprints, survey.other_halves)
        low, high = (half[documents].view(np.int64).tolist() for half in halves)
        return list(map(Fingerprint, low, high))

    def stored_features(self) -> list[bytes]:
        """Return the features of each node that are to be stored; nothing if the method stores none."""
        return [] if self.packer is None else self.packer.pack(self.representation).split()

    def documents_of(self, nodes: list[int]) -> list[int]:
        """Return the index of the document that represents each of some nodes."""
        found: list[int] = self.distinct.documents[nodes].tolist()
        return found

    def node_of_documents(self) -> Integers:
        """Return the index of each document's node; -1 for a document without words."""
        nodes = nodes_of_documents(self.distinct)
        return np.where(nodes == NO_NODE, -1, nodes.astype(np.int64))


AnyRepresented = Represented[Any]
"""A batch represented by any method: only the linker looks inside."""


@dataclass(frozen=True, slots=True)
class Found:
    """Links between nodes of a batch, by index, and stored nodes, by number."""

    rows: Integers
    nodes: Integers
    similarities: Scores


class Linker:
    """A detector's recipe, used on documents that arrive one after the other."""

    def __init__(self, detector: Detector, threads: int = 0) -> None:
        recipe = detector.recipe()
        if not isinstance(recipe, Recipe):
            raise SettingsError(
                f"method {detector.name} cannot be used in an index: it clusters the whole collection at once; use a "
                "method that decides pair by pair, such as jaccard, minhash or conrad"
            )
        if recipe.candidates.order_dependent:
            raise SettingsError("an index links documents in any order: it cannot use skip_connected")
        self.detector = detector
        self.threads = threads
        self.recipe = recipe
        self.linkage = recipe.cluster.linkage
        self.directed = recipe.verify.directed
        self.dated = recipe.represent.dated
        self.featured = recipe.represent.packer is not None
        self.defers_common_keys = recipe.candidates.defers_common_keys
        self.common: Hashes = NO_COMMON

    def forget_common(self) -> None:
        """Forget the common keys, so that they are read again."""
        self.common = NO_COMMON

    def know_common(self, common: Hashes) -> None:
        """Use these common keys, which are sorted."""
        self.common = common

    def open(self, documents: Documents) -> _core.Texts:
        """Return the comparable texts of documents."""
        return self.recipe.normalise.open(documents, self.threads).texts

    def represent(self, documents: Documents, ranks: Numbers) -> AnyRepresented:
        """Collapse identical documents and represent the distinct texts."""
        return self._represented(collapse(self.recipe, self._collection(documents, ranks)))

    def represent_side(self, side: Side) -> AnyRepresented:
        """Represent stored texts, each of which is a node."""
        documents = side.documents()
        return self._represented(take_as_distinct(self.recipe, documents, self._nodes(side), self._days(side)))

    def _represented(self, distinct: DistinctTexts) -> AnyRepresented:
        represent = self.recipe.represent
        return Represented(distinct, represent.represent(distinct), represent.packer)

    def learn(self, documents: Documents) -> Lexicon:
        """Learn the lexicon of documents that the method needs."""
        ranks = np.arange(len(documents), dtype=np.uint32)
        learned = learn(self.recipe, collapse(self.recipe, self._collection(documents, ranks), search=False))
        if learned is None:
            raise SettingsError(f"method {self.detector.name} uses no lexicon: there is nothing to learn")
        return learned

    def keys(self, represented: AnyRepresented) -> KeyRows:
        """Return the keys of each node; those that are known to be common come last in their order."""
        keys = self.recipe.candidates.keys(represented.representation, self.common)
        return KeyRows.sort(keys, len(self.common))

    def link_within(self, represented: AnyRepresented, *, by_popularity: bool = False) -> Links:
        """Link the nodes of a batch with each other."""
        representation = represented.representation
        if by_popularity:
            nodes = replace(represented.distinct.nodes, by_popularity=True)
            representation = self.recipe.represent.represent(replace(represented.distinct, nodes=nodes))
        return find_links(self.recipe, representation, no_stage)[1]

    def scores(self, side: Side, a: Numbers, b: Numbers) -> Scores:
        """Return the similarity of pairs of stored texts."""
        return self.recipe.verify.scores(self.represent_side(side).representation, a, b)

    def meet(self, stored: KeyStore, keys: KeyRows, chosen: Flags, *, some_unplaced: bool) -> tuple[Integers, Integers]:
        """Return the chosen nodes and the stored nodes that share enough keys, pair by pair.

        Stored keys without a position are looked up only if there are some.
        """
        probes = keys.probes(chosen, some_unplaced=some_unplaced)
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
        """Verify pairs of batch nodes and stored nodes; the two functions return what is needed of either."""
        found = []
        for rows, nodes in _parts(*met):
            near, at_near = np.unique(rows, return_inverse=True)
            far, at_far = np.unique(nodes, return_inverse=True)
            both = own(near.tolist()).concatenate(stored(far.tolist()))
            a, b, similarities = self._verify(both, at_near, at_far + len(near), by_popularity=by_popularity)
            found.append(Found(near[a], far[b - len(near)], similarities))
        if not found:
            return Found(NOTHING, NOTHING, np.zeros(0))
        return Found(
            np.concatenate([each.rows for each in found]),
            np.concatenate([each.nodes for each in found]),
            np.concatenate([each.similarities for each in found]),
        )

    def _verify(
        self, side: Side, a: Integers, b: Integers, *, by_popularity: bool
    ) -> tuple[Integers, Integers, Scores]:
        """Return which of the pairs are linked, and their similarities."""
        count = len(side.copies)
        order = np.arange(count)
        if self.directed:
            order = np.array(sorted(range(count), key=side.orders.__getitem__), np.int64)
            side = side.take(order.tolist())
        rank = np.empty(count, np.int64)
        rank[order] = np.arange(count)
        left, right = np.minimum(rank[a], rank[b]), np.maximum(rank[a], rank[b])
        sorted_pairs = np.lexsort((right, left))
        pairs = left[sorted_pairs].astype(np.uint32), right[sorted_pairs].astype(np.uint32)
        links = self._verify_sorted(side, pairs, by_popularity=by_popularity)
        first, second = order[links.a], order[links.b]
        # Batch nodes came before stored nodes; sorting by rank may have turned pairs.
        return np.minimum(first, second), np.maximum(first, second), links.similarities

    def _verify_sorted(self, side: Side, pairs: tuple[Numbers, Numbers], *, by_popularity: bool) -> Links:
        nodes, days = self._nodes(side, by_popularity=by_popularity), self._days(side)
        if self.featured:
            return verify_features(self.recipe, Features.join(side.features), pairs, nodes, days)
        return verify_texts(self.recipe, side.documents(), pairs, nodes, days)

    def _collection(self, documents: Documents, ranks: Numbers) -> Collection:
        return Collection(documents, self.detector.keep, threads=self.threads, own_ranks=ranks, popular=False)

    def _nodes(self, side: Side, *, by_popularity: bool = False) -> Nodes:
        copies = np.array(side.copies, np.uint32)
        return stored_nodes(copies, by_popularity=by_popularity, threads=self.threads)

    def _days(self, side: Side) -> Days | None:
        return join_days(side.days) if self.dated else None


def join_days(days: list[Sequence[int]]) -> Days:
    """Return the days of several nodes as flat arrays; a node with an undated copy has none."""
    kept = [() if UNPLACED in each else sorted(each) for each in days]
    offsets = np.append(0, np.cumsum([len(each) for each in kept], dtype=np.int64)).astype(np.uint64)
    return offsets, np.array([day for each in kept for day in each], np.int32)


def _parts(rows: Integers, nodes: Integers) -> Iterator[tuple[Integers, Integers]]:
    for start in range(0, len(rows), PAIRS_AT_ONCE):
        yield rows[start : start + PAIRS_AT_ONCE], nodes[start : start + PAIRS_AT_ONCE]
