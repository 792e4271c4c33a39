"""The parts of the package that the experiments of Gong et al. 2008 use beyond `neardup.find`.

Only this module knows how the detector represents, weighs, searches and compares texts inside the package. There are
two weightings: as printed in the paper (the most frequent term of a class is the heaviest, on a linear scale, times its
length in characters), and the package's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from neardup import _core
from neardup.candidates import TermGrams
from neardup.detectors import Recipe
from neardup.detectors.methods.simfinder import SimFinder
from neardup.evaluate.contingency import Integers
from neardup.normalise import Normaliser
from neardup.pipeline import find_links, link_groups
from neardup.records import Documents
from neardup.represent import DistinctTexts, Lexicon, WeightedTerms
from neardup.reproduce.simfinder import published
from neardup.stages import Nodes as DistinctNodes
from neardup.stages import no_stage

Settings = Mapping[str, Any]
Nodes = npt.NDArray[np.uint32]
Degrees = npt.NDArray[np.float64]
Keys = npt.NDArray[np.uint64]

WEIGHTINGS: Mapping[str, Settings] = {"as printed": {"paper": True}, "ours": {}}
FINGERPRINTS: Settings = {
    **{"candidates": "fingerprints", "linkage": "components"},
    **{"gram": published.GRAM, "features": published.GRAM},
}
"""The paper's search: N = 3 contiguous features out of k+N."""

EVERY_PAIR: Settings = {"candidates": "prefix", "linkage": "components"}
"""The search that finds every pair."""


@dataclass(frozen=True, slots=True)
class Collection:
    """Texts as the detector takes them; `nodes` is the node of each text, -1 for a text without a word.

    `background` has the number of distinct texts that contain each term.
    """

    distinct: DistinctTexts
    nodes: Integers
    background: Lexicon

    def __len__(self) -> int:
        return len(self.distinct)

    @property
    def documents(self) -> Nodes:
        """The number of the text of each node."""
        return self.distinct.documents


@dataclass(frozen=True, slots=True)
class Found:
    """The pairs that a run found, the number of comparisons, the leader of each node, and whether a guard applied."""

    a: Nodes
    b: Nodes
    degrees: Degrees
    comparisons: int
    leaders: Nodes
    guarded: bool


def open_collection(texts: Sequence[str], *, copies: bool = False) -> Collection:
    """Open texts; with `copies`, identical texts are not collapsed but are nodes of their own."""
    opened = Normaliser().open(Documents(list(texts)), 0)
    numbers = np.arange(len(texts), dtype=np.uint32)
    survey = opened.survey(numbers, numbers if copies else None, _core.FirstPass.terms())
    kept = np.flatnonzero((survey.representatives == numbers) & (survey.words > 0)).astype(np.uint32)
    counts = np.bincount(survey.representatives, minlength=len(texts))[kept].astype(np.uint32)
    nodes = np.full(len(texts), -1, np.int64)
    nodes[kept] = np.arange(len(kept))
    distinct = kept if not copies else np.unique(opened.survey(numbers, None, None).representatives)
    background = Lexicon.count(opened, distinct, "terms")
    described = DistinctNodes(survey.words[kept], counts, survey.fingerprints[kept])
    return Collection(DistinctTexts(opened, survey, kept, described), nodes[survey.representatives], background)


def find_pairs(collection: Collection, settings: Settings) -> Found:
    """Run the detector on a collection."""
    recipe, weighted = _prepare(collection, settings)
    grouping = link_groups(recipe, weighted, *find_links(recipe, weighted, no_stage))
    links = grouping.links
    return Found(
        links.a, links.b, links.similarities, grouping.examined, grouping.leaders, guarded=bool(grouping.guards)
    )


def measure_degrees(collection: Collection, a: Nodes, b: Nodes, settings: Settings) -> Degrees:
    """Return the duplicate degrees of pairs of nodes."""
    recipe, weighted = _prepare(collection, settings)
    return recipe.verify.scores(weighted, a, b)


def count_terms(collection: Collection) -> Nodes:
    """Return the number of distinct terms of each node."""
    _, weighted = _prepare(collection, {})
    return weighted.sets.sizes()


def find_components(nodes: int, a: Nodes, b: Nodes) -> Nodes:
    """Return the leader of the connected component of each node."""
    return _core.components(nodes, a, b)


def list_bigrams(collection: Collection) -> tuple[Keys, Keys]:
    """Return two terms in succession as a key, for every node, and where the keys of each node begin and end."""
    numbers: dict[str, int] = {}
    keys, offsets = [], [0]
    for document in collection.documents.tolist():
        own = [numbers.setdefault(term, len(numbers)) for term in collection.distinct.texts.terms(document)]
        keys += sorted({first << 32 | second for first, second in pairwise(own)})
        offsets.append(len(keys))
    return np.array(keys, np.uint64), np.array(offsets, np.uint64)


@dataclass(frozen=True, slots=True)
class Fingerprinter:
    """Makes the fingerprints of a collection under one weighting."""

    weighted: WeightedTerms
    threshold: float
    thorough: bool

    @classmethod
    def prepare(cls, collection: Collection, weighting: Settings, threshold: float) -> Fingerprinter:
        """Weigh the terms of a collection."""
        _, weighted = _prepare(collection, {**weighting, **FINGERPRINTS})
        return cls(weighted, threshold, not weighting.get("paper", False))

    def fingerprint(self, gram: int, features: int) -> tuple[Keys, Keys]:
        """Return the fingerprints of all nodes by gram size and number of features beyond k, and their offsets."""
        keys = TermGrams(self.threshold, gram, features, self.thorough).keys(self.weighted)
        return keys.values, keys.offsets


def _prepare(collection: Collection, settings: Settings) -> tuple[Recipe[WeightedTerms], WeightedTerms]:
    """Return the recipe for these settings and the terms weighed for it."""
    recipe = SimFinder(**{"lexicon": collection.background, **settings}).recipe()
    return recipe, recipe.represent.represent(collection.distinct)
