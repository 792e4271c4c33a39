"""The tables of a run, made from what the stages found: documents, clusters, pairs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from neardup.engines.memberships import Membership, list_members, name_documents, relate_all
from neardup.explain import make_template, rank_documents, relate_members
from neardup.records import (
    CLUSTER_SCHEMA,
    DOCUMENT_SCHEMA,
    EMPTY,
    OK,
    PAIR_SCHEMA,
    RELATIONS,
    TOO_SHORT,
    UNREADABLE,
    Documents,
)
from neardup.stages import Corpus, Grouping, Links, Numbers, Scores

EXCERPT_CHARACTERS = 300
SPREAD_ROWS = 1_000
TEMPLATE_DISTINCT = 3
TEMPLATE_CLUSTERS = 1_000
TEMPLATE_MEMBERS = (20, 100)
TEMPLATE_ALIGNMENTS = 20_000
TEMPLATE_CHARACTERS = 20_000
NO_NODE = np.iinfo(np.uint32).max


@dataclass
class Outcome:
    """What the stages found: links between nodes, the leader of each node, the leading document of each document."""

    documents: Documents
    score: Callable[[Corpus, Numbers, Numbers], Scores]
    corpus: Corpus
    grouping: Grouping
    leading: Numbers

    @property
    def links(self) -> Links:
        """The verified pairs of nodes."""
        return self.grouping.links

    @property
    def leaders(self) -> Numbers:
        """The leader of each node."""
        return self.grouping.leaders

    @cached_property
    def nodes(self) -> Numbers:
        """The node of each document; a number that no node has for one without a word."""
        nodes = np.full(len(self.documents), NO_NODE, np.uint32)
        nodes[self.corpus.nodes] = np.arange(len(self.corpus), dtype=np.uint32)
        found: Numbers = nodes[self.corpus.survey.representatives]
        return found

    @cached_property
    def statuses(self) -> pa.Array:
        """The status of each document: the reader's, `empty` where no word was found, or `too_short`."""
        wordless = pa.array(self.nodes == NO_NODE)
        if self.documents.statuses is None:
            known = pa.array(np.full(len(self.documents), OK, object), pa.string())
        else:
            known = self.documents.statuses.combine_chunks().cast(pa.string())
        known = pc.if_else(pc.and_(pa.array(self.short), pc.equal(known, OK)), TOO_SHORT, known)
        return pc.if_else(pc.and_(wordless, pc.equal(known, OK)), EMPTY, known)

    @cached_property
    def short(self) -> npt.NDArray[np.bool_]:
        """Whether each document was too short to be compared with any but identical ones."""
        if self.grouping.short is None:
            return np.zeros(len(self.documents), bool)
        return np.append(self.grouping.short, False)[np.minimum(self.nodes, len(self.corpus))]

    def status_counts(self) -> dict[str, int]:
        """Return how many documents were empty or unreadable, and where some can be, too short."""
        short = {} if self.grouping.short is None else {TOO_SHORT: int(self.short.sum())}
        if self.documents.statuses is None:
            return {EMPTY: int((self.nodes == NO_NODE).sum()), UNREADABLE: 0} | short
        counted = {row["values"]: row["counts"] for row in pc.value_counts(self.statuses).to_pylist()}
        return {status: counted.get(status, 0) for status in (EMPTY, UNREADABLE, *short)}

    def exact_pairs(self) -> int:
        """Return how many documents are a copy of an identical one; between two collections these are pairs anyway."""
        if self.corpus.sides is not None:
            return 0
        return int((self.nodes != NO_NODE).sum()) - len(self.corpus)

    @cached_property
    def sizes(self) -> npt.NDArray[np.int64]:
        """The size of the cluster of each document, of its largest one where clusters overlap."""
        counts = np.bincount(self.leading, minlength=len(self.documents))
        sizes: npt.NDArray[np.int64] = counts[self.leading]
        clusters = self.grouping.overlapping
        if clusters is not None and len(clusters):
            copies = self.corpus.copies[clusters.members].astype(np.int64)
            whole = np.add.reduceat(copies, clusters.offsets[:-1].astype(np.int64))
            own = self.own
            sizes[own >= 0] = whole[own[own >= 0]]
        return sizes

    @cached_property
    def own(self) -> npt.NDArray[np.int64]:
        """The largest of the overlapping clusters that each document is in; -1 for none."""
        clusters = self.grouping.overlapping
        if clusters is None:
            return np.full(len(self.documents), -1, np.int64)
        return np.append(clusters.own, -1)[np.minimum(self.nodes, len(self.corpus))]

    def cluster_count(self) -> int:
        """Return how many clusters of two or more there are."""
        overlapping = 0 if self.grouping.overlapping is None else len(self.grouping.overlapping)
        alone = self.leading[self.own < 0]
        return overlapping + int((np.bincount(alone, minlength=1) > 1).sum())

    @cached_property
    def membership(self) -> Membership:
        """Who is in which cluster of two or more."""
        return list_members(self)

    @cached_property
    def related(self) -> tuple[pa.Array, Scores]:
        """The relation and the similarity of each member to the reference copy of its cluster."""
        return relate_all(self)

    @cached_property
    def document_table(self) -> pa.Table:
        """One row for each document, in input order."""
        ids = self.documents.id_column().combine_chunks()
        is_leader = self.leading == np.arange(len(self.documents), dtype=np.uint32)
        relations, similarities, added, removed = self._describe_members(is_leader)
        compared = (self.nodes != NO_NODE) & ~(self.short & (self.sizes == 1))
        blank = pa.array(~compared)
        columns = [
            ids,
            name_documents(self),
            pa.array(is_leader),
            relations,
            pa.array(similarities, mask=~compared),
            pc.if_else(blank, None, added),
            pc.if_else(blank, None, removed),
            self.statuses,
        ]
        return pa.table(columns, schema=DOCUMENT_SCHEMA)

    def _describe_members(self, is_leader: npt.NDArray[np.bool_]) -> tuple[pa.Array, Scores, pa.Array, pa.Array]:
        """Relation, similarity, added and removed text of each document, worked out once for each distinct text."""
        following = np.flatnonzero(self.leaders != np.arange(len(self.corpus))).astype(np.uint32)
        described = relate_members(
            self.corpus.texts, self.corpus.nodes[following], self.corpus.nodes[self.leaders[following]]
        )
        scores = np.ones(len(self.documents))
        place = np.full(len(self.corpus) + 1, len(following), np.int64)
        place[following] = np.arange(len(following))
        nodes = np.where(is_leader | (self.nodes == NO_NODE), len(self.corpus), self.nodes)
        places = place[nodes]
        scores = np.append(self.similarities(following, self.leaders[following]), 1.0)[places]
        own = np.where(is_leader, np.where(self.sizes > 1, "reference", "unique"), "exact")
        relations = pc.if_else(pa.array(places == len(following)), pa.array(own), _spread(described.relations, places))
        return relations, scores, _spread(described.added, places), _spread(described.removed, places)

    def similarities(self, following: Numbers, leaders: Numbers) -> Scores:
        """The similarity of these nodes to their leaders: of the linked pairs, or worked out where a chain led here."""
        wanted = _pair_keys(np.minimum(following, leaders), np.maximum(following, leaders))
        known = _pair_keys(self.links.a, self.links.b)
        if not len(known):
            return self.score(self.corpus, leaders, following) if len(wanted) else np.zeros(0)
        at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
        found = known[at] == wanted
        scores: Scores = self.links.similarities[at]
        if not found.all():
            lead, follow = leaders[~found], following[~found]
            scores[~found] = self.score(self.corpus, np.minimum(lead, follow), np.maximum(lead, follow))
        return scores


