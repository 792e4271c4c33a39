"""The experiments of Ignatov & Kuznetsov 2009, section 4, on any collection of web pages.

The paper's collection (ROMIP, 530,000 pages) is not available. Its gold, pairs of edit similarity above 0.85, is
computed exactly for any pages. Every table and figure is computed for each collection; times are of this machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from neardup.errors import InputError
from neardup.reproduce.concepts.experiments import itemsets
from neardup.reproduce.concepts.experiments.chains import find_false_clusters, find_shared_boilerplate
from neardup.reproduce.concepts.experiments.mining import compare_algorithms, compare_on_campaigns, time_mining
from neardup.reproduce.concepts.experiments.quality import compare_bisection, compare_thresholds
from neardup.reproduce.concepts.pages import Pages
from neardup.reproduce.study import Progress, ignore_progress
from neardup.reproduce.tables import Measurements, Row

EXPERIMENTS: Mapping[str, Callable[[Pages], Iterator[Row]]] = {
    "thresholds": compare_thresholds,
    "times": time_mining,
    "algorithms": compare_algorithms,
    "bisection": compare_bisection,
    "false_clusters": find_false_clusters,
    "boilerplate": find_shared_boilerplate,
}


@dataclass(frozen=True, slots=True)
class Results:
    """The collections, whether pyfim was there to compare with, and the measurements of each experiment."""

    collections: Sequence[Pages]
    peers: bool
    measurements: Measurements


def run_experiments(collections: Sequence[Pages], *, progress: Progress = ignore_progress) -> Results:
    """Run every experiment on every collection."""
    for pages in collections:
        if len(pages) < 2:
            raise InputError(f"{pages.name} has {len(pages)} pages: there is nothing to compare")
    measurements = Measurements()
    for name, measure in EXPERIMENTS.items():
        measurements[name] = []
        for done, pages in enumerate(collections):
            progress(name, done, len(collections))
            measurements[name] += [{"collection": pages.name, **row} for row in measure(pages)]
    progress("campaigns", 0, None)
    measurements["campaigns"] = list(compare_on_campaigns())
    return Results(collections, itemsets.is_installed(), measurements)


def choose_elsewhere(results: Results, length: int) -> list[Row]:
    """Return for each collection its F1 at the relative threshold with the best average F1 on all the others."""
    rows = {
        (row["collection"], row["threshold"]): row["relative_f1"]
        for row in results.measurements.rows("thresholds", method="bottom", length=length, size=100)
    }
    chosen = []
    for pages in results.collections:
        others = [other.name for other in results.collections if other.name != pages.name]
        if others:
            known = sorted({threshold for _, threshold in rows}, reverse=True)
            best = max(known, key=lambda threshold: sum(rows[name, threshold] for name in others))
            chosen.append({"collection": pages.name, "length": length, "threshold": best, "f1": rows[pages.name, best]})
    return chosen
