"""The steps of the pipeline after collapsing: represent, keys, pairs, verify, link.

A representation may hold native objects and stays in its process; keys, candidates and links are flat arrays. An engine
decides where keys meet and calls the steps in their order. `run` does it for a collection in memory; `partition` has
the steps that run in other processes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from neardup.detectors import AnyRecipe, CollectionRecipe, Recipe
from neardup.pipeline.collapse import Collection, collapse
from neardup.represent import DistinctTexts, Lexicon, Representation
from neardup.stages import Candidates, Grouping, Links, Numbers, Scores, Stage

R = TypeVar("R", bound=Representation)

Score = Callable[[Numbers, Numbers], Scores]
"""Returns the exact similarity of any pairs of nodes."""

Audit = Callable[[Numbers], tuple[Numbers, Numbers] | None]
"""Finds every true pair of some nodes, without any candidate rule."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a recipe found in a collection; `audit` is given where the candidate rule may miss pairs."""

    collection: Collection
    distinct: DistinctTexts
    grouping: Grouping
    score: Score
    audit: Audit | None = None


def learn(recipe: AnyRecipe[R], distinct: DistinctTexts) -> Lexicon | None:
    """Learn the lexicon that the representation needs; None if it needs none."""
    unit = recipe.represent.lexicon_unit
    return None if unit is None else Lexicon.count(distinct.texts, distinct.documents, unit)


def find_links(recipe: Recipe[R], representation: R, stage: Stage) -> tuple[Candidates, Links]:
    """Find the candidate pairs of a collection in memory and verify them."""
    with stage("candidates", len(representation.nodes)):
        candidates = recipe.candidates.pairs(representation)
    with stage("verify", len(candidates.a)):
        links = recipe.verify.link(representation, candidates)
    return candidates, links


def link_groups(recipe: Recipe[R], representation: R, candidates: Candidates, links: Links) -> Grouping:
    """Turn verified pairs into groups."""
    leaders = recipe.cluster.leaders(representation.nodes, links, directed=recipe.verify.directed)
    facts = recipe.candidates.facts(representation)
    return Grouping(links, leaders, candidates.examined, candidates.guards, facts)


def run(recipe: AnyRecipe[R], collection: Collection, stage: Stage) -> Run:
    """Run all steps over a collection in memory."""
    with stage("collapse", len(collection.documents)):
        distinct = collapse(recipe, collection)
    with stage("represent", len(distinct)):
        representation = recipe.represent.represent(distinct)
    if isinstance(recipe, CollectionRecipe):
        grouping = recipe.cluster.cluster(representation, stage)
        return Run(collection, distinct, grouping, partial(recipe.cluster.scores, representation))
    candidates, links = find_links(recipe, representation, stage)
    with stage("cluster", len(distinct)):
        grouping = link_groups(recipe, representation, candidates, links)
    audit = partial(recipe.verify.partners, representation) if recipe.candidates.may_miss else None
    return Run(collection, distinct, grouping, partial(recipe.verify.scores, representation), audit)