def _pair_keys(a: Numbers, b: Numbers) -> npt.NDArray[np.uint64]:
    keys: npt.NDArray[np.uint64] = (a.astype(np.uint64) << np.uint64(32)) | b.astype(np.uint64)
    return keys


def _spread(values: pa.Array, places: npt.NDArray[np.int64]) -> pa.ChunkedArray:
    """Give each document the value at its place, the place behind the last being the empty string; in pieces."""
    known = pa.concat_arrays([values.cast(pa.large_string()), pa.array([""], pa.large_string())])
    pieces = [places[start : start + SPREAD_ROWS] for start in range(0, len(places), SPREAD_ROWS)]
    return pa.chunked_array([known.take(pa.array(piece)).cast(pa.string()) for piece in pieces], pa.string())


def pair_table(outcome: Outcome) -> pa.Table:
    """The verified pairs: those of distinct texts, and each identical copy with the first of its kind."""
    ranks = rank_documents(outcome.documents)
    a, b = outcome.corpus.nodes[outcome.links.a], outcome.corpus.nodes[outcome.links.b]
    first, copy = _copies(outcome, ranks)
    swap = ranks[a] > ranks[b]
    left = np.concatenate([np.where(swap, b, a), first])
    right = np.concatenate([np.where(swap, a, b), copy])
    scores = np.concatenate([outcome.links.similarities, np.ones(len(copy))])
    grounds = np.array([*outcome.links.grounds, "exact"], object)
    linked = np.zeros(len(a), np.uint8) if outcome.links.evidence is None else outcome.links.evidence
    evidence = grounds[np.concatenate([linked, np.full(len(copy), len(grounds) - 1, np.uint8)])]
    order = np.lexsort((ranks[right], ranks[left]))
    ids = outcome.documents.id_column().combine_chunks()
    columns = [
        ids.take(pa.array(left[order])),
        ids.take(pa.array(right[order])),
        pa.array(scores[order]),
        pa.array(evidence[order], pa.string()),
    ]
    return pa.table(columns, schema=PAIR_SCHEMA)


