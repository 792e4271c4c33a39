"""Measure one run in a process of its own: `python -m neardup.reproduce.simfinder.measure REQUEST` prints the answer.

The request names an Arrow file of texts, settings, and how many times to run; the seconds are those of the fastest run.
Peak memory is what the process held at its highest above what it held before the texts were loaded.
"""

from __future__ import annotations

import gc
import json
import re
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from neardup import api
from neardup.engines.local import peak_memory
from neardup.errors import NeardupError

STATUS = Path("/proc/self/status")
COLUMN = "text"


def write_texts(path: Path, texts: Sequence[str]) -> int:
    """Write texts to an Arrow file and return how many bytes of text there are."""
    column = pa.array(texts, pa.large_string())
    with pa.OSFile(str(path), "wb") as target, pa.ipc.new_file(target, pa.schema([(COLUMN, column.type)])) as file:
        file.write_table(pa.table({COLUMN: column}))
    return int(pc.sum(pc.binary_length(column)).as_py() or 0)


def measure_apart(path: Path, settings: Mapping[str, Any], times: int) -> dict[str, Any]:
    """Run a detector over the texts of a file in a fresh process."""
    request = json.dumps({"path": str(path), "settings": dict(settings), "times": times})
    done = subprocess.run(
        [sys.executable, "-m", "neardup.reproduce.simfinder.measure", request],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise NeardupError(f"the measured run over {path.name} failed: {done.stderr.strip()[-500:]}")
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def measure(path: Path, settings: Mapping[str, Any], times: int) -> dict[str, Any]:
    """Run a detector over the texts of a file; return seconds, stages and peak memory."""
    api.find(["a first run imports", "and makes what is made once"], "simfinder", **settings)
    gc.collect()
    held = _held_memory()
    _reset_peak()
    with pa.OSFile(str(path)) as source:
        table = pa.ipc.open_file(source).read_all()
    runs = []
    for _ in range(times):
        start = time.perf_counter()
        result = api.find(table, "simfinder", **settings)
        runs.append({"seconds": time.perf_counter() - start, "stages": result.summary["seconds"]})
    fastest = min(runs, key=lambda run: float(run["seconds"]))
    return {**fastest, "bytes": max(0, _highest_memory() - held), "counts": result.summary["counts"]}


def _held_memory() -> int:
    return _read_status("VmRSS") if STATUS.exists() else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _highest_memory() -> int:
    return _read_status("VmHWM") if STATUS.exists() else peak_memory()


def _read_status(name: str) -> int:
    found = re.search(rf"{name}:\s+(\d+)", STATUS.read_text())
    return int(found[1]) * 1024 if found else 0


def _reset_peak() -> None:
    """Start the high-water mark afresh, where the system allows it."""
    clear = Path("/proc/self/clear_refs")
    if clear.exists():
        clear.write_text("5")


if __name__ == "__main__":
    wanted = json.loads(sys.argv[1])
    print(json.dumps(measure(Path(wanted["path"]), wanted["settings"], wanted["times"])))
