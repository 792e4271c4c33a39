"""Figures 3 to 6: recall and comparisons by gram size and number of features, and recall by the length of texts.

Identical copies are removed first, as in the paper. The baseline compares all texts that share two continuous terms.
What the baseline and the fingerprints find is derived from the exact answer: the pairs of it that share a key. Recall
counts texts with a partner, as in the paper, and pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from neardup.evaluate.contingency import Booleans
from neardup.reproduce.simfinder import published
from neardup.reproduce.simfinder.detection import (
    EVERY_PAIR,
    WEIGHTINGS,
    Collection,
    Fingerprinter,
    Found,
    Nodes,
    Settings,
    count_terms,
    find_pairs,
    list_bigrams,
    open_collection,
)
from neardup.reproduce.simfinder.experiments.sharing import SharedKeys
from neardup.reproduce.study import Progress
from neardup.reproduce.tables import Row

GRAMS = range(1, 7)
FEATURES = range(11)
"""The number of features beyond k."""

LENGTHS = ((1, 2), (3, 4), (5, 7), (8, 11), (12, 10**9))
"""Intervals of the number of terms, first and last."""


@dataclass(frozen=True, slots=True)
class Reference:
    """Every pair at the threshold under one weighting, and which of them the baseline finds."""

    name: str
    weighting: str
    exact: Found
    by_baseline: Booleans
    texts: int

    def row(self, setting: str, found: Booleans, comparisons: tuple[int, bool]) -> Row:
        """Return the share of the exact answer that was found, and the number of comparisons."""
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

    def by_length(self, found: Booleans, terms: Nodes) -> Iterator[Row]:
        """Yield recall by the number of terms: that of a text, or that of the shorter text of a pair."""
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


def measure_recall(name: str, texts: Sequence[str], progress: Progress) -> Iterator[tuple[str, Row]]:
    """Yield the rows of the tables grams, features and lengths, each with the name of its table."""
    collection = open_collection(texts)
    progress(f"{name}: baseline", 0, None)
    continuous = SharedKeys(*list_bigrams(collection))
    baseline = continuous.count_pairs()
    for weighting, settings in WEIGHTINGS.items():
        exact = find_pairs(collection, {**settings, **EVERY_PAIR})
        reference = Reference(name, weighting, exact, continuous.shared(exact.a, exact.b), len(collection))
        yield "grams", reference.row("baseline", reference.by_baseline, baseline)
        yield from _search(reference, collection, settings, progress)


def _search(
    reference: Reference, collection: Collection, settings: Settings, progress: Progress
) -> Iterator[tuple[str, Row]]:
    """Yield what a search by common fingerprints finds, by gram size and by number of features."""
    printer = Fingerprinter.prepare(collection, settings, published.THRESHOLD)
    for gram in GRAMS:
        progress(f"{reference.name}: grams", gram, len(GRAMS))
        prints = SharedKeys(*printer.fingerprint(gram, gram))
        found = prints.shared(reference.exact.a, reference.exact.b)
        yield "grams", reference.row(str(gram), found, prints.count_pairs())
        if gram == published.GRAM:
            for row in reference.by_length(found, count_terms(collection)):
                yield "lengths", row
    for extra in FEATURES:
        progress(f"{reference.name}: features", extra, len(FEATURES))
        prints = SharedKeys(*printer.fingerprint(published.GRAM, extra))
        found = prints.shared(reference.exact.a, reference.exact.b)
        yield "features", reference.row(f"k+{extra}", found, prints.count_pairs())


def _count_texts(links: Found, chosen: Booleans) -> int:
    return len(np.unique(np.concatenate([links.a[chosen], links.b[chosen]])))


def share(part: int, whole: int) -> float:
    """Return the share of a part in the whole, NaN if the whole is empty."""
    return part / whole if whole else float("nan")
