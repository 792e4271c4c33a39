"""Run the benchmarks: `python benchmarks/run.py [--corpora DIR] [--quick] [--only NAME]`.

`definitions/*.toml` defines what is measured and the expected answers, so that a fast wrong answer fails. Contenders
run one after the other, each in its own process: it is imported and given the texts before the clock starts, and then
runs three times. The best time and the highest peak count. The table is printed; the record, with date and machine, and
the plots go to `results/`, or to the build folder if only a part was run. The exit code is 1 if an expectation was
missed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

import numpy as np

import corpora
import plots
from oracle import Truth, solve
from peers import PEERS, SETTINGS
from quality import compare_clusters, compare_pairs

HERE = Path(__file__).parent
ROUNDS = 3
LONG_SECONDS = 60  # a contender that takes longer is measured once
TIMEOUT_SECONDS = 1800
PACKAGES = ("neardup", "datasketch", "gaoya", "rensa", "text-dedup", "numpy", "pyarrow")
Row = dict[str, Any]


def load_definitions() -> dict[str, dict[str, Any]]:
    """Read all definitions, by name."""
    files = ("collection", "growth", "adversarial")
    return {
        name: benchmark
        for file in files
        for name, benchmark in tomllib.loads((HERE / "definitions" / f"{file}.toml").read_text()).items()
    }


def find_truth(benchmark: dict[str, Any], corpus: Path) -> Truth | None:
    """Return the exact answer if the oracle is to find it; it is stored next to the corpus."""
    if benchmark["truth"] != "oracle":
        return None
    method = hashlib.sha256((HERE / "oracle.py").read_bytes()).hexdigest()[:8]
    path = corpus.with_suffix(f".{method}.npz")
    if not path.exists():
        print("computing the exact answer (only once) ...", flush=True)
        solve(corpora.load(corpus)["text"].to_pylist(), str(SETTINGS["threshold"]), SETTINGS["shingle"]).save(path)
    return Truth.load(path)


def run_contender(request: dict[str, Any]) -> tuple[Row, dict[str, np.ndarray]]:
    """Measure a contender in a new process; return the measurements and its answer."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "request.json"
        path.write_text(json.dumps(request))
        command = [sys.executable, str(HERE / "measure.py"), str(path)]
        try:
            done = subprocess.run(command, capture_output=True, timeout=TIMEOUT_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return {"failed": f"not finished after {TIMEOUT_SECONDS} s"}, {}
        answer = path.with_suffix(".measured.json")
        if not answer.exists():
            return {"failed": f"exit code {done.returncode}"}, {}
        measured = json.loads(answer.read_text())
        if "failed" in measured:
            return measured, {}
        with np.load(path.with_suffix(".npz")) as arrays:
            return measured, dict(arrays)


def measure_size(name: str, benchmark: dict[str, Any], size: int, pool: corpora.Pool, rounds: int) -> Iterator[Row]:
    """Measure every contender on the corpus at one size."""
    corpus = corpora.prepare(benchmark["corpus"], size, pool)
    table, truth = corpora.load(corpus), find_truth(benchmark, corpus)
    expected = truth.labels if truth else table["label"].to_numpy()
    text_bytes = sum(chunk.buffers()[2].size for chunk in table["text"].chunks)
    about = {"benchmark": name, "documents": len(table), "text_bytes": text_bytes}
    contenders = [item for item in benchmark["contenders"] if size <= benchmark.get("largest", {}).get(item, size)]
    rows: dict[str, Row] = {item: {**about, "contender": item, "seconds": []} for item in contenders}
    for contender, row in rows.items():
        show_status(f"{name} {size:,}: {contender}")
        request = {"corpus": str(corpus), "contender": contender, "settings": benchmark.get("settings", {})}
        options = {"rounds": rounds, "long_seconds": LONG_SECONDS, "pairs": truth is not None}
        measured, answer = run_contender(request | options)
        row.update(measured)
        if "failed" in measured:
            continue
        row.update(compare_clusters(answer["labels"], expected))
        if "pairs" in answer and truth:
            row.update(compare_pairs(answer["pairs"], answer["similarities"], truth))
    show_status("")
    yield from rows.values()


def show_status(progress: str) -> None:
    """Show the current step on a terminal, replacing the previous one."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{progress}", end="", file=sys.stderr, flush=True)


def add_ratios(rows: list[Row]) -> None:
    """Add derived values: documents per second, the ratio to the fastest peer and to gaoya, and growth."""
    done = [row for row in rows if row["seconds"]]
    for row in done:
        row["best_seconds"] = min(row["seconds"])
        row["documents_per_second"] = row["documents"] / row["best_seconds"]
        row["peak_megabytes"] = row["peak_bytes"] / 1e6
        row["memory_times_text"] = row["peak_bytes"] / row["text_bytes"]
    for row in done:
        same = [other for other in done if other["documents"] == row["documents"] and other["contender"] in PEERS]
        if same:
            row["times_fastest_peer"] = row["documents_per_second"] / max(peer["documents_per_second"] for peer in same)
        for peer in same:
            if peer["contender"] in ("gaoya", "gaoya-loop"):
                row[f"times_{peer['contender']}"] = row["documents_per_second"] / peer["documents_per_second"]
        for other in done:
            if other["contender"] == row["contender"] and other["documents"] * 10 == row["documents"]:
                row["tenfold"] = row["best_seconds"] / other["best_seconds"]


AT_MOST = {"best_seconds", "peak_megabytes", "memory_times_text", "tenfold"}
ONLY_WITH_CORPORA = {"times_fastest_peer", "memory_times_text"}


def find_misses(row: Row, benchmark: dict[str, Any], lenient: set[str]) -> Iterator[str]:
    """Yield the expectations that a row did not meet."""
    name = f"{row['benchmark']} {row['documents']}: {row['contender']}"
    expect = benchmark.get("expect", {})
    bounds = expect.get("every", {}) | expect.get(row["contender"], {})
    if bounds and not row["seconds"]:
        yield f"{name} {row.get('failed', 'was not run')}"
        return
    for measure, bound in bounds.items():
        if measure in lenient or measure not in row:
            continue
        value = row[measure]
        if value > bound if measure in AT_MOST else value < bound:
            yield f"{name}: {measure} is {value:.5g}, expected at {'most' if measure in AT_MOST else 'least'} {bound}"
    if row.get("similarity_error", 0) > 1e-9:
        yield f"{name}: a similarity is wrong by {row['similarity_error']:.2g}"


COLUMNS = {
    "documents": ("documents", "{:,}"),
    "seconds": ("best_seconds", "{:.3f}"),
    "docs/s": ("documents_per_second", "{:,.0f}"),
    "x peer": ("times_fastest_peer", "{:.1f}"),
    "x bulk": ("times_gaoya", "{:.1f}"),
    "x loop": ("times_gaoya-loop", "{:.1f}"),
    "peak MB": ("peak_megabytes", "{:,.0f}"),
    "x text": ("memory_times_text", "{:.1f}"),
    "pairs P": ("pair_precision", "{:.4f}"),
    "pairs R": ("pair_recall", "{:.4f}"),
    "P": ("precision", "{:.4f}"),
    "R": ("recall", "{:.4f}"),
    "clusters": ("clusters", "{:,}"),
}


def print_table(name: str, rows: list[Row]) -> None:
    """Print the rows of one benchmark as a table."""
    print(f"\n{name:22}", *(f"{heading:>10}" for heading in COLUMNS), sep="")
    for row in rows:
        cells = (pattern.format(row[key]) if key in row else "-" for key, pattern in COLUMNS.values())
        print(f"{row['contender']:22}", *(f"{cell:>10}" for cell in cells), "  ", row.get("failed", ""), sep="")
    sys.stdout.flush()


def describe_machine() -> dict[str, Any]:
    """Return the hardware and software that the numbers depend on."""
    cpu = Path("/proc/cpuinfo")
    models = re.findall(r"model name\s*: (.*)", cpu.read_text()) if cpu.exists() else []
    installed = {distribution.name.lower(): distribution.version for distribution in distributions()}
    return {
        "processor": models[0] if models else platform.machine(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "versions": {package: installed.get(package, "not installed") for package in PACKAGES},
    }


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpora", type=Path, help="folder of real corpora; by default the project's examples")
    parser.add_argument("--quick", action="store_true", help="one round, small sizes")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="run only these benchmarks")
    parser.add_argument("--contenders", nargs="+", metavar="NAME", help="run only these contenders")
    parser.add_argument("--output", type=Path, help="folder for the record and the plots")
    arguments = parser.parse_args()
    whole = not (arguments.quick or arguments.only or arguments.contenders)
    arguments.output = arguments.output or (HERE / "results" if whole else corpora.BUILD)
    return arguments


def main() -> int:
    """Run the benchmarks, print and record the results, and draw the plots."""
    arguments = parse_arguments()
    pool = corpora.load_pool(arguments.corpora)
    print(f"pool: {pool.name}, {len(pool.texts):,} texts; {os.cpu_count()} cores", flush=True)
    lenient = set() if arguments.corpora and not arguments.quick else ONLY_WITH_CORPORA
    record: list[Row] = []
    misses: list[str] = []
    for name, benchmark in load_definitions().items():
        if arguments.only and name not in arguments.only:
            continue
        chosen = arguments.contenders or benchmark["contenders"]
        benchmark["contenders"] = [item for item in benchmark["contenders"] if item in chosen]
        sizes = benchmark.get("quick_sizes", benchmark["sizes"]) if arguments.quick else benchmark["sizes"]
        rounds = 1 if arguments.quick else ROUNDS
        rows = [row for size in sizes for row in measure_size(name, benchmark, size, pool, rounds)]
        add_ratios(rows)
        print_table(name, rows)
        misses += [miss for row in rows for miss in find_misses(row, benchmark, lenient)]
        record += rows
    save(arguments.output, pool.name, record, misses)
    print("\n" + ("\n".join(["missed:", *misses]) if misses else "all expectations were met"))
    return 1 if misses else 0


def save(folder: Path, pool: str, record: list[Row], misses: list[str]) -> None:
    """Write the record and the plots."""
    today = datetime.now(UTC).date().isoformat()
    about = {"date": today, "pool": pool, "machine": describe_machine(), "missed": misses, "measured": record}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{today}-{pool}.json").write_text(json.dumps(about, indent=1) + "\n")
    plots.draw(record, folder)


if __name__ == "__main__":
    sys.exit(main())
