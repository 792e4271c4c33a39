"""Frequent-itemset mining by another program, for comparison: the algorithms of C. Borgelt's `pyfim`.

Each algorithm runs in its own process with a time limit, since most of them do not finish on these contexts.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np

from neardup.reproduce.concepts.detection import Images

ALGORITHMS = ("fpgrowth", "eclat", "apriori", "sam", "relim", "ista", "carpenter")

_PROGRAM = """
import json, sys, time, resource
import fim
name, target, support, memory = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
rows = json.load(sys.stdin)
start = time.perf_counter()
found = getattr(fim, name)(rows, target=target, supp=-support, zmin=2)
print(json.dumps([time.perf_counter() - start, len(found)]))
"""


@dataclass(frozen=True, slots=True)
class Mined:
    """The time and the number of clusters of one run; without seconds it ran out of time or memory."""

    algorithm: str
    seconds: float | None
    clusters: int | None


def is_installed() -> bool:
    """Return whether pyfim is installed."""
    return find_spec("fim") is not None


def mine_with_peers(
    images: Images, units: int, target: str, *, seconds: float, memory: int = 4 << 30, names: Sequence[str] = ALGORITHMS
) -> Iterator[Mined]:
    """Mine the maximal (`m`) or closed (`c`) sets of documents that share `units` units, by each algorithm."""
    rows = json.dumps(list_rows(images)).encode()
    for name in names:
        arguments = [sys.executable, "-c", _PROGRAM, name, target, str(units), str(memory)]
        try:
            done = subprocess.run(arguments, input=rows, capture_output=True, timeout=seconds, check=True)
            taken, count = json.loads(done.stdout)
            yield Mined(name, taken, count)
        except (subprocess.TimeoutExpired, subprocess.CalledProcessError, ValueError):
            yield Mined(name, None, None)


def list_rows(images: Images) -> list[list[int]]:
    """Return the documents of each unit that several documents have (the transactions of itemset mining)."""
    offsets = images.offsets.astype(np.int64)
    documents = np.repeat(np.arange(len(offsets) - 1), offsets[1:] - offsets[:-1])
    order = np.lexsort((documents, images.units))
    units, documents = images.units[order], documents[order]
    ends = np.flatnonzero(units[1:] != units[:-1]) + 1
    return [row.tolist() for row in np.split(documents, ends) if len(row) > 1]
