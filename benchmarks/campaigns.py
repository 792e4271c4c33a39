"""Measure `durian` on generated dockets of modern campaigns and on real ones.

    python benchmarks/campaigns.py make FOLDER --letters FILE        # generate the dockets that are not there yet
    python benchmarks/campaigns.py measure FOLDER                    # scores of the installed neardup on them
    python benchmarks/campaigns.py measure FOLDER --baseline         # and of a TF-IDF star at cosine 0.5
    python benchmarks/campaigns.py check FILE --print 20 --weakest 2 # letters left alone, weakest members

`measure` imports neardup and reads dockets only, so that another version (`PYTHONPATH`) is measured on the same files.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import neardup
from campaign_scores import Scores, score
from left_alone import find_left_alone

KINDS: dict[str, dict[str, Any]] = {
    "paper": {"style": "paper"},
    "personal": {"style": "personal"},
    "menu": {"style": "menu"},
    "joined": {"style": "joined"},
    "quotation": {"style": "quotation"},
    "noisy": {"style": "noisy"},
    "noisy-personal": {"style": "personal", "mix": {"noisy": 1.0}},
    "looks": {"style": "looks"},
    "portal": {"style": "portal"},
    "foreign": {"style": "foreign"},
    "synonyms-10": {"style": "synonyms", "rewriting": 0.1},
    "synonyms-20": {"style": "synonyms", "rewriting": 0.2},
    "synonyms-30": {"style": "synonyms", "rewriting": 0.3},
    "rewritten-10": {"style": "rewritten", "rewriting": 0.1},
    "rewritten-20": {"style": "rewritten", "rewriting": 0.2},
    "rewritten-30": {"style": "rewritten", "rewriting": 0.3},
    "empty": {"style": "empty"},
    "modern": {"style": "modern"},
}
"""The settings of each kind of docket."""

BASELINE_LETTERS = 8_000
COSINE = 0.5


def main() -> None:
    """Run the command."""
    arguments = parse_arguments()
    {"make": make, "measure": measure, "check": check}[arguments.command](arguments)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("make", "measure"):
        command = commands.add_parser(name)
        command.add_argument("folder", type=Path)
        command.add_argument("--kinds", nargs="+", default=list(KINDS), choices=KINDS)
        command.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3])
        command.add_argument("--sizes", nargs="+", type=int, default=[600, 6000])
        if name == "make":
            command.add_argument("--letters", nargs="+", type=Path, required=True, help="real letters")
        else:
            command.add_argument("--baseline", action="store_true", help="measure a TF-IDF star as well")
            command.add_argument("--check", action="store_true", help="count the letters left alone wrongly as well")
            command.add_argument("--output", type=Path, help="a file to write the numbers to, as JSON lines")
    command = commands.add_parser("check")
    command.add_argument("file", type=Path)
    command.add_argument("--text", default=None, help="the column of the text")
    command.add_argument("--id", default=None, help="the column of the id")
    command.add_argument("--print", type=int, default=0, metavar="N", help="print N letters left alone")
    command.add_argument("--weakest", type=int, default=0, metavar="N", help="print the N weakest members of clusters")
    command.add_argument("--clusters", type=int, default=20, metavar="N", help="the number of clusters to print")
    return parser.parse_args()


def make(arguments: argparse.Namespace) -> None:
    """Generate dockets; those that exist are kept."""
    from neardup.reproduce.corpora import docket  # noqa: PLC0415 - only this command needs the generator
    from neardup.reproduce.inputs import list_texts  # noqa: PLC0415

    source = docket.read_source(filter(None, list_texts(neardup.read(arguments.letters))))
    for kind, size, seed, folder in list_dockets(arguments):
        if not (folder / "gold.csv").exists():
            settings = docket.DocketSettings(seed, size, **KINDS[kind])
            docket.write_docket(docket.LetterWriter(source, settings), folder, form="jsonl")
            print(folder, flush=True)


def list_dockets(arguments: argparse.Namespace) -> Iterator[tuple[str, int, int, Path]]:
    for size in arguments.sizes:
        for kind in arguments.kinds:
            for seed in arguments.seeds:
                yield kind, size, seed, arguments.folder / f"{kind}-{size}-{seed}"


def measure(arguments: argparse.Namespace) -> None:
    """Print the scores of each kind and size, averaged over the seeds."""
    print(neardup.__file__, file=sys.stderr)
    names = Scores.names()
    print(
        f"{'docket':<26}{'seeds':>6}" + "".join(f"{name:>16}" for name in names) + f"{'left_alone':>12}{'seconds':>9}"
    )
    rows: dict[str, list[dict[str, float]]] = {}
    for kind, size, seed, folder in list_dockets(arguments):
        for method in ("durian", *(["tfidf"] if arguments.baseline and size <= BASELINE_LETTERS else [])):
            numbers = measure_docket(folder, method, check=arguments.check)
            rows.setdefault(f"{kind}-{size}" + ("" if method == "durian" else " tfidf"), []).append(numbers)
            if arguments.output:
                with arguments.output.open("a") as stream:
                    stream.write(json.dumps({"docket": folder.name, "method": method, **numbers}) + "\n")
        if seed == arguments.seeds[-1]:
            for name, several in rows.items():
                print_row(name, several)
            rows.clear()


def measure_docket(folder: Path, method: str, *, check: bool) -> dict[str, float]:
    """Run a method on a docket and return its scores."""
    with (folder / "gold.csv").open(encoding="utf-8", newline="") as stream:
        gold = list(csv.DictReader(stream))
    start = time.perf_counter()
    found = run_durian(folder / "docket.jsonl") if method == "durian" else run_star(folder / "docket.jsonl")
    seconds = time.perf_counter() - start
    scores = score(gold, found)
    numbers = {name: getattr(scores, name) for name in Scores.names()}
    if check:
        texts, ids = read_texts(folder / "docket.jsonl", "Comment", "Document ID")
        left, _ = find_left_alone(texts, [found[name]["cluster"] for name in ids])
        numbers["left_alone"] = len(left) / len(texts)
    return numbers | {"seconds": seconds}


def print_row(name: str, numbers: list[dict[str, float]]) -> None:
    cells = []
    for score_name in [*Scores.names(), "left_alone"]:
        values = [one[score_name] for one in numbers if score_name in one and one[score_name] == one[score_name]]
        width = 12 if score_name == "left_alone" else 16
        cells.append(f"{sum(values) / len(values):>{width}.4f}" if values else f"{'-':>{width}}")
    seconds = sum(one["seconds"] for one in numbers) / len(numbers)
    print(f"{name:<26}{len(numbers):>6}" + "".join(cells) + f"{seconds:>9.1f}", flush=True)


def run_durian(path: Path) -> dict[str, Mapping[str, str]]:
    """Return the documents of a run by id."""
    result = neardup.find(path, method="durian", text="Comment", id="Document ID", time="Received Date")
    columns = result.documents.select(["id", "cluster", "relation", "added"])
    return {row["id"]: row for row in columns.to_pylist()}


def run_star(path: Path) -> dict[str, Mapping[str, str]]:
    """Cluster by TF-IDF: the letter with most neighbours at the cosine takes those that are free, and so on."""
    from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415 - only the baseline needs it

    texts, ids = read_texts(path, "Comment", "Document ID")
    vectors = TfidfVectorizer(sublinear_tf=True, min_df=2).fit_transform(texts)
    near = (vectors @ vectors.T) >= COSINE
    degrees = near.sum(axis=1).A1
    cluster: dict[int, int] = {}
    for centre in sorted(range(len(texts)), key=lambda index: (-degrees[index], index)):
        if centre not in cluster:
            neighbours = near.indices[near.indptr[centre] : near.indptr[centre + 1]].tolist()
            cluster |= {index: centre for index in (centre, *neighbours) if index not in cluster}
    return {name: {"cluster": str(cluster[i]), "relation": "", "added": ""} for i, name in enumerate(ids)}


def read_texts(path: Path, text: str | None, name: str | None) -> tuple[list[str], list[str]]:
    """Read the texts and ids of a file of JSON lines."""
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as stream:
        rows = [json.loads(line) for line in stream]
    return [str(row[text or "text"] or "") for row in rows], [str(row[name or "id"]) for row in rows]


def check(arguments: argparse.Namespace) -> None:
    """Run `durian` on a docket, count the letters left alone wrongly, and print texts to read."""
    texts, ids = read_texts(arguments.file, arguments.text, arguments.id)
    start = time.perf_counter()
    result = neardup.find(arguments.file, method="durian", text=arguments.text, id=arguments.id)
    documents = result.documents
    seconds = time.perf_counter() - start
    labels = documents["cluster"].to_pylist()
    left, enough = find_left_alone(texts, labels)
    sizes = Counter(labels)
    placed = sum(sizes[label] > 1 for label in labels)
    print(
        f"{neardup.__file__}: {len(texts):,} letters, {placed:,} in {len(result.clusters):,} clusters, {seconds:.1f} s"
    )
    print(
        f"{enough:,} letters share enough text, {len(left):,} of them left alone ({len(left) / len(texts):.2%} of all)"
    )
    for one in left[: arguments.print]:
        print(f"\n=== {ids[one.index]}: {one.shared} of {one.words} words shared\n{texts[one.index]}")
    if arguments.weakest:
        print_weakest(documents.to_pylist(), dict(zip(ids, texts, strict=True)), arguments)


def print_weakest(rows: list[dict[str, Any]], texts: Mapping[str, str], arguments: argparse.Namespace) -> None:
    """Print the members with the least similarity to their reference, cluster by cluster, the largest first."""
    sizes = Counter(row["cluster"] for row in rows)
    for cluster, size in sizes.most_common(arguments.clusters):
        members = [row for row in rows if row["cluster"] == cluster and not row["reference"]]
        members.sort(key=lambda row: (row["similarity"] if row["similarity"] is not None else 0.0, row["id"]))
        if not members:
            continue
        print(f"\n######## cluster {cluster} of {size}\n{texts.get(cluster, '')}")
        for row in members[: arguments.weakest]:
            print(f"\n--- {row['id']} {row['relation']} similarity {row['similarity']}\n{texts[row['id']]}")


if __name__ == "__main__":
    main()
