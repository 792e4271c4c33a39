"""Figures 7 to 10: time and memory against the size of the corpus, each point a run in a process of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from neardup.reproduce.folder import Progress, Row
from neardup.reproduce.messages import grow_to
from neardup.reproduce.simfinder.fitting import Line, fit_line
from neardup.reproduce.simfinder.measure import measure_apart, write_texts

STEPS = 6
TIMES = 3
LARGER = 5
"""How many times as large as the other experiments' corpora the largest one is that is measured."""

MODES: Mapping[str, Mapping[str, Any]] = {
    "paper": {"paper": True, "skip_connected": True, "linkage": "components"},
    "prefix": {"candidates": "prefix"},
}
"""The paper's search with its optimisation, and the one that finds every pair."""


def measure_scale(name: str, source: Sequence[str], seed: int, size: int, tell: Progress) -> Iterator[Row]:
    """Measure corpora grown to equal steps, up to five times the size."""
    sizes = [LARGER * size * step // STEPS for step in range(1, STEPS + 1)]
    with TemporaryDirectory(prefix="neardup-scale-") as folder:
        path = Path(folder) / "texts.arrow"
        for step, messages in enumerate(grow_to(source, seed, sizes)):
            amount = write_texts(path, messages.texts)
            for place, (mode, settings) in enumerate(MODES.items()):
                tell(f"{name}: time", step * len(MODES) + place, STEPS * len(MODES))
                measured = measure_apart(path, settings, TIMES)
                yield {
                    "corpus": name,
                    "mode": mode,
                    "texts": len(messages),
                    "megabytes": amount / 1e6,
                    "seconds": measured["seconds"],
                    "memory_megabytes": measured["bytes"] / 1e6,
                    "distinct": measured["counts"]["distinct"],
                    "comparisons": measured["counts"]["candidates"],
                }


def fit_scale(rows: Sequence[Row], measure: str) -> dict[tuple[str, str], Line]:
    """Fit a line to a measure against the number of texts, for each corpus and mode."""
    points: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        points.setdefault((row["corpus"], row["mode"]), []).append(row)
    return {key: fit_line([row["texts"] for row in own], [row[measure] for row in own]) for key, own in points.items()}
