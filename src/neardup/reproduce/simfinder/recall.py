"""Figures 3 to 6: gram size and feature number against recall and comparisons, and recall by the length of texts.

Identical copies are removed first, as in the paper. The baseline compares all texts with two continuous words in common;
what it finds is read off the exact answer. Recall counts texts that have a partner, as the paper does, and pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from neardup.evaluate.contingency import Booleans
from neardup.reproduce.folder import Progress, Row
from neardup.reproduce.simfinder import published
from neardup.reproduce.simfinder.detection import Collection, count_terms, open_collection, run
from neardup.reproduce.simfinder.sharing import SharedKeys
from neardup.stages import Links

GRAMS = range(1, 7)
FEATURES = range(11)
"""How many features beyond k."""

LENGTHS = ((1, 2), (3, 4), (5, 7), (8, 11), (12, 10**9))
"""Numbers of terms, from and to, that recall is told by."""


@dataclass(frozen=True, slots=True)
class Yardstick:
    """Every pair at the threshold, which of them the baseline finds, and what it compares for that."""

    exact: Links
    by_baseline: Booleans
    comparisons: int
    counted: bool

    @classmethod
    def make(cls, collection: Collection) -> Yardstick:
        """Find the exact answer and read the baseline's off it."""
        exact = run(collection, candidates="prefix", linkage="components").links
        continuous = SharedKeys.of_continuous_words(collection.corpus)
        return cls(exact, continuous.shared(exact.a, exact.b), *continuous.count_pairs())

    def baseline_texts(self) -> int:
        """Return how many texts the baseline finds a partner for."""
        return _count_texts(self.exact, self.by_baseline)


def measure_recall(name: str, texts: Sequence[str], tell: Progress) -> Iterator[tuple[str, Row]]:
    """Yield rows of the tables grams, features and lengths."""
    collection = open_collection(texts)
    tell(f"{name}: baseline", 0, None)
    yardstick = Yardstick.make(collection)
    yield "grams", _row(name, "baseline", yardstick, yardstick.by_baseline, yardstick.comparisons, yardstick.counted)
    for gram in GRAMS:
        tell(f"{name}: grams", gram, len(GRAMS))
        found, comparisons, counted = _search(collection, yardstick, gram, gram)
        yield "grams", _row(name, str(gram), yardstick, found, comparisons, counted)
        if gram == published.GRAM:
            yield from (("lengths", row) for row in _by_length(name, collection, yardstick, found))
    for extra in FEATURES:
        tell(f"{name}: features", extra, len(FEATURES))
        found, comparisons, counted = _search(collection, yardstick, published.GRAM, extra)
        yield "features", _row(name, f"k+{extra}", yardstick, found, comparisons, counted)
