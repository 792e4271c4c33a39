"""Figures 3 to 6: gram size and feature number against recall and comparisons, and recall by the length of texts.

Identical copies are removed first, as in the paper. The baseline compares all texts with two continuous terms in
common. What it finds, and what texts with a common fingerprint give, is read off the exact answer: of its pairs those
that share a key. Recall counts texts with a partner, as the paper does, and pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from neardup.evaluate.contingency import Booleans
from neardup.reproduce.folder import Progress, Row
from neardup.reproduce.simfinder import published
from neardup.reproduce.simfinder.detection import (
    EVERY_PAIR,
    WEIGHTINGS,
    Collection,
    Fingerprinter,
    count_terms,
    open_collection,
    run,
)
from neardup.reproduce.simfinder.sharing import SharedKeys
from neardup.stages import Links, Numbers

GRAMS = range(1, 7)
FEATURES = range(11)
"""How many features beyond k."""

LENGTHS = ((1, 2), (3, 4), (5, 7), (8, 11), (12, 10**9))
"""Numbers of terms, from and to, that recall is told by."""


@dataclass(frozen=True, slots=True)
class Yardstick:
    """Every pair at the threshold under one weighting, and which of them the baseline finds."""

    name: str
    weighting: str
    exact: Links
    by_baseline: Booleans
    texts: int

    def row(self, setting: str, found: Booleans, comparisons: tuple[int, bool]) -> Row:
        """Return how much of the answer was found, and what was compared for it."""
        texts, counted = _count_texts(self.exact, found), comparisons[1]
        return {
            "corpus": self.name,
            "weighting": self.weighting,
            "setting": setting,
            "texts_found": texts,
            "recall_baseline": share(texts, _count_texts(self.exact, self.by_baseline)),
            "recall_exact": share(texts, _count_texts(self.exact, np.ones(len(found), bool))),
            "pairs_found": int(found.sum()),
            "pair_recall": share(int(found.sum()), len(found)),
            "comparisons": comparisons[0],
            "counted": "exactly" if counted else "at most",
        }

    def by_length(self, found: Booleans, terms: Numbers) -> Iterator[Row]:
        """Yield recall by the number of terms: of a text for texts, of the shorter of the two for pairs."""
        shorter = np.minimum(terms[self.exact.a], terms[self.exact.b])
        partnered, detected = (self._flag(chosen) for chosen in (np.ones(len(found), bool), found))
        for first, last in LENGTHS:
            own, pairs = (terms >= first) & (terms <= last), (shorter >= first) & (shorter <= last)
            texts, texts_found = int((own & partnered).sum()), int((own & detected).sum())
            yield {
                "corpus": self.name,
                "weighting": self.weighting,
                "terms": f"{first}-{last}" if last < LENGTHS[-1][1] else f"{first} and more",
                "texts": texts,
                "texts_found": texts_found,
                "recall_exact": share(texts_found, texts),
                "pairs": int(pairs.sum()),
                "pairs_found": int((pairs & found).sum()),
                "pair_recall": share(int((pairs & found).sum()), int(pairs.sum())),
            }

    def _flag(self, chosen: Booleans) -> Booleans:
        flags = np.zeros(self.texts, bool)
        flags[self.exact.a[chosen]] = flags[self.exact.b[chosen]] = True
        return flags


def measure_recall(name: str, texts: Sequence[str], tell: Progress) -> Iterator[tuple[str, Row]]:
    """Yield rows of the tables grams, features and lengths, each with its table's name."""
    collection = open_collection(texts)
    tell(f"{name}: baseline", 0, None)
    continuous = SharedKeys.of_continuous_terms(collection.corpus)
    baseline = continuous.count_pairs()
    for weighting, settings in WEIGHTINGS.items():
        exact = run(collection, {**settings, **EVERY_PAIR}).links
        yardstick = Yardstick(name, weighting, exact, continuous.shared(exact.a, exact.b), len(collection))
        yield "grams", yardstick.row("baseline", yardstick.by_baseline, baseline)
        yield from _search(yardstick, collection, settings, tell)


def _search(
    yardstick: Yardstick, collection: Collection, settings: Mapping[str, Any], tell: Progress
) -> Iterator[tuple[str, Row]]:
    """Yield what texts with a common fingerprint give, by gram size and by number of features."""
    printer = Fingerprinter.prepare(collection, settings, published.THRESHOLD)
    for gram in GRAMS:
        tell(f"{yardstick.name}: grams", gram, len(GRAMS))
        prints = printer.fingerprint(gram, gram)
        found = prints.shared(yardstick.exact.a, yardstick.exact.b)
        yield "grams", yardstick.row(str(gram), found, prints.count_pairs())
        if gram == published.GRAM:
            for row in yardstick.by_length(found, count_terms(collection)):
                yield "lengths", row
    for extra in FEATURES:
        tell(f"{yardstick.name}: features", extra, len(FEATURES))
        prints = printer.fingerprint(published.GRAM, extra)
        found = prints.shared(yardstick.exact.a, yardstick.exact.b)
        yield "features", yardstick.row(f"k+{extra}", found, prints.count_pairs())


def _count_texts(links: Links, chosen: Booleans) -> int:
    return len(np.unique(np.concatenate([links.a[chosen], links.b[chosen]])))


def share(part: int, whole: int) -> float:
    """Return a part of the whole, undefined where there is nothing."""
    return part / whole if whole else float("nan")
