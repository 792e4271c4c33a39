"""Write a result as an Excel workbook with one sheet for each of its tables, and notes.

Rows go to disk as they are written, so memory does not grow with the result. The limits of Excel are reported on the
notes sheet: a table of more than 1,048,576 rows continues on a further sheet, and a text of more than 32,767 characters
is cut and counted. Texts are always written as texts, never as formulas or links.
"""

from __future__ import annotations

import json
import math
import tempfile
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import xlsxwriter
from xlsxwriter.exceptions import XlsxFileError

from neardup.errors import OutputError
from neardup.records import Passages, Result
from neardup.report.layout import format_count

MAX_ROWS = 1_048_576
MAX_UNITS = 32_767
"""Characters in a cell. Excel counts UTF-16 units, so an emoji counts as two."""

SHEETS = ("clusters", "documents", "pairs", "memberships", "passages", "occurrences", "boilerplate")
"""The tables of runs in the order of their sheets; each run has some of them."""

WIDTHS = {"excerpt": 80, "added": 60, "removed": 60, "id": 28, "cluster": 28, "a": 28, "b": 28, "evidence": 24}
WIDTHS |= {"first_time": 20, "last_time": 20, "relation": 22, "note": 120}


def write_workbook(result: Result | Passages, path: Path) -> None:
    """Write the workbook to the path."""
    with tempfile.TemporaryDirectory(prefix=".workbook-", dir=path.parent) as folder:
        book = xlsxwriter.Workbook(path, {"constant_memory": True, "tmpdir": folder, "remove_timezone": True})
        book.use_zip64()
        notes = [*_describe_run(result)]
        for name in SHEETS:
            if name not in result.tables:
                continue
            notes += _Sheets(book, name).write(join_lists(result.table(name)))
        _Sheets(book, "notes").write(pa.table({"note": notes}))
        try:
            book.close()
        except XlsxFileError as problem:
            raise OutputError(f"cannot write {path}: {problem}") from None


class _Sheets:
    """Writes one table to as many sheets as it needs."""

    def __init__(self, book: Any, name: str) -> None:
        self.book = book
        self.name = name
        self.bold = book.add_format({"bold": True})
        self.time = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
        self.sheet: Any = None
        self.count = 0
        self.row = 0
        self.cut: Counter[str] = Counter()

    def write(self, table: pa.Table) -> list[str]:
        """Write all rows and return notes on what had to be cut or continued."""
        names = table.column_names
        self._begin(names)
        for row in _rows(table):
            if self.row == MAX_ROWS:
                self._begin(names)
            for column, value in enumerate(row):
                self._write_cell(column, names[column], value)
            self.row += 1
        self._end(len(names))
        return self._describe_limits()

    def _begin(self, names: list[str]) -> None:
        self._end(len(names))
        self.count += 1
        self.sheet = self.book.add_worksheet(self.name if self.count == 1 else f"{self.name} {self.count}")
        self.sheet.freeze_panes(1, 0)
        for column, name in enumerate(names):
            self.sheet.set_column(column, column, WIDTHS.get(name, max(10, len(name) + 2)))
            self.sheet.write_string(0, column, name, self.bold)
        self.row = 1

    def _end(self, columns: int) -> None:
        if self.sheet is not None and self.row > 1:
            self.sheet.autofilter(0, 0, self.row - 1, columns - 1)

    def _write_cell(self, column: int, name: str, value: Any) -> None:
        if isinstance(value, str):
            self._write_text(column, name, value)
        elif isinstance(value, bool):
            self.sheet.write_boolean(self.row, column, value)
        elif isinstance(value, datetime):
            self._write_time(column, value)
        elif isinstance(value, int | float) and math.isfinite(value):
            self.sheet.write_number(self.row, column, value)

    def _write_text(self, column: int, name: str, text: str) -> None:
        fitting = _fit(text)
        if fitting is not text:
            self.cut[name] += 1
        if fitting.startswith("<r>") and fitting.endswith("</r>"):
            # xlsxwriter would treat the text as its own markup; given in parts, it is escaped.
            self.sheet.write_rich_string(self.row, column, fitting[:1], fitting[1:2], fitting[2:])
        elif fitting:
            self.sheet.write_string(self.row, column, fitting)

    def _write_time(self, column: int, time: datetime) -> None:
        if time.year < 1900:  # before the first day of Excel's calendar
            self.sheet.write_string(self.row, column, time.isoformat())
        else:
            self.sheet.write_datetime(self.row, column, time, self.time)

    def _describe_limits(self) -> list[str]:
        notes = [
            f"{self.name}, column {column}: {format_count(count, 'text')} cut to the {MAX_UNITS:,} characters that fit "
            "in a cell of Excel, ending in …"
            for column, count in self.cut.items()
        ]
        if self.count > 1:
            notes.append(
                f"{self.name}: there are more rows than the {MAX_ROWS:,} of a sheet; the table continues on "
                + ", ".join(f"{self.name} {number}" for number in range(2, self.count + 1))
            )
        return notes


def join_lists(table: pa.Table) -> pa.Table:
    """Turn columns of lists into columns of text, one item on each line."""
    for index, field in enumerate(table.schema):
        if pa.types.is_list(field.type):
            items = pc.cast(table[index], pa.list_(pa.string()))
            table = table.set_column(index, field.name, pc.binary_join(items, "\n"))
    return table


def _rows(table: pa.Table) -> Iterator[tuple[Any, ...]]:
    for batch in table.to_batches(max_chunksize=10_000):
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def _fit(text: str) -> str:
    if len(text) <= MAX_UNITS // 2:
        return text
    units = text.encode("utf-16-le")
    if len(units) <= 2 * MAX_UNITS:
        return text
    return units[: 2 * (MAX_UNITS - 1)].decode("utf-16-le", "ignore") + "…"


def _describe_run(result: Result | Passages) -> Iterator[str]:
    summary = result.summary
    yield f"neardup {summary.get('version', '')}, method {summary.get('method', 'unknown')}".replace(" ,", ",")
    for name in ("inputs", "settings", "counts"):
        if summary.get(name):
            yield f"{name}: {json.dumps(summary[name], ensure_ascii=False)}"
    yield from summary.get("notes", ())
