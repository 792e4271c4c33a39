"""How well images find the gold pairs: Tables 2 to 6 and Figures 1 to 4."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from time import perf_counter

from neardup.evaluate.pairlists import PairEvaluation
from neardup.represent import Choice
from neardup.reproduce.concepts import published
from neardup.reproduce.concepts.detection import ImageSettings, bisect
from neardup.reproduce.concepts.pages import Pages, pair_up
from neardup.reproduce.tables import Row

LENGTHS = (5, 10, 15, 20)
SIZES = (50, 100, 150, 200)
STEP = 5
"""Thresholds go down from the size of the image in steps of this many units; the paper stops at two thirds of it."""

METHODS: dict[Choice, str] = {
    "bottom": "n minimal elements in a permutation",
    "permutations": "minimal elements in n permutations",
}


def compare_thresholds(pages: Pages) -> Iterator[Row]:
    """Compute Tables 2, 3, 4 and 6 and Figures 1 to 3: the five values for every image and threshold."""
    for choice, length, size in product(METHODS, LENGTHS, SIZES):
        if size != 100 and (choice == "permutations" or length > 10):
            continue  # the paper varies the size with the first method only
        overlaps = pages.overlaps(ImageSettings(length, size, choice))
        for units in range(size, STEP, -STEP):
            yield {
                "method": choice,
                "length": length,
                "size": size,
                "threshold": units,
                **_count_five(pages.compare(overlaps.at_least(units))),
                **_score(pages.compare(overlaps.share_at_least(units, size)), "relative_"),
            }


def compare_bisection(pages: Pages) -> Iterator[Row]:
    """Compute Table 5 and Figure 4: repeated bisection, with as many clusters per page as in the paper."""
    images = pages.images(ImageSettings(10, 100))
    for paper in published.TABLE5:
        wanted = max(round(len(pages) * paper.setting / published.CLUSTERED_DOCUMENTS), 1)
        start = perf_counter()
        labels = bisect(images, wanted)
        seconds = perf_counter() - start
        yield {
            "clusters": wanted,
            "seconds": seconds,
            **_count_five(pages.compare(pair_up(labels))),
            "paper_clusters": paper.setting,
            "paper_seconds": paper.seconds,
            "paper_precision": paper.precision,
            "paper_recall": paper.recall,
            "paper_f1": paper.f1,
        }


def _count_five(scores: PairEvaluation) -> Row:
    """Return the paper's five values, and the measures that follow from them."""
    return {
        "gold_pairs": scores.gold_pairs,
        "found_pairs": scores.found_pairs,
        "only_gold_pairs": scores.only_gold_pairs,
        "only_found_pairs": scores.only_found_pairs,
        "common_pairs": scores.common_pairs,
    } | _score(scores, "")


def _score(scores: PairEvaluation, prefix: str) -> Row:
    found = scores.found_pairs
    # If nothing was found, nothing was found wrongly; the measures of a table must be numbers.
    precision, recall = (scores.pair_precision if found else 1.0), scores.pair_recall
    return {f"{prefix}precision": precision, f"{prefix}recall": recall, f"{prefix}f1": scores.pair_f1}
