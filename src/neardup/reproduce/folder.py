"""What every reproduction is written as: tables for people, CSV files, plots, and a report that holds them together."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from io import StringIO
from math import isnan
from pathlib import Path
from typing import Any

from neardup.outputs import check_folder, check_inside, explained

REPORT = "report.md"
FORMS = ("png", "svg")

Row = dict[str, Any]
Progress = Callable[[str, int, int | None], None]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table for people: its title, what its figures mean, headings and cells."""

    title: str
    note: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Plot:
    """A drawing by the name of its files; `draw` makes the figure once matplotlib is known to be there."""

    name: str
    title: str
    draw: Callable[[], Any]

    @property
    def files(self) -> tuple[str, ...]:
        """The names of the files, for the eye and for print."""
        return tuple(f"{self.name}.{form}" for form in FORMS)


def check_reproduction(folder: str | os.PathLike[str]) -> None:
    """Say before the work is done if nothing can be written there; an older reproduction is replaced, nothing else."""
    check_inside(check_folder(folder, "the tables", _refuse_to_replace), "the tables")


def _refuse_to_replace(folder: Path) -> str | None:
    return None if (folder / REPORT).exists() else "holds something else than a reproduction"


def can_draw() -> bool:
    """Say whether matplotlib is there."""
    return find_spec("matplotlib") is not None


def write_folder(folder: str | os.PathLike[str], contents: Mapping[str, str], plots: Sequence[Plot]) -> list[Path]:
    """Write texts by file name, and the plots if they can be drawn; return what was written."""
    target = Path(folder)
    drawn = plots if can_draw() else ()
    with explained(target, "to"):
        target.mkdir(parents=True, exist_ok=True)
        for name, text in contents.items():
            (target / name).write_text(text, "utf-8", newline="\n")
        for plot in plots:
            for name in plot.files:
                (target / name).unlink(missing_ok=True)
        for plot in drawn:
            save_figure(plot.draw(), [target / name for name in plot.files])
    return [target / name for name in (*contents, *(name for plot in drawn for name in plot.files))]


def save_figure(figure: Any, paths: Sequence[Path]) -> None:
    """Write a figure to files; the same figure gives the same files."""
    import matplotlib as mpl  # noqa: PLC0415 - an optional part

    for path in paths:
        # A fixed salt and no date.
        with mpl.rc_context({"svg.hashsalt": "neardup"}):
            figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix == ".svg" else None)


def to_csv(rows: Sequence[Row]) -> str:
    """Return rows as CSV; what is undefined is an empty field."""
    text = StringIO()
    table = csv.DictWriter(text, list(rows[0]) if rows else [], lineterminator="\n")
    table.writeheader()
    for row in rows:
        table.writerow({name: _round(value) for name, value in row.items()})
    return text.getvalue()


def _round(value: object) -> object:
    if isinstance(value, float):
        return "" if isnan(value) else round(value, 6)
    return value


def to_markdown(sheets: Sequence[Sheet]) -> Iterator[str]:
    """Yield the lines of the sheets, each under a heading."""
    for sheet in sheets:
        yield from ("", f"## {sheet.title}", "", sheet.note)
        if sheet.rows:
            yield from ("", _row(sheet.headings), _row(["---"] * len(sheet.headings)), *map(_row, sheet.rows))


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(0xFF5C)) for cell in cells)} |"
