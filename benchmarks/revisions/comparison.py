"""Compares the output of two revisions for one case, file by file.

Files are compared byte for byte. Where the bytes of a table differ, its first differing row is shown. Values that may
differ are left out: durations and versions in `run.json` and `answers.jsonl`, the time at which a workbook was written,
the settings of a database by name. Sentences for people (notes, reasons, warnings, messages)
may be worded differently; this is reported but is not a difference.
"""

from __future__ import annotations

import json
import re
import sqlite3
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from revisions.cases import RENAMED_SETTINGS
from revisions.worker import ANSWERS, ERROR

VARYING = {"seconds", "peak_memory_bytes", "version", "fingerprint", "bytes", "bytes_before", "bytes_after"}
"""Keys whose values differ from run to run or from version to version."""

WORDING = {"notes", "reason", "warnings", "message"}
"""Keys whose values are sentences for people."""

SAME, REWORDED, FAILS_ALIKE, DIFFERENT = "same", "same, other wording", "fails alike", "DIFFERENT"
SHOWN = 200


@dataclass(frozen=True)
class Finding:
    """The outcome of a case, and what differs or how it fails."""

    outcome: str
    detail: str = ""


def compare_folders(old: Path, new: Path) -> Finding:
    """Compare the folders of a case."""
    for side, folder in (("old", old), ("new", new)):
        if not (folder / "done").exists():
            return Finding(DIFFERENT, f"the {side} revision did not finish")
    files = [{path.relative_to(folder) for path in folder.rglob("*") if path.is_file()} for folder in (old, new)]
    failed = [Path(ERROR) in names for names in files]
    if failed[0] != failed[1]:
        side, folder = ("old", old) if failed[0] else ("new", new)
        return Finding(DIFFERENT, f"only the {side} revision fails: {_read_error(folder)}")
    if alone := sorted(files[0] ^ files[1]):
        side = "old" if alone[0] in files[0] else "new"
        return Finding(DIFFERENT, f"only the {side} revision has {alone[0]}")
    reworded = False
    for name in sorted(files[0]):
        found = compare_files(old / name, new / name)
        if found.outcome == DIFFERENT:
            return Finding(DIFFERENT, f"{name}: {found.detail}")
        reworded |= found.outcome == REWORDED
    if failed[0]:
        return Finding(FAILS_ALIKE, _read_error(new))
    return Finding(REWORDED if reworded else SAME)


def _read_error(folder: Path) -> str:
    problem = json.loads((folder / ERROR).read_text())
    return f"{problem['error']}: {problem['message']}"


def compare_files(old: Path, new: Path) -> Finding:
    """Compare two files, first by their bytes, then by their content."""
    if old.read_bytes() == new.read_bytes():
        return Finding(SAME)
    kind = old.name if old.name in COMPARERS else old.suffix
    return COMPARERS.get(kind, compare_text)(old, new)


def compare_json(old: Path, new: Path) -> Finding:
    """Compare two files of one JSON value each."""
    return compare_values(*(json.loads(path.read_text(encoding="utf-8")) for path in (old, new)))


def compare_answers(old: Path, new: Path) -> Finding:
    """Compare two files of JSON lines."""
    return compare_values(_read_lines(old), _read_lines(new))


def compare_tables(old: Path, new: Path) -> Finding:
    """Compare two Parquet files whose bytes differ."""
    return Finding(DIFFERENT, describe_tables(pq.read_table(old), pq.read_table(new)))


def compare_pictures(old: Path, new: Path) -> Finding:
    """Compare two SVG files; captions are wording."""
    first, second = (re.sub(r">[^<]*</text>", "></text>", path.read_text(encoding="utf-8")) for path in (old, new))
    return Finding(REWORDED) if first == second else compare_text(old, new)


def _read_lines(path: Path) -> list[Any]:
    with path.open(encoding="utf-8", errors="surrogateescape") as lines:
        return [json.loads(line) for line in lines]


def compare_values(old: Any, new: Any) -> Finding:
    """Compare two JSON values without the keys that may vary."""
    first, second = (_strip(value, VARYING | WORDING) for value in (old, new))
    for place, detail in _differences(first, second, ""):
        return Finding(DIFFERENT, f"{place}: {detail}")
    same_words = _strip(old, VARYING) == _strip(new, VARYING)
    return Finding(SAME if same_words else REWORDED)


