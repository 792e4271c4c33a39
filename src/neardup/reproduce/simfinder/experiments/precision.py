"""Figures 1 and 2: the share of near-duplicates among pairs by duplicate degree, for equations 3 and 4.

Of judged pairs, all are used. From a grown corpus, as many pairs are drawn for each interval as the paper's judges
examined; two texts are near-duplicates if they come from the same original.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from neardup.evaluate.contingency import Booleans
from neardup.reproduce.corpora.messages import Messages
from neardup.reproduce.random_stream import RandomStream
from neardup.reproduce.simfinder import published
from neardup.reproduce.simfinder.detection import (
    EVERY_PAIR,
    WEIGHTINGS,
    Degrees,
    Settings,
    find_pairs,
    measure_degrees,
    open_collection,
)
from neardup.reproduce.simfinder.experiments.fitting import wilson_interval
from neardup.reproduce.simfinder.experiments.transitivity import draw_numbers
from neardup.reproduce.simfinder.pairs import LabelledPairs
from neardup.reproduce.tables import Row

EQUATIONS: Mapping[str, Settings] = {
    "3": {"scale": "equal"},
    **{f"4 {name}": settings for name, settings in WEIGHTINGS.items()},
}
"""The settings that give the duplicate degree of each equation; equation 4 has two weightings."""

LOWEST = round(published.INTERVALS[0] - 0.05, 2)
ABOVE = "from the threshold"


def judge_pairs(pairs: LabelledPairs) -> Iterator[Row]:
    """Measure precision by interval on judged pairs; their own texts are the background database."""
    collection = open_collection([*pairs.a, *pairs.b])
    a, b = collection.nodes[: len(pairs.a)], collection.nodes[len(pairs.a) :]
    known = (a >= 0) & (b >= 0)
    nodes = a[known].astype(np.uint32), b[known].astype(np.uint32)
    for equation, settings in EQUATIONS.items():
        found = measure_degrees(collection, *nodes, settings)
        yield from _by_interval(pairs.name, "judged", equation, found, pairs.alike[known])


def judge_grown(name: str, messages: Messages, seed: int) -> Iterator[Row]:
    """Measure precision by interval on pairs drawn from a grown corpus."""
    collection = open_collection(messages.texts)
    origins = messages.origins[collection.documents]
    for equation, settings in EQUATIONS.items():
        found = find_pairs(collection, {**settings, **EVERY_PAIR, "threshold": LOWEST})
        drawn = _draw(found.degrees, RandomStream(seed, f"precision {name} {equation}"))
        alike = origins[found.a[drawn]] == origins[found.b[drawn]]
        yield from _by_interval(name, "same original", equation, found.degrees[drawn], alike)


def _draw(degrees: Degrees, rng: RandomStream) -> list[int]:
    drawn: list[int] = []
    for degree in published.INTERVALS:
        indices = np.flatnonzero(_within(degrees, degree))
        drawn += indices[draw_numbers(len(indices), published.PAIRS_PER_INTERVAL, rng)].tolist()
    return drawn


def _within(degrees: Degrees, degree: float) -> Booleans:
    """Return which degrees are in an interval; it includes its upper end, the first interval both ends."""
    lower = round(degree - 0.05, 2)
    above: Booleans = (degrees >= lower) if degree == published.INTERVALS[0] else (degrees > lower)
    return above & (degrees <= degree)


def _by_interval(source: str, labels: str, equation: str, degrees: Degrees, alike: Booleans) -> Iterator[Row]:
    intervals = {f"{degree:.2f}": _within(degrees, degree) for degree in published.INTERVALS}
    for degree, inside in {**intervals, ABOVE: degrees >= published.THRESHOLD}.items():
        pairs, right = int(inside.sum()), int(alike[inside].sum())
        low, high = wilson_interval(right, pairs)
        yield {
            "source": source,
            "labels": labels,
            "equation": equation,
            "degree": degree,
            "pairs": pairs,
            "alike": right,
            "precision": right / pairs if pairs else float("nan"),
            "low": low,
            "high": high,
        }
