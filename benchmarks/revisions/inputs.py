"""The inputs of the cases: the examples, the examples in other formats, and files made from real corpora.

Inputs are made once; both sides read them through the same paths.
"""

from __future__ import annotations

import csv
import gzip
import html
import json
import shutil
import tarfile
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import feather

from revisions.checkouts import ROOT

CORPORA = {
    "public_comments_epa": "docs",
    "public_comments_iceb2015": "docs",
    "reuters21578": "docs",
    "newsgroups_comp": "docs",
    "emails_clinton": "docs",
    "licence_notices_scancode": "docs",
    "html_postgresql_versions": "pages",
    "html_boost_versions": "pages",
    "sms_uci_spam": "docs",
    "titles_thucnews_zh": "docs",
}
"""Corpora of the data folder that are used in full, with the names of their files."""

PAIR_SETS = ("pairs_mrpc", "pairs_quora", "pairs_lcqmc_zh")
"""Labelled pair sets of the data folder; both texts of each pair become documents."""

CLASSES = '[weights]\nnumeral = [0.7, 1.0]\n\n[words]\nparticle = ["lah", "lor"]\n'
DOCKETS = 'patterns = ["File No\\\\. (S7-\\\\d+-\\\\d+)"]\n[aliases]\nUSENV = "ENV"\n'
Row = dict[str, str]


def prepare_inputs(folder: Path, data: Path | None) -> None:
    """Fill the folder that the cases read."""
    folder.mkdir(parents=True)
    (folder / "examples").symlink_to(ROOT / "examples")
    docket = read_csv(ROOT / "examples" / "docket.csv")
    write_formats(folder / "formats", docket)
    write_constraints(folder / "constraints.csv", read_csv(ROOT / "examples" / "gold.csv"))
    (folder / "classes.toml").write_text(CLASSES)
    (folder / "dockets.toml").write_text(DOCKETS)
    if data is not None:
        (folder / "data").symlink_to(data.resolve())
        for name in PAIR_SETS:
            write_pair_set(folder, name, data / name / "pairs.jsonl.gz")


def read_csv(path: Path) -> list[Row]:
    """Return the rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def write_csv(path: Path, rows: list[Row], delimiter: str = ",") -> None:
    """Write rows with a header."""
    with path.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.DictWriter(lines, list(rows[0]), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)


def write_formats(folder: Path, rows: list[Row]) -> None:
    """Write the same documents in every format that needs no optional package, compressed and packed as well."""
    folder.mkdir()
    write_csv(folder / "docket.tsv", rows, "\t")
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "docket.jsonl").write_text(lines)
    (folder / "docket_rows.json").write_text(json.dumps(rows, indent=1))
    table = pa.Table.from_pylist(rows)
    pq.write_table(table, folder / "docket.parquet")
    feather.write_feather(table, folder / "docket.feather")
    with gzip.GzipFile(folder / "docket.jsonl.gz", "wb", mtime=0) as stream:
        stream.write(lines.encode())
    write_pages(folder / "pages", rows)
    with zipfile.ZipFile(folder / "letters.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted((ROOT / "examples" / "letters").iterdir()):
            archive.write(path, path.name)
    with tarfile.open(folder / "pages.tar.gz", "w:gz") as archive:
        archive.add(folder / "pages", "pages")


def write_pages(folder: Path, rows: list[Row]) -> None:
    """Write some documents as web pages with navigation and footer."""
    folder.mkdir()
    for row in rows[:40]:
        body = html.escape(row["Comment"]).replace("\n\n", "</p><p>")
        page = f"<nav>Home Up Next</nav><p>{body}</p><div class='navfooter'>{row['Document ID']}</div>"
        (folder / f"{row['Document ID']}.html").write_text(f"<!DOCTYPE html><html><body>{page}</body></html>")


def write_constraints(path: Path, gold: list[Row]) -> None:
    """Write constraints of each kind, some of which contradict the gold, and one that names unknown documents."""
    kinds = ("must", "cannot", "family")
    rows = [{"a": gold[n]["id"], "b": gold[n * 7 % 290]["id"], "kind": kinds[n % 3]} for n in range(3, 90, 3)]
    rows += [{"a": gold[n]["id"], "b": gold[n + 1]["id"], "kind": kinds[n % 3]} for n in range(100, 140, 2)]
    write_csv(path, [*rows, {"a": "nowhere", "b": gold[0]["id"], "kind": "must"}])


def write_pair_set(folder: Path, name: str, source: Path) -> None:
    """Write the texts of labelled pairs as documents, and the pairs that are labelled as duplicates."""
    with gzip.open(source, "rt", encoding="utf-8") as lines:
        pairs = [json.loads(line) for line in lines]
    documents = [{"id": f"{pair['id']}{side}", "text": pair[side]} for pair in pairs for side in "ab"]
    (folder / f"{name}.jsonl").write_text("".join(json.dumps(document) + "\n" for document in documents))
    gold = [{"a": f"{pair['id']}a", "b": f"{pair['id']}b"} for pair in pairs if int(pair["label"]) == 1]
    write_csv(folder / f"{name}.csv", gold)


def clear(folder: Path) -> None:
    """Remove a folder of an earlier comparison."""
    if folder.exists():
        shutil.rmtree(folder)
