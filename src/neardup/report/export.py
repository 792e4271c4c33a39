"""Export the tables of a result as CSV, JSON lines or a workbook; a file is replaced only once it is complete.

CSV contains the data unchanged, also a text that begins with = or @. Open CSV of unknown origin as text, or export a
workbook, whose cells are never formulas. In CSV an empty text is written as "" and an unknown value as nothing.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pcsv

from neardup.errors import OutputError
from neardup.outputs import check_file, check_inside, replacing
from neardup.records import OPTIONAL_TABLES, PASSAGE_TABLES, TABLES, Passages, Result
from neardup.report.workbook import join_lists, write_workbook

Target = str | os.PathLike[str]

# Some readers treat these as line ends even inside a JSON string.
_LINE_ENDS = str.maketrans({mark: f"\\u{ord(mark):04x}" for mark in "\x85\u2028\u2029"})


Exported = Result | Passages
"""What can be exported: the clusters of a run, or its passages."""


def write_csv(result: Exported, target: Target) -> tuple[Path, ...]:
    """Write the documents or passages as CSV, or all tables if the target is a folder, and return the paths.

    Where clusters overlap, the memberships are a separate file: documents.csv and documents.memberships.csv. The
    occurrences of passages are a separate file likewise.
    """
    if not _is_folder(target):
        return _write_main(result, Path(target), _write_csv_table)
    main = PASSAGE_TABLES if isinstance(result, Passages) else TABLES
    files = {name: Path(target) / f"{name}.csv" for name in dict.fromkeys((*main, *_list_optional(result)))}
    return _write_tables(result, files, _write_csv_table)


def write_jsonl(result: Exported, target: Target) -> tuple[Path, ...]:
    """Write one JSON object per line: the documents or passages, and what belongs to them; return the paths."""
    return _write_main(result, Path(target), write_json_lines)


def write_xlsx(result: Exported, target: Target) -> tuple[Path, ...]:
    """Write a workbook with the tables of the run and notes on it, and return the path."""
    with replacing(target) as path:
        write_workbook(result, path)
    return (Path(target),)


def _write_main(result: Exported, target: Path, write: Callable[[pa.Table, Path], None]) -> tuple[Path, ...]:
    files = {"passages" if isinstance(result, Passages) else "documents": target}
    if not target.exists() or target.is_file():  # not next to a pipe or a device
        files |= {name: target.with_suffix(f".{name}{target.suffix}") for name in _list_optional(result)}
    return _write_tables(result, files, write)


def _write_tables(
    result: Exported, files: dict[str, Path], write: Callable[[pa.Table, Path], None]
) -> tuple[Path, ...]:
    """Write all tables to temporary files, then move them to their targets."""
    with contextlib.ExitStack() as stack:
        for name, path in [(name, stack.enter_context(replacing(file))) for name, file in files.items()]:
            write(result.table(name), path)
    return tuple(files.values())


def _list_optional(result: Exported) -> tuple[str, ...]:
    if isinstance(result, Passages):
        return ("occurrences", *(["boilerplate"] if result.boilerplate.num_rows else []))
    return tuple(name for name in OPTIONAL_TABLES if name in result.tables)


WRITERS: dict[str, Callable[[Exported, Target], tuple[Path, ...]]] = {
    ".csv": write_csv,
    ".jsonl": write_jsonl,
    ".ndjson": write_jsonl,
    ".xlsx": write_xlsx,
}


def write_export(result: Exported, target: Target) -> tuple[Path, ...]:
    """Write the format given by the target's suffix, or CSV files if it is a folder, and return the paths."""
    return check_export(target)(result, target)


def check_export(target: Target) -> Callable[[Exported, Target], tuple[Path, ...]]:
    """Return the writer for the target, or raise before any work is done if nothing can be written there."""
    if _is_folder(target):
        folder = check_inside(target, "the export")
        for name in TABLES:
            check_file(folder / f"{name}.csv")
        return write_csv
    writer = WRITERS.get(Path(target).suffix.lower())
    if writer is None:
        raise OutputError(f"unknown output format of {target}: use the suffix .csv, .jsonl or .xlsx, or name a folder")
    check_file(target)
    return writer


def _is_folder(target: Target) -> bool:
    path = Path(target)
    return path.is_dir() or os.fspath(target).endswith(os.sep) or not (path.suffix or path.exists())


def _write_csv_table(table: pa.Table, path: Path) -> None:
    pcsv.write_csv(join_lists(table), path, pcsv.WriteOptions(quoting_style="needed"))


def write_json_lines(table: pa.Table, path: Path) -> None:
    """Write each row as a JSON object on one line."""
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        for batch in table.to_batches(max_chunksize=10_000):
            for row in batch.to_pylist():
                stream.write(json.dumps(row, ensure_ascii=False, default=str).translate(_LINE_ENDS) + "\n")
