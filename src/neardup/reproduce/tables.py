"""Tables of a report, and the functions that turn measurements into their cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

from neardup.report.layout import format_share

Row = dict[str, Any]
"""One row of measurements. Every experiment has columns of its own, of strings and numbers."""

MISSING = "-"


@dataclass(frozen=True, slots=True)
class Table:
    """A table as readers see it: title, a note on its numbers, headings and cells."""

    title: str
    note: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def to_markdown(self) -> Iterator[str]:
        """Yield the lines of the table under its heading."""
        yield from ("", f"## {self.title}", "", self.note)
        if self.rows:
            yield from ("", _join(self.headings), _join(["---"] * len(self.headings)), *map(_join, self.rows))


def _join(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(0xFF5C)) for cell in cells)} |"


class Measurements(dict[str, list[Row]]):
    """The rows of every experiment by its name; each is written to a CSV file of that name."""

    def rows(self, name: str, **wanted: object) -> list[Row]:
        """Return the rows of an experiment that have these values."""
        return select(self[name], **wanted)


def select(rows: Iterable[Row], **wanted: object) -> list[Row]:
    """Return the rows that have these values."""
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def distinct(rows: Iterable[Row], column: str) -> list[Any]:
    """Return the values of a column, each once, in order of first appearance."""
    return list(dict.fromkeys(row[column] for row in rows))


def group_rows(rows: Iterable[Row], *columns: str) -> dict[tuple[Any, ...], list[Row]]:
    """Group rows by the values of these columns, in order of first appearance."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[column] for column in columns), []).append(row)
    return groups


def add_paper_columns(names: Iterable[str]) -> tuple[str, ...]:
    """Return headings of which each is followed by that of the published number."""
    return tuple(name + source for name in names for source in ("", " (paper)"))


def add_published(ours: str, published: str | None) -> str:
    """Return our number, followed by the published one in brackets where there is one."""
    return ours if published is None else f"{ours} ({published})"


def format_measure(value: float | None, digits: int = 2) -> str:
    """Return a measure between 0 and 1, a dash if it is undefined; what is below 1 is not rounded up to 1."""
    return format_share(value, digits)


def format_percent(value: float | None, digits: int = 1) -> str:
    """Return a share as a percentage, a dash if it is undefined."""
    return MISSING if value is None or isnan(value) else f"{value:.{digits}%}"
