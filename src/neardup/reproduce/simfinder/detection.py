"""The detector, stage by stage: a collection opened for it, runs with other settings, and degrees of any pairs.

Two weightings are told apart: as the paper prints it (the most frequent term of a class is the heaviest, on a linear
scale, times its length in characters), and the package's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from neardup import _core
from neardup.candidates import TermGrams
from neardup.detectors import make_detector
from neardup.detectors.settings import Recipe
from neardup.evaluate.contingency import Integers
from neardup.normalise import Normaliser
from neardup.records import Documents
from neardup.represent import Lexicon
from neardup.reproduce.simfinder import published
from neardup.reproduce.simfinder.sharing import SharedKeys
from neardup.stages import Corpus, Grouping, Numbers, Scores

WEIGHTINGS: Mapping[str, Mapping[str, Any]] = {"as printed": {"paper": True}, "ours": {}}
FINGERPRINTS: Mapping[str, Any] = {
    **{"candidates": "fingerprints", "linkage": "components"},
    **{"gram": published.GRAM, "features": published.GRAM},
}
"""The paper's search: N = 3 contiguous ones of k+N features."""

EVERY_PAIR: Mapping[str, Any] = {"candidates": "prefix", "linkage": "components"}


@dataclass(frozen=True, slots=True)
class Collection:
    """Texts as the stages take them; `nodes` is the node of each text, -1 for one without a word.

    `background` has the frequencies of the terms: of how many distinct texts each is.
    """

    corpus: Corpus
    nodes: Integers
    background: Lexicon

    def __len__(self) -> int:
        return len(self.corpus)

    def prepare(self, settings: Mapping[str, Any]) -> tuple[Recipe, Corpus]:
        """Return the stages for these settings and the corpus with its terms weighed for them."""
        recipe = make_detector("simfinder", {"lexicon": self.background, **settings}).recipe()
        assert recipe.terms is not None
        return recipe, replace(self.corpus, weighted=recipe.terms.weigh(self.corpus))


def open_collection(texts: Sequence[str], *, copies: bool = False) -> Collection:
    """Open texts; with `copies` identical ones are not collapsed, each is a node of its own."""
    opened = Normaliser().open(Documents(list(texts)), 0)
    numbers = np.arange(len(texts), dtype=np.uint32)
    survey = opened.survey(numbers, numbers if copies else None, _core.FirstPass.terms())
    kept = np.flatnonzero((survey.representatives == numbers) & (survey.words > 0)).astype(np.uint32)
    counts = np.bincount(survey.representatives, minlength=len(texts))[kept].astype(np.uint32)
    nodes = np.full(len(texts), -1, np.int64)
    nodes[kept] = np.arange(len(kept))
    distinct = kept if not copies else np.unique(opened.survey(numbers, None, None).representatives)
    background = Lexicon.count(opened, distinct, "terms")
    corpus = Corpus(opened, survey, kept, survey.words[kept], counts)
    return Collection(corpus, nodes[survey.representatives], background)


def run(collection: Collection, settings: Mapping[str, Any]) -> Grouping:
    """Run the detector over an opened collection."""
    recipe, corpus = collection.prepare(settings)
    return recipe.grouper.group(corpus, stage=_untimed)


def degrees(collection: Collection, a: Numbers, b: Numbers, settings: Mapping[str, Any]) -> Scores:
    """Return the duplicate degree of pairs of nodes."""
    recipe, corpus = collection.prepare(settings)
    return recipe.grouper.scores(corpus, a, b)


def count_terms(collection: Collection) -> Numbers:
    """Return how many different terms each node has."""
    _, corpus = collection.prepare({})
    sizes: Numbers = corpus.weighted.sizes()
    return sizes


@dataclass(frozen=True, slots=True)
class Fingerprinter:
    """Makes the fingerprints of a collection under one weighting, by gram size and number of features beyond k."""

    corpus: Corpus
    threshold: float
    thorough: bool

    @classmethod
    def prepare(cls, collection: Collection, weighting: Mapping[str, Any], threshold: float) -> Fingerprinter:
        """Weigh the terms of a collection."""
        _, corpus = collection.prepare({**weighting, **FINGERPRINTS})
        return cls(corpus, threshold, not weighting.get("paper", False))

    def fingerprint(self, gram: int, features: int) -> SharedKeys:
        """Return the fingerprints of each text."""
        keys = TermGrams(self.threshold, gram, features, self.thorough).keys(self.corpus)
        return SharedKeys(keys.values, keys.offsets)


@contextmanager
def _untimed(name: str, total: int) -> Iterator[None]:
    yield
