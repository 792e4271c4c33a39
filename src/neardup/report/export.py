"""The tables of a result as CSV or JSON lines, each file all or nothing.

CSV holds the data as they are: a text that begins with = or @ is not altered, so open CSV of unknown origin as text, or
export a workbook, whose cells are never formulas. An empty text is "" and an unknown value is nothing at all.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pcsv

from neardup.errors import OutputError
from neardup.records import TABLES, Result
from neardup.report.workbook import write_workbook

Target = str | os.PathLike[str]

# Some readers take these for line ends, inside a JSON string too.
_LINE_ENDS = str.maketrans({mark: f"\\u{ord(mark):04x}" for mark in "\x85\u2028\u2029"})


def write_csv(result: Result, target: Target) -> tuple[Path, ...]:
    """Write the documents as CSV; into a folder, the clusters and the pairs beside them. Return the files."""
    if not _is_folder(target):
        return _write(target, lambda path: _write_csv_table(result.documents, path))
    files = {name: Path(target) / f"{name}.csv" for name in TABLES}
    with contextlib.ExitStack() as stack:
        for name, path in [(name, stack.enter_context(replacing(file))) for name, file in files.items()]:
            _write_csv_table(result.table(name), path)
    return tuple(files.values())


def write_jsonl(result: Result, target: Target) -> tuple[Path, ...]:
    """Write one JSON object per document and line, with the columns of the documents table. Return the file."""
    return _write(target, lambda path: write_json_lines(result.documents, path))


def write_xlsx(result: Result, target: Target) -> tuple[Path, ...]:
    """Write a workbook with the clusters, the documents, the pairs and notes on the run. Return the file."""
    return _write(target, lambda path: write_workbook(result, path))


WRITERS: dict[str, Callable[[Result, Target], tuple[Path, ...]]] = {
    ".csv": write_csv,
    ".jsonl": write_jsonl,
    ".ndjson": write_jsonl,
    ".xlsx": write_xlsx,
}


def write_export(result: Result, target: Target) -> tuple[Path, ...]:
    """Write the format that the name of the target asks for, CSV files into a folder, and return the files."""
    return check_export(target)(result, target)


def check_export(target: Target) -> Callable[[Result, Target], tuple[Path, ...]]:
    """Return the writer for the target, or say at once, before the work is done, that there is none."""
    if _is_folder(target):
        return write_csv
    writer = WRITERS.get(Path(target).suffix.lower())
    if writer is None:
        raise OutputError(f"cannot tell the format of {target}: name it .csv, .jsonl or .xlsx, or name a folder")
    return writer


def _is_folder(target: Target) -> bool:
    path = Path(target)
    return path.is_dir() or os.fspath(target).endswith(os.sep) or not (path.suffix or path.exists())


def _write(target: Target, write: Callable[[Path], None]) -> tuple[Path, ...]:
    with replacing(Path(target)) as path:
        write(path)
    return (Path(target),)


def _write_csv_table(table: pa.Table, path: Path) -> None:
    pcsv.write_csv(table, path, pcsv.WriteOptions(quoting_style="needed"))


def write_json_lines(table: pa.Table, path: Path) -> None:
    """Write one JSON object per row and line."""
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        for batch in table.to_batches(max_chunksize=10_000):
            for row in batch.to_pylist():
                stream.write(json.dumps(row, ensure_ascii=False, default=str).translate(_LINE_ENDS) + "\n")


@contextlib.contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Give a path beside the target to write to, and put it in the target's place at the end, or remove it."""
    made = None
    try:
        if target.is_dir():
            raise IsADirectoryError(21, "it is a folder")
        if target.exists() and not target.is_file():
            yield target  # a pipe or a device cannot be replaced, only written to
            return
        target = target.resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        made = target.with_name(f".{target.name[:100]}-{secrets.token_hex(4)}")
        yield made
        made.replace(target)
    except OSError as problem:
        raise OutputError(f"cannot write {target}: {problem.strerror or problem}") from None
    finally:
        if made is not None:
            with contextlib.suppress(OSError):
                made.unlink()
