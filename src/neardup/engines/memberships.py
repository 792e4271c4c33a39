"""Who is in which cluster of a run: one cluster for each document, or several where clusters overlap.

Overlapping clusters are called by the id of their reference copy and a number, `id#1`; texts that are only identical
make a cluster by themselves, called by the id alone, and are no members in this sense.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from neardup.explain import rank_documents, relate_members
from neardup.records import MEMBERSHIP_SCHEMA

if TYPE_CHECKING:
    from neardup.engines.tables import Outcome

Positions = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Membership:
    """The clusters of two or more, the largest first, equals by time and id of the reference.

    Document `members[i]` is in cluster `cluster[i]`. `places` finds the place of an overlapping cluster by its number
    in the grouping; `units` is what all its members share, 0 for texts that are only identical.
    """

    members: Positions
    cluster: Positions
    references: Positions
    sizes: Positions
    names: pa.Array
    units: Positions
    places: Positions


def list_members(outcome: Outcome) -> Membership:
    """List the members of every cluster of two or more."""
    identical = np.flatnonzero((outcome.sizes > 1) & (outcome.own < 0))
    leaders, group = np.unique(outcome.leading[identical], return_inverse=True)
    members, cluster, references, units = _overlapping_rows(outcome)
    overlapping = len(references)
    members = np.concatenate([members, identical])
    cluster = np.concatenate([cluster, overlapping + group])
    references = np.concatenate([references, leaders.astype(np.int64)])
    units = np.concatenate([units, np.zeros(len(leaders), np.int64)])
    ranks = rank_documents(outcome.documents)
    sizes = np.bincount(cluster, minlength=len(references))
    order = np.lexsort((ranks[references], -sizes))
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    names = _name(outcome, references[order], units[order] > 0)
    rows = np.lexsort((ranks[members], places[cluster])) if overlapping else slice(None)
    return Membership(
        members[rows], places[cluster][rows], references[order], sizes[order], names, units[order], places
    )


def _overlapping_rows(outcome: Outcome) -> tuple[Positions, Positions, Positions, Positions]:
    """Return document and cluster of each membership, and reference copy and shared units of each cluster."""
    clusters = outcome.grouping.overlapping
    if clusters is None:
        nothing = np.zeros(0, np.int64)
        return nothing, nothing, nothing, nothing
    nodes = len(outcome.corpus)
    compared = np.flatnonzero(outcome.nodes < nodes)
    by_node = compared[np.argsort(outcome.nodes[compared], kind="stable")]
    starts = np.searchsorted(outcome.nodes[by_node], np.arange(nodes + 1))
    counts = np.diff(starts)[clusters.members]
    before = np.repeat(np.cumsum(counts) - counts, counts)
    members = by_node[np.repeat(starts[clusters.members], counts) + np.arange(counts.sum()) - before]
    bounds = clusters.offsets.astype(np.int64)
    numbers = np.repeat(np.arange(len(clusters)), bounds[1:] - bounds[:-1])
    references = outcome.corpus.nodes[clusters.references].astype(np.int64)
    return members, np.repeat(numbers, counts), references, clusters.units.astype(np.int64)


def _name(outcome: Outcome, references: Positions, numbered: npt.NDArray[np.bool_]) -> pa.Array:
    """Name clusters by their reference copies; those that may overlap are numbered, past any name that is an id."""
    ids = outcome.documents.id_column().combine_chunks()
    plain = ids.take(pa.array(references)).cast(pa.string())
    if not numbered.any():
        return plain
    by_reference = np.argsort(references, kind="stable")
    sorted_references = references[by_reference]
    first = np.searchsorted(sorted_references, sorted_references)
    numbers = np.empty(len(references), np.int64)
    numbers[by_reference] = np.arange(len(references)) - first + 1
    names = pc.binary_join_element_wise(plain, pa.array(numbers.astype(str)), "#")
    names = pc.if_else(pa.array(numbered), names, plain)
    taken = pc.and_(pa.array(numbered), pc.is_in(names, value_set=ids)).to_numpy(zero_copy_only=False)
    return _rename(names, plain, np.flatnonzero(taken), ids) if taken.any() else names


def _rename(names: pa.Array, plain: pa.Array, taken: Positions, ids: pa.Array) -> pa.Array:
    """Give the clusters whose name is the id of a document the next free number."""
    used, known = set(ids.to_pylist()) | set(names.to_pylist()), names.to_pylist()
    for place in taken.tolist():
        number = 1
        while f"{plain[place].as_py()}#{number}" in used:
            number += 1
        known[place] = f"{plain[place].as_py()}#{number}"
        used.add(known[place])
    return pa.array(known, pa.string())


def name_documents(outcome: Outcome) -> pa.Array:
    """Return the name of the cluster of each document, of its largest one where clusters overlap."""
    ids = outcome.documents.id_column().combine_chunks()
    names = ids.take(pa.array(outcome.leading))
    inside = outcome.own >= 0
    if not inside.any():
        return names
    places = outcome.membership.places[np.where(inside, outcome.own, 0)]
    return pc.if_else(pa.array(inside), outcome.membership.names.take(pa.array(places)), names)


def relate_all(outcome: Outcome) -> tuple[pa.Array, npt.NDArray[np.float64]]:
    """Return the relation and the similarity of every member to the reference copy of its cluster."""
    membership = outcome.membership
    rows = pa.array(membership.members)
    relations = outcome.document_table["relation"].combine_chunks().take(rows)
    similarities = outcome.document_table["similarity"].to_numpy()[membership.members]
    leading = outcome.leading[membership.members]
    references = membership.references[membership.cluster]
    elsewhere = np.flatnonzero(leading != references)
    if not len(elsewhere):
        return relations, similarities
    nodes = outcome.nodes[membership.members[elsewhere]].astype(np.uint64)
    own_references = outcome.nodes[references[elsewhere]].astype(np.uint64)
    pairs, back = np.unique(own_references << np.uint64(32) | nodes, return_inverse=True)
    lead, follow = (pairs >> np.uint64(32)).astype(np.uint32), pairs.astype(np.uint32)
    same = lead == follow
    described = relate_members(outcome.corpus.texts, outcome.corpus.nodes[follow], outcome.corpus.nodes[lead])
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


def membership_table(outcome: Outcome) -> pa.Table:
    """One row for each document of each overlapping cluster, cluster by cluster, then by time and id."""
    membership = outcome.membership
    relations, similarities = outcome.related
    ids = outcome.documents.id_column().combine_chunks()
    overlapping = np.flatnonzero(membership.units[membership.cluster] > 0)
    cluster = membership.cluster[overlapping]
    columns = [
        membership.names.take(pa.array(cluster)),
        ids.take(pa.array(membership.members[overlapping])),
        pa.array(membership.units[cluster]),
        relations.take(pa.array(overlapping)),
        pa.array(similarities[overlapping]),
    ]
    return pa.table(columns, schema=MEMBERSHIP_SCHEMA)
