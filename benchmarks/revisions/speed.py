"""`speed`: time our own contenders of `make bench` on both sides in turn, and compare the best times.

A round runs a contender once on each side, old before new, in a fresh process that takes the best of three runs as the
benchmarks do. Where the new side is slower than allowed after all rounds, both sides get as many rounds again, twice at
most: noise only ever adds time, so the best times settle. Both sides must find the same labels.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import corpora
from peers import PEERS
from revisions.checkouts import Checkout, open_checkouts
from run import LONG_SECONDS, ROUNDS, TIMEOUT_SECONDS, load_definitions

MEASURE = Path(corpora.__file__).parent / "measure.py"
LEAST_RATIO = 0.95
REPETITIONS = 3
COLUMNS = {"old best": 10, "old median": 11, "new best": 10, "new median": 11, "new docs/s": 13, "ratio": 8, "peak": 7}
"""Titles and widths. `ratio` is the new speed over the old one by the best times, `peak` the new peak over the old."""


@dataclass(frozen=True)
class Contender:
    """One of our contenders on one corpus, as the benchmarks define it."""

    name: str
    documents: int
    request: dict[str, Any]


@dataclass
class Timing:
    """The best seconds and peak memory of each round of one side, and the labels that it found."""

    seconds: list[float] = field(default_factory=list)
    peaks: list[int] = field(default_factory=list)
    labels: np.ndarray | None = None
    failed: str = ""

    @property
    def best(self) -> float:
        """The best seconds of all rounds."""
        return min(self.seconds)


def run(arguments: argparse.Namespace) -> int:
    """Compare the speed of two revisions; return 1 if the new one is slower than allowed or gives another result."""
    pool = corpora.load_pool(arguments.data)
    contenders = list_contenders(pool, arguments.only, quick=arguments.quick)
    print(f"{'contender':48}" + "".join(f"{title:>{width}}" for title, width in COLUMNS.items()))
    failures = []
    with open_checkouts(arguments.old, arguments.new) as checkouts:
        for contender in contenders:
            old, new = time_contender(contender, checkouts, arguments.rounds)
            print(describe(contender, old, new), flush=True)
            failures += [f"{contender.name}: {problem}" for problem in find_problems(old, new)]
    print("\n".join(["", *failures]) if failures else f"no contender is below {LEAST_RATIO} of the old speed")
    return 1 if failures else 0


def list_contenders(pool: corpora.Pool, only: list[str] | None, *, quick: bool) -> Iterator[Contender]:
    """Yield our contenders of all benchmarks; a corpus is built when it is needed."""
    for name, benchmark in load_definitions().items():
        sizes = benchmark.get("quick_sizes", benchmark["sizes"]) if quick else benchmark["sizes"]
        for size in sizes:
            ours = [item for item in benchmark["contenders"] if item not in PEERS]
            titles = {item: f"{name} {size} {item}" for item in ours}
            for item in ours:
                if not only or any(part in titles[item] for part in only):
                    yield _contender(titles[item], item, benchmark, corpora.prepare(benchmark["corpus"], size, pool))


def _contender(title: str, name: str, benchmark: dict[str, Any], corpus: Path) -> Contender:
    request = {"corpus": str(corpus), "contender": name, "settings": benchmark.get("settings", {})}
    limits = {"rounds": ROUNDS, "long_seconds": LONG_SECONDS, "pairs": False}
    return Contender(title, len(corpora.load(corpus)), request | limits)


def time_contender(contender: Contender, checkouts: tuple[Checkout, Checkout], rounds: int) -> tuple[Timing, Timing]:
    """Time a contender on both sides in turn, with further rounds while the new side seems too slow."""
    old, new = Timing(), Timing()
    for _ in range(REPETITIONS):
        for _ in range(rounds):
            for timing, checkout in zip((old, new), checkouts, strict=True):
                measure(contender, checkout, timing)
        if old.failed or new.failed or old.best / new.best >= LEAST_RATIO:
            break
    return old, new


def measure(contender: Contender, checkout: Checkout, timing: Timing) -> None:
    """Run a contender once in a fresh process and record its time and memory."""
    if timing.failed:
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "request.json"
        path.write_text(json.dumps(contender.request))
        command = [sys.executable, str(MEASURE), str(path)]
        subprocess.run(command, env=checkout.environment(), timeout=TIMEOUT_SECONDS, check=False)
        answer = path.with_suffix(".measured.json")
        measured = json.loads(answer.read_text()) if answer.exists() else {"failed": "the process died"}
        if "failed" in measured:
            timing.failed = measured["failed"]
            return
        timing.seconds.append(min(measured["seconds"]))
        timing.peaks.append(measured["peak_bytes"])
        with np.load(path.with_suffix(".npz")) as arrays:
            timing.labels = arrays["labels"]


def describe(contender: Contender, old: Timing, new: Timing) -> str:
    """Return the line of a contender: seconds, documents per second and their ratio, ratio of the peaks of memory."""
    if old.failed or new.failed:
        return f"{contender.name:48} failed: old {old.failed or 'done'}, new {new.failed or 'done'}"
    seconds = (old.best, statistics.median(old.seconds), new.best, statistics.median(new.seconds))
    cells = [f"{value:.4f}" for value in seconds]
    cells += [f"{contender.documents / new.best:,.0f}", f"{old.best / new.best:.3f}"]
    cells.append(f"{max(new.peaks) / max(1, *old.peaks):.2f}")
    widths = zip(cells, COLUMNS.values(), strict=True)
    return f"{contender.name:48}" + "".join(f"{cell:>{width}}" for cell, width in widths)


def find_problems(old: Timing, new: Timing) -> Iterator[str]:
    """Yield why a contender fails the comparison."""
    if old.failed or new.failed:
        yield f"fails: old {old.failed or 'done'}, new {new.failed or 'done'}"
        return
    if not np.array_equal(old.labels, new.labels):
        yield "the labels differ"
    if old.best / new.best < LEAST_RATIO:
        yield f"{old.best / new.best:.3f} of the old speed after {len(new.seconds)} rounds, below {LEAST_RATIO}"
