"""Figures 7 to 10: time and memory by the size of the corpus; each point is measured in its own process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from neardup.errors import NeardupError
from neardup.reproduce.corpora.messages import grow_to
from neardup.reproduce.simfinder.experiments.fitting import Line, fit_line
from neardup.reproduce.study import Progress
from neardup.reproduce.tables import Row, group_rows

STEPS = 6
TIMES = 3
LARGER = 5
"""The largest corpus has this many times the size of those of the other experiments."""

MODES: Mapping[str, Mapping[str, Any]] = {
    "paper": {"paper": True, "skip_connected": True, "linkage": "components"},
    "prefix": {"candidates": "prefix"},
}
"""The paper's search with its optimisation, and the search that finds every pair."""


def measure_scale(name: str, source: Sequence[str], seed: int, size: int, progress: Progress) -> Iterator[Row]:
    """Measure corpora grown in equal steps, up to five times the size."""
    sizes = [LARGER * size * step // STEPS for step in range(1, STEPS + 1)]
    with TemporaryDirectory(prefix="neardup-scale-") as folder:
        path = Path(folder) / "texts.arrow"
        for step, messages in enumerate(grow_to(source, seed, sizes)):
            amount = write_texts(path, messages.texts)
            for number, (mode, settings) in enumerate(MODES.items()):
                progress(f"{name}: time", step * len(MODES) + number, STEPS * len(MODES))
                measured = measure_in_process(path, settings, TIMES)
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


def write_texts(path: Path, texts: Sequence[str]) -> int:
    """Write texts to an Arrow file and return their number of bytes."""
    table = pa.table({"text": pa.array(texts, pa.large_string())})
    with pa.OSFile(str(path), "wb") as target, pa.ipc.new_file(target, table.schema) as file:
        file.write_table(table)
    return int(pc.sum(pc.binary_length(table["text"])).as_py() or 0)


def measure_in_process(path: Path, settings: Mapping[str, Any], times: int) -> dict[str, Any]:
    """Run the detector on the texts of a file in a new process; return what `process.measure` returns there."""
    request = json.dumps({"path": str(path), "settings": dict(settings), "times": times})
    command = [sys.executable, "-m", "neardup.reproduce.simfinder.experiments.process", request]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NeardupError(f"the measured run over {path.name} failed: {done.stderr.strip()[-500:]}")
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def fit_scale(rows: Sequence[Row], measure: str) -> dict[tuple[str, str], Line]:
    """Fit a line to a measure against the number of texts, for each corpus and mode."""
    return {
        (corpus, mode): fit_line([row["texts"] for row in own], [row[measure] for row in own])
        for (corpus, mode), own in group_rows(rows, "corpus", "mode").items()
    }
