"""The peer of `passages.py`: repeated runs of bytes by a suffix array, as tools for exact substring deduplication do.

Needs pydivsufsort. All texts are joined, their suffixes sorted, and every byte that is in a run of at least 150 bytes
(about 25 words) with an equal run elsewhere is found from the longest common prefixes of neighbouring suffixes.
"""

import json
import resource
import sys
import time
from pathlib import Path

import numpy as np
from pydivsufsort import divsufsort, kasai

SHORTEST = 150


def main() -> None:
    with Path(sys.argv[1]).open(encoding="utf-8") as lines:
        text = "\n".join(json.loads(line)["text"] for line in lines).encode()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    start = time.perf_counter()
    order = divsufsort(text)
    common = kasai(text, order)
    long = np.flatnonzero(common >= SHORTEST)
    edges = np.zeros(len(text) + 1, np.int32)
    for rows in (long, long + 1):
        places = order[rows[rows < len(order)]]
        lengths = common[long[: len(places)]]
        np.add.at(edges, places, 1)
        np.add.at(edges, np.minimum(places + lengths, len(text)), -1)
    covered = int((np.cumsum(edges)[:-1] > 0).sum())
    print(
        json.dumps(
            {
                "seconds": round(time.perf_counter() - start, 2),
                "extra_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before,
                "covered_bytes": covered,
            }
        )
    )


main()
