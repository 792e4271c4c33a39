"""What a run found, by document: the cluster, the status and the similarity of each document."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup import _core
from neardup.pipeline.collapse import NO_NODE, nodes_of_documents
from neardup.pipeline.steps import Run
from neardup.records import EMPTY, NO_CONTENT, OK, TOO_SHORT, UNREADABLE, Documents
from neardup.stages import Counts, Flags, Grouping, Hashes, Links, Nodes, Numbers, Scores, Sides


@dataclass(frozen=True)
class Outcome:
    """A run by document; derived values are computed on first access."""

    run: Run

    @property
    def documents(self) -> Documents:
        """The documents of the run."""
        return self.run.collection.documents

    @property
    def grouping(self) -> Grouping:
        """The groups of nodes."""
        return self.run.grouping

    @property
    def links(self) -> Links:
        """The verified pairs of nodes."""
        return self.run.grouping.links

    @property
    def texts(self) -> _core.Texts:
        """The texts that were compared, by document."""
        return self.run.distinct.texts

    @property
    def nodes(self) -> Nodes:
        """The distinct texts."""
        return self.run.distinct.nodes

    @property
    def representing(self) -> Numbers:
        """The document that represents each node."""
        return self.run.distinct.documents

    @cached_property
    def ids(self) -> pa.Array:
        """The id of each document."""
        return self.documents.id_column().combine_chunks()

    @property
    def ranks(self) -> Numbers:
        """The rank of each document by time, then id."""
        return self.run.collection.time_ranks

    @cached_property
    def node_of(self) -> Numbers:
        """The node of each document; `NO_NODE` for one without a word."""
        return nodes_of_documents(self.run.distinct)

    @cached_property
    def leading(self) -> Numbers:
        """The reference document of each document's cluster; where clusters overlap, of its largest one."""
        representatives = self.run.distinct.survey.representatives
        leading = representatives.copy()
        leading[self.representing] = self.representing[self.grouping.leaders]
        leading = leading[representatives]
        sides = self.run.collection.sides
        return leading if sides is None else _leave_one_sided_alone(sides, leading)

    @cached_property
    def labels(self) -> Counts:
        """The number of each document's cluster, by first appearance in the input."""
        leading = self.leading
        appearance = np.full(len(leading), -1, np.int64)
        appearance[leading[::-1]] = np.arange(len(leading))[::-1]
        appears = np.zeros(len(leading), bool)
        appears[appearance[appearance >= 0]] = True
        first = np.flatnonzero(appears)
        labels = np.empty(len(leading), np.int64)
        labels[leading[first]] = np.arange(len(first))
        return labels[leading]

    @cached_property
    def is_reference(self) -> Flags:
        """Which documents are the reference of their cluster."""
        flags: Flags = self.leading == np.arange(len(self.documents), dtype=np.uint32)
        return flags

    @cached_property
    def statuses(self) -> pa.Array:
        """The status of each document: the reader's, `empty` where no word was found, `no_content` or `too_short`."""
        wordless = pa.array(self.node_of == NO_NODE)
        if self.documents.statuses is None:
            known = pa.array(np.full(len(self.documents), OK, object), pa.string())
        else:
            known = self.documents.statuses.combine_chunks().cast(pa.string())
        known = pc.if_else(pc.and_(pa.array(self.short), pc.equal(known, OK)), TOO_SHORT, known)
        known = pc.if_else(pc.and_(pa.array(self.without_content), pc.equal(known, OK)), NO_CONTENT, known)
        return pc.if_else(pc.and_(wordless, pc.equal(known, OK)), EMPTY, known)

    @cached_property
    def without_content(self) -> Flags:
        """Which letters have words, but none of them in a main text."""
        letters = self.run.distinct.letters
        if letters is None:
            return np.zeros(len(self.documents), bool)
        flags: Flags = letters.worded & (self.node_of == NO_NODE)
        return flags

    @cached_property
    def short(self) -> Flags:
        """Which documents were too short to be compared with any but identical ones."""
        if self.grouping.short is None:
            return np.zeros(len(self.documents), bool)
        return np.append(self.grouping.short, False)[np.minimum(self.node_of, len(self.nodes))]

    @cached_property
    def own(self) -> Counts:
        """The largest of the overlapping clusters that each document is in; -1 for none."""
        clusters = self.grouping.overlapping
        if clusters is None:
            return np.full(len(self.documents), -1, np.int64)
        return np.append(clusters.own, -1)[np.minimum(self.node_of, len(self.nodes))]

    @cached_property
    def sizes(self) -> Counts:
        """The size of each document's cluster, of its largest one where clusters overlap."""
        counts = np.bincount(self.leading, minlength=len(self.documents))
        sizes: Counts = counts[self.leading]
        clusters = self.grouping.overlapping
        if clusters is not None and len(clusters):
            copies = self.nodes.copies[clusters.members].astype(np.int64)
            whole = np.add.reduceat(copies, clusters.offsets[:-1].astype(np.int64))
            own = self.own
            sizes[own >= 0] = whole[own[own >= 0]]
        return sizes

    def count_statuses(self) -> dict[str, int]:
        """Return how many documents were empty, unreadable and, if the method tells them apart, of other statuses."""
        special = {} if self.grouping.short is None else {TOO_SHORT: int(self.short.sum())}
        if self.run.distinct.letters is not None:
            special[NO_CONTENT] = int(self.without_content.sum())
        if self.documents.statuses is None:
            empty = (self.node_of == NO_NODE) & ~self.without_content
            return {EMPTY: int(empty.sum()), UNREADABLE: 0} | special
        counted = {row["values"]: row["counts"] for row in pc.value_counts(self.statuses).to_pylist()}
        return {status: counted.get(status, 0) for status in (EMPTY, UNREADABLE, *special)}

    def count_exact_pairs(self) -> int:
        """Return how many documents are a copy of an identical one; between two collections these are pairs anyway."""
        if self.nodes.sides is not None:
            return 0
        return int((self.node_of != NO_NODE).sum()) - len(self.nodes)

    def count_clusters(self) -> int:
        """Return how many clusters of two or more there are."""
        overlapping = 0 if self.grouping.overlapping is None else len(self.grouping.overlapping)
        alone = self.leading[self.own < 0]
        return overlapping + int((np.bincount(alone, minlength=1) > 1).sum())

    def similarities(self, following: Numbers, leaders: Numbers) -> Scores:
        """Return the similarity of nodes to their leaders: as verified for linked pairs, computed now for others."""
        wanted = _pair_keys(np.minimum(following, leaders), np.maximum(following, leaders))
        known = _pair_keys(self.links.a, self.links.b)
        if not len(known):
            return self.run.score(leaders, following) if len(wanted) else np.zeros(0)
        at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
        found = known[at] == wanted
        scores: Scores = self.links.similarities[at]
        if not found.all():
            lead, follow = leaders[~found], following[~found]
            scores[~found] = self.run.score(np.minimum(lead, follow), np.maximum(lead, follow))
        return scores


def _leave_one_sided_alone(sides: Sides, leading: Numbers) -> Numbers:
    """Make singletons of the documents whose cluster has no document of the other collection."""
    mixed = np.zeros(len(leading), bool)
    mixed[leading[sides != sides[leading]]] = True
    return np.where(mixed[leading], leading, np.arange(len(leading), dtype=np.uint32))


def _pair_keys(a: Numbers, b: Numbers) -> Hashes:
    keys: Hashes = (a.astype(np.uint64) << np.uint64(32)) | b.astype(np.uint64)
    return keys
