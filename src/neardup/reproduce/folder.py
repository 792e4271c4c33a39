"""Writes a reproduction to a folder: report, CSV files, JSON and figures."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Sequence
from io import StringIO
from math import isnan
from pathlib import Path

from neardup.outputs import check_folder, check_inside, explained
from neardup.reproduce.figures import can_draw
from neardup.reproduce.study import Reproduction
from neardup.reproduce.tables import Row

REPORT = "report.md"


def check_target(folder: str | os.PathLike[str]) -> None:
    """Raise an error if a reproduction cannot be written there; an older reproduction may be replaced."""
    check_inside(check_folder(folder, "the tables", _refuse_to_replace), "the tables")


def _refuse_to_replace(folder: Path) -> str | None:
    return None if (folder / REPORT).exists() else "contains something other than a reproduction"


def write_reproduction(reproduction: Reproduction, folder: str | os.PathLike[str]) -> list[Path]:
    """Write all files and return their paths; without matplotlib, all but the figures."""
    target = Path(folder)
    contents = list_contents(reproduction)
    drawn = reproduction.figures if can_draw() else []
    with explained(target, "to"):
        target.mkdir(parents=True, exist_ok=True)
        for name, text in contents.items():
            (target / name).write_text(text, "utf-8", newline="\n")
        for figure in reproduction.figures:
            for name in figure.files:
                (target / name).unlink(missing_ok=True)
        for figure in drawn:
            figure.save(target)
    return [target / name for name in (*contents, *(name for figure in drawn for name in figure.files))]


def list_contents(reproduction: Reproduction) -> dict[str, str]:
    """Return the text files of a reproduction by name."""
    contents = {f"{name}.csv": to_csv(rows) for name, rows in reproduction.measurements.items()}
    if reproduction.json_name:
        contents[reproduction.json_name] = to_json(reproduction)
    contents[REPORT] = reproduction.report.to_markdown(with_figures=can_draw())
    return contents


def to_json(reproduction: Reproduction) -> str:
    """Return the facts and all measurements as JSON; undefined values are null."""
    rows = {name: list(map(_without_nan, rows)) for name, rows in reproduction.measurements.items()}
    return json.dumps({**reproduction.facts, **rows}, indent=1, ensure_ascii=False) + "\n"


def _without_nan(row: Row) -> Row:
    return {name: None if isinstance(value, float) and isnan(value) else value for name, value in row.items()}


def to_csv(rows: Sequence[Row]) -> str:
    """Return rows as CSV; undefined values are empty fields."""
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
