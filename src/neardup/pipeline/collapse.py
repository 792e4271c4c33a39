"""The first step: open the texts, read each of them once, and collapse identical ones.

Everything after this step happens among distinct texts ("nodes"). They are numbered in an order that does not depend on
the order of the input.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup import _core
from neardup.detectors import AnyRecipe
from neardup.explain import Keep, rank_documents
from neardup.records import Documents
from neardup.represent import DistinctTexts, Representation
from neardup.stages import NO_CONSTRAINTS, Constraints, Counts, Days, Nodes, Numbers, Sides

R = TypeVar("R", bound=Representation)

MICROSECONDS_A_DAY = 86_400_000_000
NO_NODE = np.iinfo(np.uint32).max


@dataclass(frozen=True)
class Collection:
    """Documents to be compared, and which of them lead.

    `keep` is the policy for the reference copy. `sides` names the collection of each document when two are compared.
    `constraints` are between documents. An index orders documents by what it stores (`own_ranks`), and decides for
    itself whether the text with most copies leads a cluster (`popular`).
    """

    documents: Documents
    keep: Keep | None = None
    sides: Sides | None = None
    constraints: Constraints = NO_CONSTRAINTS
    threads: int = 0
    own_ranks: Numbers | None = None
    popular: bool | None = None

    @cached_property
    def ranks(self) -> Numbers:
        """The order of the documents: of identical texts the one with the lowest rank represents all."""
        return rank_documents(self.documents, self.keep) if self.own_ranks is None else self.own_ranks

    @cached_property
    def time_ranks(self) -> Numbers:
        """The order of the documents by time, then id, whatever the policy."""
        if self.own_ranks is None and self.keep not in ("first", "latest"):
            return self.ranks
        return rank_documents(self.documents)

    @property
    def by_popularity(self) -> bool:
        """Whether the text with most copies leads a cluster: unless there is a policy, or documents have times."""
        return self.keep is None and self.documents.times is None if self.popular is None else self.popular


def collapse(recipe: AnyRecipe[R], collection: Collection, *, search: bool = True) -> DistinctTexts:
    """Read every text once and number the distinct ones.

    With `search`, the first pass also computes what a search for all pairs in memory needs.
    """
    opened = recipe.normalise.open(collection.documents, collection.threads)
    groups = _group(opened.groups, collection)
    represent = recipe.represent
    survey = opened.texts.survey(collection.ranks, groups, represent.search_pass if search else represent.first_pass)
    documents = _order_distinct(survey, collection)
    distinct = DistinctTexts(
        opened.texts, survey, documents, _describe(survey, documents, collection), letters=opened.letters
    )
    if collection.constraints:
        distinct = replace(distinct, nodes=_constrain(distinct, collection.constraints))
    times = collection.documents.times
    if represent.dated and times is not None:
        distinct = replace(distinct, days=publication_days(times, distinct))
    return distinct


def take_as_distinct(recipe: AnyRecipe[R], documents: Documents, nodes: Nodes, days: Days | None) -> DistinctTexts:
    """Read documents that are known to be distinct: each of them is a node.

    Lengths and fingerprints are taken from the texts, everything else from `nodes`.
    """
    opened = recipe.normalise.open(documents, nodes.threads)
    numbers = np.arange(len(documents), dtype=np.uint32)
    survey = opened.texts.survey(numbers, None, recipe.represent.first_pass)
    nodes = replace(nodes, lengths=survey.words, fingerprints=survey.fingerprints)
    return DistinctTexts(opened.texts, survey, numbers, nodes, days, opened.letters)


def nodes_of_documents(distinct: DistinctTexts) -> Numbers:
    """Return the node of each document; `NO_NODE` for a document without a word."""
    representatives = distinct.survey.representatives
    nodes = np.full(len(representatives), NO_NODE, np.uint32)
    nodes[distinct.documents] = np.arange(len(distinct), dtype=np.uint32)
    found: Numbers = nodes[representatives]
    return found


def publication_days(times: pa.ChunkedArray, distinct: DistinctTexts) -> Days:
    """Return the days on which the copies of each node were published; none if one copy has no date."""
    stamps = pc.cast(times.combine_chunks(), pa.int64())
    known = stamps.is_valid().to_numpy(zero_copy_only=False)
    days = pc.fill_null(stamps, 0).to_numpy(zero_copy_only=False) // MICROSECONDS_A_DAY
    count = len(distinct)
    node = nodes_of_documents(distinct).astype(np.int64)
    node[node == NO_NODE] = -1
    undated = np.zeros(count + 1, bool)
    undated[node[~known]] = True
    dated = (node >= 0) & ~undated[node]
    rows = np.unique((node[dated] << 32) | (days[dated] + (1 << 31)))
    offsets = np.searchsorted(rows >> 32, np.arange(count + 1)).astype(np.uint64)
    return offsets, ((rows & 0xFFFFFFFF) - (1 << 31)).astype(np.int32)


def _group(groups: Numbers | None, collection: Collection) -> Numbers | None:
    """Return the groups within which identical texts are collapsed; None if there is one group.

    The two sides of a comparison are kept apart, and each document with a cannot-link is a group of its own.
    """
    if collection.sides is not None:
        groups = collection.sides.astype(np.uint32) if groups is None else 2 * groups + collection.sides
    alone = sorted({document for pair in collection.constraints.cannot for document in pair})
    if alone:
        groups = np.zeros(len(collection.ranks), np.uint32) if groups is None else groups.copy()
        groups[alone] = groups.max(initial=0) + 1 + np.arange(len(alone), dtype=np.uint32)
    return groups


def _order_distinct(survey: _core.Survey, collection: Collection) -> Numbers:
    """Return the documents that represent the distinct texts, in their order; texts without a word are left out."""
    ranks, words = collection.ranks, survey.words
    chosen = np.flatnonzero((survey.representatives == np.arange(len(ranks), dtype=np.uint32)) & (words > 0))
    order = ranks[chosen]
    if collection.keep == "longest":
        by_rank: Counts = np.lexsort((order, -words[chosen].astype(np.int64)))
    else:
        by_rank = np.argsort(order)
    return chosen[by_rank].astype(np.uint32)


def _describe(survey: _core.Survey, documents: Numbers, collection: Collection) -> Nodes:
    copies = np.bincount(survey.representatives, minlength=len(collection.ranks))[documents].astype(np.uint32)
    return Nodes(
        survey.words[documents],
        copies,
        survey.fingerprints[documents],
        None if collection.sides is None else collection.sides[documents],
        collection.by_popularity,
        threads=collection.threads,
    )


def _constrain(distinct: DistinctTexts, constraints: Constraints) -> Nodes:
    """Add the constraints between documents as constraints between nodes; documents without a word have none."""
    numbers = nodes_of_documents(distinct)

    def translate(pairs: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
        known = ((int(numbers[a]), int(numbers[b])) for a, b in pairs)
        return tuple((a, b) for a, b in known if NO_NODE not in (a, b))

    between = Constraints(*(translate(each) for each in (constraints.must, constraints.cannot, constraints.family)))
    return replace(distinct.nodes, constraints=between)
