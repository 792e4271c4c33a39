"""Figures 1 and 2: how many of the pairs of a duplicate degree are near-duplicates, by equation 3 and equation 4.

On pairs that people have judged, all of them count. On a grown corpus pairs are drawn, as many for each interval as the
paper's judges looked at, and two texts are near-duplicates if they come from the same original.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from neardup.evaluate.contingency import Booleans
from neardup.reproduce.docket.chance import Chance
from neardup.reproduce.folder import Row
from neardup.reproduce.messages import Messages
from neardup.reproduce.simfinder import published
from neardup.reproduce.simfinder.detection import EVERY_PAIR, WEIGHTINGS, degrees, open_collection, run
from neardup.reproduce.simfinder.fitting import wilson_interval
from neardup.reproduce.simfinder.labelled import LabelledPairs
from neardup.reproduce.simfinder.transitivity import draw_numbers
from neardup.stages import Scores

EQUATIONS: Mapping[str, Mapping[str, Any]] = {
    "3": {"scale": "equal"},
    **{f"4 {name}": settings for name, settings in WEIGHTINGS.items()},
}
"""The settings that make the duplicate degree that of an equation, the fourth under each weighting."""

LOWEST = round(published.INTERVALS[0] - 0.05, 2)
ABOVE = "from the threshold"


def judge_pairs(pairs: LabelledPairs) -> Iterator[Row]:
    """Measure precision by interval on pairs that people have judged; their own texts are the background database."""
    collection = open_collection([*pairs.a, *pairs.b])
    a, b = collection.nodes[: len(pairs.a)], collection.nodes[len(pairs.a) :]
    known = (a >= 0) & (b >= 0)
    nodes = a[known].astype(np.uint32), b[known].astype(np.uint32)
    for equation, settings in EQUATIONS.items():
        found = degrees(collection, *nodes, settings)
        yield from _by_interval(pairs.name, "judged", equation, found, pairs.alike[known])


def judge_grown(name: str, messages: Messages, seed: int) -> Iterator[Row]:
    """Measure precision by interval on pairs drawn from a grown corpus."""
    collection = open_collection(messages.texts)
    origins = messages.origins[collection.corpus.nodes]
    for equation, settings in EQUATIONS.items():
        links = run(collection, {**settings, **EVERY_PAIR, "threshold": LOWEST}).links
        drawn = _draw(links.similarities, Chance(seed, f"precision {name} {equation}"))
        alike = origins[links.a[drawn]] == origins[links.b[drawn]]
        yield from _by_interval(name, "same original", equation, links.similarities[drawn], alike)


def _draw(found: Scores, chance: Chance) -> list[int]:
    drawn: list[int] = []
    for degree in published.INTERVALS:
        places = np.flatnonzero(_within(found, degree))
        drawn += places[draw_numbers(len(places), published.PAIRS_PER_INTERVAL, chance)].tolist()
    return drawn


def _within(found: Scores, degree: float) -> Booleans:
    """Say which degrees are above the lower end of an interval, up to its upper end; the first has both its ends."""
    lower = round(degree - 0.05, 2)
    above: Booleans = (found >= lower) if degree == published.INTERVALS[0] else (found > lower)
    return above & (found <= degree)


def _by_interval(source: str, labels: str, equation: str, found: Scores, alike: Booleans) -> Iterator[Row]:
    intervals = {f"{degree:.2f}": _within(found, degree) for degree in published.INTERVALS}
    for degree, inside in {**intervals, ABOVE: found >= published.THRESHOLD}.items():
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
