"""Measure `simfinder` on short texts: `python benchmarks/short.py --corpora DIR [--only PART] [--quick]`.

`definitions/short.toml` defines what is measured and expected. `weights` compares the ways of weighting terms on judged
pairs. `recall` compares the pairs found with brute force (a sparse product of term matrices), by number of terms.
`growth` runs millions of messages (`messages.py`), each contender in its own process, together with `jaccard` on sets
of single words at the same threshold. The record goes to `results/`; the exit code is 1 if an expectation was missed.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse

import messages
import neardup
from neardup import _core
from neardup.candidates import TermGrams, WeightedPrefix
from neardup.normalise import Normaliser
from neardup.records import Documents
from neardup.represent import DIRECTIONS, LENGTHS, Weighting
from neardup.stages import Corpus
from run import describe_machine

HERE = Path(__file__).parent
BUILD = HERE.parent / "build" / "benchmarks"
LENGTHS_SHOWN = ((1, 1), (2, 2), (3, 3), (4, 5), (6, 8), (9, 11), (12, 10**9))
Row = dict[str, Any]


def read_rows(path: Path) -> list[Row]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def open_corpus(texts: list[str], *, distinct: bool) -> Corpus:
    """Return the texts as nodes of a corpus; if they are to be distinct, identical ones only once."""
    opened = Normaliser().open(Documents(texts))
    everyone = np.arange(len(texts), dtype=np.uint32)
    survey = opened.survey(everyone, None, _core.FirstPass.terms())
    kept = (survey.representatives == everyone) & (survey.words > 0) if distinct else np.ones(len(texts), bool)
    nodes = np.flatnonzero(kept).astype(np.uint32)
    return Corpus(opened, survey, nodes, survey.words[nodes], np.ones(len(nodes), np.uint32))


def measure_weights(folder: Path, chosen: Row) -> Iterator[Row]:
    """Score judged pairs under each way of weighting."""
    for name in chosen["pairs"]:
        rows = read_rows(folder / name / "pairs.jsonl.gz")
        judged = np.array([row["label"] for row in rows])
        corpus = open_corpus([row["a"] for row in rows] + [row["b"] for row in rows], distinct=False)
        first = np.arange(len(rows), dtype=np.uint32)
        ways = [("inverse", "equal", "off"), *itertools.product(DIRECTIONS, ("linear", "log"), LENGTHS)]
        for direction, scale, length in ways:
            sets = Weighting(direction=direction, scale=scale, length=length).weigh(corpus)
            shared, totals = sets.shared(first, first + np.uint32(len(rows))), sets.totals()
            degrees = shared / np.maximum(totals[: len(rows)] + totals[len(rows) :] - shared, 1)
            linked = degrees >= 0.65
            yield {
                **{"pairs": name, "direction": direction, "scale": scale, "length": length},
                "area_under_curve": area_under_curve(degrees, judged),
                "precision": float(judged[linked].mean()),
                "recall": float(judged[linked].sum() / judged.sum()),
            }


def area_under_curve(scores: Any, judged: Any) -> float:
    """Return the probability that a positive pair scores higher than a negative one; ties count half."""
    positive, negative = np.sort(scores[judged == 1]), np.sort(scores[judged == 0])
    below = np.searchsorted(negative, positive, "left") + np.searchsorted(negative, positive, "right")
    return float(below.sum() / 2 / len(positive) / len(negative))


def find_by_force(texts: list[str], weights: dict[str, int], threshold: Fraction) -> dict[tuple[int, int], float]:
    """Return every pair at the threshold with its degree, from the product of the term matrices."""
    opened = Normaliser().open(Documents(texts))
    terms = [sorted(set(opened.terms(number))) for number in range(len(texts))]
    columns = {term: number for number, term in enumerate(sorted({term for row in terms for term in row}))}
    index = np.array([columns[term] for row in terms for term in row])
    starts = np.concatenate([[0], np.cumsum([len(row) for row in terms])])
    value = np.array([weights[term] for row in terms for term in row], np.int64)
    shape = (len(texts), len(columns))
    weighted = scipy.sparse.csr_matrix((value, index, starts), shape)
    plain = scipy.sparse.csr_matrix((np.ones_like(value), index, starts), shape)
    totals = np.asarray(weighted.sum(axis=1)).ravel()
    found = {}
    for start in range(0, len(texts), 1000):
        shared = (weighted[start : start + 1000] @ plain.T).tocoo()
        a, b, common = shared.row + start, shared.col, shared.data
        union = totals[a] + totals[b] - common
        passed = (a < b) & (common * threshold.denominator >= union * threshold.numerator)
        degrees = common[passed] / union[passed]
        found.update(zip(zip(a[passed].tolist(), b[passed].tolist(), strict=True), degrees.tolist(), strict=True))
    return found


def measure_recall(folder: Path, chosen: Row) -> Iterator[Row]:
    """Compare both candidate rules with brute force on real texts."""
    threshold = chosen["threshold"]
    for name in chosen["corpora"]:
        texts = [row["text"] for row in read_rows(folder / name / "docs.jsonl.gz")]
        some = np.random.default_rng(1).permutation(len(texts))[: chosen["sample"]]
        corpus = open_corpus([texts[index] for index in sorted(some)], distinct=True)
        distinct = [texts[index] for index in np.sort(some)[corpus.nodes]]
        table = Weighting().table(corpus)
        weights = dict(zip(table["term"].to_pylist(), table["weight"].to_pylist(), strict=True))
        true = find_by_force(distinct, weights, Fraction(str(threshold)))
        joined = WeightedPrefix(threshold).pairs(replace(corpus, weighted=Weighting().weigh(corpus)))
        found = list_pairs(joined)
        row = {"corpus": name, "texts": len(distinct), "true_pairs": len(true), "found_pairs": len(found)}
        row["prefix"] = len(found.keys() & true.keys()) / max(len(true), 1)
        row["false_pairs"] = len(found.keys() - true.keys())
        row["degree_error"] = max((abs(found[pair] - true[pair]) for pair in found.keys() & true.keys()), default=0.0)
        heavy = replace(corpus, weighted=Weighting(order="heavy").weigh(corpus))
        sizes = heavy.weighted.sizes()
        for label, grams in (("fingerprints", TermGrams(threshold)), ("printed", TermGrams(threshold, thorough=False))):
            some_pairs = list_pairs(grams.pairs(heavy))
            row[label] = {say_length(*bounds): share(true, some_pairs, sizes, bounds) for bounds in LENGTHS_SHOWN}
        yield row


def list_pairs(found: Any) -> dict[tuple[int, int], float]:
    return dict(zip(zip(found.a.tolist(), found.b.tolist(), strict=True), found.similarities.tolist(), strict=True))


def say_length(least: int, most: int) -> str:
    return f"{least}+" if most > 1000 else str(least) if least == most else f"{least}-{most}"


def share(true: Any, found: Any, sizes: Any, bounds: tuple[int, int]) -> tuple[int, float | None]:
    """Return the number of true pairs whose shorter text has this many terms, and the share of them that was found."""
    chosen = [pair for pair in true if bounds[0] <= min(sizes[pair[0]], sizes[pair[1]]) <= bounds[1]]
    return len(chosen), sum(pair in found for pair in chosen) / len(chosen) if chosen else None


def measure_growth(folder: Path, chosen: Row) -> Iterator[Row]:
    """Run each contender on each size, in its own process."""
    for kind, size in itertools.product(chosen["kinds"], chosen["sizes"]):
        path = BUILD / f"messages-{kind}-{size}.arrow"
        if not path.exists():
            messages.save(folder, size, kind, path)
        for contender in chosen["contenders"]:
            if size > chosen["largest"].get(contender, size):
                continue
            command = [sys.executable, __file__, "--run", contender, str(path)]
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=3600)
            answer = json.loads(done.stdout) if done.returncode == 0 else {"failed": done.stderr[-500:]}
            yield {"kind": kind, "messages": size, "contender": contender, **answer}


def run_contender(contender: str, path: Path) -> Row:
    """Find the clusters of a file of messages and compare them with the labels."""
    table = messages.load(path)
    expected = table["label"].to_numpy()
    texts = table.select(["text"])
    settings: Row = {} if contender == "simfinder" else {"shingle": 1, "threshold": 0.65}
    start, used = time.perf_counter(), time.process_time()
    result = neardup.find(texts, contender, **settings)
    seconds, processor = time.perf_counter() - start, time.process_time() - used
    summary = result.summary
    kept = {name: summary["counts"][name] for name in ("distinct", "clusters", "duplicates", "pairs")}
    return {
        "seconds": seconds,
        "processor_seconds": processor,
        "gigabytes": summary["peak_memory_bytes"] / 1e9,
        "text_gigabytes": texts.nbytes / 1e9,
        **kept,
        "guards": summary["guards"],
        **compare_labels(result.labels, expected),
    }


def compare_labels(found: Any, expected: Any) -> Row:
    """Return precision and recall over the pairs of the clusters."""
    together = np.sort(found.astype(np.uint64) << np.uint64(32) | expected.astype(np.uint64))
    ends = np.append(np.flatnonzero(np.diff(together)), len(together) - 1)
    both = count_pairs(np.diff(np.append(-1, ends)))
    precision = both / max(count_pairs(np.bincount(found)), 1)
    return {"precision": precision, "recall": both / max(count_pairs(np.bincount(expected)), 1)}


def count_pairs(sizes: Any) -> float:
    sizes = sizes.astype(np.float64)
    return float((sizes * (sizes - 1) / 2).sum())


def find_misses(part: str, row: Row, expect: Row) -> Iterator[str]:
    """Yield the expectations that a row did not meet."""
    if part == "recall":
        twelve = row["fingerprints"]["12+"][1]
        values = {"prefix": row["prefix"], "fingerprints_twelve_terms": 1.0 if twelve is None else twelve}
        yield from (f"{row['corpus']}: {name} {value}" for name, value in values.items() if value < expect[name])
        if row["degree_error"] > expect["degree_error"] or row["false_pairs"]:
            yield f"{row['corpus']}: degrees differ by {row['degree_error']}, {row['false_pairs']} false pairs"
    if part == "growth" and row["contender"] == "simfinder":
        label = f"{row['kind']} {row['messages']}"
        if "failed" in row:
            yield f"{label}: {row['failed']}"
            return
        yield from (f"{label}: {name} {row[name]}" for name in ("seconds", "gigabytes") if row[name] > expect[name])
        yield from (f"{label}: {name} {row[name]}" for name in ("precision", "recall") if row[name] < expect[name])


def main() -> int:
    """Run the measurements, print and record them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpora", type=Path, help="folder of real corpora")
    parser.add_argument("--only", choices=("weights", "recall", "growth"), action="append")
    parser.add_argument("--quick", action="store_true", help="sizes up to a million, samples of 5,000")
    parser.add_argument("--run", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.run:
        print(json.dumps(run_contender(arguments.run[0], Path(arguments.run[1]))))
        return 0
    definitions = tomllib.loads((HERE / "definitions" / "short.toml").read_text())
    if arguments.quick:
        definitions["recall"]["sample"] = 5_000
        definitions["growth"]["sizes"] = [size for size in definitions["growth"]["sizes"] if size <= 1_000_000]
    measures = {"weights": measure_weights, "recall": measure_recall, "growth": measure_growth}
    record: dict[str, list[Row]] = {}
    missed: list[str] = []
    for part, measure in measures.items():
        if arguments.only and part not in arguments.only:
            continue
        record[part] = []
        for row in measure(arguments.corpora, definitions[part]):
            print(part, json.dumps(row), flush=True)
            record[part].append(row)
            missed += find_misses(part, row, definitions[part].get("expect", {}))
    today = datetime.now(UTC).date().isoformat()
    about = {"date": today, "machine": describe_machine(), "missed": missed, "measured": record}
    target = (BUILD if arguments.quick or arguments.only else HERE / "results") / f"{today}-short.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(about, indent=1) + "\n")
    print("\n" + ("\n".join(["missed:", *missed]) if missed else "all expectations were met"))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
