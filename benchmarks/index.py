"""Measure an index: `python benchmarks/index.py REUTERS [--documents N] [--folder DIR] [--method M]`.

REUTERS is the file of Reuters stories from which documents of news size are made (`news.py`). The benchmark measures
the bulk load, the bytes stored in addition to the text, queries by text and the grouping of result lists, in this
process. It compares the links of a sample with those of a batch run. It prints one line of JSON.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

import neardup
from news import make_news

QUERIES = 2_000
LISTS = 500
RESULTS = 500
SAMPLE = 20_000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("reuters", type=Path)
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path, default=Path("build"))
    parser.add_argument("--method", default="conrad")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    path = options.folder / "news.db"
    for left in options.folder.glob("news.db*"):
        left.unlink()
    table = pa.Table.from_batches(make_news(options.reuters, options.documents, options.seed))
    figures: dict[str, Any] = {"method": options.method, "documents": len(table)}
    with neardup.Index(path, method=options.method) as index:
        figures |= load(index, table)
        figures |= weigh(index, table)
        figures |= ask(index, table, random.Random(options.seed))
        figures |= group(index, table, random.Random(options.seed))
        figures |= compare(index, table)
    print(json.dumps(figures))
    return 0


def load(index: neardup.Index, table: pa.Table) -> dict[str, Any]:
    started, last = time.perf_counter(), [time.perf_counter(), 0]
    busy = time.process_time()

    def tell(_: str, done: int, total: int | None) -> None:
        if done - last[1] >= 50_000 or done == total:
            now = time.perf_counter()
            print(f"{done:10,}  {(done - last[1]) / (now - last[0]):8,.0f} documents/s", file=sys.stderr, flush=True)
            last[:] = [now, done]

    index.add(table, progress=tell)
    seconds = time.perf_counter() - started
    return {
        "load_seconds": round(seconds, 1),
        "documents_a_second": round(len(table) / seconds),
        "processor_microseconds_a_document": round((time.process_time() - busy) / len(table) * 1e6),
    }


def weigh(index: neardup.Index, table: pa.Table) -> dict[str, Any]:
    text = pc.sum(pc.binary_length(table["text"])).as_py()
    stats = index.stats()
    stored = index._store.database.query("SELECT sum(length(text)) FROM texts")[0][0]
    return {
        **{name: stats[name] for name in ("distinct", "clusters", "duplicates", "links", "keys", "bytes")},
        "text_bytes_a_document": round(text / len(table)),
        "bytes_a_document_beside_the_text": round((stats["bytes"] - text) / len(table)),
        "bytes_a_document_beside_the_stored_text": round((stats["bytes"] - stored) / len(table)),
    }


def ask(index: neardup.Index, table: pa.Table, rng: random.Random) -> dict[str, Any]:
    """Query for stored texts with a few words changed."""
    rows = rng.sample(range(len(table)), QUERIES)
    texts, times = (table[name].take(pa.array(rows)).to_pylist() for name in ("text", "time"))
    seconds, found = [], 0
    for text, moment in zip(texts, times, strict=True):
        words = text.split(" ")
        words[rng.randrange(len(words))] = "altered"
        changed = " ".join(words)
        started = time.perf_counter()
        matches = index.query(changed, time=moment)
        seconds.append(time.perf_counter() - started)
        found += bool(matches)
    return {"queries_answered": found / QUERIES, **_percentiles("query", seconds)}


def group(index: neardup.Index, table: pa.Table, rng: random.Random) -> dict[str, Any]:
    """Group lists of results that are near each other in time, like those of a search."""
    seconds, groups = [], 0
    for _ in range(LISTS):
        start = rng.randrange(max(1, len(table) - 20 * RESULTS))
        within = range(start, min(start + 20 * RESULTS, len(table)))
        rows = rng.sample(within, min(RESULTS, len(within)))
        ids = table["id"].take(pa.array(rows)).to_pylist()
        started = time.perf_counter()
        groups += index.group(ids).count
        seconds.append(time.perf_counter() - started)
    return {"groups_a_list": groups / LISTS, **_percentiles("group", seconds)}


def _percentiles(name: str, seconds: list[float]) -> dict[str, float]:
    median, high = np.percentile(np.array(seconds) * 1000, [50, 99])
    return {f"{name}_milliseconds_median": round(float(median), 2), f"{name}_milliseconds_p99": round(float(high), 2)}


def compare(index: neardup.Index, table: pa.Table) -> dict[str, Any]:
    """Compare the links of the last documents with those of a batch run over them."""
    sample = table.slice(max(0, len(table) - SAMPLE))
    result = neardup.find(sample, method=index.method, lexicon=index.lexicon)
    pairs = {tuple(sorted(pair)) for pair in zip(*(result.pairs[name].to_pylist() for name in "ab"), strict=True)}
    missed = 0
    for a, b in pairs:
        missed += b not in {match.id for match in index.query(id=a, limit=10_000)}
    return {"sample_pairs": len(pairs), "sample_pairs_missed": missed}


if __name__ == "__main__":
    sys.exit(main())