def _strip(value: Any, left_out: set[str]) -> Any:
    """Return a value without some keys, with renamed settings under their newest names."""
    if isinstance(value, dict):
        kept = {RENAMED_SETTINGS.get(key, key): item for key, item in value.items() if key not in left_out}
        return {key: _strip(item, left_out) for key, item in kept.items()}
    return [_strip(item, left_out) for item in value] if isinstance(value, list) else value


def _differences(old: Any, new: Any, path: str) -> Iterator[tuple[str, str]]:
    """Yield the paths at which two values differ, with both values."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys([*old, *new]):
            yield from _differences(old.get(key, "(absent)"), new.get(key, "(absent)"), f"{path}.{key}")
    elif isinstance(old, list) and isinstance(new, list):
        for number, (a, b) in enumerate(zip_longest(old, new, fillvalue="(absent)")):
            yield from _differences(a, b, f"{path}[{number}]")
    elif repr(old) != repr(new):  # compared as text: NaN is not equal to itself, and 1 is equal to 1.0
        yield path, _versus(old, new)


def _versus(old: Any, new: Any) -> str:
    return f"old {repr(old)[:SHOWN]}, new {repr(new)[:SHOWN]}"


def describe_tables(old: pa.Table, new: pa.Table) -> str:
    """Describe how two tables differ: in their columns, or in the first differing row."""
    if not old.schema.equals(new.schema, check_metadata=True):
        if old.schema.equals(new.schema):
            return f"metadata: {_versus(old.schema.metadata, new.schema.metadata)}"
        return f"columns: {_versus(str(old.schema), str(new.schema))}"
    for number in range(min(len(old), len(new))):
        a, b = old.slice(number, 1).to_pylist()[0], new.slice(number, 1).to_pylist()[0]
        for place, detail in _differences(a, b, f"row {number} "):
            return f"{place}: {detail}"
    if len(old) != len(new):
        return f"rows: old {len(old)}, new {len(new)}"
    return "the bytes differ, the tables are equal"


def compare_workbooks(old: Path, new: Path) -> Finding:
    """Compare the parts of two workbooks; the last sheet has notes, and one part has the time of writing."""
    with zipfile.ZipFile(old) as first, zipfile.ZipFile(new) as second:
        if first.namelist() != second.namelist():
            return Finding(DIFFERENT, f"parts: {_versus(first.namelist(), second.namelist())}")
        parts = [name for name in first.namelist() if name != "docProps/core.xml"]
        different = [name for name in parts if first.read(name) != second.read(name)]
        sheets = [name for name in parts if name.startswith("xl/worksheets/sheet")]
    notes = max(sheets, key=lambda name: (len(name), name))
    if any(name != notes for name in different):
        return Finding(DIFFERENT, f"part {next(name for name in different if name != notes)}")
    return Finding(REWORDED if different else SAME)


def compare_databases(old: Path, new: Path) -> Finding:
    """Compare the tables of two SQLite files, except `facts`, which holds the settings by name and the version."""
    first, second = (_read_database(path) for path in (old, new))
    if first.keys() != second.keys():
        return Finding(DIFFERENT, f"tables: {_versus(sorted(first), sorted(second))}")
    for name, rows in first.items():
        for place, detail in _differences(rows, second[name], f"table {name} "):
            return Finding(DIFFERENT, f"{place}: {detail}")
    return Finding(SAME)


def _read_database(path: Path) -> dict[str, list[Any]]:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        select = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('facts') ORDER BY name"
        names = [name for (name,) in database.execute(select)]
        return {name: [list(row) for row in database.execute(f'SELECT * FROM "{name}"')] for name in names}


def compare_text(old: Path, new: Path) -> Finding:
    """Compare two files whose bytes differ line by line."""
    lines = zip_longest(old.read_bytes().splitlines(), new.read_bytes().splitlines(), fillvalue=b"(absent)")
    for number, (a, b) in enumerate(lines, 1):
        if a != b:
            return Finding(DIFFERENT, f"line {number}: {_versus(a, b)}")
    return Finding(DIFFERENT, "line ends")


COMPARERS: dict[str, Callable[[Path, Path], Finding]] = {
    "run.json": compare_json,
    ERROR: compare_json,
    ANSWERS: compare_answers,
    ".parquet": compare_tables,
    ".lexicon": compare_tables,
    ".xlsx": compare_workbooks,
    ".db": compare_databases,
    ".svg": compare_pictures,
}
"""What compares two files whose bytes differ, by name or by suffix; others are compared line by line."""
