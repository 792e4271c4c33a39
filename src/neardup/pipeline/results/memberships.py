"""The members of each cluster of a run: one cluster for each document, or several where clusters overlap.

Overlapping clusters are named by the id of their reference copy and a number, `id#1`. Texts that are only identical
form a cluster that is named by the id alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.pipeline.results.outcome import Outcome
from neardup.stages import Counts, Flags


@dataclass(frozen=True, slots=True)
class Membership:
    """The clusters of two or more, the largest first, equals by time and id of the reference.

    Document `members[i]` is in cluster `cluster[i]`. `order` finds the index of an overlapping cluster by its number in
    the grouping. `units` is the number of units that all members share, 0 for texts that are only identical.
    """

    members: Counts
    cluster: Counts
    references: Counts
    sizes: Counts
    names: pa.Array
    units: Counts
    order: Counts


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
    ranks = outcome.ranks
    sizes = np.bincount(cluster, minlength=len(references))
    order = np.lexsort((ranks[references], -sizes))
    index = np.empty(len(order), np.int64)
    index[order] = np.arange(len(order))
    names = _name(outcome, references[order], units[order] > 0)
    rows = np.lexsort((ranks[members], index[cluster])) if overlapping else slice(None)
    return Membership(members[rows], index[cluster][rows], references[order], sizes[order], names, units[order], index)


def _overlapping_rows(outcome: Outcome) -> tuple[Counts, Counts, Counts, Counts]:
    """Return document and cluster of each membership, and reference copy and shared units of each cluster."""
    clusters = outcome.grouping.overlapping
    if clusters is None:
        nothing = np.zeros(0, np.int64)
        return nothing, nothing, nothing, nothing
    nodes = len(outcome.nodes)
    compared = np.flatnonzero(outcome.node_of < nodes)
    by_node = compared[np.argsort(outcome.node_of[compared], kind="stable")]
    starts = np.searchsorted(outcome.node_of[by_node], np.arange(nodes + 1))
    counts = np.diff(starts)[clusters.members]
    before = np.repeat(np.cumsum(counts) - counts, counts)
    members = by_node[np.repeat(starts[clusters.members], counts) + np.arange(counts.sum()) - before]
    bounds = clusters.offsets.astype(np.int64)
    numbers = np.repeat(np.arange(len(clusters)), bounds[1:] - bounds[:-1])
    references = outcome.representing[clusters.references].astype(np.int64)
    return members, np.repeat(numbers, counts), references, clusters.units.astype(np.int64)


def _name(outcome: Outcome, references: Counts, numbered: Flags) -> pa.Array:
    """Name clusters by their reference copies; those that may overlap are numbered, and skip names that are ids."""
    ids = outcome.ids
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


def _rename(names: pa.Array, plain: pa.Array, taken: Counts, ids: pa.Array) -> pa.Array:
    """Give the clusters whose name is the id of a document the next free number."""
    used, known = set(ids.to_pylist()) | set(names.to_pylist()), names.to_pylist()
    for index in taken.tolist():
        number = 1
        while f"{plain[index].as_py()}#{number}" in used:
            number += 1
        known[index] = f"{plain[index].as_py()}#{number}"
        used.add(known[index])
    return pa.array(known, pa.string())


def name_clusters(outcome: Outcome, membership: Membership) -> pa.Array:
    """Return the name of each document's cluster, of its largest one where clusters overlap."""
    names = outcome.ids.take(pa.array(outcome.leading))
    inside = outcome.own >= 0
    if not inside.any():
        return names
    own = membership.order[np.where(inside, outcome.own, 0)]
    return pc.if_else(pa.array(inside), membership.names.take(pa.array(own)), names)
