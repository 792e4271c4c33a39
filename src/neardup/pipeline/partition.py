"""One partition of a collection: the steps that run independently of other partitions, in any process.

Documents and a recipe go in, flat arrays come out; all of them can be pickled. Where the keys of several partitions
meet is decided by the engine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from neardup.detectors import Recipe
from neardup.pipeline.collapse import Collection, collapse, take_as_distinct
from neardup.records import Documents
from neardup.represent import Features, Representation
from neardup.stages import Candidates, Days, Hashes, Keys, Links, Nodes, Numbers

R = TypeVar("R", bound=Representation)


@dataclass(frozen=True, slots=True)
class KeyedPartition:
    """The distinct texts of a partition with their keys.

    `representatives` names for each document the one that represents it; `documents` holds the document of each node.
    `fingerprints` has two halves, so that identical texts of different partitions can be found. `features` is what
    verification needs in place of the texts, None where it needs the texts themselves. `days` are the publication days
    of each node. `replaced_characters` counts the lone surrogates that were replaced in the documents.
    """

    representatives: Numbers
    documents: Numbers
    lengths: Numbers
    copies: Numbers
    fingerprints: tuple[Hashes, Hashes]
    keys: Keys
    features: Features | None
    days: Days | None
    replaced_characters: int


def key_partition(recipe: Recipe[R], collection: Collection, common: Hashes | None = None) -> KeyedPartition:
    """Collapse a partition and compute the keys of its distinct texts.

    What a recipe would learn from the collection must be given by a lexicon: partitions may not differ in it.
    """
    if recipe.represent.lacks_lexicon:
        raise ValueError("the keys of a partition depend on a lexicon: learn it from the whole collection first")
    distinct = collapse(recipe, collection, search=False)
    representation = recipe.represent.represent(distinct)
    packer, survey, documents = recipe.represent.packer, distinct.survey, distinct.documents
    return KeyedPartition(
        survey.representatives,
        documents,
        distinct.nodes.lengths,
        distinct.nodes.copies,
        (survey.fingerprints[documents], survey.other_halves[documents]),
        recipe.candidates.keys(representation, common),
        None if packer is None else packer.pack(representation),
        distinct.days,
        distinct.texts.replaced,
    )


def verify_texts(
    recipe: Recipe[R], documents: Documents, pairs: tuple[Numbers, Numbers], nodes: Nodes, days: Days | None = None
) -> Links:
    """Verify pairs of distinct texts."""
    distinct = take_as_distinct(recipe, documents, nodes, days)
    return verify_pairs(recipe, recipe.represent.represent(distinct), pairs)


def verify_features(
    recipe: Recipe[R], features: Features, pairs: tuple[Numbers, Numbers], nodes: Nodes, days: Days | None = None
) -> Links:
    """Verify pairs of distinct texts by their stored features."""
    packer = recipe.represent.packer
    if packer is None:
        raise ValueError("this representation is not stored: verify the texts")
    return verify_pairs(recipe, packer.unpack(features, nodes, days), pairs)


def verify_pairs(recipe: Recipe[R], representation: R, pairs: tuple[Numbers, Numbers]) -> Links:
    """Verify the pairs of nodes that the candidate rule admits."""
    a, b = pairs
    admitted = recipe.candidates.admit(representation, a, b)
    return recipe.verify.link(representation, Candidates(a[admitted], b[admitted]))


def stored_nodes(copies: Numbers, *, by_popularity: bool = False, threads: int = 0) -> Nodes:
    """Return nodes that are known to be distinct texts, of unknown length."""
    count = len(copies)
    return Nodes(
        np.zeros(count, np.uint32),
        copies,
        np.arange(count, dtype=np.uint64),
        by_popularity=by_popularity,
        threads=threads,
    )
