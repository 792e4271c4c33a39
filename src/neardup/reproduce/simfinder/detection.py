"""The detector, stage by stage: a collection opened for it, its runs with other settings, and degrees of any pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from neardup.detectors import Detector, make_detector
from neardup.evaluate.contingency import Integers
from neardup.records import Documents
from neardup.stages import Corpus, Grouping, Numbers, Scores

METHOD = "simfinder"


@dataclass(frozen=True, slots=True)
class Collection:
    """Texts as the stages take them; `nodes` is the node of each text, -1 for one without a word."""

    corpus: Corpus
    nodes: Integers

    def __len__(self) -> int:
        return len(self.corpus)


def make(**settings: Any) -> Detector:
    """Make the detector with other settings than its own."""
    return make_detector(METHOD, settings)


def open_collection(texts: Sequence[str], *, copies: bool = False, **settings: Any) -> Collection:
    """Open texts; with `copies` identical ones are not collapsed, each is a node of its own."""
    detector = make(**settings)
    opened = detector.normaliser.open(Documents(list(texts)), 0)
    numbers = np.arange(len(texts), dtype=np.uint32)
    survey = opened.survey(numbers, numbers if copies else None, detector.recipe().grouper.along)
    kept = np.flatnonzero((survey.representatives == numbers) & (survey.words > 0)).astype(np.uint32)
    counts = np.bincount(survey.representatives, minlength=len(texts))[kept].astype(np.uint32)
    nodes = np.full(len(texts), -1, np.int64)
    nodes[kept] = np.arange(len(kept))
    return Collection(Corpus(opened, survey, kept, survey.words[kept], counts), nodes[survey.representatives])


def run(collection: Collection, **settings: Any) -> Grouping:
    """Run the detector over an opened collection."""
    return make(**settings).recipe().grouper.group(collection.corpus, stage=_untimed)


def degrees(collection: Collection, a: Numbers, b: Numbers, **settings: Any) -> Scores:
    """Return the duplicate degree of pairs of nodes."""
    return make(**settings).recipe().grouper.scores(collection.corpus, a, b)


@contextmanager
def _untimed(name: str, total: int) -> Iterator[None]:
    yield
