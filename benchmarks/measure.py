"""Measure one contender in its own process: `measure.py REQUEST.json` writes the answer next to the request.

The contender is imported and the texts are loaded before the clock starts. It then runs several rounds on the same
texts, each timed separately. Peak memory is the highest resident size during any round minus the size when the texts
were loaded; processes that a peer forks are not counted.
"""

from __future__ import annotations

import gc
import json
import os
import re
import resource
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from corpora import load
from peers import load_contender


def read_memory(field: str) -> int:
    """Return VmRSS (the current resident size) or VmHWM (the highest) in bytes."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return int(re.search(rf"{field}:\s+(\d+)", status.read_text())[1]) * 1024


def reset_peak() -> None:
    """Reset the high-water mark, if the system allows it."""
    clear = Path("/proc/self/clear_refs")
    if clear.exists():
        clear.write_text("5")


def load_texts(path: Path, arrow: bool) -> Any:
    """Return the texts as a list of strings or as an Arrow column in memory."""
    if not arrow:
        return load(path)["text"].to_pylist()
    with pa.OSFile(str(path)) as source:
        return pa.ipc.open_file(source).read_all()["text"].combine_chunks()


def measure(request: dict[str, Any], answer: Path) -> dict[str, Any]:
    """Run the contender in rounds and save its labels and pairs; return the seconds of each round and peak memory."""
    run = load_contender(request["contender"], request["settings"])
    texts = load_texts(Path(request["corpus"]), request["contender"].endswith("-arrow"))
    pa.array(np.zeros(1))  # the first array makes pyarrow import pandas, and imports are not counted
    gc.collect()
    reset_peak()
    before, seconds, result = read_memory("VmRSS"), [], None
    while len(seconds) < request["rounds"] and max(seconds, default=0) < request["long_seconds"]:
        del result
        gc.collect()
        start = time.perf_counter()
        result = run(texts)
        seconds.append(time.perf_counter() - start)
    measured = {"seconds": seconds, "peak_bytes": max(0, read_memory("VmHWM") - before)}
    arrays = {"labels": np.asarray(getattr(result, "labels", result))}
    if request["pairs"] and hasattr(result, "pairs"):
        start = time.perf_counter()
        table = result.pairs
        measured["pairs_seconds"] = time.perf_counter() - start
        arrays["pairs"] = np.stack([table[name].cast(pa.int64()).to_numpy() for name in ("a", "b")], axis=1)
        arrays["similarities"] = table["similarity"].to_numpy()
    np.savez(answer, **arrays)
    return measured


def main(path: Path) -> None:
    """Answer the request; if a contender is missing or fails, report it in one line."""
    request = json.loads(path.read_text())
    # A contender whose memory explodes fails alone, before the machine does.
    most = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 3 // 4
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    try:
        measured = measure(request, path.with_suffix(".npz"))
    except ImportError as error:
        measured = {"failed": f"not installed: {error}"}
    except Exception as error:
        measured = {"failed": f"{type(error).__name__}: {error}".splitlines()[0][:200]}
    path.with_suffix(".measured.json").write_text(json.dumps(measured))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
