"""Measure passages: `python benchmarks/passages.py quality DATA` or `python benchmarks/passages.py speed DATA`.

DATA is a folder that contains the collections reuters21578, licences_spdx, emails_clinton, newsgroups_comp and
poems_tang_zh, each with docs.jsonl.gz. `quality` plants edited passages (`planting.py`) and measures how many are
found, how many of those found are planted, and how exact the boundaries are. `speed` measures time and memory on real
text of growing size, next to a suffix array of the same text (`suffix_array.py`, in an environment with pydivsufsort).
Both print one line of JSON per row.
"""

from __future__ import annotations

import argparse
import bisect
import gzip
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from itertools import accumulate
from pathlib import Path
from typing import Any

import neardup
from planting import Planted, keep_unrelated, plant, split

COLLECTIONS = {
    "news": ("reuters21578", False),
    "law": ("licences_spdx", False),
    "mail": ("newsgroups_comp", False),
    "Chinese": ("poems_tang_zh", True),
}
NOISE = (None, 0.005, 0.02)
MOST = 2_000
NEAR = 2
PART = 400
HERE = Path(__file__).parent

Span = tuple[int, int]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["quality", "speed"])
    parser.add_argument("data", type=Path)
    parser.add_argument("--megabytes", type=int, nargs="+", default=[10, 100])
    parser.add_argument("--peer", type=Path, help="the Python of an environment with pydivsufsort")
    options = parser.parse_args()
    rows = measure_quality(options.data) if options.what == "quality" else measure_speed(options)
    for row in rows:
        print(json.dumps(row, ensure_ascii=False), flush=True)
    return 0


def read_texts(data: Path, name: str) -> list[str]:
    with gzip.open(data / name / "docs.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines]


def measure_quality(data: Path) -> Any:
    for kind, (name, spaceless) in COLLECTIONS.items():
        texts = read_texts(data, name)
        if spaceless:  # poems are short: some of them make a document
            texts = ["".join(texts[start : start + 6]) for start in range(0, len(texts), 6)]
        words = [part for text in texts for part in cut(split(text, spaceless))]
        unrelated = keep_unrelated(words, MOST)
        blank = "" if spaceless else " "
        for noise in NOISE:
            documents, planted = plant(list(unrelated), random.Random(1), noise)
            found = neardup.passages([blank.join(words) for words in documents])
            row = {"text": kind, "misread": noise or 0, "documents": len(documents)}
            yield row | score(documents, planted, found, len(blank))


def cut(words: list[str]) -> list[list[str]]:
    """Cut long documents into parts: licences share so much that few of them have no run in common as a whole."""
    return [words[start : start + PART] for start in range(0, len(words), PART)]


def score(documents: list[list[str]], planted: list[Planted], found: neardup.Passages, blank: int) -> dict[str, Any]:
    starts = [list(accumulate((len(word) + blank for word in words), initial=0)) for words in documents]
    places: dict[int, list[tuple[int, Span]]] = defaultdict(list)
    for row in found.occurrences.to_pylist():
        document = int(row["id"])
        first = bisect.bisect_right(starts[document], row["start"]) - 1
        last = bisect.bisect_left(starts[document], row["end"])
        places[row["passage"]].append((document, (first, last)))
    true = {planted.source: planted.source_span for planted in planted}
    true |= {planted.host: planted.host_span for planted in planted}
    by_document = defaultdict(set)
    for passage, spans in places.items():
        for document, _ in spans:
            by_document[document].add(passage)
    hits, near, errors = 0, 0, []
    for one in planted:
        both = by_document[one.source] & by_document[one.host]
        pairs = [dict(places[passage]) for passage in both]
        pair = max(pairs, key=lambda pair: overlap(pair[one.host], one.host_span), default=None)
        if pair is None or 2 * overlap(pair[one.host], one.host_span) < one.host_span[1] - one.host_span[0]:
            continue
        hits += 1
        for document, span in ((one.source, one.source_span), (one.host, one.host_span)):
            for side in range(2):
                errors.append(abs(pair[document][side] - span[side]))
    near = sum(error <= NEAR for error in errors)
    reported = [(place, spans[0]) for spans in places.values() for place in spans]
    native = right = 0
    for (document, span), first in reported:
        if document in true and 2 * overlap(span, true[document]) >= span[1] - span[0]:
            right += 1
        else:
            native += is_similar(documents, (document, span), first)
    return {
        "planted": len(planted),
        "recall": round(hits / len(planted), 4),
        "reported": len(reported),
        "not_planted_but_similar": native,
        "precision": round((right + native) / max(len(reported), 1), 4),
        "boundaries_within_2": round(near / max(len(errors), 1), 4),
        "seconds": round(found.summary["seconds"]["passages"], 3),
    }


def is_similar(documents: list[list[str]], place: tuple[int, Span], first: tuple[int, Span]) -> bool:
    """Return whether two places have a common subsequence of at least 0.8 of the words of the longer."""
    a, b = (
        ["".join(filter(str.isalnum, word)).lower() for word in documents[document][span[0] : span[1]]]
        for document, span in (place, first)
    )
    row = [0] * (len(b) + 1)
    for word in a:
        new = [0]
        for index, other in enumerate(b):
            new.append(row[index] + 1 if word == other else max(row[index + 1], new[index]))
        row = new
    return row[-1] >= 0.8 * max(len(a), len(b))


def overlap(a: Span, b: Span) -> int:
    return max(0, min(a[1], b[1]) - max(a[0], b[0]))


WORKER = """
import json, resource, sys, time
import neardup
from pathlib import Path
path, similarity = sys.argv[1:]
documents = neardup.read(path)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
start = time.perf_counter()
found = neardup.passages(documents, similarity=float(similarity))
print(json.dumps({
    "seconds": round(time.perf_counter() - start, 2),
    "extra_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before,
    "passages": len(found), "occurrences": found.occurrences.num_rows,
}))
"""


def measure_speed(options: argparse.Namespace) -> Any:
    texts = [text for name in ("reuters21578", "emails_clinton") for text in read_texts(options.data, name)]
    random.Random(1).shuffle(texts)
    with tempfile.TemporaryDirectory() as folder:
        for megabytes in options.megabytes:
            path = Path(folder) / f"{megabytes}.jsonl"
            size = write_collection(texts, megabytes * 1_000_000, path)
            for similarity in ("1", "0.8"):
                measured = run([sys.executable, "-c", WORKER, str(path), similarity])
                yield {"tool": f"neardup, similarity {similarity}", "bytes": size} | measured
            if options.peer is not None:
                measured = run([str(options.peer), str(HERE / "suffix_array.py"), str(path)])
                yield {"tool": "suffix array (divsufsort)", "bytes": size} | measured


def write_collection(texts: list[str], size: int, path: Path) -> int:
    """Write real texts up to a size; when they are used up, their words are shuffled within lines for new ones."""
    chance, written, number = random.Random(1), 0, 0
    with path.open("w", encoding="utf-8") as stream:
        while written < size:
            text = texts[number % len(texts)]
            if number >= len(texts):
                words = text.split()
                chance.shuffle(words)
                text = " ".join(words)
            stream.write(json.dumps({"id": number, "text": text}) + "\n")
            written += len(text.encode())
            number += 1
    return written


def run(command: list[str]) -> dict[str, Any]:
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return {**json.loads(done.stdout), "whole_seconds": round(time.perf_counter() - start, 2)}


if __name__ == "__main__":
    sys.exit(main())
