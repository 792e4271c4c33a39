"""The tables of a run: documents, clusters, pairs, and memberships where clusters overlap."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.explain import make_template, relate_members
from neardup.pipeline.collapse import NO_NODE
from neardup.pipeline.results.campaigns import (
    compare_with_references,
    find_template_source,
    list_consensus,
    list_menu_points,
    list_other_clusters,
    list_points,
)
from neardup.pipeline.results.memberships import Membership, list_members, name_clusters
from neardup.pipeline.results.outcome import Outcome
from neardup.records import (
    CLUSTER_SCHEMA,
    DOCUMENT_SCHEMA,
    MEMBERSHIP_SCHEMA,
    PAIR_SCHEMA,
    RELATIONS,
    Documents,
)
from neardup.stages import Counts, Numbers, Scores

EXCERPT_CHARACTERS = 300
SPREAD_ROWS = 1_000
TEMPLATE_DISTINCT = 3
TEMPLATE_CLUSTERS = 1_000
TEMPLATE_MEMBERS = (20, 100)
TEMPLATE_ALIGNMENTS = 20_000
TEMPLATE_CHARACTERS = 20_000


@dataclass(frozen=True)
class RunTables:
    """The tables of an outcome, each made when first needed."""

    outcome: Outcome

    @cached_property
    def membership(self) -> Membership:
        """The members of every cluster of two or more."""
        return list_members(self.outcome)

    @cached_property
    def documents(self) -> pa.Table:
        """One row for each document, in input order."""
        outcome = self.outcome
        relations, similarities, added, removed = _describe_members(outcome)
        compared = (outcome.node_of != NO_NODE) & ~(outcome.short & (outcome.sizes == 1))
        blank = pa.array(~compared)
        columns = [
            outcome.ids,
            self._cluster_names(),
            pa.array(outcome.is_reference),
            relations,
            pa.array(similarities, mask=~compared),
            pc.if_else(blank, None, added),
            pc.if_else(blank, None, removed),
            outcome.statuses,
            list_other_clusters(outcome),
            list_points(outcome),
        ]
        return pa.table(columns, schema=DOCUMENT_SCHEMA)

    def _cluster_names(self) -> pa.Array:
        outcome = self.outcome
        if outcome.grouping.overlapping is None:
            return outcome.ids.take(pa.array(outcome.leading))
        return name_clusters(outcome, self.membership)

    @cached_property
    def related(self) -> tuple[pa.Array, Scores]:
        """The relation and the similarity of each member to the reference copy of its cluster."""
        return _relate_members(self)

    def pairs(self) -> pa.Table:
        """Return the verified pairs: those of distinct texts, and each identical copy with the first copy."""
        return _pair_table(self.outcome)

    def clusters(self) -> pa.Table:
        """Return one row for each cluster of two or more, the largest first, ties by time and id of the reference."""
        return _cluster_table(self)

    def memberships(self) -> pa.Table:
        """Return one row for each document of each overlapping cluster, cluster by cluster, then by time and id."""
        membership = self.membership
        relations, similarities = self.related
        overlapping = np.flatnonzero(membership.units[membership.cluster] > 0)
        cluster = membership.cluster[overlapping]
        columns = [
            membership.names.take(pa.array(cluster)),
            self.outcome.ids.take(pa.array(membership.members[overlapping])),
            pa.array(membership.units[cluster]),
            relations.take(pa.array(overlapping)),
            pa.array(similarities[overlapping]),
        ]
        return pa.table(columns, schema=MEMBERSHIP_SCHEMA)


def _describe_members(outcome: Outcome) -> tuple[pa.Array, Scores, pa.Array, pa.Array]:
    """Return relation, similarity, added and removed text of each document, computed once for each distinct text.

    A text is compared with the leader of its cluster; where the cluster has a consensus, with that, the leader too.
    """
    representing, count = outcome.representing, len(outcome.nodes)
    compared = compare_with_references(outcome)
    described = relate_members(compared.texts, representing[compared.nodes], compared.references)
    row = np.full(count + 1, len(compared.nodes), np.int64)
    row[compared.nodes] = np.arange(len(compared.nodes))
    alone = outcome.is_reference & ~np.append(compared.by_consensus, False)[np.minimum(outcome.node_of, count)]
    rows = row[np.where(alone | (outcome.node_of == NO_NODE), count, outcome.node_of)]
    scores = np.append(compared.similarities, 1.0)[rows]
    own = np.where(outcome.is_reference, np.where(outcome.sizes > 1, "reference", "unique"), "exact")
    itself = pa.array((rows == len(compared.nodes)) | outcome.is_reference)
    relations = pc.if_else(itself, pa.array(own), _spread(described.relations, rows))
    return relations, scores, _spread(described.added, rows), _spread(described.removed, rows)


def _spread(values: pa.Array, rows: Counts) -> pa.ChunkedArray:
    """Return the value at each row, in chunks; the row after the last is the empty string."""
    known = pa.concat_arrays([values.cast(pa.large_string()), pa.array([""], pa.large_string())])
    pieces = [rows[start : start + SPREAD_ROWS] for start in range(0, len(rows), SPREAD_ROWS)]
    return pa.chunked_array([known.take(pa.array(piece)).cast(pa.string()) for piece in pieces], pa.string())


def _relate_members(tables: RunTables) -> tuple[pa.Array, Scores]:
    """Return the relation and the similarity of every member to the reference copy of its cluster."""
    outcome, membership = tables.outcome, tables.membership
    rows = pa.array(membership.members)
    relations = tables.documents["relation"].combine_chunks().take(rows)
    similarities = tables.documents["similarity"].to_numpy()[membership.members]
    references = membership.references[membership.cluster]
    elsewhere = np.flatnonzero(outcome.leading[membership.members] != references)
    if not len(elsewhere):
        return relations, similarities
    nodes = outcome.node_of[membership.members[elsewhere]].astype(np.uint64)
    own_references = outcome.node_of[references[elsewhere]].astype(np.uint64)
    pairs, back = np.unique(own_references << np.uint64(32) | nodes, return_inverse=True)
    lead, follow = (pairs >> np.uint64(32)).astype(np.uint32), pairs.astype(np.uint32)
    same = lead == follow
    described = relate_members(outcome.texts, outcome.representing[follow], outcome.representing[lead])
    related = pc.if_else(pa.array(same), "exact", described.relations)[: len(same)].take(pa.array(back))
    itself = membership.members[elsewhere] == references[elsewhere]
    scored = np.ones(len(pairs))
    scored[~same] = outcome.similarities(follow[~same], lead[~same])
    similarities = similarities.copy()
    similarities[elsewhere] = scored[back]
    chosen = np.zeros(len(membership.members), bool)
    chosen[elsewhere] = True
    related = pc.if_else(pa.array(itself), "reference", related)
    return pc.replace_with_mask(relations, pa.array(chosen), related.cast(relations.type)), similarities


def _pair_table(outcome: Outcome) -> pa.Table:
    ranks, links = outcome.ranks, outcome.links
    a, b = outcome.representing[links.a], outcome.representing[links.b]
    first, copy = _pair_copies(outcome)
    swap = ranks[a] > ranks[b]
    left = np.concatenate([np.where(swap, b, a), first])
    right = np.concatenate([np.where(swap, a, b), copy])
    scores = np.concatenate([links.similarities, np.ones(len(copy))])
    grounds = np.array([*links.grounds, "exact"], object)
    linked = np.zeros(len(a), np.uint8) if links.evidence is None else links.evidence
    evidence = grounds[np.concatenate([linked, np.full(len(copy), len(grounds) - 1, np.uint8)])]
    order = np.lexsort((ranks[right], ranks[left]))
    columns = [
        outcome.ids.take(pa.array(left[order])),
        outcome.ids.take(pa.array(right[order])),
        pa.array(scores[order]),
        pa.array(evidence[order], pa.string()),
    ]
    return pa.table(columns, schema=PAIR_SCHEMA)


def _pair_copies(outcome: Outcome) -> tuple[Numbers, Numbers]:
    """Pair the identical copies of each distinct text with the first of them by time, then id."""
    node_of = outcome.node_of
    compared = np.flatnonzero(node_of != NO_NODE) if outcome.nodes.sides is None else np.zeros(0, np.int64)
    by_node = compared[np.lexsort((outcome.ranks[compared], node_of[compared]))].astype(np.uint32)
    nodes = node_of[by_node]
    starts = np.flatnonzero(np.append(True, nodes[1:] != nodes[:-1])) if len(nodes) else np.zeros(0, np.int64)
    firsts = np.repeat(by_node[starts], np.diff(np.append(starts, len(nodes))))
    later = by_node != firsts
    return firsts[later], by_node[later]


def _cluster_table(tables: RunTables) -> pa.Table:
    outcome, membership = tables.outcome, tables.membership
    members, cluster, leaders = membership.members, membership.cluster, membership.references
    consensus = list_consensus(outcome, leaders)
    texts = [
        _excerpt(outcome.texts.prepared(int(leader)) if text is None else text)
        for leader, text in zip(leaders, consensus, strict=True)
    ]
    relations, similarities = tables.related
    weakest = np.ones(len(leaders))
    np.minimum.at(weakest, cluster, similarities)
    first_time, last_time = _time_spans(outcome.documents, members, cluster, len(leaders))
    distinct = _count_distinct(outcome, members, cluster, len(leaders))
    columns = [
        membership.names,
        pa.array(membership.sizes),
        pa.array(distinct),
        first_time,
        last_time,
        pa.array(texts, pa.string()),
        pa.array(weakest),
        *(_count(relations, relation, cluster, len(leaders)) for relation in RELATIONS),
        pa.array(_templates(tables, distinct), pa.string()),
        pa.array(consensus, pa.string()),
        pa.array(list_menu_points(outcome, leaders), pa.list_(pa.string())),
    ]
    return pa.table(columns, schema=CLUSTER_SCHEMA)


def _templates(tables: RunTables, distinct: Counts) -> list[str]:
    """Return the template of each cluster; empty for small ones, those after the largest, and long references."""
    outcome, membership = tables.outcome, tables.membership
    leaders = membership.references
    first = _represents_itself(outcome, membership.members)
    members, cluster = membership.members[first], membership.cluster[first]
    order = np.lexsort((outcome.ranks[members], cluster))
    bounds = np.searchsorted(cluster[order], np.arange(len(leaders) + 1))
    templates = [""] * len(leaders)
    most = int(np.clip(TEMPLATE_ALIGNMENTS // max(len(leaders), 1), *TEMPLATE_MEMBERS))
    for index, leader in enumerate(leaders[:TEMPLATE_CLUSTERS].tolist()):
        if distinct[index] < TEMPLATE_DISTINCT or len(outcome.documents.text(leader)) > TEMPLATE_CHARACTERS:
            continue
        own = members[order[bounds[index] : bounds[index + 1]]].astype(np.uint32)
        texts, reference = find_template_source(outcome, leader)
        templates[index] = make_template(texts, reference, own[own != reference], most)
    return templates


def _represents_itself(outcome: Outcome, members: Counts) -> Counts:
    """Return the indexes of the members that represent their identical copies."""
    return np.flatnonzero(outcome.run.distinct.survey.representatives[members] == members)


def _excerpt(text: str) -> str:
    words = " ".join(text[: 4 * EXCERPT_CHARACTERS].encode("utf-8", "replace").decode().split())
    return words if len(words) <= EXCERPT_CHARACTERS else words[: EXCERPT_CHARACTERS - 1] + "…"


def _count_distinct(outcome: Outcome, members: Counts, cluster: Counts, clusters: int) -> Counts:
    return np.bincount(cluster[_represents_itself(outcome, members)], minlength=clusters)


def _count(relations: pa.Array, relation: str, cluster: Counts, clusters: int) -> pa.Array:
    chosen = pc.equal(relations, relation).to_numpy(zero_copy_only=False)
    return pa.array(np.bincount(cluster[chosen], minlength=clusters))


def _time_spans(documents: Documents, members: Counts, cluster: Counts, clusters: int) -> tuple[pa.Array, pa.Array]:
    """Return the first and the last time of each cluster."""
    kind = pa.timestamp("us", "UTC")
    if documents.times is None:
        return pa.nulls(clusters, kind), pa.nulls(clusters, kind)
    times = documents.times.combine_chunks().take(pa.array(members))
    spans = (
        pa.table({"cluster": cluster, "time": times}).group_by("cluster").aggregate([("time", "min"), ("time", "max")])
    )
    spans = spans.sort_by("cluster")
    return tuple(spans[name].combine_chunks().cast(kind) for name in ("time_min", "time_max"))
