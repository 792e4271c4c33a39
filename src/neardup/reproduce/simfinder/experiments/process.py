"""Measures one run in this process: `python -m neardup.reproduce.simfinder.experiments.process REQUEST`.

The request is JSON with the path of an Arrow file of texts, the settings, and the number of runs; the answer is printed
as JSON. The seconds are those of the fastest run. The memory is the peak of the process minus its size before the
texts were loaded.
"""

from __future__ import annotations

import gc
import json
import re
import resource
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from neardup import api

STATUS = Path("/proc/self/status")


def measure(path: Path, settings: Mapping[str, Any], times: int) -> dict[str, Any]:
    """Run the detector on the texts of a file; return seconds, seconds per stage, peak memory and counts."""
    # The first run imports modules and fills caches.
    api.find(["a first run imports", "and makes what is made once"], "simfinder", **settings)
    gc.collect()
    baseline = _read_memory("VmRSS")
    _reset_peak()
    with pa.OSFile(str(path)) as source:
        table = pa.ipc.open_file(source).read_all()
    runs = []
    for _ in range(times):
        start = time.perf_counter()
        result = api.find(table, "simfinder", **settings)
        runs.append({"seconds": time.perf_counter() - start, "stages": result.summary["seconds"]})
    fastest = min(runs, key=lambda run: float(run["seconds"]))
    return {**fastest, "bytes": max(0, _read_memory("VmHWM") - baseline), "counts": result.summary["counts"]}


def _read_memory(name: str) -> int:
    """Return the present (VmRSS) or the largest (VmHWM) resident size in bytes; without procfs always the largest."""
    if not STATUS.exists():
        largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return largest if sys.platform == "darwin" else largest * 1024
    found = re.search(rf"{name}:\s+(\d+)", STATUS.read_text())
    return int(found[1]) * 1024 if found else 0


def _reset_peak() -> None:
    """Reset the peak of the resident size, where the system allows it."""
    clear = Path("/proc/self/clear_refs")
    if clear.exists():
        clear.write_text("5")


if __name__ == "__main__":
    request = json.loads(sys.argv[1])
    print(json.dumps(measure(Path(request["path"]), request["settings"], request["times"])))