def _copies(outcome: Outcome, ranks: Numbers) -> tuple[Numbers, Numbers]:
    """Pair the identical copies of each distinct text with the first of them by time, then id."""
    compared = np.flatnonzero(outcome.nodes != NO_NODE) if outcome.corpus.sides is None else np.zeros(0, np.int64)
    by_node = compared[np.lexsort((ranks[compared], outcome.nodes[compared]))].astype(np.uint32)
    nodes = outcome.nodes[by_node]
    starts = np.flatnonzero(np.append(True, nodes[1:] != nodes[:-1])) if len(nodes) else np.zeros(0, np.int64)
    firsts = np.repeat(by_node[starts], np.diff(np.append(starts, len(nodes))))
    later = by_node != firsts
    return firsts[later], by_node[later]


def cluster_table(outcome: Outcome) -> pa.Table:
    """One row for each cluster of two or more, the largest first, equals by time and id of the reference."""
    membership = outcome.membership
    members, cluster, leaders = membership.members, membership.cluster, membership.references
    texts = [_excerpt(outcome.documents.text(int(leader))) for leader in leaders]
    relations, similarities = outcome.related
    weakest = np.ones(len(leaders))
    np.minimum.at(weakest, cluster, similarities)
    first_time, last_time = _time_spans(outcome.documents, members, cluster, len(leaders))
    distinct = _distinct_counts(outcome, members, cluster, len(leaders))
    columns = [
        membership.names,
        pa.array(membership.sizes),
        pa.array(distinct),
        first_time,
        last_time,
        pa.array(texts, pa.string()),
        pa.array(weakest),
        *(_count(relations, relation, cluster, len(leaders)) for relation in RELATIONS),
        pa.array(_templates(outcome, distinct), pa.string()),
    ]
    return pa.table(columns, schema=CLUSTER_SCHEMA)


def _templates(outcome: Outcome, distinct: npt.NDArray[np.int64]) -> list[str]:
    """Return the template of each cluster; empty for small ones, those behind the largest, and long references."""
    membership, leaders = outcome.membership, outcome.membership.references
    first = outcome.corpus.survey.representatives[membership.members] == membership.members
    members, cluster = membership.members[first], membership.cluster[first]
    order = np.lexsort((rank_documents(outcome.documents)[members], cluster))
    bounds = np.searchsorted(cluster[order], np.arange(len(leaders) + 1))
    templates = [""] * len(leaders)
    most = int(np.clip(TEMPLATE_ALIGNMENTS // max(len(leaders), 1), *TEMPLATE_MEMBERS))
    for place, leader in enumerate(leaders[:TEMPLATE_CLUSTERS].tolist()):
        if distinct[place] < TEMPLATE_DISTINCT or len(outcome.documents.text(leader)) > TEMPLATE_CHARACTERS:
            continue
        own = members[order[bounds[place] : bounds[place + 1]]]
        others = own[own != leader].astype(np.uint32)
        templates[place] = make_template(outcome.corpus.texts, leader, others, most)
    return templates


def _excerpt(text: str) -> str:
    words = " ".join(text[: 4 * EXCERPT_CHARACTERS].encode("utf-8", "replace").decode().split())
    return words if len(words) <= EXCERPT_CHARACTERS else words[: EXCERPT_CHARACTERS - 1] + "…"


def _distinct_counts(
    outcome: Outcome, members: npt.NDArray[np.int64], cluster: npt.NDArray[np.int64], clusters: int
) -> npt.NDArray[np.int64]:
    representative = outcome.corpus.survey.representatives[members] == members
    return np.bincount(cluster[representative], minlength=clusters)


def _count(relations: pa.Array, relation: str, cluster: npt.NDArray[np.int64], clusters: int) -> pa.Array:
    chosen = pc.equal(relations, relation).to_numpy(zero_copy_only=False)
    return pa.array(np.bincount(cluster[chosen], minlength=clusters))


def _time_spans(
    documents: Documents, members: npt.NDArray[np.int64], cluster: npt.NDArray[np.int64], clusters: int
) -> tuple[pa.Array, pa.Array]:
    kind = pa.timestamp("us", "UTC")
    if documents.times is None:
        return pa.nulls(clusters, kind), pa.nulls(clusters, kind)
    times = documents.times.combine_chunks().take(pa.array(members))
    spans = (
        pa.table({"cluster": cluster, "time": times}).group_by("cluster").aggregate([("time", "min"), ("time", "max")])
    )
    spans = spans.sort_by("cluster")
    return tuple(spans[name].combine_chunks().cast(kind) for name in ("time_min", "time_max"))
