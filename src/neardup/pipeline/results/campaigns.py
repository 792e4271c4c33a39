"""What a run knows about campaigns without an original: consensus texts, points of menus, parts of other campaigns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from neardup import _core
from neardup.pipeline.collapse import NO_NODE
from neardup.pipeline.results.outcome import Outcome
from neardup.stages import CampaignTexts, Counts, Flags, Numbers, Scores


@dataclass(frozen=True, slots=True)
class Compared:
    """The nodes that are compared with a reference, the documents they are compared with, and their similarity.

    `by_consensus` marks the nodes whose cluster has a consensus.
    """

    texts: _core.Texts
    nodes: Numbers
    references: Numbers
    similarities: Scores
    by_consensus: Flags


def compare_with_references(outcome: Outcome) -> Compared:
    """Choose the reference of each node: the consensus of its cluster, otherwise the leader."""
    leaders, count = outcome.grouping.leaders, len(outcome.nodes)
    campaigns = outcome.grouping.campaigns
    follows = leaders != np.arange(count)
    by_consensus = np.zeros(count, bool) if campaigns is None else campaigns.consensus >= 0
    by_consensus = by_consensus & (np.bincount(leaders, minlength=count)[leaders] > 1)
    nodes = np.flatnonzero(follows | by_consensus).astype(np.uint32)
    references = outcome.representing[leaders[nodes]]
    texts = outcome.texts
    if campaigns is None:
        return Compared(texts, nodes, references, outcome.similarities(nodes, leaders[nodes]), by_consensus)
    consensus = by_consensus[nodes]
    references = np.where(consensus, campaigns.first + campaigns.consensus[nodes], references).astype(np.uint32)
    similarities = campaigns.similarities[nodes]
    similarities[~consensus] = outcome.similarities(nodes[~consensus], leaders[nodes[~consensus]])
    return Compared(campaigns.texts, nodes, references, similarities, by_consensus)


def list_consensus(outcome: Outcome, references: Counts) -> list[str | None]:
    """Return the consensus text of the cluster of each of these documents."""
    campaigns = outcome.grouping.campaigns
    if campaigns is None:
        return [None] * len(references)
    numbers = campaigns.consensus[outcome.node_of[references]].tolist()
    return [campaigns.consensus_texts[number] if number >= 0 else None for number in numbers]


def list_menu_points(outcome: Outcome, references: Counts) -> list[list[str] | None]:
    """Return the points of the cluster of each of these documents, if its letters choose from a menu."""
    campaigns = outcome.grouping.campaigns
    if campaigns is None:
        return [None] * len(references)
    numbers = campaigns.consensus[outcome.node_of[references]].tolist()
    return [list(campaigns.points[number]) or None if number >= 0 else None for number in numbers]


def find_template_source(outcome: Outcome, reference: int) -> tuple[_core.Texts, int]:
    """Return the text from which the template of a cluster is made: its consensus, otherwise the reference copy."""
    campaigns = outcome.grouping.campaigns
    number = -1 if campaigns is None else int(campaigns.consensus[outcome.node_of[reference]])
    if campaigns is None or number < 0:
        return outcome.texts, reference
    return campaigns.texts, campaigns.first + number


def list_other_clusters(outcome: Outcome) -> pa.Array:
    """Return for each document the other clusters of which it has a good part."""
    campaigns = outcome.grouping.campaigns
    kind = pa.list_(pa.string())
    if campaigns is None or not campaigns.also:
        return pa.nulls(len(outcome.documents), kind)
    names: dict[int, list[str]] = {}
    leaders = outcome.grouping.leaders
    for node, leader in campaigns.also:
        if leaders[node] != leader:
            name = outcome.ids[int(outcome.representing[leader])].as_py()
            names.setdefault(node, []).append(str(name))
    return _spread_lists(outcome, names, kind)


def list_points(outcome: Outcome) -> pa.Array:
    """Return for each document the numbers of the points that it has, from 1, if its campaign is a menu."""
    campaigns = outcome.grouping.campaigns
    kind = pa.list_(pa.int64())
    if campaigns is None:
        return pa.nulls(len(outcome.documents), kind)
    held = {
        node: [point + 1 for point in points]
        for node, points in campaigns.points_of.items()
        if _is_menu(campaigns, node)
    }
    return _spread_lists(outcome, held, kind)


def _is_menu(campaigns: CampaignTexts, node: int) -> bool:
    number = int(campaigns.consensus[node])
    return number >= 0 and bool(campaigns.points[number])


def _spread_lists(
    outcome: Outcome, by_node: dict[int, list[str]] | dict[int, list[int]], kind: pa.DataType
) -> pa.Array:
    """Return the list of each document's node, null where it has none."""
    known = list(by_node)
    row = np.full(len(outcome.nodes) + 1, len(known), np.int64)
    row[known] = np.arange(len(known))
    rows = row[np.where(outcome.node_of == NO_NODE, len(outcome.nodes), outcome.node_of)]
    return pa.array([*by_node.values(), None], kind).take(pa.array(rows))
